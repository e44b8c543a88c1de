// Card programs: one instruction after the other, with branches and loops.
#include "engine.hpp"
#include "numbers.hpp"

namespace ludex::hearthstone {

// Whether an instruction acts on the chosen target.
bool Engine::aims(const Instruction& i) const noexcept {
    switch (i.op) {
        case Op::damage:
        case Op::heal:
        case Op::buff:
        case Op::set_attack:
        case Op::set_health:
        case Op::destroy:
        case Op::freeze:
        case Op::silence:
            return set_.groups[at(i.a)].base == Base::target;
        default:
            return false;
    }
}

// Runs a program; false when it stopped to ask for a choice.
bool Engine::run(int pc, Context& context) noexcept {
    if (depth_ >= kDeepest) {
        cut_short(context.me, context.card);
        return true;
    }
    ++depth_;
    struct Loop {
        int start;
        int left;
    };
    constexpr int kMostLoops = 4;  // the card language nests no more
    std::array<Loop, kMostLoops> loops;
    int loop = 0;
    bool finished = true;
    for (;; ++pc) {
        // Before the end is seen: the last instruction may have used up the effects.
        if (!spend()) {
            cut_short(context.me, context.card);
            break;
        }
        const Instruction& i = set_.program[at(pc)];
        if (i.op == Op::end) break;
        if (watcher_ != nullptr && depth_ == 1 && !watching_ && aims(i) && here(context.target)) {
            watching_ = true;
            watcher_->before(s_, context);
        }
        switch (i.op) {
            case Op::when:
                if (!compare(value(i.a, context), i.x, i.b)) pc = i.c - 1;
                break;
            case Op::jump:
                pc = i.c - 1;
                break;
            case Op::loop: {
                const int times = value(i.a, context);
                if (times <= 0 || loop == kMostLoops) {
                    pc = i.c;
                } else {
                    loops[at(loop++)] = {pc, times - 1};
                }
                break;
            }
            case Op::loop_end:
                if (loop > 0) {
                    if (loops[at(loop - 1)].left-- > 0) {
                        pc = loops[at(loop - 1)].start;
                    } else {
                        --loop;
                    }
                }
                break;
            case Op::track:
                finished = !ask_track(context, pc + 1);
                break;
            case Op::discover:
            case Op::discover_power:
                finished = !ask_discover(i, context, pc + 1);
                break;
            default:
                obey(i, context);
                break;
        }
        if (!finished) break;
        if (watching_ && depth_ == 1) {
            const Instruction& next = set_.program[at(pc + 1)];
            if (next.op != Op::freeze || !aims(next)) {
                watching_ = false;
                watcher_->after(s_, context);
                watcher_ = nullptr;
            }
        }
    }
    --depth_;
    return finished;
}

// Instructions that are done at once.
void Engine::obey(const Instruction& i, Context& context) noexcept {
    switch (i.op) {
        // Characters: effects_on_characters.cpp
        case Op::damage:
            return do_damage(i, context);
        case Op::heal:
            return do_heal(i, context);
        case Op::buff:
            return do_buff(i, context);
        case Op::set_attack:
        case Op::set_health:
            return do_set(i, context);
        case Op::destroy:
            return do_destroy(i, context);
        case Op::freeze:
            return do_freeze(i, context);
        case Op::silence:
            return do_silence(i, context);
        case Op::bounce:
            return do_bounce(i, context);
        case Op::steal:
            return do_steal(i, context);
        case Op::transform:
        case Op::transform_pool:
            return do_transform(i, context);
        case Op::remove_keywords:
            return do_remove_keywords(i, context);
        case Op::swap_stats:
            return do_swap_stats(i, context);
        case Op::become_copy:
            return do_become_copy(i, context);
        case Op::take_attack_from:
            return do_absorb(i, context);
        case Op::strike:
            return do_strike(i, context);
        case Op::hold:
            held_ = members(i.a, context);
            return;
        case Op::retarget:
            return do_retarget(i, context);
        case Op::counter:
            countered_ = true;
            return;
        case Op::prevent:
            prevented_ = true;
            return;
        // Summons: effects_of_summons.cpp
        case Op::summon:
            return do_summon(i, context);
        case Op::summon_pool:
            return do_summon_pool(i, context);
        case Op::summon_from_deck:
            return do_summon_from_deck(i, context);
        case Op::summon_from_hand:
            return do_summon_from_hand(i, context);
        case Op::summon_copy:
            return do_summon_copy(i, context);
        case Op::swap_with_hand:
            return do_swap_with_hand(context);
        case Op::resummon:
            return do_resummon(i, context);
        case Op::golem:
            return do_golem(context);
        // Cards: effects_on_cards.cpp
        case Op::draw:
            return do_draw(i, context);
        case Op::draw_race:
            return do_draw_race(i, context);
        case Op::draw_until:
            return do_draw_until(context);
        case Op::discard:
            return do_discard(i, context);
        case Op::give:
            return do_give(i, context);
        case Op::give_pool:
            return do_give_pool(i, context);
        case Op::give_event_card:
            return do_give_played(i, context);
        case Op::copy_hand:
            return do_copy_hand(context);
        case Op::copy_deck:
            return do_copy_deck(i, context);
        case Op::buff_hand:
            return do_buff_hand(i, context);
        case Op::shuffle_in:
            return do_shuffle_in(i, context);
        case Op::bounce_copy:
            return do_shuffle_copies(i, context);
        case Op::put_secret:
            return do_put_secret(context);
        case Op::destroy_secrets:
            while (player(1 - context.me).secret_count > 0) {
                tell(ToldKind::unlaid, 1 - context.me, player(1 - context.me).secrets[0].card);
                remove_secret(1 - context.me, 0);
            }
            return;
        case Op::joust:
            return do_joust(context);
        // Players: effects_on_players.cpp
        case Op::mana:
            return do_mana(i, context);
        case Op::mana_all:
            player(context.me).mana = 0;
            return;
        case Op::overload:
            return owe(context.me, value(i.b, context));
        case Op::armour:
            return add_armour(side_of(i.c, context), value(i.b, context));
        case Op::equip:
            return equip(side_of(i.c, context), static_cast<CardId>(i.a));
        case Op::weapon:
            return do_weapon(i, context);
        case Op::buff_weapon_or_equip:
            return do_arm(i, context);
        case Op::break_weapon:
            return lose_weapon(side_of(i.c, context));
        case Op::hero_health:
            return do_hero_health(i, context);
        case Op::become_hero:
            return do_become_hero(i, context);
        case Op::set_power:
            return do_set_power(i, context);
        case Op::mark:
            return do_mark(i, context);
        default:
            return;
    }
}

}  // namespace ludex::hearthstone
