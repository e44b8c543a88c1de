// Tables whose bytes or text came from outside, and the tag by which those of one game are known.
#include <algorithm>

#include "engine.hpp"
#include "rules.hpp"
#include "text.hpp"

namespace ludex::hearthstone {

Owner owner_of_game(const CardSet& set, const Setup& setup, const Options& options) {
    OwnerHash hash;
    hash.add(set.content).add(set.cards.size()).add(set.program.size());
    for (const auto& deck : setup.decks) hash.add(deck);
    hash.add(setup.heroes).add(setup.pool).add(setup.mulligan).add(setup.staged);
    hash.add(setup.all_places).add(setup.first).add(options.hand_limit).add(options.board_limit);
    hash.add(options.mana_limit).add(options.turn_limit).add(options.frozen_hero_can_attack);
    return hash.owner();
}

bool is_sound(const State& state) noexcept {
    for (const Player& p : state.players) {
        if (p.hand_size > kHand || p.board_size > kBoard || p.deck_size > kDeck ||
            p.secret_count > kSecrets ||
            std::any_of(p.board.begin(), p.board.end(), [](int slot) { return slot >= kSlots; })) {
            return false;
        }
    }
    for (const Minion& m : state.minions) {
        if (m.enchants > kEnchants || m.side >= kSeats) return false;
    }
    const auto is_ref = [](Ref ref) { return ref < kHero + kSeats || ref == kNobodyRef; };
    for (const ToldEvent& one : state.told_events) {
        if (one.kind > ToldKind::aimed || one.seat > kSeats) return false;
    }
    return state.active < kSeats && state.first < kSeats && state.phase <= Phase::over &&
           state.winner <= kSeats && state.choice <= Choice::potion && state.choices <= kChoices &&
           state.stage <= 2 && state.resume >= 0 && is_ref(state.source) && is_ref(state.target) &&
           state.told_count <= kMostTold;
}

// Written and read back it must be the same, to the last byte that counts: so nothing lies where
// nothing should, and all that is read is looked at.
bool Rules::is_possible(const State& state) const {
    if (!is_sound(state)) return false;
    const std::optional<State> read = from_text(to_text(state), set_->cards.size());
    if (!read || !(*read == state) || !consistent(state)) return false;
    const auto is_card = [&](CardId card) { return card < set_->cards.size(); };
    for (const Player& p : state.players) {
        if (!is_card(p.returning) || p.hero == kNoCard) return false;
    }
    for (const ToldEvent& one : state.told_events) {
        if (!is_card(one.card)) return false;
    }
    if (static_cast<std::size_t>(state.resume) >= set_->program.size() && state.resume != 0) {
        return false;
    }
    State again = state;
    Rng unused(0);
    Engine(*set_, options_, again, unused).index_events();
    if (again.events != state.events) return false;
    // Who is to act must be able to.
    std::array<Action, kMaxLegal> actions;
    return over(state) || legal(state, actor(state), actions) > 0;
}

bool Rules::admit(State& state) const noexcept {
    if (state.owner == kNobodys || state.owner != claim_of(owner_) || !is_possible(state)) {
        return false;
    }
    state.owner = owner_;
    return true;
}

}  // namespace ludex::hearthstone
