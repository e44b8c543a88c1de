// What iterated width has seen: facts, or pairs of them (planners/iterated_width.py).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../meter.hpp"
#include "../rng.hpp"
#include "slabs.hpp"

namespace ludex::search {

// Numbers facts in the order in which they come up.
class FactNumbers {
public:
    [[nodiscard]] std::uint32_t number_of(std::uint64_t fact, Slabs& slabs) {
        if (2 * (size_ + std::size_t{1}) > capacity_) grow(slabs);
        Slot& slot = slot_of(fact);
        if (slot.number == 0) slot = {fact, ++size_};
        return slot.number - 1;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    static constexpr std::size_t kFirst = 1024;
    struct Slot {
        std::uint64_t fact = 0;
        std::uint32_t number = 0;  // from 1 on
    };

    [[nodiscard]] Slot& slot_of(std::uint64_t fact) noexcept {
        std::size_t i = mix(fact) & (capacity_ - 1);
        while (slots_[i].number != 0 && slots_[i].fact != fact) i = (i + 1) & (capacity_ - 1);
        return slots_[i];
    }

    void grow(Slabs& slabs) {
        Slot* const before = slots_;
        const std::size_t count = capacity_;
        capacity_ = count == 0 ? kFirst : 2 * count;
        slots_ = slabs.room<Slot>(capacity_);
        std::fill(slots_, slots_ + capacity_, Slot{});
        for (std::size_t i = 0; i < count; ++i) {
            if (before[i].number != 0) slot_of(before[i].fact) = before[i];
        }
    }

    Slot* slots_ = nullptr;
    std::size_t capacity_ = 0;  // a power of two
    std::uint32_t size_ = 0;
};

// A row of bits that is as long as it needs to be.
class BitRow {
public:
    [[nodiscard]] bool has(std::uint32_t bit) const noexcept {
        return bit / 64 < size_ && (words_[bit / 64] >> (bit % 64) & 1) != 0;
    }
    // Of a word that is there.
    [[nodiscard]] std::uint64_t& word(std::size_t place) noexcept { return words_[place]; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void make_room(std::size_t words, Slabs& slabs) {
        if (words <= size_) return;
        const std::size_t roomy = std::max(words, 2 * std::size_t{size_});
        auto* const made = slabs.room<std::uint64_t>(roomy);
        std::copy(words_, words_ + size_, made);
        std::fill(made + size_, made + roomy, 0);
        words_ = made;
        size_ = static_cast<std::uint32_t>(roomy);
    }
    void put_first(std::size_t bits) noexcept {
        for (std::size_t i = 0; i < bits; ++i) words_[i / 64] |= std::uint64_t{1} << (i % 64);
    }

private:
    std::uint64_t* words_ = nullptr;
    std::uint32_t size_ = 0;
};

enum class Novelty : std::uint8_t { none, some, cut };

// Facts by their numbers, and a row for each fact that was fresh: what it was seen with. A pair is
// in the row of either of its facts.
//
// The first state has as many pairs as the square of its facts: they are known without being
// listed.
class Known {
public:
    // `most`: the facts that there is room for where pairs of them are seen.
    Known(std::span<const std::uint64_t> first, int width, std::size_t most, Slabs& slabs)
        : width_(width), most_(most), slabs_(slabs) {
        for (const std::uint64_t fact : first) (void)numbers_.number_of(fact, slabs);
        first_ = numbers_.size();
    }

    // The facts that held before an action; all of them were taken in.
    void hold(std::span<const std::uint64_t> facts) {
        before_.clear();
        ++epoch_;
        for (const std::uint64_t fact : facts) {
            const std::uint32_t number = numbers_.number_of(fact, slabs_);
            before_.push_back({fact, number});
            mark(number);
        }
    }

    // Take in a state after it; whether one of its facts that did not hold before, or a pair with
    // one of them, is new. Cut when the time is over, or there are too many facts.
    [[nodiscard]] Novelty grows(std::span<const std::uint64_t> facts, Meter& meter) {
        const std::size_t known = numbers_.size();
        now_.clear();
        std::size_t place = 0;  // among the facts before, which come in nearly the same order
        for (const std::uint64_t fact : facts) {
            if (place < before_.size() && before_[place].fact == fact) {
                now_.push_back(before_[place++].number);
            } else if (place + 1 < before_.size() && before_[place + 1].fact == fact) {
                now_.push_back(before_[place + 1].number);
                place += 2;
            } else {
                now_.push_back(numbers_.number_of(fact, slabs_));
                ++place;
            }
        }
        if (width_ == 1) return numbers_.size() > known ? Novelty::some : Novelty::none;
        if (numbers_.size() > most_) return Novelty::cut;
        return pairs_grow(meter);
    }

private:
    struct Fact {
        std::uint64_t fact;
        std::uint32_t number;
    };
    static constexpr std::size_t kWordsBetweenLooks = 20'000;  // some ten microseconds

    void mark(std::uint32_t number) {
        if (number >= held_.size()) held_.resize(2 * (number + std::size_t{1}));
        held_[number] = epoch_;
    }
    [[nodiscard]] bool was_held(std::uint32_t number) const noexcept {
        return number < held_.size() && held_[number] == epoch_;
    }

    [[nodiscard]] Novelty pairs_grow(Meter& meter) {
        put_bits();
        Novelty found = Novelty::none;
        std::size_t work = 0;
        for (const std::uint32_t fresh : fresh_) {
            if (work > kWordsBetweenLooks) {
                if (meter.out_of_time()) {
                    found = Novelty::cut;
                    break;
                }
                work = 0;
            }
            if (row_grows(fresh, work)) found = Novelty::some;
        }
        for (const std::uint32_t word : touched_) bits_[word] = 0;
        return found;
    }

    // The facts of the state as bits, and those of them that are fresh.
    void put_bits() {
        const std::size_t words = numbers_.size() / 64 + 1;
        if (bits_.size() < words) bits_.resize(2 * words);
        if (rows_.size() < numbers_.size()) rows_.resize(2 * numbers_.size());
        touched_.clear();
        fresh_.clear();
        for (const std::uint32_t number : now_) {
            std::uint64_t& word = bits_[number / 64];
            const std::uint64_t bit = std::uint64_t{1} << (number % 64);
            if ((word & bit) != 0) continue;
            if (word == 0) touched_.push_back(number / 64);
            word |= bit;
            if (!was_held(number)) fresh_.push_back(number);
        }
    }

    // Pair a fresh fact with all facts of the state; whether there is a new pair.
    [[nodiscard]] bool row_grows(std::uint32_t fresh, std::size_t& work) {
        BitRow& row = rows_[fresh];
        if (row.size() == 0) {
            row.make_room(numbers_.size() / 64 + 1, slabs_);
            if (fresh < first_) row.put_first(first_);
        }
        row.make_room(numbers_.size() / 64 + 1, slabs_);
        bool is_new = false;
        for (const std::uint32_t place : touched_) {
            std::uint64_t missing = bits_[place] & ~row.word(place);
            ++work;
            if (missing == 0) continue;
            row.word(place) |= missing;
            for (; missing != 0 && !is_new; missing &= missing - 1) {
                const auto other =
                    place * 64 + static_cast<std::uint32_t>(std::countr_zero(missing));
                is_new = other == fresh || !rows_[other].has(fresh);
                ++work;
            }
        }
        return is_new;
    }

    int width_;
    std::size_t most_;
    Slabs& slabs_;
    FactNumbers numbers_;
    std::size_t first_ = 0;
    std::vector<Fact> before_;
    std::vector<std::uint32_t> now_;
    std::vector<std::uint64_t> held_;  // by fact: when it last held before an action
    std::uint64_t epoch_ = 0;
    std::vector<std::uint64_t> bits_;
    std::vector<std::uint32_t> touched_, fresh_;
    std::vector<BitRow> rows_;
};

}  // namespace ludex::search
