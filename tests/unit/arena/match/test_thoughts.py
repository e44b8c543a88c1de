"""What agents show of their thinking: kinds of notes, their bounds, records, replays, pictures."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.thoughts import MOST_KEPT, Diary, read_thoughts, write_thoughts
from ludex.arena.match.watcher import Watcher
from ludex.arena.pictures.film import Camera
from ludex.arena.pictures.mind_view import (
    BACK,
    beside_pixels,
    beside_svg,
    layers_of,
    map_block,
    mind_lines,
    note_lines,
    tinted,
    tints_svg,
    with_tints,
)
from ludex.arena.pictures.writing import write_frames
from ludex.cli import main
from ludex.core import Decision, Rng, registry
from ludex.core.notes import (
    LONGEST_LINE,
    LONGEST_WORDS,
    MOST_CELLS,
    MOST_NOTES,
    Cells,
    Line,
    Table,
    pack,
    sound,
    unpack,
)
from ludex.core.record import LARGEST_FILE, parse_record
from ludex.planners.do_nothing import DoNothing
from ludex.terminal.live_view import LiveView

EVERY_KIND = {
    "words": "simulate",
    "number": 3,
    "share": 0.25,
    "yes": True,
    "heat": Cells({(1, 2): 0.5, (0, 0): 1.0}),
    "plan": Line(("LEFT", "USE")),
    "rules": Table(("type", "seen"), (("wall", 3), ("door", 1))),
}


@dataclass(frozen=True, kw_only=True)
class Thinker(DoNothing):
    """Does nothing, and shows whatever it is told to."""

    shows: object = None
    raises: bool = False

    def plan(self, model, view, budget, rng):
        def thoughts():
            if self.raises:
                raise ValueError("no thoughts today")
            return self.shows

        return Decision(action=view.legal[0], notes={"mode": "still"}, thoughts=thoughts)


class Reader(Watcher):
    """Keeps the notes of all decisions."""

    reads_minds = True

    def __init__(self):
        self.notes = []

    def after_step(self, step):
        self.notes += [dict(one.notes) for one in step.decisions.values()]


class Deaf(Reader):
    """The same, but asks for no thoughts."""

    reads_minds = False


def watched(planner, reader=None, **more):
    reader = reader or Reader()
    result = play_match(
        "nim[heaps=2]", [planner, planner], budget="9calls", watchers=[reader], **more
    )
    return result, reader.notes


def test_every_kind_of_note_is_read_back_as_it_was_written():
    notes = sound(EVERY_KIND, str)
    assert notes == EVERY_KIND
    assert unpack(json.loads(json.dumps(pack(notes)))) == notes


def test_what_is_of_no_kind_becomes_words():
    class Mute:
        def __str__(self):
            raise RuntimeError

    found = sound({"list": [1, 2], "none": None, "mute": Mute(), 5: np.int64(7)}, str)
    assert found == {"list": "[1, 2]", "none": "None", "mute": "a Mute", "5": 7}


def test_words_hold_nothing_that_steers_a_terminal_or_cannot_be_written():
    (found,) = sound({"mode": "a\x1b[2Jb\ud800\u202ec\n d"}, str).values()
    assert found == "a?[2Jb??c d"
    found.encode()


@pytest.mark.parametrize("number", [float("inf"), float("nan"), 10**400])
def test_numbers_that_json_has_no_place_for_become_words(number):
    packed = pack(sound({"number": number}, str))
    assert json.loads(json.dumps(packed, allow_nan=False)) == packed
    assert isinstance(packed["number"], str)


def test_huge_notes_are_cut():
    many = {f"note {place}": place for place in range(1000)}
    assert len(sound(many, str)) == MOST_NOTES
    cells = {(x, y): 1.0 + (x == y) for x in range(100) for y in range(100)}
    found = sound(
        {
            "words": "w" * 10**6,
            "cells": Cells(cells),
            "line": Line(tuple("LEFT" for _ in range(10**5))),
            "table": Table(("a",), tuple((1, 2, 3) for _ in range(10**5))),
        },
        str,
    )
    assert len(found["words"]) == LONGEST_WORDS
    assert len(found["cells"].weights) == MOST_CELLS
    assert all(found["cells"].weights[place, place] == 2.0 for place in range(100))
    assert len(found["line"].moves) == LONGEST_LINE
    assert found["table"].rows[0] == (1,)
    assert len(json.dumps(pack(found))) < 100_000


def test_cells_off_the_board_and_without_weight_are_left_out():
    given_cells = {(-1, 0): 1.0, (0, 10**9): 1.0, (1, 1): 0.0, (2, 2): float("nan"), (3, 3): 0.5}
    assert sound({"heat": Cells(given_cells)}, str)["heat"] == Cells({(3, 3): 0.5})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["cells", "line", "heads", "rows"]), inner)
        ),
        max_leaves=6,
    )
)
@settings(max_examples=200, deadline=None)
def test_whatever_a_record_holds_as_a_note_can_be_shown(value):
    assert note_lines(unpack({"note": value}), 40)


def test_thoughts_are_asked_for_only_when_somebody_reads_minds():
    asked = []

    @dataclass(frozen=True, kw_only=True)
    class Asked(Thinker):
        def plan(self, model, view, budget, rng):
            return Decision(action=view.legal[0], thoughts=lambda: asked.append(1) or {"a": 1})

    watched(Asked(), Deaf())
    assert not asked
    _, notes = watched(Asked())
    assert len(asked) == len(notes) > 0
    assert all(one == {"a": 1} for one in notes)


def test_a_match_is_the_same_whether_watched_or_not():
    quiet = play_match("connect_four", ["mcts", "mcts"], seed=3, budget="60calls")
    loud = play_match(
        "connect_four", ["mcts", "mcts"], seed=3, budget="60calls", watchers=[Reader()]
    )
    assert quiet.record.text() == loud.record.text()


@pytest.mark.parametrize("shows", [None, 5, {1: object()}, {"x": Cells({("a", 0): 1.0})}])
def test_rubbish_for_thoughts_spoils_no_match(shows):
    result, notes = watched(Thinker(shows=shows))
    assert not result.faults
    assert all(one["mode"] == "still" for one in notes)


def test_thoughts_that_fail_are_told_and_spoil_no_match():
    result, notes = watched(Thinker(raises=True))
    assert not result.faults
    assert all("no thoughts today" in one["broken"] for one in notes)


def test_thoughts_come_from_other_processes_too():
    _, inside = watched("mcts", seed=2)
    _, outside = watched("mcts", seed=2, isolate=True)
    assert inside == outside
    assert any(isinstance(one.get("best line"), Line) for one in inside)


def test_records_keep_thoughts_when_asked_to():
    bare = play_match("nim", ["mcts"] * 2, budget="60calls")
    full = play_match("nim", ["mcts"] * 2, budget="60calls", keep_thoughts=True)
    assert all(moment.notes is None for moment in bare.record.moments)
    decided = [moment for moment in full.record.moments if moment.actions]
    assert all(moment.notes for moment in decided)
    assert [moment.actions for moment in decided] == [
        moment.actions for moment in bare.record.moments if moment.actions
    ]


def test_a_replay_shows_the_thoughts_again():
    seen, again = Reader(), Reader()
    played = play_match("nim", ["mcts"] * 2, budget="60calls", keep_thoughts=True, watchers=[seen])
    replay(parse_record(played.record.text()), watchers=[again])
    assert again.notes == seen.notes


def test_a_record_keeps_thoughts_until_it_would_be_too_large_to_be_read():
    nim = registry.world("nim")
    decisions = {0: Decision(action=nim.take(1, heap=0), notes={"mode": "still"})}
    length = len(json.dumps(Diary(nim).page(decisions)))
    diary = Diary(nim, most=2 * length)
    pages = [diary.page(decisions) for _ in range(4)]
    assert [page is not None for page in pages] == [True, True, False, False]
    assert MOST_KEPT < LARGEST_FILE


def shown_in(seen):
    return LiveView(Console(file=seen, width=80))


@pytest.mark.parametrize(("agent", "shows"), [("mo_mcts", "pheromones"), ("yolobot", "target")])
def test_a_replay_shows_every_picture_as_it_was_shown(agent, shows):
    first, again = io.StringIO(), io.StringIO()
    common = {"budget": "60calls", "rules": MatchRules(max_ticks=12), "keep_thoughts": True}
    played = play_match("vgdl/zelda", [agent], seed=1, watchers=[shown_in(first)], **common)
    replay(parse_record(played.record.text()), watchers=[shown_in(again)])
    assert shows in first.getvalue()
    assert again.getvalue() == first.getvalue()


@dataclass(frozen=True, kw_only=True)
class Valuer(DoNothing):
    """Values the first action by whatever it is told."""

    worth: object = 0

    def plan(self, model, view, budget, rng):
        return Decision(action=view.legal[0], values={view.legal[0]: self.worth})


@pytest.mark.parametrize("worth", [Fraction(1, 3), np.float32(0.5), np.int64(2), float("nan")])
def test_numbers_of_any_kind_are_shown_and_kept(worth):
    seen = io.StringIO()
    agents, watchers = [Valuer(worth=worth)] * 2, [shown_in(seen)]
    result = play_match("nim", agents, budget="9calls", watchers=watchers, keep_thoughts=True)
    assert not result.faults
    assert f"{float(worth):+.2f}" in seen.getvalue()
    replay(parse_record(result.record.text()))


@pytest.mark.parametrize("worth", ["much", 1j, 10**400, Fraction(10**400)])
def test_what_is_no_number_or_too_long_to_be_written_is_no_value(worth):
    result, _ = watched(Valuer(worth=worth), keep_thoughts=True)
    assert [fault.kind for fault in result.faults] == ["rubbish"]
    assert "its Decision.values holds" in result.faults[0].message


def test_records_without_thoughts_replay_as_ever():
    reader = Reader()
    played = play_match("nim", ["mcts"] * 2, budget="60calls")
    assert replay(parse_record(played.record.text()), watchers=[reader]) == played.outcome
    assert reader.notes == []


@pytest.mark.parametrize(
    "kept",
    [
        5,
        [],
        {},
        {"notes": 3, "visits": [1]},
        {"visits": {"x": "y"}},
        {"visits": {"take 1 from 0": 10**400}, "iterations": 10**400},
    ],
)
def test_damaged_thoughts_are_left_out(kept):
    nim = registry.world("nim")
    take = nim.take(1, heap=0)
    assert read_thoughts(nim, (take,), take, kept) == Decision(action=take)


def test_evidence_is_read_back_with_its_actions():
    nim = registry.world("nim")
    one, other = nim.take(1, heap=0), nim.take(2, heap=1)
    decision = Decision(
        action=one, visits={one: 7, other: 3}, values={one: 0.5, other: -0.25}, depth=4
    )
    kept = json.loads(json.dumps(write_thoughts(nim, decision)))
    assert read_thoughts(nim, (one, other), one, kept) == decision


def test_the_heaviest_cell_of_a_layer_is_drawn_full():
    (layer,) = layers_of({"heat": Cells({(0, 0): 2.0, (1, 0): 1.0}), "mode": "still"})
    assert layer.strengths == {(0, 0): 1.0, (1, 0): 0.5}
    assert map_block(layer, 3, 2) == ["hea", "@=·", "···"]


def test_tints_colour_the_cells_and_nothing_else():
    (layer,) = layers_of({"heat": Cells({(1, 0): 1.0})})
    pixels = np.zeros((4, 6, 3), dtype=np.uint8)
    painted = tinted(pixels, [layer], cell=2)
    assert painted[:2, 2:4, 0].min() > 100
    painted[:2, 2:4] = 0
    assert not painted.any()
    assert 'x="10" y="0" width="10"' in tints_svg([layer], 10)


def test_tints_colour_the_ground_and_leave_objects_alone():
    zelda = registry.world("vgdl/zelda")
    state = zelda.start(Rng(0))
    rows = zelda.draw(state).splitlines()
    place = next((row.index("A"), y) for y, row in enumerate(rows) if "A" in row)
    (layer,) = layers_of({"danger": Cells({place: 1.0})})
    plain, ground = zelda.pixels(state, 24, foot=False), zelda.ground_pixels(state, 24)
    drawn = with_tints(zelda, state, [layer], 24, foot=False)
    moved = np.abs(drawn.astype(int) - plain).max(axis=2)
    is_object = (plain != ground).any(axis=2)
    cell = np.zeros_like(is_object)
    cell[place[1] * 24 : (place[1] + 1) * 24, place[0] * 24 : (place[0] + 1) * 24] = True
    assert moved[cell & is_object].max() < 40 < 60 < moved[cell & ~is_object].min()
    assert not moved[~cell].any()
    # In SVG they lie between the ground and what stands on it.
    tinted_svg = beside_svg(zelda.draw(state, "svg"), (360, 264), "<circle/>", [])
    assert tinted_svg.index("#floor") < tinted_svg.index("<circle/>") < tinted_svg.rindex("<use")


def test_all_kinds_are_written_as_lines_of_bounded_width():
    nim = registry.world("nim")
    decision = Decision(action=nim.take(1, heap=0), notes=EVERY_KIND)
    lines = mind_lines(nim, "thinker", decision, 24)
    assert all(len(line) <= 24 for line in lines)
    text = "\n".join(lines)
    for part in ("words: simulate", "yes: yes", "plan: LEFT USE", "heat: 2 cells", "wall"):
        assert part in text


@pytest.mark.parametrize(
    ("width", "lines"),
    [
        (36, ["  type      seen  expected", "  9 portal  1200  score then vanish"]),
        (32, [" type     seen expected", " 9 portal 1200 score then vanish"]),
        (27, [" type     seen expected", " 9 portal 1200 score then", f"{'vanish':>21}"]),
        (22, ["  type, seen, expected", "  9 portal, 1200,", "    score then vanish"]),
    ],
)  # fmt: skip
def test_words_of_a_table_stay_whole_however_narrow_it_is(width, lines):
    rules = Table(("type", "seen", "expected"), (("9 portal", 1200, "score then vanish"),))
    assert note_lines({"rules": rules}, width) == ["rules:", *lines]


def test_the_action_played_is_shown_before_others_that_are_as_good():
    nim = registry.world("nim[heaps=9]")
    actions = nim.model.legal(nim.start(Rng(0)), 0)
    decision = Decision(action=actions[-1], values=dict.fromkeys(actions, 0.5))
    assert len(actions) == 9
    assert mind_lines(nim, "one_step", decision, 40)[1].startswith("> take 9")


def test_visits_and_values_of_actions_stay_whole_in_a_narrow_panel():
    zelda = registry.world("vgdl/zelda")
    (up,) = (one for one in range(6) if zelda.action_text(one) == "UP")
    decision = Decision(action=up, visits={up: 1234}, values={up: -0.5})
    assert mind_lines(zelda, "olets", decision, 26)[1] == "> UP        1,234    -0.50"


@pytest.mark.parametrize("agent", ["olets", "rhea", "open_loop_mcts", "best_first", "tovo2"])
def test_planners_show_the_line_they_expect(agent):
    reader = Reader()
    play_match(
        "vgdl/zelda",
        [agent],
        budget="60calls",
        watchers=[reader],
        rules=MatchRules(max_ticks=3),
    )
    lines = [one.get("best line") for one in reader.notes]
    assert all(isinstance(line, Line) and line.moves for line in lines)


@pytest.mark.parametrize(("agent", "name"), [("kb_mcts", "knowledge"), ("mo_mcts", "front")])
def test_knowledge_and_fronts_are_shown_as_tables(agent, name):
    reader = Reader()
    play_match(
        "vgdl/missilecommand",
        [agent],
        budget="300calls",
        watchers=[reader],
        rules=MatchRules(max_ticks=8),
    )
    assert reader.notes[-1][name].rows


def test_the_mind_of_yolobot_is_shown_in_all_its_modes():
    reader = Reader()
    play_match(
        "vgdl/zelda",
        ["yolobot(pre_run=no)"],
        budget="60calls",
        watchers=[reader],
        rules=MatchRules(max_ticks=6),
    )
    searching, simulating = reader.notes[0], reader.notes[-1]
    assert (searching["mode"], simulating["mode"]) == ("search", "simulate")
    assert searching["states"] > 1
    assert isinstance(searching["best line"], Line)
    assert isinstance(simulating["danger"], Cells)
    assert len(simulating["target"].weights) == 1
    assert set(simulating["target"].weights) < set(simulating["way"].weights)
    assert simulating["best line"].moves


def test_the_greedy_yolobot_shows_where_it_is_going_and_what_it_has_learned():
    reader = Reader()
    agents, rules = ["yolobot_greedy(epsilon=0)"], MatchRules(max_ticks=6)
    play_match("vgdl/zelda", agents, budget="60calls", watchers=[reader], rules=rules)
    notes = reader.notes[-1]
    assert notes["mode"] == "greedy"
    assert set(notes["target"].weights) < set(notes["way"].weights)
    assert isinstance(notes["danger"], Cells)
    assert isinstance(notes["rules learned"], Table)


def test_a_macro_action_in_progress_shows_its_rest_and_what_is_best_after_it():
    reader = Reader()
    agents, rules = ["macro_mcts(repeat=3)"], MatchRules(max_ticks=3)
    result = play_match("vgdl/zelda", agents, budget="400calls", watchers=[reader], rules=rules)
    _, second, third = result.decisions[0]
    assert reader.notes[1]["plan"] == Line((second.action, third.action))
    assert reader.notes[2]["plan"] == Line((third.action,))
    assert reader.notes[2]["best line"].moves


def test_films_show_minds_beside_the_board():
    played = play_match(
        "vgdl/zelda",
        ["mo_mcts"],
        budget="5iterations",
        keep_thoughts=True,
        seed=1,
        rules=MatchRules(max_ticks=10),
    )
    record = played.record
    plain, minds = Camera(every=3), Camera(every=3, minds=True)
    replay(record, watchers=[plain, minds])
    assert "pheromones" in minds.pictures[0].svg
    assert 'fill-opacity="' in minds.pictures[0].svg
    assert "pheromones" not in plain.pictures[1].svg


def test_a_film_ends_bare_beside_the_last_thoughts():
    agents = ["mcts", "mcts"]
    played = play_match("nim[heaps=2]", agents, budget="60calls", keep_thoughts=True)
    camera = Camera(cell=8, minds=True)
    replay(played.record, watchers=[camera])
    *_, thought, end = camera.frames
    assert end.lines == thought.lines
    assert len(end.lines) > 1
    assert not end.layers


def test_a_film_of_minds_has_pixels_of_one_size(tmp_path):
    played = play_match(
        "vgdl/zelda",
        ["mo_mcts"],
        budget="5iterations",
        keep_thoughts=True,
        rules=MatchRules(max_ticks=4),
    )
    camera, bare = Camera(cell=8, minds=True), Camera(cell=8)
    replay(played.record, watchers=[camera, bare])
    shapes = {frame.painted(camera.world, 8).shape for frame in camera.frames}
    assert len(shapes) == 1
    ((height, width, _),) = shapes
    plain = bare.frames[0].painted(bare.world, 8)
    assert plain.shape[0] < height  # there is room for what is written
    assert plain.shape[1] < width
    write_frames(tmp_path / "film.webp", camera.world, camera.frames, 8, 20)
    assert (tmp_path / "film.webp").stat().st_size > 0


def test_the_command_keeps_thoughts_in_records_and_shows_them(tmp_path, capsys):
    file, film = tmp_path / "game.jsonl", tmp_path / "film.svg"
    start = ["play", "nim", "--agents", "mcts,mcts", "--budget", "60calls", "--in-process"]
    assert main([*start, "--record", str(file)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file), "--watch"]) == 0
    assert "best line: " in capsys.readouterr().out
    assert main(["replay", str(file), "--out", str(film), "--minds"]) == 0
    assert "best line: " in film.read_text()
    assert main([*start, "--record", str(file), "--no-thoughts"]) == 0
    capsys.readouterr()
    assert main(["replay", str(file), "--out", str(film), "--minds"]) != 0
    assert "keeps no thoughts to show" in capsys.readouterr().err
    assert main(["replay", str(file), "--minds"]) != 0
    assert "--minds is for films" in capsys.readouterr().err
    assert main(["replay", str(file), "--strip"]) != 0
    assert "--strip is for films" in capsys.readouterr().err


def test_a_small_board_leaves_room_for_what_is_written_beside_it():
    board = np.full((40, 60, 3), 200, dtype=np.uint8)
    few, many = (beside_pixels(board, ["word"] * number) for number in (3, 90))
    assert few.shape == many.shape  # pictures of one film
    assert few.shape[0] >= 9 * 1.3 * 24
    assert (few[:40, :60] == board).all()
    written = (few != np.array(BACK, dtype=np.uint8)).any(axis=2)
    assert not written[40:, :60].any()
    assert 0 < written[:, 60:].sum() < (many != np.array(BACK)).any(axis=2)[:, 60:].sum()


def test_a_drawing_grows_with_what_is_written_beside_it():
    drawing = beside_svg("<svg viewBox='0 0 60 10'></svg>", (60.0, 10.0), "", ["word"] * 90)
    assert drawing.count(">word</text>") == 23
    assert "... and 67 more lines" in drawing
    assert 'viewBox="0 0 91 32.5"' in drawing
