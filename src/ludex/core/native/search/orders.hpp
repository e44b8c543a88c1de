// In which order searches through states expand nodes, and which they keep: breadth_first,
// best_first, a_star, beam and iterated_width of planners/.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../facts.hpp"
#include "../keys.hpp"
#include "../meter.hpp"
#include "../world.hpp"
#include "key_table.hpp"
#include "novelty.hpp"
#include "slabs.hpp"

namespace ludex::search {

// A state, how it was reached, and what was gained on the way.
struct ForwardNode {
    Key key;
    double value = 0.0;    // of the state
    double gain = 0.0;     // of the path: discounted changes in worth, less penalties
    double weight = 1.0;   // what a change after this node counts
    double hint = 0.0;     // a guess of the steps still missing, where the planner asks for one
    double rounded = 0.0;  // the gain in hundredths of a point of score: closer ones are the same
    ForwardNode* parent = nullptr;
    ForwardNode* next = nullptr;       // in a queue
    const std::byte* state = nullptr;  // packed; none when nobody asks for it any more
    std::uint32_t action = 0;
    std::uint32_t first = 0;   // the action of the root that this node follows, by its place
    std::uint32_t number = 0;  // among those that were kept
    std::int32_t depth = 0;
    bool is_won = false;
};

enum class Planned : std::uint8_t { breadth_first, best_first, a_star, beam, iterated_width };
constexpr std::array<std::string_view, 5> kPlannedNames{"breadth_first", "best_first", "a_star",
                                                        "beam", "iterated_width"};

// The parameters of the planners, under their names.
struct OrderSettings {
    Planned planner = Planned::breadth_first;
    bool is_shallowest = true;  // ties
    bool prune = true;
    double weight = 1.0;
    std::int64_t width = 16;
    std::int64_t least_width = 1;
    std::size_t most_facts = 16'384;  // of IW(2)
    std::int64_t max_depth = 30;
    bool widen = true;

    // Whether the planner asks for guesses.
    [[nodiscard]] bool guesses() const noexcept {
        return planner != Planned::breadth_first && planner != Planned::iterated_width;
    }
};

// By what nodes are compared: gain, what is missing, and depth if shorter is better.
[[nodiscard]] inline std::tuple<double, double, int> order_of(const ForwardNode& node,
                                                              bool is_shallowest) noexcept {
    return {node.rounded, -node.hint, is_shallowest ? -node.depth : 0};
}

// Whether a child is kept. Cut: the budget ended before that was known.
enum class Verdict : std::uint8_t { drop, keep, cut };

template <WorldRules R>
class Order {
public:
    using State = typename R::State;

    Order() = default;
    Order(const Order&) = delete;
    Order& operator=(const Order&) = delete;
    virtual ~Order() = default;

    // The node that is expanded next; none when there is nothing left to do.
    [[nodiscard]] virtual ForwardNode* next() = 0;
    // A node is expanded.
    virtual void open(const State& /*state*/) {}
    [[nodiscard]] virtual Verdict look_at(const ForwardNode& child, const State& state,
                                          Meter& meter) = 0;
    // Take in a child that is kept.
    virtual void add(ForwardNode& child) = 0;
    // Whether it looks at keys and gains, which take time; else they are for those that it keeps.
    [[nodiscard]] virtual bool needs_gains() const noexcept { return true; }
    // Whether the first win that is kept ends the search.
    [[nodiscard]] virtual bool ends_with_win() const noexcept { return true; }
};

// First in, first out.
class NodeQueue {
public:
    void push(ForwardNode& node) noexcept {
        node.next = nullptr;
        (last_ == nullptr ? first_ : last_->next) = &node;
        last_ = &node;
    }
    [[nodiscard]] ForwardNode* pop() noexcept {
        ForwardNode* const node = first_;
        if (node == nullptr) return nullptr;
        first_ = node->next;
        if (first_ == nullptr) last_ = nullptr;
        return node;
    }

private:
    ForwardNode* first_ = nullptr;
    ForwardNode* last_ = nullptr;
};

// The least first; of equals, the one that was pushed first.
class NodeHeap {
public:
    void push(double cost, double hint, ForwardNode& node, Slabs& slabs) {
        items_.push_back({cost, hint, pushed_++, &node}, slabs);
        std::push_heap(items_.begin(), items_.end(), &Item::is_after);
    }
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    void clear() noexcept { items_.clear(); }
    [[nodiscard]] ForwardNode* pop() noexcept {
        if (items_.empty()) return nullptr;
        std::pop_heap(items_.begin(), items_.end(), &Item::is_after);
        return items_.pop_back().node;
    }

private:
    struct Item {
        double cost, hint;
        std::uint64_t pushed;
        ForwardNode* node;

        [[nodiscard]] static bool is_after(const Item& a, const Item& b) noexcept {
            return std::tie(a.cost, a.hint, a.pushed) > std::tie(b.cost, b.hint, b.pushed);
        }
    };

    SlabList<Item> items_;
    std::uint64_t pushed_ = 0;
};

template <WorldRules R>
class BreadthFirstOrder final : public Order<R> {
public:
    BreadthFirstOrder(ForwardNode& root, bool prune, Slabs& slabs) : prune_(prune), slabs_(slabs) {
        seen_.add(root.key, 0.0, slabs);
        queue_.push(root);
    }

    ForwardNode* next() override { return queue_.pop(); }

    // A state that was reached before counts again only with a higher gain.
    Verdict look_at(const ForwardNode& child, const typename R::State& /*state*/,
                    Meter& /*meter*/) override {
        const auto found = seen_.add(child.key, child.rounded, slabs_);
        if (prune_ && !found.is_new && found.value >= child.rounded) return Verdict::drop;
        found.value = child.rounded;
        return Verdict::keep;
    }

    void add(ForwardNode& child) override { queue_.push(child); }

private:
    bool prune_;
    Slabs& slabs_;
    NodeQueue queue_;
    KeyTable<double> seen_;
};

template <WorldRules R>
class BestFirstOrder final : public Order<R> {
public:
    BestFirstOrder(ForwardNode& root, Slabs& slabs) : slabs_(slabs) {
        seen_.add(root.key, true, slabs);
        heap_.push(0.0, 0.0, root, slabs);
    }

    ForwardNode* next() override { return heap_.pop(); }

    Verdict look_at(const ForwardNode& child, const typename R::State& /*state*/,
                    Meter& /*meter*/) override {
        return seen_.add(child.key, true, slabs_).is_new ? Verdict::keep : Verdict::drop;
    }

    void add(ForwardNode& child) override { heap_.push(-child.gain, child.hint, child, slabs_); }

private:
    Slabs& slabs_;
    NodeHeap heap_;
    KeyTable<bool> seen_;
};

template <WorldRules R>
class AStarOrder final : public Order<R> {
public:
    AStarOrder(ForwardNode& root, double weight, Slabs& slabs) : weight_(weight), slabs_(slabs) {
        reached_.add(root.key, 0, slabs);
        heap_.push(0.0, 0.0, root, slabs);
    }

    ForwardNode* next() override {
        for (;;) {
            ForwardNode* const node = heap_.pop();
            if (node == nullptr || node->is_won) return nullptr;
            // Else a shorter way to it was found since.
            if (*reached_.find(node->key) >= node->depth) return node;
        }
    }

    Verdict look_at(const ForwardNode& child, const typename R::State& /*state*/,
                    Meter& /*meter*/) override {
        const auto found = reached_.add(child.key, child.depth, slabs_);
        if (!found.is_new && found.value <= child.depth) return Verdict::drop;
        found.value = child.depth;
        return Verdict::keep;
    }

    void add(ForwardNode& child) override {
        const double cost = static_cast<double>(child.depth) + weight_ * child.hint;
        heap_.push(cost, child.hint, child, slabs_);
    }

    // A win ends it when it comes up: another one may be nearer.
    bool ends_with_win() const noexcept override { return false; }

private:
    double weight_;
    Slabs& slabs_;
    NodeHeap heap_;
    KeyTable<std::int32_t> reached_;
};

// Layer by layer, the best `width` states of each; then again with twice the width. To sort a whole
// layer at once could take milliseconds, so its states are taken from a heap.
template <WorldRules R>
class BeamOrder final : public Order<R> {
public:
    BeamOrder(ForwardNode& root, const OrderSettings& settings, Slabs& slabs)
        : root_(root),
          settings_(settings),
          width_(std::min(settings.width, kWidest)),
          slabs_(slabs) {
        begin();
    }

    ForwardNode* next() override {
        while (left_ == 0) {
            if (has_next_layer()) continue;
            if (is_whole_ || !settings_.widen) return nullptr;
            width_ = std::min(2 * width_, kWidest);
            begin();
        }
        --left_;
        return layer_.pop();
    }

    Verdict look_at(const ForwardNode& child, const typename R::State& /*state*/,
                    Meter& /*meter*/) override {
        return seen_.add(child.key, true, slabs_).is_new ? Verdict::keep : Verdict::drop;
    }

    // All states of a layer are equally deep.
    void add(ForwardNode& child) override {
        children_.push(-child.rounded, child.hint, child, slabs_);
    }

private:
    static constexpr std::int64_t kWidest = std::int64_t{1} << 40;

    void begin() {
        seen_.clear();
        seen_.add(root_.key, true, slabs_);
        layer_.clear();
        layer_.push(0.0, 0.0, root_, slabs_);
        children_.clear();
        left_ = 1;
        depth_ = 0;
        is_whole_ = true;
    }

    // Take the best of the children; false when the search with this width is over.
    [[nodiscard]] bool has_next_layer() noexcept {
        const auto count = static_cast<std::int64_t>(children_.size());
        if (count == 0) return false;
        is_whole_ = is_whole_ && count <= width_;
        if (++depth_ >= settings_.max_depth) return false;
        left_ = std::min(count, width_);
        std::swap(layer_, children_);
        children_.clear();
        return true;
    }

    ForwardNode& root_;
    OrderSettings settings_;
    std::int64_t width_;
    Slabs& slabs_;
    KeyTable<bool> seen_;
    NodeHeap layer_, children_;
    std::int64_t left_ = 0;   // states of the layer that are still expanded
    std::int64_t depth_ = 0;  // of the layer
    bool is_whole_ = true;    // no state was left out
};

// Breadth first, but for states without a new fact or pair of facts.
template <HasFacts R>
class WidthOrder final : public Order<R> {
public:
    using State = typename R::State;

    WidthOrder(const R& rules, ForwardNode& root, const State& start, const OrderSettings& settings,
               Slabs& slabs)
        : rules_(&rules),
          root_(root),
          width_(settings.least_width),
          last_(settings.width),
          most_facts_(settings.most_facts),
          slabs_(slabs) {
        put_facts(rules, start, first_);
        begin();
    }

    ForwardNode* next() override {
        for (;;) {
            if (ForwardNode* const node = queue_.pop()) return node;
            if (++width_ > last_) return nullptr;
            begin();
        }
    }

    void open(const State& state) override {
        put_facts(*rules_, state, facts_);
        known_->hold(facts_);
    }

    Verdict look_at(const ForwardNode& child, const State& state, Meter& meter) override {
        if (child.is_won) return Verdict::keep;
        put_facts(*rules_, state, facts_);
        switch (known_->grows(facts_, meter)) {
            case Novelty::some:
                return Verdict::keep;
            case Novelty::none:
                return Verdict::drop;
            case Novelty::cut:
                break;
        }
        return Verdict::cut;
    }

    void add(ForwardNode& child) override { queue_.push(child); }

    bool needs_gains() const noexcept override { return false; }

private:
    void begin() {
        known_.emplace(first_, static_cast<int>(width_), most_facts_, slabs_);
        queue_.push(root_);
    }

    const R* rules_;
    ForwardNode& root_;
    std::int64_t width_;
    std::int64_t last_;
    std::size_t most_facts_;
    Slabs& slabs_;
    std::vector<std::uint64_t> first_, facts_;
    std::optional<Known> known_;
    NodeQueue queue_;
};

template <WorldRules R>
[[nodiscard]] std::unique_ptr<Order<R>> make_order([[maybe_unused]] const R& rules,
                                                   ForwardNode& root,
                                                   [[maybe_unused]] const typename R::State& start,
                                                   const OrderSettings& settings, Slabs& slabs) {
    switch (settings.planner) {
        case Planned::best_first:
            return std::make_unique<BestFirstOrder<R>>(root, slabs);
        case Planned::a_star:
            return std::make_unique<AStarOrder<R>>(root, settings.weight, slabs);
        case Planned::beam:
            return std::make_unique<BeamOrder<R>>(root, settings, slabs);
        case Planned::iterated_width:
            if constexpr (HasFacts<R>) {
                return std::make_unique<WidthOrder<R>>(rules, root, start, settings, slabs);
            }
            break;
        case Planned::breadth_first:
            break;
    }
    return std::make_unique<BreadthFirstOrder<R>>(root, settings.prune, slabs);
}

}  // namespace ludex::search
