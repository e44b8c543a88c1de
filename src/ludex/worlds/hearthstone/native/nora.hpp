// The learned player Nora and what belongs to it: the board-control score, the vectors of states
// and actions, the players it was compared with, samples for learning, and forests of trees.
//
// D. Taralla, "Learning Artificial Intelligence in Large-Scale Video Games", Liege 2015.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "rules.hpp"

namespace ludex::hearthstone {

constexpr int kStateFeatures = 109;  // and one for each card number
constexpr int kPlayFeatures = 1;
constexpr int kTargetFeatures = 6;
constexpr int kAttackFeatures = 9;

enum class Group3 : std::uint8_t { play, target, attack };

// How scores and vectors are made.
struct Manner {
    std::vector<std::int16_t> numbers;  // by our card number; -1: not in the study
    std::vector<std::int16_t> actions;  // number of the targeted action of a card, from 1
    int action_count = 0;
    int cards = 67;
    bool released = true;  // the trade term as the released program computed it
    bool one_hot = false;  // targeted rows end with one place for each action
};

// The score of a state for the player whose turn it is, from -1 to 1.
[[nodiscard]] double board_control(const Rules& rules, const State& state, const Manner& manner,
                                   int seat) noexcept;
[[nodiscard]] double aggro(const Rules& rules, const State& state, int seat) noexcept;
[[nodiscard]] double trade(const Rules& rules, const State& state, int seat,
                           bool released) noexcept;

// Vectors of whole numbers; the places of minions are shifted at random.
void encode_state(const Rules& rules, const State& state, const Manner& manner, int seat, Rng& rng,
                  std::vector<std::int16_t>& out) noexcept;
void encode_play(const Rules& rules, const State& state, const Manner& manner, Action action,
                 std::vector<std::int16_t>& out) noexcept;
void encode_attack(const Rules& rules, const State& state, const Manner& manner, Action action,
                   std::vector<std::int16_t>& out) noexcept;
void encode_target(const Rules& rules, const State& state, const Manner& manner, CardId source,
                   Ref target, int seat, std::vector<std::int16_t>& out) noexcept;
// Numbers the targeted actions in the order of the study's card numbers; 0 stands for attacks.
void number_actions(const Rules& rules, Manner& manner);
[[nodiscard]] int row_size(const Manner& manner, Group3 group) noexcept;

// Players; each returns a whole action. `damped` is the random player that makes samples.
[[nodiscard]] Action random_move(const Rules& rules, const State& state, Rng& rng,
                                 bool damped = false) noexcept;
[[nodiscard]] Action scripted_move(const Rules& rules, const State& state) noexcept;

// Trees that vote with probabilities, as scikit-learn's.
struct Forest {
    struct Node {
        std::int16_t feature;  // -1: a leaf
        std::int16_t cut;      // to the next node if the feature is at most this
        std::int32_t right;    // the other node, or the place of the leaf's probability
    };
    std::vector<Node> nodes;
    std::vector<std::int32_t> roots;
    std::vector<float> leaves;
    [[nodiscard]] std::int32_t leaf_of(std::int32_t root, const std::int16_t* row) const noexcept;
    [[nodiscard]] double probability(const std::int16_t* row) const noexcept;
    [[nodiscard]] int widest() const noexcept;  // columns that a row must have
};

struct Nora {
    std::array<std::shared_ptr<const Forest>, 3> forests;  // play, target, attack
    Manner manner;
    double threshold = 0.0;
};

struct Thought {
    Action action = 0;
    double confidence = 0.0;
    bool target = false;  // a choice of target, not of an action
};

[[nodiscard]] Action nora_move(const Rules& rules, const State& state, const Nora& nora, Rng& rng,
                               std::vector<Thought>* thoughts = nullptr) noexcept;

// The same card or power on the target that Nora thinks best; what has no target stays as it is.
[[nodiscard]] Action aimed(const Rules& rules, const State& state, const Nora& nora, Action action,
                           Rng& rng, std::vector<Thought>* thoughts = nullptr) noexcept;

struct Samples {
    std::array<std::vector<std::int16_t>, 3> rows;
    std::array<std::vector<float>, 3> rewards;
    std::array<std::int64_t, 3> seen{};
    std::array<std::int64_t, 3> zeros{};
    std::array<std::array<std::int64_t, 2>, 3> kept{};  // negative, positive
    std::int64_t games = 0;
};

// Random games between random decks or those of the rules, until each class of each group has
// `quota` rows or `games` are played. Game i depends on (seed, i) alone. With a forest for
// targets these are chosen by it, as in two-step training.
void make_samples(const Rules& rules, const Manner& manner, std::uint64_t seed,
                  std::int64_t first_game, std::int64_t games, std::int64_t quota,
                  const Nora* chooser, Samples& samples) noexcept;

}  // namespace ludex::hearthstone
