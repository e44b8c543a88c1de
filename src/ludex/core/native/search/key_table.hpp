// Nodes by the keys of their states: open addressing, in memory that lies ready (slabs.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "../keys.hpp"
#include "running.hpp"
#include "slabs.hpp"

namespace ludex::search {

// In parts with a lock each, where several threads share it. A part that is full moves to twice the
// room; parts keep such pauses short.
template <class Node, bool kShared>
class KeyTable {
public:
    explicit KeyTable(std::shared_ptr<Stock> stock) : stock_(std::move(stock)) {}
    ~KeyTable() {
        std::vector<Block> blocks;
        for (Part& part : parts_) {
            if (part.block.size > 0) blocks.push_back(std::move(part.block));
        }
        stock_->give_back(blocks);
    }
    KeyTable(const KeyTable&) = delete;
    KeyTable& operator=(const KeyTable&) = delete;

    // The node of a key, or the one that `make` returns for it, which may be none.
    template <class Make>
    [[nodiscard]] Node* find_or(const Key& key, Slabs& slabs, const Make& make) {
        Part& part = parts_[key.high % kParts];
        const std::scoped_lock lock(part.lock);
        Entry* entry = part.place_of(key);
        if (entry != nullptr && entry->node != nullptr) return entry->node;
        Node* const made = make();
        if (made == nullptr) return nullptr;
        if (entry == nullptr || 4 * (part.count + 1) > 3 * part.size) {
            part.grow(slabs, *stock_);
            entry = part.place_of(key);
        }
        *entry = {key, made};
        ++part.count;
        return made;
    }

    // In any order.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Part& part : parts_) {
            for (std::size_t i = 0; i < part.size; ++i) {
                if (part.entries[i].node != nullptr) visit(*part.entries[i].node);
            }
        }
    }

    // Of large parts: small ones lie in slabs.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const Part& part : parts_) sum += part.block.size;
        return sum;
    }

private:
    static constexpr std::size_t kParts = 64;
    static constexpr std::size_t kFirst = 16;
    static constexpr std::size_t kLargestInSlabs = 256;

    struct Entry {
        Key key;
        Node* node = nullptr;
    };

    struct Part {
        [[no_unique_address]] std::conditional_t<kShared, SpinLock, NoLock> lock;
        Entry* entries = nullptr;
        Block block;           // that they lie in, if not in slabs
        std::size_t size = 0;  // a power of two
        std::size_t count = 0;

        // Where a key is or would be; nowhere before the first.
        [[nodiscard]] Entry* place_of(const Key& key) const noexcept {
            if (size == 0) return nullptr;
            std::size_t i = key.low & (size - 1);
            while (entries[i].node != nullptr && !(entries[i].key == key)) i = (i + 1) & (size - 1);
            return &entries[i];
        }

        void grow(Slabs& slabs, Stock& stock) {
            const Entry* const before = entries;
            const std::size_t old = size;
            size = old == 0 ? kFirst : 2 * old;
            Block larger;
            if (size > kLargestInSlabs) {
                larger = stock.take(size * sizeof(Entry));
                entries = reinterpret_cast<Entry*>(larger.bytes.get());
            } else {
                entries = slabs.room<Entry>(size);
            }
            for (std::size_t i = 0; i < size; ++i) new (&entries[i]) Entry;
            for (std::size_t i = 0; i < old; ++i) {
                if (before[i].node != nullptr) *place_of(before[i].key) = before[i];
            }
            std::swap(block, larger);
            std::vector<Block> outgrown;
            if (larger.size > 0) outgrown.push_back(std::move(larger));
            stock.give_back(outgrown);
        }
    };

    std::shared_ptr<Stock> stock_;
    std::array<Part, kParts> parts_;
};

}  // namespace ludex::search
