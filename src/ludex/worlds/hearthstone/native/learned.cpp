#include "learned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "belief.hpp"
#include "random_player.hpp"
#include "score.hpp"

namespace ludex::hearthstone {

namespace {

using Actions = std::array<Action, Rules::kMaxLegal>;

constexpr int kTrials = 2;              // times each of two choices is played on
constexpr std::uint64_t kLatest = 60;   // decisions of a game among which one is tried
constexpr std::int16_t kNobody = -1;    // the card of a target that is not there
constexpr std::int16_t kNowhere = -99;  // its health and attack
constexpr double kPatience = 0.99;      // a win of the next turn, beside one of this turn
constexpr double kWidth = 0.5;          // weight of rarely tried actions, for results of 0 to 1

struct Character {
    int card = kNobody;
    int health = kNowhere;
    int attack = kNowhere;
    int own = -1;
};

Character character(const State& state, const Manner& manner, int code) noexcept {
    if (code == 0) return {};
    const Ref ref = Rules::target_of(state, code);
    if (ref >= kHero) {
        const int side = ref - kHero;
        const Player& p = state.players[at(side)];
        return {manner.number_of(p.hero), p.health, p.hero_attack, side == state.active ? 1 : 0};
    }
    const Minion& m = state.minions[ref];
    return {manner.number_of(m.card), m.health, m.attack + m.aura_attack,
            m.side == state.active ? 1 : 0};
}

Level level_of(Kind kind) noexcept {
    if (kind == Kind::play || kind == Kind::power) return Level::play;
    return kind == Kind::attack ? Level::attack : Level::meta;
}

// The actions among which a level chooses, one for each row.
int choices(Level level, std::span<const Action> flat, Actions& out) noexcept {
    int count = 0;
    Action last = ~0U;
    std::array<bool, 4> seen{};
    for (const Action action : flat) {
        const Level own = level_of(unpack(action).kind);
        if (level == Level::meta) {
            if (seen[static_cast<std::size_t>(own)]) continue;
            seen[static_cast<std::size_t>(own)] = true;
        } else if (level != Level::whole) {
            if (own != level) continue;
            // Targets are chosen later, so that each card stands once.
            if (level == Level::play && action >> kSourceShift == last) continue;
        }
        last = action >> kSourceShift;
        out[at(count++)] = action;
    }
    return count;
}

void encode_choice(const Rules& rules, const State& state, const Manner& manner, Level level,
                   Action action, Row& out) noexcept {
    switch (level) {
        case Level::whole:
            return encode_action(rules, state, manner, action, out);
        case Level::play:
            return encode_play(state, manner, action, out);
        case Level::attack:
            return encode_attack(rules, state, manner, action, out);
        case Level::meta:
            out.push_back(static_cast<std::int16_t>(level_of(unpack(action).kind)));
    }
}

// The choice of a level with the highest value; the first of equals.
Action best_choice(const Rules& rules, const State& state, const Manner& manner, Level level,
                   const Voters& forest, std::span<const Action> flat, Rng& rng) noexcept {
    Actions possible;
    const int count = choices(level, flat, possible);
    Row row;
    encode_state(rules, state, manner, state.active, rng, row);
    const std::size_t own = row.size();
    Action best = possible[0];
    double top = 0.0;
    for (int i = 0; i < count; ++i) {
        row.resize(own);
        encode_choice(rules, state, manner, level, possible[at(i)], row);
        const double value = forest.mean(row.data());
        if (i == 0 || value > top) {
            top = value;
            best = possible[at(i)];
        }
    }
    return best;
}

Action two_level_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const Nora& nora = *player.nora;
    Action chosen = 0;
    if (player.explore > 0.0 && rng.uniform() < player.explore) {
        Actions metas;
        const int count = choices(Level::meta, flat, metas);
        chosen = metas[rng.below(static_cast<std::uint64_t>(count))];
    } else {
        chosen = best_choice(rules, state, player.manner, Level::meta, *player.forest, flat, rng);
    }
    const Level level = level_of(unpack(chosen).kind);
    if (level == Level::meta) return chosen;  // the turn ends
    const Voters& concrete = nora.forest(level == Level::play ? Skill::play : Skill::attack);
    chosen = best_choice(rules, state, player.manner, level, concrete, flat, rng);
    return aimed(rules, state, nora, chosen, rng);
}

void encode_comparison(const Rules& rules, const State& state, const Manner& manner, Action other,
                       Action usual, Row& out) noexcept {
    encode_action(rules, state, manner, other, out);
    encode_action(rules, state, manner, usual, out);
}

Action corrected_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const Action usual = move_of(rules, state, *player.base, rng);
    Row row;
    encode_state(rules, state, player.manner, state.active, rng, row);
    const std::size_t own = row.size();
    Action best = usual;
    double top = player.threshold;
    for (const Action other : flat) {
        if (other == usual) continue;
        row.resize(own);
        encode_comparison(rules, state, player.manner, other, usual, row);
        const double sure = player.forest->mean(row.data());
        if (sure > top) {
            top = sure;
            best = other;
        }
    }
    return best;
}

// Tries actions in games imagined to their end, more often the better they do (UCB1).
Action simulated_move(const Rules& rules, const State& state, const Chooser& player,
                      std::span<const Action> flat, Rng& rng) noexcept {
    const int seat = state.active;
    const State seen = masked(rules, state, seat);
    const Unseen hidden = unseen(rules, state, seat);
    std::vector<double> gains(flat.size(), 0.0);
    std::vector<int> visits(flat.size(), 0);
    for (int done = 0; done < player.simulations; ++done) {
        std::size_t chosen = 0;
        double top = -1.0;
        for (std::size_t i = 0; i < flat.size(); ++i) {
            if (visits[i] == 0) {
                chosen = i;
                break;
            }
            const double bonus = std::sqrt(kWidth * std::log(done) / visits[i]);
            if (gains[i] / visits[i] + bonus > top) {
                top = gains[i] / visits[i] + bonus;
                chosen = i;
            }
        }
        State trial = imagine(rules, seen, hidden, seat, rng);
        rules.apply_flat(trial, flat[chosen], rng);
        while (!rules.over(trial)) {
            rules.apply_flat(trial, move_of(rules, trial, *player.base, rng), rng);
        }
        const double delay = std::pow(kPatience, trial.turn - state.turn);
        gains[chosen] += (1.0 + delay * rules.return_of(trial, seat)) / 2.0;
        ++visits[chosen];
    }
    // The one that did best, of those that were tried often.
    const int most = *std::max_element(visits.begin(), visits.end());
    std::size_t best = 0;
    double top = -1.0;
    for (std::size_t i = 0; i < flat.size(); ++i) {
        if (2 * visits[i] < most || gains[i] / visits[i] <= top) continue;
        top = gains[i] / visits[i];
        best = i;
    }
    return flat[best];
}

}  // namespace

void encode_action(const Rules& rules, const State& state, const Manner& manner, Action action,
                   Row& out) noexcept {
    const Parts parts = unpack(action);
    const Character aim = character(state, manner, parts.target);
    const auto& mine = state.players[state.active];
    Character used;
    int cost = 0;
    if (parts.kind == Kind::play) {
        const CardId number = mine.hand[at(parts.source)].card;
        const Card& card = rules.cards().cards[number];
        used = {manner.number_of(number), card.health, card.attack, 1};
        cost = card.cost;
    } else if (parts.kind == Kind::attack) {
        used = character(state, manner, parts.source == kHeroSource ? 1 : parts.source + 3);
    } else if (parts.kind == Kind::power) {
        used = {manner.number_of(mine.power), 0, 1, 1};
        cost = rules.cards().cards[mine.power].cost;
    }
    const bool fight = parts.kind == Kind::attack;
    const bool kills = fight && aim.health <= used.attack;
    const bool falls = fight && parts.target > 2 && used.health <= aim.attack;
    const int gain =
        (kills ? aim.health + aim.attack : 0) - (falls ? used.health + used.attack : 0);
    for (const int value :
         {static_cast<int>(parts.kind), used.card, used.health, used.attack, cost, aim.card,
          aim.health, aim.attack, aim.own, kills ? 1 : 0, falls ? 1 : 0, gain}) {
        out.push_back(static_cast<std::int16_t>(value));
    }
}

int row_size(const Manner& manner, Level level) noexcept {
    if (level == Level::play) return row_size(manner, Skill::play);
    if (level == Level::attack) return row_size(manner, Skill::attack);
    return kStateFeatures + manner.cards + (level == Level::whole ? kActionFeatures : 1);
}

int comparison_size(const Manner& manner) noexcept {
    return kStateFeatures + manner.cards + 2 * kActionFeatures;
}

Action move_of(const Rules& rules, const State& state, const Chooser& player, Rng& rng) noexcept {
    using Nature = Chooser::Kind;
    if (player.kind == Nature::random) return random_move(rules, state, rng);
    if (player.kind == Nature::scripted && player.explore == 0.0)
        return scripted_move(rules, state, player.faults);
    if (player.kind == Nature::nora) return nora_move(rules, state, *player.nora, rng);
    Actions all;
    const std::span<const Action> flat(all.data(), at(rules.flat_legal(state, all)));
    if (state.phase != Phase::play || flat.size() == 1) return flat[0];
    if (player.kind == Nature::simulated) return simulated_move(rules, state, player, flat, rng);
    if (player.kind == Nature::two_level) return two_level_move(rules, state, player, flat, rng);
    const bool drawn = player.explore > 0.0 && rng.uniform() < player.explore;
    if (drawn || player.kind == Nature::damped) {
        const Action action = random_move(rules, state, rng, true);
        return player.nora ? aimed(rules, state, *player.nora, action, rng) : action;
    }
    if (player.kind == Nature::scripted) return scripted_move(rules, state, player.faults);
    if (player.kind == Nature::corrected) return corrected_move(rules, state, player, flat, rng);
    return best_choice(rules, state, player.manner, Level::whole, *player.forest, flat, rng);
}

namespace {

// Writes down what one side does, step by step.
class Course {
public:
    Course(const Rules& rules, const Manner& manner, Level level, Transitions& out) noexcept
        : rules_(rules), manner_(manner), level_(level), out_(out) {}

    // A decision: closes the last step, and opens one when the action is of this level.
    void decide(const State& state, std::span<const Action> flat, Action action,
                Rng& places) noexcept {
        Actions possible;
        const int count = choices(level_, flat, possible);
        const bool own = level_ == Level::whole || level_ == Level::meta ||
                         level_of(unpack(action).kind) == level_;
        if (count == 0) return;
        Row row;
        encode_state(rules_, state, manner_, state.active, places, row);
        const std::size_t size = row.size();
        if (open_) {
            for (int i = 0; i < count; ++i) {
                row.resize(size);
                encode_choice(rules_, state, manner_, level_, possible[at(i)], row);
                out_.next_rows.insert(out_.next_rows.end(), row.begin(), row.end());
                ++next_count_;
            }
            close();
        }
        if (!own) return;
        row.resize(size);
        encode_choice(rules_, state, manner_, level_, action, row);
        row_ = std::move(row);
        reward_ = 0.0;
        open_ = true;
    }
    void earn(double reward) noexcept { reward_ += reward; }
    void finish(double reward) noexcept {
        if (!open_) return;
        reward_ += reward;
        close();
    }

private:
    void close() noexcept {
        out_.rows.insert(out_.rows.end(), row_.begin(), row_.end());
        out_.rewards.push_back(static_cast<float>(reward_));
        const std::int64_t before = out_.ends.empty() ? 0 : out_.ends.back();
        out_.ends.push_back(before + next_count_);
        next_count_ = 0;
        open_ = false;
    }

    const Rules& rules_;
    const Manner& manner_;
    Level level_;
    Transitions& out_;
    Row row_;
    double reward_ = 0.0;
    std::int64_t next_count_ = 0;
    bool open_ = false;
};

}  // namespace

void make_transitions(const Rules& rules, const Chooser& player, const Manner& manner, Level level,
                      double win, std::uint64_t seed, std::int64_t first_game, std::int64_t games,
                      Transitions& transitions) noexcept {
    const Rng streams = Rng(seed).fork("transitions");
    for (std::int64_t game = first_game; game < first_game + games; ++game) {
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        Rng places = rng.fork("places");  // shifting minions must not disturb the game
        std::array<Course, 2> courses{Course(rules, manner, level, transitions),
                                      Course(rules, manner, level, transitions)};
        State state = rules.start(rng);
        while (!rules.over(state)) {
            const int seat = rules.actor(state);
            const Action action = move_of(rules, state, player, rng);
            Actions all;
            const std::span<const Action> flat(all.data(), at(rules.flat_legal(state, all)));
            // Where there is nothing to choose there is nothing to learn.
            const bool choice = state.phase == Phase::play && flat.size() > 1;
            if (choice) courses[at(seat)].decide(state, flat, action, places);
            const double before = board_control(rules, state, seat, manner.released);
            rules.apply_flat(state, action, rng);
            const bool own = level == Level::whole || level == Level::meta ||
                             level_of(unpack(action).kind) == level;
            if (choice && own && !rules.over(state)) {
                courses[at(seat)].earn(board_control(rules, state, seat, manner.released) - before);
            }
        }
        for (const int seat : {0, 1}) courses[at(seat)].finish(win * rules.return_of(state, seat));
    }
}

void make_trials(const Rules& rules, const Chooser& player, const Manner& manner,
                 std::uint64_t seed, std::int64_t first, std::int64_t count,
                 Trials& trials) noexcept {
    const Rng streams = Rng(seed).fork("trials");
    for (std::int64_t trial = first; trial < first + count; ++trial) {
        Rng rng = streams.fork(static_cast<std::uint64_t>(trial));
        State state = rules.start(rng);
        for (std::uint64_t left = rng.below(kLatest); left > 0 && !rules.over(state); --left) {
            rules.apply_flat(state, move_of(rules, state, player, rng), rng);
        }
        if (rules.over(state) || state.phase != Phase::play) continue;
        Actions all;
        const std::span<const Action> flat(all.data(), at(rules.flat_legal(state, all)));
        if (flat.size() < 2) continue;
        const int seat = state.active;
        const Action usual = move_of(rules, state, player, rng);
        Action other = flat[rng.below(flat.size() - 1)];
        if (other == usual) other = flat.back();
        int gained = 0;
        for (std::uint64_t again = 0; again < kTrials; ++again) {
            for (const int sign : {1, -1}) {
                State after = state;
                Rng dice = rng.fork("trial").fork(again);
                rules.apply_flat(after, sign > 0 ? other : usual, dice);
                while (!rules.over(after)) {
                    rules.apply_flat(after, move_of(rules, after, player, dice), dice);
                }
                gained += after.winner == seat ? sign : 0;
            }
        }
        if (gained == 0) continue;
        Row row;
        encode_state(rules, state, manner, seat, rng, row);
        encode_comparison(rules, state, manner, other, usual, row);
        trials.rows.insert(trials.rows.end(), row.begin(), row.end());
        trials.better.push_back(gained > 0 ? 1 : 0);
    }
}

}  // namespace ludex::hearthstone
