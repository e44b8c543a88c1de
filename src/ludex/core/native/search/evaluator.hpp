// What the end of a rollout is worth to every seat; planners/parts/rollout.py says it in Python.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../world.hpp"

namespace ludex::search {

// Values of all seats; only the first `seats()` of them count.
template <WorldRules R>
using PerSeat = std::array<double, static_cast<std::size_t>(R::kMaxSeats)>;

enum class Value : std::uint8_t { returns, score, released };

constexpr double kEndBonus = 1e7;  // the HUGE_POSITIVE of GVGAI's sampleMCTS

[[nodiscard]] inline double squashed(double lead, double scale) noexcept {
    return lead / (scale + std::fabs(lead));
}

// How far each seat is ahead of the best other one; the score itself with one seat.
inline void to_leads(std::span<double> scores) noexcept {
    if (scores.size() == 1) return;
    double first = -INFINITY, second = -INFINITY;
    for (const double score : scores) {
        if (score > first) {
            second = first;
            first = score;
        } else if (score > second) {
            second = score;
        }
    }
    for (double& score : scores) score -= score == first ? second : first;
}

template <WorldRules R>
class Evaluator {
public:
    using State = typename R::State;

    Evaluator(const R& rules, const State& root, Value value, double score_scale) noexcept
        : value_(value), scale_(score_scale) {
        put_scores(rules, root, bases_);
        to_leads(of_seats(rules, bases_));
    }

    // The value of a state for every seat, `ticks` after the root.
    void value_of(const R& rules, const State& state, std::int64_t ticks,
                  PerSeat<R>& out) const noexcept {
        const bool over = rules.over(state);
        if (value_ == Value::returns && over) {
            for (int seat = 0; seat < rules.seats(); ++seat) {
                out[static_cast<std::size_t>(seat)] = rules.return_of(state, seat);
            }
            return;
        }
        put_scores(rules, state, out);
        if (value_ == Value::returns) {
            to_leads(of_seats(rules, out));
            for (std::size_t seat = 0; seat < static_cast<std::size_t>(rules.seats()); ++seat) {
                out[seat] = squashed(out[seat] - bases_[seat], scale_);
            }
        } else if (over) {
            add_end(rules, state, ticks, out);
        }
    }

    // Values beside other scores cannot be compared.
    [[nodiscard]] std::span<const double> bases(const R& rules) const noexcept {
        return std::span(bases_).first(static_cast<std::size_t>(rules.seats()));
    }
    // The value of the first point of score.
    [[nodiscard]] double point() const noexcept {
        return value_ == Value::returns ? squashed(1.0, scale_) : 1.0;
    }

private:
    [[nodiscard]] static std::span<double> of_seats(const R& rules, PerSeat<R>& all) noexcept {
        return std::span(all).first(static_cast<std::size_t>(rules.seats()));
    }

    static void put_scores(const R& rules, const State& state, PerSeat<R>& out) noexcept {
        for (int seat = 0; seat < rules.seats(); ++seat) {
            out[static_cast<std::size_t>(seat)] = rules.score(state, seat);
        }
    }

    void add_end(const R& rules, const State& state, std::int64_t ticks,
                 PerSeat<R>& out) const noexcept {
        for (int seat = 0; seat < rules.seats(); ++seat) {
            double& score = out[static_cast<std::size_t>(seat)];
            const bool won = has_won(rules, state, seat);
            if (value_ == Value::score) {
                score += won ? kEndBonus : -kEndBonus;
            } else {  // as the released OLETS: the later a loss the better
                const auto later = static_cast<double>(1 + ticks);
                const double end = won ? 100.0 : -2000.0 / (later * later);
                score = score + end * (1.0 + std::fabs(score));
            }
        }
    }

    Value value_;
    double scale_;
    PerSeat<R> bases_{};
};

// The range of values seen, by which bonuses are scaled; 1 while all are equal, so that they count.
struct Range {
    double low = INFINITY, high = -INFINITY;
    double span = 1.0;

    void widen(std::span<const double> values) noexcept {
        for (const double value : values) {
            if (low <= value && value <= high) continue;
            low = std::min(low, value);
            high = std::max(high, value);
            span = high > low ? high - low : 1.0;
        }
    }
};

}  // namespace ludex::search
