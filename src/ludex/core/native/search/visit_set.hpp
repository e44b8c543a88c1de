// A set of things passed in one descent; clearing it costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../rng.hpp"

namespace ludex::search {

class VisitSet {
public:
    void clear() noexcept {
        ++epoch_;
        count_ = 0;
    }

    // False when it was in the set already.
    bool add(const void* thing, std::uint64_t what) {
        return add(reinterpret_cast<std::uintptr_t>(thing), what);
    }
    bool add(std::uint64_t thing, std::uint64_t what) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        const bool is_new = insert({thing, what, epoch_});
        count_ += is_new ? 1 : 0;
        return is_new;
    }

private:
    struct Slot {
        std::uint64_t thing = 0;
        std::uint64_t what = 0;
        std::uint64_t epoch = 0;
    };

    bool insert(const Slot& slot) noexcept {
        const std::size_t last = slots_.size() - 1;
        std::size_t i = mix(slot.thing ^ mix(slot.what)) & last;
        for (; slots_[i].epoch == epoch_; i = (i + 1) & last) {
            if (slots_[i].thing == slot.thing && slots_[i].what == slot.what) return false;
        }
        slots_[i] = slot;
        return true;
    }

    void grow() {
        std::vector<Slot> before(slots_.empty() ? 64 : 2 * slots_.size());
        before.swap(slots_);
        for (const Slot& slot : before) {
            if (slot.epoch == epoch_) (void)insert(slot);
        }
    }

    std::vector<Slot> slots_;
    std::uint64_t epoch_ = 1;
    std::size_t count_ = 0;
};

}  // namespace ludex::search
