"""Watching agents at a real pseudo-terminal: keys, the end, and what stays on the screen."""

import re
import signal
import termios

import pytest
from terminal_player import ESCAPES

from ludex.arena.match.replay import replay
from ludex.core.record import read_record

pytestmark = pytest.mark.timeout(300)
ZELDA = ("play", "vgdl/zelda", "--agents", "uniform", "--budget", "9calls", "--watch")
LEAVE = "\x1b[?1049l"


def left_on(watcher):
    """What is on the screen after the terminal was given back."""
    assert watcher.seen.count(LEAVE) == 1
    assert termios.tcgetattr(watcher.theirs) == watcher.before
    return watcher.seen.rpartition(LEAVE)[2]


@pytest.mark.parametrize(
    "game",
    [
        ZELDA,
        ("play", "nim[heaps=9-9-9]", "--agents", "uniform,uniform", "--watch", "--delay", "0.05"),
        ("play", "catan", "--agents", "uniform,uniform,uniform,uniform", "--watch"),
        ("play", "hearthstone", "--agents", "uniform,uniform", "--watch"),
    ],
    ids=["vgdl", "nim", "catan", "hearthstone"],
)
def test_a_game_of_agents_is_paused_stepped_and_left(player, game):
    watcher = player(*game, "--seed", "1", columns=90, rows=60)
    watcher.waits_for("p pause").types("p").waits_for("paused: p go on")
    tick = watcher.last_tick()
    mark = len(watcher.seen)
    while watcher.last_tick() == tick:  # an outcome of chance is a step of its own
        watcher.types(".")
    assert watcher.last_tick() == tick + 1
    assert "<- back" in ESCAPES.sub("", watcher.seen[mark:])
    mark = len(watcher.seen)
    watcher.types("p").waits_for(f"tick {tick + 2}", mark)
    assert watcher.leaves() == 0
    assert "stopped by the viewer at tick" in left_on(watcher)


def test_earlier_pictures_are_looked_at_again(player):
    watcher = player(*ZELDA, "--seed", "1").waits_for("tick 5").types("p").waits_for("paused")
    tick = watcher.last_tick()
    watcher.types("\x1b[D")
    assert watcher.last_tick() == tick - 1
    watcher.types(",")
    assert watcher.last_tick() == tick - 2
    watcher.types("\x1b[C..")
    assert watcher.last_tick() == tick + 1
    mark = len(watcher.seen)
    watcher.types("," * (tick + 9))
    assert watcher.last_tick() == 0
    assert "paused: p go on  -> step  h keys  q quit" in ESCAPES.sub("", watcher.seen[mark:])
    assert watcher.leaves() == 0


def test_the_pace_changes_and_only_possible_changes_are_offered(player):
    watcher = player(*ZELDA, "--delay", "0.02").waits_for("+ faster")
    mark = len(watcher.seen)
    watcher.types("+").waits_for("as fast as it goes", mark)
    assert "+ faster" not in ESCAPES.sub("", watcher.seen[mark:]).partition("as fast")[2]
    watcher.types("-" * 9).waits_for("a picture every 6 s")
    assert "- slower" not in ESCAPES.sub("", watcher.seen).rpartition("p pause")[2]
    assert watcher.leaves() == 0


def test_h_names_all_keys_until_another_key_is_pressed(player):
    watcher = player(*ZELDA).waits_for("h keys").types("h").waits_for("p/space pause")
    mark = len(watcher.seen)
    watcher.types("x").waits_for("p pause", mark)
    assert watcher.leaves() == 0


def test_a_game_that_is_left_keeps_its_record(player, tmp_path):
    file = tmp_path / "left.jsonl"
    watcher = player(*ZELDA, "--record", str(file)).waits_for("tick 3").types("q")
    assert watcher.ends() == 0
    record = read_record(file)
    assert record.steps >= 3
    assert replay(record).reason.startswith("stopped by the viewer at tick")
    assert f"wrote {file}" in ESCAPES.sub("", left_on(watcher)).replace("\r\n", "")


def test_of_a_series_that_is_left_the_whole_games_are_kept(player):
    words = ("--agents", "uniform,uniform", "--watch", "--delay", "0.02", "--games", "500")
    watcher = player("play", "nim[heaps=3]", *words).waits_for("p pause").types("q")
    assert watcher.ends() == 0
    left = ESCAPES.sub("", left_on(watcher))
    played = int(re.search(r"(\d+) games? at", left)[1])
    assert f"interrupted: {500 - played} games not played" in left


def test_a_pause_costs_no_agent_its_budget(player):
    """Agents in processes of their own, on a time budget, are not asked while nobody plays."""
    words = ("--agents", "random_search,one_step", "--budget", "20ms", "--watch", "--delay", "0")
    watcher = player("play", "connect_four", *words).waits_for("tick 2").types("p")
    watcher.waits_for("paused").last_tick()
    for _ in range(4):
        watcher.read(0.5)
    watcher.types("p")
    assert watcher.ends() == 0
    left = left_on(watcher)
    assert "winner" in left or "nobody wins" in left
    assert "hang" not in left
    assert "overrun" not in left


SLOW = """
import time

class Slow:
    def decide(self, model, view, budget, rng):
        time.sleep(20)
        return view.legal[0]
"""


def test_keys_are_answered_while_an_agent_thinks(player, tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    agents = f"{tmp_path / 'slow.py'}:Slow,uniform"
    words = ("--agents", agents, "--budget", "99calls", "--patience", "60", "--watch")
    watcher = player("play", "connect_four", *words).waits_for("p pause")
    watcher.types("p").waits_for("paused: p go on").types("p").waits_for("+ faster")
    watcher.types("q").waits_for("quits after this decision; Ctrl-C quits now")
    assert "tick 1" not in ESCAPES.sub("", watcher.seen)
    watcher.types("\x03")
    assert watcher.ends() == 130
    assert "not played to its end" in left_on(watcher)


def test_ctrl_c_while_watching_gives_the_terminal_back(player):
    watcher = player(*ZELDA, "--seed", "1").waits_for("tick 2").types("\x03")
    assert watcher.ends() == 130
    assert "not played to its end" in left_on(watcher)


@pytest.mark.parametrize("world", ["vgdl/zelda", "life"])
def test_the_terminal_is_given_back_when_the_program_is_ended(player, world):
    words = ("--agents", "uniform", "--watch", "--delay", "0.5")
    watcher = player("play", world, *words).waits_for("tick 2")
    watcher.child.terminate()
    assert watcher.ends() == 128 + signal.SIGTERM
    left_on(watcher)


def test_nothing_that_is_typed_is_echoed(player):
    watcher = player(*ZELDA, "--delay", "0.1").waits_for("tick 1").types("xyzzy")
    watcher.waits_for("tick 3")
    assert "xyz" not in watcher.seen
    assert watcher.leaves() == 0


def test_watching_fills_the_terminal_with_half_blocks_whatever_its_size(player):
    watcher = player(*ZELDA, "--delay", "3", "--seed", "1", columns=80, rows=26)
    watcher.waits_for("vgdl/zelda").waits_for("- slower")

    def widest():
        rows = re.split(r"\x1b\[\d+;\d+H", watcher.seen[mark:])
        return max(row.count("▀") for row in rows)

    mark = 0
    assert widest() == round(46 / 11 * 15)  # 23 rows of two pixels for 15 by 11 cells
    mark = len(watcher.seen)
    watcher.resize(120, 47)
    watcher.waits_for("- slower", mark)
    assert widest() == 120
    assert watcher.leaves() == 0


def test_visits_and_values_are_shown_of_an_agent_that_shows_nothing_else(player):
    words = ("--agents", "flat_monte_carlo", "--budget", "60calls", "--watch", "--delay", "0")
    watcher = player("play", "vgdl/zelda", *words)
    watcher.waits_for("flat_monte_carlo: ").waits_for("> ").types("q")
    assert watcher.ends() == 0


def test_after_watching_a_video_game_its_end_stays_in_colours(player):
    watcher = player(*ZELDA, "--delay", "0", "--seed", "1")
    assert watcher.ends() == 0
    left = left_on(watcher)
    assert "nobody wins" in left
    assert "▀" in left
    assert "\x1b[38;2;" in left


def test_a_replay_that_is_left_is_still_verified(player, tmp_path):
    file = tmp_path / "whole.jsonl"
    played = player(*ZELDA, "--delay", "0", "--seed", "1", "--record", str(file))
    assert played.ends() == 0
    watcher = player("replay", str(file), "--watch").waits_for("p pause").types("p")
    watcher.waits_for("paused").types("q")
    assert watcher.ends() == 0
    left = ESCAPES.sub("", left_on(watcher))
    assert "verified" in left
    assert f"{read_record(file).steps} steps" in left.replace("\r\n", "")


def test_without_a_keyboard_no_keys_are_offered(player):
    words = ("play", "nim[heaps=2]", "--agents", "uniform,uniform", "--watch", "--delay", "0")
    watcher = player(*words, TERM="dumb")
    assert watcher.ends() == 0
    assert "pause" not in watcher.seen
    assert "\x1b[" not in watcher.seen
