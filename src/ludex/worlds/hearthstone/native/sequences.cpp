// What a player does, from paying for it to the end of all that follows.
#include <algorithm>
#include <bit>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

void Engine::start_game(int first) noexcept {
    s_.active = s_.first = static_cast<std::uint8_t>(first);
    draw(first, 3);
    draw(1 - first, 4);
}

void Engine::mulligan(int seat, unsigned mask) noexcept {
    Player& p = player(seat);
    std::array<CardId, kHand> back{};
    int count = 0;
    tell(ToldKind::mulligan, seat,
         static_cast<CardId>(
             std::min<int>(std::popcount(mask & ((1U << p.hand_size) - 1)), p.deck_size)));
    for (int i = 0; i < p.hand_size; ++i) {
        if ((mask >> i & 1U) == 0 || p.deck_size == 0) continue;
        back[at(count++)] = p.hand[at(i)].card;
        p.hand[at(i)].card = p.deck[--p.deck_size];
        p.deck[p.deck_size] = kNoCard;
        tell(ToldKind::threw, seat, back[at(count - 1)]);
        tell(ToldKind::drew, seat, p.hand[at(i)].card);
    }
    for (int i = 0; i < count; ++i) p.deck[p.deck_size++] = back[at(i)];
    if (count > 0) shuffle_deck(seat);
    p.mulligan_done = 1;
}

void Engine::begin_turn(int seat) noexcept {
    Player& p = player(seat);
    s_.active = static_cast<std::uint8_t>(seat);
    ++s_.turn;
    tell(ToldKind::turn, seat, kNoCard);
    if (options_.turn_limit > 0 && s_.turn > options_.turn_limit) {
        s_.phase = Phase::over;
        s_.winner = 2;
        return;
    }
    if (p.crystals < options_.mana_limit) ++p.crystals;
    p.locked = p.owed;
    p.owed = 0;
    p.mana = capped(p.crystals - p.locked);
    p.attacks = 0;
    p.power_used = 0;
    p.played = 0;
    p.minions_played = 0;
    if ((p.flags & kSpellsFreeNext) != 0) {
        p.flags = static_cast<std::uint8_t>((p.flags & ~kSpellsFreeNext) | kSpellsFree);
    }
    for (int i = 0; i < p.board_size; ++i) {
        Minion& m = minion(p.board[at(i)]);
        m.flags = static_cast<std::uint8_t>(m.flags & ~kSick);
        m.attacks = 0;
    }
    expire(Until::own_turn, seat);
    if (p.returning != kNoCard) {
        give(seat, p.returning, kKnown | kForeign);
        p.returning = kNoCard;
    }
    fire(Event::turn_start, {seat, {}, {}, 0, kNoCard});
    settle();
    end_if_decided();
    if (s_.phase == Phase::over) return;
    draw(seat, 1);
    settle();
    end_if_decided();
}

void Engine::end_turn() noexcept {
    const int seat = s_.active;
    fire(Event::turn_end, {seat, {}, {}, 0, kNoCard});
    settle();
    end_if_decided();
    if (s_.phase == Phase::over) return;
    // Clean-up: what lasts this turn ends, and who could have attacked thaws.
    expire(Until::turn_end, seat);
    Player& p = player(seat);
    for (int i = 0; i < p.board_size; ++i) {
        Minion& m = minion(p.board[at(i)]);
        const bool sick = (m.flags & kSick) != 0 && (keywords_of(p.board[at(i)]) & kCharge) == 0;
        if (m.attacks == 0 && !sick) m.flags = static_cast<std::uint8_t>(m.flags & ~kFrozen);
        m.attacks = 0;
    }
    if (p.attacks == 0) p.flags = static_cast<std::uint8_t>(p.flags & ~kHeroFrozen);
    p.attacks = 0;
    for (int side = 0; side < kSeats; ++side) {
        Player& one = player(side);
        one.hero_attack = 0;
        one.flags = static_cast<std::uint8_t>(one.flags & ~(kHeroImmune | kMinionsSurvive));
    }
    p.flags = static_cast<std::uint8_t>(p.flags & ~(kSpellsFree | kNextSecretFree));
    p.cheaper_spell = 0;
    p.mana = capped(p.mana - p.temporary);
    p.temporary = 0;
    refresh();
    settle();
    if (cut_) return end_if_decided();
    begin_turn(1 - seat);
}

void Engine::play(int index, int option, Ref target, int position) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    const HandCard held = p.hand[at(index)];
    const Card& what = card(held.card);
    const int price = cost(seat, held);
    p.mana = capped(p.mana - price);
    remove_from_hand(seat, index);
    tell(ToldKind::played, seat, held.card);
    tell_aim(target);
    s_.combo = p.played;
    p.played = capped(p.played + 1);
    s_.source_card = option >= 0 ? what.options[at(option)] : held.card;
    const Who aimed = target == kNobodyRef ? Who{} : who(target);
    s_.target = aimed.ref;
    s_.target_order = aimed.order;
    s_.source = kNobodyRef;
    s_.source_order = 0;
    s_.repeats = 1;
    if (what.overload > 0) owe(seat, what.overload);
    if (what.type == Type::minion) {
        p.minions_played = capped(p.minions_played + 1);
        const Ref ref = enter(held.card, seat, position);
        if (ref == kNobodyRef) {  // what its overload set off has filled the board
            tell(ToldKind::left, seat, held.card);
            s_.repeats = 0;
            s_.source_card = kNoCard;
            return finish_play();
        }
        Minion& m = minion(ref);
        m.flags |= kUnborn;
        if (held.attack != 0 || held.health != 0) {
            Enchant buffed;
            buffed.attack = held.attack;
            buffed.health = held.health;
            enchant(ref, buffed);
        }
        s_.source = ref;
        s_.source_order = m.order;
        refresh();
        const Who one = who(ref);
        fire(Event::play, {seat, one, aimed, 0, held.card});
        if (here(one)) announce(ref, true);
        settle();
        if (has(seat, kTwice)) s_.repeats = 2;
    } else if (what.type == Type::weapon) {
        fire(Event::play, {seat, {}, aimed, 0, held.card});
        equip(seat, held.card);
        settle();
        if (has(seat, kTwice)) s_.repeats = 2;
    } else {
        if (p.cheaper_spell > 0) p.cheaper_spell = 0;
        const bool secret = (what.keywords & kSecret) != 0;
        if (secret) p.flags = static_cast<std::uint8_t>(p.flags & ~kNextSecretFree);
        countered_ = false;
        fire(Event::play, {seat, {}, aimed, 0, held.card});
        settle();
        const bool stopped = countered_;
        countered_ = false;
        if (stopped) {
            bury(seat, held.card);
            s_.repeats = 0;
            s_.source_card = kNoCard;
            finish_play();
            return;
        }
        if (secret) {
            lay_secret(seat, held.card);
            s_.repeats = 0;
        } else {
            bury(seat, held.card);
            if (aimed.ref != kNobodyRef && (s_.events & bit(Event::targeted)) != 0) {
                retarget_ = {};
                fire(Event::targeted, {seat, aimed, {}, 0, held.card});
                if (retarget_.ref != kNobodyRef) {
                    s_.target = retarget_.ref;
                    s_.target_order = retarget_.order;
                }
            }
        }
    }
    if (play_text()) finish_play();
}

// Runs the text of what is being played as often as it is due; false when a choice is open.
bool Engine::play_text() noexcept {
    while (s_.repeats > 0) {
        --s_.repeats;
        const Card& what = card(s_.source_card);
        if (what.program < 0) continue;
        const Who self{s_.source, s_.source_order};
        // A minion that left is still heard, but not one that became another or went over.
        if (self.ref != kNobodyRef && here(self) && minion(self.ref).side != s_.active) continue;
        if (what.type == Type::minion && self.ref != kNobodyRef &&
            minion(self.ref).card != kNoCard && !here(self)) {
            continue;
        }
        Context context;
        context.me = s_.active;
        context.card = s_.source_card;
        context.self = self;
        context.target = {s_.target, s_.target_order};
        if (context.target.ref != kNobodyRef && !here(context.target)) context.target = {};
        context.spell = what.type == Type::spell && s_.source == kNobodyRef;
        context.combo = s_.combo;
        context.chosen = true;
        held_.count = 0;
        if (!run(what.program, context)) return false;
    }
    return true;
}

void Engine::finish_play() noexcept {
    const int seat = s_.active;
    const Who one{s_.source, s_.source_order};
    const CardId played = s_.source_card;
    s_.source = s_.target = kNobodyRef;
    s_.source_order = s_.target_order = 0;
    s_.source_card = kNoCard;
    s_.combo = 0;
    s_.resume = 0;
    if (one.ref != kNobodyRef && here(one)) {
        minion(one.ref).flags = static_cast<std::uint8_t>(minion(one.ref).flags & ~kUnborn);
    }
    settle();
    if (one.ref != kNobodyRef && here(one)) {
        const CardId now = minion(one.ref).card;
        fire(Event::after_summon, {minion(one.ref).side, one, {}, 0, now});
        settle();
    }
    if (played != kNoCard) {
        const CardId now = one.ref != kNobodyRef && here(one) ? minion(one.ref).card : played;
        fire(Event::after_play, {seat, one, {}, 0, now});
        settle();
        if (set_.leapers && card(now).type == Type::minion) leap(seat, card(now).races);
    }
    end_if_decided();
}

// Cards that come out of the deck by themselves when one of their kind is played.
void Engine::leap(int seat, unsigned races) noexcept {
    const Player& p = player(seat);
    for (int i = 0; i < p.deck_size && p.board_size < options_.board_limit; ++i) {
        const Card& what = card(p.deck[at(i)]);
        if (what.leaps != 2 || (what.races & races) == 0) continue;
        summon(take_from_deck(seat, i), seat, -1);
        settle();
        return;
    }
}

void Engine::use_power(Ref target) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    p.mana = capped(p.mana - power_cost(seat));
    p.power_used = 1;
    tell(ToldKind::power, seat, p.power);
    tell_aim(target);
    Context context;
    context.me = seat;
    context.card = p.power;
    context.self = {};
    if (target != kNobodyRef) context.target = who(target);
    context.power = true;
    run(card(p.power).program, context);
    fire(Event::power_used, {seat, {}, {}, 0, p.power});
    settle();
    end_if_decided();
}

void Engine::attack(Ref attacker, Ref defender) noexcept {
    const int seat = s_.active;
    const bool hero = is_hero(attacker);
    tell(ToldKind::attacked, seat, hero ? kNoCard : minion(attacker).card);
    tell_aim(defender);
    if (hero) {
        player(seat).attacks = capped(player(seat).attacks + 1);
    } else {
        Minion& m = minion(attacker);
        m.attacks = capped(m.attacks + 1);
        lose_keywords(m, kStealth);
    }
    fight_[0] = who(attacker);
    fight_[1] = who(defender);
    const CardId weapon = hero ? player(seat).weapon : kNoCard;
    // A changed defender is a new pairing: secrets look at it again, texts have spoken.
    for (int round = 0; round < 6; ++round) {
        const Who before = fight_[1];
        Happening proposed{seat, fight_[0], fight_[1], 0, kNoCard};
        proposed.secrets_only = round > 0;
        fire(Event::attack, proposed);
        if (fight_[1].ref == before.ref && fight_[1].order == before.order) break;
    }
    const Who a = fight_[0];
    const Who d = fight_[1];
    const bool on = here(a) && here(d) && alive(a.ref) && alive(d.ref);
    if (on) {
        const int out = attack_of(a.ref);
        const int back = is_hero(d.ref) ? 0 : attack_of(d.ref);
        const bool safe =
            hero && weapon != kNoCard && (card(weapon).keywords & kImmuneAttacking) != 0;
        const int dealt = hit(d.ref, out, a);
        // What its own blow set off may have sent the attacker away.
        const int taken = safe || !here(a) ? 0 : hit(a.ref, back, d);
        if (hero && weapon != kNoCard && player(seat).weapon == weapon) {
            Player& p = player(seat);
            if ((card(weapon).keywords & kUsesAttack) != 0 && is_minion(d.ref)) {
                p.weapon_attack = tiny(p.weapon_attack - 1);
                if (p.weapon_attack <= 0) p.durability = 0;
            } else {
                p.durability = tiny(p.durability - 1);
            }
        }
        if (dealt > 0) fire(Event::damaged, {seat_of(d.ref), d, a, dealt, kNoCard});
        if (taken > 0) fire(Event::damaged, {seat_of(a.ref), a, d, taken, kNoCard});
        fire(Event::after_attack, {seat, a, d, dealt, kNoCard});
    }  // else the attack is used up, and a weapon is not
    fight_[0] = fight_[1] = {};
    settle();
    end_if_decided();
}

// The answer to an open choice; then the play goes on where it stopped.
void Engine::choose(int index) noexcept {
    const int seat = s_.active;
    Player& p = player(seat);
    const CardId chosen = s_.choice_cards[at(index)];
    const Choice kind = s_.choice;
    tell(ToldKind::chose, seat, chosen);
    if (kind == Choice::track) {
        const int shown = s_.choices;
        for (int n = 0; n < shown; ++n) {
            p.deck[--p.deck_size] = kNoCard;
        }
        const bool kept = put_in_hand(seat, chosen, 0);
        for (int n = 0; n < shown; ++n) {
            const CardId one = s_.choice_cards[at(n)];
            if (n == index && kept) {
                tell(ToldKind::drew, seat, one);
            } else {
                tell(ToldKind::undecked, seat, one);
                bury(seat, one);
            }
        }
    } else if (kind == Choice::power) {
        p.power = chosen;
        p.power_used = 0;
    } else {
        give(seat, chosen, kForeign);
    }
    s_.phase = Phase::play;
    s_.choice = Choice::none;
    s_.choices = 0;
    s_.choice_cards = {};
    const int next = s_.resume;
    s_.resume = 0;
    Context context;
    context.me = seat;
    context.card = s_.source_card;
    context.self = {s_.source, s_.source_order};
    context.target = {s_.target, s_.target_order};
    context.spell = card(s_.source_card).type == Type::spell && s_.source == kNobodyRef;
    context.combo = s_.combo;
    context.chosen = true;
    if (!run(next, context)) return;
    if (play_text()) finish_play();
}

}  // namespace ludex::hearthstone
