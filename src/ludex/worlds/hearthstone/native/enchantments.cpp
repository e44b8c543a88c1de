// What changes a minion for a while: enchantments, silence, enrage and auras.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

void Engine::set_max_health(Minion& m, int health) noexcept {
    const int gained = health - m.max_health;
    m.max_health = bounded(health);
    if (gained > 0) m.health = bounded(m.health + gained);
    m.health = std::min(m.health, m.max_health);
}

// Printed values, then enchantments in the order they came; auras keep what they gave.
void Engine::recount(Ref ref) noexcept {
    Minion& m = minion(ref);
    const Card& printed = card(m.card);
    const bool silenced = (m.flags & kSilenced) != 0;
    int attack = m.base_attack;
    int health = m.base_health;
    std::uint32_t events = silenced ? 0 : printed.events;
    for (int i = 0; i < m.enchants; ++i) {
        const Enchant& e = m.enchant[at(i)];
        attack = (e.sets & 1) != 0 ? e.attack : attack + e.attack;
        health = (e.sets & 2) != 0 ? e.health : health + e.health;
        if (e.script != kNoCard) events |= card(e.script).events;
    }
    m.attack = bounded(attack);
    m.events = events;
    set_max_health(m, health + m.aura_health);
}

void Engine::enchant(Ref ref, const Enchant& what) noexcept {
    Minion& m = minion(ref);
    m.keywords |= what.keywords;
    if (what.script != kNoCard) {
        m.spell_damage = capped(m.spell_damage + card(what.script).spell_damage);
    }
    bool merged = false;
    bool silent = false;  // one with a text had to make room
    if (m.enchants > 0) {
        // Two plain additions are one.
        Enchant& last = m.enchant[at(m.enchants - 1)];
        if (what.sets == 0 && what.script == kNoCard && last.script == kNoCard &&
            last.until == what.until && (what.until == 0 || last.keywords == what.keywords)) {
            last.attack = tiny(last.attack + what.attack);
            last.health = tiny(last.health + what.health);
            last.keywords |= what.keywords;
            merged = true;
        }
    }
    if (!merged) {
        if (m.enchants == kEnchants) {
            // No room: the two oldest lasting numbers become one.
            for (int i = 0; i + 1 < kEnchants; ++i) {
                Enchant& one = m.enchant[at(i)];
                Enchant& two = m.enchant[at(i + 1)];
                if (i + 2 == kEnchants || (one.script == kNoCard && one.until == 0 &&
                                           two.script == kNoCard && two.until == 0)) {
                    if ((two.sets & 1) == 0) two.attack = tiny(one.attack + two.attack);
                    if ((two.sets & 2) == 0) two.health = tiny(one.health + two.health);
                    two.sets |= one.sets;
                    silent = one.script != kNoCard;
                    two.keywords |= one.keywords;
                    for (int k = i; k + 1 < kEnchants; ++k) {
                        m.enchant[at(k)] = m.enchant[at(k + 1)];
                    }
                    --m.enchants;
                    break;
                }
            }
        }
        m.enchant[m.enchants] = what;
        if (what.script != kNoCard) m.enchant[m.enchants].order = next_order();
        ++m.enchants;
    }
    recount(ref);
    if ((what.sets & 2) != 0) m.health = m.max_health;
    if (what.script != kNoCard || silent) index_events();
}

void Engine::lose_keywords(Minion& m, std::uint16_t lost) noexcept {
    m.keywords &= ~static_cast<std::uint32_t>(lost);
    for (int i = 0; i < m.enchants; ++i) {
        m.enchant[at(i)].keywords &= static_cast<std::uint16_t>(~lost);
    }
}

void Engine::silence(Ref ref) noexcept {
    Minion& m = minion(ref);
    m.flags = static_cast<std::uint8_t>((m.flags & ~(kFrozen | kHasAura)) | kSilenced);
    m.keywords = 0;
    m.spell_damage = 0;
    m.enchants = 0;
    m.enchant = {};
    recount(ref);
    index_events();
    // What auras of others give stays; what was its own is taken away.
    s_.auras |= 4;
    refresh();
}

// Take away the enchantments that last until now.
void Engine::expire(Until until, int seat) noexcept {
    for (Ref ref = 0; ref < kSlots; ++ref) {
        Minion& m = minion(ref);
        if (m.card == kNoCard || m.enchants == 0) continue;
        bool changed = false;
        bool returns = false;
        std::uint32_t lost = 0;
        for (int i = 0; i < m.enchants;) {
            const Enchant& e = m.enchant[at(i)];
            const auto kind = static_cast<Until>(e.until & 127U);
            const int owner = (e.until & 128U) != 0 ? 1 : 0;
            const bool gone = (kind == until && (until != Until::own_turn || owner == seat)) ||
                              (until == Until::turn_end && kind == Until::returned);
            if (!gone) {
                ++i;
                continue;
            }
            if (kind == Until::returned) returns = true;
            lost |= e.keywords;
            for (int k = i; k + 1 < m.enchants; ++k) m.enchant[at(k)] = m.enchant[at(k + 1)];
            m.enchant[--m.enchants] = Enchant{};
            changed = true;
        }
        if (!changed) continue;
        // A keyword stays if the card or another enchantment gives it, too.
        std::uint32_t kept = (m.flags & kSilenced) != 0 ? 0 : card(m.card).keywords;
        for (int i = 0; i < m.enchants; ++i) kept |= m.enchant[at(i)].keywords;
        m.keywords &= ~(lost & ~kept);
        recount(ref);
        if (returns) {
            change_side(ref, 1 - m.side, false);
        }
        index_events();
    }
}

// Continuous effects: worked out anew from what is in play.
void Engine::refresh() noexcept {
    if (s_.auras == 0) return;
    std::array<int, kSlots> attack{};
    std::array<int, kSlots> health{};
    std::array<std::uint16_t, kSlots> keywords{};
    std::array<int, kSeats> weapon{};
    bool beyond = false;  // some sum went beyond its bound
    const auto add = [&beyond](int& sum, int more) {
        sum += more;
        beyond = beyond || sum > kMostGiven || sum < -kMostGiven;
    };
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i <= p.board_size; ++i) {
            const bool of_weapon = i == p.board_size;
            if (of_weapon && p.weapon == kNoCard) break;
            const Ref ref = of_weapon ? kNobodyRef : p.board[at(i)];
            if (!of_weapon && (minion(ref).flags & kHasAura) == 0) continue;
            const Card& source = card(of_weapon ? p.weapon : minion(ref).card);
            if (!of_weapon && minion(ref).health < minion(ref).max_health) {
                add(attack[ref], source.enrage_attack);
                keywords[ref] |= source.enrage_keywords;
            }
            if (source.auras == 0) continue;
            Context context;
            context.me = seat;
            context.self = of_weapon ? Who{} : who(ref);
            for (int k = 0; k < source.auras; ++k) {
                const Aura& aura = set_.auras[at(source.first_aura + k)];
                if (aura.value >= 0 && !compare(look(set_.values[at(aura.value)], context),
                                                aura.compare, aura.number)) {
                    continue;
                }
                const bool counted = aura.kind == AuraKind::minions && aura.first != 0;
                const int times = counted ? look(set_.values[at(aura.value)], context) : 1;
                if (aura.kind == AuraKind::weapon) {
                    if (p.weapon != kNoCard) add(weapon[at(seat)], aura.attack);
                } else if (aura.kind == AuraKind::minions) {
                    const Group& group = set_.groups[at(aura.group)];
                    for (int side = 0; side < kSeats; ++side) {
                        const Player& o = player(side);
                        for (int n = 0; n < o.board_size; ++n) {
                            const Ref one = o.board[at(n)];
                            if (!belongs(group, context, one)) continue;
                            add(attack[one], times * aura.attack);
                            add(health[one], times * aura.health);
                            keywords[one] |= aura.keywords;
                        }
                    }
                }
            }
        }
    }
    if (beyond) {
        for (int& sum : attack) sum = tiny(sum);
        for (int& sum : health) sum = tiny(sum);
        for (int& sum : weapon) sum = tiny(sum);
    }
    bool any = false;
    for (int seat = 0; seat < kSeats; ++seat) {
        player(seat).weapon_aura = static_cast<std::int8_t>(weapon[at(seat)]);
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[at(i)];
            Minion& m = minion(ref);
            m.aura_attack = static_cast<std::int8_t>(attack[ref]);
            m.aura_keywords = keywords[ref];
            if (m.aura_health != health[ref]) {
                const int base = m.max_health - m.aura_health;
                m.aura_health = static_cast<std::int8_t>(health[ref]);
                set_max_health(m, base + health[ref]);
            }
            any = any || (m.flags & kHasAura) != 0 || m.aura_attack != 0 || m.aura_health != 0 ||
                  m.aura_keywords != 0;
        }
        any = any || (p.weapon != kNoCard && card(p.weapon).auras > 0) || p.weapon_aura != 0;
    }
    s_.auras = any ? 3 : 0;
}

}  // namespace ludex::hearthstone
