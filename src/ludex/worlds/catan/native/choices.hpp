// What may be done in a state: sites, types, and any action of a type, without a list.
#pragma once

#include "turns.hpp"

namespace ludex::catan {

[[nodiscard]] inline NodeSet settlement_sites(const State& state, const Player& player) noexcept {
    return player.reach & ~state.blocked;
}

// Pairs of cards that plenty may take, single ones when there is no second.
template <class Visit>
void for_plenty(const Rules& rules, const State& state, const Visit& visit) noexcept {
    if (rules.finite_bank && total(state.bank) == 1) {
        visit(kind_at(state.bank, 0) << 3 | kNoKind);
        return;
    }
    for (int a = 0; a < kKinds; ++a) {
        for (int b = a; b < kKinds; ++b) {
            if (!rules.finite_bank || holds(state.bank, cards(a) + cards(b))) visit(a << 3 | b);
        }
    }
}

[[nodiscard]] inline bool can_take_plenty(const Rules& rules, const State& state) noexcept {
    return can_play(rules, state, kPlenty) && (!rules.finite_bank || state.bank != 0);
}

[[nodiscard]] inline bool can_play_roads(const Rules& rules, const State& state) noexcept {
    const Player& player = state.player(state.current);
    return can_play(rules, state, kRoads) && player.roads_left > 0 &&
           road_sites(state, player).any();
}

[[nodiscard]] inline bool can_build_road(const State& state, const Player& player) noexcept {
    return player.roads_left > 0 && holds(player.hand, kRoadCost) &&
           road_sites(state, player).any();
}

[[nodiscard]] inline bool can_build_settlement(const State& state, const Player& player) noexcept {
    return player.settlements_left > 0 && holds(player.hand, kSettlementCost) &&
           settlement_sites(state, player) != 0;
}

[[nodiscard]] inline bool can_build_city(const Player& player) noexcept {
    return player.cities_left > 0 && player.settlements != 0 && holds(player.hand, kCityCost);
}

[[nodiscard]] inline bool can_buy(const State& state, const Player& player) noexcept {
    return state.deck_size > 0 && holds(player.hand, kCardCost);
}

[[nodiscard]] inline bool can_accept(const State& state) noexcept {
    return holds(state.player(state.acting).hand, offer_of(state.offer).wanted());
}

// Whether any offer is legal. What hidden hands lack may be asked for; else somebody must have a
// kind that the proposer could take for another.
[[nodiscard]] inline bool is_any_offer(const Rules& rules, const State& state) noexcept {
    if (rules.trades == Trades::none || state.offers >= rules.offers) return false;
    const Player& proposer = state.player(state.current);
    if (proposer.size == 0) return false;
    const std::uint32_t own = kinds_with(proposer.hand, 1);
    for (int to = 0; to < rules.players; ++to) {
        const Player& partner = state.player(to);
        if (to == state.current || partner.size == 0) continue;
        if (rules.sight != Sight::open && !rules.exchanges) return true;
        const std::uint32_t theirs = kinds_with(partner.hand, 1);
        if (own != theirs || (own & (own - 1)) != 0) return true;
    }
    return false;
}

// Types that are legal before the roll or after it, as bits.
[[nodiscard]] inline std::uint32_t turn_types(const Rules& rules, const State& state) noexcept {
    const Player& player = state.player(state.current);
    const auto bit = [](Type type) { return 1U << static_cast<int>(type); };
    std::uint32_t types = 0;
    if (state.phase == Phase::before_roll) {
        types = bit(Type::roll);
    } else {
        types = bit(Type::end);
        if (player.size != 0) {
            if (can_build_settlement(state, player)) types |= bit(Type::settlement);
            if (can_build_city(player)) types |= bit(Type::city);
            if (can_build_road(state, player)) types |= bit(Type::road);
            if (can_buy(state, player)) types |= bit(Type::buy);
            if (BankTrades(rules, state, player).any()) types |= bit(Type::trade);
            if (is_any_offer(rules, state)) types |= bit(Type::offer);
        }
    }
    if (state.card_played == 0 && player.held_size != 0) {
        if (can_play(rules, state, kKnight)) types |= bit(Type::knight);
        if (can_take_plenty(rules, state)) types |= bit(Type::plenty);
        if (can_play(rules, state, kMonopoly)) types |= bit(Type::monopoly);
        if (can_play_roads(rules, state)) types |= bit(Type::roads);
    }
    return types;
}

[[nodiscard]] inline int pick(Rng& rng, int count) noexcept {
    return count > 1 ? static_cast<int>(rng.below(static_cast<std::uint64_t>(count))) : 0;
}

[[nodiscard]] inline int pick_edge(Rng& rng, EdgeSet edges) noexcept {
    const int low = count_bits(edges.low);
    const int place = pick(rng, low + count_bits(edges.high));
    return place < low ? bit_at(edges.low, place) : 64 + bit_at(edges.high, place - low);
}

// Any action of a type that is legal, each as likely.
[[nodiscard]] inline Action pick_of_type(const Rules& rules, const State& state, Type type,
                                         Rng& rng) noexcept {
    const Player& player = state.player(state.acting);
    switch (type) {
        case Type::settlement: {
            const NodeSet nodes = state.phase == Phase::setup_settlement
                                      ? kAllNodes & ~state.blocked
                                      : settlement_sites(state, player);
            return make(type, bit_at(nodes, pick(rng, count_bits(nodes))));
        }
        case Type::city:
            return make(type,
                        bit_at(player.settlements, pick(rng, count_bits(player.settlements))));
        case Type::road: {
            const EdgeSet edges = state.phase == Phase::setup_road
                                      ? kMap.edges_at[state.last_node].without(state.taken)
                                      : road_sites(state, player);
            return make(type, pick_edge(rng, edges));
        }
        case Type::knight:
        case Type::robber: {
            const RobberTargets targets(rules, state, state.current);
            return make(type, targets.argument_at(pick(rng, targets.count())));
        }
        case Type::plenty: {
            std::array<int, 15> pairs{};
            std::size_t count = 0;
            for_plenty(rules, state, [&](int argument) { pairs[count++] = argument; });
            return make(type, pairs[at(pick(rng, static_cast<int>(count)))]);
        }
        case Type::monopoly:
            return make(type, pick(rng, kKinds));
        case Type::trade: {
            const BankTrades trades(rules, state, player);
            int place = pick(rng, trades.count());
            for (std::uint32_t give = trades.give;; give &= give - 1) {
                const int kind = std::countr_zero(give);
                const std::uint32_t want = trades.want & ~(1U << kind);
                const int here = count_bits(want);
                if (place < here) {
                    return make(
                        type, kind << 6 | bit_at(want, place) << 3 | count_of(trades.rates, kind));
                }
                place -= here;
            }
        }
        case Type::offer:
            return rules.offer_at(state, pick(rng, rules.count_offers(state)));
        case Type::discard: {
            const std::uint32_t kinds = discardable(state);
            return make(type, bit_at(kinds, pick(rng, count_bits(kinds))));
        }
        default:
            return make(type);
    }
}

}  // namespace ludex::catan
