// The statistics of one seat's actions at a node: planners/parts/bandit.py and subset.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../arms.hpp"
#include "../rng.hpp"
#include "selection.hpp"
#include "slabs.hpp"
#include "tree.hpp"

namespace ludex::search {

// How a search chooses among tried actions.
struct SelectionSettings {
    Rule rule = Rule::ucb1;
    double exploration = 1.4142135623730951;
    double epsilon = 0.0;  // the probability that any of them is taken instead
};

// What a choice is worked out in; each thread has its own.
struct SelectionScratch {
    std::vector<Arm> arms;
    std::vector<double> priors;
    std::vector<std::uint32_t> places;
};

template <class Action>
struct Bandit {
    // An action that was tried, and where its arm is; sorted by action.
    struct Known {
        Action action{};
        std::uint32_t place = 0;
    };

    int seat = 0;
    bool varies = false;               // other actions were legal on another visit
    std::int64_t total = 0;            // visits of all arms
    SlabList<Arm> arms;                // in the order in which they were first tried,
    SlabList<Action> actions;          // with their actions
    SlabList<Action> untried;          // in any order; of no use once the legal actions vary
    SlabList<Action> legal;            // on the first visit
    SlabList<Known> known;             // once they vary,
    SlabList<std::int64_t> available;  // and how often each arm was legal
    SlabList<double> priors;           // of the arms, where a rule asks for them,
    SlabList<double> untried_priors;   // and of the untried
    SlabList<double> legality;         // how likely the arms are legal, in worlds of beliefs,
    SlabList<double> untried_legality;
    SlabList<std::int32_t> losses;  // virtual, where several threads search

    void open(int the_seat, std::span<const Action> the_legal, Slabs& slabs) {
        seat = the_seat;
        legal.assign(the_legal, slabs);
        untried.assign(the_legal, slabs);
    }

    // Begin again in the same memory; it has to be opened next.
    void clear() noexcept {
        varies = false;
        total = 0;
        arms.clear();
        actions.clear();
        untried.clear();
        legal.clear();
        known.clear();
        available.clear();
        for (SlabList<double>* const list :
             {&priors, &untried_priors, &legality, &untried_legality}) {
            list->clear();
        }
        losses.clear();
    }

    // The same as another, in other slabs. An arm that nobody has come back from is untried again.
    void take_over(const Bandit& other, Slabs& slabs) {
        seat = other.seat;
        varies = other.varies;
        legal.assign(other.legal.items(), slabs);
        total = other.total;
        untried.assign(other.untried.items(), slabs);
        for (std::size_t place = 0; place < other.arms.size(); ++place) {
            if (other.arms[place].visits == 0) {
                if (!varies) untried.push_back(other.actions[place], slabs);
                continue;
            }
            arms.push_back(other.arms[place], slabs);
            actions.push_back(other.actions[place], slabs);
            if (varies) {
                available.push_back(other.available[place], slabs);
                insert_known(actions.back(), static_cast<std::uint32_t>(arms.size() - 1), slabs);
            }
        }
    }

    void set_priors(std::span<const double> of_legal, Slabs& slabs) {
        untried_priors.assign(of_legal, slabs);
    }

    // Other priors of the legal actions, which ascend.
    void replace_priors(std::span<const double> of_legal) noexcept {
        const auto prior_of = [&](Action action) {
            const auto found = std::lower_bound(legal.begin(), legal.end(), action);
            return of_legal[static_cast<std::size_t>(found - legal.begin())];
        };
        for (std::size_t i = 0; i < priors.size(); ++i) priors[i] = prior_of(actions[i]);
        for (std::size_t i = 0; i < untried_priors.size(); ++i) {
            untried_priors[i] = prior_of(untried[i]);
        }
    }

    // Draw an untried action, give it an arm without a visit, and return its place.
    std::size_t try_one(Rng& rng, Slabs& slabs) {
        const std::size_t chosen = rng.below(untried.size());
        std::swap(untried[chosen], untried.back());
        const auto take = [&](SlabList<double>& from, SlabList<double>& to) {
            if (from.empty()) return;
            std::swap(from[chosen], from.back());
            to.push_back(from.pop_back(), slabs);
        };
        take(untried_priors, priors);
        take(untried_legality, legality);
        return add(untried.pop_back(), slabs);
    }

    std::size_t add(Action action, Slabs& slabs) {
        actions.push_back(action, slabs);
        arms.push_back({}, slabs);
        return arms.size() - 1;
    }

    // Take back the arm that was added last, which has no visit.
    void forget_last(Slabs& slabs) {
        const std::size_t place = arms.size() - 1;
        (void)arms.pop_back();
        const Action action = actions.pop_back();
        if (losses.size() > place) (void)losses.pop_back();
        if (!priors.empty()) untried_priors.push_back(priors.pop_back(), slabs);
        if (!legality.empty()) untried_legality.push_back(legality.pop_back(), slabs);
        if (!varies) {
            untried.push_back(action, slabs);
            return;
        }
        (void)available.pop_back();
        auto* const found = std::find_if(known.begin(), known.end(),
                                         [&](const Known& one) { return one.place == place; });
        std::copy(found + 1, known.end(), found);
        (void)known.pop_back();
    }

    void record(std::size_t place, double value) noexcept {
        Arm& arm = arms[place];
        const auto count = static_cast<double>(++arm.visits);
        arm.mean += (value - arm.mean) / count;
        arm.square += value * value;
        arm.spread = 1.0 / std::sqrt(count);
        ++total;
        if (place < losses.size()) losses[place] = 0;
    }

    [[nodiscard]] Tried tried() const noexcept { return {arms.items(), total, priors.items()}; }

    // The place of an untried action if one is legal, else of the one that the rule takes. Returns
    // whether it is new.
    struct Chosen {
        std::size_t place = 0;
        bool is_new = false;
    };
    [[nodiscard]] Chosen choose(std::span<const Action> now, const SelectionSettings& settings,
                                double span, Rng& rng, Slabs& slabs, SelectionScratch& scratch) {
        if (!varies) {
            if (are_same(now, legal.items())) {
                if (!untried.empty()) return {try_one(rng, slabs), true};
                if (!losses.empty()) return {choose_among_losses(settings, span, rng, scratch)};
                return {pick(tried(), settings, span, rng)};
            }
            begin_to_vary(slabs);
        }
        return choose_subset(now, settings, span, rng, slabs, scratch);
    }

    // Somebody is on its way through this arm.
    void lose(std::size_t place, Slabs& slabs) {
        while (losses.size() <= place) losses.push_back(0, slabs);
        ++losses[place];
    }

private:
    [[nodiscard]] static std::size_t pick(const Tried& tried, const SelectionSettings& settings,
                                          double span, Rng& rng) noexcept {
        if (settings.epsilon > 0.0 && rng.uniform() < settings.epsilon) {
            return rng.below(tried.arms.size());
        }
        return select(settings.rule, tried, settings.exploration, span, rng);
    }

    // Lists are short: a call to compare bytes would cost more than the loop.
    [[nodiscard]] static bool are_same(std::span<const Action> a,
                                       std::span<const Action> b) noexcept {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i] != b[i]) return false;
        }
        return true;
    }

    void begin_to_vary(Slabs& slabs) {
        varies = true;
        available.reserve(arms.size(), slabs);
        known.reserve(arms.size(), slabs);
        for (std::uint32_t place = 0; place < arms.size(); ++place) {
            available.push_back(total, slabs);
            insert_known(actions[place], place, slabs);
        }
    }

    void insert_known(Action action, std::uint32_t place, Slabs& slabs) {
        known.push_back({action, place}, slabs);
        for (std::size_t i = known.size() - 1; i > 0 && known[i].action < known[i - 1].action;
             --i) {
            std::swap(known[i], known[i - 1]);
        }
    }

    // The actions that are legal now, by the arms they have; the bonus of an arm counts how often
    // it was available (Cowling, Powley and Whitehouse 2012).
    [[nodiscard]] Chosen choose_subset(std::span<const Action> now,
                                       const SelectionSettings& settings, double span, Rng& rng,
                                       Slabs& slabs, SelectionScratch& scratch) {
        std::vector<std::uint32_t>& places = scratch.places;
        places.clear();
        std::size_t fresh = 0;
        const Known* next = known.begin();
        for (const Action action : now) {  // both lists ascend
            while (next != known.end() && next->action < action) ++next;
            if (next != known.end() && next->action == action) {
                places.push_back(next->place);
                ++available[next->place];
            } else {
                ++fresh;
            }
        }
        if (fresh > 0) {
            const Action action = fresh_action(now, rng.below(fresh));
            available.push_back(1, slabs);
            const std::size_t place = add(action, slabs);
            insert_known(action, static_cast<std::uint32_t>(place), slabs);
            return {place, true};
        }
        std::int64_t most = 2;
        for (const std::uint32_t place : places) most = std::max(most, available[place]);
        const double log_of_most = std::log(static_cast<double>(most));
        scratch.arms.clear();
        for (const std::uint32_t place : places) {
            Arm arm = with_loss(place, span);
            arm.spread *= std::sqrt(std::log(static_cast<double>(available[place])) / log_of_most);
            scratch.arms.push_back(arm);
        }
        const Tried some{scratch.arms, most, {}};
        return {places[pick(some, settings, span, rng)]};
    }

    // The action at an index of those that have no arm.
    [[nodiscard]] Action fresh_action(std::span<const Action> now,
                                      std::size_t index) const noexcept {
        const Known* next = known.begin();
        for (const Action action : now) {
            while (next != known.end() && next->action < action) ++next;
            const bool is_known = next != known.end() && next->action == action;
            if (!is_known && index-- == 0) return action;
        }
        return now.front();  // not reached
    }

    // What others are on their way through counts as lost so far. An arm that nobody has come back
    // from yet is the least promising.
    [[nodiscard]] Arm with_loss(std::size_t place, double span) const noexcept {
        Arm arm = arms[place];
        if (losses.empty()) return arm;
        if (arm.visits == 0) {
            arm.mean = -1e12;
            arm.visits = 1;
        } else if (place < losses.size()) {
            arm.mean -= span * losses[place] / static_cast<double>(arm.visits);
        }
        return arm;
    }

    [[nodiscard]] std::size_t choose_among_losses(const SelectionSettings& settings, double span,
                                                  Rng& rng, SelectionScratch& scratch) const {
        scratch.arms.clear();
        for (std::size_t place = 0; place < arms.size(); ++place) {
            scratch.arms.push_back(with_loss(place, span));
        }
        const Tried all{scratch.arms, std::max<std::int64_t>(total, 1), priors.items()};
        return pick(all, settings, span, rng);
    }
};

// What Python sees of it.
template <class Action>
[[nodiscard]] BanditRecord record_of(const Bandit<Action>& bandit) {
    BanditRecord record{bandit.seat, bandit.total, {}, 0.0};
    for (std::size_t i = 0; i < bandit.arms.size(); ++i) {
        record.actions.push_back({static_cast<std::int64_t>(bandit.actions[i]),
                                  bandit.arms[i].visits, bandit.arms[i].mean});
        record.squares += bandit.arms[i].square;
    }
    return record;
}

}  // namespace ludex::search
