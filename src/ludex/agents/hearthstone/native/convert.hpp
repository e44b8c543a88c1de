// Between Python's values and those of native agents; included by bindings alone.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "averaging_forest.hpp"
#include "bind_forest.hpp"
#include "bind_model.hpp"
#include "border.hpp"
#include "encoding.hpp"
#include "errors.hpp"

namespace ludex::hearthstone::agents {

namespace nb = nanobind;

// The model of the world, whose module binds it.
using NativeModel = ludex::Model<Rules>;

inline Encoding make_encoding(const Rules& rules, const std::vector<int>& numbers,
                              bool released = true, bool one_hot = false,
                              bool silence_counts_as_enchanted = true) {
    constexpr int kMostNumbers = 10'000;
    Encoding encoding;
    int most = 0;
    if (numbers.size() > rules.cards().cards.size()) {
        raise_bad_parameter("there are numbers for " + std::to_string(numbers.size()) +
                            " cards, but " + std::to_string(rules.cards().cards.size()) +
                            " cards in this world");
    }
    for (const int number : numbers) {
        if (number < -1 || number > kMostNumbers) {
            raise_bad_parameter("cards are numbered from 0 to " + std::to_string(kMostNumbers) +
                                ", or -1 for none, got " + std::to_string(number));
        }
        encoding.numbers.push_back(static_cast<std::int16_t>(number));
        most = std::max(most, number + 1);
    }
    encoding.cards = most;
    encoding.released = released;
    encoding.one_hot = one_hot;
    encoding.silence_counts_as_enchanted = silence_counts_as_enchanted;
    number_actions(rules, encoding);
    return encoding;
}

// Refuses what was made for a world with other cards.
inline void check_encoding(const Rules& rules, const Encoding& encoding) {
    if (encoding.numbers.size() > rules.cards().cards.size()) {
        raise_bad_parameter("this player was made for a world with other cards");
    }
}

// Rows that lie one after the other, as a table.
inline nb::object as_rows(Row&& rows, int columns) {
    const auto width = static_cast<std::size_t>(columns);
    const std::size_t count = rows.size() / width;
    return as_array(std::move(rows), {count, width});
}

template <class N>
nb::object as_column(std::vector<N>&& values) {
    const std::size_t count = values.size();
    return as_array(std::move(values), {count});
}

// Refuses a forest that would look beyond the end of a row.
inline void check_forest(const AveragingForest& forest, int columns) {
    if (forest.widest() > columns) {
        throw nb::value_error("the rows are too short for this forest");
    }
}

// A state in which a player chooses: nobody does after the end.
[[nodiscard]] inline const State& choosing(const Rules& rules, const Given<State>& given) {
    const State& state = own_state(rules, given);
    if (rules.over(state)) {
        raise_illegal_action("the game is over, so there is nothing to choose");
    }
    return state;
}

}  // namespace ludex::hearthstone::agents
