#include "nora.hpp"

#include <algorithm>
#include <cmath>

namespace ludex::hearthstone {

namespace {

constexpr std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }
constexpr std::int16_t kNothing = -9999;
constexpr int kTough = 5;  // survives four damage

struct Fighter {
    int attack;
    int health;
    bool taunt;
};

// Questions to the rules about a state that is not changed.
class Asking {
public:
    Asking(const Rules& rules, const State& state) noexcept
        : engine_(rules.cards(), rules.options(), const_cast<State&>(state), unused_) {}
    const Engine* operator->() const noexcept { return &engine_; }

private:
    Rng unused_{0};
    Engine engine_;
};

// Not frozen, not new, attacks left; whether there is anything to hit with does not matter.
bool able(const Engine& engine, const State& state, Ref ref) noexcept {
    const Minion& m = state.minions[ref];
    if ((m.flags & kFrozen) != 0) return false;
    if ((m.flags & kSick) != 0 && (engine.keywords_of(ref) & kCharge) == 0) return false;
    return m.attacks < engine.attacks_allowed(ref);
}

double best_trade(const Rules& rules, const State& state, int seat, bool all,
                  bool released) noexcept {
    const Asking engine(rules, state);
    const Player& mine = state.players[at(seat)];
    const Player& theirs = state.players[at(1 - seat)];
    std::array<Fighter, kBoard> attackers;
    std::array<Fighter, kBoard> defenders;
    int strikers = 0;
    int living = 0;
    for (int i = 0; i < mine.board_size; ++i) {
        const Ref ref = mine.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0) continue;
        ++living;
        if ((m.flags & kFrozen) != 0) continue;
        if (!all && !able(*engine.operator->(), state, ref)) continue;
        attackers[at(strikers++)] = {engine->attack_of(ref), m.health, false};
    }
    int count = 0;
    for (int i = 0; i < theirs.board_size; ++i) {
        const Ref ref = theirs.board[at(i)];
        const Minion& m = state.minions[ref];
        if (m.health <= 0) continue;
        const bool taunt = !released && (engine->keywords_of(ref) & kTaunt) != 0;
        defenders[at(count++)] = {engine->attack_of(ref), m.health, taunt};
    }
    const auto result = [&](double value) { return released ? std::trunc(value) : value; };
    if (count == 0) return result(living == 0 ? 0.0 : strikers > 0 ? 0.5 : 0.25);
    if (living == 0) return result(-0.5);
    const auto worth = [](const Fighter& f) { return f.attack + f.health; };
    // The weakest attackers go first; of equal ones the one that hits harder.
    std::stable_sort(attackers.begin(), attackers.begin() + strikers,
                     [&](const Fighter& a, const Fighter& b) {
                         if (worth(a) != worth(b)) return worth(a) < worth(b);
                         return a.attack > b.attack;
                     });
    // Taunts must fall first; the strongest stand at the front of each part.
    std::stable_sort(defenders.begin(), defenders.begin() + count,
                     [&](const Fighter& a, const Fighter& b) {
                         if (a.taunt != b.taunt) return a.taunt;
                         return worth(a) > worth(b);
                     });
    int front = 0;
    while (front < count && defenders[at(front)].taunt) ++front;
    const int starts = front > 0 ? front : count;
    int best = -1000000;
    int left_over = 0;
    for (int start = 0; start < starts; ++start) {
        std::array<Fighter, kBoard> standing = defenders;
        int standing_count = count;
        int shield = front;  // taunts that stand
        int aim = start;
        int score = 0;
        int used = 0;
        while (used < strikers && standing_count > 0) {
            const Fighter& a = attackers[at(used++)];
            Fighter& t = standing[at(aim)];
            score += t.health <= a.attack ? worth(t) : a.attack;
            score -= a.health <= t.attack ? worth(a) : t.attack;
            t.health -= a.attack;
            if (t.health > 0 || used == strikers) continue;
            for (int i = aim; i + 1 < standing_count; ++i) standing[at(i)] = standing[at(i + 1)];
            --standing_count;
            if (shield > 0 && --shield == 0) {
                aim = 0;
            } else {
                const int reach = shield > 0 ? shield : standing_count;
                if (aim >= reach) aim = std::max(0, reach - 1);
            }
        }
        if (score > best) {
            best = score;
            left_over = 0;
            for (int i = used; i < strikers; ++i) left_over += worth(attackers[at(i)]);
            for (int i = 0; i < standing_count; ++i) left_over -= worth(standing[at(i)]);
        }
    }
    return released ? std::trunc(left_over / 20.0) : best / 20.0;
}

std::int16_t number_of(const Manner& manner, CardId card) noexcept {
    return card < manner.numbers.size() ? manner.numbers[card] : std::int16_t{-1};
}

void describe_character(const Rules& rules, const State& state, const Manner& manner, Ref ref,
                        int seat, bool with_side, std::vector<std::int16_t>& out) noexcept {
    const Asking engine(rules, state);
    const bool hero = ref >= kHero;
    const int side = hero ? ref - kHero : state.minions[ref].side;
    const CardId card = hero ? state.players[at(side)].hero : state.minions[ref].card;
    out.push_back(number_of(manner, card));
    if (with_side) out.push_back(side == seat ? 1 : 0);
    out.push_back(static_cast<std::int16_t>(engine->health_of(ref)));
    out.push_back(static_cast<std::int16_t>(engine->attack_of(ref)));
    out.push_back(!hero && (state.minions[ref].flags & kSilenced) != 0 ? 1 : 0);
}

// What a damage of n is worth against a character, as the scripted player sees it.
int damage_score(int n, int health, int attack, bool hero) noexcept {
    if (hero && health <= n) return 9999999;
    return health > n ? n : health + attack;
}

// The options of a player: cards, attackers and the power, each once, without ending the turn.
int options_of(const Rules& rules, const State& state, std::span<Action> flat, int size,
               std::array<Action, 24>& sources) noexcept {
    (void)rules, (void)state;
    int count = 0;
    for (int i = 0; i < size; ++i) {
        const Action source = flat[at(i)] >> kSourceShift;
        if (unpack(flat[at(i)]).kind == Kind::end) continue;
        if (count == 0 || sources[at(count - 1)] != source) sources[at(count++)] = source;
    }
    return count;
}

Action any_of_source(std::span<const Action> flat, int size, Action source, Rng& rng) noexcept {
    int first = 0;
    while (flat[at(first)] >> kSourceShift != source) ++first;
    int last = first;
    while (last < size && flat[at(last)] >> kSourceShift == source) ++last;
    return flat[at(first) + rng.below(static_cast<std::uint64_t>(last - first))];
}

}  // namespace

double trade(const Rules& rules, const State& state, int seat, bool released) noexcept {
    const double mine = best_trade(rules, state, seat, false, released);
    const double value = mine > 0.0 ? mine : -best_trade(rules, state, 1 - seat, true, released);
    return std::clamp(value, -1.0, 1.0);
}

double board_control(const Rules& rules, const State& state, const Manner& manner,
                     int seat) noexcept {
    std::array<int, 2> living{};
    std::array<int, 2> tough{};
    for (int side = 0; side < kSeats; ++side) {
        const Player& p = state.players[at(side)];
        for (int i = 0; i < p.board_size; ++i) {
            const int health = state.minions[p.board[at(i)]].health;
            living[at(side)] += health > 0 ? 1 : 0;
            tough[at(side)] += health >= kTough ? 1 : 0;
        }
    }
    const int m = living[at(seat)];
    const int e = living[at(1 - seat)];
    const double minions = m + e == 0 ? 0.0 : static_cast<double>(m - e) / (m + e);
    const double strong = std::clamp(tough[at(seat)] - tough[at(1 - seat)], -3, 3) / 3.0;
    const double hand =
        std::clamp(state.players[at(seat)].hand_size - state.players[at(1 - seat)].hand_size, -2,
                   2) /
        2.0;
    const double swap = trade(rules, state, seat, manner.released);
    return (1.75 * minions + 2.5 * strong + hand + 3.75 * swap) / 9.0;
}

double aggro(const Rules& rules, const State& state, int seat) noexcept {
    const Player& enemy = state.players[at(1 - seat)];
    if (enemy.health <= 0) return 1.0;
    const Asking engine(rules, state);
    for (int i = 0; i < enemy.board_size; ++i) {
        if ((engine->keywords_of(enemy.board[at(i)]) & kTaunt) != 0) return 0.0;
    }
    return 1.0 - enemy.health / 30.0;
}

void encode_state(const Rules& rules, const State& state, const Manner& manner, int seat, Rng& rng,
                  std::vector<std::int16_t>& out) noexcept {
    const Asking engine(rules, state);
    const Player& mine = state.players[at(seat)];
    const Player& theirs = state.players[at(1 - seat)];
    const auto taunts = [&](const Player& p) {
        int count = 0;
        for (int i = 0; i < p.board_size; ++i) {
            count += (engine->keywords_of(p.board[at(i)]) & kTaunt) != 0 ? 1 : 0;
        }
        return count;
    };
    const auto put = [&](int value) { out.push_back(static_cast<std::int16_t>(value)); };
    put(mine.board_size);
    put(theirs.board_size);
    put(taunts(mine));
    put(taunts(theirs));
    put(mine.hand_size);
    put(theirs.hand_size);
    put(mine.mana);
    put(mine.crystals);
    put(std::min(10, theirs.crystals + 1));
    put(mine.health);
    put(theirs.health);
    for (const Player* p : {&mine, &theirs}) {
        const auto shift =
            static_cast<int>(rng.below(static_cast<std::uint64_t>(kBoard - p->board_size + 1)));
        for (int slot = 0; slot < kBoard; ++slot) {
            const int place = slot - shift;
            if (place < 0 || place >= p->board_size) {
                put(-1);
                put(0);
                put(kNothing);
                put(kNothing);
                put(0);
                put(0);
                put(0);
                continue;
            }
            const Ref ref = p->board[at(place)];
            const Minion& one = state.minions[ref];
            put(number_of(manner, one.card));
            put(able(*engine.operator->(), state, ref) ? 1 : 0);
            put(one.health);
            put(engine->attack_of(ref));
            put(one.enchants > 0 || (one.flags & (kFrozen | kSilenced)) != 0 ? 1 : 0);
            put((one.flags & kSilenced) != 0 ? 1 : 0);
            put((engine->keywords_of(ref) & kTaunt) != 0 ? 1 : 0);
        }
    }
    const std::size_t hand = out.size();
    out.resize(hand + at(manner.cards), 0);
    for (int i = 0; i < mine.hand_size; ++i) {
        const int number = number_of(manner, mine.hand[at(i)].card);
        if (number >= 0) ++out[hand + at(number)];
    }
}

void encode_play(const Rules& rules, const State& state, const Manner& manner, Action action,
                 std::vector<std::int16_t>& out) noexcept {
    (void)rules;
    const Parts parts = unpack(action);
    const Player& p = state.players[state.active];
    const CardId card = parts.kind == Kind::power ? p.power : p.hand[at(parts.source)].card;
    out.push_back(number_of(manner, card));
}

void encode_attack(const Rules& rules, const State& state, const Manner& manner, Action action,
                   std::vector<std::int16_t>& out) noexcept {
    const Parts parts = unpack(action);
    const int seat = state.active;
    const Ref attacker = parts.source == 7 ? static_cast<Ref>(kHero + seat)
                                           : state.players[at(seat)].board[at(parts.source)];
    describe_character(rules, state, manner, attacker, seat, false, out);
    describe_character(rules, state, manner, Rules::target_of(state, parts.target), seat, true,
                       out);
}

void encode_target(const Rules& rules, const State& state, const Manner& manner, CardId source,
                   Ref target, int seat, std::vector<std::int16_t>& out) noexcept {
    const int number = source < manner.actions.size() ? manner.actions[source] : 0;
    out.push_back(static_cast<std::int16_t>(number));
    describe_character(rules, state, manner, target, seat, true, out);
    if (manner.one_hot) {
        const std::size_t start = out.size();
        out.resize(start + at(manner.action_count) + 1, 0);
        out[start + at(number)] = 1;
    }
}

void number_actions(const Rules& rules, Manner& manner) {
    std::vector<CardId> cards;
    for (std::size_t id = 1; id < manner.numbers.size(); ++id) {
        if (manner.numbers[id] >= 0 && rules.cards().cards[id].aim != Aim::none) {
            cards.push_back(static_cast<CardId>(id));
        }
    }
    std::sort(cards.begin(), cards.end(),
              [&](CardId a, CardId b) { return manner.numbers[a] < manner.numbers[b]; });
    manner.actions.assign(manner.numbers.size(), 0);
    manner.action_count = static_cast<int>(cards.size());
    for (std::size_t i = 0; i < cards.size(); ++i) {
        manner.actions[cards[i]] = static_cast<std::int16_t>(i + 1);
    }
}

int row_size(const Manner& manner, Group3 group) noexcept {
    const int state = kStateFeatures + manner.cards;
    if (group == Group3::play) return state + kPlayFeatures;
    if (group == Group3::attack) return state + kAttackFeatures;
    return state + kTargetFeatures + (manner.one_hot ? manner.action_count + 1 : 0);
}

// Players

Action random_move(const Rules& rules, const State& state, Rng& rng, bool damped) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[rng.below(static_cast<std::uint64_t>(size))];
    std::array<Action, 24> sources;
    const int count = options_of(rules, state, flat, size, sources);
    if (count == 0) return flat[0];
    const auto number = static_cast<std::uint64_t>(count);
    Action drawn = sources[rng.below(number)];
    constexpr Action kPower = static_cast<Action>(Kind::power) << (kKindShift - kSourceShift);
    // Where samples are made the power, which is always there, is drawn again two times in three.
    if (damped && drawn == kPower && count >= 2 && rng.below(3) < 2)
        drawn = sources[rng.below(number)];
    return any_of_source(flat, size, drawn, rng);
}

namespace {

// The scripted player's view of one card text.
class Script {
public:
    Script(const Rules& rules, const State& state) noexcept
        : rules_(rules), state_(state), engine_(rules, state), seat_(state.active) {}

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
                    return sign * std::min(amount(i.b), missing(ref));
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
                const int worth = std::min(amount(i.b), room) * (token.attack + token.health);
                return i.c == 0 ? worth : -worth;
            }
            default:
                return 0;
        }
    }

    int group_score(const Instruction& i, const Card& card) const noexcept {
        const Group& group = rules_.cards().groups[at(i.a)];
        const auto worth = [&](Ref ref) {
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
                int value = worth(ref);
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
        // The released player did not ask whether heroes belong to the group.
        const bool heroes_only = group.kinds == 2;
        for (const int which : {0, 1}) {
            if ((group.sides & (which + 1)) == 0) continue;
            const int seat = which == 0 ? seat_ : 1 - seat_;
            const int sign = (which == 0) == kind ? 1 : -1;
            side(seat, [&](Ref ref) {
                if (heroes_only && ref < kHero) return;
                total += sign * worth(ref);
            });
        }
        return total;
    }

    const Rules& rules_;
    const State& state_;
    Asking engine_;
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

}  // namespace

Action scripted_move(const Rules& rules, const State& state) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[0];
    const Script script(rules, state);
    const Player& p = state.players[state.active];
    const auto card_of = [&](const Parts& parts) -> const Card& {
        if (parts.kind == Kind::power) return rules.cards().cards[p.power];
        const Card& whole = rules.cards().cards[p.hand[at(parts.source)].card];
        return parts.option > 0 ? rules.cards().cards[whole.options[at(parts.option - 1)]] : whole;
    };
    // Play phase: the best card or the power, whatever it is worth.
    int best = 0;
    int chosen = -1;
    Action last = ~0U;
    for (int i = 0; i < size; ++i) {
        const Parts parts = unpack(flat[at(i)]);
        if (parts.kind != Kind::play && parts.kind != Kind::power) continue;
        const Action source = flat[at(i)] >> kOptionShift;
        if (source == last) continue;
        last = source;
        const int score = script.score(card_of(parts));
        if (chosen < 0 || score > best) {
            best = score;
            chosen = i;
        }
    }
    if (chosen >= 0) {
        const Action source = flat[at(chosen)] >> kOptionShift;
        const Card& card = card_of(unpack(flat[at(chosen)]));
        Action action = flat[at(chosen)];
        int top = 0;
        bool any = false;
        for (int i = chosen; i < size && flat[at(i)] >> kOptionShift == source; ++i) {
            const int code = unpack(flat[at(i)]).target;
            if (code == 0) break;
            const int score = script.target_score(card, Rules::target_of(state, code));
            if (!any || score > top) {
                top = score;
                action = flat[at(i)];
            }
            any = true;
        }
        return action;
    }
    // Attack phase: the best attack that gains something.
    const Asking engine(rules, state);
    int gain = 0;
    Action action = flat[0];
    for (int i = 0; i < size;) {
        const Parts parts = unpack(flat[at(i)]);
        if (parts.kind != Kind::attack) {
            ++i;
            continue;
        }
        const Ref attacker =
            parts.source == 7 ? static_cast<Ref>(kHero + state.active) : p.board[at(parts.source)];
        int top = 0;
        Action answer = flat[at(i)];
        bool any = false;
        bool on_hero = false;
        for (; i < size; ++i) {
            const Parts one = unpack(flat[at(i)]);
            if (one.kind != Kind::attack || one.source != parts.source) break;
            const Ref target = Rules::target_of(state, one.target);
            const int score = attack_score(*engine.operator->(), attacker, target);
            if (!any || score > top || (score == top && on_hero && target < kHero)) {
                top = score;
                answer = flat[at(i)];
                on_hero = target >= kHero;
            }
            any = true;
        }
        if (top > gain) {
            gain = top;
            action = answer;
        }
    }
    return action;
}

std::int32_t Forest::leaf_of(std::int32_t root, const std::int16_t* row) const noexcept {
    const Node* node = &nodes[static_cast<std::size_t>(root)];
    while (node->feature >= 0) {
        node = row[node->feature] <= node->cut ? node + 1
                                               : &nodes[static_cast<std::size_t>(node->right)];
    }
    return node->right;
}

double Forest::probability(const std::int16_t* row) const noexcept {
    double total = 0.0;
    for (const std::int32_t root : roots) {
        total += static_cast<double>(leaves[static_cast<std::size_t>(leaf_of(root, row))]);
    }
    return total / static_cast<double>(roots.size());
}

int Forest::widest() const noexcept {
    int most = -1;
    for (const Node& node : nodes) most = std::max(most, static_cast<int>(node.feature));
    return most + 1;
}

namespace {

// Keeps the state in which a target is asked for.
class Keeper : public Watcher {
public:
    void before(const State& state, const Context& context) noexcept override {
        kept = state;
        source = context.card;
        found = true;
    }
    void after(const State& /*state*/, const Context& /*context*/) noexcept override {}
    State kept;
    CardId source = kNoCard;
    bool found = false;
};

}  // namespace

Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action, Rng& rng,
             std::vector<Thought>* thoughts) noexcept {
    if (unpack(action).kind == Kind::attack || unpack(action).target == 0) return action;
    Keeper keeper;
    State trial = state;
    Rng dice = rng.fork("trial");
    rules.apply_flat(trial, action, dice, &keeper);
    if (!keeper.found) return action;
    std::vector<std::int16_t> row;
    encode_state(rules, keeper.kept, nora.manner, state.active, rng, row);
    const std::size_t own = row.size();
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    Action best = action;
    double top = -1.0;
    for (int i = 0; i < size; ++i) {
        if (flat[at(i)] >> kSourceShift != action >> kSourceShift) continue;
        row.resize(own);
        const Ref target = Rules::target_of(state, unpack(flat[at(i)]).target);
        encode_target(rules, keeper.kept, nora.manner, keeper.source, target, state.active, row);
        const double p = nora.forests[1]->probability(row.data());
        if (thoughts != nullptr) thoughts->push_back({flat[at(i)], p, true});
        if (p >= top) {  // the last of equals
            top = p;
            best = flat[at(i)];
        }
    }
    return best;
}

Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                 std::vector<Thought>* thoughts) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[0];
    if (size == 1) return flat[0];
    std::vector<std::int16_t> row;
    encode_state(rules, state, nora.manner, state.active, rng, row);
    const std::size_t own = row.size();
    double top = -1.0;
    int chosen = -1;
    const auto consider = [&](int i, const Forest& forest) {
        const double p = forest.probability(row.data());
        if (thoughts != nullptr) thoughts->push_back({flat[at(i)], p, false});
        if (p >= nora.threshold && p > top) {
            top = p;
            chosen = i;
        }
        row.resize(own);
    };
    for (int i = 0; i < size; ++i) {
        if (unpack(flat[at(i)]).kind != Kind::attack) continue;
        encode_attack(rules, state, nora.manner, flat[at(i)], row);
        consider(i, *nora.forests[2]);
    }
    Action last = ~0U;
    for (int i = 0; i < size; ++i) {
        const Kind kind = unpack(flat[at(i)]).kind;
        if (kind != Kind::play && kind != Kind::power) continue;
        const Action source = flat[at(i)] >> kSourceShift;
        if (source == last) continue;
        last = source;
        encode_play(rules, state, nora.manner, flat[at(i)], row);
        consider(i, *nora.forests[0]);
    }
    if (chosen < 0) {
        for (int i = 0; i < size; ++i) {
            const Parts parts = unpack(flat[at(i)]);
            if (parts.kind == Kind::attack && parts.target == 2) return flat[at(i)];
        }
        return flat[0];
    }
    return aimed(rules, state, nora, flat[at(chosen)], rng, thoughts);
}

namespace {

// Notes the score before and after the effect that has a target.
class TargetSampler : public Watcher {
public:
    TargetSampler(const Rules& rules, const Manner& manner, int seat, Rng& rng) noexcept
        : rules_(rules), manner_(manner), seat_(seat), rng_(rng) {}
    void before(const State& state, const Context& context) noexcept override {
        row.clear();
        encode_state(rules_, state, manner_, seat_, rng_, row);
        encode_target(rules_, state, manner_, context.card, context.target.ref, seat_, row);
        score_ = board_control(rules_, state, manner_, seat_);
    }
    void after(const State& state, const Context& /*context*/) noexcept override {
        reward = board_control(rules_, state, manner_, seat_) - score_;
        found = true;
    }
    std::vector<std::int16_t> row;
    double reward = 0.0;
    bool found = false;

private:
    const Rules& rules_;
    const Manner& manner_;
    int seat_;
    Rng& rng_;
    double score_ = 0.0;
};

void keep_row(Samples& samples, Group3 group, const std::vector<std::int16_t>& row, double reward,
              std::int64_t quota) noexcept {
    const auto g = static_cast<std::size_t>(group);
    ++samples.seen[g];
    if (std::abs(reward) < 1e-12) {
        ++samples.zeros[g];
        return;
    }
    const std::size_t side = reward > 0.0 ? 1 : 0;
    if (samples.kept[g][side] >= quota) return;
    ++samples.kept[g][side];
    samples.rows[g].insert(samples.rows[g].end(), row.begin(), row.end());
    samples.rewards[g].push_back(static_cast<float>(reward));
}

}  // namespace

void make_samples(const Rules& rules, const Manner& manner, std::uint64_t seed,
                  std::int64_t first_game, std::int64_t games, std::int64_t quota,
                  const Nora* chooser, Samples& samples) noexcept {
    const Rng streams = Rng(seed).fork("samples");
    std::vector<std::int16_t> row;
    for (std::int64_t game = first_game; game < first_game + games; ++game) {
        bool full = true;
        for (const auto& kept : samples.kept) full = full && kept[0] >= quota && kept[1] >= quota;
        if (full) break;
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        Rng places = rng.fork("places");  // shifting minions must not disturb the game
        State state = rules.start(rng);
        while (!rules.over(state)) {
            const int seat = state.active;
            Action action = random_move(rules, state, rng, true);
            const Kind kind = unpack(action).kind;
            if (kind == Kind::end || kind == Kind::choose) {
                rules.apply_flat(state, action, rng);
                continue;
            }
            if (chooser != nullptr) action = aimed(rules, state, *chooser, action, places);
            row.clear();
            encode_state(rules, state, manner, seat, places, row);
            const double before = board_control(rules, state, manner, seat);
            TargetSampler sampler(rules, manner, seat, places);
            if (kind == Kind::attack) {
                encode_attack(rules, state, manner, action, row);
                rules.apply_flat(state, action, rng);
            } else {
                encode_play(rules, state, manner, action, row);
                rules.apply_flat(state, action, rng, &sampler);
                if (sampler.found) {
                    keep_row(samples, Group3::target, sampler.row, sampler.reward, quota);
                }
            }
            if (rules.over(state)) break;
            const double reward = board_control(rules, state, manner, seat) - before;
            keep_row(samples, kind == Kind::attack ? Group3::attack : Group3::play, row, reward,
                     quota);
        }
        ++samples.games;
    }
}

}  // namespace ludex::hearthstone
