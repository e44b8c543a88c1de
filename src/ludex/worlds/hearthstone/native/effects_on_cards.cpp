// What card programs do to cards in hands, decks and among secrets, and the choices they ask for.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

namespace {

// Places in a deck.
struct Places {
    std::array<int, kDeck> place{};
    int count = 0;

    [[nodiscard]] int any(Rng& rng) const noexcept {
        return place[rng.below(static_cast<std::uint64_t>(count))];
    }
};

template <class Wanted>
Places places_of(const Player& p, Wanted wanted) noexcept {
    Places found;
    for (int n = 0; n < p.deck_size; ++n) {
        if (wanted(p.deck[at(n)])) found.place[at(found.count++)] = n;
    }
    return found;
}

}  // namespace

// a: 0 the own side, 1 the other, 2 both by turns; c: added to the cost.
void Engine::do_draw(const Instruction& i, const Context& context) noexcept {
    const int times = value(i.b, context);
    if (i.a != 2) return draw(side_of(i.a, context), times, tiny(i.c));
    for (int n = 0; n < times && !cut_; ++n) {
        draw(context.me, 1);
        draw(1 - context.me, 1);
    }
}

// Cards of some races from the deck; d: the card that is given for each that is missing.
void Engine::do_draw_race(const Instruction& i, const Context& context) noexcept {
    const int times = value(i.b, context);
    for (int n = 0; n < times && spend(); ++n) {
        const Places places =
            places_of(player(context.me), [&](CardId id) { return (card(id).races & i.a) != 0; });
        if (places.count == 0) {
            if (i.d != 0) give(context.me, static_cast<CardId>(i.d), kForeign);
            continue;
        }
        const CardId what = remove_from_deck(context.me, places.any(rng_));
        if (put_in_hand(context.me, what, 0)) {
            tell(ToldKind::drew, context.me, what);
        } else {
            bury(context.me, what);
            tell(ToldKind::burned, context.me, what);
        }
    }
}

// As many cards as the other holds; an empty deck hurts once for each that is missing.
void Engine::do_draw_until(const Context& context) noexcept {
    const Player& mine = player(context.me);
    const Player& theirs = player(1 - context.me);
    for (int left = theirs.hand_size - mine.hand_size; left > 0 && !cut_; --left) {
        if (mine.hand_size >= theirs.hand_size) return;
        draw(context.me, 1);
    }
}

void Engine::do_discard(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.a, context);
    const int times = value(i.b, context);
    for (int n = 0; n < times && player(seat).hand_size > 0 && spend(); ++n) {
        discard(seat, static_cast<int>(rng_.below(player(seat).hand_size)));
    }
}

void Engine::do_give(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.c, context);
    const int times = value(i.b, context);
    for (int n = 0; n < times && spend(); ++n) {
        give(seat, static_cast<CardId>(i.a), kKnown | kForeign);
    }
}

void Engine::do_give_pool(const Instruction& i, const Context& context) noexcept {
    const int seat = side_of(i.c, context);
    const int times = value(i.b, context);
    for (int n = 0; n < times && spend(); ++n) {
        const CardId what = pick_pool(i.a);
        if (what != kNoCard) give(seat, what, kForeign);
    }
}

// The card that an event is about, where it is one that a hand holds: not every event has one.
void Engine::do_give_played(const Instruction& i, const Context& context) noexcept {
    const Type type = card(context.event_card).type;
    if (type != Type::minion && type != Type::spell && type != Type::weapon) return;
    give(side_of(i.c, context), context.event_card, kKnown | kForeign);
}

void Engine::do_copy_hand(const Context& context) noexcept {
    const Player& theirs = player(1 - context.me);
    if (theirs.hand_size == 0) return;
    give(context.me, theirs.hand[rng_.below(theirs.hand_size)].card, kForeign);
}

// Copies of so many different cards of the other's deck.
void Engine::do_copy_deck(const Instruction& i, const Context& context) noexcept {
    const Player& theirs = player(1 - context.me);
    Places places = places_of(theirs, [](CardId) { return true; });
    const int size = places.count;
    const int wants = std::min(value(i.b, context), size);
    for (int n = 0; n < wants; ++n) {
        const auto other = n + static_cast<int>(rng_.below(static_cast<std::uint64_t>(size - n)));
        std::swap(places.place[at(n)], places.place[at(other)]);
        give(context.me, theirs.deck[at(places.place[at(n)])], kForeign);
    }
}

// Minions in the own hand grow; a: 1 a random one, else all; d: races, 0 any.
void Engine::do_buff_hand(const Instruction& i, const Context& context) noexcept {
    Player& mine = player(context.me);
    std::array<int, kHand> places{};
    int size = 0;
    for (int n = 0; n < mine.hand_size; ++n) {
        const Card& c = card(mine.hand[at(n)].card);
        if (c.type == Type::minion && (i.d == 0 || (c.races & i.d) != 0)) places[at(size++)] = n;
    }
    if (size == 0) return;
    const int attack = value(i.b, context);
    const int health = value(i.c, context);
    const auto one = static_cast<int>(i.a == 1 ? rng_.below(static_cast<std::uint64_t>(size)) : 0);
    for (int n = 0; n < size; ++n) {
        if (i.a == 1 && n != one) continue;
        HandCard& held = mine.hand[at(places[at(n)])];
        held.attack = tiny(held.attack + attack);
        held.health = tiny(held.health + health);
    }
}

void Engine::do_shuffle_in(const Instruction& i, const Context& context) noexcept {
    const int times = value(i.b, context);
    const int seat = side_of(i.c, context);
    for (int n = 0; n < times && spend(); ++n) shuffle_into_deck(seat, static_cast<CardId>(i.a));
}

void Engine::do_shuffle_copies(const Instruction& i, const Context& context) noexcept {
    const Targets targets = members(i.a, context);
    for (int n = 0; n < targets.count; ++n) {
        if (is_minion(targets.who[at(n)].ref)) {
            shuffle_into_deck(context.me, minion(targets.who[at(n)].ref).card);
        }
    }
}

// A secret of the own deck that is not laid yet.
void Engine::do_put_secret(const Context& context) noexcept {
    const Player& mine = player(context.me);
    const Places places = places_of(mine, [&](CardId id) {
        return (card(id).keywords & kSecret) != 0 && can_lay(context.me, id);
    });
    if (places.count == 0) return;
    lay_secret(context.me, take_from_deck(context.me, places.any(rng_)));
}

// Both reveal a minion of their deck; the result is 1 when the own one costs more.
void Engine::do_joust(const Context& context) noexcept {
    std::array<int, kSeats> costs{-1, -1};
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        const Places places =
            places_of(p, [&](CardId id) { return card(id).type == Type::minion; });
        if (places.count > 0) costs[at(seat)] = card(p.deck[at(places.any(rng_))]).cost;
    }
    result_ = costs[at(context.me)] > costs[at(1 - context.me)] ? 1 : 0;
}

// Choices. Each tells whether there is one to wait for.

void Engine::suspend(Choice choice, const Context& context, int next) noexcept {
    s_.phase = Phase::choice;
    s_.choice = choice;
    s_.resume = static_cast<std::int16_t>(next);
    s_.target = context.target.ref;
    s_.target_order = context.target.order;
}

// The top cards of the deck; one is kept, the others are lost.
bool Engine::ask_track(const Context& context, int next) noexcept {
    const Player& mine = player(context.me);
    const int shown = std::min<int>(3, mine.deck_size);
    if (shown == 0) return false;
    s_.choices = capped(shown);
    for (int n = 0; n < shown; ++n) {
        s_.choice_cards[at(n)] = mine.deck[at(mine.deck_size - shown + n)];
    }
    suspend(Choice::track, context, next);
    return true;
}

// Three different cards of a pool.
bool Engine::ask_discover(const Instruction& i, const Context& context, int next) noexcept {
    const std::vector<CardId>& pool = set_.pools[at(i.a)];
    const bool powers = i.op == Op::discover_power;
    std::array<CardId, 64> left{};
    std::size_t size = 0;
    std::array<CardId, 3> drawn{};
    int found = 0;
    if (pool.size() > left.size()) {
        while (found < 3) {
            const CardId one = pool[rng_.below(pool.size())];
            bool again = false;
            for (int n = 0; n < found; ++n) again = again || drawn[at(n)] == one;
            if (!again) drawn[at(found++)] = one;
        }
    } else {
        for (const CardId one : pool) {
            if (!powers || one != player(context.me).power) left[size++] = one;
        }
        while (found < 3 && size > 0) {
            const std::size_t place = rng_.below(size);
            drawn[at(found++)] = left[place];
            left[place] = left[--size];
        }
    }
    if (found == 0) return false;
    s_.choices = capped(found);
    for (int n = 0; n < found; ++n) s_.choice_cards[at(n)] = drawn[at(n)];
    suspend(powers ? Choice::power : Choice::discover, context, next);
    return true;
}

}  // namespace ludex::hearthstone
