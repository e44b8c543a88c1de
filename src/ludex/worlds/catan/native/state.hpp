// One position of the game: plain data, a copy is one memcpy.
//
// Beside the facts themselves stand some that follow from them and are asked for at every move
// (`open`, `yields`, `longest`, ...). `derive` in notation.cpp works them out from nothing, and
// `Rules::consistent` compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cards.hpp"
#include "owner.hpp"
#include "topology.hpp"

namespace ludex::catan {

constexpr int kMaxSeats = 4;
constexpr int kRoadPieces = 15;
constexpr int kSettlementPieces = 5;
constexpr int kCityPieces = 4;
constexpr std::uint8_t kNoSeat = 4;  // "nobody", where a seat is meant
constexpr int kNumbers = 13;

enum class Phase : std::uint8_t {
    setup_settlement,
    setup_road,
    before_roll,
    dice,  // chance
    discard,
    robber,
    steal,  // chance
    main,
    draw,  // chance
    free_road,
    answer,
    over,
};

struct Player {
    NodeSet settlements = 0;
    NodeSet cities = 0;
    NodeSet reach = 0;  // ends of own roads
    EdgeSet roads;
    EdgeSet open;  // edges at own roads and buildings, not beyond others' buildings
    Hand hand = 0;
    Hand discarded = 0;  // laid down, and not in the bank before all have discarded
    HexSet hexes = 0;    // those with own buildings
    std::array<std::uint8_t, kKinds> held{};    // development cards of earlier turns
    std::array<std::uint8_t, kKinds> fresh{};   // bought this turn
    std::array<std::uint8_t, kKinds> played{};  // face up
    std::uint8_t size = 0;                      // of the hand
    std::uint8_t held_size = 0;
    std::uint8_t fresh_size = 0;
    std::uint8_t discarded_size = 0;
    std::uint8_t built = 0;     // points of buildings
    std::uint8_t longest = 0;   // road
    std::uint8_t harbours = 0;  // bit of each kind traded 2:1, bit 5 for 3:1
    std::uint8_t roads_left = kRoadPieces;
    std::uint8_t settlements_left = kSettlementPieces;
    std::uint8_t cities_left = kCityPieces;
    std::array<std::uint8_t, 3> unused{};  // named, because padding has no defined bytes

    [[nodiscard]] NodeSet buildings() const noexcept { return settlements | cities; }
    friend bool operator==(const Player&, const Player&) = default;
};

// What the last step or outcome did; not part of the position. `gains` has cards by seat: what it
// got from the dice or the second settlement, or what monopoly took from it; of the seats that get
// cards otherwise (monopoly's own among them), what an endless bank gave and the hand cannot hold.
// After the last discard the first place has what went to the bank.
struct StepEvents {
    std::array<Hand, kMaxSeats> gains{};
    std::uint32_t action = 0;
    std::uint32_t offer = 0;  // the one that was answered
    std::uint8_t kind = 0;    // of enum EventKind
    std::uint8_t seat = kNoSeat;
    std::uint8_t other = kNoSeat;
    std::uint8_t value = 0;
    std::uint32_t unused = 0;
};

enum EventKind : std::uint8_t { kNothing, kMove, kDice, kStolen, kDrawn };

struct State {
    std::array<Player, kMaxSeats> players{};
    NodeSet blocked = 0;                         // nodes where nothing can be built any more
    NodeSet buildings = 0;                       // of all seats
    EdgeSet taken;                               // roads of all seats
    Hand bank = 0;                               // all zero where it is endless
    std::uint32_t offer = 0;                     // the action being answered
    std::uint16_t turn = 0;                      // of all seats, counted from 0
    std::array<std::uint16_t, kHexes> yields{};  // cards per roll, four bits for each seat
    std::array<std::uint8_t, kHexes> terrain{};
    std::array<std::uint8_t, kHexes> number{};                     // 0 on the desert
    std::array<std::uint8_t, kHarbours> harbour{};                 // a kind, or kDesert for 3:1
    std::array<std::array<std::uint8_t, 2>, kNumbers> hexes_of{};  // by number; kNowhere
    std::array<std::uint8_t, kKinds> deck{};
    std::uint8_t deck_size = 0;
    std::uint8_t robber = 0;
    Phase phase = Phase::setup_settlement;
    std::uint8_t current = 0;  // whose turn it is
    std::uint8_t acting = 0;   // who decides; `current` but for discards and answers
    std::uint8_t winner = kNoSeat;
    std::uint8_t road_holder = kNoSeat;
    std::uint8_t army_holder = kNoSeat;
    std::uint8_t rolled = 0;
    std::uint8_t card_played = 0;  // this turn
    std::uint8_t offers = 0;       // made this turn, where they are limited
    std::uint8_t free_roads = 0;
    std::uint8_t last_node = kNowhere;  // where the road of the set-up must begin
    std::uint8_t victim = kNoSeat;
    std::uint8_t discarders = 0;  // seats that have not finished, as bits
    std::uint8_t placed = 0;      // settlements of the set-up
    std::uint8_t quota = 0;       // cards that the acting seat has still to discard
    std::uint8_t endless = 0;     // the bank never runs out
    std::array<std::uint8_t, 4> unused{};
    StepEvents last_events;                // what stands before it is what counts, see kMeaningful
    ludex::Owner owner = ludex::kNobodys;  // no part of the position, either
    std::uint32_t unused_too = 0;

    static constexpr std::size_t kMeaningful = 600;

    [[nodiscard]] Player& player(int seat) noexcept { return players[at(seat)]; }
    [[nodiscard]] const Player& player(int seat) const noexcept { return players[at(seat)]; }
    // Seats that nobody takes have no pieces.
    [[nodiscard]] int seats() const noexcept {
        int count = 0;
        for (const Player& one : players) count += one.roads_left > 0 || one.roads.any() ? 1 : 0;
        return count;
    }
    friend bool operator==(const State& a, const State& b) noexcept {
        return std::memcmp(&a, &b, kMeaningful) == 0;
    }
};
static_assert(std::has_unique_object_representations_v<State>);
static_assert(offsetof(State, last_events) == State::kMeaningful);

[[nodiscard]] inline ludex::Owner& owner_of(State& state) noexcept { return state.owner; }
// Whether bytes can be a position at all: every number in its range. See outside.cpp.
[[nodiscard]] bool is_sound(const State& state) noexcept;

}  // namespace ludex::catan
