// Where the iterations of a native search begin: a state, what a seat sees, or states drawn by
// Python.
#pragma once

#include "../hidden.hpp"
#include "../search/source.hpp"
#include "common.hpp"

namespace ludex {

template <WorldRules R>
[[nodiscard]] std::vector<typename R::Action> read_actions(const nb::object& given) {
    std::vector<typename R::Action> actions;
    const nb::object listed = as_tuple(given, "legal actions are a list");
    for (const nb::handle item : nb::borrow<nb::tuple>(listed)) {
        const auto action = read_number<typename R::Action>(item.ptr());
        if (!action) raise_bad_parameter("no action of this world is " + shown(item));
        actions.push_back(*action);
    }
    if (actions.empty()) raise_bad_parameter("a search begins with at least one legal action");
    return actions;
}

// A state; a glance with the stream that determinisations are drawn from; or a function that
// returns up to so many states.
template <WorldRules R>
[[nodiscard]] search::StateSource<R> read_source(const R& rules, const nb::object& given) {
    search::StateSource<R> source;
    if (nb::isinstance<typename R::State>(given)) {
        source.known = own_state(rules, nb::cast<Given<typename R::State>>(given));
        return source;
    }
    if constexpr (HidesFacts<R>) {
        if (nb::isinstance<nb::tuple>(given)) {
            const nb::tuple pair = nb::cast<nb::tuple>(given);
            source.glance = nb::cast<const typename R::Glance&>(pair[0]);
            source.stream = nb::cast<const Rng&>(pair[1]);
            return source;
        }
    }
    if (PyCallable_Check(given.ptr()) == 0) {
        raise_bad_parameter("a search begins with a state or a function that draws states, got " +
                            shown(given));
    }
    return source;
}

// Run a search; where Python draws the states, batch by batch.
template <class M, class Search>
void run_from_source(M& model, Search& search, const search::Budget& budget, Rng& rng,
                     const nb::object& given) {
    auto& source = search.source();
    try {
        if (!source.in_batches()) {
            run_search(model, search, budget, rng);
            return;
        }
        std::int64_t next = 0;
        while (next < budget.iterations && !model.meter->spent()) {
            const nb::object drawn = given(budget.iterations - next);
            source.drawn.clear();
            source.first = next;
            for (const nb::handle state : nb::borrow<nb::tuple>(as_tuple(drawn, "states"))) {
                source.drawn.push_back(
                    own_state(model.rules, nb::cast<Given<typename M::Rules::State>>(state)));
            }
            if (source.drawn.empty()) return;  // the budget ended while they were drawn
            const std::int64_t end = std::min(source.end(), budget.iterations);
            if (!run_search(model, search, {end, budget.threads}, rng, next)) return;
            next = end;
        }
    } catch (const search::NoConsistentState&) {
        raise_error("NoConsistentState",
                    "no state of this world can look like this view; views come from "
                    "model.view(state, seat) of the same world");
    }
}

}  // namespace ludex
