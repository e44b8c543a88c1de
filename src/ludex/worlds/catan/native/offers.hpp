// The space of player trades.
#pragma once

#include <span>

#include "rules.hpp"

namespace ludex::catan {

// Appends the legal offers, ascending; returns how many.
int list_offers(const Rules& rules, const State& state, std::span<Action> out) noexcept;
[[nodiscard]] bool is_offer_legal(const Rules& rules, const State& state, Action action) noexcept;
// How many unlike trades a space has with one partner.
[[nodiscard]] int count_of_space(Trades trades) noexcept;

}  // namespace ludex::catan
