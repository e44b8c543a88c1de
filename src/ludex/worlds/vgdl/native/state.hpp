// The state of a game: one flat block of memory that describes itself.
//
//   Header | Player[players] | int32[counters] | uint8[flags] | Section[sections] | records
//
// A section holds the sprites of one type in creation order, in records of equal size: a Sprite
// and what else its type needs (see Layout). Nothing in it points anywhere, so a copy is one
// memcpy. What is only needed within a tick (last rectangles, who is killed) is in the Workspace.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "geometry.hpp"
#include "owner.hpp"

namespace ludex::vgdl {

enum class Winner : std::int8_t { none, win, lose };

// Why the game is over, where no termination of the game did it.
enum EndedBy : std::int16_t {
    kGoesOn = -1,
    kTickLimit = -2,
    kMessages = -3,
    kAborted = -4,
    kTooMuch = -5
};

struct Header {
    std::int32_t tick = 0;  // ticks played, which is also the number of the next tick
    std::int32_t next_id = 0;
    std::int32_t sprites = 0;   // as the reference counts them against its limit
    std::int32_t messages = 0;  // what the reference would have logged
    std::int16_t ended_by = kGoesOn;
    std::uint8_t over = 0;
    std::uint8_t can_end = 1;
    std::uint16_t players = 0;
    std::uint16_t counters = 0;
    std::uint16_t sections = 0;
    std::uint16_t padding = 0;
    std::uint32_t flags = 0;
    std::uint32_t used = 0;  // bytes
    std::uint32_t more_padding = 0;
    // The name of the set of resting sprites: states with equal names have equal sets. Not part
    // of what a state is, only a help to find them (fixtures.hpp).
    std::uint64_t fixtures = 0;
};
static_assert(std::has_unique_object_representations_v<Header>);  // it is compared as bytes
// A name that no set of resting sprites has yet.
[[nodiscard]] std::uint64_t new_fixtures() noexcept;

struct Player {
    double score = 0.0;
    std::int32_t type = -1;  // of the avatar; -1: none
    std::int32_t index = -1;
    Winner winner = Winner::none;
    std::uint8_t padding[7] = {};
};

struct Section {
    std::uint32_t offset = 0;
    std::int32_t count = 0;
    std::int32_t capacity = 0;
    std::int32_t stride = 0;
};

enum SpriteFlag : std::uint16_t {
    kDisabled = 1,
    kFirstTick = 2,
    kOriented = 4,
    kOnGround = 8,
    kFromAvatar = 16,
    kKilled = 32,   // within a tick only
    kStarted = 64,  // a spawner that has been updated
};

// What every sprite has.
struct Sprite {
    std::int32_t id = 0;
    Rect rect;
    std::int32_t lastmove = 0;
    std::uint16_t flags = 0;
    std::int8_t player = -1;
    std::uint8_t previous = 0;  // random move, or facing: 0 none, 1 + index in kBase
    std::int32_t health = 0;
    std::int32_t max_health = 0;
    std::int32_t count = 0;  // age of flickers, moves repeated, sprites spawned, tick of a block
    Vec orientation;
    double speed = 0.0;

    [[nodiscard]] bool is(SpriteFlag flag) const noexcept { return (flags & flag) != 0; }
    void put(SpriteFlag flag, bool on) noexcept {
        flags = static_cast<std::uint16_t>(on ? flags | flag : flags & ~flag);
    }
};
static_assert(sizeof(Sprite) == 64 && std::is_trivially_copyable_v<Sprite>);

// What some types have besides; Layout says where.
struct Body {
    double gravity = 0.0;
    double rotation = 0.0;
};
struct Spawner {
    std::int32_t start = 0;
    std::int32_t product = -1;
};
struct Follower {
    std::int32_t target = -1;  // id
    Rect last;                 // where the target was last seen, also after its end
    std::int32_t known_x = 0, known_y = 0;
    std::int32_t knows = 0;
};

// A rule that waits for its tick.
struct Timer {
    std::int32_t due = 0;
    std::int32_t rule = 0;
    std::int32_t type = -1;  // -1: bound to no sprite
    friend bool operator==(const Timer&, const Timer&) = default;
};

// Something that happened between an avatar, or what it made, and another sprite.
struct Meeting {
    std::int32_t tick = 0;
    bool from_avatar = false;
    std::int32_t active_type = 0, passive_type = 0, active_id = 0, passive_id = 0;
    std::int32_t x = 0, y = 0;
};

class State {
public:
    State() = default;
    State(const State& other) { copy_from(other); }
    State& operator=(const State& other) {
        if (this != &other) copy_from(other);
        return *this;
    }
    State(State&&) noexcept = default;
    State& operator=(State&&) noexcept = default;
    ~State() = default;

    // Take over another state; memory is reused where it is large enough. Meetings of the last
    // tick are not part of the state and are not copied.
    void copy_from(const State& other) {
        reserve(other.size());
        if (other.data_) std::memcpy(data_.get(), other.data_.get(), other.size());
        timers = other.timers;
        meetings.clear();
        owner = other.owner;
    }

    [[nodiscard]] std::byte* data() noexcept { return data_.get(); }
    [[nodiscard]] const std::byte* data() const noexcept { return data_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return data_ ? header().used : 0; }
    void reserve(std::size_t bytes) {
        if (bytes <= capacity_) return;
        data_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
        capacity_ = static_cast<std::uint32_t>(bytes);
    }
    // Make room in the middle, filled with zeros; what lies behind it moves. Half as much again
    // is asked for, so that a state that grows does not ask often, and one that has grown never.
    void insert(std::size_t where, std::size_t more) {
        const std::size_t used = size(), wanted = used + more;
        if (wanted > capacity_) {
            const std::size_t roomy = wanted + wanted / 2;
            auto data = std::make_unique_for_overwrite<std::byte[]>(roomy);
            std::memcpy(data.get(), data_.get(), used);
            data_ = std::move(data);
            capacity_ = static_cast<std::uint32_t>(roomy);
        }
        std::memmove(data_.get() + where + more, data_.get() + where, used - where);
        std::memset(data_.get() + where, 0, more);
        header().used = static_cast<std::uint32_t>(wanted);
    }

    [[nodiscard]] Header& header() noexcept { return *reinterpret_cast<Header*>(data_.get()); }
    [[nodiscard]] const Header& header() const noexcept {
        return *reinterpret_cast<const Header*>(data_.get());
    }
    [[nodiscard]] Player& player(int i) noexcept { return at<Player>(players_at())[i]; }
    [[nodiscard]] const Player& player(int i) const noexcept { return at<Player>(players_at())[i]; }
    [[nodiscard]] std::int32_t* counters() noexcept {
        return at<std::int32_t>(counters_at(header()));
    }
    [[nodiscard]] const std::int32_t* counters() const noexcept {
        return at<std::int32_t>(counters_at(header()));
    }
    [[nodiscard]] std::uint8_t* flags() noexcept { return at<std::uint8_t>(flags_at(header())); }
    [[nodiscard]] const std::uint8_t* flags() const noexcept {
        return at<std::uint8_t>(flags_at(header()));
    }
    [[nodiscard]] Section* sections() noexcept { return at<Section>(sections_at(header())); }
    [[nodiscard]] const Section* sections() const noexcept {
        return at<Section>(sections_at(header()));
    }
    [[nodiscard]] Sprite& sprite(const Section& section, int index) noexcept {
        return *at<Sprite>(section.offset + static_cast<std::size_t>(index) *
                                                static_cast<std::size_t>(section.stride));
    }
    [[nodiscard]] const Sprite& sprite(const Section& section, int index) const noexcept {
        return *at<Sprite>(section.offset + static_cast<std::size_t>(index) *
                                                static_cast<std::size_t>(section.stride));
    }

    static constexpr std::size_t round_up(std::size_t n) noexcept {
        return (n + 7) & ~std::size_t{7};
    }
    static constexpr std::size_t players_at() noexcept { return round_up(sizeof(Header)); }
    static constexpr std::size_t counters_at(const Header& h) noexcept {
        return players_at() + h.players * sizeof(Player);
    }
    static constexpr std::size_t flags_at(const Header& h) noexcept {
        return counters_at(h) + h.counters * sizeof(std::int32_t);
    }
    static constexpr std::size_t sections_at(const Header& h) noexcept {
        return round_up(flags_at(h) + h.flags);
    }
    static constexpr std::size_t records_at(const Header& h) noexcept {
        return sections_at(h) + h.sections * sizeof(Section);
    }

    // The bytes that matter: all but the slack of the sections.
    template <class Visit>
    void for_content(const Visit& visit) const {
        if (!data_) return;
        const Header& h = header();
        Header plain = h;
        plain.used = 0;
        plain.fixtures = 0;
        visit(reinterpret_cast<const std::byte*>(&plain), sizeof plain);
        visit(data_.get() + players_at(), sections_at(h) - players_at());
        for (int i = 0; i < h.sections; ++i) {
            const Section& section = sections()[i];
            visit(reinterpret_cast<const std::byte*>(&section.count), sizeof section.count);
            visit(data_.get() + section.offset, static_cast<std::size_t>(section.count) *
                                                    static_cast<std::size_t>(section.stride));
        }
        visit(reinterpret_cast<const std::byte*>(timers.data()), timers.size() * sizeof(Timer));
    }
    [[nodiscard]] std::uint64_t hash() const noexcept;
    friend bool operator==(const State& a, const State& b) noexcept;

    // The state as bytes and as one line of text, both of which can be read back.
    [[nodiscard]] std::string to_bytes() const;
    [[nodiscard]] static bool from_bytes(std::string_view bytes, State& state);

    std::vector<Timer> timers;      // due soonest first
    std::vector<Meeting> meetings;  // of the last tick

private:
    template <class T>
    [[nodiscard]] T* at(std::size_t offset) noexcept {
        return reinterpret_cast<T*>(data_.get() + offset);
    }
    template <class T>
    [[nodiscard]] const T* at(std::size_t offset) const noexcept {
        return reinterpret_cast<const T*>(data_.get() + offset);
    }

    std::unique_ptr<std::byte[]> data_;
    std::uint32_t capacity_ = 0;  // a state is never larger, see kLargestState

public:
    ludex::Owner owner = ludex::kNobodys;  // no part of what a state is
};

[[nodiscard]] inline ludex::Owner& owner_of(State& state) noexcept { return state.owner; }

// States as search trees store them: see core/native/packing.hpp. What is packed is unpacked to
// every byte; meetings are of the last tick and are not packed.
struct PackedHead {
    std::uint32_t used = 0;
    std::uint32_t timers = 0;
    ludex::Owner owner = ludex::kNobodys;
    std::uint32_t unused = 0;
};
[[nodiscard]] inline std::size_t packed_size(const State& state) noexcept {
    return sizeof(PackedHead) + State::round_up(state.size()) + state.timers.size() * sizeof(Timer);
}
inline void pack(const State& state, std::byte* out) noexcept {
    const PackedHead head{static_cast<std::uint32_t>(state.size()),
                          static_cast<std::uint32_t>(state.timers.size()), state.owner, 0};
    std::memcpy(out, &head, sizeof head);
    std::memcpy(out + sizeof head, state.data(), head.used);
    if (head.timers > 0) {
        std::memcpy(out + sizeof head + State::round_up(head.used), state.timers.data(),
                    head.timers * sizeof(Timer));
    }
}
inline void unpack(const std::byte* packed, State& state) {
    PackedHead head;
    std::memcpy(&head, packed, sizeof head);
    state.reserve(head.used);
    std::memcpy(state.data(), packed + sizeof head, head.used);
    state.timers.resize(head.timers);
    if (head.timers > 0) {
        std::memcpy(state.timers.data(), packed + sizeof head + State::round_up(head.used),
                    head.timers * sizeof(Timer));
    }
    state.meetings.clear();
    state.owner = head.owner;
}

}  // namespace ludex::vgdl
