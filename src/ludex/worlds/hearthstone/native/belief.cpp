#include "belief.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

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

namespace {

[[nodiscard]] bool can_act(const Rules& rules, const State& state) {
    std::array<Action, Rules::kMaxLegal> actions;
    return rules.legal(state, rules.actor(state), actions) > 0;
}

}  // namespace

SeatGlance glance_at(const Rules& rules, const State& state, int seat) {
    return {masked(rules, state, seat), unseen(rules, state, seat), seat};
}

bool determinise(const Rules& rules, const SeatGlance& glance, Rng& rng, State& out) {
    constexpr int kTries = 400;
    for (int tries = 0; tries < kTries; ++tries) {
        const State made = imagine(rules, glance.seen, glance.unseen, glance.seat, rng);
        if (!rules.consistent(made)) return false;
        const bool is_waiting = made.phase == Phase::choice || made.stage != 0;
        if (!is_waiting || can_act(rules, made)) {
            out = made;
            return true;
        }
    }
    return false;
}

namespace {

// Cards in any order: equal for equal multisets.
void add_cards(std::span<const CardId> cards, KeyHash& hash) noexcept {
    std::uint64_t sum = 0, other = cards.size();
    for (const CardId card : cards) {
        sum += mix(card + 1U);
        other += mix(card + 0x9E3779B97F4A7C15ULL);
    }
    hash.add(sum).add(other);
}

// Everything of a player but hand, deck and secrets.
void add_standing(const Player& player, KeyHash& hash) noexcept {
    hash.add(&player, offsetof(Player, hand));
}

void add_hand(const Player& player, bool is_own, KeyHash& hash) noexcept {
    for (int i = 0; i < player.hand_size; ++i) {
        const HandCard& held = player.hand[at(i)];
        if (is_own || public_card(held)) {
            std::uint64_t word = 0;
            static_assert(sizeof(HandCard) == sizeof word);
            std::memcpy(&word, &held, sizeof word);
            hash.add(word);
        } else {
            hash.add(held.flags & kForeign);
        }
    }
}

}  // namespace

// The facts of `masked` and `unseen`, without sorting cards or looking at empty places.
void add_view_key(const Rules& rules, const State& state, int seat, KeyHash& hash) noexcept {
    const Player& mine = state.players[at(seat)];
    const Player& other = state.players[at(1 - seat)];
    hash.add(static_cast<std::uint64_t>(seat));
    add_standing(mine, hash);
    add_standing(other, hash);
    add_hand(mine, true, hash);
    add_hand(other, false, hash);
    add_cards(std::span(mine.deck).first(mine.deck_size), hash);
    hash.add(mine.secrets.data(), mine.secret_count * sizeof(Secret));
    for (int i = 0; i < other.secret_count; ++i) hash.add(other.secrets[at(i)].order);
    const bool is_listed = !rules.setup().decks[at(1 - seat)].empty();
    std::array<CardId, kDeck + kHand + kSecrets> cards;
    std::size_t count = 0;
    for (int i = 0; i < other.hand_size; ++i) {
        const HandCard& held = other.hand[at(i)];
        if (!public_card(held) && (held.flags & kForeign) == 0) cards[count++] = held.card;
    }
    for (int i = 0; i < other.deck_size; ++i) cards[count++] = other.deck[at(i)];
    for (int i = 0; i < other.secret_count; ++i) cards[count++] = other.secrets[at(i)].card;
    if (!is_listed) std::fill_n(cards.begin(), count, kNoCard);
    add_cards(std::span<const CardId>(cards).first(count), hash);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
        const Minion& minion = state.minions[slot];
        if (minion.card == kNoCard) continue;
        // Enchantments lie at the end; most minions have none.
        hash.add(slot);
        hash.add(&minion, offsetof(Minion, enchant) + minion.enchants * sizeof(Enchant));
    }
    // Which events are listened to is hidden, as secrets are among those that listen.
    constexpr std::size_t kFrom = offsetof(State, next_order);
    constexpr std::size_t kTo = offsetof(State, choice_cards);
    hash.add(reinterpret_cast<const std::byte*>(&state) + kFrom, kTo - kFrom);
    if (state.phase != Phase::choice || state.active == seat) {
        hash.add(state.choice_cards.data(), sizeof state.choice_cards);
    }
}

}  // namespace ludex::hearthstone
