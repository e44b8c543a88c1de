// One tick of a game: updates, timed rules, edges, collisions, removal, terminations.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "crowd.hpp"
#include "dice.hpp"
#include "fixtures.hpp"
#include "level.hpp"
#include "state.hpp"

namespace ludex::vgdl {

// A sprite within a tick: sprites are only ever appended until the tick ends.
struct Ref {
    std::int32_t type = -1;
    std::int32_t index = -1;
    friend bool operator==(const Ref&, const Ref&) = default;
    explicit operator bool() const noexcept { return index >= 0; }
};
inline constexpr Ref kNobody{};

// An effect to run: the rule that asks for it, and the sprites it is for. Timed rules and those at
// the edge of the screen have no second sprite, the rules that timers run have neither.
struct EffectCall {
    const RuleDef& rule;
    int number;  // of the rule
    Ref a, b;
    bool killed = false;  // set by effects with a score of their own for a sprite they kill
};

// Memory for one tick, reused by the next. Never copied with a state.
struct Workspace {
    struct Shield {
        std::int32_t first, second, effect;
    };
    struct Pulled {
        std::int32_t rule, id;
    };
    // Where a sprite stands: its cells and the bits of the resting types in them (see plan.hpp).
    struct Footing {
        CellRange cells;
        std::uint64_t resting = 0;
    };
    struct Angle {
        Vec way = kRight;
        double angle = 0.0;
    };
    // The same of all sprites of a section, looked up when first asked for in a tick.
    struct Ground {
        std::uint64_t tick = 0;      // in which it was looked up
        std::uint64_t fixtures = 0;  // their name then
        std::uint64_t resting = 0;   // of all sprites together
        std::vector<Footing> footings;
        std::vector<std::uint64_t> places;  // for which they were looked up; kNowhere: none
    };
    std::uint64_t tick = 0;  // counts the ticks played here: what is older is out of date
    std::vector<std::vector<Rect>> last;          // by section
    std::vector<std::vector<std::uint8_t>> dead;  // by section: settled sprites killed in this tick
    std::vector<Ground> grounds;                  // by section
    std::vector<std::int32_t> first_made;         // by section: of resting ones, in this tick
    Fixtures fixtures;
    std::vector<Crowd> crowds;  // by section, packed when first asked for in a tick
    std::vector<std::int32_t> movers;
    Neighbours neighbours;
    std::uint64_t neighbours_tick = 0;  // in which they were last cleared
    std::vector<std::uint64_t> listed;  // by section: when its sprites were put there
    std::vector<std::uint64_t> hits;
    std::vector<Ref> killed;
    std::vector<Shield> shields;
    std::vector<Pulled> pulled;
    std::vector<Ref> candidates;
    std::vector<Ref> targets;
    std::vector<std::int32_t> first_counts, second_counts;
    std::vector<std::uint8_t> choices;
    std::vector<std::pair<std::int32_t, Rect>> gone;
    Angle angle;
};

// What a tick may cost, in sprites looked at; beyond it the game ends. A tick of a public game
// costs a few thousand. This is what stops games that fill a cell with thousands of sprites.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr std::int64_t kMostWork = 50'000;  // a fuzzer wants many games, not long ones
#else
inline constexpr std::int64_t kMostWork = 4'000'000;
#endif
// What all sprites together may take, and those of one type.
inline constexpr std::size_t kLargestState = 64'000'000;  // bytes
inline constexpr int kMostOfAType = 2 * kMostSprites;

enum class Moved : std::uint8_t { still, rotated, moved };

template <class Draws>
class Engine {
public:
    Engine(const Level& level, State& state, Workspace& work, Draws& dice,
           bool keep_meetings) noexcept
        : level_(level),
          game_(level.game),
          layout_(level.layout),
          state_(state),
          work_(work),
          dice_(dice),
          sections_(state.sections()),
          keep_meetings_(keep_meetings) {}

    // Play one tick; nothing happens when the game is over.
    void tick(std::span<const std::uint8_t> actions);

    // Creation is also how levels are built.
    Ref create(int type, std::int32_t x, std::int32_t y, bool force = false);

private:
    // Access
    [[nodiscard]] const TypeDef& def(int type) const noexcept {
        return game_.types[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] const TypeLayout& lay(int type) const noexcept {
        return layout_.types[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] const RuleDef& rule(int number) const noexcept {
        return game_.rules[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] int count(int type) const noexcept {
        const int section = lay(type).section;
        return section < 0 ? 0 : sections_[section].count;
    }
    // One more than the largest index in use: settled sprites leave gaps where they die.
    [[nodiscard]] int extent(int type) const noexcept {
        const TypeLayout& layout = lay(type);
        return layout.is_settled ? settled(type).section.count : count(type);
    }
    [[nodiscard]] const SettledType& settled(int type) const noexcept {
        return level_.settled[static_cast<std::size_t>(lay(type).section)];
    }
    [[nodiscard]] bool exists(Ref ref) const noexcept {
        const TypeLayout& layout = lay(ref.type);
        return !layout.is_settled || is_alive(layout, state_, ref.index);
    }
    // The record of a sprite. Those of settled sprites are shared and never written to.
    [[nodiscard]] Sprite& sp(Ref ref) const noexcept {
        const TypeLayout& layout = lay(ref.type);
        if (layout.is_settled)
            return const_cast<Sprite&>(level_.settled_sprite(ref.type, ref.index));
        return state_.sprite(sections_[layout.section], ref.index);
    }
    [[nodiscard]] bool is_killed(Ref ref) const noexcept {
        const TypeLayout& layout = lay(ref.type);
        if (!layout.is_settled) return sp(ref).is(kKilled);
        const std::vector<std::uint8_t>& dead =
            work_.dead[static_cast<std::size_t>(layout.section)];
        return static_cast<std::size_t>(ref.index) < dead.size() &&
               dead[static_cast<std::size_t>(ref.index)] != 0;
    }
    // The sprites of a section in the state; invalid when the state grows.
    struct Records {
        std::byte* first;
        std::size_t stride;
        [[nodiscard]] Sprite& operator[](int i) const noexcept {
            return *reinterpret_cast<Sprite*>(first + slot(i) * stride);
        }
    };
    [[nodiscard]] Records records(int section) const noexcept {
        const Section& one = sections_[section];
        return {state_.data() + one.offset, slot(one.stride)};
    }
    [[nodiscard]] Records settled_records(int type) const noexcept {
        const Section& one = settled(type).section;
        return {const_cast<std::byte*>(level_.records.data()) + one.offset, slot(one.stride)};
    }
    template <class Part>
    [[nodiscard]] Part& part(Sprite& sprite, int offset) const noexcept {
        assert(offset != 0);
        return *reinterpret_cast<Part*>(reinterpret_cast<std::byte*>(&sprite) + offset);
    }
    [[nodiscard]] Rect& last(Ref ref) const noexcept {
        const TypeLayout& layout = lay(ref.type);
        switch (layout.last_in) {
            case LastIn::rect:
                return sp(ref).rect;
            case LastIn::made:
                if (ref.index < work_.first_made[slot(layout.section)]) return sp(ref).rect;
                return work_.last[slot(layout.section)][slot(ref.index)];
            case LastIn::record:
                return part<Rect>(sp(ref), layout.last);
            default:
                return work_.last[slot(layout.section)][slot(ref.index)];
        }
    }
    [[nodiscard]] const std::vector<int>& subtypes(int type) const noexcept {
        return layout_.subtypes[static_cast<std::size_t>(type)];
    }
    template <class Visit>
    void for_exact(int type, const Visit& visit) {
        const bool some_are_dead = lay(type).alive >= 0;
        for (int i = 0, n = extent(type); i < n; ++i) {
            if (!some_are_dead || exists({type, i})) visit(Ref{type, i});
        }
    }
    template <class Visit>
    void for_all(int type, const Visit& visit) {
        for (const int sub : subtypes(type)) for_exact(sub, visit);
    }
    [[nodiscard]] int number_of(int type) const noexcept {
        int n = 0;
        for (const int sub : subtypes(type)) n += count(sub);
        return n;
    }
    [[nodiscard]] int live(int type) const noexcept;
    [[nodiscard]] int live_subtypes(int type) const noexcept;
    [[nodiscard]] int current_tick() const noexcept { return state_.header().tick; }
    [[nodiscard]] bool is_cont(int type) const noexcept { return def(type).physicstype != 0; }
    [[nodiscard]] double block() const noexcept { return block_; }

    // Whether something of this probability happens.
    bool happens(double probability) noexcept {
        if constexpr (!Draws::kEveryDraw) {
            if (probability >= 1.0) return true;
        }
        return dice_.real() < probability;
    }
    // One of n; nothing is drawn for one of one.
    std::int32_t one_of(std::int32_t n) noexcept {
        if constexpr (!Draws::kEveryDraw) {
            if (n == 1) return 0;
        }
        return dice_.below(n);
    }
    void message() noexcept { ++state_.header().messages; }
    // Note what is about to be done; false when this tick may do no more.
    bool spend(std::int64_t work) const noexcept {
        left_ -= work;
        return left_ >= 0;
    }
    [[nodiscard]] bool is_spent() const noexcept { return left_ < 0; }
    [[nodiscard]] bool grow(int section);
    void kill(Ref ref, bool transformed = false);
    [[nodiscard]] bool has_singleton(const TypeDef& made) const noexcept;
    void log_unknown_keys(int type) noexcept;
    void begin_life(Ref ref, std::int32_t x, std::int32_t y);

    // The parts of a tick
    void begin();
    // Where the last rectangles of n sprites are written: those before the tick.
    [[nodiscard]] std::vector<Rect>& room_for_last(int section, int n) {
        std::vector<Rect>& last = work_.last[slot(section)];
        if (last.size() < slot(n)) last.resize(slot(n));
        return last;
    }
    void update_players(std::span<const std::uint8_t> actions);
    void update_others();
    void run_timers();
    void set_timer(const Timer& timer);
    void run_edges();
    void remove_killed();
    void remove_settled(Ref dead);
    void check_endings();
    [[nodiscard]] bool is_met(const EndingDef& ending) const noexcept;
    [[nodiscard]] int live_of_three(const EndingDef& ending) const noexcept;
    void finish(const EndingDef& ending, std::span<const std::int32_t> wins) noexcept;
    void finish_by_score() noexcept;
    void finish_by_counters(const EndingDef& ending) noexcept;
    void end(EndedBy reason) noexcept;

    // Who meets whom (collisions.cpp)
    void run_collisions();
    [[nodiscard]] bool is_shielded(const PairPlan& pair, Effect effect) const noexcept;
    void collide(const PairPlan& pair, const RulePlan& one);
    bool treat(const PairPlan& pair, const RulePlan& one, Ref a, std::size_t& next);
    bool treat_batch(const PairPlan& pair, const RulePlan& one, Ref a, std::size_t& next);
    void collide_on_ground(const PairPlan& pair, const RulePlan& one);
    [[nodiscard]] bool is_nobody_there(const Match& match) const noexcept {
        return sections_[match.first_section].count == 0 ||
               sections_[match.second_section].count == 0;
    }
    [[nodiscard]] bool may_be_near(const Match& match);
    void notice_ground(std::span<const Match> matches, Ref a);
    void find_hits_of(std::span<const Match> matches, Ref a);
    void find_settled_meetings_of(const PairPlan& pair, std::size_t place, Ref a);
    void count_sides(const PairPlan& pair);
    void find_hits(const PairPlan& pair, const RulePlan& one);
    void find_settled_meetings(const PairPlan& pair);
    void find_hits_after(const PairPlan& pair, const RulePlan& one, std::uint64_t after);
    void find_new_hits(const PairPlan& pair, Ref moved, std::uint64_t first);
    void note_hit(const Match& match, int i, int k);
    void find_moving(const Match& match, int n, int m);
    void find_crowded(const Match& match, int n, int m);
    template <class Visit>
    void for_overlapping(int section, int n, int but, const Rect& rect, const Visit& visit);
    [[nodiscard]] const Crowd& crowd(int section);
    template <class Visit>
    void for_resting_at(int type, const Rect& rect, const CellRange& cells,
                        const Visit& visit) const noexcept;
    template <class Visit>
    void find_resting(int section, int n, int type, std::uint64_t bit, const Visit& visit);
    [[nodiscard]] Workspace::Footing footing(const Rect& rect, int below) const noexcept;
    [[nodiscard]] const Workspace::Ground& ground(int section) {
        const Workspace::Ground& known = work_.grounds[slot(section)];
        return known.tick == work_.tick ? known : look_around(section);
    }
    const Workspace::Ground& look_around(int section);
    [[nodiscard]] Workspace::Ground& renew(int section);
    const Workspace::Footing& stand(Workspace::Ground& ground, int index,
                                    const Rect& rect) const noexcept;
    void list(int section);
    void placed(Ref ref, bool is_new);
    // Any sprite may have come to another place: what was looked up is looked up again when asked
    // for.
    void replace_all() noexcept { ++work_.tick; }
    void find_fixtures() {
        const std::uint64_t name = state_.header().fixtures;
        if (work_.fixtures.name() != name || name == 0) list_fixtures();
    }
    void list_fixtures();
    void uncover(Ref ref, std::uint64_t bit);
    void list_fixture(Ref ref);
    void fixed(Ref ref);
    void unfixed(Ref ref);
    void hold_back(const PairPlan& pair);
    [[nodiscard]] std::span<const std::int32_t> find_movers(int section);
    template <class Movers>
    void hold_back_at_cells(const PairPlan& pair, const Movers& movers);
    bool list_others(const PairPlan& pair);
    [[nodiscard]] bool is_blocked_by_resting(const PairPlan& pair, const Rect& rect,
                                             const Workspace::Footing& here) const;
    [[nodiscard]] bool is_blocked_by_moving(const PairPlan& pair, int index, const Rect& rect);
    [[nodiscard]] bool is_blocked_near(const PairPlan& pair, int index, const Rect& rect,
                                       const CellRange& cells) const;
    [[nodiscard]] bool may_meet(Ref ref, bool second) const noexcept;

    // Physics (physics.hpp, physics.cpp)
    void passive(Ref ref) { passive(ref, sp(ref), def(ref.type)); }
    void passive(Ref ref, Sprite& sprite, const TypeDef& type) noexcept;
    void go_on(Sprite& sprite, int cooldown) noexcept;
    void passive_in_space(Ref ref, Sprite& sprite, const TypeDef& type) noexcept;
    Moved active(Ref ref, Vec direction, double speed) {
        return active(sp(ref), def(ref.type), direction, speed);
    }
    Moved active(Sprite& sprite, const TypeDef& type, Vec direction, double speed) noexcept;
    Moved step(Sprite& sprite, const TypeDef& type, int way) noexcept;
    Moved active_in_space(Sprite& sprite, const TypeDef& type, Vec direction,
                          double speed) noexcept;
    bool try_move(Sprite& sprite, int cooldown, Vec direction, int pixels) noexcept;
    [[nodiscard]] static std::int64_t measure(bool in_space, std::int64_t dx,
                                              std::int64_t dy) noexcept;
    [[nodiscard]] Rect pixel_perfect(Ref a, Ref b) const noexcept;
    void test_ground(Ref a, Ref b) noexcept;

    // Sprites (sprites.cpp)
    void update(int type, int n);
    void update_chasers(int number, int n);
    void update_plain(int number, int n);
    template <class Act>
    void for_active(int type, int n, const Act& act);
    template <class Act>
    void for_creating(int type, int n, const Act& act);
    void age(Ref ref, Sprite& sprite, const TypeDef& type);
    void default_update(Ref ref, Sprite& sprite, const TypeDef& type);
    void choose_product(Sprite& sprite, const TypeDef& type, const TypeLayout& layout) noexcept;
    void update_spawner(Ref ref, Sprite& before, const TypeDef& type);
    void spawn_one(Ref ref, int product);
    void spread(Ref ref);
    [[nodiscard]] bool need_not_choose(const Sprite& sprite, const TypeDef& type) const noexcept;
    int random_way() noexcept { return dice_.below(4); }
    Vec random_direction() noexcept { return kBase[random_way()]; }
    int random_move(Sprite& sprite, const TypeDef& type) noexcept;
    void nearest(Ref ref, int type, bool twice);
    int chase_on_grid(Sprite& sprite, const TypeDef& type);
    void chase_alternating(Ref ref);
    void follow_path(Ref ref);
    void follow_path_alternating(Ref ref);
    int towards(Ref ref, bool fleeing, double max_distance, bool cons);
    [[nodiscard]] int ways_to(const Rect& from, const Rect& to, bool in_space, bool fleeing,
                              std::uint8_t* ways) const noexcept;
    [[nodiscard]] int path_step(const Rect& from, std::int32_t x, std::int32_t y) const noexcept;
    void walk(Ref ref);
    void walk_and_jump(Ref ref);
    int alternating_target(Ref ref);

    // Avatars (avatars.cpp)
    void update_avatar(Ref ref, Sprite& sprite, int action);
    void update_shoot_only(Ref ref, int action);
    void update_ongoing(Ref ref, Sprite& sprite, Vec direction);
    void update_ongoing_turning(Ref ref, Sprite& sprite, Vec direction);
    void update_bird(Ref ref, Sprite& sprite, bool use);
    void update_lander(Ref ref, Sprite& sprite, int action);
    void update_spaceship(Ref ref, Sprite& sprite, int action);
    void update_car(Ref ref, Sprite& sprite, int action);
    void update_platformer(Ref ref, Vec direction, bool use);
    void make_blocks(Ref ref, Sprite& sprite, int action);
    void aim(Ref ref, int action);
    void turn(Ref ref, int action) noexcept;
    void thrust(Ref ref, bool away) noexcept;
    void jump(Ref ref);
    [[nodiscard]] Body& body_of(Ref ref) const noexcept;
    [[nodiscard]] double angle_of(const Vec& way) noexcept;
    void shoot_flak(Ref ref);
    void shoot_forward(Ref ref);
    void shoot(Ref ref, Vec direction);
    void fire(Ref ref, int weapon, Vec direction);
    [[nodiscard]] bool has_ammo(Ref ref, int weapon) const noexcept;

    // Resources
    [[nodiscard]] std::int32_t* bag(Ref ref) const noexcept;
    [[nodiscard]] bool holds(Ref ref, int resource) const noexcept;
    [[nodiscard]] int amount(Ref ref, int resource) const noexcept;
    void set_amount(Ref ref, int resource, int amount) noexcept;
    void take(Ref ref, int resource, int number) noexcept;
    [[nodiscard]] int resource_limit(int resource) const noexcept;

    // Rules and what they change (effects.cpp)
    void execute(int number, Ref a, Ref b);
    void execute_batch(int number, Ref a, std::span<const Ref> candidates);
    void run(EffectCall& call);
    void settle_scores(int number, int times, bool if_killed);
    void settle_counters(int number, std::int64_t times) noexcept;
    void meet(Ref a, Ref b);
    [[nodiscard]] bool flag(int number, int bit) const noexcept;
    void set_flag(int number, int bit, bool on) noexcept;
    [[nodiscard]] std::int64_t cost_for_all(const RuleDef& one) const noexcept;

    // What several effects do
    // The score of a rule counts only when its effect did something.
    void score_if(const EffectCall& call, bool done) noexcept;
    // The same, but the reference counts the score in any case.
    void score_always(const EffectCall& call, bool done) noexcept;
    void kill_if(EffectCall& call, bool condition);
    void kill_if_scoring_always(EffectCall& call, bool condition);
    Ref create_at(int type, Ref ref, bool force = false);
    void spawn_beside(const EffectCall& call, int way);
    void transform(Ref a, Ref made, Ref b, const RuleDef& rule, bool keep_health);
    void turn_into(const EffectCall& call, Ref ref, int type, bool force = false);
    [[nodiscard]] bool meets(const EffectCall& call, bool head_on) const noexcept;
    [[nodiscard]] int given_resource(int number) const noexcept;
    [[nodiscard]] int itype(Ref ref) const noexcept;
    [[nodiscard]] double relative_speed(Ref a, Ref b) const noexcept;
    // In which direction a sprite has come in this tick.
    [[nodiscard]] Vec way_gone(Ref ref) const noexcept {
        return direction_between(last(ref), sp(ref).rect);
    }

    // Walls (walls.cpp)
    struct Wall {
        Rect rect;
        int times;  // how many sprites it is made of
    };
    struct Side {
        bool horizontal, vertical;
    };
    [[nodiscard]] Wall find_wall(Ref a, std::span<const Ref> candidates) const;
    [[nodiscard]] static Side side_hit(const Sprite& sprite, const Rect& before,
                                       const Rect& wall) noexcept;
    int bounce_off(Ref a, std::span<const Ref> candidates, bool reverse);
    [[nodiscard]] double gravity_of(Ref ref) const noexcept;
    void slow_down(Ref ref, Vec way) noexcept;

    // The effects, in the order of the ontology, whose `run_effect` calls them by name
    template <class Engine, class Call>
    friend void run_effect(Engine& engine, Effect effect, Call& call);
    void kill_sprite(EffectCall& call);
    void kill_both(EffectCall& call);
    void kill_all(EffectCall& call);
    void kill_if_has_less(EffectCall& call);
    void kill_if_has_more(EffectCall& call);
    void kill_if_other_has_more(EffectCall& call);
    void kill_if_from_above(EffectCall& call);
    void kill_if_frontal(EffectCall& call);
    void kill_if_not_frontal(EffectCall& call);
    void kill_if_alive(EffectCall& call);
    void kill_if_fast(EffectCall& call);
    void kill_if_slow(EffectCall& call);
    void kill_if_not_upright(EffectCall& call);
    void step_back(EffectCall& call);
    void undo_all(EffectCall& call);
    void wrap_around(EffectCall& call);
    void turn_around(EffectCall& call);
    void bounce_forward(EffectCall& call);
    void pull_with_it(EffectCall& call);
    void teleport_to_exit(EffectCall& call);
    void align(EffectCall& call);
    void attract_gaze(EffectCall& call);
    void reverse_direction(EffectCall& call);
    void flip_direction(EffectCall& call);
    void wall_stop(EffectCall& call);
    void wall_bounce(EffectCall& call);
    void wall_reverse(EffectCall& call);
    void bounce_direction(EffectCall& call);
    void half_speed(EffectCall& call);
    void water_physics(EffectCall& call);
    void increase_speed_to_all(EffectCall& call);
    void decrease_speed_to_all(EffectCall& call);
    void set_speed_for_all(EffectCall& call);
    void spawn(EffectCall& call);
    void spawn_if_has_more(EffectCall& call);
    void spawn_if_has_less(EffectCall& call);
    void spawn_behind(EffectCall& call);
    void spawn_above(EffectCall& call);
    void spawn_below(EffectCall& call);
    void spawn_left(EffectCall& call);
    void spawn_right(EffectCall& call);
    void spawn_if_counter_sub_types(EffectCall& call);
    void clone_sprite(EffectCall& call);
    void transform_to(EffectCall& call);
    void transform_to_all(EffectCall& call);
    void transform_to_singleton(EffectCall& call);
    void transform_if_count(EffectCall& call);
    void transform_to_random_child(EffectCall& call);
    void collect_resource(EffectCall& call);
    void collect_resource_if_held(EffectCall& call);
    void change_resource(EffectCall& call);
    void add_health_points(EffectCall& call);
    void add_health_points_to_max(EffectCall& call);
    void subtract_health_points(EffectCall& call);
    void remove_score(EffectCall& call);
    void update_spawn_type(EffectCall& call);
    void shield_from(EffectCall& call);
    void add_timer(EffectCall& call);

    const Level& level_;
    const GameDef& game_;
    const Layout& layout_;
    State& state_;
    Workspace& work_;
    Draws& dice_;
    Section* sections_;  // of the state; they move when it grows
    double block_ = level_.def.block;
    bool colliding_ = false;  // sprites that come to another place must be found there
    bool keep_meetings_;
    bool recount_ = false;                   // sprites came or went: the endings must be asked
    mutable std::int64_t left_ = kMostWork;  // of what may be done in this tick
    bool all_meet_ = game_.has(kKilledActs) && game_.has(kDisabledActs);
};

inline constexpr std::int32_t kNotHeld = INT32_MIN;
enum RuleFlag : int { kApplyScore = 1, kCount = 2, kCountElse = 4 };

}  // namespace ludex::vgdl
