// The objects of a view: what changed between two lists of them, and what is where.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "rng.hpp"

namespace ludex {

// As `core.objects.ObjectView.rows` has them; places and sizes are in pixels.
struct ObjectRow {
    std::int32_t category = 0, type = 0, id = 0, x = 0, y = 0, width = 0, height = 0;
    friend bool operator==(const ObjectRow&, const ObjectRow&) = default;
};
static_assert(sizeof(ObjectRow) == 7 * sizeof(std::int32_t));  // read from bytes

struct ObjectCell {
    int x = 0, y = 0;
    friend bool operator==(ObjectCell, ObjectCell) = default;
};

// The cell that holds a pixel; those left of and above the board have negative cells.
[[nodiscard]] inline ObjectCell cell_of(const ObjectRow& row, int block) {
    const auto down = [block](int pixel) {
        return pixel >= 0 ? pixel / block : -((block - 1 - pixel) / block);
    };
    return {down(row.x), down(row.y)};
}

class ObjectRows {
public:
    // `aside` has a bit for every category that `listed` leaves out.
    ObjectRows(std::vector<ObjectRow> rows, int block, std::uint32_t aside)
        : rows_(std::move(rows)), block_(block), aside_(aside) {}

    [[nodiscard]] std::span<const ObjectRow> rows() const { return rows_; }
    [[nodiscard]] ObjectCell cell(const ObjectRow& row) const { return cell_of(row, block_); }
    [[nodiscard]] bool listed(const ObjectRow& row) const {
        return (aside_ >> row.category & 1U) == 0;
    }
    // Whether a row is in one of the cells of a square: a cell and so many on each side of it.
    [[nodiscard]] bool within(const ObjectRow& row, ObjectCell middle, int reach) const {
        const auto holds = [this, reach](int pixel, int cell) {  // divides nothing, as `cell` does
            return pixel >= (cell - reach) * block_ && pixel < (cell + reach + 1) * block_;
        };
        return holds(row.x, middle.x) && holds(row.y, middle.y);
    }

    [[nodiscard]] bool has(int id) const {
        return std::ranges::any_of(rows_, [id](const ObjectRow& row) { return row.id == id; });
    }

    [[nodiscard]] bool has_category(int category) const {
        return std::ranges::any_of(
            rows_, [category](const ObjectRow& row) { return row.category == category; });
    }

    // The same for lists of the same rows, in whatever order.
    [[nodiscard]] std::uint64_t digest() const {
        std::uint64_t sum = rows_.size();
        for (const ObjectRow& row : rows_) {
            std::uint64_t bits = 0x9E3779B97F4A7C15ULL;  // so that zeros count, too
            for (const std::int32_t number :
                 {row.category, row.type, row.id, row.x, row.y, row.width, row.height}) {
                bits = mix(bits ^ static_cast<std::uint32_t>(number));
            }
            sum += bits;
        }
        return sum;
    }

    // Calls `found(old, now)` for every object that moved or became another, appeared (no old) or
    // disappeared (no now): in the order of the rows, or by id where objects came or went.
    template <class Found>
    void differences(const ObjectRows& later, Found&& found) const {
        const std::vector<ObjectRow>&old = rows_, &now = later.rows_;
        const bool aligned = std::ranges::equal(old, now, {}, &ObjectRow::id, &ObjectRow::id);
        if (aligned) {
            for (std::size_t place = 0; place < old.size(); ++place) {
                if (!(old[place] == now[place])) found(&old[place], &now[place]);
            }
            return;
        }
        const std::vector<const ObjectRow*> before = by_id(old), after = by_id(now);
        auto one = before.begin();
        auto other = after.begin();
        while (one != before.end() || other != after.end()) {
            if (other == after.end() || (one != before.end() && (*one)->id < (*other)->id)) {
                found(*one++, nullptr);
            } else if (one == before.end() || (*other)->id < (*one)->id) {
                found(nullptr, *other++);
            } else {
                if (!(**one == **other)) found(*one, *other);
                ++one, ++other;
            }
        }
    }

private:
    static std::vector<const ObjectRow*> by_id(const std::vector<ObjectRow>& rows) {
        std::vector<const ObjectRow*> sorted;
        sorted.reserve(rows.size());
        for (const ObjectRow& row : rows) sorted.push_back(&row);
        std::ranges::stable_sort(sorted, {}, &ObjectRow::id);
        return sorted;
    }

    std::vector<ObjectRow> rows_;
    int block_;
    std::uint32_t aside_;
};

}  // namespace ludex
