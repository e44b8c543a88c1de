#include "scripted_player.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "encoding.hpp"
#include "read_only_engine.hpp"

namespace ludex::hearthstone::agents {

namespace {

// What a damage of n is worth against a character, as the scripted player sees it.
int damage_score(int n, int health, int attack, bool hero) noexcept {
    if (hero && health <= n) return 9999999;
    return health > n ? n : health + attack;
}

// The scripted player's view of one card text.
class Script {
public:
    Script(const Rules& rules, const State& state, const ScriptFaults& faults) noexcept
        : rules_(rules),
          state_(state),
          engine_(rules, state),
          faults_(faults),
          seat_(state.active) {}

    int score(const Card& card) const noexcept {
        if (card.type == Type::minion) return card.attack + card.health;
        if (card.program < 0) return 0;
        int total = 0;
        int times = 1;
        for (int pc = card.program;; ++pc) {
            const Instruction& i = rules_.cards().program[at(pc)];
            if (i.op == Op::end) break;
            if (i.op == Op::loop) {
                times = amount(i.a);
                continue;
            }
            if (i.op == Op::loop_end) {
                times = 1;
                continue;
            }
            total += times * score(i, card);
        }
        return total;
    }

    // How good a target is for the first effect that wants one.
    int target_score(const Card& card, Ref ref) const noexcept {
        const bool own = engine_->seat_of(ref) == seat_;
        const int sign = own ? 1 : -1;
        for (int pc = card.program; pc >= 0; ++pc) {
            const Instruction& i = rules_.cards().program[at(pc)];
            if (i.op == Op::end) break;
            if (rules_.cards().groups.empty()) break;
            switch (i.op) {
                case Op::damage:
                    if (!aims(i)) continue;
                    return -sign * hit(amount(i.b), ref);
                case Op::heal:
                    if (!aims(i)) continue;
                    return (faults_.heal_sign_bug ? -sign : sign) *
                           std::min(amount(i.b), missing(ref));
                case Op::buff:
                    if (!aims(i)) continue;
                    return sign * (engine_->attack_of(ref) + engine_->health_of(ref) +
                                   (i.b >= 0 ? amount(i.b) : 0) + (i.c >= 0 ? amount(i.c) : 0));
                case Op::freeze:
                    if (!aims(i)) continue;
                    return -sign * engine_->attack_of(ref);
                case Op::silence:
                    if (!aims(i)) continue;
                    return -sign * silenced(ref);
                default:
                    continue;
            }
        }
        return 0;
    }

private:
    int amount(int value) const noexcept {
        const Value& v = rules_.cards().values[at(value)];
        return v.kind == Amount::number || v.kind == Amount::missiles ? v.a * v.times + v.plus : 1;
    }
    bool aims(const Instruction& i) const noexcept {
        return rules_.cards().groups[at(i.a)].base == Base::target;
    }
    int missing(Ref ref) const noexcept {
        if (ref >= kHero) {
            const Player& p = state_.players[at(ref - kHero)];
            return p.max_health - p.health;
        }
        return state_.minions[ref].max_health - state_.minions[ref].health;
    }
    int hit(int n, Ref ref) const noexcept {
        return damage_score(n, engine_->health_of(ref), engine_->attack_of(ref), ref >= kHero);
    }
    int freezes(int pc, Ref ref) const noexcept {
        const Instruction& next = rules_.cards().program[at(pc + 1)];
        return next.op == Op::freeze && aims(next) ? engine_->attack_of(ref) : 0;
    }
    int silenced(Ref ref) const noexcept {
        if (ref >= kHero) return 0;
        const Minion& m = state_.minions[ref];
        if ((m.flags & kSilenced) != 0) return 0;
        const Card& card = rules_.cards().cards[m.card];
        int count = card.triggers;
        for (const std::uint32_t keyword : {kTaunt, kCharge}) {
            count += (m.keywords & keyword) != 0 ? 1 : 0;
        }
        return count - ((m.flags & kFrozen) != 0 ? 2 : 0);
    }

    // Calls `each` for the characters of a side, heroes first.
    template <class Each>
    void side(int seat, Each&& each) const noexcept {
        each(static_cast<Ref>(kHero + seat));
        const Player& p = state_.players[at(seat)];
        for (int i = 0; i < p.board_size; ++i) each(p.board[at(i)]);
    }

    int score(const Instruction& i, const Card& card) const noexcept {
        const Player& mine = state_.players[at(seat_)];
        const Player& theirs = state_.players[at(1 - seat_)];
        switch (i.op) {
            case Op::damage:
            case Op::heal:
            case Op::freeze:
            case Op::buff:
            case Op::silence:
                return group_score(i, card);
            case Op::draw: {
                const int wants = amount(i.b);
                const int own = 4 * std::min(wants, rules_.options().hand_limit - mine.hand_size);
                const int other =
                    4 * std::min(wants, rules_.options().hand_limit - theirs.hand_size);
                return i.a == 0 ? own : i.a == 1 ? -other : own - other;
            }
            case Op::armour:
            case Op::mana:
                return i.c == 0 ? amount(i.b) : -amount(i.b);
            case Op::summon: {
                const Card& token = rules_.cards().cards[at(i.a)];
                const Player& p = i.c == 0 ? mine : theirs;
                const int room = rules_.options().board_limit - p.board_size;
                const int value = std::min(amount(i.b), room) * (token.attack + token.health);
                return i.c == 0 ? value : -value;
            }
            default:
                return 0;
        }
    }

    // Whether an area effect meets a character. The released program asked whose it is, and
    // not whether it is a hero or of which race.
    bool meets(const Group& group, Ref ref) const noexcept {
        if (ref >= kHero) {
            return (group.kinds & 2) != 0 || faults_.group_mask_ignored;
        }
        if ((group.kinds & 1) == 0) return false;
        const std::uint16_t races = rules_.cards().cards[state_.minions[ref].card].races;
        return group.races == 0 || (group.races & races) != 0 || faults_.group_mask_ignored;
    }

    int group_score(const Instruction& i, const Card& card) const noexcept {
        const Group& group = rules_.cards().groups[at(i.a)];
        const auto value_on = [&](Ref ref) {
            switch (i.op) {
                case Op::damage:
                    return hit(amount(i.b), ref);
                case Op::heal:
                    return std::min(amount(i.b), missing(ref));
                case Op::freeze:
                    return engine_->attack_of(ref);
                case Op::silence:
                    return silenced(ref);
                default:
                    return (i.b >= 0 ? amount(i.b) : 0) + (i.c >= 0 ? amount(i.c) : 0);
            }
        };
        const bool kind = i.op == Op::heal || i.op == Op::buff;  // good for whom it meets
        if (group.base == Base::target) {
            if (i.op == Op::freeze) {
                // Counted with the damage before it.
                const Instruction& first = rules_.cards().program[at(card.program)];
                if (first.op == Op::damage) return 0;
            }
            int best = 0;
            bool any = false;
            side(kind ? seat_ : 1 - seat_, [&](Ref ref) {
                if (i.op == Op::buff && ref >= kHero) return;
                int value = value_on(ref);
                if (i.op == Op::damage) value += freezes(card.program, ref);
                if (!any || value > best) best = value;
                any = true;
            });
            return any ? best : 0;
        }
        if (group.pick > 0) {
            const int value = amount(i.b) * group.pick;
            return group.sides == 1 ? -value : group.sides == 2 ? value : 0;
        }
        if (group.base != Base::area) return 0;
        int total = 0;
        for (const int which : {0, 1}) {
            if ((group.sides & (which + 1)) == 0) continue;
            const int seat = which == 0 ? seat_ : 1 - seat_;
            const int sign = (which == 0) == kind ? 1 : -1;
            side(seat, [&](Ref ref) {
                if (meets(group, ref)) total += sign * value_on(ref);
            });
        }
        return total;
    }

    const Rules& rules_;
    const State& state_;
    ReadOnlyEngine engine_;
    ScriptFaults faults_;
    int seat_;
};

int attack_score(const Engine& engine, Ref attacker, Ref target) noexcept {
    const int mine = engine.attack_of(attacker);
    const int back = target >= kHero ? 0 : engine.attack_of(target);
    int score = engine.health_of(target) <= mine
                    ? engine.health_of(target) + engine.attack_of(target)
                    : mine;
    score -= engine.health_of(attacker) <= back ? engine.health_of(attacker) + mine : back;
    return score;
}

// The card or power that an action uses, or the chosen half of the card.
const Card& card_of(const Rules& rules, const State& state, const Parts& parts) noexcept {
    const auto& cards = rules.cards().cards;
    const Player& p = state.players[state.active];
    if (parts.kind == Kind::power) return cards[p.power];
    const Card& whole = cards[p.hand[at(parts.source)].card];
    return parts.option > 0 ? cards[whole.options[at(parts.option - 1)]] : whole;
}

using Flat = std::span<const Action>;

// The index of the best card or power, whatever it is worth; -1 where there is none.
int best_card(const Rules& rules, const State& state, const Script& script, Flat flat) noexcept {
    int best = 0;
    int chosen = -1;
    Action last = ~0U;
    for (int i = 0; i < static_cast<int>(flat.size()); ++i) {
        const Parts parts = unpack(flat[at(i)]);
        if (parts.kind != Kind::play && parts.kind != Kind::power) continue;
        const Action source = flat[at(i)] >> kOptionShift;
        if (source == last) continue;
        last = source;
        const int score = script.score(card_of(rules, state, parts));
        if (chosen < 0 || score > best) {
            best = score;
            chosen = i;
        }
    }
    return chosen;
}

// The card or power that stands first, on its best target.
Action on_best_target(const Rules& rules, const State& state, const Script& script,
                      Flat flat) noexcept {
    const Action source = flat[0] >> kOptionShift;
    const Card& card = card_of(rules, state, unpack(flat[0]));
    Action best = flat[0];
    int top = 0;
    bool any = false;
    for (const Action action : flat) {
        const int code = unpack(action).target;
        if (action >> kOptionShift != source || code == 0) break;
        const int score = script.target_score(card, Rules::target_of(state, code));
        if (!any || score > top) {
            top = score;
            best = action;
        }
        any = true;
    }
    return best;
}

// The best attack that gains something, or the end of the turn. Each attacker offers its best
// one; of equal ones rather a minion is attacked than a hero.
Action best_attack(const Rules& rules, const State& state, Flat flat) noexcept {
    const ReadOnlyEngine engine(rules, state);
    int gain = 0;
    Action best = flat[0];
    for (std::size_t i = 0; i < flat.size();) {
        const Parts parts = unpack(flat[i]);
        if (parts.kind != Kind::attack) {
            ++i;
            continue;
        }
        const Ref attacker = attacker_of(state, parts);
        int top = 0;
        Action answer = flat[i];
        bool any = false;
        bool on_hero = false;
        for (; i < flat.size(); ++i) {
            const Parts one = unpack(flat[i]);
            if (one.kind != Kind::attack || one.source != parts.source) break;
            const Ref target = Rules::target_of(state, one.target);
            const int score = attack_score(*engine, attacker, target);
            if (!any || score > top || (score == top && on_hero && target < kHero)) {
                top = score;
                answer = flat[i];
                on_hero = target >= kHero;
            }
            any = true;
        }
        if (top > gain) {
            gain = top;
            best = answer;
        }
    }
    return best;
}

}  // namespace

Action scripted_move(const Rules& rules, const State& state, const ScriptFaults& faults) noexcept {
    std::array<Action, Rules::kMaxLegal> actions;
    const Flat flat(actions.data(), at(rules.flat_legal(state, actions)));
    if (state.phase != Phase::play) return flat[0];
    const Script script(rules, state, faults);
    // Cards are played before anybody attacks.
    const int card = best_card(rules, state, script, flat);
    if (card >= 0) return on_best_target(rules, state, script, flat.subspan(at(card)));
    return best_attack(rules, state, flat);
}

}  // namespace ludex::hearthstone::agents
