#include "samples.hpp"

#include <cmath>

#include "evaluators.hpp"
#include "random_player.hpp"

namespace ludex::hearthstone::agents {

namespace {

// Notes the score before and after the effect that has a target.
class TargetSampler : public Watcher {
public:
    TargetSampler(const Rules& rules, const Encoding& encoding, int seat, Rng& rng) noexcept
        : rules_(rules), encoding_(encoding), seat_(seat), rng_(rng) {}
    void before(const State& state, const Context& context) noexcept override {
        row.clear();
        encode_state(rules_, state, encoding_, seat_, rng_, row);
        encode_target(rules_, state, encoding_, context.card, context.target.ref, seat_, row);
        score_ = board_control(rules_, state, seat_, encoding_.released);
    }
    void after(const State& state, const Context& /*context*/) noexcept override {
        reward = board_control(rules_, state, seat_, encoding_.released) - score_;
        found = true;
    }
    Row row;
    double reward = 0.0;
    bool found = false;

private:
    const Rules& rules_;
    const Encoding& encoding_;
    int seat_;
    Rng& rng_;
    double score_ = 0.0;
};

void keep_row(Samples& samples, Skill skill, const Row& row, double reward,
              std::int64_t quota) noexcept {
    const auto g = static_cast<std::size_t>(skill);
    ++samples.seen[g];
    if (std::abs(reward) < 1e-12) {
        ++samples.zeros[g];
        return;
    }
    const std::size_t side = reward > 0.0 ? 1 : 0;
    if (samples.kept[g][side] >= quota) return;
    ++samples.kept[g][side];
    samples.rows[g].insert(samples.rows[g].end(), row.begin(), row.end());
    samples.rewards[g].push_back(static_cast<float>(reward));
}

}  // namespace

void make_samples(const Rules& rules, const Encoding& encoding, const Games& games,
                  std::int64_t quota, const Nora* chooser, Samples& samples) noexcept {
    const Rng streams = Rng(games.seed).fork("samples");
    Row row;
    for (std::int64_t game = games.first; game < games.end; ++game) {
        bool full = true;
        for (const auto& kept : samples.kept) full = full && kept[0] >= quota && kept[1] >= quota;
        if (full) break;
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        Rng shifts = rng.fork("places");  // shifting minions must not disturb the game
        State state = rules.start(rng);
        while (!rules.over(state)) {
            const int seat = state.active;
            Action action = random_move(rules, state, rng, true);
            const Kind kind = unpack(action).kind;
            if (kind == Kind::end || kind == Kind::choose) {
                rules.apply_flat(state, action, rng);
                continue;
            }
            if (chooser != nullptr) action = aimed(rules, state, *chooser, action, shifts);
            row.clear();
            encode_state(rules, state, encoding, seat, shifts, row);
            const double before = board_control(rules, state, seat, encoding.released);
            TargetSampler sampler(rules, encoding, seat, shifts);
            if (kind == Kind::attack) {
                encode_attack(rules, state, encoding, action, row);
                rules.apply_flat(state, action, rng);
            } else {
                encode_play(state, encoding, action, row);
                rules.apply_flat(state, action, rng, &sampler);
                if (sampler.found) {
                    keep_row(samples, Skill::target, sampler.row, sampler.reward, quota);
                }
            }
            if (rules.over(state)) break;
            const double reward = board_control(rules, state, seat, encoding.released) - before;
            keep_row(samples, kind == Kind::attack ? Skill::attack : Skill::play, row, reward,
                     quota);
        }
        ++samples.games;
    }
}

}  // namespace ludex::hearthstone::agents
