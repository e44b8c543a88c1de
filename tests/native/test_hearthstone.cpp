// Random games with every card, under sanitizers: states stay consistent, games end, every card is
// played. Without arguments the small game of the random walk; else FILE GAMES [LEAST [WORKERS]].
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "belief.hpp"
#include "check.hpp"
#include "load.hpp"
#include "outside.hpp"
#include "rules.hpp"
#include "shared.hpp"
#include "text.hpp"

using namespace ludex::hearthstone;

namespace {

using Rows = std::vector<std::vector<int>>;

Rows read_rows(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    Rows rows(count);
    for (auto& row : rows) {
        std::size_t size = 0;
        in >> size;
        row.resize(size);
        for (int& value : row) in >> value;
    }
    return rows;
}

struct Loaded {
    std::shared_ptr<const CardSet> cards;
    std::vector<CardId> heroes;
    std::vector<CardId> pool;
};

Loaded load(const char* file) {
    std::ifstream in(file);
    CHECK(in.good());
    std::size_t count = 0;
    in >> count;
    std::vector<std::tuple<std::string, std::string, std::vector<std::int64_t>>> cards(count);
    for (auto& [key, name, row] : cards) {
        in >> key >> name;
        row.resize(33);
        for (std::int64_t& value : row) in >> value;
    }
    std::vector<Rows> tables;
    for (int i = 0; i < 8; ++i) tables.push_back(read_rows(in));
    std::vector<int> special(3);
    for (int& value : special) in >> value;
    const Rows rest = read_rows(in);
    CHECK(in.good());
    Loaded loaded;
    loaded.cards = std::make_shared<const CardSet>(
        make_cards(cards, tables[0], tables[1], tables[2], tables[3], tables[4], tables[5],
                   tables[6], tables[7], special));
    for (const int hero : rest[0]) loaded.heroes.push_back(static_cast<CardId>(hero));
    for (const int card : rest[1]) loaded.pool.push_back(static_cast<CardId>(card));
    return loaded;
}

// What a seat sees is a state with gaps, which players look at and choose from.
void check_gaps(const Rules& rules, const State& state, ludex::Rng rng) {
    for (int seat = 0; seat < kSeats; ++seat) {
        State seen = masked(rules, state, seat);
        CHECK(is_view(rules, seen, seat));
        ludex::Meter meter;
        if (rules.actor(state) == seat) (void)ludex::rollout(rules, seen, 10, rng, meter);
        std::string bytes = ludex::bytes_of(masked(rules, state, seat));
        bytes.resize(kIdentity);
        ludex::damage(bytes, rng);
        const Unseen hidden = unseen(rules, state, seat);
        State damaged;
        std::memcpy(static_cast<void*>(&damaged), bytes.data(), kIdentity);
        if (!plausible(rules, damaged, hidden, seat)) continue;
        State made = imagine(rules, damaged, hidden, seat, rng);
        std::array<Action, Rules::kMaxLegal> legal;
        if (!rules.consistent(made) || rules.over(made) ||
            rules.legal(made, rules.actor(made), legal) == 0) {
            continue;
        }
        (void)ludex::rollout(rules, made, 20, rng, meter);
    }
}

using Plays = std::vector<std::int64_t>;  // how often each card was played

// A state is written and read back as it was.
void check_text(const Rules& rules, const State& state) {
    const std::string text = to_text(state);
    const auto read = from_text(text, rules.cards().cards.size());
    CHECK(read && *read == state && to_text(*read) == text);
}

void play(const Rules& rules, ludex::Rng& rng, Plays& played) {
    State state = rules.start(rng);
    int ticks = 0;
    std::array<Action, Rules::kMaxLegal> legal;
    const ludex::Rng aside = rng.fork("aside");  // so that the game is the same without the checks
    while (!rules.over(state)) {
        CHECK(rules.consistent(state));
        if (ticks == 30) ludex::check_shared(rules, state, aside);
        if (ticks % 8 == 0) ludex::check_damage(rules, state, aside.fork(std::uint64_t(ticks)), 12);
        if (ticks % 8 == 4) check_gaps(rules, state, aside.fork(std::uint64_t(ticks)));
        CHECK(++ticks < 20000);
        if (ticks % 8 == 0) check_text(rules, state);
        const int seat = rules.actor(state);
        const int count = rules.legal(state, seat, legal);
        CHECK(count > 0 && count <= Rules::kMaxLegal);
        const Action action = legal[rng.below(static_cast<std::uint64_t>(count))];
        rules.apply(state, std::span<const Action>(&action, 1), rng);
        for (int i = 0; i < state.told_count; ++i) {
            const ToldEvent& one = state.told_events[static_cast<std::size_t>(i)];
            if (one.kind == ToldKind::played && one.card < played.size()) ++played[one.card];
        }
    }
    CHECK(rules.consistent(state));
    check_text(rules, state);
}

// Game i depends on i alone, whoever plays it.
void play_with_all_cards(const Loaded& loaded, std::int64_t game, Plays& played) {
    ludex::Rng rng(static_cast<std::uint64_t>(game));
    Setup setup;
    setup.pool = loaded.pool;
    for (CardId& hero : setup.heroes) hero = loaded.heroes[rng.below(loaded.heroes.size())];
    setup.staged = game % 3 == 0;
    setup.all_places = game % 2 == 0;
    setup.mulligan = game % 5 == 0;
    play(Rules(loaded.cards, setup, Options{}), rng, played);
}

}  // namespace

int main(int count, char** words) {
    if (count < 3) {
        const Rules rules;
        Plays played(rules.cards().cards.size());
        for (std::uint64_t game = 0; game < 200; ++game) {
            ludex::Rng rng(game);
            play(rules, rng, played);
        }
        std::puts("200 plain games");
        return 0;
    }
    const Loaded loaded = load(words[1]);
    const std::int64_t games = std::atoll(words[2]);
    const std::int64_t least = count > 3 ? std::atoll(words[3]) : 0;
    const std::int64_t workers = count > 4 ? std::max(1LL, std::atoll(words[4])) : 1;
    std::vector<Plays> counted(static_cast<std::size_t>(workers));
    std::vector<std::thread> threads;
    for (std::int64_t worker = 0; worker < workers; ++worker) {
        Plays& played = counted[static_cast<std::size_t>(worker)];
        played.resize(loaded.cards->cards.size());
        threads.emplace_back([&loaded, &played, games, worker, workers] {
            for (std::int64_t game = worker; game < games; game += workers) {
                play_with_all_cards(loaded, game, played);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    Plays played(loaded.cards->cards.size());
    for (const Plays& some : counted) {
        for (std::size_t card = 0; card < some.size(); ++card) played[card] += some[card];
    }
    std::int64_t fewest = games;
    const char* rarest = "";
    for (const CardId card : loaded.pool) {
        if (played[card] < fewest) {
            fewest = played[card];
            rarest = loaded.cards->cards[card].key.c_str();
        }
    }
    std::printf("%lld games; every card played, %s least often: %lld times\n",
                static_cast<long long>(games), rarest, static_cast<long long>(fewest));
    CHECK(fewest >= least);
    return 0;
}
