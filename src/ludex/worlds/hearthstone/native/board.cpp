// Minions come, go, change sides and become others.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// A minion as it is printed, the youngest in play.
Minion Engine::fresh(CardId what, int seat) noexcept {
    const Card& printed = card(what);
    Minion m;
    m.card = what;
    m.order = next_order();
    m.base_attack = static_cast<std::int8_t>(printed.attack);
    m.base_health = static_cast<std::int8_t>(printed.health);
    m.attack = printed.attack;
    m.max_health = m.health = printed.health;
    m.keywords = printed.keywords;
    m.events = printed.events;
    m.spell_damage = printed.spell_damage;
    m.side = static_cast<std::uint8_t>(seat);
    m.flags = kSick;
    if (printed.auras > 0 || printed.enrage_attack != 0 || printed.enrage_keywords != 0) {
        m.flags |= kHasAura;
    }
    return m;
}

Ref Engine::enter(CardId what, int seat, int position) noexcept {
    Player& p = player(seat);
    if (p.board_size >= options_.board_limit) return kNobodyRef;
    Ref slot = 0;
    while (slot < kSlots && minion(slot).card != kNoCard) ++slot;
    if (slot == kSlots) return kNobodyRef;
    minion(slot) = fresh(what, seat);
    if (position < 0 || position > p.board_size) position = p.board_size;
    for (int i = p.board_size; i > position; --i) p.board[at(i)] = p.board[at(i - 1)];
    p.board[at(position)] = slot;
    ++p.board_size;
    index_events();
    return slot;
}

int Engine::position_of(Ref ref) const noexcept {
    const Player& p = player(minion(ref).side);
    for (int i = 0; i < p.board_size; ++i) {
        if (p.board[at(i)] == ref) return i;
    }
    return -1;
}

void Engine::leave(Ref ref) noexcept {
    Player& p = player(minion(ref).side);
    const int position = position_of(ref);
    if (position >= 0) {
        for (int i = position; i + 1 < p.board_size; ++i) p.board[at(i)] = p.board[at(i + 1)];
        p.board[--p.board_size] = 0;
    }
    minion(ref) = Minion{};
    index_events();
}

void Engine::announce(Ref ref, bool played) noexcept {
    const Who one = who(ref);
    const Minion& m = minion(ref);
    const Card& printed = card(m.card);
    if ((printed.races & 64) != 0) player(m.side).totems = capped(player(m.side).totems + 1);
    if (!played) tell(ToldKind::summoned, m.side, m.card);
    fire(Event::summon, {m.side, one, {}, 0, m.card});
}

// Says that a minion was summoned, and lets others answer.
void Engine::welcome(Ref ref) noexcept {
    const Who one = who(ref);
    announce(ref, false);
    if (here(one)) fire(Event::after_summon, {minion(ref).side, one, {}, 0, minion(ref).card});
}

Ref Engine::summon(CardId what, int seat, int position) noexcept {
    const Ref ref = enter(what, seat, position);
    if (ref == kNobodyRef) return ref;
    const Who one = who(ref);
    refresh();
    welcome(ref);
    return here(one) ? ref : kNobodyRef;
}

void Engine::change_side(Ref ref, int seat, bool for_turn) noexcept {
    Minion& m = minion(ref);
    if (m.side == seat) return;
    if (player(seat).board_size >= options_.board_limit) {
        if (!for_turn) m.flags |= kDoomed;
        return;
    }
    Player& from = player(m.side);
    tell(ToldKind::left, m.side, m.card);
    tell(ToldKind::joined, seat, m.card);
    const int position = position_of(ref);
    for (int i = position; i + 1 < from.board_size; ++i) from.board[at(i)] = from.board[at(i + 1)];
    from.board[--from.board_size] = 0;
    Player& to = player(seat);
    to.board[to.board_size++] = ref;
    m.side = static_cast<std::uint8_t>(seat);
    m.flags |= kSick;
    m.attacks = 0;
    if (for_turn) {
        Enchant until;
        until.until = static_cast<std::uint8_t>(static_cast<unsigned>(Until::returned) |
                                                (seat == 1 ? 128U : 0U));
        until.keywords = kCharge;
        enchant(ref, until);
    }
    index_events();
    refresh();
}

void Engine::bounce(Ref ref, std::int8_t discount) noexcept {
    const Minion m = minion(ref);
    if (player(m.side).hand_size >= options_.hand_limit) {
        minion(ref).flags |= kDoomed;  // no room for it: it is destroyed
        return;
    }
    leave(ref);
    tell(ToldKind::left, m.side, m.card);
    give(m.side, m.card, kKnown | kForeign, discount);
    refresh();
}

// Tells that a minion is another one from now on.
void Engine::tell_change(int seat, CardId old, CardId now) noexcept {
    if (old == now) return;
    tell(ToldKind::left, seat, old);
    tell(ToldKind::joined, seat, now);
}

void Engine::transform(Ref ref, CardId what) noexcept {
    tell_change(minion(ref).side, minion(ref).card, what);
    minion(ref) = fresh(what, minion(ref).side);
    index_events();
    refresh();
}

// Gives a minion everything another one is, but its place, side and order of play.
void Engine::copy_onto(Ref to, const Minion& from) noexcept {
    Minion& m = minion(to);
    const Minion old = m;
    tell_change(old.side, old.card, from.card);
    m = from;
    m.order = old.order;
    m.side = old.side;
    m.attacks = 0;
    m.flags = static_cast<std::uint8_t>((from.flags & ~(kDoomed | kUnborn)) | kSick);
    // Auras do not travel; the update applies those that hold here.
    if (m.aura_health != 0) {
        m.max_health = bounded(m.max_health - m.aura_health);
        m.health = std::min(m.health, m.max_health);
    }
    m.aura_attack = m.aura_health = 0;
    m.aura_keywords = 0;
    index_events();
    refresh();
}

}  // namespace ludex::hearthstone
