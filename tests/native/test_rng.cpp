// The generator: stable numbers, no bias, streams that have nothing to do with each other.
#include <array>
#include <cmath>
#include <cstdint>

#include "check.hpp"
#include "rng.hpp"

using ludex::Rng;

static void test_fork_depends_on_key_and_names_alone() {
    Rng rng(5);
    const Rng before = rng.fork("match").fork(17);
    for (int i = 0; i < 10; ++i) (void)rng.next();
    CHECK(before == rng.fork("match").fork(17));
    CHECK(!(before == rng.fork("match").fork(18)));
    CHECK(!(rng.fork("a").fork("b") == rng.fork("b").fork("a")));
    CHECK(!(rng.fork("ab") == rng.fork("a").fork("b")));
}

static void test_below_stays_below() {
    Rng rng(1);
    for (std::uint64_t n = 1; n < 2000; ++n) CHECK(rng.below(n) < n);
    for (int i = 0; i < 1000; ++i) CHECK(rng.below(~std::uint64_t{0}) != ~std::uint64_t{0});
}

static void test_every_bit_is_set_half_the_time() {
    constexpr int kDraws = 100'000;
    std::array<int, 64> ones{};
    Rng rng(2);
    for (int i = 0; i < kDraws; ++i) {
        const std::uint64_t bits = rng.next();
        for (std::size_t bit = 0; bit < 64; ++bit) ones[bit] += static_cast<int>(bits >> bit & 1);
    }
    for (const int count : ones) CHECK(std::abs(count - kDraws / 2) < 800);  // 5 sigma is 790
}

static void test_weighted_never_draws_a_weight_of_zero() {
    Rng rng(3);
    const std::array<double, 4> weights{0.0, 0.3, 0.7, 0.0};
    for (int i = 0; i < 10'000; ++i) {
        const std::size_t drawn = rng.weighted(weights);
        CHECK(drawn == 1 || drawn == 2);
    }
}

int main() {
    test_fork_depends_on_key_and_names_alone();
    test_below_stays_below();
    test_every_bit_is_set_half_the_time();
    test_weighted_never_draws_a_weight_of_zero();
}
