#include "rules.hpp"

#include <algorithm>
#include <bit>

namespace ludex::trial {

State Rules::start(Rng& /*rng*/) const noexcept { return {}; }

SeatSet Rules::to_act(const State& state) const noexcept {
    SeatSet seats = kNobody;
    if (over(state) || state.weather_pending != 0) return seats;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (state.place[static_cast<std::size_t>(seat)] < kHome) seats |= only(seat);
    }
    return seats;
}

int Rules::legal(const State& state, int seat, std::span<Action> out) const noexcept {
    if ((to_act(state) & only(seat)) == 0) return 0;
    const int most = state.tired[static_cast<std::size_t>(seat)] != 0 ? 2 : 3;
    for (int step = 1; step <= most; ++step) {
        out[static_cast<std::size_t>(step - 1)] = static_cast<Action>(step);
    }
    return most;
}

void Rules::apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept {
    SeatSet seats = to_act(state);
    for (std::size_t i = 0; seats != kNobody; seats &= seats - 1, ++i) {
        const auto seat = static_cast<std::size_t>(std::countr_zero(seats));
        const bool stumbles = rng.below(4) == 0;
        const int place = state.place[seat] + actions[i] - (stumbles ? 1 : 0);
        state.place[seat] = static_cast<std::uint8_t>(std::min(place, kHome));
        state.tired[seat] = actions[i] == 3 ? 1 : 0;
    }
    ++state.round;
    state.weather_pending = over(state) ? 0 : 1;
}

int Rules::chance(const State& state, std::span<Chance<Outcome>> out) const noexcept {
    if (state.weather_pending == 0) return 0;
    out[0] = {0, 1.0 / 2};
    out[1] = {1, 1.0 / 3};
    out[2] = {2, 1.0 / 6};
    return 3;
}

void Rules::resolve(State& state, Outcome outcome) const noexcept {
    state.weather_pending = outcome == 2 ? 1 : 0;
    if (outcome == 0) return;
    for (std::uint8_t& place : state.place) {
        if (place > 0 && place < kHome) --place;
    }
}

bool Rules::over(const State& state) const noexcept {
    const auto home = [](std::uint8_t place) { return place == kHome; };
    return state.round == kRounds || std::all_of(state.place.begin(), state.place.end(), home);
}

double Rules::return_of(const State& state, int seat) const noexcept {
    return state.place[static_cast<std::size_t>(seat)] == kHome ? 1.0 : 0.0;
}

double Rules::score(const State& state, int seat) const noexcept {
    return state.place[static_cast<std::size_t>(seat)];
}

}  // namespace ludex::trial
