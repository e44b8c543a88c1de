"""A human at the terminal."""

import io
import re
import sys

import pytest

from ludex.agents.human import Human, LeftGame, SeatedHuman
from ludex.arena.match.runner import play_match
from ludex.core import Budget, Decision, Event, Meter, Rng, registry
from ludex.core.errors import BadAgent
from ludex.worlds.nim.rules import Take

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
    assert "you cannot take 4 from heap 0: it holds 3, so take 1 to 3" in text
    assert "'fly' is not an action of nim" in text
    assert "'take 1' could be any of" in text


def test_a_question_mark_lists_the_legal_actions():
    mind, view, shown = conversation(["?", "take 1 from 0"])
    mind.decide(view, BUDGET, Rng(1))
    assert any(line.startswith("take: 1 from 0, 2 from 0, 3 from 0") for line in shown)


@pytest.mark.parametrize("lines", [["quit"], ["exit"], []])
def test_quit_or_the_end_of_input_leaves_the_game(lines):
    mind, view, _ = conversation(lines)
    with pytest.raises(LeftGame):
        mind.decide(view, BUDGET, Rng(1))


def test_a_human_is_told_what_the_others_do():
    mind, view, shown = conversation(["take 1 from 0"])
    mind.observe(Event("move", 1, registry.world("nim").take(2, heap=0)))
    mind.decide(view, BUDGET, Rng(1))
    board = registry.world("nim").draw_view(view)
    assert shown[-2:] == [board, "  seat 1 plays take 2 from 0"]  # just above the prompt


def test_the_word_log_repeats_what_happened_since_the_last_decisions():
    mind, view, shown = conversation(["?", "log", "take 1 from 0", "log", "take 1 from 0"])
    take = registry.world("nim").take
    mind.observe(Event("move", 1, take(2, heap=0)))
    mind.decide(view, BUDGET, Rng(1))
    assert "log: what happened since your last decisions" in "\n".join(shown)
    assert shown[-1] == "  seat 1 plays take 2 from 0"
    mind.observe(Event("move", 0, take(1, heap=0)))
    mind.observe(Event("move", 1, take(3, heap=1)))
    mind.decide(view, BUDGET, Rng(1))
    assert shown[-1].splitlines() == [
        "  seat 1 plays take 2 from 0",
        "  you play take 1 from 0",
        "  seat 1 plays take 3 from 1",
    ]


@pytest.mark.parametrize(
    ("world", "event", "words"),
    [
        ("nim", Event("move", 0, Take(0, 2)), "you play take 2 from 0"),
        ("connect_four", Event("move", 1, 3), "seat 1 plays d"),
        ("nim", Event("toll", 1, (4, None)), "seat 1: toll 4"),
        ("nim", Event("toll", None, "bell"), "toll bell"),
        ("nim", Event("chance", None, 4), "chance brings 4"),
        ("parley", Event("offer", 1, (2, 2, 0)), "seat 1 offers seat 2 salt for grain"),
        ("parley", Event("offer", 1, (0, 2, 0)), "seat 1 offers you salt for grain"),
        ("parley", Event("offer", 0, (1, 2, 0)), "you offer seat 1 salt for grain"),
        ("parley", Event("weather", None, ()), "no storm comes"),
        ("parley", Event("weather", None, (1,)), "a storm takes the pledged iron"),
        ("parley", Event("treaty", 2, (0,)), "seat 2 proposes a treaty to you"),
        ("parley", Event("reject", 1, (0,)), "seat 1 rejects"),
        ("parley", Event("demand", 1, (2,)), "seat 1 demands a card of seat 2"),
        ("parley", Event("give", 2, (1,)), "seat 2 gives seat 1 a card"),
        ("parley", Event("give", 2, (0, 4)), "seat 2 gives you wine"),
        ("parley", Event("draw", 0, (3,)), "you draw timber"),
        ("parley", Event("return", 1, ()), "seat 1 returns a card"),
        ("kuhn_poker", Event("deal", 0, "Q"), "you are dealt Q"),
        ("kuhn_poker", Event("move", 1, "bet"), "seat 1 bets"),
        ("kuhn_poker", Event("show", 1, "K"), "seat 1 shows K"),
        ("goofspiel", Event("move", 1, 3), "seat 1 bids 3"),
        ("goofspiel", Event("chance", None, 2), "the prize is 2"),
        ("pig", Event("move", 1, "roll"), "seat 1 rolls"),
        ("pig", Event("chance", None, 1), "the die shows 1: the turn is lost"),
        ("pig", Event("chance", None, 5), "the die shows 5"),
    ],
)
def test_events_are_told_in_words_to_seat_0(world, event, words):
    assert registry.world(world).event_text(event, 0) == words


class Ear:
    """Plays at random and keeps what a human at its seat would be told."""

    def __init__(self, world, heard):
        self.world, self.heard = world, heard

    def start(self, model, view, budget, rng):
        self.seat = view.seat
        return self

    def observe(self, event):
        self.heard.append(self.world.event_text(event, self.seat))

    def decide(self, view, budget, rng):
        return Decision(action=rng.choice(list(view.legal)))

    def finish(self, view, outcome):
        pass


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_whole_games_are_told_without_the_notation_of_python(name):
    world, heard = registry.world(name), []
    for seed in range(4):
        play_match(world, [Ear(world, heard) for _ in range(world.traits.seats)], seed=seed)
    assert len(heard) > 10
    words = [re.sub(r"(?<=\w)'(?=\w| )", "", line) for line in heard]  # names have apostrophes
    assert not [line for line in words if set("()[]<>{}'\n") & set(line)]
    assert not [line for line in heard if "None" in line or ":  " in line]


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


def test_two_people_at_one_prompt_are_told_every_move_once(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("t 1 f 0\nt 2 f 1\nt 1 f 1\nquit\n"))
    play_match("nim", ["human", "human"], budget=BUDGET)
    said = capsys.readouterr().err
    assert said.count("take 1 from 0") == 1
    assert said.count("take 2 from 1") == 1
    assert said.count("take 1 from 1") == 1
    assert "you won" not in said  # the one who left reads it, too
    assert said.count("The game is over: seat 1 left the game; seat 0 won.") == 1


def test_people_at_one_prompt_with_hidden_cards_learn_their_own(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("check\ncheck\n"))
    play_match("kuhn_poker", ["human", "human"], budget=BUDGET)
    said = capsys.readouterr().err
    assert said.count("you are dealt") == 2
    assert said.count("The game is over") == 1


def test_the_next_game_of_two_people_is_told_as_the_first(monkeypatch, capsys):
    lines = "take 3 from 0\ntake 1 from 1\ntake 3 from 1\ntake 5 from 2\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(2 * lines))
    nim = registry.world("nim")
    for _ in range(2):
        play_match(nim, ["human", "human"], budget=BUDGET)
    said = capsys.readouterr().err
    assert said.count("seat 0 plays take 3 from 0") == 2
    assert said.count("The game is over: took the last match; seat 1 won.") == 2


def test_a_human_without_a_world_says_what_is_missing():
    with pytest.raises(BadAgent, match="seat_at"):
        Human().start(None, None, BUDGET, Rng(1))
