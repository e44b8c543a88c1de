// Closed-loop Monte-Carlo tree search: nodes hold states. The twin of planners/mcts.py.
//
// One tree, one thread or several. With several, every node has a lock that is held for a moment
// and never together with another one; what a thread enters and has not come back from counts as
// lost so far (virtual loss), so that the next thread goes elsewhere.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../hidden.hpp"
#include "../kernels.hpp"
#include "../keys.hpp"
#include "../meter.hpp"
#include "../packing.hpp"
#include "../policies.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "bandit.hpp"
#include "evaluator.hpp"
#include "node_table.hpp"
#include "prior_queue.hpp"
#include "priors.hpp"
#include "running.hpp"
#include "selection.hpp"
#include "slabs.hpp"
#include "tree.hpp"
#include "visit_set.hpp"

namespace ludex::search {

enum class Backup : std::uint8_t { mean, max };

// The parameters of the planner, under their names.
template <WorldRules R>
struct MctsSettings {
    SelectionSettings select;
    PriorSettings<R> prior;
    std::shared_ptr<PriorQueue<R>> queue;  // where priors are asked for, if they are Python's
    std::int64_t even_turn = 5;  // 1 / root_share; every so many turns the least tried is taken
    AnyPolicy<R> rollout;
    std::int64_t rollout_depth = 1000;
    Backup backup = Backup::mean;
    Value value = Value::returns;
    double score_scale = 10.0;
    bool transpositions = false;
    bool afterstates = true;
    bool draws_outcomes = false;
    bool provable = false;  // the solver is on, and the model is one that it can work in
    bool look_ahead = true;
    bool samples_chance = false;
    double widening = 0.5;
    std::vector<std::int64_t> virtual_wins;  // by type of action: wins that such actions begin with
    int beside = -1;                         // where an action of this type is legal, too
    bool legality = true;  // in worlds of beliefs, actions count by how likely they are legal
    std::int64_t max_depth = 1000;
    std::int64_t max_nodes = 250'000;
};

constexpr double kLost = -1e12;  // the mean of an action that is proven to lose

template <WorldRules R, bool kShared>
class MctsTree final : public SearchTree {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    class Worker;

    MctsTree(const R& rules, const R& rollout_rules, const std::vector<State>& states,
             MctsSettings<R> settings, std::shared_ptr<Stock> stock)
        : rules_(&rules),
          rollout_rules_(&rollout_rules),
          settings_(std::move(settings)),
          seats_(static_cast<std::size_t>(rules.seats())),
          packing_(states.front()),
          stock_(std::move(stock)),
          merged_(stock_) {
        slabs_.push_back(std::make_unique<Slabs>(stock_));
        for (const State& state : states) {
            evaluators_.emplace_back(rules, state, settings_.value, settings_.score_scale);
            roots_.push_back(new_node(state, *slabs_[0]));
            open(*roots_.back(), state, *slabs_[0]);
            if (settings_.transpositions) {
                (void)merged_.find_or(key_of(rules, state), *slabs_[0],
                                      [&] { return roots_.back(); });
            }
        }
        size_ = static_cast<std::int64_t>(roots_.size());
    }

    // Not while others work.
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int thread) {
        const std::scoped_lock lock(making_);
        const auto index = static_cast<std::size_t>(thread);
        while (slabs_.size() <= index) slabs_.push_back(std::make_unique<Slabs>(stock_));
        return Worker(*this, meter, rng, *slabs_[index]);
    }

    // Of the returns seen so far.
    [[nodiscard]] Range range() {
        const NodeLock lock(noting_);
        return counted_.range;
    }

    [[nodiscard]] Counters counters() const override {
        Counters found = counted_;
        found.size = size_;
        found.refused = refused_;
        return found;
    }
    [[nodiscard]] bool provable() const override { return settings_.provable; }
    [[nodiscard]] bool solved() const override {
        return settings_.provable && roots_[0]->returns() != nullptr;
    }
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t sum = merged_.bytes();
        for (const auto& slabs : slabs_) sum += slabs->taken();
        return sum;
    }

    [[nodiscard]] std::vector<BanditRecord> root_bandits(int seat) const override {
        std::vector<BanditRecord> found;
        for (const Node* const root : roots_) {
            for (const BanditRecord& one : bandits_of(*root)) {
                if (one.seat == seat) found.push_back(one);
            }
        }
        return found;
    }

    [[nodiscard]] std::vector<ProvenAction> proven(int seat) const override {
        std::vector<ProvenAction> found;
        for_replies([&](Action action, const Node& child) {
            if (const double* const returns = child.returns()) {
                found.push_back({static_cast<std::int64_t>(action), returns[seat]});
            }
        });
        return found;
    }
    [[nodiscard]] std::optional<double> proven_value(int seat) const override {
        const double* const returns = roots_[0]->returns();
        return returns == nullptr ? std::nullopt : std::optional(returns[seat]);
    }

    // Nodes that have the priors they asked for.
    [[nodiscard]] std::int64_t seeded() const noexcept { return seeded_; }

    // The state that an action leads to, where the tree knows the only one.
    [[nodiscard]] std::optional<State> state_after(std::int64_t action) const {
        std::optional<State> found;
        if (roots_.size() > 1) return found;
        for_replies([&](Action one, const Node& child) {
            if (static_cast<std::int64_t>(one) != action || child.kind == Kind::sampled) return;
            packing_.unpack_into(child.state, found.emplace());
        });
        return found;
    }

    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t first,
                                                      std::size_t longest) const override {
        std::vector<std::int64_t> line{first};
        const Node* node = after_tried(*roots_[0], [&](const auto& decision) {
            const auto& actions = decision.bandits[0].actions;
            for (std::size_t i = 0; i < actions.size(); ++i) {
                if (static_cast<std::int64_t>(actions[i]) == first) return std::optional(i);
            }
            return std::optional<std::size_t>();
        });
        while (node != nullptr && line.size() < longest) {
            std::optional<std::size_t> most;
            node = after_tried(*node, [&](const auto& decision) {
                const auto& arms = decision.bandits[0].arms;
                for (std::size_t i = 0; i < arms.size(); ++i) {
                    if (arms[i].visits > 0 && (!most || arms[i].visits > arms[*most].visits)) {
                        most = i;
                    }
                }
                if (most) {
                    line.push_back(static_cast<std::int64_t>(decision.bandits[0].actions[*most]));
                }
                return most;
            });
            if (!most) break;
        }
        return line;
    }

    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const override {
        std::unordered_map<const Node*, std::int64_t> numbers;
        std::vector<const Node*> listed;
        const auto number_of = [&](const Node* node) {
            const auto [place, is_new] =
                numbers.try_emplace(node, static_cast<std::int64_t>(listed.size()));
            if (is_new) listed.push_back(node);
            return place->second;
        };
        for (const Node* const root : roots_) number_of(root);
        std::vector<NodeRecord> found;
        for (std::size_t i = 0; i < listed.size() && i < most; ++i) {
            found.push_back(record_of(*listed[i], number_of));
        }
        return found;
    }

private:
    enum class Kind : std::uint8_t { leaf, decision, chance, sampled };
    struct Node;

    // What single-seat nodes find by the place of the action, and others by all of their places.
    struct JointChild {
        std::uint64_t places = 0;
        Node* child = nullptr;
    };
    struct Decision {
        std::span<Bandit<Action>> bandits;  // of the seats that act, ascending
        SlabList<Node*> children;           // with one seat: by the place of its action
        SlabList<JointChild> joint;         // with several
        SlabList<double*> vectors;          // by place: mean returns of all seats; `max` alone
    };
    struct OutcomeBranch {
        std::uint64_t outcome = 0;
        double probability = 0.0;
        std::int64_t count = 0;
        Node* child = nullptr;
    };
    struct ChanceNode {
        std::span<OutcomeBranch> outcomes;
        std::int64_t total = 0;
    };
    struct SampledBranch {
        Key key;
        std::int64_t count = 0;  // sightings
        Node* child = nullptr;
    };
    struct SampledNode {
        std::span<const Action> joint;  // the actions that it follows
        SlabList<SampledBranch> seen;
        std::int64_t children = 0;
        std::int64_t total = 0;
    };

    // A state, and what the simulations that passed through it came to.
    struct Node {
        [[no_unique_address]] std::conditional_t<kShared, SpinLock, NoLock> lock;
        Kind kind = Kind::leaf;
        std::int32_t loss = 0;  // virtual: how often it was entered since it was last updated
        std::int64_t visits = 0;
        const std::byte* state = nullptr;  // packed
        double* values = nullptr;          // mean return of each seat; behind them the squares
        std::conditional_t<kShared, std::atomic<const double*>, const double*> known{nullptr};
        union {
            Decision* decision = nullptr;
            ChanceNode* chance;
            SampledNode* sampled;
        };

        // Known for certain: the end, or proven. May be read without the lock.
        [[nodiscard]] const double* returns() const noexcept {
            if constexpr (kShared) {
                return known.load(std::memory_order_acquire);
            } else {
                return known;
            }
        }
    };

    struct Step {
        Node* node = nullptr;
        std::uint32_t first = 0;  // of its places, one for each bandit
    };

    using NodeLock = std::scoped_lock<std::conditional_t<kShared, SpinLock, NoLock>>;

    // Making nodes

    [[nodiscard]] Node* new_node(const State& state, Slabs& slabs) {
        const std::byte* const packed =
            packing_.packed(state, [&](std::size_t size) { return slabs.room<std::byte>(size); });
        return new_node(packed, Kind::leaf, slabs);
    }

    [[nodiscard]] Node* new_node(const std::byte* packed, Kind kind, Slabs& slabs) {
        Node* const node = slabs.make<Node>();
        node->kind = kind;
        node->state = packed;
        node->values = slabs.room<double>(seats_ * (has_squares() ? 2 : 1));
        std::fill_n(node->values, seats_ * (has_squares() ? 2 : 1), 0.0);
        return node;
    }

    [[nodiscard]] bool has_squares() const noexcept {
        return settings_.select.rule == Rule::ucb1_tuned;
    }
    [[nodiscard]] bool counts_children() const noexcept {
        return settings_.transpositions && settings_.afterstates;
    }

    // Whether another node may be added; counts those that may not.
    [[nodiscard]] bool has_room() noexcept {
        if constexpr (kShared) {
            std::int64_t now = size_.load(std::memory_order_relaxed);
            while (now < settings_.max_nodes) {
                if (size_.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) {
                    return true;
                }
            }
        } else if (size_ < settings_.max_nodes) {
            ++size_;
            return true;
        }
        ++refused_;
        return false;
    }
    [[nodiscard]] bool is_full() const noexcept { return size_ >= settings_.max_nodes; }

    [[nodiscard]] const double* kept_returns(const PerSeat<R>& returns, Slabs& slabs) const {
        return slabs.copy_of(std::span<const double>(returns).first(seats_)).data();
    }
    static void set_returns(Node& node, const double* returns) noexcept {
        if constexpr (kShared) {
            node.known.store(returns, std::memory_order_release);
        } else {
            node.known = returns;
        }
    }

    // Turn a leaf into the kind of node that its state asks for. Its lock is held.
    void open(Node& node, const State& state, Slabs& slabs) {
        const SeatSet seats = rules_->to_act(state);
        if (seats != kNobody) {
            open_decision(node, state, seats, slabs);
            return;
        }
        if constexpr (ListsChance<R>) {
            std::array<Chance<typename R::Outcome>, static_cast<std::size_t>(R::kMaxOutcomes)>
                listed;
            if (const int count = rules_->chance(state, listed)) {
                const auto size = static_cast<std::size_t>(count);
                auto* const outcomes = slabs.room<OutcomeBranch>(size);
                for (std::size_t i = 0; i < size; ++i) {
                    outcomes[i] = {listed[i].outcome, listed[i].probability, 0, nullptr};
                }
                node.chance = slabs.make<ChanceNode>();
                node.chance->outcomes = std::span(outcomes, size);
                node.kind = Kind::chance;
                return;
            }
        }
        set_returns(node, kept_returns(ended(state), slabs));
    }

    void open_decision(Node& node, const State& state, SeatSet seats, Slabs& slabs) {
        const auto count = static_cast<std::size_t>(std::popcount(seats));
        auto* const bandits = slabs.room<Bandit<Action>>(count);
        LegalBuffer<R> legal;
        for (std::size_t i = 0; i < count; ++i, seats &= seats - 1) {
            const int seat = std::countr_zero(seats);
            const int actions = rules_->legal(state, seat, legal);
            const auto listed =
                std::span<const Action>(legal).first(static_cast<std::size_t>(actions));
            new (&bandits[i]) Bandit<Action>;
            bandits[i].open(seat, listed, slabs);
            if constexpr (WeighsLegality<R>) {
                if (settings_.legality) {
                    std::vector<double> weights(listed.size());
                    rules_->legality(state, seat, listed, weights);
                    bandits[i].untried_legality.assign(weights, slabs);
                }
            }
            if (uses_priors(settings_.select.rule)) {
                auto* const priors = slabs.room<double>(listed.size());
                const std::span of_legal(priors, listed.size());
                settings_.prior.put(*rules_, state, seat, listed, of_legal);
                bandits[i].set_priors(of_legal, slabs);
                if (settings_.queue && listed.size() > 1)
                    ask_for_priors(node, i, state, seat, listed);
            }
        }
        if constexpr (KnowsTypes<R>) {
            for (std::size_t i = 0; i < count && !settings_.virtual_wins.empty(); ++i) {
                add_virtual_wins(bandits[i], slabs);
            }
        }
        node.decision = slabs.make<Decision>();
        node.decision->bandits = std::span(bandits, count);
        node.kind = Kind::decision;
    }

    // Let actions of some types begin with wins. No priors go with them.
    void add_virtual_wins(Bandit<Action>& bandit, Slabs& slabs) {
        const auto is_beside = [&](Action action) {
            return R::type_of(action) == settings_.beside;
        };
        if (std::ranges::none_of(bandit.legal, is_beside)) return;
        bandit.untried.clear();
        for (const Action action : bandit.legal) {
            const auto type = static_cast<std::size_t>(R::type_of(action));
            const std::int64_t wins =
                type < settings_.virtual_wins.size() ? settings_.virtual_wins[type] : 0;
            if (wins == 0) {
                bandit.untried.push_back(action, slabs);
                continue;
            }
            const std::size_t place = bandit.add(action, slabs);
            for (std::int64_t i = 0; i < wins; ++i) bandit.record(place, 1.0);
        }
    }

    void ask_for_priors(Node& node, std::size_t bandit, const State& state, int seat,
                        std::span<const Action> legal) {
        const std::uint64_t number = settings_.queue->ask(state, seat, legal);
        if (number == 0) return;
        const std::scoped_lock lock(asking_);
        asking_nodes_.emplace(number, std::pair(&node, bandit));
    }

    // Give nodes the priors that have come in.
    void apply_answers() {
        for (const auto& [number, priors] : settings_.queue->answers()) {
            Node* node = nullptr;
            std::size_t index = 0;
            {
                const std::scoped_lock lock(asking_);
                const auto found = asking_nodes_.find(number);
                if (found == asking_nodes_.end()) continue;
                std::tie(node, index) = found->second;
                asking_nodes_.erase(found);
                ++seeded_;
            }
            const NodeLock lock(node->lock);
            node->decision->bandits[index].replace_priors(priors);
        }
    }

    [[nodiscard]] PerSeat<R> ended(const State& state) const noexcept {
        PerSeat<R> returns{};
        if (!rules_->over(state)) return returns;
        for (int seat = 0; seat < rules_->seats(); ++seat) {
            returns[static_cast<std::size_t>(seat)] = rules_->return_of(state, seat);
        }
        return returns;
    }

    [[nodiscard]] static std::uint64_t joint_key(std::span<const std::uint32_t> places) noexcept {
        std::uint64_t key = places.size();
        for (const std::uint32_t place : places) key = mix(key) + place;
        return key;
    }

    // Looking at them

    [[nodiscard]] static std::vector<BanditRecord> bandits_of(const Node& node) {
        std::vector<BanditRecord> found;
        if (node.kind != Kind::decision) return found;
        for (const Bandit<Action>& bandit : node.decision->bandits) {
            found.push_back(search::record_of(bandit));
        }
        return found;
    }

    // The actions of the first root with what they lead to, where one seat acts.
    template <class Visit>
    void for_replies(const Visit& visit) const {
        const Node& root = *roots_[0];
        if (root.kind != Kind::decision || root.decision->bandits.size() > 1) return;
        const Decision& decision = *root.decision;
        for (std::size_t i = 0; i < decision.children.size(); ++i) {
            if (decision.children[i] != nullptr) {
                visit(decision.bandits[0].actions[i], *decision.children[i]);
            }
        }
    }

    // What follows the action that `pick` chooses at a decision, beyond chance: its likeliest.
    template <class Pick>
    [[nodiscard]] static const Node* after_tried(const Node& node, const Pick& pick) {
        if (node.kind != Kind::decision || node.decision->bandits.size() > 1) return nullptr;
        const std::optional<std::size_t> place = pick(*node.decision);
        if (!place || *place >= node.decision->children.size()) return nullptr;
        const Node* after = node.decision->children[*place];
        while (after != nullptr) {
            const Node* likeliest = nullptr;
            std::int64_t most = -1;
            const auto look = [&](const auto& branches) {
                for (const auto& one : branches) {
                    if (one.child != nullptr && one.count > most) {
                        most = one.count;
                        likeliest = one.child;
                    }
                }
            };
            if (after->kind == Kind::chance) look(after->chance->outcomes);
            if (after->kind == Kind::sampled) look(after->sampled->seen);
            if (likeliest == nullptr) break;
            after = likeliest;
        }
        return after;
    }

    template <class NumberOf>
    [[nodiscard]] NodeRecord record_of(const Node& node, const NumberOf& number_of) const {
        NodeRecord record;
        record.visits = node.visits;
        record.values.assign(node.values, node.values + seats_);
        if (const double* const returns = node.returns()) {
            record.returns.assign(returns, returns + seats_);
        }
        record.bandits = bandits_of(node);
        switch (node.kind) {
            case Kind::leaf:
                record.kind = "leaf";
                break;
            case Kind::decision:
                record.kind = "decision";
                for (std::size_t i = 0; i < node.decision->children.size(); ++i) {
                    const Node* const child = node.decision->children[i];
                    if (child == nullptr) continue;
                    const auto action =
                        static_cast<std::int64_t>(node.decision->bandits[0].actions[i]);
                    record.children.push_back({{action}, 0, number_of(child)});
                }
                for (const JointChild& one : node.decision->joint) {
                    record.children.push_back({{}, 0, number_of(one.child)});
                }
                break;
            case Kind::chance:
                record.kind = "chance";
                for (const OutcomeBranch& one : node.chance->outcomes) {
                    if (one.child == nullptr) continue;
                    record.children.push_back({{static_cast<std::int64_t>(one.outcome)},
                                               one.count,
                                               number_of(one.child)});
                }
                break;
            case Kind::sampled:
                record.kind = "sampled";
                for (const SampledBranch& one : node.sampled->seen) {
                    if (one.child == nullptr) continue;
                    record.children.push_back({{}, one.count, number_of(one.child)});
                }
        }
        return record;
    }

    const R* rules_;  // of models that outlive the search, if not what is left of it
    const R* rollout_rules_;
    MctsSettings<R> settings_;
    std::size_t seats_;
    Packing<State> packing_;
    std::vector<Evaluator<R>> evaluators_;
    std::vector<Node*> roots_;
    std::shared_ptr<Stock> stock_;
    NodeTable<Node, kShared> merged_;  // with transpositions
    std::mutex making_;
    std::vector<std::unique_ptr<Slabs>> slabs_;  // one for each thread
    Counter<kShared> size_ = 0;
    Counter<kShared> refused_ = 0;
    std::conditional_t<kShared, SpinLock, NoLock> noting_;
    Counters counted_;
    std::mutex asking_;
    std::unordered_map<std::uint64_t, std::pair<Node*, std::size_t>> asking_nodes_;
    std::int64_t seeded_ = 0;
};

// One thread at work on the tree.
template <WorldRules R, bool kShared>
class MctsTree<R, kShared>::Worker {
public:
    Worker(MctsTree& tree, Meter& meter, Rng& rng, Slabs& slabs)
        : tree_(tree),
          rules_(*tree.rules_),
          rollout_rules_(*tree.rollout_rules_),
          settings_(tree.settings_),
          meter_(meter),
          rng_(rng),
          slabs_(slabs),
          range_(tree.range()) {}

    // One iteration: descend, value what is reached, and back the result up. False when the budget
    // ended on the way: the iteration is dropped.
    [[nodiscard]] bool iterate(std::int64_t number) {
        if (settings_.queue && settings_.queue->has_answers()) tree_.apply_answers();
        const auto roots = static_cast<std::int64_t>(tree_.roots_.size());
        const auto root = static_cast<std::size_t>(number % roots);
        steps_.clear();
        places_.clear();
        passed_.clear();
        node_ = tree_.roots_[root];
        has_state_ = false;
        PerSeat<R> returns;
        if (!select(number / roots) || !simulate(tree_.evaluators_[root], returns)) {
            drop();
            return false;
        }
        const std::size_t depth = steps_.size();
        back_up(returns);
        note(returns, depth);
        return true;
    }

    [[nodiscard]] bool done() const noexcept { return tree_.solved(); }

private:
    // Step 1. Select: descend along the most promising actions, to a known result or to a state
    // that has no node yet.

    [[nodiscard]] bool select(std::int64_t turn) {
        while (node_->returns() == nullptr &&
               static_cast<std::int64_t>(steps_.size()) < settings_.max_depth) {
            switch (kind_of_node()) {
                case Kind::leaf:
                    if (tree_.is_full()) return true;
                    open_leaf();
                    continue;
                case Kind::decision:
                    if (!choose_actions(turn)) return false;
                    break;
                case Kind::chance:
                    choose_outcome();
                    break;
                case Kind::sampled:
                    if (!choose_successor()) return false;
            }
            if (has_state_) return true;
        }
        return true;
    }

    [[nodiscard]] Kind kind_of_node() {
        const NodeLock lock(node_->lock);
        return node_->kind;
    }

    void open_leaf() {
        tree_.packing_.unpack_into(node_->state, state_);
        const NodeLock lock(node_->lock);
        if (node_->kind == Kind::leaf && node_->returns() == nullptr) {
            tree_.open(*node_, state_, slabs_);
        }
    }

    void enter(Node* node) {
        node_ = node;
        passed_.push_back(node);
        const NodeLock lock(node->lock);
        ++node->loss;
    }

    [[nodiscard]] bool choose_actions(std::int64_t turn) {
        Decision& decision = *node_->decision;
        const bool is_even =
            steps_.empty() && decision.bandits.size() == 1 && turn % settings_.even_turn == 0;
        steps_.push_back({node_, static_cast<std::uint32_t>(places_.size())});
        for (Bandit<Action>& bandit : decision.bandits) {
            places_.push_back(static_cast<std::uint32_t>(choose_action(bandit, is_even)));
        }
        Node* child = child_at(last_places());
        if (child == nullptr && settings_.samples_chance) child = between();
        if (child != nullptr) {
            enter(child);
            return true;
        }
        JointAction<R> joint;
        const std::size_t acting = actions_at(joint);
        tree_.packing_.unpack_into(node_->state, state_);
        return step(std::span<const Action>(joint.data(), acting));
    }

    // The place of an untried action, or of the one that the rule takes.
    [[nodiscard]] std::size_t choose_action(Bandit<Action>& bandit, bool is_even) {
        const bool looks_at_children = node_->decision->bandits.size() == 1 &&
                                       (kShared || settings_.transpositions || settings_.provable);
        const bool weighs = WeighsLegality<R> && settings_.legality;
        {
            const NodeLock lock(node_->lock);
            if (!bandit.untried.empty()) return bandit.try_one(rng_, slabs_);
            if (!looks_at_children && !weighs) {
                if constexpr (!kShared) {
                    if (is_even) return least_tried(bandit.arms.items());
                    return search::select(settings_.select.rule, bandit.tried(),
                                          settings_.select.exploration, span(), rng_);
                }
            }
            scratch_.arms.assign(bandit.arms.begin(), bandit.arms.end());
            scratch_.priors.assign(bandit.priors.begin(), bandit.priors.end());
            if constexpr (WeighsLegality<R>) weigh(bandit);
            children_.assign(node_->decision->children.begin(), node_->decision->children.end());
        }
        const std::int64_t total = look_at_children(bandit.seat, looks_at_children);
        if (is_even) return least_tried(scratch_.arms);
        return search::select(settings_.select.rule, {scratch_.arms, total, scratch_.priors},
                              settings_.select.exploration, span(), rng_);
    }

    // The statistics that actions are compared by: with afterstates those of the nodes that they
    // lead to. What was entered and not yet updated counts as lost so far, and what is proven to
    // lose counts as lost. Returns the visits of all.
    [[nodiscard]] std::int64_t look_at_children(int seat, bool looks) {
        std::int64_t total = 0;
        const auto index = static_cast<std::size_t>(seat);
        for (std::size_t i = 0; i < scratch_.arms.size(); ++i) {
            Arm& arm = scratch_.arms[i];
            Node* const child = looks && i < children_.size() ? children_[i] : nullptr;
            if (child != nullptr) {
                const NodeLock lock(child->lock);
                if (tree_.counts_children() && child->visits > 0) {
                    arm.visits = child->visits;
                    arm.mean = child->values[index];
                    if (tree_.has_squares()) arm.square = child->values[tree_.seats_ + index];
                    arm.spread = 1.0 / std::sqrt(static_cast<double>(arm.visits));
                }
                if (child->loss > 0) {
                    const double share = static_cast<double>(child->loss) /
                                         static_cast<double>(std::max<std::int64_t>(arm.visits, 1));
                    arm.mean = arm.mean - span() * share;
                }
            }
            total += arm.visits;
            if (child != nullptr && settings_.provable) {
                const double* const returns = child->returns();
                if (returns != nullptr && returns[index] < 0.0) arm.mean = kLost;
            }
            if constexpr (kShared) {
                if (arm.visits == 0) {  // another thread is on its first way there
                    arm.visits = 1;
                    arm.mean = 2.0 * kLost;
                }
            }
        }
        return kShared ? std::max<std::int64_t>(total, 1) : total;
    }

    // Scale means and bonuses by how likely the actions are to be legal, above the least return.
    void weigh(const Bandit<Action>& bandit) {
        const double low = std::isinf(range_.low) ? 0.0 : range_.low;
        for (std::size_t i = 0; i < bandit.legality.size(); ++i) {
            Arm& arm = scratch_.arms[i];
            arm.mean = low + bandit.legality[i] * (arm.mean - low);
            arm.spread *= bandit.legality[i];
            if (i < scratch_.priors.size()) scratch_.priors[i] *= bandit.legality[i];
        }
    }

    // The least visited action that is not proven to lose.
    [[nodiscard]] static std::size_t least_tried(std::span<const Arm> arms) noexcept {
        return highest(arms.size(), [&](std::size_t i) {
            return arms[i].mean == kLost ? -INFINITY : -static_cast<double>(arms[i].visits);
        });
    }

    [[nodiscard]] std::span<const std::uint32_t> last_places() const noexcept {
        return std::span<const std::uint32_t>(places_).subspan(steps_.back().first);
    }

    [[nodiscard]] Node* child_at(std::span<const std::uint32_t> places) {
        const NodeLock lock(node_->lock);
        Decision& decision = *node_->decision;
        if (places.size() == 1) {
            return places[0] < decision.children.size() ? decision.children[places[0]] : nullptr;
        }
        const std::uint64_t key = joint_key(places);
        for (const JointChild& one : decision.joint) {
            if (one.places == key) return one.child;
        }
        return nullptr;
    }

    // Put a child where there is none; returns the one that is there then.
    Node* put_child(std::span<const std::uint32_t> places, Node* child) {
        const NodeLock lock(node_->lock);
        Decision& decision = *node_->decision;
        if (places.size() > 1) {
            const std::uint64_t key = joint_key(places);
            for (const JointChild& one : decision.joint) {
                if (one.places == key) return one.child;
            }
            decision.joint.push_back({key, child}, slabs_);
            return child;
        }
        while (decision.children.size() <= places[0]) decision.children.push_back(nullptr, slabs_);
        Node*& place = decision.children[places[0]];
        if (place == nullptr) place = child;
        return place;
    }

    std::size_t actions_at(JointAction<R>& joint) {
        const NodeLock lock(node_->lock);
        const std::span<const std::uint32_t> places = last_places();
        for (std::size_t i = 0; i < places.size(); ++i) {
            joint[i] = node_->decision->bandits[i].actions[places[i]];
        }
        return places.size();
    }

    // Make the next state in `state_`. False when the budget is spent.
    [[nodiscard]] bool step(std::span<const Action> actions) {
        meter_.count_copy();
        if (!meter_.spend()) return false;
        rules_.apply(state_, actions, rng_);
        has_state_ = true;
        return true;
    }

    // The outcome whose visits are furthest below its probability, or a drawn one.
    void choose_outcome() {
        if constexpr (ListsChance<R>) {
            ChanceNode& chance = *node_->chance;
            Node* child = nullptr;
            {
                const NodeLock lock(node_->lock);
                branch_ = settings_.draws_outcomes ? drawn_outcome(chance) : behind(chance);
                ++chance.outcomes[branch_].count;
                child = chance.outcomes[branch_].child;
            }
            if (child != nullptr) {
                enter(child);
                return;
            }
            tree_.packing_.unpack_into(node_->state, state_);
            meter_.count_copy();
            rules_.resolve(state_,
                           static_cast<typename R::Outcome>(chance.outcomes[branch_].outcome));
            has_state_ = true;
        }
    }

    [[nodiscard]] static std::size_t behind(ChanceNode& chance) noexcept {
        ++chance.total;
        return highest(chance.outcomes.size(), [&](std::size_t i) {
            const OutcomeBranch& one = chance.outcomes[i];
            return one.probability * static_cast<double>(chance.total) -
                   static_cast<double>(one.count);
        });
    }

    [[nodiscard]] std::size_t drawn_outcome(ChanceNode& chance) noexcept {
        ++chance.total;
        weights_.clear();
        for (const OutcomeBranch& one : chance.outcomes) weights_.push_back(one.probability);
        return rng_.weighted(weights_);
    }

    // Progressive widening (Couetoux et al. 2011): step again, or take a state seen before, each as
    // often as it was seen.
    [[nodiscard]] bool choose_successor() {
        SampledNode& sampled = *node_->sampled;
        std::int64_t children = 0, total = 0;
        {
            const NodeLock lock(node_->lock);
            total = ++sampled.total;
            children = sampled.children;
        }
        if (static_cast<double>(children) <
            std::pow(static_cast<double>(total), settings_.widening)) {
            tree_.packing_.unpack_into(node_->state, state_);
            if (!step(sampled.joint)) return false;
            key_ = key_of(rules_, state_);
            Node* child = nullptr;
            {
                const NodeLock lock(node_->lock);
                branch_ = sighted(sampled);
                child = sampled.seen[branch_].child;
            }
            if (child != nullptr) {
                has_state_ = false;
                enter(child);
            }
            return true;
        }
        Node* child = nullptr;
        {
            const NodeLock lock(node_->lock);
            weights_.clear();
            drawn_.clear();
            for (const SampledBranch& one : sampled.seen) {
                if (one.child == nullptr) continue;
                weights_.push_back(static_cast<double>(one.count));
                drawn_.push_back(one.child);
            }
            child = drawn_[rng_.weighted(weights_)];
        }
        enter(child);
        return true;
    }

    // Count a sighting of the successor with this key; returns where it is listed.
    [[nodiscard]] std::size_t sighted(SampledNode& sampled) {
        std::size_t i = 0;
        while (i < sampled.seen.size() && !(sampled.seen[i].key == key_)) ++i;
        if (i == sampled.seen.size()) sampled.seen.push_back({key_, 0, nullptr}, slabs_);
        ++sampled.seen[i].count;
        return i;
    }

    // Step 2. Expand: give states nodes.

    // The node between an action and the states that sampled chance makes of it.
    [[nodiscard]] Node* between() {
        if (!tree_.has_room()) return nullptr;
        JointAction<R> joint;
        const std::size_t acting = actions_at(joint);
        Node* const node = tree_.new_node(node_->state, Kind::sampled, slabs_);
        node->sampled = slabs_.make<SampledNode>();
        node->sampled->joint = slabs_.copy_of(std::span<const Action>(joint.data(), acting));
        Node* const kept = put_child(last_places(), node);
        if (kept != node) --tree_.size_;
        return kept;
    }

    // Give the new state a node, or find the one it is merged with; false when the tree is full.
    bool add() {
        Node* child = nullptr;
        bool is_made = false;
        const auto make = [&]() -> Node* {
            if (!tree_.has_room()) return nullptr;
            is_made = true;
            return tree_.new_node(state_, slabs_);
        };
        child = settings_.transpositions
                    ? tree_.merged_.find_or(key_of(rules_, state_), slabs_, make)
                    : make();
        if (child == nullptr) return false;
        Node* const kept = put_below(child);
        if (kept != child && is_made && !settings_.transpositions) --tree_.size_;
        has_state_ = false;
        enter(kept);
        return true;
    }

    Node* put_below(Node* child) {
        if (node_->kind == Kind::decision) return put_child(last_places(), child);
        const NodeLock lock(node_->lock);
        Node*& place = node_->kind == Kind::chance ? node_->chance->outcomes[branch_].child
                                                   : node_->sampled->seen[branch_].child;
        if (place == nullptr) {
            place = child;
            if (node_->kind == Kind::sampled) ++node_->sampled->children;
        }
        return place;
    }

    // Step 3. Simulate: take a known result, or play on. False when the budget is spent.

    [[nodiscard]] bool simulate(const Evaluator<R>& evaluator, PerSeat<R>& returns) {
        if (settings_.provable && settings_.look_ahead && has_state_ && add()) {
            if (kind_of_node() == Kind::leaf && node_->returns() == nullptr && !find_win()) {
                return false;
            }
        }
        if (!has_state_) {
            if (const double* const known = node_->returns()) {
                std::copy_n(known, tree_.seats_, returns.begin());
                return true;
            }
            tree_.packing_.unpack_into(node_->state, state_);
        }
        current_ = state_;
        meter_.count_copy();
        const RolloutEnd end = rollout_by_any(settings_.rollout, rollout_rules_, current_,
                                              settings_.rollout_depth, rng_, meter_);
        if (end.cut || end.refused) return false;
        evaluator.value_of(rules_, current_, end.ticks, returns);
        // With dice pending, the rollout saw one way to end, not the only one.
        if (has_state_ && add() && end.ticks == 0 && rules_.over(state_)) {
            tree_.set_returns(*node_, tree_.kept_returns(returns, slabs_));
        }
        return true;
    }

    // Prove a new leaf if it is an end, or if an action wins at once. False when the budget is
    // spent.
    [[nodiscard]] bool find_win() {
        const SeatSet seats = rules_.to_act(state_);
        if (seats == kNobody) {
            open_leaf();
            return true;
        }
        const int seat = std::countr_zero(seats);
        LegalBuffer<R> legal;
        const auto count = static_cast<std::size_t>(rules_.legal(state_, seat, legal));
        Rng idle(0);
        for (std::size_t i = 0; i < count; ++i) {
            current_ = state_;
            meter_.count_copy();
            if (!meter_.spend()) return false;
            rules_.apply(current_, std::span<const Action>(&legal[i], 1), idle);
            if (rules_.over(current_) && rules_.return_of(current_, seat) > 0.0) {
                tree_.set_returns(*node_, tree_.kept_returns(tree_.ended(current_), slabs_));
                return true;
            }
        }
        return true;
    }

    // Take back what the unfinished iteration has begun; the search may be gone on with.
    void drop() {
        if constexpr (!kShared) {
            for (Node* const node : passed_) node->loss = 0;
            if (steps_.empty()) return;
            Decision& decision = *steps_.back().node->decision;  // only there actions can be new
            const std::span<const std::uint32_t> places = last_places();
            bool is_new = false;
            for (std::size_t i = 0; i < places.size(); ++i) {
                Bandit<Action>& bandit = decision.bandits[i];
                if (bandit.arms[places[i]].visits > 0) continue;
                bandit.forget_last(slabs_);
                is_new = true;
            }
            if (!is_new) return;
            if (places.size() == 1) {
                while (decision.children.size() > places[0]) (void)decision.children.pop_back();
            } else if (!decision.joint.empty() &&
                       decision.joint.back().places == joint_key(places)) {
                (void)decision.joint.pop_back();
            }
        }
    }

    // Step 4. Back up: record the result for every action and every node of the way, each of them
    // once.

    void back_up(const PerSeat<R>& returns) {
        if (settings_.transpositions) drop_repeated();
        if (settings_.backup == Backup::mean) {
            for (const Step& step : steps_) record(step, returns);
        } else {
            back_up_best(returns);
        }
        for (Node* const node : passed_) {
            const NodeLock lock(node->lock);
            ++node->visits;
            node->loss = 0;
            const auto count = static_cast<double>(node->visits);
            for (std::size_t seat = 0; seat < tree_.seats_; ++seat) {
                node->values[seat] += (returns[seat] - node->values[seat]) / count;
                if (tree_.has_squares()) {
                    node->values[tree_.seats_ + seat] += returns[seat] * returns[seat];
                }
            }
        }
        if (settings_.provable && !has_state_ && node_->returns() != nullptr) prove();
    }

    // Rings of merged nodes can be passed more than once.
    void drop_repeated() {
        seen_.clear();
        std::erase_if(passed_, [&](const Node* node) { return !seen_.add(node, 0); });
        seen_.clear();
        std::erase_if(steps_, [&](const Step& step) {
            const std::size_t bandits = step.node->decision->bandits.size();
            const auto places =
                std::span<const std::uint32_t>(places_).subspan(step.first, bandits);
            return !seen_.add(step.node, joint_key(places));
        });
    }

    void record(const Step& step, const PerSeat<R>& returns) {
        const NodeLock lock(step.node->lock);
        std::size_t place = step.first;
        for (Bandit<Action>& bandit : step.node->decision->bandits) {
            bandit.record(places_[place++], returns[static_cast<std::size_t>(bandit.seat)]);
        }
    }

    // Average in the result at the end of the path, and above it the best reply below.
    void back_up_best(PerSeat<R> returns) {
        for (std::size_t i = steps_.size(); i-- > 0;) {
            record(steps_[i], returns);
            const NodeLock lock(steps_[i].node->lock);
            Decision& decision = *steps_[i].node->decision;
            const SlabList<Arm>& arms = decision.bandits[0].arms;
            const std::size_t place = places_[steps_[i].first];
            while (decision.vectors.size() <= place) decision.vectors.push_back(nullptr, slabs_);
            double*& vector = decision.vectors[place];
            if (vector == nullptr) {
                vector = slabs_.room<double>(tree_.seats_);
                std::fill_n(vector, tree_.seats_, 0.0);
            }
            const auto count = static_cast<double>(arms[place].visits);
            for (std::size_t seat = 0; seat < tree_.seats_; ++seat) {
                vector[seat] += (returns[seat] - vector[seat]) / count;
            }
            const std::size_t best = highest(arms.size(), [&](std::size_t one) {
                const bool is_known =
                    one < decision.vectors.size() && decision.vectors[one] != nullptr;
                return is_known ? arms[one].mean : -INFINITY;
            });
            std::copy_n(decision.vectors[best], tree_.seats_, returns.begin());
        }
    }

    // MCTS-Solver (Winands, Bjornsson and Saito 2008): take a certain result up the path. One
    // winning reply proves a node; otherwise all replies must be proven, and the best counts.
    void prove() {
        const double* returns = node_->returns();
        for (std::size_t i = steps_.size(); i-- > 0;) {
            Node& node = *steps_[i].node;
            const auto seat = static_cast<std::size_t>(node.decision->bandits[0].seat);
            if (returns[seat] <= 0.0) {
                {
                    const NodeLock lock(node.lock);
                    const Decision& decision = *node.decision;
                    if (!decision.bandits[0].untried.empty()) return;
                    if (decision.children.size() < decision.bandits[0].arms.size()) return;
                    children_.assign(decision.children.begin(), decision.children.end());
                }
                const double* best = nullptr;
                for (const Node* const child : children_) {
                    const double* const known = child == nullptr ? nullptr : child->returns();
                    if (known == nullptr) return;
                    if (best == nullptr || known[seat] > best[seat]) best = known;
                }
                returns = best;
            }
            tree_.set_returns(node, returns);
        }
    }

    void note(const PerSeat<R>& returns, std::size_t depth) {
        const NodeLock lock(tree_.noting_);
        Counters& counted = tree_.counted_;
        counted.range.widen(std::span<const double>(returns).first(tree_.seats_));
        counted.depth = std::max(counted.depth, static_cast<std::int64_t>(depth));
        ++counted.iterations;
        range_ = counted.range;
    }

    [[nodiscard]] double span() const noexcept { return range_.span; }

    MctsTree& tree_;
    const R& rules_;
    const R& rollout_rules_;
    const MctsSettings<R>& settings_;
    Meter& meter_;
    Rng& rng_;
    Slabs& slabs_;
    Range range_;  // of the returns seen, as this thread knows it

    Node* node_ = nullptr;  // the last one that was reached
    std::vector<Step> steps_;
    std::vector<std::uint32_t> places_;
    std::vector<Node*> passed_;  // nodes that were entered; the root is not
    bool has_state_ = false;     // `state_` is new and has no node
    State state_;
    State current_;  // where the rollout is
    std::size_t branch_ = 0;
    Key key_;
    SelectionScratch scratch_;
    std::vector<Node*> children_;
    std::vector<Node*> drawn_;
    std::vector<double> weights_;
    VisitSet seen_;
};

}  // namespace ludex::search
