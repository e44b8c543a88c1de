// Who hears of an event, and in which order they speak.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

void Engine::tell(ToldKind kind, int seat, CardId what) noexcept { s_.tell(kind, seat, what); }

// A hero has no card here, as where it attacks.
void Engine::tell_aim(Ref target) noexcept {
    if (target == kNobodyRef) return;
    const CardId what = is_hero(target) ? kNoCard : minion(target).card;
    tell(ToldKind::aimed, seat_of(target), what);
}

void Engine::cut_short(int seat, CardId what) noexcept {
    cut();
    if (told_) return;
    told_ = true;
    if (s_.told_count == kMostTold) {  // worth more than the last of so many
        --s_.told_count;
        s_.told_lost = 1;
    }
    tell(ToldKind::cut, seat, what);
}

void Engine::index_events() noexcept {
    std::uint32_t events = 0;
    // What auras gave may still have to be taken away, even when none is left.
    std::uint8_t auras = s_.auras != 0 ? 4 : 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size; ++i) {
            const Minion& m = minion(p.board[at(i)]);
            events |= m.events;
            if ((m.flags & kHasAura) != 0) auras |= 3;
        }
        if (p.weapon != kNoCard) {
            events |= card(p.weapon).events;
            if (card(p.weapon).auras > 0) auras |= 3;
        }
        for (int i = 0; i < p.secret_count; ++i) events |= card(p.secrets[at(i)].card).events;
    }
    s_.events = events;
    s_.auras = auras;
}

bool Engine::matches(const Trigger& trigger, Context& context,
                     const Happening& what) const noexcept {
    if ((trigger.sides & (what.seat == context.me ? 1 : 2)) == 0) return false;
    if (trigger.types != 0) {
        const Card& played = card(what.card);
        const bool secret = (played.keywords & kSecret) != 0;
        const unsigned type = (played.type == Type::minion ? 1U : 0U) |
                              (played.type == Type::spell ? 2U : 0U) |
                              (played.type == Type::weapon ? 4U : 0U) | (secret ? 8U : 0U) |
                              (played.overload > 0 ? 16U : 0U);
        if ((trigger.types & type) == 0) return false;
        if (trigger.races != 0 && (trigger.races & played.races) == 0) return false;
    }
    if (trigger.others != 0 && what.subject.ref == context.self.ref &&
        what.subject.order == context.self.order && context.self.ref != kNobodyRef) {
        return false;
    }
    context.subject = what.subject;
    context.object = what.object;
    context.amount = what.amount;
    context.event_card = what.card;
    const auto fits = [&](int group, Who one) {
        if (group < 0) return true;
        if (one.ref == kNobodyRef) return false;
        if (is_minion(one.ref) && !here(one)) return false;
        return belongs(set_.groups[at(group)], context, one.ref);
    };
    if (!fits(trigger.subject, what.subject) || !fits(trigger.object, what.object)) return false;
    return trigger.value < 0 ||
           compare(look(set_.values[at(trigger.value)], context), trigger.compare, trigger.number);
}

void Engine::fire(Event event, const Happening& what) noexcept {
    if ((s_.events & bit(event)) == 0 || cut_) return;
    struct Waiting {
        std::uint16_t rank;   // in which order they speak
        std::uint16_t order;  // of the minion, weapon or secret
        std::uint8_t kind;    // 0 minion, 1 weapon, 2 secret
        std::uint8_t seat;
        Ref ref;
        CardId source;
        std::uint16_t trigger;
        std::uint8_t owner;
    };
    std::array<Waiting, kMostWaiting> queue;
    int size = 0;
    const auto consider = [&](CardId source, std::uint16_t rank, std::uint16_t order, int kind,
                              int seat, Ref ref, int owner) {
        const Card& c = card(source);
        if ((c.events & bit(event)) == 0) return;
        if (rank < what.eldest || rank > what.youngest) return;
        for (int i = 0; i < c.triggers; ++i) {
            const int index = c.first_trigger + i;
            const Trigger& trigger = set_.triggers[at(index)];
            if (trigger.event != event) continue;
            Context context;
            context.me = owner;
            context.card = source;
            context.self = kind == 0 ? Who{ref, order} : Who{kNobodyRef, order};
            context.spell = kind == 2;
            if (!matches(trigger, context, what)) continue;
            if (size == kMostWaiting) return cut_short(owner, source);
            queue[at(size++)] = {
                rank, order,  static_cast<std::uint8_t>(kind),   static_cast<std::uint8_t>(seat),
                ref,  source, static_cast<std::uint16_t>(index), static_cast<std::uint8_t>(owner)};
        }
    };
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = player(seat);
        for (int i = 0; i < p.board_size && !what.secrets_only; ++i) {
            const Ref ref = p.board[at(i)];
            const Minion& m = minion(ref);
            if ((m.events & bit(event)) == 0) continue;
            if ((m.flags & kSilenced) == 0) consider(m.card, m.order, m.order, 0, seat, ref, seat);
            for (int k = 0; k < m.enchants; ++k) {
                const Enchant& e = m.enchant[at(k)];
                if (e.script == kNoCard) continue;
                consider(e.script, e.order, m.order, 0, seat, ref, (e.until & 128U) != 0 ? 1 : 0);
            }
        }
        if (p.weapon != kNoCard && !what.secrets_only) {
            consider(p.weapon, p.weapon_order, p.weapon_order, 1, seat, kNobodyRef, seat);
        }
        if (seat != s_.active) {
            for (int i = 0; i < p.secret_count; ++i) {
                const Secret& laid = p.secrets[at(i)];
                consider(laid.card, laid.order, laid.order, 2, seat, kNobodyRef, seat);
            }
        }
    }
    if (size == 0) return;
    if (depth_ >= kDeepest) return cut_short(queue[0].owner, queue[0].source);
    std::stable_sort(queue.begin(), queue.begin() + size,
                     [](const Waiting& a, const Waiting& b) { return a.rank < b.rank; });
    ++depth_;
    for (int i = 0; i < size && !cut_; ++i) {
        const Waiting& one = queue[at(i)];
        const Trigger& trigger = set_.triggers[one.trigger];
        Context context;
        context.me = one.owner;
        context.card = one.source;
        context.self = {one.kind == 0 ? one.ref : kNobodyRef, one.order};
        context.spell = one.kind == 2;
        if (one.kind == 0) {
            if (!here(context.self) || (minion(one.ref).events & bit(event)) == 0) continue;
        } else if (one.kind == 1) {
            if (player(one.seat).weapon != one.source ||
                player(one.seat).weapon_order != one.order) {
                continue;
            }
        }
        Happening now = what;
        if (event == Event::attack) {
            now.subject = fight_[0];
            now.object = fight_[1];
            // A secret does not bother with an attacker that is dying already.
            if (one.kind == 2 && (!here(fight_[0]) || health_of(fight_[0].ref) <= 0)) continue;
        }
        if (!matches(trigger, context, now)) continue;
        if (!spend()) {
            cut_short(one.owner, one.source);
            break;
        }
        if (one.kind == 2) {
            const Player& p = player(one.seat);
            int index = 0;
            while (index < p.secret_count && p.secrets[at(index)].order != one.order) ++index;
            if (index == p.secret_count || countered_) continue;
            tell(ToldKind::secret, one.seat, one.source);
            remove_secret(one.seat, index);
            run(trigger.program, context);
            fire(Event::revealed, {one.seat, {}, {}, 0, one.source});
        } else {
            run(trigger.program, context);
        }
    }
    --depth_;
}

}  // namespace ludex::hearthstone
