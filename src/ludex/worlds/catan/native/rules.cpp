#include "rules.hpp"

#include <cassert>

#include "chance.hpp"
#include "choices.hpp"
#include "offers.hpp"

namespace ludex::catan {

namespace {

class List {
public:
    explicit List(std::span<Action> out) noexcept : out_(out) {}

    void add(Type type, int argument = 0) noexcept { out_[size_++] = make(type, argument); }
    template <class Bits>
    void add_bits(Type type, Bits bits, int offset = 0) noexcept {
        for (; bits != 0; bits &= bits - 1) add(type, offset + std::countr_zero(bits));
    }
    void add_edges(EdgeSet edges) noexcept {
        add_bits(Type::road, edges.low);
        add_bits(Type::road, edges.high, 64);
    }
    void add_robber(Type type, const RobberTargets& targets) noexcept {
        for (int victim = 0; victim <= kNoSeat; ++victim) {
            add_bits(type, targets.hexes[at(victim)], victim << 5);
        }
    }
    void add_offers(const Rules& rules, const State& state) noexcept {
        size_ += at(list_offers(rules, state, out_.subspan(size_)));
    }
    [[nodiscard]] int size() const noexcept { return static_cast<int>(size_); }

private:
    std::span<Action> out_;
    std::size_t size_ = 0;
};

void list_cards(const Rules& rules, const State& state, List& list) noexcept {
    if (state.card_played != 0 || state.player(state.current).held_size == 0) return;
    if (can_play(rules, state, kKnight)) {
        list.add_robber(Type::knight, RobberTargets(rules, state, state.current));
    }
    if (can_take_plenty(rules, state)) {
        for_plenty(rules, state, [&](int argument) { list.add(Type::plenty, argument); });
    }
    if (can_play(rules, state, kMonopoly)) {
        for (int kind = 0; kind < kKinds; ++kind) list.add(Type::monopoly, kind);
    }
    if (can_play_roads(rules, state)) list.add(Type::roads);
}

void list_main(const Rules& rules, const State& state, List& list) noexcept {
    const Player& player = state.player(state.current);
    list.add(Type::end);
    if (can_build_settlement(state, player)) {
        list.add_bits(Type::settlement, settlement_sites(state, player));
    }
    if (can_build_city(player)) list.add_bits(Type::city, player.settlements);
    if (can_build_road(state, player)) list.add_edges(road_sites(state, player));
    if (can_buy(state, player)) list.add(Type::buy);
    list_cards(rules, state, list);
    const BankTrades trades(rules, state, player);
    for (std::uint32_t give = trades.give; give != 0; give &= give - 1) {
        const int kind = std::countr_zero(give);
        for (std::uint32_t want = trades.want & ~(1U << kind); want != 0; want &= want - 1) {
            list.add(Type::trade,
                     kind << 6 | std::countr_zero(want) << 3 | count_of(trades.rates, kind));
        }
    }
    list.add_offers(rules, state);
}

[[nodiscard]] bool is_main_legal(const Rules& rules, const State& state, Action action) noexcept {
    const Player& player = state.player(state.current);
    const int argument = argument_of(action);
    switch (type_of(action)) {
        case Type::end:
            return argument == 0;
        case Type::settlement:
            return argument < kNodes && can_build_settlement(state, player) &&
                   (settlement_sites(state, player) >> argument & 1) != 0;
        case Type::city:
            return argument < kNodes && can_build_city(player) &&
                   (player.settlements >> argument & 1) != 0;
        case Type::road:
            return argument < kEdges && can_build_road(state, player) &&
                   road_sites(state, player).has(argument);
        case Type::buy:
            return argument == 0 && can_buy(state, player);
        case Type::trade: {
            const BankTrade trade = bank_trade_of(action);
            const BankTrades trades(rules, state, player);
            return trade.give < kKinds && trade.want < kKinds && trade.give != trade.want &&
                   (trades.give >> trade.give & 1) != 0 && (trades.want >> trade.want & 1) != 0 &&
                   trade.rate == count_of(trades.rates, trade.give);
        }
        case Type::offer:
            return is_offer_legal(rules, state, action);
        default:
            return false;
    }
}

[[nodiscard]] bool is_robber_legal(const Rules& rules, const State& state, Action action) noexcept {
    const RobberMove move = robber_move_of(action);
    if (move.hex >= kHexes || move.victim > kNoSeat) return false;
    const RobberTargets targets(rules, state, state.current);
    return (targets.hexes[at(move.victim)] >> move.hex & 1) != 0;
}

[[nodiscard]] bool is_card_legal(const Rules& rules, const State& state, Action action) noexcept {
    const int argument = argument_of(action);
    switch (type_of(action)) {
        case Type::knight:
            return can_play(rules, state, kKnight) && is_robber_legal(rules, state, action);
        case Type::plenty: {
            bool found = false;
            if (can_take_plenty(rules, state)) {
                for_plenty(rules, state, [&](int pair) { found = found || pair == argument; });
            }
            return found;
        }
        case Type::monopoly:
            return argument < kKinds && can_play(rules, state, kMonopoly);
        case Type::roads:
            return argument == 0 && can_play_roads(rules, state);
        default:
            return false;
    }
}

}  // namespace

State Rules::start(Rng& rng) const noexcept {
    State state;
    state.owner = owner;
    lay_board(state, board, numbers, rng);
    state.endless = finite_bank ? 0 : 1;
    if (finite_bank) state.bank = kOnes * kBankOfKind;
    state.deck = kDeck;
    state.deck_size = kDeckSize;
    for (int seat = players; seat < kMaxSeats; ++seat) {
        // Seats that nobody takes have no pieces.
        Player& empty = state.player(seat);
        empty.roads_left = empty.settlements_left = empty.cities_left = 0;
    }
    return state;
}

SeatSet Rules::to_act(const State& state) const noexcept {
    switch (state.phase) {
        case Phase::dice:
        case Phase::steal:
        case Phase::draw:
        case Phase::over:
            return kNobody;
        default:
            return only(state.acting);
    }
}

int Rules::legal(const State& state, int seat, std::span<Action> out) const noexcept {
    if (to_act(state) != only(seat)) return 0;
    List list(out);
    switch (state.phase) {
        case Phase::setup_settlement:
            list.add_bits(Type::settlement, kAllNodes & ~state.blocked);
            break;
        case Phase::setup_road:
            list.add_edges(kMap.edges_at[state.last_node].without(state.taken));
            break;
        case Phase::before_roll:
            list.add(Type::roll);
            list_cards(*this, state, list);
            break;
        case Phase::main:
            list_main(*this, state, list);
            break;
        case Phase::discard:
            list.add_bits(Type::discard, discardable(state));
            break;
        case Phase::robber:
            list.add_robber(Type::robber, RobberTargets(*this, state, seat));
            break;
        case Phase::free_road:
            list.add_edges(road_sites(state, state.player(seat)));
            break;
        case Phase::answer:
            if (can_accept(state)) list.add(Type::accept);
            list.add(Type::reject);
            break;
        default:
            break;
    }
    return list.size();
}

bool Rules::is_legal(const State& state, int seat, Action action) const noexcept {
    if (to_act(state) != only(seat) || action >> kTypeShift >= kTypes) return false;
    const Type type = catan::type_of(action);
    const int argument = argument_of(action);
    switch (state.phase) {
        case Phase::setup_settlement:
            return type == Type::settlement && argument < kNodes &&
                   (state.blocked >> argument & 1) == 0;
        case Phase::setup_road:
            return type == Type::road && argument < kEdges &&
                   kMap.edges_at[state.last_node].without(state.taken).has(argument);
        case Phase::before_roll:
            return action == make(Type::roll) || is_card_legal(*this, state, action);
        case Phase::main:
            return is_main_legal(*this, state, action) || is_card_legal(*this, state, action);
        case Phase::discard:
            return type == Type::discard && argument < kKinds &&
                   (discardable(state) >> argument & 1) != 0;
        case Phase::robber:
            return type == Type::robber && is_robber_legal(*this, state, action);
        case Phase::free_road:
            return type == Type::road && argument < kEdges &&
                   road_sites(state, state.player(seat)).has(argument);
        case Phase::answer:
            return action == make(Type::reject) ||
                   (action == make(Type::accept) && can_accept(state));
        default:
            return false;
    }
}

// Do as little as the rules allow: roll, end the turn, refuse; else the first action.
Action Rules::default_action(const State& state, int seat) const noexcept {
    if (state.phase == Phase::main) return make(Type::end);
    if (state.phase == Phase::answer) return make(Type::reject);
    std::array<Action, kMaxLegal> list;
    (void)legal(state, seat, list);
    return list[0];
}

void Rules::apply(State& state, std::span<const Action> actions, Rng& /*rng*/) const noexcept {
    assert(actions.size() == 1 && is_legal(state, state.acting, actions[0]));
    perform(*this, state, actions[0]);
}

bool Rules::over(const State& state) const noexcept { return state.phase == Phase::over; }

double Rules::return_of(const State& state, int seat) const noexcept {
    return state.winner == seat ? 1.0 : 0.0;
}

double Rules::score(const State& state, int seat) const noexcept { return all_points(state, seat); }

int Rules::chance(const State& state, std::span<Chance<Outcome>> out) const noexcept {
    return list_chance(state, out);
}

void Rules::resolve(State& state, Outcome outcome) const noexcept {
    resolve_chance(*this, state, outcome);
}

void Rules::settle(State& state, Rng& rng) const noexcept { settle_chance(*this, state, rng); }

int points_of(const State& state, int seat) noexcept { return all_points(state, seat); }
int visible_points(const State& state, int seat) noexcept { return shown_points(state, seat); }
int bank_rate(const Player& player, int kind) noexcept {
    return count_of(bank_rates(player), kind);
}

namespace {

enum Ignored : unsigned { kIgnoreTurn = 1, kIgnoreOffers = 2 };

}  // namespace

unsigned ignorable(const Rules& /*rules*/, std::string_view name) noexcept {
    if (name == "turn") return kIgnoreTurn;
    return name == "offers" ? unsigned{kIgnoreOffers} : 0U;
}

State blanked(const State& state, unsigned ignored) noexcept {
    State plain = state;
    if ((ignored & kIgnoreTurn) != 0) plain.turn = 0;
    if ((ignored & kIgnoreOffers) != 0) plain.offers = 0;
    return plain;
}

void add_key(const Rules& /*rules*/, const State& state, unsigned ignored, KeyHash& hash) noexcept {
    if (ignored == 0) {
        hash.add(&state, State::kMeaningful);
        return;
    }
    const State plain = blanked(state, ignored);
    hash.add(&plain, State::kMeaningful);
}

}  // namespace ludex::catan
