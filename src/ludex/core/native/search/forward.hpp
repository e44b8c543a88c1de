// Search through states for one seat: the twin of planners/parts/forward.py. A node is a state in
// which the deciding seat acts, or in which the game is over. Which nodes are expanded, and which
// are kept, is in orders.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../kernels.hpp"
#include "../keys.hpp"
#include "../meter.hpp"
#include "../packing.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "evaluator.hpp"
#include "key_table.hpp"
#include "opponents.hpp"
#include "orders.hpp"
#include "slabs.hpp"
#include "state_search.hpp"

namespace ludex::search {

// The parameters of the planner, under their names.
struct ForwardSettings {
    OrderSettings order;
    double discount = 1.0;
    double revisit_penalty = 0.1;
    unsigned ignore = 0;
    Opponent opponent = Opponent::random;
    Value value = Value::returns;
    double score_scale = 10.0;
    std::int64_t max_nodes = 100'000;
};

// How often a real state was met.
struct Visited {
    Key key;
    std::int64_t times = 0;
};

// Pieces of slabs that are used again: of states that nobody asks for any more.
class Pieces {
public:
    [[nodiscard]] std::byte* take(std::size_t size, Slabs& slabs) {
        const std::size_t kind = (size + kStep - 1) / kStep;
        std::byte* piece = nullptr;
        if (kind < free_.size() && free_[kind] != nullptr) {
            piece = free_[kind];
            std::memcpy(&free_[kind], piece + kHead, sizeof(std::byte*));
        } else {
            piece = slabs.room<std::byte>(kHead + kind * kStep);
        }
        std::memcpy(piece, &kind, sizeof kind);
        return piece + kHead;
    }
    void give_back(const std::byte* taken) {
        std::byte* const piece = const_cast<std::byte*>(taken) - kHead;
        std::size_t kind = 0;
        std::memcpy(&kind, piece, sizeof kind);
        if (kind == 0) return;
        if (free_.size() <= kind) free_.resize(kind + 1);
        std::memcpy(piece + kHead, &free_[kind], sizeof(std::byte*));
        free_[kind] = piece;
    }

private:
    static constexpr std::size_t kHead = sizeof(std::size_t);  // says what kind it is
    static constexpr std::size_t kStep = 64;
    std::vector<std::byte*> free_;  // by kind, each the first of a list
};

template <WorldRules R>
class ForwardSearch final : public StateSearch {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    class Worker;

    ForwardSearch(const R& rules, const State& start, int seat, const ForwardSettings& settings,
                  std::span<const Visited> visited, std::shared_ptr<Stock> stock)
        : rules_(&rules),
          seat_(seat),
          settings_(settings),
          slabs_(std::move(stock)),
          packing_(start),
          evaluator_(rules, start, settings.value, settings.score_scale),
          others_(rules, settings.opponent, seat, evaluator_),
          penalty_(settings.revisit_penalty * evaluator_.point()),
          unit_(evaluator_.point() / 100.0) {
        for (const Visited& one : visited) visited_.add(one.key, one.times, slabs_);
        root_.key = key_of(rules, start, settings.ignore);
        root_.value = value_of(start);
        root_.state = packed(start);
        best_ = &root_;
        order_ = make_order(rules, root_, start, settings.order, slabs_);
        current_ = order_->next();
    }

    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        return Worker(*this, meter, rng);
    }

    [[nodiscard]] Counters counters() const override {
        Counters found;
        found.size = size_;
        found.iterations = iterations_;
        found.depth = depth_;
        return found;
    }
    [[nodiscard]] bool is_complete() const override { return is_complete_; }
    [[nodiscard]] bool is_won() const override { return best_->is_won; }
    [[nodiscard]] std::vector<PlannedStep> plan() const override {
        std::vector<PlannedStep> steps;
        for (const ForwardNode* node = best_; node->parent != nullptr; node = node->parent) {
            steps.push_back({node->parent->key, static_cast<std::int64_t>(node->action)});
        }
        std::reverse(steps.begin(), steps.end());
        return steps;
    }
    [[nodiscard]] std::vector<ActionStatistics> tried() const override { return tried_; }
    [[nodiscard]] std::vector<ForwardRecord> kept() const override {
        std::vector<ForwardRecord> records;
        for (const ForwardNode* const node : kept_) {
            const bool is_first = node->parent == &root_;
            records.push_back({node->key,
                               is_first ? -1 : static_cast<std::int64_t>(node->parent->number),
                               static_cast<std::int64_t>(node->action), node->depth, node->gain,
                               node->hint, node->is_won});
        }
        return records;
    }
    [[nodiscard]] std::size_t bytes() const override { return slabs_.taken(); }

private:
    [[nodiscard]] double value_of(const State& state) const noexcept {
        PerSeat<R> values;
        evaluator_.value_of(*rules_, state, 0, values);
        return values[static_cast<std::size_t>(seat_)];
    }

    [[nodiscard]] const std::byte* packed(const State& state) {
        return packing_.packed(state,
                               [this](std::size_t size) { return pieces_.take(size, slabs_); });
    }

    // The node of a state that an action led to.
    [[nodiscard]] ForwardNode child_of(ForwardNode& parent, Action action, const State& state) {
        ForwardNode node;
        node.parent = &parent;
        node.action = action;
        node.depth = parent.depth + 1;
        node.first = &parent == &root_ ? place_of(action) : parent.first;
        node.is_won = rules_->over(state) && has_won(*rules_, state, seat_);
        return node;
    }

    // Its key, and what was gained on the way to it.
    void weigh(ForwardNode& node, const State& state) {
        const ForwardNode& parent = *node.parent;
        node.value = value_of(state);
        node.key = key_of(*rules_, state, settings_.ignore);
        double change = node.value - parent.value;
        if (const std::int64_t* const again = visited_.find(node.key)) {
            change -= penalty_ * static_cast<double>(*again);
        }
        node.gain = parent.gain + parent.weight * change;
        node.weight = parent.weight * settings_.discount;
        node.rounded = std::nearbyint(node.gain / unit_);
    }

    // Of an action of the root.
    [[nodiscard]] std::uint32_t place_of(Action action) {
        const auto found =
            std::find_if(tried_.begin(), tried_.end(), [&](const ActionStatistics& one) {
                return one.action == static_cast<std::int64_t>(action);
            });
        const auto place = static_cast<std::uint32_t>(found - tried_.begin());
        if (found == tried_.end()) {
            tried_.push_back({static_cast<std::int64_t>(action), 0, -INFINITY});
        }
        return place;
    }

    // Take a node into account for the answer.
    [[nodiscard]] ForwardNode& keep(const ForwardNode& child, const State& state, Rng& rng) {
        ForwardNode& node = *new (slabs_.room<ForwardNode>(1)) ForwardNode(child);
        node.number = static_cast<std::uint32_t>(kept_.size());
        kept_.push_back(&node, slabs_);
        if (!node.is_won && settings_.order.guesses()) {
            node.hint = distance_of(*rules_, state, seat_);
        }
        ActionStatistics& first = tried_[node.first];
        ++first.visits;
        first.value = std::max(first.value, node.gain);
        depth_ = std::max<std::int64_t>(depth_, node.depth);
        const bool is_shallowest = settings_.order.is_shallowest;
        const auto order = order_of(node, is_shallowest), best = order_of(*best_, is_shallowest);
        if (best_ == &root_ || order > best) {
            best_ = &node;
            ties_ = 1;
        } else if (order == best) {
            ++ties_;
            if (rng.below(ties_) == 0) best_ = &node;  // each is as likely in the end
        }
        return node;
    }

    const R* rules_;  // of a model that outlives the search, if not what is left of it
    int seat_;
    ForwardSettings settings_;
    Slabs slabs_;
    Pieces pieces_;
    Packing<State> packing_;
    Evaluator<R> evaluator_;
    Opponents<R> others_;
    double penalty_;
    double unit_;
    KeyTable<std::int64_t> visited_;

    ForwardNode root_;
    ForwardNode* best_ = nullptr;
    std::uint64_t ties_ = 1;  // nodes as good as the best
    SlabList<ForwardNode*> kept_;
    std::vector<ActionStatistics> tried_;
    std::int64_t size_ = 1;
    std::int64_t iterations_ = 0;
    std::int64_t depth_ = 0;
    bool is_complete_ = false;

    std::unique_ptr<Order<R>> order_;
    ForwardNode* current_ = nullptr;  // the node that is expanded
    State state_;                     // of that node
    State child_;
    bool is_open_ = false;  // it is in the midst of being expanded
    LegalBuffer<R> actions_;
    std::size_t count_ = 0;
    std::size_t place_ = 0;  // the action that is tried next
};

// One run within a budget; where it was stopped from outside, the next one goes on.
template <WorldRules R>
class ForwardSearch<R>::Worker {
public:
    Worker(ForwardSearch& search, Meter& meter, Rng& rng)
        : search_(search), meter_(meter), rng_(rng) {}

    // Make the children of a node, one after another. False when the budget ended on the way.
    [[nodiscard]] bool iterate(std::int64_t /*number*/) {
        ForwardSearch& s = search_;
        if (s.current_ == nullptr) return end();
        if (!s.is_open_ && !open()) return false;
        while (s.place_ < s.count_) {
            const Action action = s.actions_[s.place_];
            s.child_ = s.state_;
            meter_.count_copy();
            if (!s.others_.act(s.child_, action, meter_, rng_)) return false;
            ++s.place_;
            ++s.size_;
            if (!take(s.child_of(*s.current_, action, s.child_))) return false;
            if (s.is_complete_) return true;
        }
        s.is_open_ = false;
        if (s.current_ != &s.root_) s.pieces_.give_back(std::exchange(s.current_->state, nullptr));
        s.current_ = s.order_->next();
        return s.current_ != nullptr || end();
    }

    [[nodiscard]] bool done() const noexcept { return search_.is_complete_; }

private:
    [[nodiscard]] bool end() noexcept { return search_.is_complete_ = true; }

    [[nodiscard]] bool open() {
        ForwardSearch& s = search_;
        if (s.size_ >= s.settings_.max_nodes) return false;
        ++s.iterations_;
        s.packing_.unpack_into(s.current_->state, s.state_);
        s.order_->open(s.state_);
        s.count_ = static_cast<std::size_t>(s.rules_->legal(s.state_, s.seat_, s.actions_));
        shuffle(std::span(s.actions_).first(s.count_), rng_);
        s.place_ = 0;
        return s.is_open_ = true;
    }

    // What can be played now counts for the answer, whether its state is new or not.
    [[nodiscard]] bool take(ForwardNode child) {
        ForwardSearch& s = search_;
        const bool needs_gains = s.order_->needs_gains();
        if (needs_gains) s.weigh(child, s.child_);
        const Verdict verdict = s.order_->look_at(child, s.child_, meter_);
        if (verdict == Verdict::cut) return false;
        if (verdict == Verdict::drop && s.current_ != &s.root_) return true;
        if (!needs_gains) s.weigh(child, s.child_);
        if (verdict == Verdict::keep) {
            ForwardNode& node = s.keep(child, s.child_, rng_);
            if (node.is_won && s.order_->ends_with_win()) return end();
            node.state = s.packed(s.child_);
            s.order_->add(node);
        } else {
            (void)s.keep(child, s.child_, rng_);
        }
        return true;
    }

    ForwardSearch& search_;
    Meter& meter_;
    Rng& rng_;
};

}  // namespace ludex::search
