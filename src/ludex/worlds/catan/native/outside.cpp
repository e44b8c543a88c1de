// Positions whose bytes came from outside: nothing in them is believed before it was looked at.
#include "turns.hpp"

namespace ludex::catan {

namespace {

[[nodiscard]] bool is_hand(Hand hand) noexcept {
    // Five counts below 128, which are 250 cards at most.
    return (hand & ~(kOnes * 127)) == 0 && count_of(hand, 0) + count_of(hand, 1) +
                                                   count_of(hand, 2) + count_of(hand, 3) +
                                                   count_of(hand, 4) <=
                                               kKinds * kMostOfKind;
}

[[nodiscard]] bool are_cards(const std::array<std::uint8_t, kKinds>& counts) noexcept {
    for (int kind = 0; kind < kKinds; ++kind) {
        if (counts[at(kind)] > kDeck[at(kind)]) return false;
    }
    return true;
}

[[nodiscard]] bool are_edges(const EdgeSet& edges) noexcept {
    EdgeSet all;
    for (int edge = 0; edge < kEdges; ++edge) all |= EdgeSet::of(edge);
    return !edges.without(all).any();
}

[[nodiscard]] bool is_offer(Action action) noexcept {
    const Offer offer = offer_of(action);
    return type_of(action) == Type::offer && offer.to < kMaxSeats && offer.give < kBundles &&
           offer.want < kBundles;
}

// More roads would take for ever to find the longest of.
[[nodiscard]] bool is_sound(const Player& player) noexcept {
    return (player.buildings() & ~kAllNodes) == 0 && (player.reach & ~kAllNodes) == 0 &&
           are_edges(player.roads) && are_edges(player.open) &&
           count_bits(player.roads.low) + count_bits(player.roads.high) <= kRoadPieces &&
           count_bits(player.settlements) <= kSettlementPieces &&
           count_bits(player.cities) <= kCityPieces && is_hand(player.hand) &&
           is_hand(player.discarded) && are_cards(player.held) && are_cards(player.fresh) &&
           are_cards(player.played) && player.size <= kKinds * kMostOfKind &&
           player.discarded_size <= kKinds * kMostOfKind && player.held_size <= kDeckSize &&
           player.fresh_size <= kDeckSize && player.harbours < 64 &&
           player.unused == std::array<std::uint8_t, 3>{};
}

[[nodiscard]] bool is_sound(const StepEvents& events) noexcept {
    const bool is_action = events.action >> kTypeShift < kTypes &&
                           (type_of(events.action) != Type::offer || is_offer(events.action));
    const bool names_a_card = events.kind == kStolen || events.kind == kDrawn;
    if (names_a_card && events.value >= kKinds) return false;
    return events.kind <= kDrawn && events.seat <= kNoSeat && events.other <= kNoSeat &&
           is_action && (events.offer == 0 || is_offer(events.offer));
}

// Seats that nobody takes have nothing.
[[nodiscard]] bool are_empty(const Rules& rules, const State& state) noexcept {
    Player empty;
    empty.roads_left = empty.settlements_left = empty.cities_left = 0;
    for (int seat = rules.players; seat < kMaxSeats; ++seat) {
        if (!(state.player(seat) == empty)) return false;
    }
    return true;
}

[[nodiscard]] bool claims(const Rules& rules, Owner owner) noexcept {
    return owner != kNobodys && owner == claim_of(rules.owner);
}

// Whether all that is dealt to others is there to be dealt.
[[nodiscard]] bool can_be_dealt(const Rules& rules, const State& seen, int seat) noexcept {
    const Player& own = seen.player(seat);
    int hidden_cards = 0, hidden_hand = 0;
    std::array<int, kKinds> left{};
    for (int card = 0; card < kKinds; ++card) {
        left[at(card)] = kDeck[at(card)] - own.held[at(card)] - own.fresh[at(card)];
        for (const Player& player : seen.players) left[at(card)] -= player.played[at(card)];
    }
    for (int other = 0; other < rules.players; ++other) {
        if (other == seat) continue;
        const Player& player = seen.player(other);
        const int shown = player.held[kPoint] + player.fresh[kPoint];
        if (player.held[kPoint] > player.held_size || player.fresh[kPoint] > player.fresh_size) {
            return false;
        }
        left[kPoint] -= shown;
        hidden_cards += player.held_size + player.fresh_size - shown;
        hidden_hand += player.size + player.discarded_size;
        if (seen.acting == other && player.discarded_size > 0 && seen.quota > player.size) {
            return false;
        }
    }
    int cards_left = 0, resources_left = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
        const int resources = kBankOfKind - count_of(seen.bank, kind) - count_of(own.hand, kind) -
                              count_of(own.discarded, kind);
        if (left[at(kind)] < 0 || (rules.finite_bank && resources < 0)) return false;
        cards_left += left[at(kind)];
        resources_left += resources;
    }
    return cards_left == hidden_cards + seen.deck_size &&
           (!rules.finite_bank || resources_left == hidden_hand);
}

}  // namespace

bool is_sound(const State& state) noexcept {
    for (int hex = 0; hex < kHexes; ++hex) {
        if (state.terrain[at(hex)] > kDesert || state.number[at(hex)] >= kNumbers) return false;
    }
    for (const int harbour : state.harbour) {
        if (harbour > kDesert) return false;
    }
    for (const Player& player : state.players) {
        if (!is_sound(player)) return false;
    }
    return state.robber < kHexes && state.phase <= Phase::over && state.current < kMaxSeats &&
           state.acting < kMaxSeats && state.winner <= kNoSeat && state.road_holder <= kNoSeat &&
           state.army_holder <= kNoSeat && state.victim <= kNoSeat &&
           (state.last_node < kNodes || state.last_node == kNowhere) && state.rolled <= 1 &&
           state.card_played <= 1 && state.offers < Rules::kNoLimit && state.free_roads <= 2 &&
           state.discarders <= 15 && state.quota <= kKinds * kMostOfKind && state.endless <= 1 &&
           is_hand(state.bank) && are_cards(state.deck) &&
           (state.offer == 0 || is_offer(state.offer)) && (state.buildings & ~kAllNodes) == 0 &&
           (state.blocked & ~kAllNodes) == 0 && are_edges(state.taken) &&
           state.unused == std::array<std::uint8_t, 4>{} && is_sound(state.last_events);
}

bool is_sound(const Glance& glance) noexcept {
    return glance.seat < kMaxSeats && is_sound(glance.seen);
}

bool Rules::admit(State& state) const noexcept {
    if (!claims(*this, state.owner) || !is_sound(state) || !are_empty(*this, state) ||
        (state.endless != 0) == finite_bank || !consistent(state)) {
        return false;
    }
    state.owner = owner;
    return true;
}

bool admit(const Rules& rules, Glance& glance) noexcept {
    const int seat = static_cast<int>(glance.seat);
    const State& seen = glance.seen;
    if (!claims(rules, seen.owner) || !is_sound(glance) || seat >= rules.players ||
        !are_empty(rules, seen) || (seen.endless != 0) == rules.finite_bank) {
        return false;
    }
    if (rules.sight == Sight::open ? !rules.consistent(seen) : !can_be_dealt(rules, seen, seat)) {
        return false;
    }
    Glance own = glance;
    own.seen.owner = rules.owner;
    Rng rng(0);
    const State imagined = imagine(rules, own, rng);
    if (!is_sound(imagined) || !is_playable(rules, imagined) ||
        !(look(rules, imagined, seat) == own)) {
        return false;
    }
    glance.seen.owner = rules.owner;
    return true;
}

}  // namespace ludex::catan
