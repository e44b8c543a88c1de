#include "rules.hpp"

#include <algorithm>
#include <utility>

namespace ludex::hearthstone {

namespace {

// Which bits of an action are settled after each of its stages.
constexpr Action kFirstStage = ~((1U << kOptionShift) - 1U);   // kind and source
constexpr Action kSecondStage = ~((1U << kTargetShift) - 1U);  // and option and target

std::shared_ptr<const CardSet> plain_cards() {
    auto set = std::make_shared<CardSet>();
    const auto add = [&](const char* name, Type type, int cost, int attack, int health,
                         std::uint32_t keywords) {
        Card card;
        card.key = card.name = name;
        card.type = type;
        card.cost = static_cast<std::int16_t>(cost);
        card.attack = static_cast<std::int16_t>(attack);
        card.health = static_cast<std::int16_t>(health);
        card.keywords = keywords;
        card.collectible = true;
        set->cards.push_back(card);
    };
    add("walker", Type::minion, 1, 1, 2, kTaunt);
    add("runner", Type::minion, 1, 2, 1, kCharge);
    add("knight", Type::minion, 2, 2, 2, kShield | kWindfury);
    add("shade", Type::minion, 3, 4, 2, kStealth | kPoisonous);
    add("healer", Type::minion, 4, 3, 5, kLifesteal | kChilling);
    add("axe", Type::weapon, 2, 3, 2, 0);
    add("bolt", Type::spell, 2, 0, 0, 0);
    add("hero", Type::hero, 0, 0, 30, 0);
    add("power", Type::power, 2, 0, 0, 0);
    Group anybody;
    anybody.kinds = 3;
    Group aimed = anybody;
    aimed.base = Base::target;
    set->groups = {anybody, aimed};
    Value three;
    three.a = 3;
    Value one;
    one.a = 1;
    set->values = {three, one};
    set->program = {{Op::damage, 0, 1, 0, 0, 0},
                    {Op::end, 0, 0, 0, 0, 0},
                    {Op::damage, 0, 1, 1, 0, 0},
                    {Op::end, 0, 0, 0, 0, 0}};
    for (const int index : {7, 9}) {
        Card& card = set->cards[at(index)];
        card.aim = Aim::needed;
        card.target = 0;
        card.program = index == 7 ? 0 : 2;
    }
    set->cards[8].power = 9;
    set->coin = 1;
    return set;
}

}  // namespace

Rules::Rules() : set_(plain_cards()) {
    for (auto& deck : setup_.decks) {
        for (int i = 0; i < 30; ++i) deck.push_back(static_cast<CardId>(1 + i % 7));
    }
    setup_.heroes = {8, 8};
}

State Rules::start(Rng& rng) const noexcept {
    State state;
    state.owner = owner_;
    for (int seat = 0; seat < kSeats; ++seat) {
        Player& p = state.players[at(seat)];
        p.hero = setup_.heroes[at(seat)];
        p.power = set_->cards[p.hero].power;
        p.health = p.max_health = set_->cards[p.hero].health;
        const std::vector<CardId>& deck = setup_.decks[at(seat)];
        if (!deck.empty()) {
            for (const CardId card : deck) p.deck[p.deck_size++] = card;
            for (int i = p.deck_size - 1; i > 0; --i) {
                const auto other = rng.below(static_cast<std::uint64_t>(i + 1));
                std::swap(p.deck[at(i)], p.deck[other]);
            }
        } else {
            // Uniform draws, at most two of a card; the order of drawing is the order of the deck.
            while (p.deck_size < 30 && !setup_.pool.empty()) {
                const CardId card = setup_.pool[rng.below(setup_.pool.size())];
                int copies = 0;
                for (int i = 0; i < p.deck_size; ++i) copies += p.deck[at(i)] == card ? 1 : 0;
                if (copies < 2) p.deck[p.deck_size++] = card;
            }
        }
    }
    const int first = setup_.first < 2 ? setup_.first : static_cast<int>(rng.below(2));
    Engine engine(*set_, options_, state, rng);
    engine.start_game(first);
    if (setup_.mulligan) {
        state.phase = Phase::mulligan;
    } else {
        begin(state, rng);
    }
    state.forget();
    state.told_events = {};
    return state;
}

// After the opening hands: the coin, and the first turn.
void Rules::begin(State& state, Rng& rng) const noexcept {
    state.phase = Phase::play;
    Player& second = state.players[at(1 - state.first)];
    if (set_->coin != kNoCard && second.hand_size < options_.hand_limit) {
        HandCard coin;
        coin.card = set_->coin;
        coin.flags = kKnown | kForeign;
        second.hand[second.hand_size++] = coin;
        state.tell(ToldKind::received, 1 - state.first, coin.card);
    }
    // The first turn is an ordinary one: as if the other player had just ended his.
    Player& first = state.players[state.first];
    state.turn = 1;
    first.crystals = 1;
    first.mana = 1;
    if (first.deck_size > 0) {
        HandCard drawn;
        drawn.card = first.deck[--first.deck_size];
        first.deck[first.deck_size] = kNoCard;
        if (first.hand_size < options_.hand_limit) {
            first.hand[first.hand_size++] = drawn;
            state.tell(ToldKind::drew, state.first, drawn.card);
        } else {
            state.tell(ToldKind::burned, state.first, drawn.card);
        }
    }
    (void)rng;
}

Ref Rules::target_of(const State& state, int code) noexcept {
    const int seat = state.active;
    if (code == 1) return static_cast<Ref>(kHero + seat);
    if (code == 2) return static_cast<Ref>(kHero + 1 - seat);
    if (code >= 3 && code < 10) return state.players[at(seat)].board[at(code - 3)];
    if (code >= 10 && code < 17) return state.players[at(1 - seat)].board[at(code - 10)];
    return kNobodyRef;
}

int Rules::code_of(const State& state, Ref ref) noexcept {
    const int seat = state.active;
    if (ref == kHero + seat) return 1;
    if (ref == kHero + 1 - seat) return 2;
    for (int i = 0; i < state.players[at(seat)].board_size; ++i) {
        if (state.players[at(seat)].board[at(i)] == ref) return 3 + i;
    }
    for (int i = 0; i < state.players[at(1 - seat)].board_size; ++i) {
        if (state.players[at(1 - seat)].board[at(i)] == ref) return 10 + i;
    }
    return 0;
}

int Rules::flat_legal(const State& state, std::span<Action> out) const noexcept {
    std::size_t count = 0;
    const auto add = [&](Kind kind, int source, int option, int target, int place) {
        out[count++] = pack({kind, source, option, target, place});
    };
    if (state.phase == Phase::over) return 0;
    if (state.phase == Phase::choice) {
        for (int i = 0; i < state.choices; ++i) add(Kind::choose, i, 0, 0, 0);
        return static_cast<int>(count);
    }
    if (state.phase == Phase::mulligan) {
        const int size = state.players[at(actor(state))].hand_size;
        // The mask of cards to throw back lies in the low bits.
        for (unsigned mask = 0; mask < 1U << size; ++mask) {
            out[count++] = static_cast<Action>(Kind::mulligan) << kKindShift | mask;
        }
        return static_cast<int>(count);
    }
    Rng unused(0);
    // Questions alone: the engine does not change the state.
    const Engine engine(*set_, options_, const_cast<State&>(state), unused);
    const int seat = state.active;
    const Player& p = state.players[at(seat)];
    add(Kind::end, 0, 0, 0, 0);
    std::array<Ref, 16> targets;
    for (int i = 0; i < p.hand_size; ++i) {
        const HandCard& held = p.hand[at(i)];
        if (!engine.playable(seat, held)) continue;
        const Card& whole = set_->cards[held.card];
        const bool minion = whole.type == Type::minion;
        const bool spell = whole.type == Type::spell;
        const int options = whole.options[0] != kNoCard ? 2 : 1;
        for (int option = 0; option < options; ++option) {
            const Card& what = options == 2 ? set_->cards[whole.options[at(option)]] : whole;
            const int chosen = options == 2 ? option + 1 : 0;
            if (options == 2) {
                Context context;
                context.me = seat;
                context.combo = p.played;
                if (!engine.needs_met(what, context)) continue;
            }
            const int found = engine.targets_of(seat, what, spell, targets);
            if (found == 0 && what.aim == Aim::needed && spell) continue;
            const int places = minion && setup_.all_places ? p.board_size + 1 : 1;
            const auto place = [&](int target) {
                for (int k = 0; k < places; ++k) {
                    add(Kind::play, i, chosen, target, !minion ? 0 : setup_.all_places ? k : kEnd);
                }
            };
            if (found <= 0) {
                place(0);
            } else {
                for (int k = 0; k < found; ++k) place(code_of(state, targets[at(k)]));
            }
        }
    }
    std::array<int, kBoard + 1> defenders;
    int defending = -1;
    const auto strikes = [&](int source, Ref attacker) {
        if (!engine.can_attack(attacker)) return;
        if (defending < 0) {
            defending = 0;
            const bool taunt = engine.must_face_taunt(seat);
            const Player& enemy = state.players[at(1 - seat)];
            const auto hero = static_cast<Ref>(kHero + 1 - seat);
            if (engine.legal_defender(seat, hero, taunt)) defenders[at(defending++)] = 2;
            for (int k = 0; k < enemy.board_size; ++k) {
                if (engine.legal_defender(seat, enemy.board[at(k)], taunt)) {
                    defenders[at(defending++)] = 10 + k;
                }
            }
        }
        for (int k = 0; k < defending; ++k) add(Kind::attack, source, 0, defenders[at(k)], 0);
    };
    for (int i = 0; i < p.board_size; ++i) strikes(i, p.board[at(i)]);
    strikes(7, static_cast<Ref>(kHero + seat));
    if (p.power_used == 0 && p.power != kNoCard && p.mana >= engine.power_cost(seat)) {
        const Card& power = set_->cards[p.power];
        Context context;
        context.me = seat;
        if (power.program >= 0 && engine.needs_met(power, context)) {
            const int found = engine.targets_of(seat, power, true, targets);
            if (found < 0) add(Kind::power, 0, 0, 0, 0);
            for (int k = 0; k < found; ++k) {
                add(Kind::power, 0, 0, code_of(state, targets[at(k)]), 0);
            }
        }
    }
    return static_cast<int>(count);
}

int Rules::legal(const State& state, int seat, std::span<Action> out) const noexcept {
    if (over(state) || seat != actor(state)) return 0;
    if (!setup_.staged || state.phase != Phase::play) return flat_legal(state, out);
    std::array<Action, kMaxLegal> flat;
    const int size = flat_legal(state, flat);
    const Action mask = state.stage == 0 ? kFirstStage : state.stage == 1 ? kSecondStage : ~0U;
    const Action known = state.stage == 0 ? 0U : state.stage == 1 ? kFirstStage : kSecondStage;
    std::size_t count = 0;
    for (int i = 0; i < size; ++i) {
        if (state.stage > 0 && (flat[at(i)] & known) != state.prefix) continue;
        const Action part = flat[at(i)] & mask;
        if (count == 0 || out[count - 1] != part) out[count++] = part;
    }
    return static_cast<int>(count);
}

Action Rules::default_action(const State& state, int seat) const noexcept {
    std::array<Action, kMaxLegal> actions;
    (void)legal(state, seat, actions);
    return actions[0];
}

void Rules::apply_flat(State& state, Action action, Rng& rng, Watcher* watcher) const noexcept {
    state.begin_told();
    Engine engine(*set_, options_, state, rng);
    engine.watch(watcher);
    const Parts parts = unpack(action);
    switch (parts.kind) {
        case Kind::end:
            engine.end_turn();
            break;
        case Kind::play:
            engine.play(parts.source, parts.option - 1,
                        parts.target == 0 ? kNobodyRef : target_of(state, parts.target),
                        parts.place == kEnd ? -1 : parts.place);
            break;
        case Kind::attack: {
            const Ref attacker = parts.source == 7
                                     ? static_cast<Ref>(kHero + state.active)
                                     : state.players[state.active].board[at(parts.source)];
            engine.attack(attacker, target_of(state, parts.target));
            break;
        }
        case Kind::power:
            engine.use_power(parts.target == 0 ? kNobodyRef : target_of(state, parts.target));
            break;
        case Kind::choose:
            engine.choose(parts.source);
            break;
        case Kind::mulligan:
            engine.mulligan(actor(state), action & 0x3FFU);
            if (state.players[0].mulligan_done != 0 && state.players[1].mulligan_done != 0) {
                begin(state, rng);
            }
            break;
    }
}

void Rules::apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept {
    const Action action = actions[0];
    if (!setup_.staged || state.phase != Phase::play) {
        apply_flat(state, action, rng);
        return;
    }
    // Go on asking while what is settled leaves more than one way to ask about.
    std::array<Action, kMaxLegal> flat;
    const int size = flat_legal(state, flat);
    const int stage = state.stage;
    const Action mask = stage == 0 ? kFirstStage : stage == 1 ? kSecondStage : ~0U;
    Action found = action;
    int ways = 0;
    bool aimed = false;
    bool placed = false;
    for (int i = 0; i < size; ++i) {
        if ((flat[at(i)] & mask) != action) continue;
        found = flat[at(i)];
        ++ways;
        aimed = aimed || (found & ~kFirstStage & kSecondStage) != 0;
        placed = placed || (setup_.all_places && unpack(found).kind == Kind::play &&
                            (found & ~kSecondStage) != 0);
    }
    const bool asks_target = stage == 0 && aimed;
    const bool asks_place = stage <= 1 && placed;
    if (ways >= 1 && (asks_target || (asks_place && ways > 1))) {
        state.begin_told();
        state.tell(ToldKind::staged, state.active, kNoCard);
        state.stage = asks_target ? 1 : 2;
        state.prefix = asks_target ? action : found & kSecondStage;
        return;
    }
    state.stage = 0;
    state.prefix = 0;
    apply_flat(state, found, rng);
}

double Rules::score(const State& state, int seat) const noexcept {
    if (over(state)) return return_of(state, seat);
    const Player& me = state.players[at(seat)];
    const Player& other = state.players[at(1 - seat)];
    const int mine = std::max(0, me.health + me.armour);
    const int theirs = std::max(0, other.health + other.armour);
    return mine + theirs == 0
               ? 0.0
               : 0.9 * static_cast<double>(mine - theirs) / static_cast<double>(mine + theirs);
}

bool Rules::consistent(const State& state) const noexcept {
    unsigned used = 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = state.players[at(seat)];
        if (p.hand_size > kHand || p.board_size > kBoard || p.deck_size > kDeck ||
            p.secret_count > kSecrets || p.mana > 10 || p.crystals > 10 ||
            p.health > p.max_health) {
            return false;
        }
        for (int i = 0; i < p.board_size; ++i) {
            const int slot = p.board[at(i)];
            if ((used >> slot & 1U) != 0) return false;
            used |= 1U << slot;
            const Minion& m = state.minions[at(slot)];
            if (m.card == kNoCard || m.side != seat || m.health > m.max_health) return false;
            if (state.phase != Phase::over && state.phase != Phase::choice && m.health <= 0) {
                return false;
            }
        }
        for (int i = 0; i < p.hand_size; ++i) {
            if (p.hand[at(i)].card == kNoCard) return false;
        }
    }
    for (int slot = 0; slot < kSlots; ++slot) {
        const bool taken = (used >> slot & 1U) != 0;
        if (taken != (state.minions[at(slot)].card != kNoCard)) return false;
    }
    return true;
}

}  // namespace ludex::hearthstone
