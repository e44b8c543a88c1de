#include "encoding.hpp"

#include <algorithm>

#include "read_only_engine.hpp"

namespace ludex::hearthstone::agents {

namespace {

constexpr std::int16_t kNothing = -9999;

void describe_character(const Rules& rules, const State& state, const Encoding& encoding, Ref ref,
                        int seat, bool with_side, Row& out) noexcept {
    const ReadOnlyEngine engine(rules, state);
    const bool hero = ref >= kHero;
    const int side = hero ? ref - kHero : state.minions[ref].side;
    const CardId card = hero ? state.players[at(side)].hero : state.minions[ref].card;
    out.push_back(encoding.number_of(card));
    if (with_side) out.push_back(side == seat ? 1 : 0);
    out.push_back(static_cast<std::int16_t>(engine->health_of(ref)));
    out.push_back(static_cast<std::int16_t>(engine->attack_of(ref)));
    out.push_back(!hero && (state.minions[ref].flags & kSilenced) != 0 ? 1 : 0);
}

}  // namespace

void encode_state(const Rules& rules, const State& state, const Encoding& encoding, int seat,
                  Rng& rng, Row& out) noexcept {
    const ReadOnlyEngine engine(rules, state);
    const Player& mine = state.players[at(seat)];
    const Player& theirs = state.players[at(1 - seat)];
    const auto taunts = [&](const Player& p) {
        int count = 0;
        for (int i = 0; i < p.board_size; ++i) {
            count += (engine->keywords_of(p.board[at(i)]) & kTaunt) != 0 ? 1 : 0;
        }
        return count;
    };
    // The study kept silence and frost in the list of enchantments.
    const int changes = kFrozen | (encoding.silence_counts_as_enchanted ? kSilenced : 0);
    const auto put = [&](int value) { out.push_back(static_cast<std::int16_t>(value)); };
    put(mine.board_size);
    put(theirs.board_size);
    put(taunts(mine));
    put(taunts(theirs));
    put(mine.hand_size);
    put(theirs.hand_size);
    put(mine.mana);
    put(mine.crystals);
    put(std::min(10, theirs.crystals + 1));
    put(mine.health);
    put(theirs.health);
    for (const Player* p : {&mine, &theirs}) {
        const auto shift =
            static_cast<int>(rng.below(static_cast<std::uint64_t>(kBoard - p->board_size + 1)));
        for (int slot = 0; slot < kBoard; ++slot) {
            const int index = slot - shift;
            if (index < 0 || index >= p->board_size) {
                put(-1);
                put(0);
                put(kNothing);
                put(kNothing);
                put(0);
                put(0);
                put(0);
                continue;
            }
            const Ref ref = p->board[at(index)];
            const Minion& one = state.minions[ref];
            put(encoding.number_of(one.card));
            put(is_ready(*engine, state, ref) ? 1 : 0);
            put(one.health);
            put(engine->attack_of(ref));
            put(one.enchants > 0 || (one.flags & changes) != 0 ? 1 : 0);
            put((one.flags & kSilenced) != 0 ? 1 : 0);
            put((engine->keywords_of(ref) & kTaunt) != 0 ? 1 : 0);
        }
    }
    const std::size_t hand = out.size();
    out.resize(hand + at(encoding.cards), 0);
    for (int i = 0; i < mine.hand_size; ++i) {
        const int number = encoding.number_of(mine.hand[at(i)].card);
        if (number >= 0) ++out[hand + at(number)];
    }
}

void encode_play(const State& state, const Encoding& encoding, Action action, Row& out) noexcept {
    const Parts parts = unpack(action);
    const Player& p = state.players[state.active];
    const CardId card = parts.kind == Kind::power ? p.power : p.hand[at(parts.source)].card;
    out.push_back(encoding.number_of(card));
}

void encode_attack(const Rules& rules, const State& state, const Encoding& encoding, Action action,
                   Row& out) noexcept {
    const Parts parts = unpack(action);
    const int seat = state.active;
    describe_character(rules, state, encoding, attacker_of(state, parts), seat, false, out);
    describe_character(rules, state, encoding, Rules::target_of(state, parts.target), seat, true,
                       out);
}

void encode_target(const Rules& rules, const State& state, const Encoding& encoding, CardId source,
                   Ref target, int seat, Row& out) noexcept {
    const int number = source < encoding.actions.size() ? encoding.actions[source] : 0;
    out.push_back(static_cast<std::int16_t>(number));
    describe_character(rules, state, encoding, target, seat, true, out);
    if (encoding.one_hot) {
        const std::size_t start = out.size();
        out.resize(start + at(encoding.action_count) + 1, 0);
        out[start + at(number)] = 1;
    }
}

void number_actions(const Rules& rules, Encoding& encoding) {
    std::vector<CardId> cards;
    for (std::size_t id = 1; id < encoding.numbers.size(); ++id) {
        if (encoding.numbers[id] >= 0 && rules.cards().cards[id].aim != Aim::none) {
            cards.push_back(static_cast<CardId>(id));
        }
    }
    std::sort(cards.begin(), cards.end(),
              [&](CardId a, CardId b) { return encoding.numbers[a] < encoding.numbers[b]; });
    encoding.actions.assign(encoding.numbers.size(), 0);
    encoding.action_count = static_cast<int>(cards.size());
    for (std::size_t i = 0; i < cards.size(); ++i) {
        encoding.actions[cards[i]] = static_cast<std::int16_t>(i + 1);
    }
}

int row_size(const Encoding& encoding, Skill skill) noexcept {
    const int state = kStateFeatures + encoding.cards;
    if (skill == Skill::play) return state + kPlayFeatures;
    if (skill == Skill::attack) return state + kAttackFeatures;
    return state + kTargetFeatures + (encoding.one_hot ? encoding.action_count + 1 : 0);
}

Ref attacker_of(const State& state, const Parts& parts) noexcept {
    if (parts.source == kHeroSource) return static_cast<Ref>(kHero + state.active);
    return state.players[state.active].board[at(parts.source)];
}

}  // namespace ludex::hearthstone::agents
