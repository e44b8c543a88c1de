// How much is meant by a value of a card program.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

int Engine::look(const Value& value, const Context& context) const noexcept {
    const int side = value.a == 0 ? context.me : 1 - context.me;
    int base = 0;
    switch (value.kind) {
        case Amount::number:
            base = value.a;
            break;
        case Amount::attack_of: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef ? attack_of(one.ref) : 0;
            break;
        }
        case Amount::health_of: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef ? health_of(one.ref) : 0;
            break;
        }
        case Amount::max_health_of: {
            const Who one = refer(value.a, context);
            if (is_hero(one.ref)) base = player(one.ref - kHero).max_health;
            if (is_minion(one.ref)) base = minion(one.ref).max_health;
            break;
        }
        case Amount::count:
            base = count(set_.groups[at(value.a)], context);
            break;
        case Amount::at_least:
            base = count(set_.groups[at(value.a)], context) >= value.c ? 1 : 0;
            break;
        case Amount::hand:
            base = player(side).hand_size;
            break;
        case Amount::played:
            base = context.combo;
            break;
        case Amount::missing:
            base = player(side).max_health - player(side).health;
            break;
        case Amount::armour:
            base = player(side).armour;
            break;
        case Amount::weapon_attack:
            base = player(side).weapon == kNoCard
                       ? 0
                       : player(side).weapon_attack + player(side).weapon_aura;
            break;
        case Amount::event:
            base = context.amount;
            break;
        case Amount::hero_attack:
            base = attack_of(static_cast<Ref>(kHero + side));
            break;
        case Amount::last_cost:
            base = last_cost_;
            break;
        case Amount::secrets:
            base = player(side).secret_count;
            break;
        case Amount::deck:
            base = player(side).deck_size;
            break;
        case Amount::missiles:
            base = value.a + spell_damage(context.me);
            if (has(context.me, kDoubling)) base *= 2;
            break;
        case Amount::hero_health:
            base = player(side).health;
            break;
        case Amount::is_dead: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && (!here(one) || !alive(one.ref)) ? 1 : 0;
            break;
        }
        case Amount::is_present: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && here(one) ? 1 : 0;
            break;
        }
        case Amount::crystals:
            base = player(side).crystals;
            break;
        case Amount::room:
            base = options_.board_limit - player(side).board_size;
            break;
        case Amount::armed:
            base = player(side).weapon != kNoCard ? 1 : 0;
            break;
        case Amount::unique_deck: {
            base = 1;
            const Player& p = player(side);
            for (int i = 0; i < p.deck_size; ++i) {
                for (int k = i + 1; k < p.deck_size; ++k) {
                    if (p.deck[at(i)] == p.deck[at(k)]) base = 0;
                }
            }
            break;
        }
        case Amount::holding: {
            const Player& p = player(context.me);
            for (int i = 0; i < p.hand_size; ++i) {
                if ((card(p.hand[at(i)].card).races & value.a) != 0) ++base;
            }
            break;
        }
        case Amount::durability:
            base = player(side).durability;
            break;
        case Amount::spell_damage:
            base = spell_damage(side);
            break;
        case Amount::my_turn:
            base = s_.active == context.me ? 1 : 0;
            break;
        case Amount::golems:
            base = player(side).golems;
            break;
        case Amount::totems:
            base = player(side).totems;
            break;
        case Amount::result:
            base = result_;
            break;
        case Amount::is_race: {
            const Who one = refer(value.a, context);
            if (is_minion(one.ref)) base = (card(minion(one.ref).card).races & value.c) != 0;
            break;
        }
        case Amount::is_own: {
            const Who one = refer(value.a, context);
            base = one.ref != kNobodyRef && seat_of(one.ref) == context.me ? 1 : 0;
            break;
        }
        case Amount::is_frozen: {
            const Who one = refer(value.a, context);
            base = here(one) && frozen(one.ref) ? 1 : 0;
            break;
        }
        case Amount::is_damaged: {
            const Who one = refer(value.a, context);
            if (is_minion(one.ref)) base = minion(one.ref).health < minion(one.ref).max_health;
            break;
        }
        case Amount::lacking: {
            const Player& p = player(context.me);
            for (const CardId id : set_.pools[at(value.a)]) {
                bool have = false;
                for (int i = 0; i < p.board_size; ++i) {
                    have = have || minion(p.board[at(i)]).card == id;
                }
                base += have ? 0 : 1;
            }
            break;
        }
        case Amount::mana:
            base = player(side).mana;
            break;
        case Amount::same_card:
            base = context.event_card == context.card ? 1 : 0;
            break;
        case Amount::random:
            base = value.a;
            break;
    }
    return std::clamp(base * value.times + value.plus, -kMost, kMost);
}

int Engine::value(int index, const Context& context) noexcept {
    const Value& what = set_.values[at(index)];
    if (what.kind == Amount::random) {
        const auto range = static_cast<std::uint64_t>(what.c - what.a + 1);
        return what.a + static_cast<int>(rng_.below(range));
    }
    return look(what, context);
}

// Spells add spell damage; spells and powers may count twice.
int Engine::amount_of_damage(int amount, const Context& context) const noexcept {
    if (context.spell) amount += spell_damage(context.me);
    if ((context.spell || context.power) && has(context.me, kDoubling)) amount *= 2;
    return amount;
}

CardId Engine::pick_pool(int pool) noexcept {
    const std::vector<CardId>& cards = set_.pools[at(pool)];
    if (cards.empty()) return kNoCard;
    return cards[rng_.below(cards.size())];
}

}  // namespace ludex::hearthstone
