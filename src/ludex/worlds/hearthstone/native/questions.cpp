// What the rules answer about a state: who may attack, what a card costs, what may be aimed at.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

bool Engine::has(int seat, std::uint32_t keyword) const noexcept {
    const Player& p = player(seat);
    for (int i = 0; i < p.board_size; ++i) {
        if ((minion(p.board[at(i)]).keywords & keyword) != 0) return true;
    }
    return false;
}

int Engine::spell_damage(int seat) const noexcept {
    const Player& p = player(seat);
    int total = 0;
    for (int i = 0; i < p.board_size; ++i) total += minion(p.board[at(i)]).spell_damage;
    return total;
}

int Engine::attacks_allowed(Ref ref) const noexcept {
    if (is_hero(ref)) {
        const Player& p = player(ref - kHero);
        return p.weapon != kNoCard && (card(p.weapon).keywords & kWindfury) != 0 ? 2 : 1;
    }
    const std::uint32_t keywords = keywords_of(ref);
    if ((keywords & kMega) != 0) return 4;
    return (keywords & kWindfury) != 0 ? 2 : 1;
}

bool Engine::can_attack(Ref ref) const noexcept {
    if (attack_of(ref) <= 0) return false;
    if (is_hero(ref)) {
        if (frozen(ref) && !options_.frozen_hero_can_attack) return false;
        return player(ref - kHero).attacks < attacks_allowed(ref);
    }
    if (frozen(ref)) return false;
    const Minion& m = minion(ref);
    const std::uint32_t keywords = keywords_of(ref);
    if ((keywords & kCantAttack) != 0) return false;
    if ((m.flags & kSick) != 0 && (keywords & kCharge) == 0) return false;
    return m.attacks < attacks_allowed(ref);
}

bool Engine::must_face_taunt(int seat) const noexcept {
    const Player& enemy = player(1 - seat);
    for (int i = 0; i < enemy.board_size; ++i) {
        const std::uint32_t keywords = keywords_of(enemy.board[at(i)]);
        if ((keywords & kTaunt) != 0 && (keywords & (kStealth | kImmune)) == 0) return true;
    }
    return false;
}

bool Engine::legal_defender(int seat, Ref defender, bool taunt) const noexcept {
    if (seat_of(defender) == seat || immune(defender)) return false;
    const std::uint32_t keywords = keywords_of(defender);
    if ((keywords & kStealth) != 0) return false;
    return !taunt || (keywords & kTaunt) != 0;
}

int Engine::cost(int seat, const HandCard& held) const noexcept {
    const Card& what = card(held.card);
    const Player& p = player(seat);
    int total = what.cost + held.cost;
    if (what.cheaper >= 0) {
        Context context;
        context.me = seat;
        total -= look(set_.values[at(what.cheaper)], context);
    }
    const bool secret = (what.keywords & kSecret) != 0;
    const unsigned type = what.type == Type::minion   ? 1
                          : what.type == Type::spell  ? (secret ? 10U : 2U)
                          : what.type == Type::weapon ? 4U
                                                      : 0U;
    int least = 0;
    if ((s_.auras & 2) != 0) {
        for (int owner = 0; owner < kSeats; ++owner) {
            const Player& o = player(owner);
            for (int i = 0; i < o.board_size; ++i) {
                const Minion& m = minion(o.board[at(i)]);
                if ((m.flags & kHasAura) == 0) continue;
                const Card& source = card(m.card);
                for (int k = 0; k < source.auras; ++k) {
                    const Aura& aura = set_.auras[at(source.first_aura + k)];
                    if (aura.kind != AuraKind::cost || (aura.types & type) == 0) continue;
                    if ((aura.sides & (owner == seat ? 1 : 2)) == 0) continue;
                    if (aura.first != 0 && p.minions_played > 0) continue;
                    if (aura.least > 0) {
                        // A floor above 0 holds for this lowering only.
                        total = std::min(total, std::max<int>(aura.least, total + aura.attack));
                        continue;
                    }
                    total += aura.attack;
                }
            }
        }
    }
    if (what.type == Type::spell) {
        total -= p.cheaper_spell;
        if (secret && (p.flags & kNextSecretFree) != 0) total = 0;
        if ((p.flags & kSpellsFree) != 0) total = 0;
        if ((p.flags & kSpellsFreeNext) != 0 && seat != s_.active) total = 0;
    }
    return std::max(least, total);
}

int Engine::power_cost(int seat) const noexcept {
    return std::max<int>(0, card(player(seat).power).cost);
}

bool Engine::needs_met(const Card& what, const Context& context) const noexcept {
    for (int i = 0; i < what.needs; ++i) {
        const Need& need = set_.needs[at(what.first_need + i)];
        if (!compare(look(set_.values[at(need.value)], context), need.compare, need.number)) {
            return false;
        }
    }
    return true;
}

bool Engine::targetable(int seat, const Card& what, Ref ref, const Context& context,
                        bool by_spell) const noexcept {
    const std::uint32_t keywords = keywords_of(ref);
    if (seat_of(ref) != seat && ((keywords & kStealth) != 0 || immune(ref))) return false;
    if (by_spell && (keywords & kElusive) != 0) return false;
    return belongs(set_.groups[at(what.target)], context, ref);
}

int Engine::targets_of(int seat, const Card& what, bool by_spell,
                       std::array<Ref, 16>& out) const noexcept {
    if (what.aim == Aim::none) return -1;
    Context context;
    context.me = seat;
    context.combo = player(seat).played;
    if (what.aim_combo != 0 && context.combo == 0) return -1;
    if (what.aim_when.value >= 0 && !compare(look(set_.values[at(what.aim_when.value)], context),
                                             what.aim_when.compare, what.aim_when.number)) {
        return -1;
    }
    int found = 0;
    const auto consider = [&](Ref ref) {
        if (targetable(seat, what, ref, context, by_spell)) out[at(found++)] = ref;
    };
    consider(static_cast<Ref>(kHero + seat));
    consider(static_cast<Ref>(kHero + 1 - seat));
    for (const int side : {seat, 1 - seat}) {
        const Player& p = player(side);
        for (int i = 0; i < p.board_size; ++i) consider(p.board[at(i)]);
    }
    return found;
}

// Five secrets are the most, and no two alike.
bool Engine::can_lay(int seat, CardId what) const noexcept {
    const Player& p = player(seat);
    if (p.secret_count >= kSecrets) return false;
    for (int i = 0; i < p.secret_count; ++i) {
        if (p.secrets[at(i)].card == what) return false;
    }
    return true;
}

bool Engine::playable(int seat, const HandCard& held) const noexcept {
    const Player& p = player(seat);
    if (p.mana < cost(seat, held)) return false;
    const Card& what = card(held.card);
    switch (what.type) {
        case Type::minion:
            return p.board_size < options_.board_limit;
        case Type::weapon:
            return true;
        case Type::spell:
            break;
        default:
            return false;
    }
    if ((what.keywords & kSecret) != 0 && !can_lay(seat, held.card)) return false;
    Context context;
    context.me = seat;
    context.combo = p.played;
    return needs_met(what, context);
}

}  // namespace ludex::hearthstone
