#include "state.hpp"

#include <string_view>

#include "rng.hpp"

namespace ludex::vgdl {

std::uint64_t State::hash() const noexcept {
    std::uint64_t value = 0x9E3779B97F4A7C15ULL;
    for_content([&](const std::byte* bytes, std::size_t size) {
        while (size > 0) {
            std::uint64_t word = 0;
            const std::size_t part = size < 8 ? size : 8;
            std::memcpy(&word, bytes, part);
            value = mix(value ^ word) + part;
            bytes += part;
            size -= part;
        }
    });
    return value;
}

bool operator==(const State& a, const State& b) noexcept {
    if (!a.data_ || !b.data_) return !a.data_ && !b.data_;
    Header x = a.header();
    Header y = b.header();
    x.used = y.used = 0;
    if (std::memcmp(&x, &y, sizeof x) != 0 || a.timers != b.timers) return false;
    const std::size_t from = State::players_at();
    if (std::memcmp(a.data() + from, b.data() + from, State::sections_at(x) - from) != 0) return false;
    for (int i = 0; i < x.sections; ++i) {
        const Section& s = a.sections()[i];
        const Section& t = b.sections()[i];
        if (s.count != t.count || s.stride != t.stride) return false;
        const auto bytes = static_cast<std::size_t>(s.count) * static_cast<std::size_t>(s.stride);
        if (std::memcmp(a.data() + s.offset, b.data() + t.offset, bytes) != 0) return false;
    }
    return true;
}

std::string State::to_bytes() const {
    std::string out(reinterpret_cast<const char*>(data_.get()), size());
    out.append(reinterpret_cast<const char*>(timers.data()), timers.size() * sizeof(Timer));
    return out;
}

bool State::from_bytes(std::string_view bytes, State& state) {
    if (bytes.size() < sizeof(Header)) return false;
    Header h;
    std::memcpy(&h, bytes.data(), sizeof h);
    const std::size_t rest = bytes.size() - h.used;
    if (h.used > bytes.size() || h.used < records_at(h) || rest % sizeof(Timer) != 0) return false;
    state.reserve(h.used);
    std::memcpy(state.data(), bytes.data(), h.used);
    for (int i = 0; i < h.sections; ++i) {
        const Section& s = state.sections()[i];
        if (s.count < 0 || s.capacity < s.count || s.stride < 0 || s.offset > h.used) return false;
        const auto end = s.offset + std::uint64_t(s.capacity) * std::uint64_t(s.stride);
        if (end > h.used || (s.capacity > 0 && s.stride < int(sizeof(Sprite)))) return false;
    }
    state.timers.resize(rest / sizeof(Timer));
    if (rest > 0) std::memcpy(state.timers.data(), bytes.data() + h.used, rest);
    state.meetings.clear();
    return true;
}

}  // namespace ludex::vgdl
