#include "random_player.hpp"

#include <array>

namespace ludex::hearthstone::agents {

namespace {

// The options of a player: cards, attackers and the power, each once, without ending the turn.
int options_of(std::span<const Action> flat, int size, std::array<Action, 24>& sources) noexcept {
    int count = 0;
    for (int i = 0; i < size; ++i) {
        const Action source = flat[at(i)] >> kSourceShift;
        if (unpack(flat[at(i)]).kind == Kind::end) continue;
        if (count == 0 || sources[at(count - 1)] != source) sources[at(count++)] = source;
    }
    return count;
}

Action any_of_source(std::span<const Action> flat, int size, Action source, Rng& rng) noexcept {
    int first = 0;
    while (flat[at(first)] >> kSourceShift != source) ++first;
    int last = first;
    while (last < size && flat[at(last)] >> kSourceShift == source) ++last;
    return flat[at(first) + rng.below(static_cast<std::uint64_t>(last - first))];
}

}  // namespace

Action random_move(const Rules& rules, const State& state, Rng& rng, bool damped) noexcept {
    std::array<Action, Rules::kMaxLegal> flat;
    const int size = rules.flat_legal(state, flat);
    if (state.phase != Phase::play) return flat[rng.below(static_cast<std::uint64_t>(size))];
    std::array<Action, 24> sources;
    const int count = options_of(flat, size, sources);
    if (count == 0) return flat[0];
    const auto number = static_cast<std::uint64_t>(count);
    Action drawn = sources[rng.below(number)];
    constexpr Action kPower = static_cast<Action>(Kind::power) << (kKindShift - kSourceShift);
    // Where samples are made the power, which is always there, is drawn again two times in three.
    if (damped && drawn == kPower && count >= 2 && rng.below(3) < 2)
        drawn = sources[rng.below(number)];
    return any_of_source(flat, size, drawn, rng);
}

}  // namespace ludex::hearthstone::agents
