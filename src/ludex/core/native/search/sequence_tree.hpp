// Statistics of all evaluated sequences: planners/parts/sequence_tree.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "genomes.hpp"
#include "slabs.hpp"
#include "tree.hpp"

namespace ludex::search {

class StatisticalTree {
public:
    static constexpr std::int64_t kMostNodes = 250'000;

    explicit StatisticalTree(std::shared_ptr<Stock> stock)
        : slabs_(std::move(stock)), root_(slabs_.make<Node>()) {}

    // Begin with what follows some actions in another tree.
    void take_over(const StatisticalTree& last, std::span<const std::int64_t> played) {
        const Node* node = last.root_;
        for (const std::int64_t action : played) {
            if (node != nullptr) node = child_of(*node, action);
        }
        if (node == nullptr) return;
        size_ = 0;
        std::vector<std::pair<const Node*, Node*>> waiting{{node, root_}};
        while (!waiting.empty()) {
            const auto [old, made] = waiting.back();
            waiting.pop_back();
            ++size_;
            made->visits = old->visits;
            made->total = old->total;
            for (const Node* child = old->first; child != nullptr; child = child->next) {
                waiting.emplace_back(child, add_child(*made, child->action));
            }
        }
    }

    // Back a value up along the path of a sequence, as far as its genes are drawn.
    void insert(std::span<const Gene> genome, double value) {
        Node* node = root_;
        node->record(value);
        for (const Gene gene : genome) {
            Node* child = child_of(*node, gene);
            if (child == nullptr) {
                if (gene == kUndrawn || size_ >= kMostNodes) return;
                child = add_child(*node, gene);
                ++size_;
            }
            node = child;
            node->record(value);
        }
    }

    [[nodiscard]] std::int64_t size() const noexcept { return size_; }
    [[nodiscard]] std::size_t bytes() const noexcept { return slabs_.taken(); }

    // The visits and the mean value of each first action.
    [[nodiscard]] BanditRecord firsts() const { return record_of(*root_); }

    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const {
        std::vector<const Node*> listed{root_};
        std::vector<NodeRecord> found;
        for (std::size_t i = 0; i < listed.size() && i < most; ++i) {
            NodeRecord record;
            record.kind = "statistics";
            record.visits = listed[i]->visits;
            record.values = {listed[i]->total};
            for (const Node* child = listed[i]->first; child != nullptr; child = child->next) {
                record.children.push_back(
                    {{child->action}, 0, static_cast<std::int64_t>(listed.size())});
                listed.push_back(child);
            }
            found.push_back(std::move(record));
        }
        return found;
    }

private:
    struct Node {
        Gene action = kUndrawn;  // the last of the sequence
        std::int64_t visits = 0;
        double total = 0.0;
        Node* first = nullptr;  // of its children, the latest first
        Node* next = nullptr;

        void record(double value) noexcept {
            ++visits;
            total += value;
        }
    };

    [[nodiscard]] static Node* child_of(const Node& node, Gene action) noexcept {
        Node* child = node.first;
        while (child != nullptr && child->action != action) child = child->next;
        return child;
    }

    [[nodiscard]] Node* add_child(Node& node, Gene action) {
        Node* const made = slabs_.make<Node>();
        made->action = action;
        made->next = node.first;
        node.first = made;
        return made;
    }

    [[nodiscard]] static BanditRecord record_of(const Node& node) {
        BanditRecord record{0, node.visits, {}, 0.0};
        for (const Node* child = node.first; child != nullptr; child = child->next) {
            record.actions.push_back(
                {child->action, child->visits, child->total / static_cast<double>(child->visits)});
        }
        return record;
    }

    Slabs slabs_;
    Node* root_ = nullptr;
    std::int64_t size_ = 1;
};

}  // namespace ludex::search
