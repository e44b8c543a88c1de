"""The prompt at which people play board and card games."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from pseudo_terminal import PseudoTerminal

from ludex.agents.human import SeatedHuman
from ludex.agents.parts.prompt import completions
from ludex.agents.parts.prompt_help import about, overview
from ludex.agents.parts.wrapping import wrapped_to
from ludex.core import Rng, registry
from ludex.core.choices import Choice, matching
from ludex.core.errors import LudexError
from ludex.core.paint import paint, plain

ROADS = [Choice(n, f"road {n}", "build a road", f"{n}", (f"build road {n}",)) for n in range(20)]
TOWNS = [
    Choice(100 + n, f"settlement {n}", "build a settlement", f"{n}", (f"build settlement {n}",))
    for n in (1, 12)
]
COIN = Choice(200, "play 3", "play", "3 The Coin", ("play The Coin",))
END = Choice(300, "end", "end the turn", names=("end the turn",))
ALL = [*ROADS, *TOWNS, COIN, END]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("road 1", "road 1"),
        ("ROAD  12", "road 12"),
        ("b s 12", "settlement 12"),
        ("build road 7", "road 7"),
        ("play The Coin", "play 3"),
        ("the coin", "play 3"),
        ("coin", "play 3"),
        ("e", "end"),
        ("end the turn", "end"),
    ],
)
def test_names_and_beginnings_that_fit_one_action_mean_it(typed, text):
    assert [choice.text for choice in matching(typed, ALL)] == [text]


def test_numbers_are_typed_in_full():
    towns = [choice for choice in TOWNS if choice.text != "settlement 1"]
    assert not matching("settlement 1", towns)  # not 12
    assert [choice.text for choice in matching("s 1", TOWNS)] == ["settlement 1"]


def test_a_group_stands_for_all_that_is_in_it():
    assert matching("build a road", ALL) == ROADS
    assert matching("road", ALL) == ROADS


def test_a_question_mark_groups_actions_with_counts():
    text = overview(ALL, {"look CARD": "what a card does"})
    assert "build a road (20)" in text
    assert "build a settlement (2)" in text
    assert "play 3" in text
    assert "look CARD: what a card does" in text


@pytest.mark.parametrize("query", ["settlement", "build a settlement", "sett"])
def test_a_question_about_a_group_lists_it(query):
    assert about(query, ALL) == "build a settlement: 1, 12"


def test_a_question_about_nothing_says_so():
    assert "nothing like 'castle' to do now" in about("castle", ALL)


def test_completion_offers_whole_actions_or_the_next_word():
    known = [text for choice in ALL for text in choice.texts]
    assert completions("sett", known) == ["settlement 1", "settlement 12"]
    assert completions("build r", known)[:1] == ["build road 0"]
    assert completions("", known) == ["road", "build", "settlement", "play", "end"]
    assert completions("bogus", known) == []


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_every_world_groups_its_actions_for_people(name):
    world = registry.world(name)
    state = world.start(Rng(1))
    world.model.settle(state, Rng(1))
    for seat in world.model.to_act(state):
        view = world.model.view(state, seat)
        choices = world.choices(view)
        assert [choice.action for choice in choices] == list(view.legal)
        for line in overview(choices, {}).splitlines():
            assert len(line) <= 79
        for choice in choices:
            assert choice in matching(choice.text, choices)
            assert about(choice.group, choices)


def test_people_edit_complete_and_recall_lines_at_a_terminal():
    with PseudoTerminal("play", "nim", "--agents", "human,uniform", "--seed", "1") as terminal:
        terminal.until("seat 0>")
        terminal.type("take 9 from 0\r")
        terminal.until("you cannot take 9 from heap 0: it holds 3, so take 1 to 3")
        terminal.until("seat 0>")
        terminal.type("tak 1 f\x7f\x7f\x7f\x7f")  # four times back
        terminal.type("\t\t")
        terminal.until("take 5 from 2")
        terminal.type("\x03")  # forgets the line
        terminal.type("t 2 f 1\r")
        terminal.until("you play take 2 from 1")
        terminal.until("seat 0>")
        terminal.type("\x1b[A")  # the line before
        terminal.until("t 2 f 1")
        terminal.type("\x03\x03")
        terminal.until("Ctrl-C again leaves the game")
        terminal.until("seat 0>")
        terminal.type("\x03")
        terminal.until("left the game")


def test_control_d_leaves_kindly():
    with PseudoTerminal("play", "nim", "--agents", "human,uniform", "--seed", "1") as terminal:
        terminal.until("seat 0>")
        terminal.type("\x04")
        terminal.until("seat 0 left the game")


def test_piped_lines_need_no_prompt_library():
    program = (
        "import sys\n"
        "from ludex.cli import main\n"
        "sys.argv = ['ludex', 'play', 'nim[heaps=1]', '--agents', 'human,uniform']\n"
        "try:\n    main()\nfinally:\n    assert 'prompt_toolkit' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input="t\n", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stderr
    assert "you won" in done.stderr


def typed_at_start(name, text):
    world = registry.world(name)
    state = world.start(Rng(1))
    world.model.settle(state, Rng(1))
    view = world.model.view(state, world.model.to_act(state)[0])
    return world.action_text(world.parse_action(text, view))


@pytest.mark.parametrize(
    ("world", "typed", "text"),
    [
        ("connect_four", "4", "d"),
        ("connect_four", "column d", "d"),
        ("goofspiel", "bid 3", "3"),
        ("life", "switch 2 3", "switch 2,3"),
        ("sokoban", "u", "UP"),
        ("pig", "r", "roll"),
        ("kuhn_poker", "b", "bet"),
        ("nim", "t 2 f 1", "take 2 from 1"),
    ],
)
def test_small_worlds_are_played_as_people_type(world, typed, text):
    assert typed_at_start(world, typed) == text


@pytest.mark.parametrize(
    ("world", "typed", "reason"),
    [
        ("goofspiel", "bid 9", "you cannot bid 9: cards are 1 to 4"),
        ("life", "switch 99,1", "there is no cell 99,1: rows are 0 to 9 and columns 0 to 9"),
        ("pig", "hold", "you cannot hold yet: nothing is at stake, so roll first"),
        ("kuhn_poker", "call", "you cannot call: nobody has bet; bet or check"),
        ("pig", "bank", "you cannot hold yet: nothing is at stake, so roll first"),
        ("nim", "t 9 f 2", "you cannot take 9 from heap 2: it holds 5, so take 1 to 5"),
        ("nim", "take 1 from 7", "you cannot take from heap 7: heaps are numbered 0 to 2"),
        ("parley", "treaty", "your pledges together lack grain and iron"),
        ("parley", "accept", "now: you must roll or pledge or offer or treaty"),
    ],
)
def test_small_worlds_say_why_they_refuse(world, typed, reason):
    with pytest.raises(LudexError, match=re.escape(reason)):
        typed_at_start(world, typed)


def test_a_board_that_has_not_changed_is_not_shown_again():
    world = registry.world("nim")
    answers, shown = iter(["take 9 from 0", "board", "take 1 from 0"]), []
    human = SeatedHuman(world, lambda _: next(answers), shown.append)
    view = world.model.view(world.start(Rng(1)), 0)
    mind = human.start(world.model, view, None, Rng(1))
    mind.decide(view, None, Rng(1))
    board = world.draw_view(view)
    assert shown.count(board) == 2  # at first, and when it is asked for
    answers = iter(["take 1 from 0"])
    mind.decide(view, None, Rng(1))
    assert shown.count(board) == 2


@pytest.mark.parametrize("width", [20, 40, 80])
def test_long_lines_are_broken_at_words_and_pictures_are_not(width):
    text = "You play nim at seat 0. ? lists the actions, board shows the board, quit leaves."
    rows = wrapped_to(f"short\n{text}", width).split("\n")
    assert rows[0] == "short"
    assert " ".join(rows[1:]) == text
    assert all(len(row) <= width for row in rows)


def test_colours_take_no_room_where_lines_are_broken():
    painted = " ".join([paint("ore", "red")] * 4)
    assert plain(wrapped_to(painted, 7)) == "ore ore\nore ore"


def test_what_a_terminal_of_80_columns_shows_is_not_cut_within_words():
    with PseudoTerminal("play", "nim", "--agents", "human,uniform", "--seed", "1") as terminal:
        terminal.until("seat 0>")
        terminal.type("fly away from all of these heaps\r")
        terminal.until("not an action")
        terminal.until("seat 0>")
        told = terminal.text
        assert "log tells\nwhat happened, quit leaves." in told
        refusal = told[told.index("'fly away") :].split("seat 0>")[0].strip().split("\n")
        assert len(refusal) > 1
        assert max(map(len, refusal)) <= 80
        assert all(re.search(r"(?:[,;:]|\w)$", row) for row in refusal)
        assert "take 1 from 0, take 2 from 0" in " ".join(refusal)
        terminal.type("quit\r")
        terminal.until("seat 0 left the game")


def test_in_pig_people_bank_what_they_hold():
    world = registry.world("pig")
    view = world.model.view(world.parse("0 0 turn=0 total=8"), 0)
    assert world.action_text(world.parse_action("bank", view)) == "hold"
    assert world.action_text(world.parse_action("b", view)) == "hold"


def test_a_number_is_asked_about_in_every_world():
    world = registry.world("nim")
    choices = world.choices(world.model.view(world.start(Rng(1)), 0))
    assert about("5", choices) == "take: 5 from 2"
