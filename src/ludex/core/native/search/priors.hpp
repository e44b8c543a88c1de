// Priors of tree search: how likely a policy is to take each action (planners/parts/priors.py).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <variant>

#include "../policies.hpp"
#include "../world.hpp"

namespace ludex::search {

// Optional: rules that say how likely their policies are to take each of the listed actions.
template <class R>
concept RatesActions =
    NamesPolicies<R> &&
    requires(const R& rules, const typename R::State& state, int seat, int policy,
             std::span<const typename R::Action> legal, std::span<double> out) {
        { rules.rate(state, seat, policy, legal, out) } noexcept -> std::same_as<void>;
    };

// Raise to the power 1 / temperature and normalise.
inline void temper(std::span<double> weights, double temperature) noexcept {
    const auto sum = [&] {
        double total = 0.0;
        for (const double weight : weights) total += weight;
        return total;
    };
    if (temperature != 1.0) {
        const double total = sum();
        for (double& weight : weights) weight = std::pow(weight / total, 1.0 / temperature);
    }
    const double total = sum();
    for (double& weight : weights) {
        weight = total > 0.0 ? weight / total : 1.0 / static_cast<double>(weights.size());
    }
}

template <WorldRules R>
struct PriorSettings {
    using Action = typename R::Action;

    AnyPolicy<R> policy;
    double temperature = 1.0;

    void put(const R& rules, const typename R::State& state, int seat,
             std::span<const Action> legal, std::span<double> out) const noexcept {
        std::fill(out.begin(), out.end(), 1.0);
        std::visit([&](const auto& one) { weigh(one, rules, state, seat, legal, out); }, policy);
        temper(out, temperature);
    }

private:
    // Without any weight all types are as likely.
    static void weigh_types(const TypePolicy& policy, std::span<const Action> legal,
                            std::span<double> out) noexcept {
        if constexpr (KnowsTypes<R>) {
            ListedTypes<R> types(legal);
            std::array<double, static_cast<std::size_t>(R::kMostTypes)> weights;
            types.put_weights(policy, weights);
            for (std::size_t i = 0; i < legal.size(); ++i) {
                const std::size_t place = types.place_of(R::type_of(legal[i]));
                out[i] = weights[place] / types.sizes[place];
            }
        }
    }

    template <class Policy>
    static void weigh(const Policy& policy, const R& rules, const typename R::State& state,
                      int seat, std::span<const Action> legal, std::span<double> out) noexcept {
        if constexpr (std::is_same_v<Policy, NamedPolicy> && RatesActions<R>) {
            rules.rate(state, seat, policy.number, legal, out);
        } else if constexpr (std::is_same_v<Policy, TypeFirstPolicy> && KnowsTypes<R>) {
            weigh_types(TypePolicy{}, legal, out);
        } else if constexpr (std::is_same_v<Policy, TypePolicy> && KnowsTypes<R>) {
            weigh_types(policy, legal, out);
        } else if constexpr (std::is_same_v<Policy, WeightedPolicy>) {
            bool any = false;
            for (std::size_t i = 0; i < legal.size(); ++i) {
                out[i] = policy.weight(legal[i]);
                any = any || out[i] > 0.0;
            }
            if (!any) std::fill(out.begin(), out.end(), 1.0);
        } else if constexpr (std::is_same_v<Policy, DistancePolicy> && KnowsObjects<R>) {
            weigh_distances(policy, rules, state, seat, legal, out);
        } else {
            (void)policy, (void)rules, (void)state, (void)seat, (void)legal, (void)out;
        }
    }
};

}  // namespace ludex::search
