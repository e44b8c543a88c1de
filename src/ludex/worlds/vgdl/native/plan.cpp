#include "plan.hpp"

#include <algorithm>

#include "level.hpp"

namespace ludex::vgdl {
namespace {

constexpr std::int64_t kMostEffort = 20'000'000;  // pairs of types and of sprites to look at
constexpr int kMatchCosts = 10;                   // it is kept

std::vector<RulePlan> plan_rules(const GameDef& game, const PairDef& pair) {
    std::vector<RulePlan> plans;
    for (const int number : pair.rules) {
        const RuleDef& rule = game.rules[slot(number)];
        if (!rule.enabled) continue;
        RulePlan plan;
        plan.number = number;
        plan.effect = rule.effect;
        plan.moves = moves_of(rule.effect);
        plan.is_batch = is_batch(rule.effect);
        plan.is_idle_on_settled = is_idle_on_settled(rule);
        plan.only_steps_back = plan.is_idle_on_settled && !rule.pixelPerfect;
        plans.push_back(plan);
    }
    return plans;
}

class Planner {
public:
    Planner(const Level& level, Plan& plan) : level_(level), layout_(level.layout), plan_(plan) {}

    std::string run() {
        for (const PairDef& pair : level_.game.pairs) {
            PairPlan made;
            made.first = pair.first;
            made.second = pair.second;
            made.rules = plan_rules(level_.game, pair);
            if (made.rules.empty()) continue;
            if (!match_types(made)) return problem_;
            if (made.matches.empty() && made.meetings.empty()) continue;
            plan_.pairs.push_back(std::move(made));
        }
        for (const int type : layout_.section_types) {
            plan_.below.push_back(layout_.types[slot(type)].tests_ground ? kGroundBelow : 0);
        }
        give_bits();
        find_watched();
        mark_settled();
        return {};
    }

private:
    [[nodiscard]] bool spend(std::int64_t cost, const char* problem) {
        if ((effort_ -= cost) >= 0) return true;
        problem_ = problem;
        return false;
    }

    bool match_types(PairPlan& made) {
        const bool idle = std::all_of(made.rules.begin(), made.rules.end(),
                                      [](const RulePlan& rule) { return rule.is_idle_on_settled; });
        const std::vector<int>& firsts = layout_.subtypes[slot(made.first)];
        const std::vector<int>& seconds = layout_.subtypes[slot(made.second)];
        for (std::size_t f = 0; f < firsts.size(); ++f) {
            const TypeLayout& a = layout_.types[slot(firsts[f])];
            made.tests_ground = made.tests_ground || a.tests_ground;
            for (std::size_t s = 0; s < seconds.size(); ++s) {
                if (!spend(kMatchCosts, "too many pairs of sprite types can meet")) return false;
                const TypeLayout& b = layout_.types[slot(seconds[s])];
                Match match;
                match.first = static_cast<std::int32_t>(f);
                match.second = static_cast<std::int32_t>(s);
                match.first_type = firsts[f];
                match.second_type = seconds[s];
                match.first_section = a.section;
                match.second_section = b.section;
                match.second_is_solid = level_.game.types[slot(seconds[s])].solid;
                if (a.is_settled && b.is_settled) {
                    if (!idle && !find_meetings(made, match)) return false;
                    continue;
                }
                match.kind = a.is_settled   ? Match::Kind::first_settled
                             : b.is_settled ? Match::Kind::second_settled
                                            : Match::Kind::moving;
                made.matches.push_back(match);
                made.shares_types = made.shares_types || firsts[f] == seconds[s];
            }
        }
        return true;
    }

    bool find_meetings(PairPlan& made, const Match& match) {
        const int n = level_.settled[slot(match.first_section)].section.count;
        for (int i = 0; i < n; ++i) {
            std::int64_t looked = 1;
            const Rect& rect = level_.settled_sprite(match.first_type, i).rect;
            level_.for_settled(match.second_type, rect, level_.cells_of(rect), [&](int k) {
                ++looked;
                if (match.first_type == match.second_type && i == k) return;
                made.meetings.push_back(
                    {match.first, match.first_type, i, match.second, match.second_type, k});
            });
            if (!spend(looked, "too many sprites that never move can meet")) return false;
        }
        return true;
    }

    // Only types that have rules need one.
    void give_bits() {
        plan_.bits.assign(layout_.section_types.size(), 0);
        unsigned next = 0;
        const auto bit_of = [&](int section) {
            std::uint64_t& bit = plan_.bits[slot(section)];
            if (bit == 0) bit = std::uint64_t{1} << (next++ % 64);
            return bit;
        };
        for (PairPlan& pair : plan_.pairs) {
            for (Match& match : pair.matches) {
                match.first_bit = bit_of(match.first_section);
                match.second_bit = bit_of(match.second_section);
            }
        }
    }

    // Find the pairs in which one section meets settled sprites only.
    void find_watched() {
        for (PairPlan& pair : plan_.pairs) {
            if (!pair.meetings.empty() || pair.tests_ground) continue;
            for (const Match& match : pair.matches) {
                const bool is_second = match.kind == Match::Kind::second_settled;
                const std::int32_t section = is_second ? match.first_section : match.second_section;
                const bool is_one =
                    &match == pair.matches.data() || section == pair.watched_section;
                pair.watched_section = section;
                pair.watched_bits |= is_second ? match.second_bit : match.first_bit;
                if (match.kind != Match::Kind::moving && is_one) continue;
                pair.watched_section = -1;
                break;
            }
        }
    }

    void mark_settled() {
        plan_.settled_in.assign(slot(level_.def.width) * slot(level_.def.height), 0);
        for (std::size_t s = 0; s < level_.settled.size(); ++s) {
            const std::vector<std::int32_t>& heads = level_.settled[s].heads;
            for (std::size_t cell = 0; cell < heads.size(); ++cell) {
                if (heads[cell] >= 0) plan_.settled_in[cell] |= plan_.bits[s];
            }
        }
    }

    const Level& level_;
    const Layout& layout_;
    Plan& plan_;
    std::int64_t effort_ = kMostEffort;
    std::string problem_;
};

}  // namespace

std::string make_plan(const Level& level, Plan& plan) { return Planner(level, plan).run(); }

}  // namespace ludex::vgdl
