// A table by keys of states, in memory of a search.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../keys.hpp"
#include "slabs.hpp"

namespace ludex::search {

// In parts that grow one by one, since to move a hundred thousand keys at once takes milliseconds.
template <class Value>
class KeyTable {
public:
    // What is kept for a key; null when there is nothing.
    [[nodiscard]] Value* find(Key key) noexcept {
        Part& part = part_of(key);
        if (part.capacity == 0) return nullptr;
        Slot& slot = part.slot_of(key);
        return slot.is_used ? &slot.value : nullptr;
    }

    struct Found {
        Value& value;
        bool is_new;
    };
    // The same; where there is nothing yet, this value is put there.
    Found add(Key key, Value first, Slabs& slabs) {
        Part& part = part_of(key);
        if (2 * (part.size + 1) > part.capacity) part.grow(slabs);
        Slot& slot = part.slot_of(key);
        if (slot.is_used) return {slot.value, false};
        slot = {key, first, true};
        ++part.size;
        return {slot.value, true};
    }

    void clear() noexcept {
        for (Part& part : parts_) {
            std::fill(part.slots, part.slots + part.capacity, Slot{});
            part.size = 0;
        }
    }

private:
    static constexpr std::size_t kParts = 64;
    static constexpr std::size_t kFirst = 16;
    struct Slot {
        Key key;
        Value value{};
        bool is_used = false;
    };
    struct Part {
        Slot* slots = nullptr;
        std::size_t capacity = 0;  // a power of two
        std::size_t size = 0;

        // Where a key is, or would be put.
        [[nodiscard]] Slot& slot_of(Key key) noexcept {
            std::size_t i = key.low & (capacity - 1);
            while (slots[i].is_used && slots[i].key != key) i = (i + 1) & (capacity - 1);
            return slots[i];
        }

        void grow(Slabs& slabs) {
            Slot* const before = slots;
            const std::size_t count = capacity;
            capacity = count == 0 ? kFirst : 2 * count;
            slots = slabs.room<Slot>(capacity);
            std::fill(slots, slots + capacity, Slot{});
            for (std::size_t i = 0; i < count; ++i) {
                if (before[i].is_used) slot_of(before[i].key) = before[i];
            }
        }
    };

    [[nodiscard]] Part& part_of(Key key) noexcept { return parts_[key.high % kParts]; }

    std::array<Part, kParts> parts_;
};

}  // namespace ludex::search
