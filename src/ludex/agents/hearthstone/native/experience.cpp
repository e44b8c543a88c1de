#include "experience.hpp"

#include <array>
#include <span>
#include <utility>

#include "evaluators.hpp"

namespace ludex::hearthstone::agents {

namespace {

constexpr int kTrials = 2;             // times each of two choices is played on
constexpr std::uint64_t kLatest = 60;  // decisions of a game among which one is tried

// Whether an action is one of a level's choices.
bool belongs(Level level, Action action) noexcept {
    return level == Level::whole || level == Level::meta || level_of(unpack(action).kind) == level;
}

// Notes what one side does, step by step.
class TransitionRecorder {
public:
    TransitionRecorder(const Rules& rules, const Encoding& encoding, Level level,
                       Transitions& out) noexcept
        : rules_(rules), encoding_(encoding), level_(level), out_(out) {}

    // A decision: closes the last step, and opens one when the action is of this level.
    void decide(const State& state, std::span<const Action> flat, Action action,
                Rng& shifts) noexcept {
        Actions possible;
        const int count = choices(level_, flat, possible);
        if (count == 0) return;
        Row row;
        encode_state(rules_, state, encoding_, state.active, shifts, row);
        const std::size_t size = row.size();
        if (open_) {
            for (int i = 0; i < count; ++i) {
                row.resize(size);
                encode_choice(rules_, state, encoding_, level_, possible[at(i)], row);
                out_.next_rows.insert(out_.next_rows.end(), row.begin(), row.end());
                ++next_count_;
            }
            close();
        }
        if (!belongs(level_, action)) return;
        row.resize(size);
        encode_choice(rules_, state, encoding_, level_, action, row);
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
    const Encoding& encoding_;
    Level level_;
    Transitions& out_;
    Row row_;
    double reward_ = 0.0;
    std::int64_t next_count_ = 0;
    bool open_ = false;
};

}  // namespace

void make_transitions(const Rules& rules, const Chooser& player, const Encoding& encoding,
                      Level level, double win, const Games& games,
                      Transitions& transitions) noexcept {
    const Rng streams = Rng(games.seed).fork("transitions");
    for (std::int64_t game = games.first; game < games.end; ++game) {
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        Rng shifts = rng.fork("places");  // shifting minions must not disturb the game
        const TransitionRecorder nothing(rules, encoding, level, transitions);
        std::array<TransitionRecorder, kSeats> recorders{nothing, nothing};
        State state = rules.start(rng);
        while (!rules.over(state)) {
            const int seat = rules.actor(state);
            TransitionRecorder& recorder = recorders[at(seat)];
            const Action action = move_of(rules, state, player, rng);
            Actions all;
            const std::span<const Action> flat = legal_actions(rules, state, all);
            // Where there is nothing to choose there is nothing to learn.
            const bool is_choice = state.phase == Phase::play && flat.size() > 1;
            if (is_choice) recorder.decide(state, flat, action, shifts);
            const double before = board_control(rules, state, seat, encoding.released);
            rules.apply_flat(state, action, rng);
            if (is_choice && belongs(level, action) && !rules.over(state)) {
                recorder.earn(board_control(rules, state, seat, encoding.released) - before);
            }
        }
        for (int seat = 0; seat < kSeats; ++seat) {
            recorders[at(seat)].finish(win * rules.return_of(state, seat));
        }
    }
}

namespace {

// How much more often a seat wins after `other` than after `usual`, both played on by the player
// with the same random numbers.
int gain_of(const Rules& rules, const State& state, const Chooser& player, Action other,
            Action usual, const Rng& rng) noexcept {
    int gain = 0;
    for (std::uint64_t again = 0; again < kTrials; ++again) {
        for (const int sign : {1, -1}) {
            State after = state;
            Rng own = rng.fork("trial").fork(again);
            rules.apply_flat(after, sign > 0 ? other : usual, own);
            while (!rules.over(after)) {
                rules.apply_flat(after, move_of(rules, after, player, own), own);
            }
            gain += after.winner == state.active ? sign : 0;
        }
    }
    return gain;
}

}  // namespace

void make_trials(const Rules& rules, const Chooser& player, const Encoding& encoding,
                 const Games& games, Trials& trials) noexcept {
    const Rng streams = Rng(games.seed).fork("trials");
    for (std::int64_t game = games.first; game < games.end; ++game) {
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        State state = rules.start(rng);
        for (std::uint64_t left = rng.below(kLatest); left > 0 && !rules.over(state); --left) {
            rules.apply_flat(state, move_of(rules, state, player, rng), rng);
        }
        if (rules.over(state) || state.phase != Phase::play) continue;
        Actions all;
        const std::span<const Action> flat = legal_actions(rules, state, all);
        if (flat.size() < 2) continue;
        const Action usual = move_of(rules, state, player, rng);
        Action other = flat[rng.below(flat.size() - 1)];
        if (other == usual) other = flat.back();
        const int gain = gain_of(rules, state, player, other, usual, rng);
        if (gain == 0) continue;
        Row row;
        encode_state(rules, state, encoding, state.active, rng, row);
        encode_comparison(rules, state, encoding, other, usual, row);
        trials.rows.insert(trials.rows.end(), row.begin(), row.end());
        trials.better.push_back(gain > 0 ? 1 : 0);
    }
}

}  // namespace ludex::hearthstone::agents
