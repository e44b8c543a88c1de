"""A human at the terminal."""

import io
import sys

import pytest

from ludex.agents.human import Human, LeftGame, SeatedHuman
from ludex.arena.match import play_match
from ludex.core import Budget, Event, Meter, Rng, registry
from ludex.core.errors import BadAgent

BUDGET = Budget(time_ms=1)


def conversation(lines, world="nim"):
    """A seated human who types these lines; returns the mind, the view and what is shown."""
    made = registry.world(world)
    answers, shown = iter(lines), []

    def ask(prompt):
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    human = SeatedHuman(made, ask, shown.append)
    model = made.model.metered(Meter())
    view = model.view(made.start(Rng(1)), 0)
    return human.start(model, view, BUDGET, Rng(1)), view, shown


def test_a_typed_action_is_played():
    mind, view, shown = conversation(["take 2 from 0"])
    assert mind.decide(view, BUDGET, Rng(1)).action == registry.world("nim").take(2, heap=0)
    assert registry.world("nim").draw_view(view) in shown


def test_what_is_not_legal_is_explained_and_asked_again():
    mind, view, shown = conversation(["take 4 from 0", "fly", "take 1", "", "take 1 from 0"])
    assert mind.decide(view, BUDGET, Rng(1)).action == registry.world("nim").take(1, heap=0)
    text = "\n".join(shown)
    assert "'take 4 from 0' is not" in text
    assert "'fly' is not an action of nim" in text
    assert "'take 1' could be any of" in text


def test_a_question_mark_lists_the_legal_actions():
    mind, view, shown = conversation(["?", "take 1 from 0"])
    mind.decide(view, BUDGET, Rng(1))
    assert any(line.startswith("legal: take 1 from 0, take 2 from 0") for line in shown)


@pytest.mark.parametrize("lines", [["quit"], ["exit"], []])
def test_quit_or_the_end_of_input_leaves_the_game(lines):
    mind, view, _ = conversation(lines)
    with pytest.raises(LeftGame):
        mind.decide(view, BUDGET, Rng(1))


def test_events_are_told_in_words():
    mind, _, shown = conversation([])
    mind.observe(Event("move", 1, registry.world("nim").take(2, heap=0)))
    assert shown[-1] == "  seat 1: move take 2 from 0"


def test_a_match_with_a_human_asks_at_the_terminal_without_a_clock(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("take 1 from 0\n"))
    result = play_match("nim[heaps=1]", ["human", "uniform"], budget=BUDGET, isolate=True)
    assert result.winners == (0,)
    assert result.faults == ()
    assert not result.repeatable
    said = capsys.readouterr()
    assert said.out == ""
    assert "The game is over: took the last match; you won." in said.err


def test_leaving_ends_the_match_and_loses_it(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    result = play_match("nim", ["human", "uniform"], budget=BUDGET)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, "left")]
    assert result.winners == (1,)


def test_a_human_without_a_world_says_what_is_missing():
    with pytest.raises(BadAgent, match="seat_at"):
        Human().start(None, None, BUDGET, Rng(1))
