// Python's view of the rules: thin, and last. What every world shares is bound by the core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string_view>

#include "bind_model.hpp"
#include "bind_state.hpp"
#include "border.hpp"
#include "rules.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace ludex::connect_four;

NB_MODULE(_native, m) {
    m.doc() = "The rules of connect four.";
    m.attr("COLUMNS") = kColumns;
    m.attr("ROWS") = kRows;

    // State first: the model's signatures name it.
    ludex::bind_state<State>(m, "Discs on the board; seat 0 begins.")
        .def(nb::init<>())
        .def("__str__", &to_text)
        .def("__repr__", [](const State& state) { return "<connect_four " + to_text(state) + ">"; })
        .def_prop_ro("turn", &State::turn, "The seat whose turn it is or would be.")
        .def_prop_ro(
            "moves", [](const State& state) { return state.moves; }, "Discs played.")
        .def_prop_ro(
            "winner",
            [](const State& state) -> nb::object {
                if (state.winner == kNoWinner) return nb::none();
                return nb::int_(state.winner);
            },
            nb::sig("def winner(self) -> int | None"), "The seat that has four in a row.")
        .def(
            "discs",
            [](const State& state, const ludex::Seat& seat) {
                return state.discs[static_cast<std::size_t>(ludex::own_seat(2, seat))];
            },
            "seat"_a, "The seat's discs, bit 7 * column + row, rows counted from below.")
        .def_prop_ro(
            "fours",
            [](const State& state) { return fours(state.discs[0]) | fours(state.discs[1]); },
            "The cells of four in a row, as bits.");

    // A world with options has an __init__ of its own here that takes them.
    ludex::bind_model<Rules>(m, "The hot half of the model; world.py adds the rest.")
        .def(nb::init<>());

    m.def(
        "parse",
        [](std::string_view text) {
            State state;
            if (const auto error = parse(text, state)) {
                throw nb::value_error(error->problem.c_str());
            }
            return state;
        },
        "text"_a, "Read a board or a list of moves; ValueError says what is wrong.");
}
