#include "belief.hpp"

#include <algorithm>

namespace ludex::hearthstone {

namespace {

// Any cards of the pool, at most two of each; the first ones are secrets, no two alike.
void draw_unknown(const Rules& rules, std::array<CardId, kDeck + kHand + kSecrets>& cards, int size,
                  int secrets, Rng& rng) {
    const std::vector<CardId>& pool = rules.setup().pool;
    if (pool.empty()) return;
    for (int i = 0; i < size; ++i) {
        for (int tries = 0; tries < 4000; ++tries) {
            const CardId card = pool[rng.below(pool.size())];
            const bool secret = (rules.cards().cards[card].keywords & kSecret) != 0;
            if (i < secrets && !secret) continue;
            int copies = 0;
            for (int k = 0; k < i; ++k) copies += cards[at(k)] == card ? 1 : 0;
            if (copies >= (i < secrets ? 1 : 2)) continue;
            cards[at(i)] = card;
            break;
        }
    }
}

bool public_card(const HandCard& held) noexcept { return (held.flags & kKnown) != 0; }

}  // namespace

State masked(const Rules& rules, const State& state, int seat) {
    State seen = state;
    seen.told_events = {};
    seen.before = {};
    seen.forget();
    Player& mine = seen.players[at(seat)];
    Player& other = seen.players[at(1 - seat)];
    std::sort(mine.deck.begin(), mine.deck.begin() + mine.deck_size);
    for (int i = 0; i < other.deck_size; ++i) other.deck[at(i)] = kNoCard;
    for (int i = 0; i < other.hand_size; ++i) {
        HandCard& held = other.hand[at(i)];
        if (public_card(held)) continue;
        const std::uint8_t foreign = held.flags & kForeign;
        held = HandCard{};
        held.flags = foreign;
    }
    const bool ended = state.phase == Phase::over;
    for (int i = 0; i < other.secret_count; ++i) {
        // The class of a secret shows; it stands in for the card until it is imagined.
        if (!ended) other.secrets[at(i)].card = kNoCard;
    }
    if (ended) {
        for (int i = 0; i < other.secret_count; ++i) other.secrets[at(i)].card = kNoCard;
    }
    // Which events secrets listen to is hidden, too.
    seen.events = 0;
    if (state.phase == Phase::choice && state.active != seat) {
        seen.choice_cards = {};
    }
    (void)rules;
    return seen;
}

Unseen unseen(const Rules& rules, const State& state, int seat) {
    Unseen found;
    const Player& other = state.players[at(1 - seat)];
    for (int i = 0; i < other.hand_size; ++i) {
        const HandCard& held = other.hand[at(i)];
        if (!public_card(held) && (held.flags & kForeign) == 0)
            found.cards[at(found.count++)] = held.card;
    }
    for (int i = 0; i < other.deck_size; ++i) found.cards[at(found.count++)] = other.deck[at(i)];
    for (int i = 0; i < other.secret_count; ++i) {
        found.cards[at(found.count++)] = other.secrets[at(i)].card;
    }
    std::sort(found.cards.begin(), found.cards.begin() + found.count);
    // Of a random deck only the number of cards is known.
    if (rules.setup().decks[at(1 - seat)].empty()) found.cards = {};
    return found;
}

bool is_view(const Rules& rules, const State& seen, int seat) noexcept {
    const std::size_t known = rules.cards().cards.size();
    if (!is_sound(seen)) return false;
    unsigned used = 0;
    for (int side = 0; side < kSeats; ++side) {
        const Player& p = seen.players[at(side)];
        if (p.hand_size > kHand || p.board_size > kBoard || p.deck_size > kDeck ||
            p.secret_count > kSecrets || p.hero >= known || p.hero == kNoCard || p.power >= known ||
            p.weapon >= known || p.returning >= known) {
            return false;
        }
        for (int i = 0; i < p.hand_size; ++i) {
            const CardId card = p.hand[at(i)].card;
            if (card >= known || (side == seat && card == kNoCard)) return false;
        }
        for (int i = 0; i < p.deck_size; ++i) {
            if (p.deck[at(i)] >= known) return false;
        }
        for (int i = 0; i < p.secret_count; ++i) {
            if (p.secrets[at(i)].card >= known) return false;
        }
        for (int i = 0; i < p.board_size; ++i) {
            const unsigned slot = p.board[at(i)];
            if (slot >= kSlots || (used >> slot & 1U) != 0) return false;
            used |= 1U << slot;
        }
    }
    for (unsigned slot = 0; slot < kSlots; ++slot) {
        const Minion& m = seen.minions[slot];
        const bool taken = (used >> slot & 1U) != 0;
        if (m.card >= known || m.side > 1 || m.enchants > kEnchants) return false;
        if (taken != (m.card != kNoCard)) return false;
        for (const Enchant& one : m.enchant) {
            if (one.script >= known) return false;
        }
    }
    // Where a choice goes on.
    const auto is_ref = [](Ref ref) { return ref < kHero + kSeats || ref == kNobodyRef; };
    if (seen.resume < 0 || at(seen.resume) >= rules.cards().program.size() ||
        seen.source_card >= known || !is_ref(seen.source) || !is_ref(seen.target)) {
        return false;
    }
    for (int i = 0; i < seen.choices; ++i) {
        if (seen.choice_cards[at(i)] >= known) return false;
    }
    return true;
}

bool plausible(const Rules& rules, const State& seen, const Unseen& hidden, int seat) noexcept {
    if (!is_view(rules, seen, seat)) return false;
    const Player& other = seen.players[at(1 - seat)];
    int places = other.deck_size + other.secret_count;
    for (int i = 0; i < other.hand_size; ++i) {
        const HandCard& held = other.hand[at(i)];
        places += !public_card(held) && (held.flags & kForeign) == 0 ? 1 : 0;
    }
    return places == hidden.count;
}

State imagine(const Rules& rules, const State& seen, const Unseen& hidden, int seat, Rng& rng) {
    State state = seen;
    state.owner = rules.owner();
    Player& mine = state.players[at(seat)];
    Player& other = state.players[at(1 - seat)];
    const auto shuffle = [&](auto& cards, int size) {
        for (int i = size - 1; i > 0; --i) {
            const auto k = rng.below(static_cast<std::uint64_t>(i + 1));
            std::swap(cards[at(i)], cards[k]);
        }
    };
    const bool tracking = state.phase == Phase::choice && state.choice == Choice::track;
    shuffle(mine.deck, mine.deck_size);
    if (tracking && state.active == seat) {
        // The offered cards are the top of the own deck.
        for (int i = 0; i < state.choices; ++i) {
            const CardId card = state.choice_cards[at(i)];
            const int top = mine.deck_size - state.choices + i;
            for (int k = 0; k <= top; ++k) {
                if (mine.deck[at(k)] == card) {
                    std::swap(mine.deck[at(k)], mine.deck[at(top)]);
                    break;
                }
            }
        }
    }
    std::array<CardId, kDeck + kHand + kSecrets> pool = hidden.cards;
    int size = hidden.count;
    const bool unknown = rules.setup().decks[at(1 - seat)].empty();
    if (unknown) draw_unknown(rules, pool, size, other.secret_count, rng);
    // Secrets first: each is one of the unseen secrets, no two alike.
    for (int tries = 0; tries < 64 && other.secret_count > 0 && !unknown; ++tries) {
        shuffle(pool, size);
        int placed = 0;
        bool alike = false;
        for (int i = 0; i < size && placed < other.secret_count; ++i) {
            if ((rules.cards().cards[pool[at(i)]].keywords & kSecret) == 0) continue;
            for (int k = 0; k < placed; ++k) alike = alike || pool[at(k)] == pool[at(i)];
            std::swap(pool[at(i)], pool[at(placed)]);
            ++placed;
        }
        if (!alike && placed == other.secret_count) break;
    }
    for (int i = 0; i < other.secret_count; ++i) other.secrets[at(i)].card = pool[at(i)];
    // What is left is shuffled again, hand and deck alike.
    const int used = other.secret_count;
    for (int i = size - 1; i > used; --i) {
        const auto k = used + static_cast<int>(rng.below(static_cast<std::uint64_t>(i + 1 - used)));
        std::swap(pool[at(i)], pool[at(k)]);
    }
    int next = used;
    const auto& all = rules.setup().pool;
    for (int i = 0; i < other.hand_size; ++i) {
        HandCard& held = other.hand[at(i)];
        if (held.card != kNoCard) continue;
        if ((held.flags & kForeign) != 0) {
            held.card = all.empty() ? pool[at(std::max(0, size - 1))] : all[rng.below(all.size())];
        } else if (next < size) {
            held.card = pool[at(next++)];
        }
    }
    for (int i = 0; i < other.deck_size && next < size; ++i) other.deck[at(i)] = pool[at(next++)];
    if (state.phase == Phase::choice && state.active != seat) {
        for (int i = 0; i < state.choices; ++i) {
            const int top = other.deck_size - state.choices + i;
            const bool own = tracking && top >= 0;
            state.choice_cards[at(i)] =
                own ? other.deck[at(top)] : (all.empty() ? pool[0] : all[rng.below(all.size())]);
        }
    }
    Rng unused(0);
    Engine engine(rules.cards(), rules.options(), state, unused);
    engine.index_events();
    state.auras = seen.auras;  // what they give is seen, and stays as it is
    return state;
}

}  // namespace ludex::hearthstone
