// Information-set Monte-Carlo tree search: statistics belong to what a seat can see. The twin of
// planners/ismcts.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "../hidden.hpp"
#include "../kernels.hpp"
#include "../keys.hpp"
#include "../meter.hpp"
#include "../policies.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "bandit.hpp"
#include "evaluator.hpp"
#include "node_table.hpp"
#include "running.hpp"
#include "slabs.hpp"
#include "source.hpp"
#include "tree.hpp"
#include "visit_set.hpp"

namespace ludex::search {

// The parameters of the planner, under their names.
template <WorldRules R>
struct IsmctsSettings {
    SelectionSettings select;
    bool each_observes = true;  // else the searcher's view tells nodes apart
    bool is_hidden = true;      // the model hides something; else keys are those of whole states
    AnyPolicy<R> rollout;
    std::int64_t rollout_depth = 1000;
    Value value = Value::returns;
    double score_scale = 10.0;
    std::int64_t max_nodes = 250'000;
};

template <WorldRules R, bool kShared>
class IsmctsTree final : public SearchTree {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    class Worker;

    IsmctsTree(const R& rules, const R& rollout_rules, StateSource<R> source,
               std::span<const Action> legal, int seat, IsmctsSettings<R> settings,
               std::shared_ptr<Stock> stock)
        : rules_(&rules),
          rollout_rules_(&rollout_rules),
          source_(std::move(source)),
          settings_(std::move(settings)),
          seats_(static_cast<std::size_t>(rules.seats())),
          stock_(std::move(stock)),
          others_(stock_) {
        slabs_.push_back(std::make_unique<Slabs>(stock_));
        root_.bandit.open(seat, legal, *slabs_[0]);
        size_ = 1;
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
        std::size_t sum = others_.bytes();
        for (const auto& slabs : slabs_) sum += slabs->taken();
        return sum;
    }

    [[nodiscard]] std::vector<BanditRecord> root_bandits(int /*seat*/) const override {
        return {record_of(root_.bandit)};
    }
    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t first,
                                                      std::size_t /*longest*/) const override {
        return {first};  // what others hold is not known, so there is no single line
    }

    // The root, then all others in any order: they have no links.
    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const override {
        std::vector<NodeRecord> found;
        const auto add = [&](const Node& node) {
            if (found.size() == most) return;
            NodeRecord record;
            record.kind = "information set";
            record.visits = node.bandit.total;
            record.bandits.push_back(record_of(node.bandit));
            found.push_back(std::move(record));
        };
        add(root_);
        others_.for_each(add);
        return found;
    }

private:
    struct Node {
        [[no_unique_address]] std::conditional_t<kShared, SpinLock, NoLock> lock;
        Bandit<Action> bandit;
    };
    struct Step {
        Node* node = nullptr;
        std::size_t place = 0;
    };
    using NodeLock = std::scoped_lock<std::conditional_t<kShared, SpinLock, NoLock>>;

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
    IsmctsSettings<R> settings_;
    std::size_t seats_;
    std::shared_ptr<Stock> stock_;
    std::mutex making_;
    std::vector<std::unique_ptr<Slabs>> slabs_;  // one for each thread
    Node root_;
    NodeTable<Node, kShared> others_;  // by acting seat and what the observer sees
    Counter<kShared> size_ = 0;
    Counter<kShared> refused_ = 0;
    std::conditional_t<kShared, SpinLock, NoLock> noting_;
    Counters counted_;
};

// One thread at work on the tree.
template <WorldRules R, bool kShared>
class IsmctsTree<R, kShared>::Worker {
public:
    Worker(IsmctsTree& tree, Meter& meter, Rng& rng, int thread, Slabs& slabs)
        : tree_(tree),
          rules_(*tree.rules_),
          rollout_rules_(*tree.rollout_rules_),
          settings_(tree.settings_),
          meter_(meter),
          rng_(rng),
          hidden_(kShared ? tree.source_.stream.fork(static_cast<std::uint64_t>(thread))
                          : tree.source_.stream),
          slabs_(slabs),
          range_(tree.range()) {}

    // The stream is gone on with in the next batch of iterations.
    ~Worker() {
        if constexpr (!kShared) tree_.source_.stream = hidden_;
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Determinise what is hidden, play along the tree to new information, and on from there. False
    // when the budget ended on the way: the iteration is dropped.
    [[nodiscard]] bool iterate(std::int64_t number) {
        tree_.source_.put(rules_, number, hidden_, state_);
        meter_.count_copy();
        const Evaluator<R> evaluator(rules_, state_, settings_.value, settings_.score_scale);
        path_.clear();
        PerSeat<R> returns;
        if (!select() || !simulate(evaluator, returns)) return false;
        for (const Step& step : path_) {
            const NodeLock lock(step.node->lock);
            Bandit<Action>& bandit = step.node->bandit;
            bandit.record(step.place, returns[static_cast<std::size_t>(bandit.seat)]);
        }
        note(returns);
        return true;
    }

    [[nodiscard]] bool done() const noexcept { return false; }

private:
    // Steps 1 and 2. Select, and expand by what is new: play in place along the tree. False when
    // the budget is spent.
    [[nodiscard]] bool select() {
        depth_ = 0;
        met_.clear();
        bool is_new = false;
        while (!is_new) {
            SeatSet seats = rules_.to_act(state_);
            if (seats == kNobody) break;
            JointAction<R> joint;
            std::size_t acting = 0;
            for (; seats != kNobody; seats &= seats - 1, ++acting) {
                const int seat = std::countr_zero(seats);
                LegalBuffer<R> legal;
                const int count = rules_.legal(state_, seat, legal);
                const auto listed =
                    std::span<const Action>(legal).first(static_cast<std::size_t>(count));
                Node* const node = node_of(seat, listed, is_new);
                joint[acting] =
                    node == nullptr ? listed[rng_.below(listed.size())] : choose(*node, listed);
            }
            if (!meter_.spend()) return false;
            rules_.apply(state_, std::span<const Action>(joint.data(), acting), rng_);
            settle(rules_, state_, rng_);
            ++depth_;
        }
        return true;
    }

    // The node of what is seen; none when it is new and the tree is full. The descent ends with it
    // where the information is new, and where it comes up for the second time: that is a circle,
    // and it might never be left.
    [[nodiscard]] Node* node_of(int seat, std::span<const Action> legal, bool& is_new) {
        const int searcher = tree_.root_.bandit.seat;
        const int observer = settings_.each_observes ? seat : searcher;
        Key key =
            settings_.is_hidden ? view_key_of(rules_, state_, observer) : key_of(rules_, state_);
        key.high ^= mix(static_cast<std::uint64_t>(seat) + 1);
        if (!met_.add(key.low, key.high)) is_new = true;
        if (depth_ == 0 && seat == searcher) return &tree_.root_;
        return tree_.others_.find_or(key, slabs_, [&]() -> Node* {
            is_new = true;
            if (!tree_.has_room()) return nullptr;
            Node* const made = slabs_.make<Node>();
            made->bandit.open(seat, legal, slabs_);
            return made;
        });
    }

    [[nodiscard]] Action choose(Node& node, std::span<const Action> legal) {
        const NodeLock lock(node.lock);
        const auto chosen =
            node.bandit.choose(legal, settings_.select, range_.span, rng_, slabs_, scratch_);
        if constexpr (kShared) node.bandit.lose(chosen.place, slabs_);
        path_.push_back({&node, chosen.place});
        return node.bandit.actions[chosen.place];
    }

    // Step 3. Simulate: value the state reached by playing on. False when the budget is spent.
    [[nodiscard]] bool simulate(const Evaluator<R>& evaluator, PerSeat<R>& returns) {
        meter_.count_copy();
        const RolloutEnd end = rollout_by_any(settings_.rollout, rollout_rules_, state_,
                                              settings_.rollout_depth, rng_, meter_);
        if (end.cut || end.refused) return false;
        evaluator.value_of(rules_, state_, depth_ + end.ticks, returns);
        return true;
    }

    void note(const PerSeat<R>& returns) {
        const NodeLock lock(tree_.noting_);
        Counters& counted = tree_.counted_;
        counted.range.widen(std::span<const double>(returns).first(tree_.seats_));
        counted.depth = std::max(counted.depth, depth_);
        ++counted.iterations;
        range_ = counted.range;
    }

    IsmctsTree& tree_;
    const R& rules_;
    const R& rollout_rules_;
    const IsmctsSettings<R>& settings_;
    Meter& meter_;
    Rng& rng_;
    Rng hidden_;
    Slabs& slabs_;
    Range range_;  // of the returns seen, as this thread knows it

    State state_;
    std::vector<Step> path_;
    std::int64_t depth_ = 0;
    VisitSet met_;
    SelectionScratch scratch_;
};

}  // namespace ludex::search
