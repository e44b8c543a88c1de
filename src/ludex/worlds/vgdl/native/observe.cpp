#include "observe.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace ludex::vgdl {
namespace {

constexpr Colour kGround = {24, 24, 32};

// A list with a value for each player; the last one stands for all that follow.
bool holds(const Numbers& values, int seat) noexcept {
    if (values.empty()) return false;
    return values[std::min(slot(std::max(seat, 0)), values.size() - 1)] != 0;
}

bool never_changes(const TypeLayout& layout) noexcept {
    return layout.is_settled && layout.alive < 0;
}

}  // namespace

Observer::Observer(std::shared_ptr<const Level> level, std::vector<Colour> colours, Size size)
    : level_(std::move(level)), colours_(std::move(colours)), size_(size) {
    size_.width = std::max(size_.width, level_->def.width);
    size_.height = std::max(size_.height, level_->def.height);
    const GameDef& game = level_->game;
    colours_.resize(game.types.size(), kGround);
    channel_of_.assign(game.types.size(), -1);
    for (int type = 0; type < static_cast<int>(game.types.size()); ++type) {
        if (!game.types[slot(type)].cls) continue;
        bool is_seen = false;
        for (int seat = 0; seat < game.players; ++seat) is_seen |= !is_hidden(type, seat);
        if (!is_seen) continue;
        channel_of_[slot(type)] = static_cast<int>(channels_.size());
        channels_.push_back(type);
    }
    // Types outside the order list are drawn first.
    for (const int type : level_->layout.section_types) {
        if (std::find(game.order.begin(), game.order.end(), type) == game.order.end())
            drawing_.push_back(type);
    }
    for (const int type : game.order) {
        if (level_->layout.types[slot(type)].section >= 0) drawing_.push_back(type);
    }
    const std::size_t area = slot(size_.width) * slot(size_.height);
    for (int seat = 0; seat < game.players; ++seat) {
        std::vector<std::uint8_t>& base = base_.emplace_back(bytes(Form::planes));
        for (const int type : channels_) {
            const TypeLayout& layout = level_->layout.types[slot(type)];
            if (layout.section < 0 || !never_changes(layout) || is_hidden(type, seat)) continue;
            std::uint8_t* const plane = base.data() + slot(channel_of_[slot(type)]) * area;
            for_sprites_of(*level_, level_->start, type,
                           [&](const Sprite& sprite) { mark(sprite, plane); });
        }
    }
}

bool Observer::is_hidden(int type, int seat) const noexcept {
    return seat != kSpectator && holds(level_->game.types[slot(type)].hidden, seat);
}

bool Observer::is_drawn(int type, int seat) const noexcept {
    return !is_hidden(type, seat) && !holds(level_->game.types[slot(type)].invisible, seat);
}

Category Observer::category(int type, const Sprite& sprite) const noexcept {
    const TypeDef& def = level_->game.types[slot(type)];
    if (def.is_avatar()) return Category::avatar;
    if (def.is_resource) return Category::resource;
    if (def.portal) return Category::portal;
    if (def.is_npc) return Category::npc;
    if (def.is_static) return Category::immovable;
    return sprite.is(kFromAvatar) || def.is_from_avatar ? Category::from_avatar : Category::movable;
}

std::vector<Sight> Observer::sights(const State& state, int seat) const {
    std::vector<Sight> found;
    for (const int type : level_->layout.section_types) {
        if (is_hidden(type, seat)) continue;
        for_sprites_of(*level_, state, type, [&](const Sprite& s) {
            found.push_back({static_cast<std::int32_t>(category(type, s)), type, s.id, s.rect.x,
                             s.rect.y, s.rect.w, s.rect.h});
        });
    }
    std::stable_sort(found.begin(), found.end(), [](const Sight& a, const Sight& b) {
        return std::tie(a.category, a.type) < std::tie(b.category, b.type);
    });
    return found;
}

std::size_t Observer::bytes(Form form) const noexcept {
    const std::size_t area = slot(size_.width) * slot(size_.height);
    switch (form) {
        case Form::planes:
            return channels_.size() * area;
        case Form::pixels:
            return area * slot(size_.cell) * slot(size_.cell) * sizeof(Colour);
        case Form::objects:
            return slot(size_.objects) * sizeof(Sight);
        case Form::avatar:
            return kAvatarFacts * sizeof(float);
        case Form::resources:
            return level_->game.types.size() * sizeof(std::int32_t);
    }
    return 0;
}

void Observer::fill(Form form, const State& state, int seat, std::byte* out) const {
    switch (form) {
        case Form::planes:
            return fill_planes(state, seat, reinterpret_cast<std::uint8_t*>(out));
        case Form::pixels:
            return fill_pixels(state, seat, reinterpret_cast<std::uint8_t*>(out));
        case Form::objects:
            return fill_objects(state, seat, reinterpret_cast<Sight*>(out));
        case Form::avatar:
            return fill_avatar(state, seat, reinterpret_cast<float*>(out));
        case Form::resources:
            return fill_resources(state, seat, reinterpret_cast<std::int32_t*>(out));
    }
}

void Observer::fill_planes(const State& state, int seat, std::uint8_t* out) const {
    const std::vector<std::uint8_t>& base = base_[slot(seat)];
    std::memcpy(out, base.data(), base.size());
    const std::size_t area = slot(size_.width) * slot(size_.height);
    for (const int type : channels_) {
        const TypeLayout& layout = level_->layout.types[slot(type)];
        if (layout.section < 0 || never_changes(layout) || is_hidden(type, seat)) continue;
        std::uint8_t* const plane = out + slot(channel_of_[slot(type)]) * area;
        for_sprites_of(*level_, state, type, [&](const Sprite& sprite) { mark(sprite, plane); });
    }
}

// The reference's rule: the cell of the corner, and the next column and row when the sprite is
// between cells. A corner off the screen puts the sprite nowhere, but for the first cell's length:
// there the division rounds towards the screen.
void Observer::mark(const Sprite& sprite, std::uint8_t* plane) const noexcept {
    const int block = level_->def.block;
    const int column = sprite.rect.x / block, row = sprite.rect.y / block;
    if (column < 0 || row < 0 || column >= level_->def.width || row >= level_->def.height) return;
    const bool wide = sprite.rect.x % block > 0 && column + 1 < level_->def.width;
    const bool high = sprite.rect.y % block > 0 && row + 1 < level_->def.height;
    std::uint8_t* const cell = plane + slot(row) * slot(size_.width) + slot(column);
    cell[0] = 1;
    if (wide) cell[1] = 1;
    if (high) cell[size_.width] = 1;
    if (wide && high) cell[size_.width + 1] = 1;
}

void Observer::fill_pixels(const State& state, int seat, std::uint8_t* out) const {
    const int cell = size_.cell, block = level_->def.block;
    const std::size_t row_bytes = slot(size_.width) * slot(cell) * sizeof(Colour);
    std::vector<std::uint8_t> line(row_bytes);
    for (std::size_t i = 0; i < row_bytes; ++i) line[i] = kGround[i % sizeof(Colour)];
    for (int y = 0; y < size_.height * cell; ++y) {
        std::memcpy(out + slot(y) * row_bytes, line.data(), row_bytes);
    }
    const auto scaled = [&](std::int64_t pixel, int most) {
        const std::int64_t moved = pixel * cell;  // rounded down, also left of the screen
        const std::int64_t whole = moved / block - (moved % block < 0);
        return static_cast<int>(std::clamp<std::int64_t>(whole, 0, most));
    };
    const int width = level_->def.width * cell, height = level_->def.height * cell;
    for (const int type : drawing_) {
        if (!is_drawn(type, seat)) continue;
        const Colour& colour = colours_[slot(type)];
        for_sprites_of(*level_, state, type, [&](const Sprite& s) {
            const int left = scaled(s.rect.x, width);
            const int right = scaled(std::int64_t{s.rect.x} + s.rect.w, width);
            const int top = scaled(s.rect.y, height);
            const int bottom = scaled(std::int64_t{s.rect.y} + s.rect.h, height);
            if (right <= left || bottom <= top) return;
            std::uint8_t* const first = out + slot(top) * row_bytes + slot(left) * sizeof(Colour);
            const std::size_t bytes = slot(right - left) * sizeof(Colour);
            for (std::size_t i = 0; i < bytes; i += sizeof(Colour)) {
                std::memcpy(first + i, colour.data(), sizeof(Colour));
            }
            for (int y = top + 1; y < bottom; ++y) {
                std::memcpy(first + slot(y - top) * row_bytes, first, bytes);
            }
        });
    }
}

void Observer::fill_objects(const State& state, int seat, Sight* out) const {
    std::vector<Sight> found = sights(state, seat);
    const std::size_t rows = slot(size_.objects);
    if (found.size() > rows) {
        const Sprite* const avatar = avatar_of(*level_, state, std::max(seat, 0));
        const Rect middle = avatar ? avatar->rect : level_->screen;
        const auto distance = [&](const Sight& sight) {
            const auto dx = std::int64_t{sight.x} - middle.x, dy = std::int64_t{sight.y} - middle.y;
            return dx * dx + dy * dy;
        };
        std::vector<std::size_t> nearest(found.size());
        for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = i;
        std::stable_sort(nearest.begin(), nearest.end(), [&](std::size_t a, std::size_t b) {
            return distance(found[a]) < distance(found[b]);
        });
        nearest.resize(rows);
        std::sort(nearest.begin(), nearest.end());
        for (std::size_t i = 0; i < rows; ++i) found[i] = found[nearest[i]];
        found.resize(rows);
    }
    std::copy(found.begin(), found.end(), out);
    std::fill(out + found.size(), out + rows, Sight{});
}

void Observer::fill_avatar(const State& state, int seat, float* out) const noexcept {
    std::fill_n(out, kAvatarFacts, 0.0F);
    const Header& header = state.header();
    const Player& player = state.player(seat);
    out[0] = static_cast<float>(player.score);
    out[1] = static_cast<float>(header.tick);
    out[2] = out[3] = out[11] = -1.0F;
    const Sprite* const avatar = avatar_of(*level_, state, seat);
    if (!avatar) return;
    if (header.over == 0) {  // as in the reference, which has no place to tell after the end
        out[2] = static_cast<float>(avatar->rect.x);
        out[3] = static_cast<float>(avatar->rect.y);
    }
    out[4] = static_cast<float>(avatar->orientation.x);
    out[5] = static_cast<float>(avatar->orientation.y);
    out[6] = static_cast<float>(avatar->speed);
    out[7] = static_cast<float>(avatar->health);
    out[8] = static_cast<float>(avatar->max_health);
    out[9] = static_cast<float>(level_->game.types[slot(player.type)].limitHealthPoints);
    out[10] = avatar->is(kDisabled) ? 0.0F : 1.0F;
    out[11] = static_cast<float>(player.type);
}

void Observer::fill_resources(const State& state, int seat, std::int32_t* out) const noexcept {
    std::fill_n(out, level_->game.types.size(), 0);
    for_resources(*level_, state, seat, [&](int type, std::int32_t held) { out[type] = held; });
}

}  // namespace ludex::vgdl
