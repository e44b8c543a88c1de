// The steps between phases: auras are worked out, the dead leave and speak, the game may end.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// The steps between phases: auras, then deaths, until nothing changes.
void Engine::settle() noexcept {
    if (settling_) return;
    settling_ = true;
    do {
        refresh();
    } while (bury_the_dead());
    settling_ = false;
    dead_count_ = 0;
}

bool Engine::bury_the_dead() noexcept {
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).health <= 0) player(seat).flags |= kHeroDying;
    }
    struct Gone {
        std::uint16_t order;
        Ref ref;
        std::int8_t place;
    };
    std::array<Gone, kSlots> gone;
    int count = 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[at(i)];
            if (!alive(ref)) {
                gone[at(count++)] = {minion(ref).order, ref, static_cast<std::int8_t>(i)};
            }
        }
    }
    bool weapons = false;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).weapon != kNoCard && player(seat).durability <= 0) weapons = true;
    }
    if (count == 0 && !weapons) return false;
    std::sort(gone.begin(), gone.begin() + count,
              [](const Gone& a, const Gone& b) { return a.order < b.order; });
    if (dead_count_ + count > kMostDead) dead_count_ = 0;
    const int first = dead_count_;
    for (int i = 0; i < count; ++i) {
        const Ref ref = gone[at(i)].ref;
        dead(dead_count_++) = minion(ref);
    }
    // Places as they will be once all have left.
    for (int i = 0; i < count; ++i) {
        int before = 0;
        for (int k = 0; k < count; ++k) {
            if (dead(first + k).side == dead(first + i).side &&
                gone[at(k)].place < gone[at(i)].place) {
                ++before;
            }
        }
        dead(first + i).unused = static_cast<std::uint16_t>(gone[at(i)].place - before);
    }
    for (int i = 0; i < count; ++i) leave(gone[at(i)].ref);
    struct Broken {
        std::uint16_t order = 0;
        CardId weapon = kNoCard;
    };
    std::array<Broken, kSeats> broken;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (player(seat).weapon == kNoCard || player(seat).durability > 0) continue;
        broken[at(seat)].order = player(seat).weapon_order;
        broken[at(seat)].weapon = drop_weapon(seat);
    }
    // Weapons speak in the same order as minions.
    const auto weapons_before = [&](unsigned order) {
        for (int seat = 0; seat < kSeats; ++seat) {
            Broken& one = broken[at(seat)];
            if (one.weapon == kNoCard || one.order > order) continue;
            speak_last(seat, one.weapon);
            one.weapon = kNoCard;
        }
    };
    refresh();
    for (int i = 0; i < count; ++i) {
        weapons_before(dead(first + i).order);
        const auto ref = static_cast<Ref>(kDead + first + i);
        const Minion& m = dead(first + i);
        const Who one{ref, m.order};
        bury(m.side, m.card);
        tell(ToldKind::died, m.side, m.card);
        Context context;
        context.me = m.side;
        context.card = m.card;
        context.self = one;
        context.place = m.unused;
        // Deathrattles and what others do at this death are one queue; elder things go first. The
        // dying minion's own texts have its order, so they run between the two halves.
        const auto own = [&] {
            if ((m.flags & kSilenced) == 0 && card(m.card).deathrattle >= 0) {
                run(card(m.card).deathrattle, context);
            }
            for (int k = 0; k < m.enchants; ++k) {
                const Enchant& e = m.enchant[at(k)];
                if (e.script == kNoCard || card(e.script).deathrattle < 0) continue;
                Context granted = context;
                granted.card = e.script;
                run(card(e.script).deathrattle, granted);
            }
        };
        Happening death{m.side, one, {}, 0, m.card};
        death.youngest = m.order;
        fire(Event::dies, death);
        own();
        death.eldest = m.order;
        death.youngest = 0xFFFF;
        fire(Event::dies, death);
    }
    weapons_before(0xFFFF);
    return true;
}

void Engine::end_if_decided() noexcept {
    const bool lost[2] = {(player(0).flags & kHeroDying) != 0 || player(0).health <= 0,
                          (player(1).flags & kHeroDying) != 0 || player(1).health <= 0};
    if (!lost[0] && !lost[1] && !cut_) return;
    s_.phase = Phase::over;
    s_.winner = lost[0] == lost[1] ? 2 : lost[0] ? 1 : 0;
    s_.choice = Choice::none;
    s_.choices = 0;
    s_.choice_cards = {};
}

}  // namespace ludex::hearthstone
