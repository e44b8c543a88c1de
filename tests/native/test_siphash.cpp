// SipHash-2-4 against the values that its authors print.
#include <array>
#include <cstdint>
#include <span>

#include "check.hpp"
#include "siphash.hpp"

using ludex::SipHash;

static std::uint64_t hash_of_first(std::size_t length) {
    std::array<std::uint8_t, 16> key{};
    std::array<std::uint8_t, 64> text{};
    for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<std::uint8_t>(i);
    return SipHash(key)(std::span<const std::uint8_t>(text).first(length));
}

int main() {
    CHECK(hash_of_first(0) == 0x726FDB47DD0E0E31ULL);
    CHECK(hash_of_first(1) == 0x74F839C593DC67FDULL);
    CHECK(hash_of_first(8) == 0x93F5F5799A932462ULL);
    CHECK(hash_of_first(15) == 0xA129CA6149BE45E5ULL);
    CHECK(hash_of_first(63) == 0x958A324CEB064572ULL);
}
