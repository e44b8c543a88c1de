"""Playing at the terminal, driven through a real pseudo-terminal."""

import re
import signal
import termios

import pytest
from terminal_player import ESCAPES

from ludex.arena.match.replay import replay
from ludex.core.record import read_record
from ludex.worlds.vgdl.tools.wins import wins

pytestmark = pytest.mark.timeout(300)


def test_a_person_reads_the_rules_wins_a_level_and_keeps_the_record(player, tmp_path):
    file = tmp_path / "won.jsonl"
    human = player("play", "vgdl/sokoban", "--agents", "human", "--record", str(file))
    human.waits_for("Push every barrel").waits_for("arrow keys").waits_for("press any key")
    human.types(" ").waits_for("Sokoban, level 0")
    human.plays([actions[0] for actions in wins("sokoban")[0].inputs])
    human.waits_for("You won!")
    assert human.leaves() == 0
    record = read_record(file)
    assert record.agents == ["human"]
    assert replay(record).winners == (0,)


def test_a_step_can_be_taken_back_where_nothing_is_random(player, tmp_path):
    file = tmp_path / "undone.jsonl"
    human = player("play", "vgdl/sokoban", "--agents", "human", "--record", str(file))
    human.waits_for("press any key").types(" ").waits_for("tick 0")
    human.plays([2, 2])
    mark = len(human.seen)
    human.types("u").waits_for("tick 1", mark)
    assert human.leaves() == 0
    record = read_record(file)
    assert [moment.actions for moment in record.moments if moment.actions] == [("LEFT",)]
    assert replay(record).truncated


def test_the_next_level_and_the_same_again_are_a_key_away(player):
    human = player("play", "vgdl/lights_on", "--agents", "human")
    human.waits_for("press any key").types(" ").waits_for("Lights On, level 0")
    human.types("n").waits_for("Lights On, level 1")
    human.plays([4])
    mark = len(human.seen)
    human.types("r").waits_for("tick 0", mark)
    human.types("b").waits_for("Lights On, level 0", mark)
    assert human.leaves() == 0


GAME = """# {title}: get there.
BasicGame square_size=10
    SpriteSet
        floor > Immovable
        goal > {kind} img=flag
    LevelMapping
        g > goal
        . > floor
    InteractionSet
        goal avatar > killSprite
    TerminationSet
        SpriteCounter stype=goal limit=0 win=True
"""


def test_beginning_again_reads_what_the_author_has_changed(player, tmp_path):
    game = tmp_path / "mine.txt"
    game.write_text(GAME.format(title="First", kind="Immovable"))
    (tmp_path / "mine_lvl0.txt").write_text("A..g")
    human = player("play", str(game), "--agents", "human")
    human.waits_for("press any key").types(" ").waits_for("First, level 0")
    game.write_text(GAME.format(title="Second", kind="Immovable"))
    human.types("r").waits_for("Second, level 0")
    game.write_text(GAME.format(title="Third", kind="Imovable"))
    human.types("r").waits_for("Third, level 0")
    human.waits_for("no sprite class 'Imovable'; did you mean 'Immovable'?")
    game.write_text("nothing of the kind")
    human.types("r").waits_for("mine.txt")
    assert human.leaves() == 0


def test_a_game_that_runs_can_be_paused_and_stepped(player):
    human = player("play", "vgdl/frogs", "--agents", "human")
    human.waits_for("press any key").types(" ").waits_for("tick 1")
    human.types("p").waits_for("paused")
    human.read(0.5)
    last = int(re.findall(r"tick (\d+)", ESCAPES.sub("", human.seen))[-1])
    mark = len(human.seen)
    human.types(".").waits_for(f"tick {last + 1}", mark)
    assert human.leaves() == 0


def test_a_change_of_size_draws_everything_anew(player):
    human = player("play", "vgdl/sokoban", "--agents", "human", columns=100, rows=30)
    human.waits_for("press any key").types(" ").waits_for("tick 0")
    human.resize(60, 20)
    mark = len(human.seen)
    human.types("\x1b[D").waits_for("tick 1", mark)
    assert "\x1b[2J" in human.seen[mark:]
    widest = max(int(one) for one in re.findall(r"\x1b\[\d+;(\d+)H", human.seen[mark:]))
    assert widest <= 60
    assert human.leaves() == 0


def test_two_people_share_a_keyboard(player, tmp_path):
    file = tmp_path / "two.jsonl"
    human = player("play", "vgdl/two_thieves", "--agents", "human,human", "--record", str(file))
    human.waits_for("player 1: W A S D").waits_for("player 2: arrow keys").types(" ")
    human.waits_for("tick 0").types("d\x1b[C").waits_for("tick 1")
    assert human.leaves() == 0
    moves = [moment.actions for moment in read_record(file).moments if moment.actions]
    assert moves[0] == ("RIGHT", "RIGHT") or moves[:2] == [("RIGHT", "NIL"), ("NIL", "RIGHT")]


def test_a_person_plays_against_an_agent(player, tmp_path):
    file = tmp_path / "duel.jsonl"
    words = ("--agents", "human,uniform", "--record", str(file), "--budget", "50calls")
    human = player("play", "vgdl/tank_duel", *words)
    human.waits_for("press any key").types(" ").waits_for("tick 3")
    assert human.leaves() == 0
    record = read_record(file)
    assert record.agents == ["human", "uniform"]
    assert record.steps >= 3
    assert replay(record).truncated


def test_the_terminal_is_left_as_it_was_found(player):
    human = player("play", "vgdl/zelda", "--agents", "human")
    human.waits_for("press any key").types(" ").waits_for("tick 1")
    assert termios.tcgetattr(human.theirs)[3] != human.before[3]
    human.types("\x03")
    assert human.ends() == 0
    assert termios.tcgetattr(human.theirs) == human.before
    assert human.seen.rstrip().count("\x1b[?1049l") == 1


FAILING = """
class Failing:
    def decide(self, model, view, budget, rng):
        raise ValueError("out of ideas")
"""


def test_the_terminal_is_given_back_when_an_agent_fails(player, tmp_path):
    (tmp_path / "failing.py").write_text(FAILING)
    file = tmp_path / "cut.jsonl"
    agents = f"human,{tmp_path / 'failing.py'}:Failing"
    human = player("play", "vgdl/tank_duel", "--agents", agents, "--record", str(file))
    human.waits_for("press any key").types(" ")
    assert human.ends() != 0
    assert termios.tcgetattr(human.theirs) == human.before
    _, after = human.seen.split("\x1b[?1049l")
    assert "out of ideas" in after
    assert "Traceback" not in after
    assert read_record(file).steps == 0


def test_the_terminal_is_given_back_when_the_program_is_ended(player, tmp_path):
    file = tmp_path / "ended.jsonl"
    human = player("play", "vgdl/zelda", "--agents", "human", "--record", str(file))
    human.waits_for("press any key").types(" ").waits_for("tick 2")
    human.child.terminate()
    assert human.ends() == 128 + signal.SIGTERM
    assert termios.tcgetattr(human.theirs) == human.before
    assert human.seen.count("\x1b[?1049l") == 1
    assert replay(read_record(file)).truncated


def test_a_terminal_without_colours_shows_letters(player):
    human = player("play", "vgdl/sokoban", "--agents", "human", TERM="vt100", COLORTERM="")
    human.waits_for("press any key").types(" ").waits_for("tick 0").waits_for("www")
    human.plays([2])
    assert "▀" not in human.seen
    assert human.leaves() == 0


def test_on_a_dumb_terminal_a_person_types_moves(player):
    human = player("play", "vgdl/sokoban", "--agents", "human", TERM="dumb", COLORTERM="")
    human.waits_for("seat 0").types("LEFT\n").waits_for("tick 1")
    assert "\x1b[" not in human.seen


def test_only_keys_that_work_are_offered(player, tmp_path):
    human = player("play", "vgdl/zelda", "--agents", "human")
    human.waits_for("+ faster").types(" ").waits_for("p pause  r again  n next level  h help")
    assert "undo" not in human.seen
    assert "step back" not in human.seen
    assert human.leaves() == 0
    game = tmp_path / "mine.txt"
    game.write_text(GAME.format(title="First", kind="Immovable"))
    (tmp_path / "mine_lvl0.txt").write_text("A..g")
    human = player("play", str(game), "--agents", "human")
    human.waits_for("takes a step back").types(" ").waits_for("r again  h help  q quit")
    human.plays([4]).waits_for("u undo  r again  h help  q quit")
    assert "next" not in human.seen
    assert "pause" not in human.seen
    assert human.leaves() == 0
