// Choosing at random without listing what there is to choose from.
#include "chance.hpp"
#include "choices.hpp"
#include "human_types.hpp"
#include "offers.hpp"

namespace ludex::catan {

namespace {

constexpr int kTries = 16;

[[nodiscard]] bool is_mixed(int bundle) noexcept {
    return count_bits(kBundleTable.kinds[at(bundle)]) > 1;
}

// Several small draws from one random number, which is taken as a fraction and scaled again and
// again. The numbers asked for here multiply to less than 2^22, so each draw is even to 2^-42.
class Draws {
public:
    explicit Draws(Rng& rng) noexcept : left_(rng.next()) {}

    [[nodiscard]] int below(int count) noexcept {
        const Wide product = static_cast<Wide>(left_) * static_cast<std::uint64_t>(count);
        left_ = static_cast<std::uint64_t>(product);
        return static_cast<int>(product >> 64);
    }

private:
    __extension__ using Wide = unsigned __int128;
    std::uint64_t left_;
};

// Draws one or two cards of a hand, each card as likely, and returns their bundle.
[[nodiscard]] int draw_bundle(const Player& player, int count, Draws& draws) noexcept {
    const int first = kind_at(player.hand, draws.below(player.size));
    if (count == 1) return first;
    const int second = kind_at(player.hand - cards(first), draws.below(player.size - 1));
    return kBundleTable.pair[at(first)][at(second)];
}

// A partner with cards, a shape that both can pay, and single cards drawn from both hands; drawn
// again while both sides would give the same kind.
[[nodiscard]] Action sample_exchange(const Rules& rules, const State& state, Rng& rng) noexcept {
    const Player& proposer = state.player(state.current);
    std::array<int, kMaxSeats> partners{};
    int count = 0;
    for (int seat = 0; seat < rules.players; ++seat) {
        partners[at(count)] = seat;
        count += seat != state.current && state.player(seat).size != 0 ? 1 : 0;
    }
    for (int tries = 0; tries < kTries; ++tries) {
        Draws draws(rng);
        const int to = partners[at(draws.below(count))];
        const Player& partner = state.player(to);
        const bool asks_two = rules.trades != Trades::one && partner.size > 1;
        const bool gives_two = rules.trades != Trades::one && proposer.size > 1;
        const int shape = draws.below(1 + (asks_two ? 1 : 0) + (gives_two ? 1 : 0));
        const bool two_asked = shape == 1 && asks_two;
        const int give = draw_bundle(proposer, shape > 0 && !two_asked ? 2 : 1, draws);
        const int want = draw_bundle(partner, two_asked ? 2 : 1, draws);
        if ((kBundleTable.kinds[at(give)] & kBundleTable.kinds[at(want)]) != 0) continue;
        if (rules.trades == Trades::same && (is_mixed(give) || is_mixed(want))) continue;
        return make(Type::offer, to << 12 | give << 6 | want);
    }
    return rules.offer_at(state, pick(rng, rules.count_offers(state)));
}

[[nodiscard]] Action choose_in_type(const Rules& rules, const State& state, Type type,
                                    Rng& rng) noexcept {
    if (type == Type::offer && rules.exchanges) return sample_exchange(rules, state, rng);
    return pick_of_type(rules, state, type, rng);
}

[[nodiscard]] Action choose_uniform(const Rules& rules, const State& state, Rng& rng) noexcept {
    std::array<Action, Rules::kMaxLegal> list;
    const int count = rules.legal(state, state.acting, list);
    return list[rng.below(static_cast<std::uint64_t>(count))];
}

// As the reference lists trades: one that has two unlike cards on a side stands there twice.
[[nodiscard]] Action choose_ordered(const Rules& rules, const State& state, Rng& rng) noexcept {
    std::array<Action, 2 * Rules::kMaxLegal> list;
    int count = rules.legal(state, state.acting, std::span(list).first(Rules::kMaxLegal));
    const int once = count;
    for (int i = 0; i < once; ++i) {
        if (catan::type_of(list[at(i)]) != Type::offer) continue;
        const Offer offer = offer_of(list[at(i)]);
        if (is_mixed(offer.give) || is_mixed(offer.want)) list[at(count++)] = list[at(i)];
    }
    return list[at(pick(rng, count))];
}

// The one type of a phase that is not part of the turn proper.
[[nodiscard]] Type only_type(const State& state) noexcept {
    switch (state.phase) {
        case Phase::setup_settlement:
            return Type::settlement;
        case Phase::discard:
            return Type::discard;
        case Phase::robber:
            return Type::robber;
        default:
            return Type::road;
    }
}

[[nodiscard]] Type draw_type(std::uint32_t types, Chooser chooser, bool rolled, Rng& rng) noexcept {
    // People's choices were counted after the roll alone.
    if (rolled && chooser != Chooser::type_first) {
        std::array<double, kTypes> weights{};
        human_weights(types, chooser == Chooser::human, weights);
        return static_cast<Type>(rng.weighted(weights));
    }
    return static_cast<Type>(bit_at(types, pick(rng, count_bits(types))));
}

[[nodiscard]] Action choose_by(const Rules& rules, const State& state, Chooser how,
                               Rng& rng) noexcept {
    if (how == Chooser::uniform) return choose_uniform(rules, state, rng);
    if (how == Chooser::ordered) return choose_ordered(rules, state, rng);
    if (state.phase == Phase::main || state.phase == Phase::before_roll) {
        const Player& player = state.player(state.current);
        const bool no_card = player.held_size == 0 || state.card_played != 0;
        if (no_card && state.phase == Phase::before_roll) return make(Type::roll);
        if (no_card && player.size == 0) return make(Type::end);
        const std::uint32_t types = turn_types(rules, state);
        const Type type = draw_type(types, how, state.phase == Phase::main, rng);
        return choose_in_type(rules, state, type, rng);
    }
    if (state.phase == Phase::answer) {
        const bool accepts = can_accept(state) && pick(rng, 2) == 0;
        return make(accepts ? Type::accept : Type::reject);
    }
    return pick_of_type(rules, state, only_type(state), rng);
}

}  // namespace

std::optional<int> Rules::find_policy(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 5> kNames{"uniform", "ordered", "type_first", "human",
                                                     "human_unconditioned"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<int>(i);
    }
    return std::nullopt;
}

void Rules::rate(const State& state, int /*seat*/, int chooser, std::span<const Action> legal,
                 std::span<double> out) const noexcept {
    const auto how = static_cast<Chooser>(chooser);
    std::array<double, kTypes> weights;
    weights.fill(1.0);
    // People's choices were counted after the roll alone.
    if (state.phase == Phase::main &&
        (how == Chooser::human || how == Chooser::human_unconditioned)) {
        human_weights(turn_types(*this, state), how == Chooser::human, weights);
    }
    std::array<int, kTypes> sizes{};
    for (const Action action : legal) ++sizes[at(type_of(action))];
    const bool by_type = how != Chooser::uniform && how != Chooser::ordered;
    for (std::size_t i = 0; i < legal.size(); ++i) {
        const std::size_t type = at(type_of(legal[i]));
        out[i] = by_type ? weights[type] / sizes[type] : 1.0;
    }
}

Action Rules::choose(const State& state, int chooser, Rng& rng) const noexcept {
    return choose_by(*this, state, static_cast<Chooser>(chooser), rng);
}

std::int64_t Rules::play_on(State& state, int chooser, std::int64_t limit,
                            Rng& rng) const noexcept {
    const auto how = static_cast<Chooser>(chooser);
    std::int64_t ticks = 0;
    if (to_act(state) == kNobody) return ticks;
    while (ticks < limit && state.phase != Phase::over) {  // all chance is settled in the loop
        perform(*this, state, choose_by(*this, state, how, rng));
        settle_chance(*this, state, rng);
        ++ticks;
    }
    return ticks;
}

}  // namespace ludex::catan
