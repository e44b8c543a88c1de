#include "state.hpp"

#include <atomic>
#include <string_view>

#include "rng.hpp"

namespace ludex::vgdl {

std::uint64_t new_fixtures() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

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
    x.fixtures = y.fixtures = 0;
    if (std::memcmp(&x, &y, sizeof x) != 0 || a.timers != b.timers) return false;
    const std::size_t from = State::players_at();
    if (std::memcmp(a.data() + from, b.data() + from, State::sections_at(x) - from) != 0)
        return false;
    for (int i = 0; i < x.sections; ++i) {
        const Section& s = a.sections()[i];
        const Section& t = b.sections()[i];
        if (s.count != t.count || s.stride != t.stride) return false;
        const auto bytes = static_cast<std::size_t>(s.count) * static_cast<std::size_t>(s.stride);
        if (std::memcmp(a.data() + s.offset, b.data() + t.offset, bytes) != 0) return false;
    }
    return true;
}

// Sections are written without their slack, so that equal states have equal bytes.
std::string State::to_bytes() const {
    if (!data_) return {};
    const Header& h = header();
    std::string out(reinterpret_cast<const char*>(data_.get()), records_at(h));
    for (int i = 0; i < h.sections; ++i) {
        Section section = sections()[i];
        const auto bytes =
            static_cast<std::size_t>(section.count) * static_cast<std::size_t>(section.stride);
        const auto* const from = reinterpret_cast<const char*>(data_.get() + section.offset);
        section.offset = static_cast<std::uint32_t>(out.size());
        section.capacity = section.stride == 0 ? 0 : section.count;
        std::memcpy(out.data() + sections_at(h) + static_cast<std::size_t>(i) * sizeof section,
                    &section, sizeof section);
        out.append(from, bytes);
    }
    Header packed = h;
    packed.used = static_cast<std::uint32_t>(out.size());
    packed.fixtures = 0;
    std::memcpy(out.data(), &packed, sizeof packed);
    out.append(reinterpret_cast<const char*>(timers.data()), timers.size() * sizeof(Timer));
    return out;
}

bool State::from_bytes(std::string_view bytes, State& state) {
    if (bytes.size() < sizeof(Header)) return false;
    Header h;
    std::memcpy(&h, bytes.data(), sizeof h);
    if (h.used > bytes.size() || h.used < records_at(h)) return false;
    const std::size_t rest = bytes.size() - h.used;
    if (rest % sizeof(Timer) != 0) return false;
    state.reserve(h.used);
    std::memcpy(state.data(), bytes.data(), h.used);
    std::uint64_t end = records_at(h);
    for (int i = 0; i < h.sections; ++i) {
        const Section& s = state.sections()[i];
        const bool packed = s.stride == 0 ? s.capacity == 0 : s.capacity == s.count;
        if (s.count < 0 || s.stride < 0 || s.stride % 8 != 0 || !packed || s.offset != end)
            return false;
        end += std::uint64_t(s.count) * std::uint64_t(s.stride);
        if (end > h.used) return false;
    }
    if (end != h.used) return false;
    state.header().fixtures = new_fixtures();
    state.owner = ludex::kNobodys;
    state.timers.resize(rest / sizeof(Timer));
    if (rest > 0) std::memcpy(state.timers.data(), bytes.data() + h.used, rest);
    state.meetings.clear();
    return true;
}

}  // namespace ludex::vgdl
