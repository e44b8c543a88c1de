// The space of player trades: which bundles may be offered for which.
#include <map>
#include <vector>

#include "choices.hpp"

namespace ludex::catan {

struct Pair {
    std::uint8_t give, want;
};

namespace {

[[nodiscard]] bool in_space(Trades trades, int give, int want) noexcept {
    if ((kBundleTable.kinds[at(give)] & kBundleTable.kinds[at(want)]) != 0) return false;
    const int given = kBundleTable.size[at(give)];
    const int wanted = kBundleTable.size[at(want)];
    const bool one_kind = count_bits(kBundleTable.kinds[at(give)]) == 1 &&
                          count_bits(kBundleTable.kinds[at(want)]) == 1;
    switch (trades) {
        case Trades::none:
            return false;
        case Trades::one:
            return given == 1 && wanted == 1;
        case Trades::same:
            return given + wanted <= 3 && one_kind;
        case Trades::all:
            return given + wanted <= 3;
        case Trades::free:
            return true;
    }
    return false;
}

}  // namespace

// What can be offered depends, where hands are hidden, on few facts: the kinds of which the
// proposer has one, two or three, and whether the other has one, two or three cards. For each of
// these cases the pairs lie ready in a row.
struct OfferSpace {
    std::vector<Pair> all;
    std::vector<Pair> rows;
    std::vector<std::uint32_t> starts;  // by case, and the end of the last

    explicit OfferSpace(Trades trades) {
        for (int give = 0; give < kBundles; ++give) {
            for (int want = 0; want < kBundles; ++want) {
                if (in_space(trades, give, want)) {
                    all.push_back(
                        {static_cast<std::uint8_t>(give), static_cast<std::uint8_t>(want)});
                }
            }
        }
        if (trades == Trades::free) return;  // listed when asked for
        starts.push_back(0);
        for (std::uint32_t twos = 0; twos < 32; ++twos) {
            for (std::uint32_t ones = 0; ones < 32; ++ones) {
                for (int size = 1; size <= 2; ++size) {
                    if ((twos & ~ones) == 0) add_row(ones, twos, size);
                    starts.push_back(static_cast<std::uint32_t>(rows.size()));
                }
            }
        }
    }

    [[nodiscard]] std::span<const Pair> row(const Player& proposer, int size) const noexcept {
        const std::uint32_t ones = kinds_with(proposer.hand, 1);
        const std::uint32_t twos = kinds_with(proposer.hand, 2);
        const std::size_t place = (twos << 5 | ones) * 2 + (size > 1 ? 1 : 0);
        return std::span(rows).subspan(starts[place], starts[place + 1] - starts[place]);
    }

private:
    void add_row(std::uint32_t ones, std::uint32_t twos, int size) {
        for (const Pair pair : all) {
            if (kBundleTable.size[pair.want] > size) continue;
            bool has = true;
            for (int kind = 0; kind < kKinds; ++kind) {
                const int count = count_of(kBundleTable.cards[pair.give], kind);
                const std::uint32_t needed = count == 0 ? 31U : count == 1 ? ones : twos;
                has = has && (needed >> kind & 1) != 0;
            }
            if (has) rows.push_back(pair);
        }
    }
};

namespace {

// Whether a partner may be asked for a bundle. Where its hand is hidden, only its size counts.
[[nodiscard]] bool can_ask(const Rules& rules, const Player& partner, int want) noexcept {
    if (rules.sight == Sight::open || rules.exchanges) {
        return holds(partner.hand, kBundleTable.cards[at(want)]);
    }
    return partner.size >= kBundleTable.size[at(want)];
}

[[nodiscard]] bool rows_serve(const Rules& rules) noexcept {
    return rules.sight != Sight::open && !rules.exchanges && rules.trades != Trades::free;
}

template <class Visit>
void for_offers(const Rules& rules, const State& state, const Visit& visit) noexcept {
    const Player& proposer = state.player(state.current);
    const OfferSpace& space = rules.offer_space();
    for (int to = 0; to < rules.players; ++to) {
        const Player& partner = state.player(to);
        if (to == state.current || partner.size == 0) continue;
        const int base = to << 12;
        if (rows_serve(rules)) {
            for (const Pair pair : space.row(proposer, partner.size)) {
                visit(base | pair.give << 6 | pair.want);
            }
            continue;
        }
        int known = -1;
        bool has = false;
        for (const Pair pair : space.all) {
            if (pair.give != known) {
                known = pair.give;
                has = holds(proposer.hand, kBundleTable.cards[pair.give]);
            }
            if (has && can_ask(rules, partner, pair.want)) {
                visit(base | pair.give << 6 | pair.want);
            }
        }
    }
}

}  // namespace

const OfferSpace& Rules::offer_space() const noexcept {
    static const std::array<const OfferSpace, 5> spaces{
        OfferSpace(Trades::none), OfferSpace(Trades::one), OfferSpace(Trades::same),
        OfferSpace(Trades::all), OfferSpace(Trades::free)};
    return spaces[static_cast<std::size_t>(trades)];
}

bool Rules::can_offer(const State& state) const noexcept { return is_any_offer(*this, state); }

int Rules::count_offers(const State& state) const noexcept {
    if (!can_offer(state)) return 0;
    int count = 0;
    if (!rows_serve(*this)) {
        for_offers(*this, state, [&](int) { ++count; });
        return count;
    }
    const Player& proposer = state.player(state.current);
    const OfferSpace& space = offer_space();
    for (int to = 0; to < players; ++to) {
        const int size = state.player(to).size;
        if (to == state.current || size == 0) continue;
        count += static_cast<int>(space.row(proposer, size).size());
    }
    return count;
}

Action Rules::offer_at(const State& state, int place) const noexcept {
    if (rows_serve(*this)) {
        const Player& proposer = state.player(state.current);
        const OfferSpace& space = offer_space();
        for (int to = 0; to < players; ++to) {
            const int size = state.player(to).size;
            if (to == state.current || size == 0) continue;
            const auto row = space.row(proposer, size);
            const int length = static_cast<int>(row.size());
            if (place < length) {
                const Pair pair = row[at(place)];
                return make(Type::offer, to << 12 | pair.give << 6 | pair.want);
            }
            place -= length;
        }
    }
    Action found = 0;
    for_offers(*this, state, [&](int argument) {
        if (place-- == 0) found = make(Type::offer, argument);
    });
    return found;
}

int list_offers(const Rules& rules, const State& state, std::span<Action> out) noexcept {
    std::size_t count = 0;
    if (!rules.can_offer(state)) return 0;
    for_offers(rules, state, [&](int argument) { out[count++] = make(Type::offer, argument); });
    return static_cast<int>(count);
}

bool is_offer_legal(const Rules& rules, const State& state, Action action) noexcept {
    const Offer offer = offer_of(action);
    if (offer.give >= kBundles || offer.want >= kBundles || offer.to >= rules.players) return false;
    return offer.to != state.current && rules.can_offer(state) &&
           in_space(rules.trades, offer.give, offer.want) &&
           holds(state.player(state.current).hand, offer.given()) &&
           can_ask(rules, state.player(offer.to), offer.want);
}

int count_of_space(Trades trades) noexcept {
    Rules rules;
    rules.trades = trades;
    return static_cast<int>(rules.offer_space().all.size());
}

}  // namespace ludex::catan
