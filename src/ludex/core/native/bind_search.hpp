// Binds the native searches for any native rules: the twins of planners (core/twin.py).
#pragma once

#include "bind_search/common.hpp"
#include "bind_search/forward.hpp"
#include "bind_search/ismcts.hpp"
#include "bind_search/mcts.hpp"
#include "bind_search/olets.hpp"
#include "bind_search/open_loop.hpp"
#include "bind_search/rhea.hpp"

namespace ludex {

// What a native search lacks of a planner's parameters, if it lacks any.
template <class M>
[[nodiscard]] std::optional<std::string> search_refusal(const M& model, const std::string& twin,
                                                        nb::handle planner, const nb::dict& parts) {
    try {
        if (twin == "mcts") return (void)read_mcts(model.rules, planner, parts), std::nullopt;
        if (twin == "ismcts") return (void)read_ismcts(model.rules, planner, parts), std::nullopt;
        if (twin == "open_loop_mcts") {
            return (void)read_open_loop(model.rules, planner, parts), std::nullopt;
        }
        if (twin == "olets") return (void)read_olets(planner), std::nullopt;
        if (twin == "rhea") return (void)read_evolution(planner), std::nullopt;
        if (twin == "random_search") return std::nullopt;
        if (is_forward(twin)) return (void)read_forward(model.rules, planner, parts), std::nullopt;
    } catch (const Lacks& lacks) {
        return lacks.what;
    }
    return "there is no native " + twin;
}

template <class M>
void bind_searches(nb::class_<M>& model) {
    using namespace nb::literals;
    model.def("native_refusal", &search_refusal<M>,
              nb::sig("def native_refusal(self, twin: str, planner: typing.Any, parts: "
                      "dict[str, typing.Any]) -> str | None"),
              "twin"_a, "planner"_a, "parts"_a,
              "Say which parameter of a planner its native search lacks; None when it has all.");
    bind_mcts(model);
    bind_open_loop(model);
    bind_ismcts(model);
    bind_olets(model);
    bind_rhea(model);
    bind_random_search(model);
    bind_forward(model);
}

}  // namespace ludex
