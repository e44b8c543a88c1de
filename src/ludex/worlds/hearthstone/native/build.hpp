// States from descriptions and back, for scenarios, drawings and tests.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bind_model.hpp"
#include "engine.hpp"
#include "load.hpp"
#include "rules.hpp"
#include "text.hpp"

namespace ludex::hearthstone {

namespace nb = nanobind;

template <class P>
nb::dict facts_of(const P& part) {
    nb::dict out;
    numbers(part,
            [&](const char* name, const auto& value) { out[name] = static_cast<long>(value); });
    return out;
}

[[nodiscard]] inline nb::dict describe_player(const State& state, int seat) {
    const Player& p = state.players[static_cast<std::size_t>(seat)];
    nb::dict out = facts_of(p);
    nb::list hand;
    for (int i = 0; i < p.hand_size; ++i) {
        const HandCard& h = p.hand[static_cast<std::size_t>(i)];
        hand.append(nb::make_tuple(static_cast<int>(h.card), static_cast<int>(h.cost),
                                   static_cast<int>(h.flags), static_cast<int>(h.attack),
                                   static_cast<int>(h.health)));
    }
    nb::list deck;  // the next to be drawn first
    for (int i = p.deck_size - 1; i >= 0; --i) {
        deck.append(static_cast<int>(p.deck[static_cast<std::size_t>(i)]));
    }
    nb::list secrets;
    for (int i = 0; i < p.secret_count; ++i) {
        secrets.append(static_cast<int>(p.secrets[static_cast<std::size_t>(i)].card));
    }
    nb::list board;
    for (int i = 0; i < p.board_size; ++i) {
        nb::dict one = facts_of(state.minions[p.board[static_cast<std::size_t>(i)]]);
        board.append(one);
    }
    out["hand"] = hand;
    out["deck"] = deck;
    out["secrets"] = secrets;
    out["board"] = board;
    return out;
}

// With what the engine works out: costs, attacks, who may attack.
[[nodiscard]] inline nb::dict describe(const Rules& rules, const State& state) {
    Rng unused(0);
    State copy = state;
    const Engine engine(rules.cards(), rules.options(), copy, unused);
    nb::list players;
    for (int seat = 0; seat < kSeats; ++seat) {
        nb::dict one = describe_player(state, seat);
        const Player& p = state.players[static_cast<std::size_t>(seat)];
        const auto hero = static_cast<Ref>(kHero + seat);
        one["total_attack"] = engine.attack_of(hero);
        one["can_attack"] = engine.can_attack(hero) && state.active == seat;
        one["immune"] = engine.immune(hero);
        one["power_cost"] = engine.power_cost(seat);
        nb::list costs;
        for (int i = 0; i < p.hand_size; ++i) {
            costs.append(engine.cost(seat, p.hand[static_cast<std::size_t>(i)]));
        }
        one["costs"] = costs;
        nb::list board = nb::cast<nb::list>(one["board"]);
        for (int i = 0; i < p.board_size; ++i) {
            const Ref ref = p.board[static_cast<std::size_t>(i)];
            nb::dict minion = nb::cast<nb::dict>(board[static_cast<std::size_t>(i)]);
            minion["total_attack"] = engine.attack_of(ref);
            minion["all_keywords"] = engine.keywords_of(ref);
            minion["can_attack"] = engine.can_attack(ref) && state.active == seat;
        }
        players.append(one);
    }
    nb::dict out = facts_of(state);
    out["players"] = players;
    return out;
}

// The names of this description are those of `numbers`; lists are hand, deck (next first),
// board and secrets, whose items may have an order of play.
[[nodiscard]] inline State build_state(const Rules& rules, const nb::dict& position) {
    State state;
    state.owner = rules.owner();
    Rng unused(0);
    Engine engine(rules.cards(), rules.options(), state, unused);
    const auto card_of = [&](nb::handle value) {
        const long id = nb::cast<long>(value);
        if (id <= 0 || id >= static_cast<long>(rules.cards().cards.size())) {
            throw nb::value_error("there is no such card");
        }
        return static_cast<CardId>(id);
    };
    const auto fill = [](auto& part, const nb::dict& from) {
        numbers(part, [&](const char* name, auto& where) {
            using Number = std::remove_reference_t<decltype(where)>;
            if (!from.contains(name)) return;
            const long value = nb::cast<long>(from[name]);
            if constexpr (!std::is_enum_v<Number>) {
                if (value < static_cast<long>(std::numeric_limits<Number>::min()) ||
                    value > static_cast<long>(std::numeric_limits<Number>::max())) {
                    throw nb::value_error("a number of this position is too large");
                }
            }
            where = static_cast<Number>(value);
        });
    };
    fill(state, position);
    state.events = 0;
    const nb::list players = nb::cast<nb::list>(position["players"]);
    for (int seat = 0; seat < kSeats; ++seat) {
        const nb::dict from = nb::cast<nb::dict>(players[static_cast<std::size_t>(seat)]);
        Player& p = state.players[static_cast<std::size_t>(seat)];
        fill(p, from);
        if (!from.contains("power")) p.power = rules.cards().cards[p.hero].power;
        if (p.weapon != kNoCard && !from.contains("weapon_attack")) {
            p.weapon_attack = tiny(rules.cards().cards[p.weapon].attack);
            p.durability = tiny(rules.cards().cards[p.weapon].health - p.durability);
        }
        for (const nb::handle one : nb::cast<nb::list>(from["hand"])) {
            if (p.hand_size == kHand) throw nb::value_error("a hand holds ten cards");
            HandCard held;
            held.card = card_of(one);
            p.hand[p.hand_size++] = held;
        }
        const nb::list deck = nb::cast<nb::list>(from["deck"]);
        if (deck.size() > kDeck) throw nb::value_error("a deck holds sixty cards");
        for (std::size_t i = deck.size(); i > 0; --i) {
            p.deck[p.deck_size++] = card_of(deck[i - 1]);
        }
        for (const nb::handle one : nb::cast<nb::list>(from["secrets"])) {
            const nb::dict facts = nb::cast<nb::dict>(one);
            if (p.secret_count == kSecrets) throw nb::value_error("five secrets are the most");
            Secret secret;
            secret.card = card_of(facts["card"]);
            secret.order = static_cast<std::uint16_t>(nb::cast<long>(facts["order"]));
            p.secrets[p.secret_count++] = secret;
        }
        for (const nb::handle one : nb::cast<nb::list>(from["board"])) {
            const nb::dict facts = nb::cast<nb::dict>(one);
            const Ref ref = engine.place(card_of(facts["card"]), seat);
            if (ref == kNobodyRef) throw nb::value_error("seven minions are the most");
            Minion& m = state.minions[ref];
            m.order = static_cast<std::uint16_t>(nb::cast<long>(facts["order"]));
            m.flags = static_cast<std::uint8_t>(m.flags & ~kSick);
            if (facts.contains("frozen") && nb::cast<bool>(facts["frozen"])) m.flags |= kFrozen;
            if (facts.contains("no_shield") && nb::cast<bool>(facts["no_shield"])) {
                m.keywords &= ~static_cast<std::uint32_t>(kShield);
            }
        }
    }
    engine.index_events();
    engine.refresh();
    // Damage is dealt below what auras raise; then it may enrage.
    for (int seat = 0; seat < kSeats; ++seat) {
        const nb::dict from = nb::cast<nb::dict>(players[static_cast<std::size_t>(seat)]);
        const Player& p = state.players[static_cast<std::size_t>(seat)];
        const nb::list board = nb::cast<nb::list>(from["board"]);
        for (int i = 0; i < p.board_size; ++i) {
            const nb::dict facts = nb::cast<nb::dict>(board[static_cast<std::size_t>(i)]);
            if (!facts.contains("damage")) continue;
            Minion& m = state.minions[p.board[static_cast<std::size_t>(i)]];
            m.health = bounded(m.health - nb::cast<int>(facts["damage"]));
        }
    }
    engine.refresh();
    for (const Minion& m : state.minions) {
        state.next_order = std::max(state.next_order, m.order);
    }
    for (const Player& p : state.players) {
        state.next_order = std::max(state.next_order, p.weapon_order);
        for (const Secret& one : p.secrets)
            state.next_order = std::max(state.next_order, one.order);
    }
    return state;
}

}  // namespace ludex::hearthstone
