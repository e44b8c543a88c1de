// Reads the resolved definition: one fact per line, words of key=value. The language itself is
// read in Python; this form is only ever written by it, and by the fuzzer.
#include "gamedef.hpp"

#include <charconv>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace ludex::vgdl {
namespace {

constexpr int kMostTypes = 4096;
constexpr int kMostRules = 65536;
constexpr int kMostPlaces = 2'000'000;
constexpr int kMostEndings = 1000;
constexpr int kMostTimed = 10'000;
constexpr int kMostArea = 250'000;      // cells
constexpr double kLargestSprite = 1e3;  // cells

class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() noexcept {
        const std::size_t begin = rest_.find_first_not_of(' ');
        if (begin == std::string_view::npos) return {};
        rest_.remove_prefix(begin);
        const std::size_t end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end);
        return word;
    }

private:
    std::string_view rest_;
};

bool read_exactly(std::string_view text, std::int32_t& out) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size();
}
// Limits, healths and the like stay within a billion, so that sums of them are always numbers.
bool read(std::string_view text, int& out) noexcept {
    if (!read_exactly(text, out)) return false;
    out = add(out, 0);
    return true;
}
bool read(std::string_view text, double& out) noexcept {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && std::abs(out) <= 1e9;
}
bool read(std::string_view text, bool& out) noexcept {
    out = text == "1";
    return text == "1" || text == "0";
}
bool read(std::string_view text, Vec& out) noexcept {
    const std::size_t comma = text.find(',');
    return comma != std::string_view::npos && read(text.substr(0, comma), out.x) &&
           read(text.substr(comma + 1), out.y);
}
bool read(std::string_view text, Numbers& out) {
    out.clear();
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        int number = 0;
        if (!read_exactly(text.substr(0, comma), number)) return false;
        out.push_back(number);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return true;
}

template <class Target>
using Setter = bool (*)(Target&, std::string_view);

template <auto Member, class Target>
bool set(Target& target, std::string_view text) {
    return read(text, target.*Member);
}

#define FIELD(Target, name) {#name, &set<&Target::name, Target>}

const std::unordered_map<std::string_view, Setter<TypeDef>> kTypeFields = {
    FIELD(TypeDef, ancestors),
    FIELD(TypeDef, subtypes),
    FIELD(TypeDef, is_leaf),
    FIELD(TypeDef, singleton),
    FIELD(TypeDef, unknown_keys),
    FIELD(TypeDef, wMult),
    FIELD(TypeDef, hMult),
    FIELD(TypeDef, speed),
    FIELD(TypeDef, max_speed),
    FIELD(TypeDef, mass),
    FIELD(TypeDef, gravity),
    FIELD(TypeDef, friction),
    FIELD(TypeDef, jump_strength),
    FIELD(TypeDef, rotation),
    FIELD(TypeDef, prob),
    FIELD(TypeDef, spreadprob),
    FIELD(TypeDef, maxDistance),
    FIELD(TypeDef, epsilon),
    FIELD(TypeDef, probability),
    FIELD(TypeDef, angle_diff),
    FIELD(TypeDef, ground_speedup_factor),
    FIELD(TypeDef, air_slowdown_factor),
    FIELD(TypeDef, physicstype),
    FIELD(TypeDef, cooldown),
    FIELD(TypeDef, lastmove),
    FIELD(TypeDef, healthPoints),
    FIELD(TypeDef, maxHealthPoints),
    FIELD(TypeDef, limitHealthPoints),
    FIELD(TypeDef, timeToLive),
    FIELD(TypeDef, limit),
    FIELD(TypeDef, age),
    FIELD(TypeDef, value),
    FIELD(TypeDef, total),
    FIELD(TypeDef, cons),
    FIELD(TypeDef, minAmmo),
    FIELD(TypeDef, ammoCost),
    FIELD(TypeDef, stationary),
    FIELD(TypeDef, is_oriented),
    FIELD(TypeDef, rotateInPlace),
    FIELD(TypeDef, is_static),
    FIELD(TypeDef, only_active),
    FIELD(TypeDef, is_npc),
    FIELD(TypeDef, is_resource),
    FIELD(TypeDef, portal),
    FIELD(TypeDef, is_from_avatar),
    FIELD(TypeDef, solid),
    FIELD(TypeDef, on_ground),
    FIELD(TypeDef, isFirstTick),
    FIELD(TypeDef, fleeing),
    FIELD(TypeDef, airsteering),
    FIELD(TypeDef, randomTarget),
    FIELD(TypeDef, orientation),
    FIELD(TypeDef, spawnorientation),
    FIELD(TypeDef, stype),
    FIELD(TypeDef, ammo),
    FIELD(TypeDef, stypes),
    FIELD(TypeDef, stypeMissile),
    FIELD(TypeDef, stype1),
    FIELD(TypeDef, stype2),
    FIELD(TypeDef, spawnBehind),
    FIELD(TypeDef, resource_name),
    FIELD(TypeDef, hidden),
    FIELD(TypeDef, invisible),
};

const std::unordered_map<std::string_view, Setter<RuleDef>> kRuleFields = {
    FIELD(RuleDef, enabled),
    FIELD(RuleDef, applyScore),
    FIELD(RuleDef, count),
    FIELD(RuleDef, countElse),
    FIELD(RuleDef, pixelPerfect),
    FIELD(RuleDef, killSecond),
    FIELD(RuleDef, killResource),
    FIELD(RuleDef, subtract),
    FIELD(RuleDef, orient),
    FIELD(RuleDef, align),
    FIELD(RuleDef, stepBack),
    FIELD(RuleDef, forceOrientation),
    FIELD(RuleDef, takeOrientation),
    FIELD(RuleDef, repeating),
    FIELD(RuleDef, limit),
    FIELD(RuleDef, geq),
    FIELD(RuleDef, leq),
    FIELD(RuleDef, subTypesNum),
    FIELD(RuleDef, spend),
    FIELD(RuleDef, timer),
    FIELD(RuleDef, nextExecution),
    FIELD(RuleDef, value),
    FIELD(RuleDef, prob),
    FIELD(RuleDef, offset),
    FIELD(RuleDef, limspeed),
    FIELD(RuleDef, maxBounceAngleDeg),
    FIELD(RuleDef, scoreChange),
    FIELD(RuleDef, scoreChangeIfKilled),
    FIELD(RuleDef, counter),
    FIELD(RuleDef, counterElse),
    FIELD(RuleDef, notStype),
    FIELD(RuleDef, stype),
    FIELD(RuleDef, estype),
    FIELD(RuleDef, stypeTo),
    FIELD(RuleDef, stype_other),
    FIELD(RuleDef, stypeCount),
    FIELD(RuleDef, resource),
    FIELD(RuleDef, heldResource),
    FIELD(RuleDef, spawnPoint),
    FIELD(RuleDef, shields),
    FIELD(RuleDef, inner),
};

const std::unordered_map<std::string_view, Setter<EndingDef>> kEndingFields = {
    FIELD(EndingDef, limit),       FIELD(EndingDef, subTypesNum), FIELD(EndingDef, stype),
    FIELD(EndingDef, stype1),      FIELD(EndingDef, stype2),      FIELD(EndingDef, stype3),
    FIELD(EndingDef, count_score), FIELD(EndingDef, min),         FIELD(EndingDef, use_counter),
    FIELD(EndingDef, compare),     FIELD(EndingDef, win),         FIELD(EndingDef, limits),
};

bool set_quirks(GameDef& game, std::string_view text) {
    std::int32_t number = 0;
    if (!read_exactly(text, number)) return false;
    game.quirks = static_cast<std::uint32_t>(number);
    return true;
}

const std::unordered_map<std::string_view, Setter<GameDef>> kGameFields = {
    FIELD(GameDef, players), FIELD(GameDef, counters),  FIELD(GameDef, messages),
    FIELD(GameDef, paths),   FIELD(GameDef, obstacles), {"quirks", &set_quirks},
};

const std::unordered_map<std::string_view, Setter<LevelDef>> kLevelFields = {
    FIELD(LevelDef, width),
    FIELD(LevelDef, height),
    FIELD(LevelDef, block),
    FIELD(LevelDef, messages),
};
#undef FIELD

template <class Target, class Table>
std::optional<std::string> read_fields(Words& words, Target& target, const Table& table) {
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const std::size_t equals = word.find('=');
        const auto found = table.find(word.substr(0, equals));
        if (equals == std::string_view::npos || found == table.end()) {
            return "unknown field " + std::string(word);
        }
        if (!found->second(target, word.substr(equals + 1))) {
            return "cannot read " + std::string(word);
        }
    }
    return std::nullopt;
}

template <std::size_t N>
int place_of(const std::array<std::string_view, N>& names, std::string_view name) noexcept {
    for (std::size_t i = 0; i < N; ++i) {
        if (names[i] == name) return static_cast<int>(i);
    }
    return -1;
}

bool any(const Numbers& numbers) noexcept {
    return std::any_of(numbers.begin(), numbers.end(), [](int n) { return n != 0; });
}

std::optional<std::string> read_line(std::string_view line, GameDef& game) {
    Words words(line);
    const std::string_view head = words.next();
    if (head == "game") return read_fields(words, game, kGameFields);
    if (head == "type") {
        if (game.types.size() >= kMostTypes) return "too many types";
        TypeDef& type = game.types.emplace_back();
        type.name = words.next();
        const int cls = place_of(kClassNames, words.next());
        if (cls >= 0) type.cls = static_cast<Class>(cls);
        return read_fields(words, type, kTypeFields);
    }
    if (head == "rule") {
        if (game.rules.size() >= kMostRules) return "too many rules";
        RuleDef& rule = game.rules.emplace_back();
        const int effect = place_of(kEffectNames, words.next());
        if (effect < 0) return "unknown effect";
        rule.effect = static_cast<Effect>(effect);
        auto error = read_fields(words, rule, kRuleFields);
        rule.scores = any(rule.scoreChange) || any(rule.scoreChangeIfKilled);
        rule.counts = any(rule.counter) || any(rule.counterElse);
        return error;
    }
    if (head == "end") {
        if (game.endings.size() >= kMostEndings) return "too many terminations";
        EndingDef& ending = game.endings.emplace_back();
        const int condition = place_of(kTerminationNames, words.next());
        if (condition < 0) return "unknown termination";
        ending.condition = static_cast<Termination>(condition);
        return read_fields(words, ending, kEndingFields);
    }
    if (head == "order") {
        if (!read(words.next(), game.order)) return "cannot read the order";
        return std::nullopt;
    }
    if (head == "pair") {
        if (game.pairs.size() >= kMostRules) return "too many pairs";
        PairDef& pair = game.pairs.emplace_back();
        if (read(words.next(), pair.first) && read(words.next(), pair.second) &&
            read(words.next(), pair.rules)) {
            return std::nullopt;
        }
        return "cannot read a pair";
    }
    if (head == "edges") {
        if (!read(words.next(), game.edges)) return "cannot read the edges";
        return std::nullopt;
    }
    if (head == "edge") {
        int type = 0;
        if (!read(words.next(), type) || type < 0 || type >= kMostTypes)
            return "cannot read an edge";
        if (game.edge_rules.size() <= static_cast<std::size_t>(type)) {
            game.edge_rules.resize(static_cast<std::size_t>(type) + 1);
        }
        if (!read(words.next(), game.edge_rules[static_cast<std::size_t>(type)])) {
            return "cannot read an edge";
        }
        return std::nullopt;
    }
    if (head == "timed") {
        if (game.timed.size() >= kMostTimed) return "too many timed rules";
        TimedDef& timed = game.timed.emplace_back();
        if (read(words.next(), timed.type) && read(words.next(), timed.rule)) return std::nullopt;
        return "cannot read a timed rule";
    }
    return "unknown line";
}

// Every number that names a type or a rule must be one.
class Check {
public:
    explicit Check(const GameDef& game)
        : types_(static_cast<int>(game.types.size())),
          rules_(static_cast<int>(game.rules.size())) {}
    void type(int number, bool may_be_none = true) noexcept {
        good_ = good_ && number >= (may_be_none ? kNoType : 0) && number < types_;
    }
    void types(const Numbers& numbers) noexcept {
        good_ = good_ && numbers.size() <= kMostTypes;
        for (const int number : numbers) type(number, false);
    }
    void rule(int number) noexcept { good_ = good_ && number >= 0 && number < rules_; }
    void rules(const Numbers& numbers) noexcept {
        for (const int number : numbers) rule(number);
    }
    void that(bool condition) noexcept { good_ = good_ && condition; }
    [[nodiscard]] bool good() const noexcept { return good_; }

private:
    int types_;
    int rules_;
    bool good_ = true;
};

// The types that an effect cannot do without.
bool has_its_types(const RuleDef& rule) noexcept {
    switch (rule.effect) {
        case Effect::killAll:
        case Effect::increaseSpeedToAll:
        case Effect::decreaseSpeedToAll:
        case Effect::setSpeedForAll:
        case Effect::transformToAll:
        case Effect::transformToSingleton:
        case Effect::transformToRandomChild:
            return rule.stype != kNoType;
        case Effect::killIfHasLess:
        case Effect::killIfHasMore:
        case Effect::killIfOtherHasMore:
        case Effect::spawnIfHasMore:
        case Effect::spawnIfHasLess:
        case Effect::changeResource:
            return rule.resource != kNoType;
        case Effect::collectResourceIfHeld:
            return rule.heldResource != kNoType;
        case Effect::spawnIfCounterSubTypes:
        case Effect::transformIfCount:
            return rule.stypeCount != kNoType;
        case Effect::updateSpawnType:
            return rule.spawnPoint != kNoType;
        default:
            return true;
    }
}

bool has_its_types(const EndingDef& ending) noexcept {
    switch (ending.condition) {
        case Termination::SpriteCounter:
        case Termination::SpriteCounterMore:
            return ending.stype != kNoType;
        case Termination::MultiSpriteCounterSubTypes:
            return ending.stype1 != kNoType;
        default:
            return true;
    }
}

bool is_consistent(const GameDef& game) {
    Check check(game);
    for (const TypeDef& type : game.types) {
        for (const Numbers* list : {&type.ancestors, &type.subtypes, &type.stype, &type.ammo,
                                    &type.stypes, &type.stypeMissile, &type.stype1, &type.stype2,
                                    &type.spawnBehind, &type.resource_name}) {
            check.types(*list);
        }
        check.that(type.cooldown >= 1 && !type.ancestors.empty() && !type.subtypes.empty());
        check.that(std::abs(type.wMult) <= kLargestSprite &&
                   std::abs(type.hMult) <= kLargestSprite);
    }
    for (const RuleDef& rule : game.rules) {
        for (const int type :
             {rule.stype, rule.estype, rule.stypeTo, rule.stype_other, rule.stypeCount,
              rule.resource, rule.heldResource, rule.spawnPoint}) {
            check.type(type);
        }
        check.types(rule.notStype);
        check.that(has_its_types(rule));
        if (rule.effect == Effect::addTimer) {
            check.rule(rule.inner);
            if (check.good()) {
                check.that(game.rules[static_cast<std::size_t>(rule.inner)].effect !=
                           Effect::addTimer);
            }
        }
    }
    for (const PairDef& pair : game.pairs) {
        check.type(pair.first, false);
        check.type(pair.second, false);
        check.rules(pair.rules);
    }
    check.types(game.order);
    check.types(game.edges);
    check.types(game.obstacles);
    for (const Numbers& rules : game.edge_rules) check.rules(rules);
    for (const TimedDef& timed : game.timed) {
        check.type(timed.type, false);
        check.rule(timed.rule);
    }
    for (const EndingDef& ending : game.endings) {
        for (const int type : {ending.stype, ending.stype1, ending.stype2, ending.stype3}) {
            check.type(type);
        }
        check.that(has_its_types(ending));
    }
    check.that(game.types.size() >= 2);
    check.that(game.players >= 1 && game.players <= 16);
    check.that(game.counters >= 0 && game.counters <= 1000);
    check.that(game.edge_rules.size() == game.types.size());
    return check.good();
}

template <class Line>
std::optional<std::string> for_lines(std::string_view text, const Line& read_one) {
    int number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        if (auto error = read_one(line)) return "line " + std::to_string(number) + ": " + *error;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> read_game(std::string_view text, GameDef& game) {
    game = GameDef{};
    auto error = for_lines(text, [&](std::string_view line) { return read_line(line, game); });
    if (error) return error;
    if (game.edge_rules.size() < game.types.size()) game.edge_rules.resize(game.types.size());
    if (!is_consistent(game)) return "a number is out of range";
    return std::nullopt;
}

std::optional<std::string> read_level(std::string_view text, const GameDef& game, LevelDef& level) {
    level = LevelDef{};
    auto error = for_lines(text, [&](std::string_view line) -> std::optional<std::string> {
        Words words(line);
        const std::string_view head = words.next();
        if (head == "level") return read_fields(words, level, kLevelFields);
        if (head != "s" || level.places.size() >= kMostPlaces) return "unknown line";
        LevelDef::Place& place = level.places.emplace_back();
        const auto types = static_cast<int>(game.types.size());
        const bool good = read(words.next(), place.type) && read(words.next(), place.column) &&
                          read(words.next(), place.row) && place.type >= 0 && place.type < types &&
                          place.column >= 0 && place.column < level.width && place.row >= 0 &&
                          place.row < level.height;
        if (!good) return "cannot read a place";
        return std::nullopt;
    });
    if (error) return error;
    constexpr int kLongest = 65'535;
    constexpr std::int64_t kMostPixels = 5'000'000;  // of a side
    if (level.width < 1 || level.height < 1 || level.width > kLongest || level.height > kLongest ||
        std::int64_t{level.width} * level.height > kMostArea) {
        return "the level has too many cells, or none";
    }
    if (level.block < 1 || level.block > 10'000) return "a cell has from 1 to 10,000 pixels";
    if (std::int64_t{std::max(level.width, level.height)} * level.block > kMostPixels)
        return "the level is more than 5,000,000 pixels long";
    return std::nullopt;
}

std::uint8_t actions_of(Class cls) noexcept {
    constexpr int nil = 1 << kNilAction, up = 1 << kUpAction, left = 1 << kLeftAction;
    constexpr int down = 1 << kDownAction, right = 1 << kRightAction, use = 1 << kUseAction;
    switch (cls) {
        case Class::HorizontalAvatar:
            return nil | left | right;
        case Class::VerticalAvatar:
            return nil | up | down;
        case Class::NullAvatar:
            return nil;
        case Class::FlakAvatar:
        case Class::PlatformerAvatar:
            return nil | left | right | use;
        case Class::ShootAvatar:
        case Class::ShootOnlyAvatar:
        case Class::OngoingShootAvatar:
        case Class::SpaceshipAvatar:
            return nil | up | left | down | right | use;
        case Class::AimedAvatar:
            return nil | up | down | use;
        case Class::BirdAvatar:
            return nil | use;
        case Class::WizardAvatar:
            return nil | up | left | right | use;
        default:
            return nil | up | left | down | right;
    }
}

}  // namespace ludex::vgdl
