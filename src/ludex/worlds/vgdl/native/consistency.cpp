// Whether a state that came from outside, as bytes or a pickle, can be one of a level.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine.hpp"

namespace ludex::vgdl {
namespace {

constexpr std::int32_t kFar = 1'000'000'000;
constexpr std::int32_t kLater = kFar + 1'000'000;  // what counts up from there
constexpr std::int32_t kLargest = 10'000'000;      // sides of a sprite, in pixels

bool in_range(std::int32_t value, std::int32_t low, std::int32_t high) noexcept {
    return value >= low && value <= high;
}

bool is_good(const Rect& rect) noexcept {
    return in_range(rect.x, -kFar, kFar) && in_range(rect.y, -kFar, kFar) &&
           in_range(rect.w, -kLargest, kLargest) && in_range(rect.h, -kLargest, kLargest);
}

class StateCheck {
public:
    StateCheck(const Level& level, const State& state) noexcept : level_(level), state_(state) {}

    [[nodiscard]] bool passes() const noexcept {
        return state_.size() >= sizeof(Header) && is_header_good() && are_sections_good() &&
               are_players_good() && are_timers_good();
    }

private:
    [[nodiscard]] std::int32_t types() const noexcept {
        return static_cast<std::int32_t>(level_.game.types.size());
    }
    [[nodiscard]] const TypeLayout& lay(int type) const noexcept {
        return level_.layout.types[slot(type)];
    }
    // Settled types have no room for more than the level placed.
    [[nodiscard]] bool can_be_made(std::int32_t type) const noexcept {
        return type == kNoType || (in_range(type, 0, types() - 1) && !lay(type).is_settled);
    }
    // A part of a sprite, read from its offset; it need not be aligned.
    template <class Part>
    [[nodiscard]] static Part part(const Sprite& sprite, std::size_t offset) noexcept {
        Part part;
        std::memcpy(&part, reinterpret_cast<const std::byte*>(&sprite) + offset, sizeof part);
        return part;
    }

    [[nodiscard]] bool is_header_good() const noexcept {
        const Header& h = state_.header();
        const Header& first = level_.start.header();
        return h.players == first.players && h.counters == first.counters &&
               h.flags == first.flags && h.sections == first.sections &&
               in_range(h.tick, 0, kTicks + 1) && h.over <= 1 && h.can_end <= 1 &&
               in_range(h.next_id, 0, kFar) && in_range(h.sprites, -kFar, kFar) &&
               in_range(h.messages, 0, kLater) && h.ended_by >= kTooMuch &&
               h.ended_by < static_cast<int>(level_.game.endings.size()) &&
               (h.over == 0 || h.ended_by != kGoesOn);
    }

    [[nodiscard]] bool are_sections_good() const noexcept {
        for (int s = 0; s < state_.header().sections; ++s) {
            const int number = level_.layout.section_types[slot(s)];
            const TypeLayout& type = lay(number);
            const Section& section = state_.sections()[s];
            if (type.is_settled) {
                if (section.stride != 0 || section.count != count_alive(s, type)) return false;
                continue;
            }
            if (section.stride != type.stride || section.count > kMostOfAType) return false;
            for (int i = 0; i < section.count; ++i) {
                const Sprite& sprite = state_.sprite(section, i);
                if (!is_sprite_good(sprite, type) || !are_parts_good(sprite, number)) return false;
            }
        }
        return true;
    }
    [[nodiscard]] int count_alive(int section, const TypeLayout& type) const noexcept {
        int alive = 0;
        for (int i = 0; i < level_.settled[slot(section)].section.count; ++i) {
            alive += is_alive(type, state_, i);
        }
        return alive;
    }
    [[nodiscard]] bool is_sprite_good(const Sprite& sprite, const TypeLayout& type) const noexcept {
        return in_range(sprite.id, 0, state_.header().next_id - 1) && is_good(sprite.rect) &&
               in_range(sprite.lastmove, -kFar, kLater) && in_range(sprite.health, -kFar, kFar) &&
               in_range(sprite.max_health, -kFar, kFar) && in_range(sprite.count, -kFar, kLater) &&
               sprite.previous <= 4 && sprite.player >= -1 &&
               sprite.player < state_.header().players && std::isfinite(sprite.orientation.x) &&
               std::isfinite(sprite.orientation.y) && std::isfinite(sprite.speed) &&
               !sprite.is(kKilled) && (sprite.player < 0 || type.is_avatar);
    }
    // What only some sprites have.
    [[nodiscard]] bool are_parts_good(const Sprite& sprite, int number) const noexcept {
        const TypeLayout& type = lay(number);
        if (type.spawner) {
            const auto spawner = part<Spawner>(sprite, slot(type.spawner));
            if (!can_be_made(spawner.product) || !in_range(spawner.start, 0, kFar)) return false;
        }
        if (type.products) {
            const std::size_t products = level_.game.types[slot(number)].stypeMissile.size();
            for (std::size_t k = 0; k < products; ++k) {
                const std::size_t offset = slot(type.products) + k * sizeof(std::int32_t);
                if (!can_be_made(part<std::int32_t>(sprite, offset))) return false;
            }
        }
        if (type.last && !is_good(part<Rect>(sprite, slot(type.last)))) return false;
        if (type.follower && !is_good(part<Follower>(sprite, slot(type.follower)).last))
            return false;
        if (type.body) {
            const auto body = part<Body>(sprite, slot(type.body));
            if (!std::isfinite(body.gravity) || !std::isfinite(body.rotation)) return false;
        }
        for (int k = 0; type.bag && k < level_.layout.resources; ++k) {
            const std::size_t offset = slot(type.bag) + slot(k) * sizeof(std::int32_t);
            const auto held = part<std::int32_t>(sprite, offset);
            if (held != kNotHeld && !in_range(held, -kFar, kFar)) return false;
        }
        return true;
    }

    [[nodiscard]] bool are_players_good() const noexcept {
        const Header& h = state_.header();
        const std::int32_t* const counters = state_.counters();
        for (int c = 0; c < h.counters; ++c) {
            if (!in_range(counters[c], -kFar, kFar)) return false;
        }
        for (int p = 0; p < h.players; ++p) {
            const Player& player = state_.player(p);
            if (!std::isfinite(player.score) || player.winner > Winner::lose ||
                player.winner < Winner::none) {
                return false;
            }
            if (player.type == -1) continue;
            if (!in_range(player.type, 0, types() - 1)) return false;
            const TypeLayout& type = lay(player.type);
            if (type.section < 0 || !type.is_avatar) return false;
            const int avatars = state_.sections()[type.section].count;
            if (!in_range(player.index, 0, avatars - 1)) return false;
        }
        return true;
    }

    // A timer is one of the game's timed rules, or was set by the effect `addTimer`.
    [[nodiscard]] bool are_timers_good() const noexcept {
        const GameDef& game = level_.game;
        const auto rules = static_cast<std::int32_t>(game.rules.size());
        return std::all_of(state_.timers.begin(), state_.timers.end(), [&](const Timer& timer) {
            if (!in_range(timer.rule, 0, rules - 1) || !in_range(timer.due, -kFar, kFar))
                return false;
            if (timer.type == kNoType)
                return game.rules[slot(timer.rule)].effect == Effect::addTimer;
            return std::any_of(game.timed.begin(), game.timed.end(), [&](const TimedDef& timed) {
                return timed.rule == timer.rule && timed.type == timer.type;
            });
        });
    }

    const Level& level_;
    const State& state_;
};

}  // namespace

bool Level::is_consistent(const State& state) const noexcept {
    return StateCheck(*this, state).passes();
}

}  // namespace ludex::vgdl
