// What the bindings of all native searches share: parameters, policies, and running within a
// budget.
//
// A planner is handed over as it is, and its parameters are read by their names. What a twin lacks
// is told beforehand (`native_refusal`), and the planner then searches in Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../bind_rollout.hpp"
#include "../border.hpp"
#include "../errors.hpp"
#include "../meter.hpp"
#include "../policies.hpp"
#include "../search/interrupts.hpp"
#include "../search/priors.hpp"
#include "../search/running.hpp"
#include "../search/tree.hpp"
#include "../unlock.hpp"
#include "../world.hpp"

namespace ludex {

namespace nb = nanobind;

// A parameter that the native search lacks, as `name=value`.
struct Lacks {
    std::string what;
};

// The parameters of a planner.
class ReadPlanner {
public:
    explicit ReadPlanner(nb::handle planner) : planner_(planner) {}

    [[nodiscard]] double number(const char* name) const {
        return nb::cast<double>(planner_.attr(name));
    }
    // A number beyond 64 bits counts as the nearest that there is.
    [[nodiscard]] std::int64_t whole(const char* name) const {
        const nb::object given = planner_.attr(name);
        int beyond = 0;
        const long long read = PyLong_AsLongLongAndOverflow(given.ptr(), &beyond);
        if (beyond != 0) {
            using Limits = std::numeric_limits<std::int64_t>;
            return beyond > 0 ? Limits::max() : Limits::min();
        }
        if (read == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
        return read;
    }
    [[nodiscard]] bool flag(const char* name) const { return nb::cast<bool>(planner_.attr(name)); }
    [[nodiscard]] std::string text(const char* name) const {
        return nb::cast<std::string>(nb::str(planner_.attr(name)));
    }
    // One of these words, as its index.
    template <class Word, std::size_t kCount>
    [[nodiscard]] Word word(const char* name,
                            const std::array<std::string_view, kCount>& words) const {
        const std::string found = text(name);
        const auto place = std::find(words.begin(), words.end(), found);
        if (place == words.end()) throw Lacks{std::string(name) + "=" + found};
        return static_cast<Word>(place - words.begin());
    }
    [[nodiscard]] nb::object object(const char* name) const { return planner_.attr(name); }

private:
    nb::handle planner_;
};

constexpr std::array<std::string_view, 3> kValueNames{"returns", "score", "released"};

// A policy that native code plays: a name, or a value with a native form.
template <WorldRules R>
[[nodiscard]] AnyPolicy<R> read_policy(const R& rules, const nb::object& policy, const char* name) {
    if (nb::isinstance<nb::str>(policy)) {
        const auto text = nb::cast<std::string>(policy);
        if (text == "uniform" || text == "none") return UniformPolicy{};
        if (text == "decisive") return DecisivePolicy{};
        if constexpr (NamesPolicies<R>) {
            if (const auto found = R::find_policy(text)) return NamedPolicy{*found};
        }
        if constexpr (KnowsTypes<R>) {
            if (text == "type_first") return TypeFirstPolicy{};
        }
        throw Lacks{std::string(name) + "=" + text};
    }
    const nb::object form = nb::getattr(policy, "native", nb::none());
    if (nb::isinstance<WeightedPolicy>(form)) return nb::cast<const WeightedPolicy&>(form);
    if (nb::isinstance<FunctionPolicy<R>>(form)) return nb::cast<const FunctionPolicy<R>&>(form);
    if constexpr (KnowsTypes<R>) {
        if (nb::isinstance<TypePolicy>(form)) return nb::cast<const TypePolicy&>(form);
    }
    if constexpr (KnowsObjects<R>) {
        if (nb::isinstance<DistancePolicy>(form)) return nb::cast<const DistancePolicy&>(form);
        if (nb::isinstance<GreedyPolicy>(form)) {
            const auto& greedy = nb::cast<const GreedyPolicy&>(form);
            check_map(greedy, grid_of(rules));
            return greedy;
        }
    }
    throw Lacks{std::string(name) + " is a function of Python"};
}

// What a policy must be to give priors: one whose probabilities are known.
template <WorldRules R>
[[nodiscard]] AnyPolicy<R> read_prior(const R& rules, const nb::object& policy) {
    AnyPolicy<R> read = read_policy(rules, policy, "prior");
    if constexpr (KnowsTypes<R>) {
        const bool is_text = nb::isinstance<nb::str>(policy);
        if (is_text && nb::cast<std::string>(policy) == "type_first") read = TypeFirstPolicy{};
    }
    const bool is_known = std::visit(
        [](const auto& one) {
            using Policy = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Policy, NamedPolicy>) {
                return search::RatesActions<R>;
            } else {
                return std::is_same_v<Policy, UniformPolicy> ||
                       std::is_same_v<Policy, TypeFirstPolicy> ||
                       std::is_same_v<Policy, TypePolicy> ||
                       std::is_same_v<Policy, WeightedPolicy> ||
                       std::is_same_v<Policy, DistancePolicy>;
            }
        },
        read);
    if (!is_known) throw Lacks{"prior=" + nb::cast<std::string>(nb::str(policy))};
    return read;
}

// Signals during a search. Those that end nothing change nothing: they are handled in the midst of
// an iteration, which then goes on.
class Signals final : public StopHandler {
public:
    Signals() { watch_.emplace(stop_); }

    [[nodiscard]] std::atomic<bool>& stop() noexcept { return stop_; }

    // Run Python's handlers, under its lock; false when one of them raised an error.
    [[nodiscard]] bool handle() noexcept {
        stop_ = false;
        watch_.reset();  // handlers may set other handlers
        const bool is_fine = PyErr_Occurred() == nullptr && PyErr_CheckSignals() == 0;
        watch_.emplace(stop_);
        return is_fine && PyErr_CheckSignals() == 0;  // of a signal that came in between
    }

    [[nodiscard]] bool goes_on() noexcept override {
        const nb::gil_scoped_acquire locked;
        return handle();
    }

private:
    std::atomic<bool> stop_{false};
    std::optional<search::Interrupts> watch_;
};

// Run the iterations from `next` on within a budget. Other Python threads run meanwhile, and Ctrl-C
// is obeyed. False when the budget was spent before the last of them.
template <class M, class Search>
bool run_search(M& model, Search& search, const search::Budget& budget, Rng& rng,
                std::int64_t next = 0) {
    Signals signals;
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    for (;;) {
        search::Ending ending;
        {
            LongCall call(true, *model.meter, std::numeric_limits<std::int64_t>::max());
            ending =
                budget.threads == 1
                    ? run_alone(search, budget, next, call.meter(), rng, signals.stop(), &signals)
                    : run_together(search, budget, next, call.meter(), rng, signals.stop());
        }
        if (ending != search::Ending::stopped) return next >= budget.iterations;
        if (!signals.handle()) nb::raise_python_error();
    }
}

template <WorldRules R>
[[nodiscard]] std::vector<typename R::State> read_states(const R& rules, const nb::object& given) {
    std::vector<typename R::State> states;
    const nb::object listed = as_tuple(given, "a search begins with a list of states");
    for (const nb::handle state : nb::borrow<nb::tuple>(listed)) {
        states.push_back(own_state(rules, nb::cast<Given<typename R::State>>(state)));
    }
    if (states.empty()) raise_bad_parameter("a search begins with at least one state");
    return states;
}

}  // namespace ludex
