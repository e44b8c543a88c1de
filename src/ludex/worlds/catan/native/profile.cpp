#include "profile.hpp"

#include <algorithm>

#include "chance.hpp"
#include "choices.hpp"

namespace ludex::catan {

namespace {

// How many sets of `size` cards there are in a hand.
[[nodiscard]] std::int64_t count_sets(Hand hand, int kind, int size) {
    if (kind == kKinds) return size == 0 ? 1 : 0;
    std::int64_t sum = 0;
    for (int n = 0; n <= std::min(size, count_of(hand, kind)); ++n) {
        sum += count_sets(hand, kind + 1, size - n);
    }
    return sum;
}

[[nodiscard]] bool is_doubled(Action action) noexcept {
    if (type_of(action) != Type::offer) return false;
    const Offer offer = offer_of(action);
    return count_bits(kBundleTable.kinds[at(offer.give)]) > 1 ||
           count_bits(kBundleTable.kinds[at(offer.want)]) > 1;
}

class Observer {
public:
    Observer(const Rules& rules, int policy, bool as_source) noexcept
        : rules_(rules),
          by_type_(policy != *Rules::find_policy("uniform") &&
                   policy != *Rules::find_policy("ordered")),
          as_source_(as_source) {}

    void note_chance(const State& state) {
        ++found.chances;
        std::array<Chance<Rules::Outcome>, Rules::kMaxOutcomes> listed;
        note_choice(list_chance(state, listed));
    }

    void note_decision(const State& state, Action action) {
        std::array<Action, Rules::kMaxLegal> list;
        const int count = rules_.legal(state, state.acting, list);
        std::array<std::int64_t, kTypes> tokens{};
        for (int i = 0; i < count; ++i) {
            const Action one = list[at(i)];
            tokens[static_cast<std::size_t>(type_of(one))] += as_source_ && is_doubled(one) ? 2 : 1;
        }
        std::int64_t all = 0;
        for (const std::int64_t one : tokens) all += one;
        const auto chosen = static_cast<std::size_t>(type_of(action));
        ++found.steps;
        ++found.chosen[chosen];
        found.plain_options += all;
        if (state.phase == Phase::discard) {
            // One choice of a whole set, however many cards it has.
            if (state.player(state.acting).discarded == 0) {
                note_choice(count_sets(state.player(state.acting).hand, 0, state.quota));
            }
        } else {
            // A sampled exchange is one option: no other is looked at.
            const bool sampled = rules_.exchanges && type_of(action) == Type::offer;
            note_choice(!by_type_ ? all : sampled ? 1 : tokens[chosen]);
        }
        if (state.phase == Phase::main) note_types(state, tokens);
    }

    Profile found;

private:
    void note_choice(std::int64_t count) {
        if (count < 2) return;
        ++found.choices;
        found.options += count;
    }

    void note_types(const State& state, std::array<std::int64_t, kTypes>& tokens) {
        auto& roads = tokens[static_cast<std::size_t>(Type::roads)];
        if (roads > 0) {  // counted with where the first road can go
            const EdgeSet sites = road_sites(state, state.player(state.current));
            roads = count_bits(sites.low) + count_bits(sites.high);
        }
        ++found.main_steps;
        for (std::size_t type = 0; type < kTypes; ++type) {
            if (tokens[type] == 0) continue;
            ++found.legal[type];
            found.tokens[type] += tokens[type];
            found.most[type] = std::max(found.most[type], tokens[type]);
        }
    }

    const Rules& rules_;
    bool by_type_;
    bool as_source_;
};

// Lays down cards drawn at random, each as likely, as the source does in random play.
void discard_any(const Rules& rules, State& state, Rng& rng) {
    const Player& player = state.player(state.acting);
    Hand left = player.hand;
    Hand gone = 0;
    for (int size = player.size, count = state.quota; count > 0; --count, --size) {
        const Hand card = cards(kind_at(left, pick(rng, size)));
        left -= card;
        gone += card;
    }
    for (int kind = 0; kind < kKinds; ++kind) {
        for (int n = count_of(gone, kind); n > 0; --n) {
            perform(rules, state, make(Type::discard, kind));
        }
    }
}

}  // namespace

Profile profile(const Rules& rules, int policy, int games, bool as_source, bool one_board,
                Rng rng) {
    Observer observer(rules, policy, as_source);
    Rng layout = rng.fork("board");
    const State first = rules.start(layout);
    for (int game = 0; game < games; ++game) {
        Rng dice = rng.fork(static_cast<std::uint64_t>(game));
        State state = one_board ? first : rules.start(dice);
        while (!rules.over(state)) {
            if (rules.to_act(state) == kNobody) {
                observer.note_chance(state);
                settle_chance(rules, state, dice);
                continue;
            }
            const Action action = rules.choose(state, policy, dice);
            observer.note_decision(state, action);
            if (as_source && state.phase == Phase::discard) {
                discard_any(rules, state, dice);
            } else {
                perform(rules, state, action);
            }
        }
        ++observer.found.games;
        observer.found.finished += state.winner != kNoSeat ? 1 : 0;
        observer.found.turns += state.turn;
    }
    return observer.found;
}

}  // namespace ludex::catan
