#include "plan.hpp"

#include <algorithm>

#include "level.hpp"

namespace ludex::vgdl {
namespace {

constexpr std::int64_t kMostEffort = 20'000'000;  // pairs of types and of sprites to look at
constexpr int kMatchCosts = 10;                   // it is kept
constexpr std::size_t kMostInBetween = 32;        // plans that one is moved ahead of

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
            if (only_steps_back(made)) {
                split(made);
            } else {
                plan_.pairs.push_back(std::move(made));
                unordered_ = plan_.pairs.size();
            }
        }
        for (const int type : layout_.section_types) {
            plan_.below.push_back(layout_.types[slot(type)].tests_ground ? kGroundBelow : 0);
        }
        give_bits();
        find_watched();
        finish_barriers();
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
                match.kind = a.is_settled   ? Match::Kind::first_rests
                             : b.is_settled ? Match::Kind::second_rests
                             : b.rests      ? Match::Kind::second_rests
                             : a.rests      ? Match::Kind::first_rests
                                            : Match::Kind::moving;
                made.matches.push_back(match);
                made.shares_types = made.shares_types || firsts[f] == seconds[s];
            }
        }
        return true;
    }

    // Whether all that a pair does to its sprites is to put first ones back.
    [[nodiscard]] bool only_steps_back(const PairPlan& made) const {
        return made.rules.size() == 1 && made.rules[0].only_steps_back && !made.tests_ground &&
               made.meetings.empty() && !has_shields_ && level_.game.has(kKilledActs) &&
               level_.game.has(kDisabledActs);
    }

    // A plan for each first type. The sprites of one step back, and then those of the next, so
    // this changes nothing, and most of the plans are barriers.
    void split(const PairPlan& pair) {
        for (auto from = pair.matches.begin(); from != pair.matches.end();) {
            const auto to = std::find_if(from, pair.matches.end(), [&](const Match& match) {
                return match.first != from->first;
            });
            PairPlan made;
            made.first = pair.first;
            made.second = pair.second;
            made.rules = pair.rules;
            made.matches.assign(from, to);
            made.shares_types = std::any_of(
                from, to, [](const Match& match) { return match.first_type == match.second_type; });
            if (is_barrier(made)) {
                add_barrier(std::move(made));
            } else {
                plan_.pairs.push_back(std::move(made));
            }
            from = to;
        }
    }

    // Whether nothing can be seen but where the first sprites are afterwards.
    [[nodiscard]] bool is_barrier(const PairPlan& made) const {
        const TypeLayout& first = layout_.types[slot(made.matches[0].first_type)];
        if (first.tells_meetings || first.rests || first.last_in != LastIn::workspace) return false;
        return std::none_of(made.matches.begin(), made.matches.end(), [&](const Match& match) {
            return layout_.types[slot(match.second_type)].tells_meetings;
        });
    }

    // Put a barrier together with an earlier one of its section, if what happens in between
    // cannot tell the difference.
    void add_barrier(PairPlan made) {
        const std::int32_t section = made.matches[0].first_section;
        const auto bars = [](const PairPlan& pair, std::int32_t other) {
            return std::any_of(pair.matches.begin(), pair.matches.end(), [&](const Match& match) {
                return match.kind == Match::Kind::moving && match.second_section == other;
            });
        };
        made.barrier_section = section;
        const std::size_t all = plan_.pairs.size();
        const std::size_t least = std::max(unordered_, all - std::min(all, kMostInBetween));
        for (std::size_t i = all; i-- > least;) {
            PairPlan& earlier = plan_.pairs[i];
            if (earlier.barrier_section == section) {
                if (bars(earlier, section) || bars(made, section)) break;
                earlier.matches.insert(earlier.matches.end(), made.matches.begin(),
                                       made.matches.end());
                return;
            }
            // It would see the others moved, or be seen moved by them.
            const std::int32_t other = earlier.matches[0].first_section;
            if (other == section || bars(earlier, section) || bars(made, other)) break;
        }
        plan_.pairs.push_back(std::move(made));
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
            if (bit == 0) bit = std::uint64_t{1} << (next++ % kTypeBits);
            return bit;
        };
        for (PairPlan& pair : plan_.pairs) {
            for (Match& match : pair.matches) {
                match.first_bit = bit_of(match.first_section);
                match.second_bit = bit_of(match.second_section);
            }
        }
    }

    // Find the pairs in which one section meets resting sprites only.
    void find_watched() {
        for (PairPlan& pair : plan_.pairs) {
            if (!pair.meetings.empty() || pair.tests_ground) continue;
            for (const Match& match : pair.matches) {
                const bool is_second = match.kind == Match::Kind::second_rests;
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

    void finish_barriers() {
        for (PairPlan& pair : plan_.pairs) {
            if (pair.barrier_section < 0) continue;
            const auto moving = std::stable_partition(
                pair.matches.begin(), pair.matches.end(),
                [](const Match& match) { return match.kind != Match::Kind::moving; });
            pair.moving = static_cast<std::int32_t>(moving - pair.matches.begin());
            for (auto match = pair.matches.begin(); match != moving; ++match)
                pair.barrier_bits |= match->second_bit;
        }
    }

    void mark_settled() {
        plan_.settled_in.assign(slot(level_.def.width) * slot(level_.def.height), 0);
        std::uint64_t used = 0;
        for (std::size_t s = 0; s < level_.settled.size(); ++s) {
            const int type = layout_.section_types[s];
            const TypeLayout& layout = layout_.types[slot(type)];
            const std::uint64_t bit = plan_.bits[s];
            const bool is_shared = (used & bit) != 0;
            used |= bit;
            if (is_shared) plan_.exact &= ~bit;
            if (is_shared) plan_.shared |= bit;
            if (!layout.rests || bit == 0) continue;
            if (!layout.is_settled) {
                plan_.resting.push_back(type);
                if (!is_shared) plan_.exact |= bit;
                continue;
            }
            std::vector<std::int32_t> cells = cells_filled(type, level_.settled[s]);
            if (!cells.empty() && !is_shared) plan_.exact |= bit;
            if (layout.alive >= 0) {
                plan_.mortals.push_back({type, layout.section, std::move(cells)});
                continue;
            }
            const std::vector<std::int32_t>& heads = level_.settled[s].heads;
            for (std::size_t cell = 0; cell < heads.size(); ++cell) {
                if (heads[cell] >= 0) plan_.settled_in[cell] |= bit;
            }
            plan_.settled |= bit;
        }
    }

    // The cell of each settled sprite of a type, where each fills one and no two the same.
    [[nodiscard]] std::vector<std::int32_t> cells_filled(int type,
                                                         const SettledType& settled) const {
        std::vector<std::int32_t> cells;
        for (int i = 0; i < settled.section.count; ++i) {
            const Rect& rect = level_.settled_sprite(type, i).rect;
            const CellRange range = level_.cells_of(rect);
            const int cell = range.top * level_.def.width + range.left;
            const int head = settled.heads[slot(cell)];
            const bool is_alone = settled.entries[slot(head)].next < 0;
            if (!level_.fills_cell(rect) || !is_alone) return {};
            cells.push_back(cell);
        }
        return cells;
    }

    const Level& level_;
    const Layout& layout_;
    Plan& plan_;
    std::size_t unordered_ = 0;  // from here on all plans only make sprites step back
    bool has_shields_ =
        std::any_of(level_.game.rules.begin(), level_.game.rules.end(),
                    [](const RuleDef& rule) { return rule.effect == Effect::shieldFrom; });
    std::int64_t effort_ = kMostEffort;
    std::string problem_;
};

}  // namespace

std::string make_plan(const Level& level, Plan& plan) { return Planner(level, plan).run(); }

}  // namespace ludex::vgdl
