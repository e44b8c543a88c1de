// Whom a rectangle overlaps. Here and not in collisions.cpp because barriers ask for it, too.
#pragma once

#include "engine.hpp"

namespace ludex::vgdl {

// To list a sprite costs about as much as this many tests of one sprite against another.
inline constexpr std::int64_t kBruteForce = 32;
// Fewer than this are not worth packing.
inline constexpr int kFew = 4;

// Where sprites of the one size stand: in up to four cells, looked up without branches.
class Floor {
public:
    Floor(const Level& level, const Fixtures& fixtures) noexcept
        : across_(level.across.data()),
          down_(level.down.data()),
          wide_(level.across.size()),
          high_(level.down.size()),
          types_(fixtures.types()),
          width_(slot(level.def.width)) {}
    // Sprites that are not on the screen in full are left to others.
    [[nodiscard]] bool has(const Rect& rect) const noexcept {
        return (static_cast<std::uint32_t>(rect.x) < wide_) &
               (static_cast<std::uint32_t>(rect.y) < high_);
    }
    [[nodiscard]] Workspace::Footing operator()(const Rect& rect) const noexcept {
        const auto [left, right] = across_[static_cast<std::uint32_t>(rect.x)];
        const auto [top, bottom] = down_[static_cast<std::uint32_t>(rect.y)];
        const std::uint64_t* const upper = types_ + top * width_;
        const std::uint64_t* const lower = types_ + bottom * width_;
        return {{left, right, top, bottom},
                upper[left] | upper[right] | lower[left] | lower[right]};
    }

private:
    const Level::Ends* across_;
    const Level::Ends* down_;
    std::size_t wide_, high_;
    const std::uint64_t* types_;
    std::size_t width_;
};

// Where any sprite stands. Walkers look a little further down.
template <class Draws>
inline Workspace::Footing Engine<Draws>::footing(const Rect& rect, int below) const noexcept {
    if (level_.one_size && below == 0) {
        const Floor floor(level_, work_.fixtures);
        if (floor.has(rect)) [[likely]]
            return floor(rect);
    }
    const std::uint64_t* const cells = work_.fixtures.types();
    const int width = level_.def.width;
    bool is_inside = false;
    const CellRange range = level_.cells_of({rect.x, rect.y, rect.w, rect.h + below}, is_inside);
    std::uint64_t found = is_inside ? 0 : kOutside;
    if (((range.right - range.left) | (range.bottom - range.top)) == 1) {
        const std::uint64_t* const upper = cells + slot(range.top * width);
        const std::uint64_t* const lower = cells + slot(range.bottom * width);
        found |= upper[range.left] | upper[range.right] | lower[range.left] | lower[range.right];
        return {range, found};
    }
    if (range.right < range.left) return {range, found};
    if (!spend(range.size())) return {};
    for (int y = range.top; y <= range.bottom; ++y) {
        for (int x = range.left; x <= range.right; ++x) found |= cells[slot(y * width + x)];
    }
    return {range, found};
}

// What is known of where the sprites of a section stand. A sprite that has come to the same place
// as in an earlier tick finds the same there, while the resting sprites are the same.
template <class Draws>
inline Workspace::Ground& Engine<Draws>::renew(int section) {
    Workspace::Ground& ground = work_.grounds[slot(section)];
    const std::size_t n = slot(sections_[section].count);
    if (ground.fixtures != work_.fixtures.name() || !level_.one_size) {
        ground.fixtures = work_.fixtures.name();
        std::fill(ground.places.begin(), ground.places.end(), kNowhere);
    }
    if (ground.footings.size() < n) {
        ground.footings.resize(n);
        ground.places.resize(n, kNowhere);
    }
    return ground;
}
template <class Draws>
inline const Workspace::Footing& Engine<Draws>::stand(Workspace::Ground& ground, int index,
                                                      const Rect& rect) const noexcept {
    const std::uint64_t spot = spot_of(rect);
    Workspace::Footing& known = ground.footings[slot(index)];
    if (ground.places[slot(index)] == spot) return known;
    ground.places[slot(index)] = spot;
    return known = footing(rect, 0);
}

// Visit the first n sprites of a section in order, but for one, that overlap a rectangle.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::for_overlapping(int section, int n, int but, const Rect& rect,
                                           const Visit& visit) {
    const Records others = records(section);
    if (level_.one_size && n > kFew) {
        crowd(section).for_near(rect, n, but, [&](int k) {
            if (overlap(rect, others[k].rect)) visit(k);
        });
        return;
    }
    const Probe probe(rect);
    for (int k = 0; k < n; ++k) {
        if (probe.may_overlap(others[k].rect) && k != but && overlap(rect, others[k].rect))
            [[unlikely]]
            visit(k);
    }
}

template <class Draws>
inline const Crowd& Engine<Draws>::crowd(int section) {
    Crowd& known = work_.crowds[slot(section)];
    if (known.tick == work_.tick) return known;
    const int n = sections_[section].count;
    known.tick = work_.tick;
    known.resize(n);
    const Records sprites = records(section);
    for (int i = 0; i < n; ++i) known.put(i, sprites[i].rect);
    return known;
}

// Visit the resting sprites of a type that overlap a rectangle, all of whose cells are in a range;
// perhaps several times.
template <class Draws>
template <class Visit>
inline void Engine<Draws>::for_resting_at(int type, const Rect& rect, const CellRange& cells,
                                          const Visit& visit) const noexcept {
    const TypeLayout& layout = lay(type);
    if (layout.is_settled) {
        level_.for_settled(type, rect, cells, [&](int index) {
            if (spend(1) && is_alive(layout, state_, index)) visit(index);
        });
        return;
    }
    const Records others = records(layout.section);
    work_.fixtures.for_listed(cells, layout.section, [&](int index) {
        if (spend(1) && overlap(rect, others[index].rect)) visit(index);
    });
}

}  // namespace ludex::vgdl
