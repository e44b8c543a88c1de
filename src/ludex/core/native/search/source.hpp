// The states that the iterations of a search begin with (planners/parts/determinise.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../hidden.hpp"
#include "../rng.hpp"
#include "../world.hpp"

namespace ludex::search {

// No complete state agrees with what a seat sees.
struct NoConsistentState {};

struct NoGlance {};

template <class R>
struct GlanceOf {
    using Type = NoGlance;
};
template <HidesFacts R>
struct GlanceOf<R> {
    using Type = typename R::Glance;
};

// One of three: the real state, what a seat sees of it, or states that Python has drawn.
template <WorldRules R>
struct StateSource {
    using State = typename R::State;

    std::optional<State> known;
    std::optional<typename GlanceOf<R>::Type> glance;
    Rng stream;                // that determinisations are drawn from
    std::vector<State> drawn;  // for the iterations from `first` on
    std::int64_t first = 0;

    [[nodiscard]] bool is_known() const noexcept { return known.has_value(); }
    [[nodiscard]] bool in_batches() const noexcept { return !known && !glance; }
    // The first iteration that there is no state for.
    [[nodiscard]] std::int64_t end() const noexcept {
        return first + static_cast<std::int64_t>(drawn.size());
    }

    // The state that an iteration begins with, `stream` being the thread's own.
    void put(const R& rules, std::int64_t number, Rng& hidden, State& out) const {
        if (known) {
            out = *known;
            return;
        }
        if constexpr (HidesFacts<R>) {
            if (glance) {
                if (!determinise(rules, *glance, hidden, out)) throw NoConsistentState{};
                return;
            }
        }
        out = drawn[static_cast<std::size_t>(number - first)];
    }
};

}  // namespace ludex::search
