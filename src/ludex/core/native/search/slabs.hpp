// Memory of a search tree: taken piece by piece, given back all at once.
//
// Nodes hold plain data and are never destroyed one by one. A tree that is dropped hands its blocks
// to the stock of its model, where the next tree finds them: no decision pays for freeing an old
// tree, nor for the page faults of a new one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace ludex::search {

struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
};

// Blocks that no tree uses. Trees of several threads take from it and give back to it.
class Stock {
public:
    static constexpr std::size_t kMostKept = std::size_t{64} << 20;  // bytes

    [[nodiscard]] Block take(std::size_t least) {
        {
            const std::scoped_lock lock(mutex_);
            // The last ones are the largest and the warmest.
            for (std::size_t i = blocks_.size(); i-- > 0;) {
                if (blocks_[i].size < least) continue;
                Block found = std::move(blocks_[i]);
                blocks_[i] = std::move(blocks_.back());
                blocks_.pop_back();
                kept_ -= found.size;
                return found;
            }
        }
        return {std::make_unique_for_overwrite<std::byte[]>(least), least};
    }

    void give_back(std::vector<Block>& blocks) noexcept {
        {
            const std::scoped_lock lock(mutex_);
            while (!blocks.empty() && blocks_.size() < kMostBlocks &&
                   kept_ + blocks.back().size <= kMostKept) {
                kept_ += blocks.back().size;
                blocks_.push_back(std::move(blocks.back()));  // there is room: see the constructor
                blocks.pop_back();
            }
        }
        free_aside(blocks);
    }

    Stock() { blocks_.reserve(kMostBlocks); }

private:
    static constexpr std::size_t kMostBlocks = 1024;
    static constexpr std::size_t kFewBlocks = 8;

    // The system takes its time to take back hundreds of megabytes; a thread waits for it.
    static void free_aside(std::vector<Block>& blocks) noexcept {
        if (blocks.size() > kFewBlocks) {
            try {
                std::thread([aside = std::move(blocks)]() mutable { aside.clear(); }).detach();
            } catch (const std::system_error&) {
                // No thread is to be had: they are freed here.
            }
        }
        blocks.clear();
    }

    std::mutex mutex_;
    std::vector<Block> blocks_;
    std::size_t kept_ = 0;
};

// What one thread of one search takes its memory from.
class Slabs {
public:
    explicit Slabs(std::shared_ptr<Stock> stock) : stock_(std::move(stock)) {}
    Slabs(Slabs&& other) noexcept
        : stock_(std::move(other.stock_)),
          blocks_(std::move(other.blocks_)),
          next_(std::exchange(other.next_, nullptr)),
          end_(std::exchange(other.end_, nullptr)),
          taken_(std::exchange(other.taken_, 0)) {}
    Slabs& operator=(Slabs&&) = delete;
    Slabs(const Slabs&) = delete;
    Slabs& operator=(const Slabs&) = delete;
    ~Slabs() {
        if (stock_) stock_->give_back(blocks_);
    }

    // Room for so many items, with nothing in it yet.
    template <class T>
    [[nodiscard]] T* room(std::size_t count) {
        static_assert(std::is_trivially_destructible_v<T>, "nobody destroys what lies here");
        static_assert(alignof(T) <= kAlignment);
        return reinterpret_cast<T*>(bytes(count * sizeof(T)));
    }

    // One item with the values that its members begin with.
    template <class T>
    [[nodiscard]] T* make() {
        return new (room<T>(1)) T;
    }

    template <class T>
    [[nodiscard]] std::span<T> copy_of(std::span<const T> items) {
        T* const made = room<T>(items.size());
        std::copy(items.begin(), items.end(), made);
        return {made, items.size()};
    }

    // Bytes in all blocks.
    [[nodiscard]] std::size_t taken() const noexcept { return taken_; }

private:
    static constexpr std::size_t kAlignment = 8;
    static constexpr std::size_t kFirst = std::size_t{32} << 10;
    static constexpr std::size_t kLargest = std::size_t{1} << 20;

    [[nodiscard]] std::byte* bytes(std::size_t size) {
        size = (size + kAlignment - 1) & ~(kAlignment - 1);
        if (size > static_cast<std::size_t>(end_ - next_)) [[unlikely]]
            begin_block(size);
        return std::exchange(next_, next_ + size);
    }

    [[gnu::noinline]] void begin_block(std::size_t least) {
        const std::size_t usual = std::clamp(taken_, kFirst, kLargest);
        blocks_.push_back(stock_->take(std::max(least, usual)));
        const Block& block = blocks_.back();
        taken_ += block.size;
        next_ = block.bytes.get();
        end_ = next_ + block.size;
    }

    std::shared_ptr<Stock> stock_;
    std::vector<Block> blocks_;
    std::byte* next_ = nullptr;
    std::byte* end_ = nullptr;
    std::size_t taken_ = 0;
};

// A list that grows in slabs; what it outgrows stays behind in them.
template <class T>
class SlabList {
public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return items_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return items_[i]; }
    [[nodiscard]] T& back() noexcept { return items_[size_ - 1]; }
    [[nodiscard]] T* begin() noexcept { return items_; }
    [[nodiscard]] T* end() noexcept { return items_ + size_; }
    [[nodiscard]] const T* begin() const noexcept { return items_; }
    [[nodiscard]] const T* end() const noexcept { return items_ + size_; }
    [[nodiscard]] std::span<const T> items() const noexcept { return {items_, size_}; }

    void push_back(const T& item, Slabs& slabs) {
        if (size_ == capacity_) reserve(capacity_ == 0 ? 4 : 2 * capacity_, slabs);
        new (items_ + size_++) T(item);
    }
    T pop_back() noexcept { return items_[--size_]; }
    void clear() noexcept { size_ = 0; }

    void reserve(std::size_t wanted, Slabs& slabs) {
        if (wanted <= capacity_) return;
        T* const roomy = slabs.room<T>(wanted);
        std::copy(begin(), end(), roomy);
        items_ = roomy;
        capacity_ = static_cast<std::uint32_t>(wanted);
    }
    void assign(std::span<const T> items, Slabs& slabs) {
        clear();
        reserve(items.size(), slabs);
        std::copy(items.begin(), items.end(), items_);
        size_ = static_cast<std::uint32_t>(items.size());
    }

private:
    static_assert(std::is_trivially_copyable_v<T>);
    T* items_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
};

}  // namespace ludex::search
