"""A person at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, LudexError
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.planner import Mind
from ludex.core.printable import printable
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.core.world import World

QUIT = ("quit", "exit")
HELP = ("?", "help")


class LeftGame(LudexError):
    """The human at a seat left the game."""


@dataclass(frozen=True, kw_only=True)
class Human(Parameters):
    """A person at the terminal: sees the view, types actions, and has all the time.

    A human needs the world's drawing and notation, so the match runner seats him by
    `seat_at(world)`, always in the main process.
    """

    def seat_at(self, world: World) -> SeatedHuman:
        return SeatedHuman(world)

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        raise BadAgent("a human needs a world to look at; seat one with human.seat_at(world)")

    def __str__(self) -> str:
        return "human"


class SeatedHuman:
    """A human who looks at one world."""

    def __init__(
        self,
        world: World,
        ask: Callable[[str], str] | None = None,
        show: Callable[[str], None] | None = None,
    ) -> None:
        self.world = world
        self.ask = ask or ask_at_terminal
        self.show = show or show_at_terminal

    def seat_at(self, world: World) -> SeatedHuman:
        """Stay where it sits."""
        return self

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.show(f"You play {self.world} at seat {view.seat}. ? lists the actions, quit leaves.")
        return HumanMind(self, view.seat)

    def __str__(self) -> str:
        return "human"


class HumanMind:
    """Shows what happens and asks for actions."""

    def __init__(self, human: SeatedHuman, seat: int) -> None:
        self.human = human
        self.seat = seat

    def observe(self, event: Event) -> None:
        self.human.show(f"  {self.human.world.event_text(event, self.seat)}")

    def decide(self, view: Any, budget: Budget, rng: Rng) -> Decision:
        world, show = self.human.world, self.human.show
        show(world.draw_view(view))
        while True:
            try:
                word = self.human.ask(f"seat {view.seat}> ").strip()
            except EOFError:
                raise LeftGame("the input ended") from None
            if word.lower() in QUIT:
                raise LeftGame("left the game")
            if word in HELP:
                show("legal: " + ", ".join(world.action_text(action) for action in view.legal))
            elif word:
                try:
                    return Decision(action=world.parse_action(word, view))
                except LudexError as error:
                    show(f"{error}")

    def finish(self, view: Any, outcome: Outcome) -> None:
        won = "you won" if view.seat in outcome.winners else "you did not win"
        self.human.show(f"The game is over: {outcome.reason}; {won}.")


def ask_at_terminal(prompt: str) -> str:
    """Ask on the error stream, so that standard output stays free for results."""
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def show_at_terminal(text: str) -> None:
    print(printable(text), file=sys.stderr)
