// A table by keys of states, in memory of a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../keys.hpp"
#include "slabs.hpp"

namespace ludex::search {

template <class Value>
class KeyTable {
public:
    // What is kept for a key; null when there is nothing.
    [[nodiscard]] Value* find(Key key) noexcept {
        if (capacity_ == 0) return nullptr;
        Slot& slot = slot_of(key);
        return slot.is_used ? &slot.value : nullptr;
    }

    struct Found {
        Value& value;
        bool is_new;
    };
    // The same; where there is nothing yet, this value is put there.
    Found add(Key key, Value first, Slabs& slabs) {
        if (2 * (size_ + 1) > capacity_) grow(slabs);
        Slot& slot = slot_of(key);
        if (slot.is_used) return {slot.value, false};
        slot = {key, first, true};
        ++size_;
        return {slot.value, true};
    }

    void clear() noexcept {
        std::fill(slots_, slots_ + capacity_, Slot{});
        size_ = 0;
    }

private:
    static constexpr std::size_t kFirst = 256;
    struct Slot {
        Key key;
        Value value{};
        bool is_used = false;
    };

    // Where a key is, or would be put.
    [[nodiscard]] Slot& slot_of(Key key) noexcept {
        std::size_t i = key.low & (capacity_ - 1);
        while (slots_[i].is_used && slots_[i].key != key) i = (i + 1) & (capacity_ - 1);
        return slots_[i];
    }

    void grow(Slabs& slabs) {
        Slot* const before = slots_;
        const std::size_t count = capacity_;
        capacity_ = count == 0 ? kFirst : 2 * count;
        slots_ = slabs.room<Slot>(capacity_);
        std::fill(slots_, slots_ + capacity_, Slot{});
        for (std::size_t i = 0; i < count; ++i) {
            if (before[i].is_used) slot_of(before[i].key) = before[i];
        }
    }

    Slot* slots_ = nullptr;
    std::size_t capacity_ = 0;  // a power of two
    std::size_t size_ = 0;
};

}  // namespace ludex::search
