// Open-loop expectimax tree search: no rollouts, and a max backup of the values of actions. The
// twin of planners/olets.py.
//
// A tree is kept from one decision to the next. What no longer follows from what was played stays
// in memory until new nodes are made of it, one at a time: no decision pays for throwing it away,
// and there are never more nodes than a tree may have.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "../kernels.hpp"
#include "../keys.hpp"
#include "../meter.hpp"
#include "../policies.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "bandit.hpp"
#include "evaluator.hpp"
#include "opponents.hpp"
#include "slabs.hpp"
#include "source.hpp"
#include "tree.hpp"

namespace ludex::search {

// The parameters of the planner, under their names.
struct OletsSettings {
    SelectionSettings select;
    double taboo_penalty = 0.1;
    Opponent opponent = Opponent::random;
    Value value = Value::returns;
    double score_scale = 10.0;
    std::int64_t max_nodes = 250'000;
};

// Where a seat is: the cell of its avatar, or the whole state where there are none.
template <WorldRules R>
[[nodiscard]] Key place_of(const R& rules, const typename R::State& state, int seat) noexcept {
    if constexpr (KnowsObjects<R>) {
        const Cell cell = avatar_cell(rules, state, seat);
        return {static_cast<std::uint64_t>(cell.column), static_cast<std::uint64_t>(cell.row)};
    } else {
        (void)seat;
        return key_of(rules, state, ignored_bit(rules, "score") | ignored_bit(rules, "tick"));
    }
}

template <WorldRules R>
class OletsTree final : public SearchTree {
public:
    using State = typename R::State;
    using Action = typename R::Action;
    class Worker;

    OletsTree(const R& rules, StateSource<R> source, std::span<const Action> legal, int seat,
              OletsSettings settings, std::vector<Key> taboo, const std::shared_ptr<Stock>& stock)
        : rules_(&rules),
          source_(std::move(source)),
          seat_(seat),
          settings_(settings),
          taboo_(std::move(taboo)),
          slabs_(std::make_unique<Slabs>(stock)) {
        settings_.select.rule = Rule::ucb1;
        std::sort(taboo_.begin(), taboo_.end());
        root_ = new_node(legal);
    }

    // Go on with what follows some actions in the tree of the last decision, which is left empty.
    void take_over(OletsTree& last, std::span<const Action> played) {
        Node* kept = last.root_;
        Way* way = nullptr;
        for (const Action action : played) {
            if (kept == nullptr) return;
            const auto& actions = kept->bandit.actions;
            const auto place = std::find(actions.begin(), actions.end(), action) - actions.begin();
            if (place == actions.end() - actions.begin()) return;
            way = &kept->ways[static_cast<std::size_t>(place)];
            kept = way->after;
        }
        if (kept == nullptr) return;
        slabs_ = std::move(last.slabs_);  // the new root is freed with the memory it lies in
        spare_ = std::exchange(last.spare_, nullptr);
        spare_replies_ = std::exchange(last.spare_replies_, nullptr);
        if (way != nullptr) {
            way->after = nullptr;
            give_up(last.root_);
        }
        last.root_ = nullptr;
        root_ = kept;
    }

    [[nodiscard]] StateSource<R>& source() noexcept { return source_; }
    [[nodiscard]] Worker worker(Meter& meter, Rng& rng, int /*thread*/) {
        return Worker(*this, meter, rng);
    }

    [[nodiscard]] Counters counters() const override {
        Counters found = counted_;
        found.size = root_ == nullptr ? 0 : root_->size;
        return found;
    }
    [[nodiscard]] std::size_t bytes() const override { return slabs_ ? slabs_->taken() : 0; }

    // With the values of actions, where the nodes below have the means that they are chosen by.
    [[nodiscard]] std::vector<BanditRecord> root_bandits(int seat) const override {
        if (root_ == nullptr || seat != seat_) return {{seat, 0, {}, 0.0}};
        BanditRecord record = record_of(root_->bandit);
        for (std::size_t i = 0; i < record.actions.size(); ++i) {
            record.actions[i].value = root_->ways[i].value;
        }
        return {record};
    }

    [[nodiscard]] std::vector<std::int64_t> best_line(std::int64_t first,
                                                      std::size_t longest) const override;
    [[nodiscard]] std::vector<NodeRecord> nodes(std::size_t most) const override;

private:
    struct Node;
    // What another seat does in a situation: after one of our actions, or together with us, so many
    // ticks later.
    struct Reply {
        Bandit<Action> bandit;
        std::int64_t ticks = 0;
        Reply* next = nullptr;  // in the order in which they act
    };
    // What is known of an action beside its arm.
    struct Way {
        double value = 0.0;
        double found = 0.0;      // by the simulations that ended right after it,
        std::int64_t ended = 0;  // as many as these
        Node* after = nullptr;   // made when the action is taken for the second time
        Reply* replies = nullptr;
        bool is_taboo = false;
    };
    struct Node {
        Bandit<Action> bandit;  // its means are values less the penalty of taboo places
        SlabList<Way> ways;     // by the places of its arms
        Reply* together = nullptr;
        double best = -INFINITY;  // value of an action
        std::int64_t size = 1;    // nodes from here on
        Node* next = nullptr;     // of those that nobody needs any more

        // Count a visit of an action, and work out its value from what is known below it.
        void visit(std::size_t place, double penalty) noexcept {
            Arm& arm = bandit.arms[place];
            Way& way = ways[place];
            ++bandit.total;
            const auto visits = static_cast<double>(++arm.visits);
            const std::int64_t went_on = arm.visits - way.ended;
            double sum = way.found;
            if (went_on > 0) sum += static_cast<double>(went_on) * way.after->best;
            const double before = std::exchange(way.value, sum / visits);
            arm.mean = way.is_taboo ? way.value - penalty : way.value;
            arm.spread = 1.0 / std::sqrt(visits);
            if (way.value >= best) {
                best = way.value;
            } else if (before == best) {  // the best has become worse
                best = -INFINITY;
                for (const Way& one : ways) best = std::max(best, one.value);
            }
        }
    };
    struct Step {
        Node* node = nullptr;
        std::size_t place = 0;
        bool is_new = false;
    };
    struct Answer {
        Bandit<Action>* bandit = nullptr;
        std::size_t place = 0;
        bool is_new = false;
    };

    // A node that nobody needs any more, or a new one where there is none.
    [[nodiscard]] Node* new_node(std::span<const Action> legal) {
        Node* const node = spare_ == nullptr ? slabs_->make<Node>() : spare_;
        if (node == spare_) {
            spare_ = node->next;
            for (const Way& way : node->ways) {
                give_up(way.after);
                give_up(way.replies);
            }
            give_up(node->together);
            node->bandit.clear();
            node->ways.clear();
            node->together = nullptr;
            node->best = -INFINITY;
            node->size = 1;
        }
        node->bandit.open(seat_, legal, *slabs_);
        return node;
    }
    [[nodiscard]] Reply* new_reply(int seat, std::int64_t ticks, std::span<const Action> legal) {
        Reply* const reply = spare_replies_ == nullptr ? slabs_->make<Reply>() : spare_replies_;
        if (reply == spare_replies_) spare_replies_ = reply->next;
        reply->bandit.clear();
        reply->bandit.open(seat, legal, *slabs_);
        reply->ticks = ticks;
        return reply;
    }
    void give_up(Node* node) noexcept {
        if (node == nullptr) return;
        node->next = spare_;
        spare_ = node;
    }
    void give_up(Reply* first) noexcept {
        while (first != nullptr) {
            Reply* const next = std::exchange(first->next, spare_replies_);
            spare_replies_ = first;
            first = next;
        }
    }

    const R* rules_;  // of a model that outlives the search, if not what is left of it
    StateSource<R> source_;
    int seat_;
    OletsSettings settings_;
    std::vector<Key> taboo_;  // ascending
    std::unique_ptr<Slabs> slabs_;
    Node* root_ = nullptr;  // none once another tree has taken it over
    Node* spare_ = nullptr;
    Reply* spare_replies_ = nullptr;
    Counters counted_;
};

// What grows the tree.
template <WorldRules R>
class OletsTree<R>::Worker {
public:
    Worker(OletsTree& tree, Meter& meter, Rng& rng)
        : tree_(tree),
          rules_(*tree.rules_),
          settings_(tree.settings_),
          meter_(meter),
          rng_(rng),
          range_(tree.counted_.range) {
        if (tree.source_.is_known()) evaluator_.emplace(evaluator_beside(*tree.source_.known));
    }

    // Play from the root along the tree to an action that is new; record what it leads to. False
    // when the budget ended on the way: the simulation is dropped.
    [[nodiscard]] bool iterate(std::int64_t number) {
        tree_.source_.put(rules_, number, tree_.source_.stream, state_);
        meter_.count_copy();
        if (!tree_.source_.is_known()) evaluator_.emplace(evaluator_beside(state_));
        path_.clear();
        answers_.clear();
        if (!select()) {
            drop();
            return false;
        }
        const auto depth = static_cast<std::int64_t>(path_.size());
        PerSeat<R> values;
        evaluator_->value_of(rules_, state_, depth, values);
        note(values[static_cast<std::size_t>(tree_.seat_)], depth);
        back_up(values);
        return true;
    }

    [[nodiscard]] bool done() const noexcept { return false; }

private:
    // Steps 1 and 2. Select, and expand by one action: play in place along the tree, to what
    // follows the first action that is new. False when the budget is spent.
    [[nodiscard]] bool select() {
        Node* node = we_act() ? tree_.root_ : nullptr;
        while (node != nullptr) {
            if (!move(*node)) return false;
            const Step& last = path_.back();
            if (last.is_new) {
                last.node->ways[last.place].is_taboo = is_taboo();
                break;
            }
            node = node_after(last);
        }
        return true;
    }

    // Choose one of our actions and play until we act again.
    [[nodiscard]] bool move(Node& node) {
        LegalBuffer<R> buffer;
        const auto legal = legal_of(tree_.seat_, buffer);
        const auto chosen =
            node.bandit.choose(legal, settings_.select, range_.span, rng_, *tree_.slabs_, scratch_);
        if (chosen.is_new) node.ways.push_back({}, *tree_.slabs_);
        path_.push_back({&node, chosen.place, chosen.is_new});
        replies_ = &node.together;
        if (!tick(0)) return false;
        replies_ = &node.ways[chosen.place].replies;
        for (std::int64_t ticks = 0; rules_.to_act(state_) != kNobody && !we_act(); ++ticks) {
            if (!tick(ticks)) return false;
        }
        return true;
    }

    // Play what all choose who act now. False when the budget is spent.
    [[nodiscard]] bool tick(std::int64_t ticks) {
        JointAction<R> joint;
        std::size_t acting = 0;
        for (SeatSet seats = rules_.to_act(state_); seats != kNobody; seats &= seats - 1) {
            const int seat = std::countr_zero(seats);
            const Step& ours = path_.back();
            joint[acting++] =
                seat == tree_.seat_ ? ours.node->bandit.actions[ours.place] : reply(seat, ticks);
        }
        if (!meter_.spend()) return false;
        rules_.apply(state_, std::span<const Action>(joint.data(), acting), rng_);
        settle(rules_, state_, rng_);
        return true;
    }

    // Choose for another seat, by the bandit that it has in this situation if it learns.
    [[nodiscard]] Action reply(int seat, std::int64_t ticks) {
        LegalBuffer<R> buffer;
        const auto legal = legal_of(seat, buffer);
        if (settings_.opponent == Opponent::random) return legal[rng_.below(legal.size())];
        const std::tuple now(ticks, seat);
        const auto when = [](const Reply& one) { return std::tuple(one.ticks, one.bandit.seat); };
        while (*replies_ != nullptr && when(**replies_) < now) replies_ = &(*replies_)->next;
        if (*replies_ == nullptr || when(**replies_) != now) {
            Reply* const made = tree_.new_reply(seat, ticks, legal);
            made->next = std::exchange(*replies_, made);
        }
        Bandit<Action>& bandit = (*replies_)->bandit;
        const auto chosen =
            bandit.choose(legal, kOthersSelect, range_.span, rng_, *tree_.slabs_, scratch_);
        answers_.push_back({&bandit, chosen.place, chosen.is_new});
        return bandit.actions[chosen.place];
    }

    // What follows an action where we act again; none where there is no room for it.
    [[nodiscard]] Node* node_after(const Step& step) {
        if (!we_act()) return nullptr;
        Way& way = step.node->ways[step.place];
        if (way.after != nullptr) return way.after;
        if (tree_.root_->size >= settings_.max_nodes) {
            ++tree_.counted_.refused;
            return nullptr;
        }
        LegalBuffer<R> buffer;
        way.after = tree_.new_node(legal_of(tree_.seat_, buffer));
        for (const Step& above : path_) ++above.node->size;
        return way.after;
    }

    // Step 3. Back up: add what was found at the end of the path.
    void back_up(const PerSeat<R>& values) noexcept {
        if (path_.empty()) return;
        const double ours = values[static_cast<std::size_t>(tree_.seat_)];
        const double penalty = settings_.taboo_penalty * range_.span;
        Way& end = path_.back().node->ways[path_.back().place];
        ++end.ended;
        end.found += ours;
        for (std::size_t i = path_.size(); i-- > 0;) path_[i].node->visit(path_[i].place, penalty);
        const bool is_harm = settings_.opponent == Opponent::pessimistic;
        for (const Answer& one : answers_) {
            const auto seat = static_cast<std::size_t>(one.bandit->seat);
            one.bandit->record(one.place, is_harm ? -ours : values[seat]);
        }
    }

    // Take back what the unfinished simulation has begun; the tree may be gone on with.
    void drop() {
        for (const Answer& one : answers_) {
            if (one.is_new) one.bandit->forget_last(*tree_.slabs_);
        }
        for (const Step& step : path_) {
            if (!step.is_new) continue;
            step.node->bandit.forget_last(*tree_.slabs_);
            tree_.give_up(step.node->ways.pop_back().replies);
        }
    }

    void note(double value, std::int64_t depth) noexcept {
        range_.widen({&value, 1});
        Counters& counted = tree_.counted_;
        counted.range = range_;
        counted.depth = std::max(counted.depth, depth);
        ++counted.iterations;
    }

    [[nodiscard]] bool we_act() const noexcept {
        return (rules_.to_act(state_) & only(tree_.seat_)) != 0;
    }
    [[nodiscard]] std::span<const Action> legal_of(int seat,
                                                   LegalBuffer<R>& buffer) const noexcept {
        const int count = rules_.legal(state_, seat, buffer);
        return std::span<const Action>(buffer).first(static_cast<std::size_t>(count));
    }
    [[nodiscard]] bool is_taboo() const noexcept {
        return !tree_.taboo_.empty() && std::binary_search(tree_.taboo_.begin(), tree_.taboo_.end(),
                                                           place_of(rules_, state_, tree_.seat_));
    }
    [[nodiscard]] Evaluator<R> evaluator_beside(const State& state) const noexcept {
        return Evaluator<R>(rules_, state, settings_.value, settings_.score_scale);
    }

    static constexpr SelectionSettings kOthersSelect{};

    OletsTree& tree_;
    const R& rules_;
    const OletsSettings& settings_;
    Meter& meter_;
    Rng& rng_;
    Range range_;  // of our values
    std::optional<Evaluator<R>> evaluator_;

    State state_;
    std::vector<Step> path_;
    std::vector<Answer> answers_;
    Reply** replies_ = nullptr;  // from where on the next one to reply is listed
    SelectionScratch scratch_;
};

template <WorldRules R>
std::vector<std::int64_t> OletsTree<R>::best_line(std::int64_t first, std::size_t longest) const {
    std::vector<std::int64_t> line{first};
    const auto after = [](const Node& node, std::int64_t action) -> const Node* {
        for (std::size_t i = 0; i < node.ways.size(); ++i) {
            if (static_cast<std::int64_t>(node.bandit.actions[i]) == action) {
                return node.ways[i].after;
            }
        }
        return nullptr;
    };
    const Node* node = root_ == nullptr ? nullptr : after(*root_, first);
    while (node != nullptr && !node->ways.empty() && line.size() < longest) {
        const auto& arms = node->bandit.arms;
        const Arm* const most = std::max_element(
            arms.begin(), arms.end(),
            [](const Arm& one, const Arm& other) { return one.visits < other.visits; });
        const auto place = static_cast<std::size_t>(most - arms.begin());
        line.push_back(static_cast<std::int64_t>(node->bandit.actions[place]));
        node = node->ways[place].after;
    }
    return line;
}

template <WorldRules R>
std::vector<NodeRecord> OletsTree<R>::nodes(std::size_t most) const {
    std::vector<const Node*> listed;
    if (root_ != nullptr) listed.push_back(root_);
    std::vector<NodeRecord> found;
    for (std::size_t i = 0; i < listed.size() && i < most; ++i) {
        const Node& node = *listed[i];
        NodeRecord record;
        record.kind = "sequence";
        record.visits = node.bandit.total;
        record.bandits.push_back(record_of(node.bandit));
        const auto add = [&](const Reply* reply) {
            for (; reply != nullptr; reply = reply->next) {
                record.bandits.push_back(record_of(reply->bandit));
            }
        };
        add(node.together);
        for (std::size_t place = 0; place < node.ways.size(); ++place) {
            const Way& way = node.ways[place];
            record.values.push_back(way.value);
            add(way.replies);
            if (way.after == nullptr) continue;
            record.children.push_back({{static_cast<std::int64_t>(node.bandit.actions[place])},
                                       0,
                                       static_cast<std::int64_t>(listed.size())});
            listed.push_back(way.after);
        }
        found.push_back(std::move(record));
    }
    return found;
}

}  // namespace ludex::search
