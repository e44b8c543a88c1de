#include "games.hpp"

namespace ludex::hearthstone::agents {

std::vector<int> play_matches(const Rules& rules, const Chooser& one, const Chooser& two,
                              const Games& games) noexcept {
    std::vector<int> results;
    const Rng streams = Rng(games.seed).fork("matches");
    for (std::int64_t game = games.first; game < games.end; ++game) {
        Rng rng = streams.fork(static_cast<std::uint64_t>(game));
        State state = rules.start(rng);
        while (!rules.over(state)) {
            const Chooser& player = rules.actor(state) == 0 ? one : two;
            rules.apply_flat(state, move_of(rules, state, player, rng), rng);
        }
        results.push_back(state.winner == 2 ? 2 : state.winner == 0 ? 1 : 0);
    }
    return results;
}

}  // namespace ludex::hearthstone::agents
