"""What people at a terminal are shown and may type (core/capabilities.py)."""

from __future__ import annotations

from typing import Any

from ludex.core.capabilities import AnswersWords, DrawsInColour, DrawsNumbers, ShowsTable, able
from ludex.core.choices import matching
from ludex.core.paint import plain
from ludex.core.world import World
from ludex.testing.checks.worlds import each_seat, one_sentence
from ludex.testing.failure import fail, shown

MOST_VIEWS = 20
MOST_ACTIONS = 40  # of a view that are typed by every name


def check_people_can_play(world: World) -> None:
    """At the prompt every legal action is listed once, in a group, and typed by its names."""
    for state, view in each_seat(world, most=MOST_VIEWS):
        choices = world.choices(view)
        if [choice.action for choice in choices] != list(view.legal):
            fail(f"choices of {shown(state)} must be the legal actions in their order")
        for choice in choices[:MOST_ACTIONS]:
            if choice.text != world.action_text(choice.action) or not choice.group.strip():
                fail(f"a choice has the text of its action and a group, got {choice!r}")
            for name in choice.names:
                if choice not in matching(name, choices):
                    fail(f"{name!r} is a name of {choice.text!r} and does not mean it")
        check_shown(world, view)


def check_shown(world: World, view: Any) -> None:
    if (table := able(world, ShowsTable)) is not None:
        for text in (table.show_board(view), table.show_hand(view)):
            if not isinstance(text, str):
                fail(f"what people are shown is text, got {text!r}")
    if (words := able(world, AnswersWords)) is not None:
        for typed in words.answers_to(view):
            if not words.answer(typed, view):
                fail(f"answers_to has {typed!r}, which is not answered")
        if words.answer("no such word", view) is not None:
            fail("answer(...) must be None for what is not one of the world's words")


def check_drawings_for_people(world: World) -> None:
    """Drawings in colour and with numbers are those of the world; refusals are one sentence."""
    painter, numbered = able(world, DrawsInColour), able(world, DrawsNumbers)
    for state, view in each_seat(world, most=MOST_VIEWS):
        if painter is not None and plain(painter.draw_in_colour(state)) != world.draw(state):
            fail(f"without its colours the drawing of {shown(state)} must be that of draw")
        if numbered is not None:
            numbered.draw_numbers(state, "text")
            numbered.draw_numbers(state, "svg")
        if view.legal:
            one_sentence(ValueError(world.refusal(view, object())))


PEOPLE_CHECKS = [check_people_can_play, check_drawings_for_people]
