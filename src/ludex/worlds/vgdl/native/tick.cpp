// The order of things within a tick, and the coming and going of sprites.
#include <algorithm>
#include <utility>

#include "engine.hpp"

namespace ludex::vgdl {
namespace {

constexpr std::size_t kMostTimers = 10'000;
constexpr int kMostRunsInATick = 10'000;  // timed rules that put themselves back at once

}  // namespace

// What is seldom needed is asked for here, not where it is done: in a small game a tick is so short
// that calls for nothing would be a good part of it.
template <class Draws>
void Engine<Draws>::tick(std::span<const std::uint8_t> actions) {
    state_.meetings.clear();
    if (state_.header().over) return;
    begin();
    recount_ = current_tick() == 0;
    update_players(actions);
    update_others();
    if (!state_.header().over) {
        if (!state_.timers.empty()) run_timers();
        find_fixtures();
        if (!level_.schedule.edges.empty()) run_edges();
        run_collisions();
    }
    if (!work_.killed.empty()) remove_killed();
    if (is_spent()) end(kTooMuch);
    Header& header = state_.header();
    const bool may_end =
        recount_ || header.tick >= level_.schedule.first_timeout || header.messages > kMostMessages;
    if (may_end && !header.over) check_endings();
    ++header.tick;
}

template <class Draws>
inline void Engine<Draws>::begin() {
    const auto sections = layout_.section_types.size();
    if (work_.last.size() < sections) {
        work_.last.resize(sections);
        work_.dead.resize(sections);
        work_.grounds.resize(sections);
        work_.first_made.resize(sections);
        work_.crowds.resize(sections);
        work_.listed.resize(sections);
    }
    for (const int type : layout_.resting) work_.first_made[slot(lay(type).section)] = count(type);
    ++work_.tick;
    work_.killed.clear();
    work_.shields.clear();
    work_.pulled.clear();
}

template <class Draws>
void Engine<Draws>::update_players(std::span<const std::uint8_t> actions) {
    for (int i = 0; i < game_.players; ++i) {
        const Player& player = state_.player(i);
        if (player.type < 0) continue;
        const Ref ref{player.type, player.index};
        const TypeLayout& layout = lay(ref.type);
        Sprite& sprite = records(layout.section)[ref.index];
        if (sprite.is(kDisabled)) continue;
        part<Rect>(sprite, layout.last) = sprite.rect;
        ++sprite.lastmove;
        int action = slot(i) < actions.size() ? actions[slot(i)] : int{kNilAction};
        if (action >= kActions || (layout.actions >> action & 1) == 0) action = kNilAction;
        update_avatar(ref, sprite, action);
    }
}

template <class Draws>
void Engine<Draws>::update_others() {
    for (const int type : layout_.updated) {
        const TypeLayout& layout = lay(type);
        const int n = sections_[layout.section].count;
        if (n == 0) continue;
        if (!spend(n)) return;
        update(type, n);
        if (state_.header().over || is_spent()) return;
    }
}

template <class Draws>
void Engine<Draws>::run_timers() {
    std::vector<Timer>& timers = state_.timers;
    for (int runs = 0; !timers.empty() && timers.front().due <= current_tick(); ++runs) {
        if (!spend(std::int64_t(timers.size()) / 16 + 1)) return;
        Timer timer = timers.front();
        timers.erase(timers.begin());
        const RuleDef& timed = rule(timer.rule);
        if (timed.enabled) {
            if (timer.type == kNoType) {
                EffectCall call{rule(timed.inner), timed.inner, kNobody, kNobody};
                run(call);
                settle_scores(timed.inner, 1, call.killed);
            } else {
                for_all(timer.type, [&](Ref ref) {
                    if (spend(1) && !is_killed(ref) && !sp(ref).is(kDisabled))
                        execute(timer.rule, ref, kNobody);
                });
            }
        }
        if (timed.repeating && runs < kMostRunsInATick) {
            timer.due = add(current_tick(), timed.timer);
            set_timer(timer);
        }
    }
}

// Timers are kept in the order of their ticks; a new one is the first of its tick.
template <class Draws>
void Engine<Draws>::set_timer(const Timer& timer) {
    std::vector<Timer>& timers = state_.timers;
    if (timers.size() >= kMostTimers) return;
    const auto later = std::find_if(timers.begin(), timers.end(),
                                    [&](const Timer& other) { return other.due >= timer.due; });
    timers.insert(later, timer);
}

template <class Draws>
void Engine<Draws>::run_edges() {
    const Rect screen = level_.screen;
    for (const EdgeStep& step : level_.schedule.edges) {
        const int n = sections_[step.section].count;
        if (n == 0) continue;
        if (!spend(n + 1)) return;
        if (step.asks_ground && (ground(step.section).resting & kOutside) == 0) continue;
        for (int i = 0; i < n; ++i) {
            const Sprite& sprite = records(step.section)[i];
            if (contains(screen, sprite.rect)) [[likely]]
                continue;
            if (sprite.is(kKilled) || sprite.is(kDisabled)) continue;
            execute(step.rule, {step.type, i}, kNobody);
            replace_all();  // where it stood is no longer true
            if (is_spent()) return;
            // The reference stops at a sprite added here.
            if (sections_[step.section].count != n) break;
        }
    }
}

template <class Draws>
void Engine<Draws>::remove_killed() {
    recount_ = true;
    state_.header().sprites =
        add(state_.header().sprites, -static_cast<std::int64_t>(work_.killed.size()));
    if (layout_.has_followers) {
        // A follower keeps going to where its target was.
        auto& gone = work_.gone;
        gone.clear();
        for (const Ref dead : work_.killed) gone.emplace_back(sp(dead).id, sp(dead).rect);
        const auto by_id = [](const auto& a, const auto& b) { return a.first < b.first; };
        std::sort(gone.begin(), gone.end(), by_id);
        for (const int type : layout_.section_types) {
            if (lay(type).follower == 0) continue;
            for_exact(type, [&](Ref ref) {
                Follower& follower = part<Follower>(sp(ref), lay(type).follower);
                const std::pair<std::int32_t, Rect> wanted{follower.target, {}};
                const auto found = std::lower_bound(gone.begin(), gone.end(), wanted, by_id);
                if (found != gone.end() && found->first == follower.target)
                    follower.last = found->second;
            });
        }
    }
    // Each type that lost a sprite, once.
    std::sort(work_.killed.begin(), work_.killed.end(),
              [](Ref a, Ref b) { return a.type < b.type; });
    for (std::size_t n = 0; n < work_.killed.size(); ++n) {
        const int type = work_.killed[n].type;
        if (lay(type).is_settled) {
            remove_settled(work_.killed[n]);
            continue;
        }
        if (n > 0 && work_.killed[n - 1].type == type) continue;
        Section& section = sections_[lay(type).section];
        const bool is_avatar = lay(type).is_avatar;
        int kept = 0;
        for (int i = 0; i < section.count; ++i) {
            Sprite& sprite = state_.sprite(section, i);
            const bool dead = sprite.is(kKilled);
            if (is_avatar) {
                for (int p = 0; p < game_.players; ++p) {
                    Player& player = state_.player(p);
                    if (player.type != type || player.index != i) continue;
                    player.index = dead ? -1 : kept;
                    if (dead) player.type = -1;
                }
            }
            if (dead) continue;
            if (kept != i)
                std::memcpy(&state_.sprite(section, kept), &sprite, slot(section.stride));
            ++kept;
        }
        section.count = kept;
        if (lay(type).rests) state_.header().fixtures = new_fixtures();
    }
}

// A sprite can have been killed more than once; it dies once.
template <class Draws>
void Engine<Draws>::remove_settled(Ref dead) {
    const TypeLayout& layout = lay(dead.type);
    std::uint8_t& is_dead = work_.dead[slot(layout.section)][slot(dead.index)];
    if (!is_dead) return;
    is_dead = 0;
    std::uint8_t& bits = state_.flags()[layout.alive + (dead.index >> 3)];
    bits = static_cast<std::uint8_t>(bits & ~(1 << (dead.index & 7)));
    --sections_[layout.section].count;
    unfixed(dead);
}

// Whether a sprite is there already of which there may be only one.
template <class Draws>
inline bool Engine<Draws>::has_singleton(const TypeDef& made) const noexcept {
    for (const int ancestor : made.ancestors) {
        if (!def(ancestor).singleton) continue;
        spend(static_cast<std::int64_t>(subtypes(ancestor).size()));
        if (number_of(ancestor) > 0) return true;
    }
    return false;
}

// The reference logs keys that it does not know when it makes the first sprite of a type.
template <class Draws>
void Engine<Draws>::log_unknown_keys(int type) noexcept {
    const auto found = std::find(layout_.message_types.begin(), layout_.message_types.end(), type);
    const auto index = found - layout_.message_types.begin();
    std::uint8_t& logged = state_.flags()[layout_.first_message_flag + index];
    if (!logged) state_.header().messages = add(state_.header().messages, def(type).unknown_keys);
    logged = 1;
}

template <class Draws>
Ref Engine<Draws>::create(int type, std::int32_t x, std::int32_t y, bool force) {
    if (type < 0) return kNobody;
    const TypeLayout& layout = lay(type);
    const TypeDef& made = def(type);
    if (layout.section < 0) return kNobody;
    if (state_.header().sprites > kMostSprites) {
        message();
        return kNobody;
    }
    if (!force && has_singleton(made)) return kNobody;
    if (made.unknown_keys > 0) log_unknown_keys(type);
    if (made.cls == Class::ResourcePack && made.resource_name.empty()) return kNobody;
    Section* section = &sections_[layout.section];
    // The reference counts sprites that die twice in a tick twice, so its limit can be passed.
    spend(1);
    if (section->count >= kMostOfAType || state_.header().next_id >= kFarthest) {
        message();
        return kNobody;
    }
    if (section->count == section->capacity) {
        if (!grow(layout.section)) {
            message();
            return kNobody;
        }
        section = &sections_[layout.section];
    }
    recount_ = true;
    const Ref ref{type, section->count++};
    begin_life(ref, x, y);
    ++state_.header().sprites;
    if (layout.rests) {
        fixed(ref);
    } else if (colliding_) {
        placed(ref, true);
    }
    return ref;
}

// Give a new sprite what its type says.
template <class Draws>
inline void Engine<Draws>::begin_life(Ref ref, std::int32_t x, std::int32_t y) {
    const TypeLayout& layout = lay(ref.type);
    const TypeDef& made = def(ref.type);
    const Section& section = sections_[layout.section];
    Sprite& sprite = state_.sprite(section, ref.index);
    std::memset(static_cast<void*>(&sprite), 0, slot(section.stride));
    sprite.id = state_.header().next_id++;
    sprite.rect = {x, y, layout.width, layout.height};
    sprite.lastmove = made.lastmove;
    sprite.put(kFirstTick, made.isFirstTick);
    sprite.put(kOriented, made.is_oriented);
    sprite.put(kOnGround, made.on_ground);
    sprite.put(kFromAvatar, made.is_from_avatar);
    sprite.player = -1;
    sprite.health = made.healthPoints;
    sprite.max_health = made.maxHealthPoints;
    sprite.count = made.age;
    sprite.orientation = made.orientation;
    sprite.speed = made.speed;
    if (layout.body) part<Body>(sprite, layout.body) = {made.gravity, made.rotation};
    if (layout.spawner) part<Spawner>(sprite, layout.spawner) = {0, made.product()};
    if (layout.follower) part<Follower>(sprite, layout.follower) = Follower{};
    if (layout.products) {
        std::copy(made.stypeMissile.begin(), made.stypeMissile.end(),
                  &part<std::int32_t>(sprite, layout.products));
    }
    if (layout.life) part<std::int32_t>(sprite, layout.life) = made.timeToLive;
    if (layout.bag)
        std::fill_n(&part<std::int32_t>(sprite, layout.bag), layout_.resources, kNotHeld);
    if (layout.last) part<Rect>(sprite, layout.last) = sprite.rect;
    if (layout.last_in == LastIn::workspace || layout.last_in == LastIn::made) {
        std::vector<Rect>& last = work_.last[slot(layout.section)];
        if (last.size() <= slot(ref.index)) last.resize(slot(ref.index) + 1);
        last[slot(ref.index)] = sprite.rect;
    }
}

// Make room in a section, unless the state is too large; what lies behind it moves.
template <class Draws>
bool Engine<Draws>::grow(int number) {
    const Section section = state_.sections()[number];
    const std::int32_t capacity = std::max(4, section.capacity * 2);
    const auto stride = static_cast<std::size_t>(section.stride);
    const std::size_t more = slot(capacity - section.capacity) * stride;
    const std::size_t split = section.offset + slot(section.capacity) * stride;
    if (state_.size() + more > kLargestState) return false;
    state_.insert(split, more);
    for (int i = 0; i < state_.header().sections; ++i) {
        Section& other = state_.sections()[i];
        if (i != number && other.offset >= split) other.offset += static_cast<std::uint32_t>(more);
    }
    state_.sections()[number].capacity = capacity;
    sections_ = state_.sections();
    return true;
}

// Avatars are only disabled, unless something else takes their place.
template <class Draws>
void Engine<Draws>::kill(Ref ref, bool transformed) {
    const TypeLayout& layout = lay(ref.type);
    if (layout.is_avatar && !transformed) {
        sp(ref).put(kDisabled, true);
        recount_ = true;
        return;
    }
    if (layout.is_settled) {
        assert(layout.alive >= 0);
        std::vector<std::uint8_t>& dead = work_.dead[slot(layout.section)];
        if (dead.size() <= slot(ref.index)) dead.resize(slot(extent(ref.type)), 0);
        dead[slot(ref.index)] = 1;
    } else {
        sp(ref).put(kKilled, true);
    }
    work_.killed.push_back(ref);
}

template <class Draws>
int Engine<Draws>::live(int type) const noexcept {
    int n = 0;
    for (const int sub : subtypes(type)) {
        const int all = count(sub);
        n += all;
        if (!lay(sub).is_avatar) continue;
        for (int i = 0; i < all; ++i) n -= sp({sub, i}).is(kDisabled);
    }
    return n;
}

template <class Draws>
int Engine<Draws>::live_subtypes(int type) const noexcept {
    int n = 0;
    for (const int sub : subtypes(type)) n += live(sub) > 0 && count(sub) > 0;
    return n;
}

template <class Draws>
void Engine<Draws>::end(EndedBy reason) noexcept {
    state_.header().over = 1;
    state_.header().ended_by = reason;
}

#define INSTANTIATE(Draws)                                                     \
    template void Engine<Draws>::tick(std::span<const std::uint8_t>);          \
    template Ref Engine<Draws>::create(int, std::int32_t, std::int32_t, bool); \
    template void Engine<Draws>::kill(Ref, bool);                              \
    template void Engine<Draws>::set_timer(const Timer&);                      \
    template int Engine<Draws>::live(int) const noexcept;                      \
    template int Engine<Draws>::live_subtypes(int) const noexcept;             \
    template void Engine<Draws>::end(EndedBy) noexcept;
INSTANTIATE(Dice)
INSTANTIATE(JavaDice)
#undef INSTANTIATE

}  // namespace ludex::vgdl
