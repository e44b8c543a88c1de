// Native searches from random positions of any world, with random parameters, tiny budgets and
// several threads; what holds of every search is checked. Run under sanitizers, it also finds reads
// outside buffers, undefined arithmetic and, under ThreadSanitizer, memory that threads share.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "check.hpp"
#include "kernels.hpp"
#include "policies.hpp"
#include "search/evolution.hpp"
#include "search/forward.hpp"
#include "search/ismcts.hpp"
#include "search/mcts.hpp"
#include "search/olets.hpp"
#include "search/open_loop.hpp"
#include "search/random_search.hpp"
#include "search/seeding.hpp"
#include "world.hpp"

namespace ludex {

template <class T>
[[nodiscard]] T one_of(Rng& rng, std::initializer_list<T> items) {
    return items.begin()[rng.below(items.size())];
}

// A budget of calls or iterations, often tiny; sometimes of time.
struct RandomBudget {
    std::int64_t iterations = 0;
    std::int64_t calls = Meter::kNoLimit;
    std::int64_t time_ns = Meter::kNoLimit;

    explicit RandomBudget(Rng& rng) {
        iterations = one_of<std::int64_t>(rng, {1, 2, 7, 40, 200, 1000});
        if (rng.below(3) == 0) calls = one_of<std::int64_t>(rng, {0, 1, 3, 50, 700});
        if (rng.below(8) == 0) time_ns = one_of<std::int64_t>(rng, {0, 1000, 200'000});
    }
    [[nodiscard]] bool repeats() const noexcept { return time_ns == Meter::kNoLimit; }
};

template <WorldRules R>
[[nodiscard]] AnyPolicy<R> random_policy(Rng& rng) {
    switch (rng.below(4)) {
        case 0:
            return WeightedPolicy{{0.5, 0.0, 2.0, 1.0}, 0.25};
        case 1:
            return DecisivePolicy{};
        case 2:
            if constexpr (KnowsTypes<R>) {
                if (rng.below(2) == 0) return TypePolicy{{1.0, 0.0, 3.0}};
                return TypeFirstPolicy{};
            }
            [[fallthrough]];
        default:
            return UniformPolicy{};
    }
}

[[nodiscard]] inline search::SelectionSettings random_selection(Rng& rng, bool with_priors) {
    search::SelectionSettings select;
    select.rule = static_cast<search::Rule>(rng.below(with_priors ? 7 : 4));
    select.exploration = one_of(rng, {0.0, 0.5, 1.4, 1e6});
    return select;
}

template <WorldRules R>
[[nodiscard]] search::MctsSettings<R> random_mcts(const R& rules, Rng& rng) {
    search::MctsSettings<R> made;
    made.select = random_selection(rng, true);
    made.prior.policy = random_policy<R>(rng);
    made.prior.temperature = one_of(rng, {1.0, 0.1, 7.0});
    made.even_turn = one_of<std::int64_t>(rng, {1, 5, std::int64_t{1} << 60});
    made.rollout = random_policy<R>(rng);
    made.rollout_depth = one_of<std::int64_t>(rng, {0, 1, 10, 60});
    made.backup = rules.seats() <= 2 && R::kMaxSeats <= 4 && rng.below(2) == 0
                      ? search::Backup::max
                      : search::Backup::mean;
    made.value = one_of(rng, {search::Value::returns, search::Value::score});
    made.transpositions = rng.below(2) == 0;
    made.afterstates = rng.below(2) == 0;
    made.draws_outcomes = rng.below(2) == 0;
    made.samples_chance = rng.below(2) == 0;
    made.widening = one_of(rng, {0.0, 0.5, 1.0});
    made.max_depth = one_of<std::int64_t>(rng, {1, 4, 1000});
    made.max_nodes = one_of<std::int64_t>(rng, {1, 5, 100, 250'000});
    return made;
}

template <WorldRules R>
[[nodiscard]] search::OpenLoopSettings<R> random_open_loop(Rng& rng) {
    search::OpenLoopSettings<R> made;
    made.select = random_selection(rng, false);
    made.rollout = random_policy<R>(rng);
    made.rollout_depth = one_of<std::int64_t>(rng, {1, 10, 60});
    made.depth_from_root = rng.below(2) == 0;
    if (made.depth_from_root) made.deepest = made.rollout_depth;
    made.value = one_of(rng, {search::Value::returns, search::Value::score});
    made.max_nodes = one_of<std::int64_t>(rng, {1, 5, 100, 250'000});
    return made;
}

template <WorldRules R>
[[nodiscard]] search::IsmctsSettings<R> random_ismcts(Rng& rng) {
    search::IsmctsSettings<R> made;
    made.select = random_selection(rng, false);
    made.each_observes = rng.below(2) == 0;
    made.is_hidden = rng.below(2) == 0;
    made.rollout = random_policy<R>(rng);
    made.rollout_depth = one_of<std::int64_t>(rng, {0, 1, 10, 60});
    made.value = one_of(rng, {search::Value::returns, search::Value::score});
    made.max_nodes = one_of<std::int64_t>(rng, {1, 5, 100, 250'000});
    return made;
}

[[nodiscard]] inline search::OletsSettings random_olets(Rng& rng) {
    search::OletsSettings made;
    made.select.exploration = one_of(rng, {0.0, 0.5, 1.4, 1e6});
    made.select.epsilon = one_of(rng, {0.0, 0.3, 1.0});
    made.taboo_penalty = one_of(rng, {0.0, 0.1, 1e6});
    made.opponent = one_of(
        rng, {search::Opponent::random, search::Opponent::same, search::Opponent::pessimistic});
    made.value =
        one_of(rng, {search::Value::returns, search::Value::score, search::Value::released});
    made.max_nodes = one_of<std::int64_t>(rng, {1, 5, 100, 250'000});
    return made;
}

// The state itself, or what the seat sees of it.
template <WorldRules R>
[[nodiscard]] search::StateSource<R> random_source(const R& rules, const typename R::State& state,
                                                   int seat, Rng& rng) {
    search::StateSource<R> source;
    if constexpr (HidesFacts<R>) {
        if (rng.below(2) == 0) {
            source.glance = glance_at(rules, state, seat);
            source.stream = rng.fork("hidden");
            return source;
        }
    }
    (void)seat, (void)rng;
    source.known = state;
    return source;
}

struct Searched {
    search::Counters counters;
    std::int64_t calls = 0;
    std::int64_t visits = 0;  // of the root
    std::vector<std::vector<search::ActionStatistics>> roots;
    friend bool operator==(const Searched& a, const Searched& b) {
        const auto same = [](const search::ActionStatistics& x, const search::ActionStatistics& y) {
            return x.action == y.action && x.visits == y.visits && x.value == y.value;
        };
        if (a.calls != b.calls || a.counters.iterations != b.counters.iterations ||
            a.counters.size != b.counters.size || a.roots.size() != b.roots.size()) {
            return false;
        }
        for (std::size_t i = 0; i < a.roots.size(); ++i) {
            if (!std::ranges::equal(a.roots[i], b.roots[i], same)) return false;
        }
        return true;
    }
};

// Run a search, sometimes stopped from outside and gone on with.
template <class Tree>
[[nodiscard]] Searched run_checked(Tree& tree, const RandomBudget& given, int threads, int seat,
                                   Rng rng, bool is_stopped, std::int64_t visits_before = 0) {
    Meter meter;
    meter.arm(given.calls, given.time_ns, Meter::Clock::wall);
    std::atomic<bool> stop{false};
    std::int64_t next = 0;
    const search::Budget budget{given.iterations, threads};
    const auto run = [&] {
        return threads == 1 ? run_alone(tree, budget, next, meter, rng, stop)
                            : run_together(tree, budget, next, meter, rng, stop);
    };
    if (is_stopped) {
        std::jthread other([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            stop = true;
        });
        (void)run();
        other.join();
        stop = false;
    }
    (void)run();
    CHECK(meter.calls() <= given.calls);
    Searched found{tree.counters(), meter.calls(), 0, {}};
    CHECK(found.counters.iterations <= given.iterations);
    for (const search::BanditRecord& root : tree.root_bandits(seat)) {
        std::int64_t visits = 0;
        for (const search::ActionStatistics& one : root.actions) visits += one.visits;
        CHECK(visits == root.total);
        found.visits += visits;
        found.roots.push_back(root.actions);
    }
    // Each iteration is counted once, whichever thread made it.
    CHECK(found.visits == found.counters.iterations + visits_before);
    CHECK(tree.bytes() < (std::size_t{1} << 30));
    const auto nodes = tree.nodes(1000);
    CHECK(!nodes.empty());
    return found;
}

// The same search by `make` once or twice, in one thread or several.
template <class Make>
void check_search(const Make& make, int seat, Rng& rng, std::int64_t& searches) {
    const RandomBudget budget(rng);
    const int threads = rng.below(3) == 0 ? 1 + static_cast<int>(rng.below(4)) : 1;
    const bool is_stopped = rng.below(16) == 0;
    const Rng stream = rng.fork("search");
    ++searches;
    if (threads > 1) {
        auto tree = make(std::true_type{});
        (void)run_checked(*tree, budget, threads, seat, stream, is_stopped);
        return;
    }
    auto tree = make(std::false_type{});
    const Searched first = run_checked(*tree, budget, 1, seat, stream, is_stopped);
    if (is_stopped || !budget.repeats()) return;
    auto again = make(std::false_type{});
    CHECK(first == run_checked(*again, budget, 1, seat, stream, false));
}

// Several decisions with a tree that is kept: what follows an action, tried or not, is gone on
// with.
template <WorldRules R>
void check_olets(const R& rules, const typename R::State& state, int seat,
                 std::span<const typename R::Action> legal, Rng& rng,
                 const std::shared_ptr<search::Stock>& stock, std::int64_t& searches) {
    using Tree = search::OletsTree<R>;
    const auto settings = random_olets(rng);
    const auto source = random_source(rules, state, seat, rng);
    std::vector<Key> taboo{search::place_of(rules, state, seat)};
    if (rng.below(3) == 0) taboo.clear();
    std::unique_ptr<Tree> last;
    for (int decision = 0; decision < 4; ++decision) {
        ++searches;
        auto tree = std::make_unique<Tree>(rules, source, legal, seat, settings, taboo, stock);
        const bool is_kept = last != nullptr && rng.below(4) != 0;
        if (is_kept) {
            const std::vector<typename R::Action> played(1 + rng.below(2),
                                                         legal[rng.below(legal.size())]);
            tree->take_over(*last, played);
            (void)last->root_bandits(seat);
            (void)last->best_line(0, 10);
            (void)last->nodes(10);
        }
        const std::int64_t before = tree->root_bandits(seat).front().total;
        const Searched found =
            run_checked(*tree, RandomBudget(rng), 1, seat, rng.fork(7), rng.below(16) == 0, before);
        CHECK(found.counters.size <= std::max<std::int64_t>(settings.max_nodes, 1));
        CHECK(static_cast<std::int64_t>(tree->nodes(1 << 20).size()) == found.counters.size);
        (void)tree->best_line(legal[0], 50);
        last = std::move(tree);
    }
}

[[nodiscard]] inline search::EvolutionSettings random_evolution(Rng& rng) {
    search::EvolutionSettings made;
    made.population = one_of<std::size_t>(rng, {1, 2, 5, 300});
    made.elite = std::min(one_of<std::size_t>(rng, {0, 1, 4}), made.population - 1);
    made.tournament = one_of<std::int64_t>(rng, {1, 2, 9});
    made.crossover = static_cast<search::Crossover>(rng.below(3));
    made.mutation = static_cast<search::Mutation>(rng.below(3));
    made.mutation_rate = one_of(rng, {0.0, 0.3, 1.0});
    made.statistical_tree = rng.below(2) == 0;
    made.dynamic_length = rng.below(2) == 0;
    made.opponent = static_cast<search::Opponent>(rng.below(3));
    return made;
}

template <WorldRules R>
[[nodiscard]] search::Stage<R> random_stage(const R& rules, Rng& rng) {
    const auto length = one_of<std::size_t>(rng, {1, 2, 10, 150});
    const auto limit = static_cast<std::int64_t>(length) * one_of<std::int64_t>(rng, {1, 4});
    search::Valuation valuation;
    valuation.value = one_of(rng, {search::Value::returns, search::Value::score});
    valuation.rollouts = one_of<std::int64_t>(rng, {0, 0, 1, 3});
    valuation.rollout_length = one_of<std::int64_t>(rng, {1, 7});
    return {rules, length, limit, valuation};
}

// Run a search through sequences on one meter, sometimes stopped from outside and gone on with.
template <class Search>
void run_sequences(Search& made, const RandomBudget& given, Rng rng, bool is_stopped) {
    Meter meter;
    meter.arm(given.calls, given.time_ns, Meter::Clock::wall);
    std::atomic<bool> stop{is_stopped};
    std::int64_t next = 0;
    const search::Budget budget{given.iterations, 1};
    (void)run_alone(made, budget, next, meter, rng, stop);
    stop = false;
    (void)run_alone(made, budget, next, meter, rng, stop);
    CHECK(meter.calls() <= given.calls);
}

template <class Search>
void check_sequences(const Search& made, const RandomBudget& given) {
    std::int64_t visits = 0;
    for (const auto& one : made.firsts()) visits += one.visits;
    CHECK(visits <= made.counters().iterations);
    CHECK(made.counters().iterations <= given.iterations);
    CHECK(made.counters().size <= search::StatisticalTree::kMostNodes);
    CHECK(made.bytes() < (std::size_t{1} << 30));
}

template <WorldRules R>
void check_evolution(const R& rules, const typename R::State& state, int seat,
                     std::span<const typename R::Action> legal, Rng& rng,
                     const std::shared_ptr<search::Stock>& stock, std::int64_t& searches) {
    const RandomBudget budget(rng);
    const search::EvolutionSettings settings = random_evolution(rng);
    const search::Stage<R> stage = random_stage(rules, rng);
    const auto source = random_source(rules, state, seat, rng);

    const Rng stream = rng.fork("search");
    const bool is_stopped = rng.below(16) == 0;
    const bool is_seeded = rng.below(3) == 0;
    const auto run = [&](search::Evolution<R>& made) {
        if (is_seeded) {
            search::GreedySeed<R> greedy(made.stage(), made.alphabets(), state, seat);
            run_sequences(greedy, budget, stream, is_stopped);
            made.seed_with(greedy.genome());
        }
        run_sequences(made, budget, stream, is_stopped);
        made.finish();
        check_sequences(made, budget);
        CHECK(made.population(seat).size() <= settings.population);
    };
    search::Evolution<R> first(stage, source, legal, seat, settings, stock);
    run(first);
    search::Evolution<R> second(stage, source, legal, seat, settings, stock);
    run(second);
    // The next decision, where sequences have another length.
    search::Evolution<R> third(random_stage(rules, rng), source, legal, seat, settings, stock);
    const std::vector<std::int64_t> played(rng.below(3), legal[0]);
    third.take_over(first, played, rng.below(2) == 0);
    run(third);
    searches += 3;
    if (!budget.repeats()) return;
    const auto one = first.population(seat), other = second.population(seat);
    CHECK(std::ranges::equal(one, other, [](const auto& a, const auto& b) {
        return a.genes == b.genes && a.value == b.value;
    }));
}

template <WorldRules R>
void check_sampling(const R& rules, const typename R::State& state, int seat,
                    std::span<const typename R::Action> legal, Rng& rng,
                    const std::shared_ptr<search::Stock>& stock, std::int64_t& searches) {
    const RandomBudget budget(rng);
    const auto source = random_source(rules, state, seat, rng);
    const auto rate = one_of<std::optional<double>>(rng, {std::nullopt, 0.0, 0.4});
    search::RandomSearch<R> made(random_stage(rules, rng), source, legal, seat, rate);
    run_sequences(made, budget, rng.fork("search"), rng.below(16) == 0);
    check_sequences(made, budget);
    search::OpenLoopTree<R, false> tree(rules, rules, source, legal, seat, {}, stock);
    search::SharedSearch<R> shared(tree, {one_of(rng, {0.0, 9.0}), one_of(rng, {0.0, 0.1}), true});
    run_sequences(shared, budget, rng.fork("seed"), false);
    CHECK(search::recommended(rules, tree, seat).size() <= 100);
    searches += 2;
}

[[nodiscard]] inline search::ForwardSettings random_forward(Rng& rng, bool with_facts) {
    search::ForwardSettings made;
    made.order.planner = static_cast<search::Planned>(rng.below(with_facts ? 5 : 4));
    made.order.is_shallowest = rng.below(2) == 0;
    made.order.prune = rng.below(4) != 0;
    made.order.weight = one_of(rng, {0.0, 1.0, 1e6});
    made.order.least_width = 1 + static_cast<std::int64_t>(rng.below(2));
    made.order.width = made.order.planner == search::Planned::beam
                           ? one_of<std::int64_t>(rng, {1, 3, 16, INT64_MAX})
                           : 2;
    made.order.max_depth = one_of<std::int64_t>(rng, {1, 3, 30});
    made.order.most_facts = one_of<std::size_t>(rng, {0, 20, 16'384});
    made.order.widen = rng.below(2) == 0;
    made.discount = one_of(rng, {1.0, 0.5, 0.0});
    made.revisit_penalty = one_of(rng, {0.0, 0.1, 1e9});
    made.ignore = static_cast<unsigned>(rng.below(16));
    made.opponent = static_cast<search::Opponent>(rng.below(3));
    made.value = one_of(rng, {search::Value::returns, search::Value::score});
    made.max_nodes = one_of<std::int64_t>(rng, {2, 12, 1000, 100'000});
    return made;
}

struct Explored {
    search::Counters counters;
    std::int64_t calls = 0;
    std::vector<search::ForwardRecord> kept;
    std::size_t planned = 0;
    friend bool operator==(const Explored& a, const Explored& b) {
        const auto same = [](const search::ForwardRecord& x, const search::ForwardRecord& y) {
            return x.key == y.key && x.parent == y.parent && x.gain == y.gain && x.hint == y.hint;
        };
        return a.calls == b.calls && a.counters.size == b.counters.size &&
               a.counters.iterations == b.counters.iterations && a.planned == b.planned &&
               std::ranges::equal(a.kept, b.kept, same);
    }
};

template <WorldRules R>
[[nodiscard]] Explored explore(const R& rules, const typename R::State& state, int seat,
                               const search::ForwardSettings& settings, const RandomBudget& given,
                               const std::shared_ptr<search::Stock>& stock, Rng rng,
                               bool is_stopped) {
    const search::Visited here{key_of(rules, state, settings.ignore), 3};
    search::ForwardSearch<R> found(rules, state, seat, settings, std::span(&here, 1), stock);
    Meter meter;
    meter.arm(given.calls, given.time_ns, Meter::Clock::wall);
    std::atomic<bool> stop{is_stopped};
    std::int64_t next = 0;
    if (is_stopped) (void)run_alone(found, {given.iterations, 1}, next, meter, rng, stop);
    stop = false;
    (void)run_alone(found, {given.iterations, 1}, next, meter, rng, stop);
    const search::Counters counters = found.counters();
    CHECK(meter.calls() <= given.calls);
    CHECK(counters.iterations <= given.iterations);
    CHECK(counters.size <= settings.max_nodes + R::kMaxLegal);
    CHECK(found.bytes() < (std::size_t{1} << 30));
    Explored all{counters, meter.calls(), found.kept(), found.plan().size()};
    std::int64_t visits = 0;
    for (const search::ActionStatistics& one : found.tried()) visits += one.visits;
    CHECK(visits == static_cast<std::int64_t>(all.kept.size()));
    CHECK(visits < counters.size);
    CHECK(visits == 0 || all.planned > 0);
    CHECK(static_cast<std::int64_t>(all.planned) <= counters.depth);
    for (std::size_t i = 0; i < all.kept.size(); ++i) {
        CHECK(all.kept[i].parent < static_cast<std::int64_t>(i));
    }
    return all;
}

// The same search through states twice.
template <WorldRules R>
void check_exploring(const R& rules, const typename R::State& state, int seat, Rng& rng,
                     const std::shared_ptr<search::Stock>& stock) {
    const auto settings = random_forward(rng, HasFacts<R>);
    const RandomBudget budget(rng);
    const bool is_stopped = rng.below(16) == 0;
    const Rng stream = rng.fork("explore");
    const auto run = [&] {
        return explore(rules, state, seat, settings, budget, stock, stream, is_stopped);
    };
    const Explored first = run();
    if (budget.repeats()) CHECK(first == run());
}

template <WorldRules R>
void check_searches(const R& rules, const typename R::State& state, Rng& rng,
                    const std::shared_ptr<search::Stock>& stock, std::int64_t& searches) {
    const int seat = std::countr_zero(rules.to_act(state));
    LegalBuffer<R> legal;
    const auto count = static_cast<std::size_t>(rules.legal(state, seat, legal));
    const auto listed = std::span<const typename R::Action>(legal).first(count);
    const bool is_alone = std::popcount(rules.to_act(state)) == 1;
    switch (rng.below(7)) {
        case 5:
            check_exploring(rules, state, seat, rng, stock);
            ++searches;
            return;
        case 3:
            check_evolution(rules, state, seat, listed, rng, stock, searches);
            return;
        case 4:
            check_sampling(rules, state, seat, listed, rng, stock, searches);
            return;
        case 0: {
            auto settings = random_mcts(rules, rng);
            if (!is_alone) settings.backup = search::Backup::mean;
            const std::vector<typename R::State> states(1 + rng.below(3), state);
            const auto make = [&](auto shared) {
                return std::make_unique<search::MctsTree<R, decltype(shared)::value>>(
                    rules, rules, states, settings, stock);
            };
            if (is_alone || settings.backup == search::Backup::mean) {
                check_search(make, seat, rng, searches);
            }
            return;
        }
        case 1: {
            const auto settings = random_open_loop<R>(rng);
            const auto source = random_source(rules, state, seat, rng);
            const auto make = [&](auto shared) {
                return std::make_unique<search::OpenLoopTree<R, decltype(shared)::value>>(
                    rules, rules, source, listed, seat, settings, stock);
            };
            check_search(make, seat, rng, searches);
            return;
        }
        case 2:
            check_olets(rules, state, seat, listed, rng, stock, searches);
            return;
        default: {
            const auto settings = random_ismcts<R>(rng);
            const auto source = random_source(rules, state, seat, rng);
            const auto make = [&](auto shared) {
                return std::make_unique<search::IsmctsTree<R, decltype(shared)::value>>(
                    rules, rules, source, listed, seat, settings, stock);
            };
            check_search(make, seat, rng, searches);
        }
    }
}

template <WorldRules R>
int search_everywhere(const R& rules, const char* name, int count, char** words) {
    const double seconds = count > 1 ? std::atof(words[1]) : 5.0;
    const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(words[2]) : 1);
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    const auto stock = std::make_shared<search::Stock>();
    std::int64_t searches = 0;
    for (std::uint64_t game = 0; Clock::now() < end; ++game) {
        Rng rng = Rng(seed).fork("search").fork(game);
        typename R::State state = rules.start(rng);
        Meter meter;
        (void)rollout(rules, state, static_cast<std::int64_t>(rng.below(80)), rng, meter);
        if (rules.to_act(state) == kNobody) continue;
        for (int i = 0; i < 8 && Clock::now() < end; ++i) {
            check_searches(rules, state, rng, stock, searches);
        }
    }
    std::printf("%s: %lld searches, seed %llu\n", name, static_cast<long long>(searches),
                static_cast<unsigned long long>(seed));
    CHECK(searches > 0);
    return 0;
}

}  // namespace ludex
