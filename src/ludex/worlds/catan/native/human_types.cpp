#include "human_types.hpp"

#include <string_view>
#include <vector>

namespace ludex::catan {

namespace {

// 7458 decisions of people after the roll, in 60 games: each set of legal types, then how often
// each of them was chosen. S settlement, R road, C city, E end, B trade with the bank, D buy a
// card, K knight, F road building, Y plenty, M monopoly, T trade with a player. From the data that
// M. S. Dobre published with his thesis (2018).
constexpr std::string_view kCounts =
    "ET:E2126T113 EBT:E572B364T131 RET:R513E254T45 EDT:E196D322T30 REBT:R237E105B87T48 "
    "EKT:E232K73T9 EBDT:E66B66D130T21 E:E137 EBKT:E60B41K21T11 SRET:S110R14E4 "
    "SREDT:S104R12E4D6T1 REKT:R56E22K5T3 REBDT:R37E16B17D10T4 EDKT:E28D37K9T3 "
    "CEBT:C61E5B4T2 REDT:R49E6D14T2 SREBT:S54R7E2B3T1 REBKT:R35E8B6K9T5 CEBDT:C47B6D2T3 "
    "SREBDT:S35R5D3T2 EMT:E34M9 EBDKT:E11B8D19K3T1 CET:C31E1 REMT:R13E4M5T2 EYT:E17Y7 "
    "RCEBT:R6C13B2T1 EBMT:E9B5M4T1 EFT:E11F7 SREKT:S13R2E1T1 EBYT:E6B4Y6T1 CEDT:C11E3D1 "
    "REBMT:R7E1B1M3T2 EDMT:E6D5M2T1 SREBKT:S7R6 SREDKT:S8D1K3 REDKT:R7D3T2 REYT:R7E1Y3 "
    "RCEBDT:R2C7D1 EK:E7K2 SRCEBDT:S3R3C2 RE:R2E6 REBDKT:R5D3 CEBKT:C5K1T2 REBFT:E4B1F2 "
    "REFT:R1E6 EBDMT:B1D4M1T1 SREBDKT:S6 REBKMT:R3E1K1M1 CEBDKT:C6 EKFT:E3K2F1 RCET:R2C3 "
    "ED:D5 EDFT:D4F1 EDYT:E2D1Y2 EKMT:E1K2M1T1 RCEDT:R1C3 REBDFT:E2D2 EB:E3B1 "
    "EBKFT:E2B1F1 EBKMT:E3B1 EBFT:B1F2T1 EDKMT:D2K1M1 EM:E4 SRCEDT:S2C1 SREBMT:S3 "
    "SREDMT:S3 REBKFT:K2F1 REBYT:R1B1Y1 REDFT:E1F2 CEKT:C3 EBDKFT:E1K1T1 EBDYT:E1B1T1 "
    "REB:R1B1 REBDYT:R1D1 REDMT:R2 REKFT:E1F1 CEBDMT:C2 CEDKT:C2 EKYT:K1Y1 EY:E2 "
    "SREBDMT:S1 SREDKFT:S1 SREDYT:R1 SREFT:S1 SREMT:S1 RCEBKT:C1 RCEBFT:C1 RCEBMT:C1 "
    "RCEKT:C1 REBDMT:B1 REDYT:R1 REK:K1 REKMT:M1 CEBDYT:Y1 CEBKFT:C1 CEBFT:C1 CEBMT:C1 "
    "CEDKYT:K1 CEMT:C1 EBKYT:Y1 EBFYT:Y1 EDK:K1 EDKFT:D1 EDKYT:D1 EKYMT:M1 ";

// Decisions in which a type was legal, and in which it was chosen.
struct Ratio {
    char letter;
    double chosen, legal;
};
constexpr std::array<Ratio, 11> kUnconditioned{{{'S', 352, 437},
                                                {'R', 1039, 2197},
                                                {'C', 205, 260},
                                                {'E', 3998, 7458},
                                                {'B', 624, 2594},
                                                {'D', 578, 1493},
                                                {'K', 139, 862},
                                                {'F', 18, 73},
                                                {'Y', 23, 77},
                                                {'M', 29, 162},
                                                {'T', 453, 7285}}};

[[nodiscard]] Type type_from(char letter) noexcept {
    switch (letter) {
        case 'S':
            return Type::settlement;
        case 'R':
            return Type::road;
        case 'C':
            return Type::city;
        case 'B':
            return Type::trade;
        case 'D':
            return Type::buy;
        case 'K':
            return Type::knight;
        case 'F':
            return Type::roads;
        case 'Y':
            return Type::plenty;
        case 'M':
            return Type::monopoly;
        case 'T':
            return Type::offer;
        default:
            return Type::end;
    }
}

[[nodiscard]] std::size_t place_of(char letter) noexcept {
    return static_cast<std::size_t>(type_from(letter));
}

using Weights = std::array<double, kTypes>;
// Types of a turn are those from `end` to `offer`.
constexpr int kFirst = static_cast<int>(Type::end);
constexpr std::size_t kSets = std::size_t{1} << (static_cast<int>(Type::offer) - kFirst + 1);

struct Table {
    Weights unconditioned{};
    std::vector<Weights> conditioned{kSets};  // all zero where a set was not seen

    Table() {
        for (const Ratio& ratio : kUnconditioned) {
            unconditioned[place_of(ratio.letter)] = ratio.chosen / ratio.legal;
        }
        std::size_t set = 0;
        for (std::size_t i = 0; i < kCounts.size(); ++i) {
            const char mark = kCounts[i];
            if (mark == ' ') {
                set = 0;
            } else if (mark == ':') {
                while (kCounts[i + 1] != ' ') {
                    const std::size_t type = place_of(kCounts[++i]);
                    double count = 0.0;
                    while (kCounts[i + 1] >= '0' && kCounts[i + 1] <= '9') {
                        count = 10.0 * count + (kCounts[++i] - '0');
                    }
                    conditioned[set][type] = count;
                }
                finish(conditioned[set]);
            } else {
                set |= std::size_t{1} << (place_of(mark) - kFirst);
            }
        }
    }

private:
    static void finish(Weights& counts) {
        double sum = 0.0;
        for (const double count : counts) sum += count;
        for (double& count : counts) count /= sum;
    }
};

}  // namespace

// A type that was never chosen from a set keeps its unconditioned weight, as does every type of a
// set that was never seen.
void human_weights(std::uint32_t types, bool conditioned, Weights& weights) noexcept {
    static const Table table;
    const Weights& seen = table.conditioned[types >> kFirst & (kSets - 1)];
    double sum = 0.0;
    for (std::size_t type = 0; type < kTypes; ++type) {
        const bool is_legal = (types >> type & 1) != 0;
        const double weight =
            conditioned && seen[type] > 0.0 ? seen[type] : table.unconditioned[type];
        weights[type] = is_legal ? weight : 0.0;
        sum += weights[type];
    }
    for (double& weight : weights) weight /= sum;
}

}  // namespace ludex::catan
