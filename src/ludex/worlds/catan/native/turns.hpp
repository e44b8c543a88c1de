// What each action and each outcome of chance does to a state.
#pragma once

#include "roads.hpp"
#include "rules.hpp"

namespace ludex::catan {

constexpr int kHandLimit = 7;
constexpr int kLeastArmy = 3;

[[nodiscard]] inline int shown_points(const State& state, int seat) noexcept {
    return state.player(seat).built + (state.road_holder == seat ? 2 : 0) +
           (state.army_holder == seat ? 2 : 0);
}

[[nodiscard]] inline int all_points(const State& state, int seat) noexcept {
    const Player& player = state.player(seat);
    return shown_points(state, seat) + player.held[kPoint] + player.fresh[kPoint];
}

// Events are of the last step or outcome alone: whatever changes a state begins here.
inline void begin_events(State& state, EventKind kind, std::uint8_t seat) noexcept {
    state.last_events = StepEvents{};
    state.last_events.kind = kind;
    state.last_events.seat = seat;
}

// Moves cards between hands and bank. Where the bank is infinite it has no counts, and what a hand
// cannot hold is lost.
class Purse {
public:
    Purse(const Rules& rules, State& state) noexcept : rules_(rules), state_(state) {}

    // Returns what was lost.
    Hand take(Player& player, Hand gained) const noexcept {
        player.hand += gained;
        player.size = static_cast<std::uint8_t>(player.size + total(gained));
        return rules_.finite_bank ? 0 : trim(player);
    }
    // Takes cards and tells of those that were lost; gains are told by whoever calls.
    void receive(int seat, Hand gained) const noexcept {
        const Hand lost = take(state_.player(seat), gained);
        if (lost != 0) state_.last_events.gains[at(seat)] = lost;
    }
    static void give(Player& player, Hand lost) noexcept {
        player.hand -= lost;
        player.size = static_cast<std::uint8_t>(player.size - total(lost));
    }
    void from_bank(int seat, Hand gained) const noexcept {
        if (rules_.finite_bank) state_.bank -= gained;
        receive(seat, gained);
    }
    void to_bank(Player& player, Hand lost) const noexcept {
        if (rules_.finite_bank) state_.bank += lost;
        give(player, lost);
    }

private:
    static Hand trim(Player& player) noexcept {
        Hand lost = 0;
        if (player.size <= kMostOfKind) return lost;
        for (int kind = 0; kind < kKinds; ++kind) {
            const int extra = count_of(player.hand, kind) - kMostOfKind;
            if (extra > 0) lost += cards(kind, extra);
        }
        give(player, lost);
        return lost;
    }

    const Rules& rules_;
    State& state_;
};

// A player wins in the own turn alone, at the moment the points are there.
inline bool check_win(const Rules& rules, State& state) noexcept {
    if (all_points(state, state.current) < rules.points) return false;
    state.winner = state.current;
    state.acting = state.current;
    state.phase = Phase::over;
    state.free_roads = 0;
    return true;
}

inline void begin_turn(const Rules& rules, State& state, int seat) noexcept {
    state.current = state.acting = static_cast<std::uint8_t>(seat);
    state.rolled = state.card_played = state.offers = 0;
    state.phase = Phase::before_roll;
    (void)check_win(rules, state);
}

inline void end_turn(const Rules& rules, State& state) noexcept {
    Player& player = state.player(state.current);
    if (player.fresh_size != 0) {
        for (std::size_t card = 0; card < kKinds; ++card) {
            player.held[card] = static_cast<std::uint8_t>(player.held[card] + player.fresh[card]);
        }
        player.held_size = static_cast<std::uint8_t>(player.held_size + player.fresh_size);
        player.fresh = {};
        player.fresh_size = 0;
    }
    ++state.turn;
    if (state.turn >= rules.turns) {
        state.phase = Phase::over;
        return;
    }
    begin_turn(rules, state, state.current + 1 == rules.players ? 0 : state.current + 1);
}

inline void back_to_turn(State& state) noexcept {
    state.phase = state.rolled != 0 ? Phase::main : Phase::before_roll;
}

// The printed shortage rule, per kind and roll: all are paid, or the only one who is owed gets
// what there is, or nobody gets any.
inline void ration(const State& state, std::array<Hand, kMaxSeats>& owed) noexcept {
    for (int kind = 0; kind < kKinds; ++kind) {
        int sum = 0;
        int creditors = 0;
        for (const Hand hand : owed) {
            sum += count_of(hand, kind);
            creditors += count_of(hand, kind) > 0 ? 1 : 0;
        }
        const int stock = count_of(state.bank, kind);
        if (sum <= stock) continue;
        for (Hand& hand : owed) {
            const int due = count_of(hand, kind);
            hand -= cards(kind, due);
            if (creditors == 1 && due > 0) hand += cards(kind, stock);
        }
    }
}

inline void produce(const Rules& rules, State& state, int number) noexcept {
    std::array<Hand, kMaxSeats> owed{};
    for (const int hex : state.hexes_of[at(number)]) {
        if (hex == kNowhere || hex == state.robber) continue;
        const std::uint32_t yields = state.yields[at(hex)];
        const int kind = state.terrain[at(hex)];
        for (int seat = 0; seat < kMaxSeats; ++seat) {
            owed[at(seat)] += cards(kind, static_cast<int>(yields >> 4 * seat & 15));
        }
    }
    if (rules.finite_bank && !holds(state.bank, owed[0] + owed[1] + owed[2] + owed[3])) {
        ration(state, owed);
    }
    const Purse purse(rules, state);
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        if (owed[at(seat)] == 0) continue;
        if (rules.finite_bank) state.bank -= owed[at(seat)];
        state.last_events.gains[at(seat)] =
            owed[at(seat)] - purse.take(state.player(seat), owed[at(seat)]);
    }
}

inline void next_discarder(const Rules& rules, State& state) noexcept {
    if (state.discarders == 0) {
        Hand returned = 0;
        for (Player& player : state.players) {
            returned += player.discarded;
            player.discarded = 0;
            player.discarded_size = 0;
        }
        if (rules.finite_bank) {
            state.bank += returned;
            state.last_events.gains[0] = returned;  // the bank's, which all can see
        }
        state.acting = state.current;
        state.phase = Phase::robber;
        return;
    }
    int seat = state.current;
    while ((state.discarders >> seat & 1) == 0) seat = seat + 1 == rules.players ? 0 : seat + 1;
    state.acting = static_cast<std::uint8_t>(seat);
    state.quota = static_cast<std::uint8_t>(state.player(seat).size / 2);
    state.phase = Phase::discard;
}

inline void roll(const Rules& rules, State& state, int number) noexcept {
    state.rolled = 1;
    if (number != 7) {
        produce(rules, state, number);
        state.phase = Phase::main;
        return;
    }
    for (int seat = 0; seat < rules.players; ++seat) {
        if (state.player(seat).size > kHandLimit) {
            state.discarders |= static_cast<std::uint8_t>(1 << seat);
        }
    }
    next_discarder(rules, state);
}

inline void discard(const Rules& rules, State& state, int kind) noexcept {
    Player& player = state.player(state.acting);
    Purse::give(player, cards(kind));
    player.discarded += cards(kind);
    ++player.discarded_size;
    if (--state.quota != 0) return;
    state.discarders &= static_cast<std::uint8_t>(~(1 << state.acting));
    next_discarder(rules, state);
}

inline void move_robber(State& state, RobberMove move) noexcept {
    state.robber = static_cast<std::uint8_t>(move.hex);
    if (move.victim == kNoSeat) {
        back_to_turn(state);
        return;
    }
    state.victim = static_cast<std::uint8_t>(move.victim);
    state.phase = Phase::steal;
}

inline void steal(const Rules& rules, State& state, int kind) noexcept {
    Purse::give(state.player(state.victim), cards(kind));
    Purse(rules, state).receive(state.current, cards(kind));
    state.victim = kNoSeat;
    back_to_turn(state);
}

inline void draw_card(const Rules& rules, State& state, int card) noexcept {
    Player& player = state.player(state.current);
    --state.deck[at(card)];
    --state.deck_size;
    ++player.fresh[at(card)];
    ++player.fresh_size;
    state.phase = Phase::main;
    if (card == kPoint) (void)check_win(rules, state);
}

// Turns a card face up; it counts as the one of this turn.
inline void show_card(State& state, Card card) noexcept {
    Player& player = state.player(state.current);
    --player.held[card];
    --player.held_size;
    ++player.played[card];
    state.card_played = 1;
}

inline void play_knight(const Rules& rules, State& state, RobberMove move) noexcept {
    show_card(state, kKnight);
    const int knights = state.player(state.current).played[kKnight];
    const bool most =
        state.army_holder == kNoSeat || knights > state.player(state.army_holder).played[kKnight];
    if (knights >= kLeastArmy && most && state.army_holder != state.current) {
        state.army_holder = state.current;
        if (check_win(rules, state)) {
            state.robber = static_cast<std::uint8_t>(move.hex);
            return;
        }
    }
    move_robber(state, move);
}

inline void play_monopoly(const Rules& rules, State& state, int kind) noexcept {
    show_card(state, kMonopoly);
    int taken = 0;
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        const int count = count_of(state.player(seat).hand, kind);
        if (seat == state.current || count == 0) continue;
        Purse::give(state.player(seat), cards(kind, count));
        state.last_events.gains[at(seat)] = cards(kind, count);
        taken += count;
    }
    // Three full hands of an infinite bank are more than fit one byte of counts.
    const int room = 127 - count_of(state.player(state.current).hand, kind);
    const int kept = taken < room ? taken : room;
    const Hand lost = Purse(rules, state).take(state.player(state.current), cards(kind, kept));
    state.last_events.gains[state.current] = lost + cards(kind, taken - kept);
}

inline void exchange(const Rules& rules, State& state, Action offer) noexcept {
    const Offer made = offer_of(offer);
    Player& proposer = state.player(state.current);
    Player& partner = state.player(made.to);
    const Purse purse(rules, state);
    Purse::give(proposer, made.given());
    Purse::give(partner, made.wanted());
    purse.receive(state.current, made.wanted());
    purse.receive(made.to, made.given());
}

inline void after_setup_road(const Rules& rules, State& state) noexcept {
    state.last_node = kNowhere;
    const int seats = rules.players;
    const int placed = state.placed;
    if (placed == 2 * seats) {
        begin_turn(rules, state, 0);
        return;
    }
    state.current = state.acting =
        static_cast<std::uint8_t>(placed < seats ? placed : 2 * seats - 1 - placed);
    state.phase = Phase::setup_settlement;
}

// The second settlement yields a card of each land it touches.
inline void setup_settlement(const Rules& rules, State& state, int node) noexcept {
    place_settlement(state, state.current, node);
    if (++state.placed > rules.players) {
        Hand gained = 0;
        for (HexSet hexes = kMap.hexes_at[at(node)]; hexes != 0; hexes &= hexes - 1) {
            const int kind = state.terrain[at(std::countr_zero(hexes))];
            if (kind != kDesert) gained += cards(kind);
        }
        Purse(rules, state).from_bank(state.current, gained);
        state.last_events.gains[state.current] = gained;
    }
    state.last_node = static_cast<std::uint8_t>(node);
    state.phase = Phase::setup_road;
}

[[nodiscard]] inline EdgeSet road_sites(const State& state, const Player& player) noexcept {
    return player.open.without(state.taken);
}

inline void build_road(const Rules& rules, State& state, int edge) noexcept {
    if (state.phase == Phase::main) {
        Purse(rules, state).to_bank(state.player(state.current), kRoadCost);
    }
    place_road(state, state.current, edge);
    if (state.phase == Phase::setup_road) {
        after_setup_road(rules, state);
        return;
    }
    if (state.phase == Phase::free_road) {
        const Player& player = state.player(state.current);
        if (--state.free_roads == 0 || player.roads_left == 0 || !road_sites(state, player).any()) {
            state.free_roads = 0;
            back_to_turn(state);
        }
    }
    if (state.road_holder == state.current) (void)check_win(rules, state);
}

inline void build_settlement(const Rules& rules, State& state, int node) noexcept {
    if (state.phase == Phase::setup_settlement) {
        setup_settlement(rules, state, node);
        return;
    }
    Purse(rules, state).to_bank(state.player(state.current), kSettlementCost);
    place_settlement(state, state.current, node);
    (void)check_win(rules, state);
}

inline void perform(const Rules& rules, State& state, Action action) noexcept {
    Player& player = state.player(state.current);
    const int argument = argument_of(action);
    const Purse purse(rules, state);
    begin_events(state, kMove, state.acting);
    state.last_events.action = action;
    switch (type_of(action)) {
        case Type::roll:
            state.phase = Phase::dice;
            return;
        case Type::end:
            end_turn(rules, state);
            return;
        case Type::settlement:
            build_settlement(rules, state, argument);
            return;
        case Type::city:
            purse.to_bank(player, kCityCost);
            place_city(state, state.current, argument);
            (void)check_win(rules, state);
            return;
        case Type::road:
            build_road(rules, state, argument);
            return;
        case Type::buy:
            purse.to_bank(player, kCardCost);
            state.phase = Phase::draw;
            return;
        case Type::knight:
            play_knight(rules, state, robber_move_of(action));
            return;
        case Type::plenty:
            show_card(state, kPlenty);
            purse.from_bank(
                state.current,
                cards(argument >> 3) + ((argument & 7) == kNoKind ? 0 : cards(argument & 7)));
            return;
        case Type::monopoly:
            play_monopoly(rules, state, argument);
            return;
        case Type::roads:
            show_card(state, kRoads);
            state.free_roads = player.roads_left < 2 ? 1 : 2;
            state.phase = Phase::free_road;
            return;
        case Type::trade: {
            const BankTrade trade = bank_trade_of(action);
            purse.to_bank(player, cards(trade.give, trade.rate));
            purse.from_bank(state.current, cards(trade.want));
            return;
        }
        case Type::offer:
            if (rules.offers != Rules::kNoLimit) ++state.offers;
            if (rules.exchanges) {
                exchange(rules, state, action);
                return;
            }
            state.offer = action;
            state.acting = static_cast<std::uint8_t>(offer_of(action).to);
            state.phase = Phase::answer;
            return;
        case Type::accept:
        case Type::reject:
            state.last_events.offer = state.offer;
            if (type_of(action) == Type::accept) exchange(rules, state, state.offer);
            state.offer = 0;
            state.acting = state.current;
            state.phase = Phase::main;
            return;
        case Type::discard:
            discard(rules, state, argument);
            return;
        case Type::robber:
            move_robber(state, robber_move_of(action));
            return;
    }
}

// Opponents that can be robbed on each hex: with a building there and a card to lose.
struct RobberTargets {
    std::array<HexSet, kMaxSeats + 1> hexes{};  // by victim; the last for nobody

    RobberTargets(const Rules& rules, const State& state, int thief) noexcept {
        const HexSet all = kAllHexes & ~hex_bit(state.robber);
        HexSet robbed = 0;
        for (int seat = 0; seat < rules.players; ++seat) {
            const Player& player = state.player(seat);
            if (seat != thief && player.size != 0) hexes[at(seat)] = player.hexes & all;
            robbed |= hexes[at(seat)];
        }
        hexes[kNoSeat] = all & ~robbed;
    }
    [[nodiscard]] int count() const noexcept {
        int sum = 0;
        for (const HexSet set : hexes) sum += count_bits(set);
        return sum;
    }
    [[nodiscard]] int argument_at(int place) const noexcept {
        int victim = 0;
        for (;; ++victim) {
            const int here = count_bits(hexes[at(victim)]);
            if (place < here) break;
            place -= here;
        }
        return victim << 5 | bit_at(hexes[at(victim)], place);
    }
};

// Kinds that can be discarded next. Cards are laid down in the order of their kinds, so that every
// set is reached in one way: there must be enough left of this kind and later ones.
[[nodiscard]] inline std::uint32_t discardable(const State& state) noexcept {
    const Player& player = state.player(state.acting);
    int first = 0;
    if (player.discarded != 0) first = (63 - std::countl_zero(player.discarded)) / 8;
    std::uint32_t kinds = 0;
    int left = 0;
    for (int kind = kKinds - 1; kind >= first; --kind) {
        left += count_of(player.hand, kind);
        if (count_of(player.hand, kind) > 0 && left >= state.quota) kinds |= 1U << kind;
    }
    return kinds;
}

// The rate of every kind in one word, at the best harbour.
[[nodiscard]] inline Hand bank_rates(const Player& player) noexcept {
    Hand rates = (player.harbours & 32) != 0 ? kOnes * 3 : kOnes * 4;
    for (std::uint32_t kinds = player.harbours & 31; kinds != 0; kinds &= kinds - 1) {
        const int kind = std::countr_zero(kinds);
        rates = (rates & ~cards(kind, 255)) | cards(kind, 2);
    }
    return rates;
}

// Kinds of which enough are held for a bank trade, and kinds the bank has.
struct BankTrades {
    std::uint32_t give = 0;
    std::uint32_t want = 0;
    Hand rates = 0;

    BankTrades(const Rules& rules, const State& state, const Player& player) noexcept {
        rates = bank_rates(player);
        const Hand signs = ((player.hand | kSigns) - rates) & kSigns;
        give = static_cast<std::uint32_t>((signs >> 7) * 0x1'02'04'08'10 >> 32 & 31);
        if (give == 0) return;
        want = rules.finite_bank ? kinds_with(state.bank, 1) : 31;
    }
    [[nodiscard]] bool any() const noexcept {
        return give != 0 && want != 0 && !(give == want && (give & (give - 1)) == 0);
    }
    [[nodiscard]] int count() const noexcept {
        return count_bits(give) * count_bits(want) - count_bits(give & want);
    }
};

[[nodiscard]] inline bool can_play(const Rules& rules, const State& state, Card card) noexcept {
    if (state.card_played != 0 || state.player(state.current).held[card] == 0) return false;
    if (state.phase == Phase::before_roll) return card == kKnight || rules.any_card_early;
    return state.phase == Phase::main;
}

}  // namespace ludex::catan
