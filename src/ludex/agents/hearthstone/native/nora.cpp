#include "nora.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace ludex::hearthstone::agents {

namespace {

// Keeps the state in which a target is asked for.
class TargetState : public Watcher {
public:
    void before(const State& state, const Context& context) noexcept override {
        state_then = state;
        source = context.card;
        found = true;
    }
    void after(const State& /*state*/, const Context& /*context*/) noexcept override {}
    State state_then;
    CardId source = kNoCard;
    bool found = false;
};

// An attack on the other hero, or the end of the turn.
Action attack_on_hero(std::span<const Action> flat) noexcept {
    for (const Action action : flat) {
        const Parts parts = unpack(action);
        if (parts.kind == Kind::attack && parts.target == 2) return action;
    }
    return flat[0];
}

}  // namespace

Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action, Rng& rng,
             std::vector<Estimate>* estimates) noexcept {
    if (unpack(action).kind == Kind::attack || unpack(action).target == 0) return action;
    TargetState asked;
    State trial = state;
    Rng dice = rng.fork("trial");
    rules.apply_flat(trial, action, dice, &asked);
    if (!asked.found) return action;
    Row row;
    encode_state(rules, asked.state_then, nora.encoding, state.active, rng, row);
    const Row seen = row;
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    Action best = action;
    double top = -1.0;
    std::size_t candidate = 0;
    for (int i = 0; i < size; ++i) {
        const Parts parts = unpack(flat[at(i)]);
        // The other half of a card may have no target.
        if (flat[at(i)] >> kSourceShift != action >> kSourceShift || parts.target == 0) continue;
        row.resize(seen.size());
        if (nora.target_state_bug) {
            std::fill(row.begin(), row.end(), seen[candidate++ % seen.size()]);
        }
        const Ref target = Rules::target_of(state, parts.target);
        encode_target(rules, asked.state_then, nora.encoding, asked.source, target, state.active,
                      row);
        const double p = nora.forest(Skill::target).mean(row.data());
        if (estimates != nullptr) estimates->push_back({flat[at(i)], p, true});
        if (p >= top) {  // the last of equals
            top = p;
            best = flat[at(i)];
        }
    }
    return best;
}

Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                 std::vector<Estimate>* estimates) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[0];
    if (size == 1) return flat[0];
    Row row;
    encode_state(rules, state, nora.encoding, state.active, rng, row);
    const std::size_t own = row.size();
    double top = -1.0;
    int chosen = -1;
    const auto consider = [&](int i, const AveragingForest& forest) {
        const double p = forest.mean(row.data());
        if (estimates != nullptr) estimates->push_back({flat[at(i)], p, false});
        if (p >= nora.threshold && p > top) {
            top = p;
            chosen = i;
        }
        row.resize(own);
    };
    for (int i = 0; i < size; ++i) {
        if (unpack(flat[at(i)]).kind != Kind::attack) continue;
        encode_attack(rules, state, nora.encoding, flat[at(i)], row);
        consider(i, nora.forest(Skill::attack));
    }
    Action last = ~0U;
    for (int i = 0; i < size; ++i) {
        const Kind kind = unpack(flat[at(i)]).kind;
        if (kind != Kind::play && kind != Kind::power) continue;
        const Action source = flat[at(i)] >> kSourceShift;
        if (source == last) continue;
        last = source;
        encode_play(state, nora.encoding, flat[at(i)], row);
        if (nora.power_id_is_hero_id && kind == Kind::power) {
            row.back() = nora.encoding.number_of(state.players[state.active].hero);
        }
        consider(i, nora.forest(Skill::play));
    }
    if (chosen < 0) return attack_on_hero(std::span(flat).first(at(size)));
    return aimed(rules, state, nora, flat[at(chosen)], rng, estimates);
}

}  // namespace ludex::hearthstone::agents
