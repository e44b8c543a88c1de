// The rules at work on one state: sequences, phases, triggers, deaths and card programs.
//
// An engine lives for one step. Nothing here throws or allocates; every loop is bounded: cards that
// feed each other for ever use up the effects of a step (`kMostEffects`) or lie too deep in each
// other (`kDeepest`). Then no further effect happens, the dead leave in silence, and the game is
// over: a hero that fell has lost, and else it is drawn.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cards.hpp"
#include "numbers.hpp"
#include "rng.hpp"
#include "state.hpp"

namespace ludex::hearthstone {

struct Options {
    int hand_limit = 10;
    int board_limit = 7;
    int mana_limit = 10;
    int turn_limit = 89;
    bool frozen_hero_can_attack = false;  // as in the released program of the Nora study
};

// A character with its order of play, which tells it from a later one in the same slot.
struct Who {
    Ref ref = kNobodyRef;
    std::uint16_t order = 0;
};

// Whose text runs, and what it speaks of.
struct Context {
    int me = 0;
    CardId card = kNoCard;
    Who self;
    Who target;
    Who subject;
    Who object;
    int amount = 0;
    CardId event_card = kNoCard;
    bool spell = false;
    bool power = false;
    int combo = 0;        // cards played before in this turn
    int place = -1;       // where a dead minion stood
    bool chosen = false;  // a choice may be asked here
};

// What an event is about.
struct Happening {
    int seat = 0;
    Who subject;
    Who object;
    int amount = 0;
    CardId card = kNoCard;
    // Only what entered play between these hears of it.
    std::uint16_t eldest = 0;
    std::uint16_t youngest = 0xFFFF;
    bool secrets_only = false;
};

// Told just before and after the effect that a player chose a target for.
class Watcher {
public:
    virtual ~Watcher() = default;
    virtual void before(const State& state, const Context& context) noexcept = 0;
    virtual void after(const State& state, const Context& context) noexcept = 0;
};

constexpr int kMostTargets = 16;
struct Targets {
    std::array<Who, kMostTargets> who{};
    int count = 0;
    void add(Who one) noexcept {
        if (count < kMostTargets) who[static_cast<std::size_t>(count++)] = one;
    }
};

class Engine {
public:
    Engine(const CardSet& set, const Options& options, State& state, Rng& rng) noexcept
        : set_(set), options_(options), s_(state), rng_(rng) {}

    void watch(Watcher* watcher) noexcept { watcher_ = watcher; }

    // Player actions; legality was checked before.
    void start_game(int first) noexcept;
    void mulligan(int seat, unsigned mask) noexcept;
    void play(int index, int option, Ref target, int position) noexcept;
    void attack(Ref attacker, Ref defender) noexcept;
    void use_power(Ref target) noexcept;
    void end_turn() noexcept;
    void choose(int index) noexcept;

    // Put a minion on a side without any event, for positions made by hand.
    Ref place(CardId what, int seat) noexcept { return enter(what, seat, -1); }
    void refresh() noexcept;
    void index_events() noexcept;

    // Questions
    [[nodiscard]] const Card& card(CardId id) const noexcept { return set_.cards[id]; }
    [[nodiscard]] int cost(int seat, const HandCard& held) const noexcept;
    [[nodiscard]] int power_cost(int seat) const noexcept;
    [[nodiscard]] bool can_attack(Ref ref) const noexcept;
    [[nodiscard]] bool legal_defender(int seat, Ref defender, bool taunt) const noexcept;
    [[nodiscard]] bool must_face_taunt(int seat) const noexcept;
    [[nodiscard]] bool playable(int seat, const HandCard& held) const noexcept;
    [[nodiscard]] bool needs_met(const Card& what, const Context& context) const noexcept;
    [[nodiscard]] bool targetable(int seat, const Card& what, Ref ref, const Context& context,
                                  bool by_spell) const noexcept;
    // Fills legal targets of a card that asks for one now; -1 when it asks for none.
    [[nodiscard]] int targets_of(int seat, const Card& what, bool by_spell,
                                 std::array<Ref, 16>& out) const noexcept;
    [[nodiscard]] int attack_of(Ref ref) const noexcept;
    [[nodiscard]] int health_of(Ref ref) const noexcept;
    [[nodiscard]] std::uint32_t keywords_of(Ref ref) const noexcept;
    [[nodiscard]] bool frozen(Ref ref) const noexcept;
    [[nodiscard]] int seat_of(Ref ref) const noexcept;
    [[nodiscard]] int spell_damage(int seat) const noexcept;
    [[nodiscard]] int attacks_allowed(Ref ref) const noexcept;
    [[nodiscard]] bool immune(Ref ref) const noexcept;

private:
    Player& player(int seat) noexcept { return s_.players[static_cast<std::size_t>(seat)]; }
    [[nodiscard]] const Player& player(int seat) const noexcept {
        return s_.players[static_cast<std::size_t>(seat)];
    }
    Minion& minion(Ref ref) noexcept { return s_.minions[ref]; }
    [[nodiscard]] const Minion& minion(Ref ref) const noexcept { return s_.minions[ref]; }
    [[nodiscard]] static bool is_hero(Ref ref) noexcept { return ref == kHero || ref == kHero + 1; }
    [[nodiscard]] static bool is_minion(Ref ref) noexcept { return ref < kSlots; }
    [[nodiscard]] Who who(Ref ref) const noexcept {
        return {ref, is_minion(ref) ? minion(ref).order : std::uint16_t{0}};
    }
    Minion& dead(int index) noexcept {
        return reinterpret_cast<Minion*>(dead_room_.bytes.data())[index];
    }
    [[nodiscard]] const Minion& dead(int index) const noexcept {
        return reinterpret_cast<const Minion*>(dead_room_.bytes.data())[index];
    }
    [[nodiscard]] bool here(Who one) const noexcept;
    [[nodiscard]] bool alive(Ref ref) const noexcept;
    [[nodiscard]] bool has(int seat, std::uint32_t keyword) const noexcept;
    void tell(ToldKind kind, int seat, CardId what) noexcept;
    void tell_aim(Ref target) noexcept;

    // The effects of one step are counted; false when they are used up.
    bool spend() noexcept {
        if (++effects_ <= kMostEffects) return true;
        cut_ = true;
        return false;
    }
    // From here on nothing has an effect.
    void cut() noexcept {
        cut_ = true;
        effects_ = kMostEffects;
    }
    void cut_short(int seat, CardId what) noexcept;  // and says whose effects do not end
    // When something entered play, counted from the start of the game.
    std::uint16_t next_order() noexcept {
        if (s_.next_order >= kMostOrders) {
            cut();
            return s_.next_order;
        }
        return ++s_.next_order;
    }

    // Zones
    Minion fresh(CardId what, int seat) noexcept;
    Ref enter(CardId what, int seat, int position) noexcept;
    void leave(Ref ref) noexcept;
    int position_of(Ref ref) const noexcept;
    Ref summon(CardId what, int seat, int position) noexcept;
    void announce(Ref ref, bool played) noexcept;
    void welcome(Ref ref) noexcept;
    void draw(int seat, int count, std::int8_t discount = 0) noexcept;
    bool put_in_hand(int seat, CardId what, std::uint8_t flags, std::int8_t cost = 0) noexcept;
    bool give(int seat, CardId what, std::uint8_t flags, std::int8_t cost = 0) noexcept;
    void remove_from_hand(int seat, int index) noexcept;
    CardId remove_from_deck(int seat, int index) noexcept;
    CardId take_from_deck(int seat, int index) noexcept;
    void shuffle_into_deck(int seat, CardId what) noexcept;
    void shuffle_deck(int seat) noexcept;
    void discard(int seat, int index) noexcept;
    void bury(int seat, CardId what) noexcept;
    void equip(int seat, CardId what) noexcept;
    CardId drop_weapon(int seat) noexcept;
    void speak_last(int seat, CardId weapon) noexcept;
    void lose_weapon(int seat) noexcept { speak_last(seat, drop_weapon(seat)); }
    [[nodiscard]] bool can_lay(int seat, CardId what) const noexcept;
    void lay_secret(int seat, CardId what) noexcept;
    void remove_secret(int seat, int index) noexcept;
    void add_armour(int seat, int amount) noexcept;
    void owe(int seat, int amount) noexcept;
    void change_side(Ref ref, int seat, bool for_turn) noexcept;
    void bounce(Ref ref, std::int8_t discount) noexcept;
    void tell_change(int seat, CardId old, CardId now) noexcept;
    void transform(Ref ref, CardId what) noexcept;
    void copy_onto(Ref to, const Minion& from) noexcept;

    // Characters
    int hit(Ref ref, int amount, Who source) noexcept;
    void damage(const Targets& targets, int amount, Who source) noexcept;
    void heal(const Targets& targets, int amount, Who source, const Context* by) noexcept;
    void freeze(Ref ref) noexcept;
    void lose_keywords(Minion& one, std::uint16_t lost) noexcept;
    void silence(Ref ref) noexcept;
    void enchant(Ref ref, const Enchant& what) noexcept;
    void recount(Ref ref) noexcept;
    void expire(Until until, int seat) noexcept;
    void set_max_health(Minion& one, int health) noexcept;

    // Order of things
    void fire(Event event, const Happening& what) noexcept;
    [[nodiscard]] bool matches(const Trigger& trigger, Context& context,
                               const Happening& what) const noexcept;
    void settle() noexcept;
    bool bury_the_dead() noexcept;
    void finish_play() noexcept;
    void begin_turn(int seat) noexcept;
    void end_if_decided() noexcept;
    bool play_text() noexcept;
    void leap(int seat, unsigned races) noexcept;

    // Programs
    bool run(int at, Context& context) noexcept;
    void obey(const Instruction& i, Context& context) noexcept;
    [[nodiscard]] bool aims(const Instruction& i) const noexcept;
    void gather(const Group& group, const Context& context, Targets& out) noexcept;
    Targets members(int group, const Context& context) noexcept;
    [[nodiscard]] bool belongs(const Group& group, const Context& context, Ref ref) const noexcept;
    [[nodiscard]] int count(const Group& group, const Context& context) const noexcept;
    int value(int index, const Context& context) noexcept;
    [[nodiscard]] int look(const Value& value, const Context& context) const noexcept;
    [[nodiscard]] bool compare(int left, int how, int right) const noexcept;
    [[nodiscard]] Who refer(int which, const Context& context) const noexcept;
    [[nodiscard]] static int side_of(int which, const Context& context) noexcept {
        return which == 0 ? context.me : 1 - context.me;
    }
    int amount_of_damage(int amount, const Context& context) const noexcept;
    CardId pick_pool(int pool) noexcept;

    // Instructions on characters
    void do_damage(const Instruction& i, const Context& context) noexcept;
    void do_heal(const Instruction& i, const Context& context) noexcept;
    void do_buff(const Instruction& i, const Context& context) noexcept;
    void do_set(const Instruction& i, const Context& context) noexcept;
    void do_destroy(const Instruction& i, const Context& context) noexcept;
    void do_freeze(const Instruction& i, const Context& context) noexcept;
    void do_silence(const Instruction& i, const Context& context) noexcept;
    void do_bounce(const Instruction& i, const Context& context) noexcept;
    void do_steal(const Instruction& i, const Context& context) noexcept;
    void do_transform(const Instruction& i, Context& context) noexcept;
    void do_remove_keywords(const Instruction& i, const Context& context) noexcept;
    void do_swap_stats(const Instruction& i, const Context& context) noexcept;
    void do_become_copy(const Instruction& i, const Context& context) noexcept;
    void do_absorb(const Instruction& i, const Context& context) noexcept;
    void do_strike(const Instruction& i, const Context& context) noexcept;
    void do_retarget(const Instruction& i, const Context& context) noexcept;
    [[nodiscard]] Enchant granted(int grant, const Context& context) const noexcept;

    // Instructions that summon
    void do_summon(const Instruction& i, const Context& context) noexcept;
    void do_summon_pool(const Instruction& i, const Context& context) noexcept;
    void do_summon_from_deck(const Instruction& i, const Context& context) noexcept;
    void do_summon_from_hand(const Instruction& i, const Context& context) noexcept;
    void do_swap_with_hand(const Context& context) noexcept;
    void do_summon_copy(const Instruction& i, const Context& context) noexcept;
    void do_resummon(const Instruction& i, const Context& context) noexcept;
    void do_golem(const Context& context) noexcept;
    [[nodiscard]] int place_of_summons(const Context& context, int seat, bool left) const noexcept;
    CardId pick_lacking(int pool, int seat) noexcept;
    int pick_minion_in_hand(int seat) noexcept;

    // Instructions on cards, and choices
    void do_draw(const Instruction& i, const Context& context) noexcept;
    void do_draw_race(const Instruction& i, const Context& context) noexcept;
    void do_draw_until(const Context& context) noexcept;
    void do_discard(const Instruction& i, const Context& context) noexcept;
    void do_give(const Instruction& i, const Context& context) noexcept;
    void do_give_pool(const Instruction& i, const Context& context) noexcept;
    void do_give_played(const Instruction& i, const Context& context) noexcept;
    void do_copy_hand(const Context& context) noexcept;
    void do_copy_deck(const Instruction& i, const Context& context) noexcept;
    void do_buff_hand(const Instruction& i, const Context& context) noexcept;
    void do_shuffle_in(const Instruction& i, const Context& context) noexcept;
    void do_shuffle_copies(const Instruction& i, const Context& context) noexcept;
    void do_put_secret(const Context& context) noexcept;
    void do_joust(const Context& context) noexcept;
    bool ask_track(const Context& context, int next) noexcept;
    bool ask_discover(const Instruction& i, const Context& context, int next) noexcept;
    void suspend(Choice choice, const Context& context, int next) noexcept;

    // Instructions on players
    void do_mana(const Instruction& i, const Context& context) noexcept;
    void do_weapon(const Instruction& i, const Context& context) noexcept;
    void do_arm(const Instruction& i, const Context& context) noexcept;
    void do_hero_health(const Instruction& i, const Context& context) noexcept;
    void do_become_hero(const Instruction& i, const Context& context) noexcept;
    void do_set_power(const Instruction& i, const Context& context) noexcept;
    void do_mark(const Instruction& i, const Context& context) noexcept;

    const CardSet& set_;
    const Options& options_;
    State& s_;
    Rng& rng_;
    Watcher* watcher_ = nullptr;
    bool watching_ = false;
    int depth_ = 0;
    int effects_ = 0;
    bool cut_ = false;   // no further effects: the game ends with this step
    bool told_ = false;  // that they were cut short
    int last_cost_ = 0;
    int result_ = 0;
    bool countered_ = false;
    bool prevented_ = false;
    bool settling_ = false;
    Who retarget_;
    Who fight_[2];
    Targets held_;
    static constexpr int kMostDead = 64;
    // Room for the dead that is not filled before it is needed: engines are made for questions,
    // too.
    struct DeadRoom {
        DeadRoom() noexcept {}  // leaves the bytes as they are
        alignas(Minion) std::array<std::byte, kMostDead * sizeof(Minion)> bytes;
    };
    DeadRoom dead_room_;
    int dead_count_ = 0;
    static constexpr int kMostEffects = 4000;
    static constexpr int kDeepest = 200;      // a trigger and its text are two
    static constexpr int kMostWaiting = 160;  // triggers of one event
};

// The questions that are asked most.

inline bool Engine::here(Who one) const noexcept {
    if (is_hero(one.ref)) return true;
    return is_minion(one.ref) && minion(one.ref).card != kNoCard &&
           minion(one.ref).order == one.order;
}

inline bool Engine::alive(Ref ref) const noexcept {
    if (is_hero(ref)) return player(ref - kHero).health > 0;
    return minion(ref).health > 0 && (minion(ref).flags & kDoomed) == 0;
}

inline int Engine::seat_of(Ref ref) const noexcept {
    if (is_hero(ref)) return ref - kHero;
    if (is_minion(ref)) return minion(ref).side;
    if (ref >= kDead && ref < kDead + kMostDead) return dead(ref - kDead).side;
    return 0;
}

inline int Engine::attack_of(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const int seat = ref - kHero;
        const Player& p = player(seat);
        int total = p.hero_attack;
        if (seat == s_.active && p.weapon != kNoCard) total += p.weapon_attack + p.weapon_aura;
        return std::max(0, total);
    }
    const Minion& m = is_minion(ref) ? minion(ref) : dead(ref - kDead);
    if ((m.keywords & kAttackIsHealth) != 0) return std::max<int>(0, m.health);
    return std::max(0, m.attack + m.aura_attack);
}

inline int Engine::health_of(Ref ref) const noexcept {
    if (is_hero(ref)) return player(ref - kHero).health;
    return is_minion(ref) ? minion(ref).health : dead(ref - kDead).health;
}

inline std::uint32_t Engine::keywords_of(Ref ref) const noexcept {
    if (!is_minion(ref)) return 0;
    return minion(ref).keywords | minion(ref).aura_keywords;
}

inline bool Engine::frozen(Ref ref) const noexcept {
    if (is_hero(ref)) return (player(ref - kHero).flags & kHeroFrozen) != 0;
    return (minion(ref).flags & kFrozen) != 0;
}

inline bool Engine::immune(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const Player& p = player(ref - kHero);
        return (p.flags & kHeroImmune) != 0;
    }
    return (keywords_of(ref) & kImmune) != 0;
}

}  // namespace ludex::hearthstone
