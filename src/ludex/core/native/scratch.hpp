// Memory that rules work in and keep from call to call, one for each thread that uses them.
//
// Whoever comes first has the memory that lies with the rules, and finds it by one comparison.
// Other threads that use the same rules keep theirs beside, in a short list of their own.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace ludex {

template <class Memory>
class Scratch {
public:
    Scratch() = default;
    // What is in it is not worth copying.
    Scratch(const Scratch& /*other*/) noexcept {}
    Scratch& operator=(const Scratch& /*other*/) noexcept { return *this; }
    Scratch(Scratch&& /*other*/) noexcept {}
    Scratch& operator=(Scratch&& /*other*/) noexcept { return *this; }
    ~Scratch() = default;

    [[nodiscard]] Memory& mine() {
        const void* const here = __builtin_thread_pointer();
        if (first_.load(std::memory_order_acquire) == here) [[likely]]
            return memory_;
        return others(here);
    }

private:
    // Rules that one thread uses at a time; when there are more, the one that was found longest
    // ago makes room.
    static constexpr std::size_t kMost = 16;
    struct Kept {
        std::uint64_t number = 0;
        std::unique_ptr<Memory> memory;
    };

    // Not inlined, so that the usual way stays short.
    [[gnu::noinline]] Memory& others(const void* here) {
        const void* nobody = nullptr;
        if (first_.compare_exchange_strong(nobody, here, std::memory_order_acq_rel)) {
            return memory_;
        }
        thread_local std::array<Kept, kMost> kept;
        if (kept[0].number == number_) return *kept[0].memory;
        std::size_t place = 0;
        while (place < kMost - 1 && kept[place].number != number_ && kept[place].memory) ++place;
        if (kept[place].number != number_) {
            kept[place].number = number_;
            kept[place].memory = std::make_unique<Memory>();
        }
        Kept found = std::move(kept[place]);  // to the front, which is where it is looked for
        for (; place > 0; --place) kept[place] = std::move(kept[place - 1]);
        kept[0] = std::move(found);
        return *kept[0].memory;
    }

    static std::uint64_t next_number() noexcept {
        static std::atomic<std::uint64_t> last{0};
        return last.fetch_add(1, std::memory_order_relaxed) + 1;
    }

    std::atomic<const void*> first_{nullptr};  // the thread that has `memory_`, while it lives
    const std::uint64_t number_ = next_number();
    Memory memory_;
};

}  // namespace ludex
