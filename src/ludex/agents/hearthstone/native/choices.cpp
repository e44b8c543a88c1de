#include "choices.hpp"

namespace ludex::hearthstone::agents {

namespace {

constexpr std::int16_t kNobody = -1;    // the card of a target that is not there
constexpr std::int16_t kNowhere = -99;  // its health and attack

struct Character {
    int card = kNobody;
    int health = kNowhere;
    int attack = kNowhere;
    int own = -1;
};

Character character(const State& state, const Encoding& encoding, int code) noexcept {
    if (code == 0) return {};
    const Ref ref = Rules::target_of(state, code);
    if (ref >= kHero) {
        const int side = ref - kHero;
        const Player& p = state.players[at(side)];
        return {encoding.number_of(p.hero), p.health, p.hero_attack, side == state.active ? 1 : 0};
    }
    const Minion& m = state.minions[ref];
    return {encoding.number_of(m.card), m.health, m.attack + m.aura_attack,
            m.side == state.active ? 1 : 0};
}

}  // namespace

Level level_of(Kind kind) noexcept {
    if (kind == Kind::play || kind == Kind::power) return Level::play;
    return kind == Kind::attack ? Level::attack : Level::meta;
}

std::span<const Action> legal_actions(const Rules& rules, const State& state,
                                      Actions& memory) noexcept {
    return {memory.data(), at(rules.flat_legal(state, memory))};
}

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

void encode_choice(const Rules& rules, const State& state, const Encoding& encoding, Level level,
                   Action action, Row& out) noexcept {
    switch (level) {
        case Level::whole:
            return encode_action(rules, state, encoding, action, out);
        case Level::play:
            return encode_play(state, encoding, action, out);
        case Level::attack:
            return encode_attack(rules, state, encoding, action, out);
        case Level::meta:
            out.push_back(static_cast<std::int16_t>(level_of(unpack(action).kind)));
    }
}

void encode_action(const Rules& rules, const State& state, const Encoding& encoding, Action action,
                   Row& out) noexcept {
    const Parts parts = unpack(action);
    const Character aim = character(state, encoding, parts.target);
    const auto& mine = state.players[state.active];
    Character used;
    int cost = 0;
    if (parts.kind == Kind::play) {
        const CardId number = mine.hand[at(parts.source)].card;
        const Card& card = rules.cards().cards[number];
        used = {encoding.number_of(number), card.health, card.attack, 1};
        cost = card.cost;
    } else if (parts.kind == Kind::attack) {
        used = character(state, encoding, parts.source == kHeroSource ? 1 : parts.source + 3);
    } else if (parts.kind == Kind::power) {
        used = {encoding.number_of(mine.power), 0, 1, 1};
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

void encode_comparison(const Rules& rules, const State& state, const Encoding& encoding,
                       Action other, Action usual, Row& out) noexcept {
    encode_action(rules, state, encoding, other, out);
    encode_action(rules, state, encoding, usual, out);
}

int row_size(const Encoding& encoding, Level level) noexcept {
    if (level == Level::play) return row_size(encoding, Skill::play);
    if (level == Level::attack) return row_size(encoding, Skill::attack);
    return kStateFeatures + encoding.cards + (level == Level::whole ? kActionFeatures : 1);
}

int comparison_size(const Encoding& encoding) noexcept {
    return kStateFeatures + encoding.cards + 2 * kActionFeatures;
}

}  // namespace ludex::hearthstone::agents
