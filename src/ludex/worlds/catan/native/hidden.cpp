// What a seat sees of a state, and how it may imagine the rest.
#include <algorithm>
#include <cmath>

#include "turns.hpp"

namespace ludex::catan {

namespace {

constexpr int kGuesses = 200;

[[nodiscard]] bool is_hidden(const Rules& rules) noexcept { return rules.sight != Sight::open; }

// Victory points that lie open: all where they are announced, and those of a winner.
[[nodiscard]] bool shows_points(const Rules& rules, const State& state, int seat) noexcept {
    return rules.sight == Sight::points || state.winner == seat;
}

// Draws single cards without putting them back.
[[nodiscard]] Hand draw_from(Hand pool, int count, Rng& rng) noexcept {
    Hand drawn = 0;
    int size = total(pool);
    for (; count > 0; --count, --size) {
        const auto place = rng.below(static_cast<std::uint64_t>(size));
        drawn += cards(kind_at(pool - drawn, static_cast<int>(place)));
    }
    return drawn;
}

// Where the bank is infinite every single card is of any kind, each as likely.
[[nodiscard]] Hand draw_any(int count, Rng& rng) noexcept {
    Hand drawn = 0;
    for (; count > 0; --count) drawn += cards(static_cast<int>(rng.below(kKinds)));
    return drawn;
}

// Not std::lgamma, which writes a sign that all threads share.
[[nodiscard]] double log_factorial(int n) noexcept {
    int sign = 0;
    return ::lgamma_r(n + 1.0, &sign);
}

[[nodiscard]] double ways(int from, int count) noexcept {
    return std::exp(log_factorial(from) - log_factorial(count) - log_factorial(from - count));
}

// How many sets of single cards have this many of a kind; for an endless bank, up to a factor that
// is the same for all hands of a size.
[[nodiscard]] double ways_of_kind(Hand pool, bool finite, int kind, int count) noexcept {
    if (!finite) return std::exp(-log_factorial(count));
    return count > count_of(pool, kind) ? 0.0 : ways(count_of(pool, kind), count);
}

// How many sets of `size` cards, of this kind and later ones, hold at least `least`.
[[nodiscard]] double ways_to_hold(Hand pool, bool finite, int kind, int size, Hand least) noexcept {
    if (kind == kKinds) return size == 0 ? 1.0 : 0.0;
    double sum = 0.0;
    for (int count = count_of(least, kind); count <= size; ++count) {
        const double own = ways_of_kind(pool, finite, kind, count);
        if (own > 0.0) sum += own * ways_to_hold(pool, finite, kind + 1, size - count, least);
    }
    return sum;
}

// A hand that holds at least `least`, all sets of single cards that do being equally likely.
[[nodiscard]] Hand draw_holding(Hand pool, bool finite, int size, Hand least, Rng& rng) noexcept {
    Hand drawn = 0;
    for (int kind = 0; kind < kKinds; ++kind) {
        std::array<double, 256> weights{};
        for (int count = count_of(least, kind); count <= size; ++count) {
            const double own = ways_of_kind(pool, finite, kind, count);
            if (own <= 0.0) continue;
            weights[at(count)] = own * ways_to_hold(pool, finite, kind + 1, size - count, least);
        }
        const int count = static_cast<int>(rng.weighted(weights));
        drawn += cards(kind, count);
        size -= count;
    }
    return drawn;
}

// Deals the hands of the others: what the bank and the own hand leave, in the known sizes.
void deal_hands(const Rules& rules, State& state, int seat, Rng& rng) noexcept {
    const Player& own = state.player(seat);
    Hand pool = rules.finite_bank ? kOnes * kBankOfKind - state.bank - own.hand - own.discarded : 0;
    // Who has made an offer holds what it gives; that seat is dealt first.
    const int proposer =
        state.phase == Phase::answer && state.current != seat ? state.current : kNoSeat;
    const auto deal = [&](int other) {
        Player& player = state.player(other);
        const int size = player.size + player.discarded_size;
        Hand hand = 0;
        if (other == proposer) {
            hand = draw_holding(pool, rules.finite_bank, size, offer_of(state.offer).given(), rng);
        } else {
            hand = rules.finite_bank ? draw_from(pool, size, rng) : draw_any(size, rng);
        }
        if (rules.finite_bank) pool -= hand;
        if (player.discarded_size > 0) {
            // What will be laid down in all, in the order of kinds; so much of it lies there.
            const bool busy = state.acting == other;
            const int whole = player.discarded_size + (busy ? state.quota : 0);
            const Hand chosen = draw_from(hand, whole, rng);
            for (int i = 0; i < player.discarded_size; ++i) {
                player.discarded += cards(kind_at(chosen, i));
            }
        }
        player.hand = hand - player.discarded;
    };
    if (proposer != kNoSeat) deal(proposer);
    for (int other = 0; other < rules.players; ++other) {
        if (other != seat && other != proposer) deal(other);
    }
}

// Most victory points that a seat can hide without having won already. Off its turn it may have
// come to them by the longest road, which counts when its turn begins.
[[nodiscard]] int most_hidden(const Rules& rules, const State& state, int seat) noexcept {
    const bool gained = state.current != seat && state.road_holder == seat;
    return rules.points - 1 - shown_points(state, seat) + (gained ? 2 : 0);
}

using CardCounts = std::array<std::uint8_t, kKinds>;

[[nodiscard]] int draw_card_from(CardCounts& pool, bool points_too, Rng& rng) noexcept {
    int size = 0;
    for (int card = 0; card < (points_too ? kKinds : kPoint); ++card) size += pool[at(card)];
    if (size == 0)
        return kPoint;  // all others are dealt: this deal does not fit, and is tried again
    int place = static_cast<int>(rng.below(static_cast<std::uint64_t>(size)));
    int card = 0;
    while (place >= pool[at(card)]) place -= pool[at(card++)];
    --pool[at(card)];
    return card;
}

// Deals development cards to the others; what is left is the pile. False when somebody would
// have won by it.
bool deal_once(const Rules& rules, State& state, int seat, CardCounts pool, Rng& rng) noexcept {
    bool fits = true;
    for (int other = 0; other < rules.players; ++other) {
        if (other == seat) continue;
        Player& player = state.player(other);
        const bool open = shows_points(rules, state, other);
        for (auto* cards_of : {&player.held, &player.fresh}) {
            const int shown = open ? (*cards_of)[kPoint] : 0;
            *cards_of = {};
            (*cards_of)[kPoint] = static_cast<std::uint8_t>(shown);
            const int size = cards_of == &player.held ? player.held_size : player.fresh_size;
            for (int i = shown; i < size; ++i) {
                ++(*cards_of)[at(draw_card_from(pool, !open, rng))];
            }
        }
        const int points = player.held[kPoint] + player.fresh[kPoint];
        fits = fits && (open || points <= most_hidden(rules, state, other));
    }
    state.deck = pool;
    return fits;
}

void deal_cards(const Rules& rules, State& state, int seat, Rng& rng) noexcept {
    CardCounts pool = kDeck;
    const auto without = [&](const CardCounts& gone) {
        for (std::size_t card = 0; card < kKinds; ++card) {
            pool[card] = static_cast<std::uint8_t>(pool[card] - gone[card]);
        }
    };
    without(state.player(seat).held);
    without(state.player(seat).fresh);
    for (int other = 0; other < rules.players; ++other) {
        const Player& player = state.player(other);
        without(player.played);
        if (other == seat || !shows_points(rules, state, other)) continue;
        pool[kPoint] =
            static_cast<std::uint8_t>(pool[kPoint] - player.held[kPoint] - player.fresh[kPoint]);
    }
    // The last deal stands, should all cards left be points.
    for (int tries = 0; tries < kGuesses; ++tries) {
        if (deal_once(rules, state, seat, pool, rng)) return;
    }
}

}  // namespace

Glance look(const Rules& rules, const State& state, int seat) noexcept {
    Glance glance{static_cast<std::uint64_t>(seat), state};
    State& seen = glance.seen;
    seen.last_events = {};
    if (!is_hidden(rules)) return glance;
    seen.deck = {};
    for (int other = 0; other < rules.players; ++other) {
        if (other == seat) continue;
        Player& player = seen.player(other);
        player.hand = 0;
        player.discarded = 0;
        const bool open = shows_points(rules, state, other);
        for (auto* cards_of : {&player.held, &player.fresh}) {
            const std::uint8_t points = open ? (*cards_of)[kPoint] : std::uint8_t{0};
            *cards_of = {};
            (*cards_of)[kPoint] = points;
        }
    }
    return glance;
}

State imagine(const Rules& rules, const Glance& glance, Rng& rng) noexcept {
    State state = glance.seen;
    if (!is_hidden(rules)) return state;
    const int seat = static_cast<int>(glance.seat);
    deal_hands(rules, state, seat, rng);
    deal_cards(rules, state, seat, rng);
    return state;
}

}  // namespace ludex::catan
