// Open-loop Monte-Carlo tree search: nodes are sequences of actions, not states. The twin of
// planners/open_loop_mcts.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../kernels.hpp"
#include "../meter.hpp"
#include "../policies.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "bandit.hpp"
#include "evaluator.hpp"
#include "running.hpp"
#include "slabs.hpp"
#include "source.hpp"
#include "tree.hpp"

namespace ludex::search {

// The parameters of the planner, under their names.
template <WorldRules R>
struct OpenLoopSettings {
    SelectionSettings select;
    AnyPolicy<R> rollout;
    std::int64_t rollout_depth = 50;
    bool depth_from_root = false;
    std::int64_t deepest = INT64_MAX;  // ticks in the tree
    Value value = Value::returns;
    double score_scale = 10.0;
    std::int64_t max_nodes = 250'000;
};

template <WorldRules R, bool kShared>
class OpenLoopTree final : public SearchTree {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    class Worker;

    OpenLoopTree(const R& rules, const R& rollout_rules, StateSource<R> source,
                 std::span<const Action> legal, int seat, OpenLoopSettings<R> settings,
                 std::shared_ptr<Stock> stock)
        : rules_(&rules),
          rollout_rules_(&rollout_rules),
          source_(std::move(source)),
          settings_(std::move(settings)),
          seats_(static_cast<std::size_t>(rules.seats())),
          stock_(std::move(stock)) {
        slabs_.push_back(std::make_unique<Slabs>(stock_));
        root_ = new_node(*slabs_[0]);
        root_->bandits[static_cast<std::size_t>(seat)].open(seat, legal, *slabs_[0]);
        size_ = 1;
    }

    // Begin with what follows an action in the tree of the last decision, where one seat plays.
    void take_over(const OpenLoopTree& last, Action action) {
        if (seats_ != 1) return;
        const Bandit<Action>& bandit = last.root_->bandits[0];
        for (std::size_t i = 0; i < last.root_->after.size(); ++i) {
            if (bandit.actions[i] != action || last.root_->after[i] == nullptr) continue;
            size_ = 0;
            root_ = copied(*last.root_->after[i]);
        }
    }

    [[nodiscard]] StateSource<R>& source() noexcept { return source_; }

    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int thread) {
        const std::scoped_lock lock(making_);
        const auto index = static_cast<std::size_t>(thread);
        while (slabs_.size() <= index) slabs_.push_back(std::make_unique<Slabs>(stock_));
        return Worker(*this, meter, rng, thread, *slabs_[index]);
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
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t sum = 0;
        for (const auto& slabs : slabs_) sum += slabs->taken();
        return sum;
    }

    [[nodiscard]] std::vector<BanditRecord> root_bandits(int seat) const override {
        return {record_of(root_->bandits[static_cast<std::size_t>(seat)])};
    }

    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t first,
                                                      std::size_t longest) const override {
        std::vector<std::int64_t> line{first};
        const Node* node = nullptr;
        const Bandit<Action>& tried = root_->bandits[0];
        for (std::size_t i = 0; i < root_->after.size(); ++i) {
            if (static_cast<std::int64_t>(tried.actions[i]) == first) node = root_->after[i];
        }
        while (node != nullptr && line.size() < longest) {
            const Bandit<Action>& bandit = node->bandits[0];
            std::optional<std::size_t> most;
            for (std::size_t i = 0; i < bandit.arms.size(); ++i) {
                const std::int64_t visits = bandit.arms[i].visits;
                if (visits > 0 && (!most || visits > bandit.arms[*most].visits)) most = i;
            }
            if (!most) break;
            line.push_back(static_cast<std::int64_t>(bandit.actions[*most]));
            node = *most < node->after.size() ? node->after[*most] : nullptr;
        }
        return line;
    }

    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const override {
        std::vector<const Node*> listed{root_};
        std::vector<NodeRecord> found;
        for (std::size_t i = 0; i < listed.size() && i < most; ++i) {
            const Node& node = *listed[i];
            NodeRecord record;
            record.kind = "sequence";
            for (std::size_t seat = 0; seat < seats_; ++seat) {
                const Bandit<Action>& bandit = node.bandits[seat];
                if (bandit.legal.empty()) continue;
                record.visits = std::max(record.visits, bandit.total);
                record.bandits.push_back(record_of(bandit));
            }
            const auto add = [&](std::vector<std::int64_t> way, const Node* child) {
                if (child == nullptr) return;
                record.children.push_back(
                    {std::move(way), 0, static_cast<std::int64_t>(listed.size())});
                listed.push_back(child);
            };
            for (std::size_t place = 0; place < node.after.size(); ++place) {
                add({static_cast<std::int64_t>(node.bandits[0].actions[place])}, node.after[place]);
            }
            for (const Taken& one : node.taken) add({}, one.child);
            found.push_back(std::move(record));
        }
        return found;
    }

private:
    struct Node;
    // Joint actions that were taken, and the node after them, which is made the second time.
    struct Taken {
        std::uint64_t actions = 0;
        Node* child = nullptr;
    };
    struct Node {
        [[no_unique_address]] std::conditional_t<kShared, SpinLock, NoLock> lock;
        Bandit<Action>* bandits = nullptr;  // by seat; opened when the seat first acts here
        SlabList<Node*> after;              // with one seat: by the place of its action
        SlabList<Taken> taken;              // with several
    };
    struct Step {
        Node* node = nullptr;
        Bandit<Action>* bandit = nullptr;
        std::size_t place = 0;
        bool is_new = false;
    };
    using NodeLock = std::scoped_lock<std::conditional_t<kShared, SpinLock, NoLock>>;

    [[nodiscard]] Node* new_node(Slabs& slabs) const {
        Node* const node = slabs.make<Node>();
        node->bandits = slabs.room<Bandit<Action>>(seats_);
        for (std::size_t seat = 0; seat < seats_; ++seat) new (&node->bandits[seat]) Bandit<Action>;
        return node;
    }

    // A tree of one seat, without what nobody has come back from.
    [[nodiscard]] Node* copied(const Node& from) {
        Slabs& slabs = *slabs_[0];
        Node* const first = new_node(slabs);
        std::vector<std::pair<const Node*, Node*>> waiting{{&from, first}};
        while (!waiting.empty()) {
            const auto [old, made] = waiting.back();
            waiting.pop_back();
            ++size_;
            const Bandit<Action>& bandit = old->bandits[0];
            made->bandits[0].take_over(bandit, slabs);
            for (std::size_t i = 0; i < bandit.arms.size(); ++i) {
                if (bandit.arms[i].visits == 0) continue;
                const Node* const child = i < old->after.size() ? old->after[i] : nullptr;
                made->after.push_back(child == nullptr ? nullptr : new_node(slabs), slabs);
                if (child != nullptr) waiting.emplace_back(child, made->after.back());
            }
        }
        return first;
    }

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

    const R* rules_;  // of models that outlive the search, if not what is left of it
    const R* rollout_rules_;
    StateSource<R> source_;
    OpenLoopSettings<R> settings_;
    std::size_t seats_;
    std::shared_ptr<Stock> stock_;
    std::mutex making_;
    std::vector<std::unique_ptr<Slabs>> slabs_;  // one for each thread
    Node* root_ = nullptr;
    Counter<kShared> size_ = 0;
    Counter<kShared> refused_ = 0;
    std::conditional_t<kShared, SpinLock, NoLock> noting_;
    Counters counted_;
};

// One thread at work on the tree.
template <WorldRules R, bool kShared>
class OpenLoopTree<R, kShared>::Worker {
public:
    Worker(OpenLoopTree& tree, Meter& meter, Rng& rng, int thread, Slabs& slabs)
        : tree_(tree),
          rules_(*tree.rules_),
          rollout_rules_(*tree.rollout_rules_),
          settings_(tree.settings_),
          meter_(meter),
          rng_(rng),
          hidden_(kShared ? tree.source_.stream.fork(static_cast<std::uint64_t>(thread))
                          : tree.source_.stream),
          slabs_(slabs),
          range_(tree.range()) {
        if (tree.source_.is_known()) evaluator_.emplace(evaluator_beside(*tree.source_.known));
    }

    // The stream is gone on with in the next batch of iterations.
    ~Worker() {
        if constexpr (!kShared) tree_.source_.stream = hidden_;
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Play from the root along the tree, then on from where it ends; record the result. False when
    // the budget ended on the way: the iteration is dropped.
    [[nodiscard]] bool iterate(std::int64_t number) {
        tree_.source_.put(rules_, number, hidden_, state_);
        meter_.count_copy();
        if (!tree_.source_.is_known()) evaluator_.emplace(evaluator_beside(state_));
        path_.clear();
        PerSeat<R> returns;
        if (!select() || !simulate(returns)) {
            drop();
            return false;
        }
        for (const Step& step : path_) {
            const NodeLock lock(step.node->lock);
            step.bandit->record(step.place, returns[static_cast<std::size_t>(step.bandit->seat)]);
        }
        note(returns);
        return true;
    }

    [[nodiscard]] bool done() const noexcept { return false; }

private:
    // Steps 1 and 2. Select, and expand by one sequence: play in place along the tree, to the first
    // action that is new. False when the budget is spent.
    [[nodiscard]] bool select() {
        Node* node = tree_.root_;
        Node* above = nullptr;
        depth_ = 0;
        while (depth_ < settings_.deepest) {
            SeatSet seats = rules_.to_act(state_);
            if (seats == kNobody) break;
            if (node == nullptr) {
                node = make_child(above);
                if (node == nullptr) break;
            }
            JointAction<R> joint;
            std::size_t acting = 0;
            for (; seats != kNobody; seats &= seats - 1, ++acting) {
                joint[acting] = choose(*node, std::countr_zero(seats));
            }
            const std::span<const Action> actions(joint.data(), acting);
            if (!meter_.spend()) return false;
            rules_.apply(state_, actions, rng_);
            settle(rules_, state_, rng_);
            ++depth_;
            if (is_first(*node, actions)) break;
            above = node;
            node = child_;
        }
        return true;
    }

    // Choose one of the legal actions for a seat.
    [[nodiscard]] Action choose(Node& node, int seat) {
        LegalBuffer<R> legal;
        const int count = rules_.legal(state_, seat, legal);
        const auto listed = std::span<const Action>(legal).first(static_cast<std::size_t>(count));
        const NodeLock lock(node.lock);
        Bandit<Action>& bandit = node.bandits[static_cast<std::size_t>(seat)];
        if (bandit.legal.empty()) bandit.open(seat, listed, slabs_);
        const auto chosen =
            bandit.choose(listed, settings_.select, range_.span, rng_, slabs_, scratch_);
        if constexpr (kShared) bandit.lose(chosen.place, slabs_);
        path_.push_back({&node, &bandit, chosen.place, chosen.is_new});
        return bandit.actions[chosen.place];
    }

    // Whether actions are taken at a node for the first time; else what follows them is `child_`.
    [[nodiscard]] bool is_first(Node& node, std::span<const Action> actions) {
        child_ = nullptr;
        if (tree_.seats_ == 1) {
            if (path_.back().is_new) return true;
            const NodeLock lock(node.lock);
            const std::size_t place = path_.back().place;
            if (place < node.after.size()) child_ = node.after[place];
            return false;
        }
        key_ = actions.size();
        for (const Action action : actions) key_ = mix(key_) + action;
        const NodeLock lock(node.lock);
        for (const Taken& one : node.taken) {
            if (one.actions != key_) continue;
            child_ = one.child;
            return false;
        }
        node.taken.push_back({key_, nullptr}, slabs_);
        return true;
    }

    // The node after the actions that were taken last; none when the tree is full.
    [[nodiscard]] Node* make_child(Node* above) {
        if (!tree_.has_room()) return nullptr;
        Node* const made = tree_.new_node(slabs_);
        const NodeLock lock(above->lock);
        Node** place = nullptr;
        if (tree_.seats_ == 1) {
            const std::size_t index = path_.back().place;
            while (above->after.size() <= index) above->after.push_back(nullptr, slabs_);
            place = &above->after[index];
        } else {
            Taken* const found =
                std::find_if(above->taken.begin(), above->taken.end(),
                             [&](const Taken& one) { return one.actions == key_; });
            place = &found->child;
        }
        if (*place == nullptr) {
            *place = made;
        } else {
            --tree_.size_;  // another thread was quicker
        }
        return *place;
    }

    // Step 3. Simulate: value the state reached by playing on. False when the budget is spent.
    [[nodiscard]] bool simulate(PerSeat<R>& returns) {
        std::int64_t limit = settings_.rollout_depth;
        if (settings_.depth_from_root && limit > 0) limit -= depth_;
        meter_.count_copy();
        const RolloutEnd end =
            rollout_by_any(settings_.rollout, rollout_rules_, state_, limit, rng_, meter_);
        if (end.cut || end.refused) return false;
        evaluator_->value_of(rules_, state_, depth_ + end.ticks, returns);
        return true;
    }

    // Take back what the unfinished iteration has begun; a tree may be gone on with.
    void drop() {
        if constexpr (!kShared) {
            for (const Step& step : path_) {
                if (step.is_new) step.bandit->forget_last(slabs_);
            }
        }
    }

    void note(const PerSeat<R>& returns) {
        const NodeLock lock(tree_.noting_);
        Counters& counted = tree_.counted_;
        counted.range.widen(std::span<const double>(returns).first(tree_.seats_));
        counted.depth = std::max(counted.depth, depth_);
        ++counted.iterations;
        range_ = counted.range;
    }

    [[nodiscard]] Evaluator<R> evaluator_beside(const State& state) const noexcept {
        return Evaluator<R>(rules_, state, settings_.value, settings_.score_scale);
    }

    OpenLoopTree& tree_;
    const R& rules_;
    const R& rollout_rules_;
    const OpenLoopSettings<R>& settings_;
    Meter& meter_;
    Rng& rng_;
    Rng hidden_;
    Slabs& slabs_;
    Range range_;  // of the returns seen, as this thread knows it
    std::optional<Evaluator<R>> evaluator_;

    State state_;
    std::vector<Step> path_;
    std::int64_t depth_ = 0;
    std::uint64_t key_ = 0;
    Node* child_ = nullptr;
    SelectionScratch scratch_;
};

}  // namespace ludex::search
