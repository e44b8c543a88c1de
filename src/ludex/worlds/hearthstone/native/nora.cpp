#include "nora.hpp"

#include <algorithm>
#include <array>

namespace ludex::hearthstone {

namespace {

// Keeps the state in which a target is asked for.
class Keeper : public Watcher {
public:
    void before(const State& state, const Context& context) noexcept override {
        kept = state;
        source = context.card;
        found = true;
    }
    void after(const State& /*state*/, const Context& /*context*/) noexcept override {}
    State kept;
    CardId source = kNoCard;
    bool found = false;
};

}  // namespace

Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action, Rng& rng,
             std::vector<Thought>* thoughts) noexcept {
    if (unpack(action).kind == Kind::attack || unpack(action).target == 0) return action;
    Keeper keeper;
    State trial = state;
    Rng dice = rng.fork("trial");
    rules.apply_flat(trial, action, dice, &keeper);
    if (!keeper.found) return action;
    Row row;
    encode_state(rules, keeper.kept, nora.manner, state.active, rng, row);
    const Row seen = row;
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    Action best = action;
    double top = -1.0;
    std::size_t candidate = 0;
    for (int i = 0; i < size; ++i) {
        if (flat[at(i)] >> kSourceShift != action >> kSourceShift) continue;
        row.resize(seen.size());
        if (nora.target_state_bug) std::fill(row.begin(), row.end(), seen[candidate++]);
        const Ref target = Rules::target_of(state, unpack(flat[at(i)]).target);
        encode_target(rules, keeper.kept, nora.manner, keeper.source, target, state.active, row);
        const double p = nora.forest(Skill::target).mean(row.data());
        if (thoughts != nullptr) thoughts->push_back({flat[at(i)], p, true});
        if (p >= top) {  // the last of equals
            top = p;
            best = flat[at(i)];
        }
    }
    return best;
}

Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                 std::vector<Thought>* thoughts) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[0];
    if (size == 1) return flat[0];
    Row row;
    encode_state(rules, state, nora.manner, state.active, rng, row);
    const std::size_t own = row.size();
    double top = -1.0;
    int chosen = -1;
    const auto consider = [&](int i, const Voters& forest) {
        const double p = forest.mean(row.data());
        if (thoughts != nullptr) thoughts->push_back({flat[at(i)], p, false});
        if (p >= nora.threshold && p > top) {
            top = p;
            chosen = i;
        }
        row.resize(own);
    };
    for (int i = 0; i < size; ++i) {
        if (unpack(flat[at(i)]).kind != Kind::attack) continue;
        encode_attack(rules, state, nora.manner, flat[at(i)], row);
        consider(i, nora.forest(Skill::attack));
    }
    Action last = ~0U;
    for (int i = 0; i < size; ++i) {
        const Kind kind = unpack(flat[at(i)]).kind;
        if (kind != Kind::play && kind != Kind::power) continue;
        const Action source = flat[at(i)] >> kSourceShift;
        if (source == last) continue;
        last = source;
        encode_play(state, nora.manner, flat[at(i)], row);
        if (nora.power_id_is_hero_id && kind == Kind::power) {
            row.back() = nora.manner.number_of(state.players[state.active].hero);
        }
        consider(i, nora.forest(Skill::play));
    }
    if (chosen < 0) {
        for (int i = 0; i < size; ++i) {
            const Parts parts = unpack(flat[at(i)]);
            if (parts.kind == Kind::attack && parts.target == 2) return flat[at(i)];
        }
        return flat[0];
    }
    return aimed(rules, state, nora, flat[at(chosen)], rng, thoughts);
}

}  // namespace ludex::hearthstone
