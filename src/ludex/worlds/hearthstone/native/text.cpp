#include "text.hpp"

#include <charconv>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace ludex::hearthstone {

namespace {

template <class N>
long as_long(N value) {
    if constexpr (std::is_enum_v<N>) {
        return static_cast<long>(value);
    } else {
        return static_cast<long>(value);
    }
}

template <class P>
void write_numbers(std::string& out, const P& part) {
    const P usual{};
    std::vector<long> defaults;
    numbers(usual, [&](const char*, const auto& value) { defaults.push_back(as_long(value)); });
    std::size_t place = 0;
    numbers(part, [&](const char* name, const auto& value) {
        const long number = as_long(value);
        if (number != defaults[place++]) {
            out += ' ';
            out += name;
            out += '=';
            out += std::to_string(number);
        }
    });
}

std::string join(const std::vector<std::string>& parts, char with) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += with;
        out += parts[i];
    }
    return out;
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    while (true) {
        const std::size_t to = text.find(at, from);
        if (to == std::string_view::npos) {
            parts.push_back(text.substr(from));
            return parts;
        }
        parts.push_back(text.substr(from, to - from));
        from = to + 1;
    }
}

std::optional<long> read_long(std::string_view text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
        return std::nullopt;
    }
    return value;
}

template <class N>
bool store(N& where, long value) {
    if constexpr (std::is_enum_v<N>) {
        if (value < 0 || value > 8) return false;
        where = static_cast<N>(value);
    } else {
        if (value < static_cast<long>(std::numeric_limits<N>::min()) ||
            value > static_cast<long>(std::numeric_limits<N>::max())) {
            return false;
        }
        where = static_cast<N>(value);
    }
    return true;
}

template <class P>
bool read_number(P& part, std::string_view name, long value) {
    bool found = false;
    bool good = false;
    numbers(part, [&](const char* one, auto& where) {
        if (name == one) {
            found = true;
            good = store(where, value);
        }
    });
    return found && good;
}

}  // namespace

std::string to_text(const State& state) {
    std::string out = "hearthstone";
    write_numbers(out, state);
    if (state.choices > 0) {
        std::vector<std::string> cards;
        for (int i = 0; i < state.choices; ++i) {
            cards.push_back(std::to_string(state.choice_cards[static_cast<std::size_t>(i)]));
        }
        out += " offered=" + join(cards, ',');
    }
    for (int seat = 0; seat < kSeats; ++seat) {
        const Player& p = state.players[static_cast<std::size_t>(seat)];
        out += seat == 0 ? " p0" : " p1";
        write_numbers(out, p);
        std::vector<std::string> parts;
        for (int i = 0; i < p.hand_size; ++i) {
            const HandCard& h = p.hand[static_cast<std::size_t>(i)];
            std::string one = std::to_string(h.card);
            if (h.cost != 0 || h.flags != 0 || h.attack != 0 || h.health != 0) {
                one += ':' + std::to_string(h.cost) + ':' + std::to_string(h.flags) + ':' +
                       std::to_string(h.attack) + ':' + std::to_string(h.health);
            }
            parts.push_back(one);
        }
        if (!parts.empty()) out += " hand=" + join(parts, ',');
        parts.clear();
        for (int i = 0; i < p.deck_size; ++i) {
            parts.push_back(std::to_string(p.deck[static_cast<std::size_t>(i)]));
        }
        if (!parts.empty()) out += " deck=" + join(parts, ',');
        parts.clear();
        for (int i = 0; i < p.secret_count; ++i) {
            const Secret& one = p.secrets[static_cast<std::size_t>(i)];
            parts.push_back(std::to_string(one.card) + ':' + std::to_string(one.order));
        }
        if (!parts.empty()) out += " secrets=" + join(parts, ',');
        parts.clear();
        for (int i = 0; i < p.board_size; ++i) {
            parts.push_back(std::to_string(p.board[static_cast<std::size_t>(i)]));
        }
        if (!parts.empty()) out += " board=" + join(parts, ',');
    }
    for (int slot = 0; slot < kSlots; ++slot) {
        const Minion& m = state.minions[static_cast<std::size_t>(slot)];
        if (m.card == kNoCard) continue;
        out += " m" + std::to_string(slot);
        write_numbers(out, m);
        std::vector<std::string> parts;
        for (int i = 0; i < m.enchants; ++i) {
            const Enchant& e = m.enchant[static_cast<std::size_t>(i)];
            parts.push_back(std::to_string(e.attack) + ':' + std::to_string(e.health) + ':' +
                            std::to_string(e.sets) + ':' + std::to_string(e.until) + ':' +
                            std::to_string(e.keywords) + ':' + std::to_string(e.script) + ':' +
                            std::to_string(e.order));
        }
        if (!parts.empty()) out += " enchant=" + join(parts, ',');
    }
    return out;
}

std::optional<State> from_text(std::string_view text, std::size_t cards) {
    State state;
    const std::vector<std::string_view> words = split(text, ' ');
    if (words.empty() || words[0] != "hearthstone" || text.size() > 20000) return std::nullopt;
    Player* player = nullptr;
    Minion* minion = nullptr;
    const auto is_card = [&](long value) { return value >= 0 && value < static_cast<long>(cards); };
    for (std::size_t w = 1; w < words.size(); ++w) {
        const std::string_view word = words[w];
        if (word == "p0" || word == "p1") {
            player = &state.players[word == "p1" ? 1 : 0];
            minion = nullptr;
            continue;
        }
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            if (word.size() < 2 || word[0] != 'm') return std::nullopt;
            const auto slot = read_long(word.substr(1));
            if (!slot || *slot < 0 || *slot >= kSlots) return std::nullopt;
            minion = &state.minions[static_cast<std::size_t>(*slot)];
            continue;
        }
        const std::string_view name = word.substr(0, equals);
        const std::string_view rest = word.substr(equals + 1);
        const bool listed = name == "hand" || name == "deck" || name == "secrets" ||
                            name == "board" || name == "enchant" || name == "offered";
        if (!listed) {
            const auto value = read_long(rest);
            if (!value) return std::nullopt;
            const bool good = minion != nullptr   ? read_number(*minion, name, *value)
                              : player != nullptr ? read_number(*player, name, *value)
                                                  : read_number(state, name, *value);
            if (!good) return std::nullopt;
            continue;
        }
        for (const std::string_view item : split(rest, ',')) {
            std::vector<long> values;
            for (const std::string_view piece : split(item, ':')) {
                const auto value = read_long(piece);
                if (!value) return std::nullopt;
                values.push_back(*value);
            }
            if (name == "offered") {
                if (state.choice_cards.size() <= static_cast<std::size_t>(0) ||
                    values.size() != 1 || !is_card(values[0])) {
                    return std::nullopt;
                }
                std::size_t place = 0;
                while (place < kChoices && state.choice_cards[place] != 0) ++place;
                if (place == kChoices) return std::nullopt;
                state.choice_cards[place] = static_cast<CardId>(values[0]);
                continue;
            }
            if (name == "enchant") {
                if (minion == nullptr || values.size() != 7 || minion->enchants == kEnchants ||
                    !is_card(values[5])) {
                    return std::nullopt;
                }
                Enchant e;
                if (!store(e.attack, values[0]) || !store(e.health, values[1]) ||
                    !store(e.sets, values[2]) || !store(e.until, values[3]) ||
                    !store(e.keywords, values[4]) || !store(e.script, values[5]) ||
                    !store(e.order, values[6])) {
                    return std::nullopt;
                }
                minion->enchant[minion->enchants++] = e;
                continue;
            }
            if (player == nullptr || minion != nullptr) return std::nullopt;
            if (name == "hand") {
                if ((values.size() != 1 && values.size() != 5) || player->hand_size == kHand ||
                    !is_card(values[0])) {
                    return std::nullopt;
                }
                HandCard h;
                h.card = static_cast<CardId>(values[0]);
                if (values.size() == 5 &&
                    (!store(h.cost, values[1]) || !store(h.flags, values[2]) ||
                     !store(h.attack, values[3]) || !store(h.health, values[4]))) {
                    return std::nullopt;
                }
                player->hand[player->hand_size++] = h;
            } else if (name == "deck") {
                if (values.size() != 1 || player->deck_size == kDeck || !is_card(values[0])) {
                    return std::nullopt;
                }
                player->deck[player->deck_size++] = static_cast<CardId>(values[0]);
            } else if (name == "secrets") {
                Secret one;
                if (values.size() != 2 || player->secret_count == kSecrets || !is_card(values[0]) ||
                    !store(one.order, values[1])) {
                    return std::nullopt;
                }
                one.card = static_cast<CardId>(values[0]);
                player->secrets[player->secret_count++] = one;
            } else {
                if (values.size() != 1 || player->board_size == kBoard || values[0] < 0 ||
                    values[0] >= kSlots) {
                    return std::nullopt;
                }
                player->board[player->board_size++] = static_cast<std::uint8_t>(values[0]);
            }
        }
    }
    for (const Minion& m : state.minions) {
        if (!is_card(m.card) || m.side > 1) return std::nullopt;
    }
    for (const Player& p : state.players) {
        if (!is_card(p.hero) || !is_card(p.power) || !is_card(p.weapon) || !is_card(p.returning)) {
            return std::nullopt;
        }
    }
    const auto is_ref = [](Ref ref) { return ref < kHero + kSeats || ref == kNobodyRef; };
    if (!is_ref(state.source) || !is_ref(state.target) || state.stage > 2 || state.resume < 0) {
        return std::nullopt;
    }
    if (state.active > 1 || state.first > 1 || state.winner > 2 || state.choices > kChoices ||
        state.phase > Phase::over || state.choice > Choice::potion || !is_card(state.source_card)) {
        return std::nullopt;
    }
    if (state.choice == Choice::track &&
        state.choices > state.players[state.active].deck_size) {  // the top of the own deck
        return std::nullopt;
    }
    return state;
}

}  // namespace ludex::hearthstone
