#include "level.hpp"

#include <algorithm>
#include <utility>

#include "engine.hpp"

namespace ludex::vgdl {
namespace {

// A block with a header, no sprites, and room for none.
void lay_out(const Level& level, State& state) {
    const GameDef& game = level.game;
    Header header;
    header.players = static_cast<std::uint16_t>(game.players);
    header.counters = static_cast<std::uint16_t>(game.counters);
    header.flags = static_cast<std::uint32_t>(level.layout.flags);
    header.sections = static_cast<std::uint16_t>(level.layout.section_types.size());
    header.messages = game.messages + level.def.messages;
    const std::size_t used = State::records_at(header);
    header.used = static_cast<std::uint32_t>(used);
    state.reserve(used);
    std::memset(state.data(), 0, used);
    std::memcpy(state.data(), &header, sizeof header);
    for (int i = 0; i < game.players; ++i) state.player(i) = Player{};
    for (int i = 0; i < header.sections; ++i) {
        Section& section = state.sections()[i];
        section.offset = header.used;
        section.stride = level.layout.types[slot(level.layout.section_types[slot(i)])].stride;
    }
    for (std::size_t i = 0; i < game.rules.size(); ++i) {
        const int place = level.layout.flag_of_rule[i];
        if (place < 0) continue;
        const RuleDef& rule = game.rules[i];
        state.flags()[place] = static_cast<std::uint8_t>((rule.applyScore ? kApplyScore : 0) |
                                                         (rule.count ? kCount : 0) |
                                                         (rule.countElse ? kCountElse : 0));
    }
}

void drop(State& state, Section& section, int index) {
    std::byte* const place = reinterpret_cast<std::byte*>(&state.sprite(section, index));
    const auto rest = static_cast<std::size_t>(section.count - index - 1);
    std::memmove(place, place + section.stride, rest * static_cast<std::size_t>(section.stride));
    --section.count;
}

// Avatars beyond the number of players are not created at all, as far as the game can see.
void drop_surplus_avatars(const Level& level, State& state) {
    std::vector<std::pair<std::int32_t, Ref>> avatars;
    for (int s = 0; s < state.header().sections; ++s) {
        const int type = level.layout.section_types[slot(s)];
        if (!level.layout.types[slot(type)].is_avatar) continue;
        for (int i = 0; i < state.sections()[s].count; ++i) {
            avatars.emplace_back(state.sprite(state.sections()[s], i).id, Ref{type, i});
        }
    }
    std::sort(avatars.begin(), avatars.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    // From the last one, so that the places of the others stay true.
    for (std::size_t i = avatars.size(); i > slot(level.game.players); --i) {
        const Ref ref = avatars[i - 1].second;
        drop(state, state.sections()[level.layout.types[slot(ref.type)].section], ref.index);
        --state.header().sprites;
    }
}

void bind_players(const Level& level, State& state) {
    std::vector<Ref> found;
    const Numbers& order = level.game.order;
    const std::size_t lowest = level.game.has(kFirstTypeUnbound) ? 1 : 0;
    for (std::size_t place = order.size(); place-- > lowest;) {
        const TypeLayout& type = level.layout.types[slot(order[place])];
        if (type.section < 0 || !type.is_avatar) continue;
        const int n = state.sections()[type.section].count;
        for (int i = 0; i < n; ++i) {
            found.push_back({order[place], level.game.has(kReverseBinding) ? i : n - 1 - i});
        }
    }
    std::reverse(found.begin(), found.end());
    for (int i = 0; i < level.game.players && slot(i) < found.size(); ++i) {
        Player& player = state.player(i);
        player.type = found[slot(i)].type;
        player.index = found[slot(i)].index;
        const Section& section = state.sections()[level.layout.types[slot(player.type)].section];
        state.sprite(section, player.index).player = static_cast<std::int8_t>(i);
    }
}

bool is_hidden(const TypeDef& type) noexcept { return !type.hidden.empty() && type.hidden[0] != 0; }

// Cells in which an obstacle is seen: where its corner is and, off the grid lines, the next ones.
std::vector<std::uint8_t> blocked_cells(const Level& level, const State& state) {
    const int width = level.def.width, height = level.def.height, block = level.def.block;
    std::vector<std::uint8_t> blocked(slot(width) * slot(height), 0);
    for (const int type : level.game.obstacles) {
        const TypeLayout& layout = level.layout.types[slot(type)];
        if (layout.section < 0 || is_hidden(level.game.types[slot(type)])) continue;
        const Section& section = state.sections()[layout.section];
        for (int i = 0; i < section.count; ++i) {
            const Rect& rect = state.sprite(section, i).rect;
            const int x = rect.x / block, y = rect.y / block;
            blocked[slot(y * width + x)] = 1;
        }
    }
    return blocked;
}

void start_timers(const Level& level, State& state) {
    for (const TimedDef& timed : level.game.timed) {
        const RuleDef& rule = level.game.rules[slot(timed.rule)];
        int due = rule.nextExecution != -1 ? rule.timer : -1;
        if (!level.game.has(kTimedAtOnce)) due = rule.timer;
        const auto place = std::find_if(state.timers.begin(), state.timers.end(),
                                        [due](const Timer& timer) { return timer.due >= due; });
        state.timers.insert(place, Timer{due, timed.rule, timed.type});
    }
}

}  // namespace

Level::Level(GameDef game_def, LevelDef level_def)
    : game(std::move(game_def)), def(std::move(level_def)), layout(analyse(game, def)) {
    screen = {0, 0, def.width * def.block, def.height * def.block};
    // What sprites take over from others, these have from their types.
    one_size = def.block > 0 && def.block <= Crowd::kLargest &&
               std::all_of(layout.section_types.begin(), layout.section_types.end(), [&](int type) {
                   const TypeLayout& one = layout.types[slot(type)];
                   return one.width == def.block && one.height == def.block;
               });
    lay_out(*this, start);
    Workspace work;
    work.last.resize(layout.section_types.size());
    JavaDice none(0);
    Engine<JavaDice> engine(*this, start, work, none, false);
    for (const LevelDef::Place& place : def.places) {
        engine.create(place.type, place.column * def.block, place.row * def.block);
    }
    drop_surplus_avatars(*this, start);
    bind_players(*this, start);
    start_timers(*this, start);
    if (game.paths) {
        int actions = 0;
        if (start.player(0).type >= 0) {
            actions = layout.types[slot(start.player(0).type)].actions & ~(1 << kNilAction);
        }
        const bool sideways = __builtin_popcount(static_cast<unsigned>(actions)) == 3;
        paths.build(def.width, def.height, blocked_cells(*this, start), sideways);
    }
    for (int x = 0; x < screen.w; ++x) columns.push_back(static_cast<std::uint16_t>(x / def.block));
    for (int y = 0; y < screen.h; ++y) rows.push_back(static_cast<std::uint16_t>(y / def.block));
    for (int x = 0; x + def.block <= screen.w; ++x)
        across.push_back({columns[slot(x)], columns[slot(x + def.block - 1)]});
    for (int y = 0; y + def.block <= screen.h; ++y)
        down.push_back({rows[slot(y)], rows[slot(y + def.block - 1)]});
    settle();
    problem = make_plan(*this, plan);
    schedule = make_schedule(game, layout, plan, kTicks);
    start.owner = owner;
}

// List the sprites in each cell, in order.
void Level::index(SettledType& group) const {
    const std::size_t cells = slot(def.width) * slot(def.height);
    const auto sprite = [&](int i) -> const Rect& {
        return reinterpret_cast<const Sprite*>(records.data() + group.section.offset +
                                               slot(i) * slot(group.section.stride))
            ->rect;
    };
    group.heads.assign(cells, -1);
    for (int i = group.section.count; i-- > 0;) {  // each is put before those listed already
        const CellRange range = cells_of(sprite(i));
        for (int y = range.top; y <= range.bottom; ++y) {
            for (int x = range.left; x <= range.right; ++x) {
                std::int32_t& head = group.heads[slot(y * def.width + x)];
                group.entries.push_back({i, head});
                head = static_cast<std::int32_t>(group.entries.size()) - 1;
            }
        }
    }
}

// Take the records of settled sprites out of the first state, index them, and pack the rest.
void Level::settle() {
    settled.resize(layout.section_types.size());
    for (std::size_t s = 0; s < settled.size(); ++s) {
        const TypeLayout& type = layout.types[slot(layout.section_types[s])];
        if (!type.is_settled) continue;
        Section& section = start.sections()[s];
        SettledType& one = settled[s];
        one.section = section;
        one.section.offset = static_cast<std::uint32_t>(records.size());
        const std::byte* const from = start.data() + section.offset;
        records.insert(records.end(), from, from + slot(section.count) * slot(section.stride));
        index(one);
        if (type.alive >= 0) {
            for (int i = 0; i < section.count; ++i) {
                start.flags()[type.alive + (i >> 3)] |= static_cast<std::uint8_t>(1 << (i & 7));
            }
        }
    }
    State packed;
    packed.reserve(start.size());
    const std::size_t head = State::records_at(start.header());
    std::memcpy(packed.data(), start.data(), head);
    std::size_t used = head;
    for (int s = 0; s < start.header().sections; ++s) {
        const Section& section = start.sections()[s];
        Section& target = packed.sections()[s];
        target.offset = static_cast<std::uint32_t>(used);
        if (layout.types[slot(layout.section_types[slot(s)])].is_settled) {
            target.stride = target.capacity = 0;
            continue;
        }
        const std::size_t bytes = slot(section.capacity) * slot(section.stride);
        std::memcpy(packed.data() + used, start.data() + section.offset, bytes);
        used += bytes;
    }
    packed.header().used = static_cast<std::uint32_t>(used);
    packed.header().fixtures = new_fixtures();
    packed.timers = start.timers;
    start = packed;
}

// A uniform-cost search from every free cell. The order in which equal costs leave the heap
// decides between shortest paths, so the heap is the textbook one: sift up while strictly
// smaller, sift down to the smaller child, the left one on ties.
void Paths::build(int width, int height, const std::vector<std::uint8_t>& blocked,
                  bool sideways_only) {
    constexpr std::size_t kMostCells = 4096;
    const auto area = slot(width) * slot(height);
    if (area > kMostCells) return;  // no paths on levels too large for them
    width_ = width;
    height_ = height;
    steps_.assign(area * area, kNoPath);
    struct Entry {
        int cost, cell;
    };
    std::vector<Entry> heap;
    std::vector<std::uint8_t> first(area);
    std::vector<std::uint8_t> visited(area);
    const auto push = [&heap](Entry entry) {
        heap.push_back(entry);
        std::size_t i = heap.size() - 1;
        while (i > 0 && heap[i].cost < heap[(i - 1) / 2].cost) {
            std::swap(heap[i], heap[(i - 1) / 2]);
            i = (i - 1) / 2;
        }
    };
    const auto pop = [&heap]() {
        const Entry top = heap.front();
        heap.front() = heap.back();
        heap.pop_back();
        std::size_t i = 0;
        while (true) {
            std::size_t child = 2 * i + 1;
            if (child >= heap.size()) break;
            if (child + 1 < heap.size() && heap[child + 1].cost < heap[child].cost) ++child;
            if (!(heap[child].cost < heap[i].cost)) break;
            std::swap(heap[i], heap[child]);
            i = child;
        }
        return top;
    };
    // Up, down, left, right; `step` is the place in kBase.
    struct Neighbour {
        int dx, dy;
        std::uint8_t step;
    };
    constexpr Neighbour kNeighbours[4] = {{0, -1, 0}, {0, 1, 2}, {-1, 0, 1}, {1, 0, 3}};
    for (std::size_t start = 0; start < area; ++start) {
        if (blocked[start]) continue;
        std::fill(visited.begin(), visited.end(), std::uint8_t{0});
        heap.clear();
        visited[start] = 1;
        first[start] = kNoPath;  // from a cell to itself there is none
        push({0, static_cast<int>(start)});
        while (!heap.empty()) {
            const Entry entry = pop();
            const int x = entry.cell % width, y = entry.cell / width;
            steps_[start * area + slot(entry.cell)] = first[slot(entry.cell)];
            for (int n = sideways_only ? 2 : 0; n < 4; ++n) {
                const int nx = x + kNeighbours[n].dx, ny = y + kNeighbours[n].dy;
                if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
                const std::size_t cell = slot(ny * width + nx);
                if (blocked[cell] || visited[cell]) continue;
                visited[cell] = 1;
                first[cell] =
                    slot(entry.cell) == start ? kNeighbours[n].step : first[slot(entry.cell)];
                push({entry.cost + 1, static_cast<int>(cell)});
            }
        }
    }
}

}  // namespace ludex::vgdl
