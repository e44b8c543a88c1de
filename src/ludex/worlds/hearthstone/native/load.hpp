// Card tables from rows of numbers, as the card language writes them.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "cards.hpp"
#include "owner.hpp"

namespace ludex::hearthstone {

// The card language keeps to these widths; numbers from elsewhere may not.
template <class N>
N narrowed(std::int64_t value) {
    if (value < std::numeric_limits<N>::min() || value > std::numeric_limits<N>::max()) {
        throw std::invalid_argument("a number of the card tables is too large");
    }
    return static_cast<N>(value);
}

inline CardSet make_cards(
    const std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>>>& cards,
    const std::vector<std::vector<int>>& groups, const std::vector<std::vector<int>>& values,
    const std::vector<std::vector<int>>& program, const std::vector<std::vector<int>>& grants,
    const std::vector<std::vector<int>>& triggers, const std::vector<std::vector<int>>& auras,
    const std::vector<std::vector<int>>& needs, const std::vector<std::vector<int>>& pools,
    const std::vector<int>& special) {
    CardSet set;
    const auto s16 = [](std::int64_t v) { return narrowed<std::int16_t>(v); };
    const auto u16 = [](std::int64_t v) { return narrowed<std::uint16_t>(v); };
    const auto u8 = [](std::int64_t v) { return narrowed<std::uint8_t>(v); };
    for (const auto& [key, name, r] : cards) {
        if (r.size() != 33) throw std::invalid_argument("a card has 33 numbers");
        Card c;
        c.key = key;
        c.name = name;
        c.type = static_cast<Type>(r[0]);
        c.hero_class = u8(r[1]);
        c.rarity = u8(r[2]);
        c.collectible = r[3] != 0;
        c.races = u16(r[4]);
        c.cost = s16(r[5]);
        c.attack = narrowed<std::int8_t>(r[6]);  // as wide as what a minion or weapon keeps
        c.health = narrowed<std::int8_t>(r[7]);
        c.keywords = static_cast<std::uint32_t>(r[8]);
        c.spell_damage = u8(r[9]);
        c.overload = u8(r[10]);
        c.aim = static_cast<Aim>(r[11]);
        c.target = s16(r[12]);
        c.aim_combo = u8(r[13]);
        c.aim_when = {s16(r[14]), u8(r[15]), s16(r[16])};
        c.program = s16(r[17]);
        c.deathrattle = s16(r[18]);
        c.cheaper = s16(r[19]);
        c.first_trigger = u16(r[20]);
        c.triggers = u16(r[21]);
        c.first_aura = u16(r[22]);
        c.auras = u16(r[23]);
        c.first_need = u16(r[24]);
        c.needs = u16(r[25]);
        c.options[0] = u16(r[26]);
        c.options[1] = u16(r[27]);
        c.enrage_attack = s16(r[28]);
        c.enrage_keywords = u16(r[29]);
        c.power = u16(r[30]);
        c.events = static_cast<std::uint32_t>(r[31]);
        c.leaps = u8(r[32]);
        set.leapers = set.leapers || c.leaps == 2;
        set.cards.push_back(c);
    }
    for (const auto& r : groups) {
        set.groups.push_back({static_cast<Base>(r.at(0)), u8(r.at(1)), u8(r.at(2)), u8(r.at(3)),
                              u16(r.at(4)), u16(r.at(5)), u8(r.at(6)), s16(r.at(7)), u16(r.at(8))});
    }
    for (const auto& r : values) {
        set.values.push_back(
            {static_cast<Amount>(r.at(0)), s16(r.at(1)), s16(r.at(2)), s16(r.at(3)), s16(r.at(4))});
    }
    for (const auto& r : program) {
        set.program.push_back({static_cast<Op>(r.at(0)), u8(r.at(1)), s16(r.at(2)), s16(r.at(3)),
                               s16(r.at(4)), s16(r.at(5))});
    }
    for (const auto& r : grants) {
        set.grants.push_back({u16(r.at(0)), static_cast<Until>(r.at(1)), u16(r.at(2))});
    }
    for (const auto& r : triggers) {
        set.triggers.push_back({static_cast<Event>(r.at(0)), u8(r.at(1)), u8(r.at(2)), u8(r.at(3)),
                                s16(r.at(4)), s16(r.at(5)), s16(r.at(6)), u8(r.at(7)), s16(r.at(8)),
                                s16(r.at(9)), u16(r.at(10))});
    }
    for (const auto& r : auras) {
        set.auras.push_back({static_cast<AuraKind>(r.at(0)), s16(r.at(1)), s16(r.at(2)),
                             s16(r.at(3)), u16(r.at(4)), s16(r.at(5)), u8(r.at(6)), s16(r.at(7)),
                             u8(r.at(8)), u8(r.at(9)), u8(r.at(10)), u8(r.at(11))});
    }
    for (const auto& r : needs) {
        set.needs.push_back({s16(r.at(0)), u8(r.at(1)), s16(r.at(2))});
    }
    for (const auto& r : pools) {
        std::vector<CardId> pool;
        for (const int card : r) pool.push_back(u16(card));
        set.pools.push_back(pool);
    }
    set.coin = u16(special.at(0));
    set.excess_mana = u16(special.at(1));
    set.golem = u16(special.at(2));
    OwnerHash content;
    for (const auto& [key, name, r] : cards) content.add(key).add(name).add(r);
    for (const auto* rows :
         {&groups, &values, &program, &grants, &triggers, &auras, &needs, &pools})
        content.add(*rows);
    set.content = content.add(special).value();
    return set;
}

}  // namespace ludex::hearthstone
