// Wounds, healing and frost.
#include <algorithm>

#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

void Engine::freeze(Ref ref) noexcept {
    if (is_hero(ref)) {
        player(ref - kHero).flags |= kHeroFrozen;
    } else {
        minion(ref).flags |= kFrozen;
    }
}

int Engine::hit(Ref ref, int amount, Who source) noexcept {
    if (amount <= 0 || immune(ref)) return 0;
    const bool by_minion = is_minion(source.ref) && here(source);
    if (is_hero(ref)) {
        const int seat = ref - kHero;
        Player& p = player(seat);
        if ((s_.events & bit(Event::fatal)) != 0 && amount >= p.health + p.armour) {
            prevented_ = false;
            fire(Event::fatal, {seat, {ref, 0}, source, amount, kNoCard});
            if (prevented_) {
                prevented_ = false;
                return 0;
            }
        }
        const int absorbed = std::min<int>(p.armour, amount);
        p.armour = bounded(p.armour - absorbed);
        p.health = bounded(p.health - (amount - absorbed));
    } else {
        Minion& m = minion(ref);
        if (((m.keywords | m.aura_keywords) & kShield) != 0) {
            m.keywords &= ~static_cast<std::uint32_t>(kShield);
            return 0;
        }
        if ((player(m.side).flags & kMinionsSurvive) != 0) {
            amount = std::min<int>(amount, m.health - 1);
            if (amount <= 0) return 0;
        }
        m.health = bounded(m.health - amount);
        if (by_minion && (keywords_of(source.ref) & kPoisonous) != 0) m.flags |= kDoomed;
    }
    if (by_minion) {
        const std::uint32_t keywords = keywords_of(source.ref);
        if ((keywords & kChilling) != 0) freeze(ref);
        if ((keywords & kLifesteal) != 0) {
            Targets hero;
            hero.add({static_cast<Ref>(kHero + seat_of(source.ref)), 0});
            heal(hero, amount, source, nullptr);
        }
    }
    return amount;
}

// All are hit before the first event is raised.
void Engine::damage(const Targets& targets, int amount, Who source) noexcept {
    std::array<int, kMostTargets> dealt{};
    for (int i = 0; i < targets.count; ++i) {
        const Who one = targets.who[at(i)];
        dealt[at(i)] = here(one) ? hit(one.ref, amount, source) : 0;
    }
    if ((s_.events & bit(Event::damaged)) == 0) return;
    for (int i = 0; i < targets.count; ++i) {
        if (dealt[at(i)] <= 0) continue;
        const Who one = targets.who[at(i)];
        if (!here(one)) continue;
        fire(Event::damaged, {seat_of(one.ref), one, source, dealt[at(i)], kNoCard});
    }
}

void Engine::heal(const Targets& targets, int amount, Who source, const Context* by) noexcept {
    if (by != nullptr && (by->spell || by->power) && has(by->me, kDoubling)) amount *= 2;
    if (by != nullptr && has(by->me, kHealingHurts)) {
        damage(targets, amount, source);
        return;
    }
    std::array<int, kMostTargets> gained{};
    for (int i = 0; i < targets.count; ++i) {
        const Who one = targets.who[at(i)];
        if (!here(one)) continue;
        if (is_hero(one.ref)) {
            Player& p = player(one.ref - kHero);
            gained[at(i)] = std::min<int>(amount, p.max_health - p.health);
            if (gained[at(i)] > 0) {
                p.health = bounded(p.health + gained[at(i)]);
            }
        } else {
            Minion& m = minion(one.ref);
            gained[at(i)] = std::min<int>(amount, m.max_health - m.health);
            if (gained[at(i)] > 0) {
                m.health = bounded(m.health + gained[at(i)]);
            }
        }
    }
    if ((s_.events & bit(Event::healed)) == 0) return;
    for (int i = 0; i < targets.count; ++i) {
        if (gained[at(i)] <= 0) continue;
        const Who one = targets.who[at(i)];
        fire(Event::healed, {seat_of(one.ref), one, source, gained[at(i)], kNoCard});
    }
}

}  // namespace ludex::hearthstone
