// How card programs bring minions into play.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// The place for what the source of a text summons: that of the dead, or beside the source.
int Engine::place_of_summons(const Context& context, int seat, bool left) const noexcept {
    if (seat != context.me) return -1;
    if (context.place >= 0) return context.place;
    if (!is_minion(context.self.ref) || !here(context.self)) return -1;
    if (minion(context.self.ref).side != seat) return -1;
    return position_of(context.self.ref) + (left ? 0 : 1);
}

// x: 0 beside the source or in the place of the dead, 1 at the right end, 2 left of the source;
// d: an enchantment that comes with it, counted from 1.
void Engine::do_summon(const Instruction& i, const Context& context) noexcept {
    const auto what = static_cast<CardId>(i.a);
    if (what == kNoCard) return;
    const int seat = side_of(i.c, context);
    const int times = value(i.b, context);
    int place = i.x == 1 ? -1 : place_of_summons(context, seat, i.x == 2);
    Targets made;
    for (int n = 0; n < times && spend(); ++n) {
        const Ref ref = summon(what, seat, place);
        if (ref == kNobodyRef) {
            if (player(seat).board_size >= options_.board_limit) break;
            continue;
        }
        if (i.d > 0) enchant(ref, granted(i.d - 1, context));
        made.add(who(ref));
        if (place >= 0) place = position_of(ref) + 1;
    }
    held_ = made;
}

// x: 1 at the right end, 4 there and one that this side does not have yet.
void Engine::do_summon_pool(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.c, context);
    const int times = value(i.b, context);
    for (int n = 0; n < times && spend(); ++n) {
        const CardId what = i.x == 4 ? pick_lacking(i.a, context.me) : pick_pool(i.a);
        if (what == kNoCard) break;
        const bool at_end = i.x == 1 || i.x == 4;
        summon(what, seat, at_end ? -1 : place_of_summons(context, seat, false));
    }
}

// A card of a pool that is not on a side's board.
CardId Engine::pick_lacking(int pool, int seat) noexcept {
    std::array<CardId, 8> left{};
    std::size_t size = 0;
    const Player& p = player(seat);
    for (const CardId id : set_.pools[at(pool)]) {
        bool have = false;
        for (int k = 0; k < p.board_size; ++k) {
            have = have || minion(p.board[at(k)]).card == id;
        }
        if (!have && size < left.size()) left[size++] = id;
    }
    return size > 0 ? left[rng_.below(size)] : kNoCard;
}

// A copy of a random minion: x bit 0 of the own deck, bit 1 the card itself moves; a: races, 0
// any; b: this card only; c: 1 as a 1/1; d: what is summoned when there is none.
void Engine::do_summon_from_deck(const Instruction& i, const Context& context) noexcept {
    const bool moves = (i.x & 2) != 0;
    const int seat = (i.x & 1) != 0 ? context.me : 1 - context.me;
    const Player& p = player(seat);
    std::array<int, kDeck> places{};
    int size = 0;
    for (int n = 0; n < p.deck_size; ++n) {
        const Card& c = card(p.deck[at(n)]);
        if (c.type != Type::minion) continue;
        if (i.a != 0 && (c.races & i.a) == 0) continue;
        if (i.b != 0 && p.deck[at(n)] != static_cast<CardId>(i.b)) continue;
        places[at(size++)] = n;
    }
    CardId what = static_cast<CardId>(i.d);
    if (size > 0) {
        const int place = places[rng_.below(static_cast<std::uint64_t>(size))];
        what = p.deck[at(place)];
        if (moves) {
            if (player(context.me).board_size >= options_.board_limit) return;
            take_from_deck(seat, place);
        }
    }
    if (what == kNoCard) return;
    int place = -1;
    if (is_minion(context.self.ref) && here(context.self) && !moves) {
        place = position_of(context.self.ref) + 1;
    }
    const Ref ref = summon(what, context.me, place);
    if (ref != kNobodyRef && i.c == 1) {
        Enchant one;
        one.sets = 3;
        one.attack = one.health = 1;
        enchant(ref, one);
    }
}

// A random minion of a hand, by its place there; -1 when there is none.
int Engine::pick_minion_in_hand(int seat) noexcept {
    const Player& p = player(seat);
    std::array<int, kHand> places{};
    int size = 0;
    for (int n = 0; n < p.hand_size; ++n) {
        if (card(p.hand[at(n)].card).type == Type::minion) places[at(size++)] = n;
    }
    return size > 0 ? places[rng_.below(static_cast<std::uint64_t>(size))] : -1;
}

// c: 1 the other player summons from his hand.
void Engine::do_summon_from_hand(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.c, context);
    if (player(seat).board_size >= options_.board_limit) return;
    const int place = pick_minion_in_hand(seat);
    if (place < 0) return;
    const CardId what = player(seat).hand[at(place)].card;
    remove_from_hand(seat, place);
    tell(ToldKind::unhanded, seat, what);
    summon(what, seat, -1);
}

// Into the place of the source comes a random minion of the hand; it goes there.
void Engine::do_swap_with_hand(const Context& context) noexcept {
    if (!here(context.self)) return;
    const int place = pick_minion_in_hand(context.me);
    if (place < 0) return;
    const CardId what = player(context.me).hand[at(place)].card;
    const int position = position_of(context.self.ref);
    remove_from_hand(context.me, place);
    tell(ToldKind::unhanded, context.me, what);
    bounce(context.self.ref, 0);
    summon(what, context.me, position);
}

void Engine::do_summon_copy(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (!is_minion(targets.who[at(n)].ref)) continue;
        const Minion from = minion(targets.who[at(n)].ref);
        const Ref ref = enter(from.card, context.me, -1);
        if (ref == kNobodyRef) break;
        copy_onto(ref, from);
        welcome(ref);
    }
}

// The card of the dead subject (a = 2) or of the dying minion itself (a = 0); b: its health, if
// not full; c: 1 for its own side.
void Engine::do_resummon(const Instruction& i, const Context& context) noexcept {
    const Who one = refer(i.a, context);
    if (one.ref < kDead || one.ref == kNobodyRef) return;
    const Minion& from = dead(one.ref - kDead);
    const int seat = i.c == 0 ? context.me : from.side;
    const Ref ref = summon(from.card, seat, i.a == 0 ? context.place : -1);
    if (ref != kNobodyRef && i.b > 0) minion(ref).health = std::min(i.b, minion(ref).max_health);
    refresh();
}

// Each golem of a player is one larger than the last.
void Engine::do_golem(const Context& context) noexcept {
    Player& mine = player(context.me);
    mine.golems = capped(std::min(30, mine.golems + 1));
    int place = context.place;
    if (place < 0 && is_minion(context.self.ref) && here(context.self)) {
        place = position_of(context.self.ref) + 1;
    }
    if (set_.golem == kNoCard) return;  // the card language refuses it
    const Ref ref = enter(set_.golem, context.me, place);
    if (ref == kNobodyRef) return;
    minion(ref).base_attack = minion(ref).base_health = tiny(mine.golems);
    recount(ref);
    refresh();
    welcome(ref);
}

}  // namespace ludex::hearthstone
