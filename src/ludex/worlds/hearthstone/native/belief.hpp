// What a seat may see of a state, and complete states that agree with it.
#pragma once

#include "hidden.hpp"
#include "keys.hpp"
#include "rng.hpp"
#include "rules.hpp"
#include "state.hpp"

namespace ludex::hearthstone {

// The cards a seat cannot place: in the other's hand, deck and secrets.
struct Unseen {
    std::array<CardId, kDeck + kHand + kSecrets> cards{};
    int count = 0;
};

// The state as a seat sees it: unknown cards are 0, decks lie in the order of their cards.
[[nodiscard]] State masked(const Rules& rules, const State& state, int seat);
[[nodiscard]] Unseen unseen(const Rules& rules, const State& state, int seat);
// Whether bytes are what a seat can have seen: cards of these rules in places that there are.
[[nodiscard]] bool is_view(const Rules& rules, const State& seen, int seat) noexcept;
// Whether a view can be one of these rules: numbers in their ranges, and as many unseen cards as
// there are places for them. It may come from anywhere.
[[nodiscard]] bool plausible(const Rules& rules, const State& seen, const Unseen& hidden,
                             int seat) noexcept;
// Fill what is unknown from the unseen cards, every way being equally likely.
[[nodiscard]] State imagine(const Rules& rules, const State& seen, const Unseen& hidden, int seat,
                            Rng& rng);

// What a seat sees, as searches keep it: see core/native/hidden.hpp.
struct SeatGlance {
    State seen;
    Unseen unseen;
    int seat = 0;
};
[[nodiscard]] inline bool hides_facts(const Rules& /*rules*/) noexcept { return true; }
[[nodiscard]] SeatGlance glance_at(const Rules& rules, const State& state, int seat);
// `imagine`, drawn again while nobody could act where an effect waits or an action is half chosen:
// not every card could have been begun to be played. False when no draw will do.
[[nodiscard]] bool determinise(const Rules& rules, const SeatGlance& glance, Rng& rng, State& out);
void add_view_key(const Rules& rules, const State& state, int seat, KeyHash& hash) noexcept;

}  // namespace ludex::hearthstone

static_assert(ludex::HidesFacts<ludex::hearthstone::Rules>);
