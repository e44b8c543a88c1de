"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.agents.prompt import PlainPrompt, Prompt, usual_prompt
from ludex.agents.prompt_help import about, overview
from ludex.core.budget import Budget
from ludex.core.capabilities import AnswersWords, DrawsInColour, ShowsBareBoard, ShowsTable
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, LudexError
from ludex.core.event import Event
from ludex.core.model import Model
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.planner import Mind
from ludex.core.rng import Rng
from ludex.core.view import OpenView, View
from ludex.core.world import World

QUIT = ("quit", "exit")
HELP = ("?", "help")
BOARD = ("board", "show")


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
        self.prompt: Prompt = PlainPrompt(ask, show) if ask or show else usual_prompt()

    def seat_at(self, world: World) -> SeatedHuman:
        """Stay where it sits."""
        return self

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.prompt.show(
            f"You play {self.world} at seat {view.seat}. ? lists the actions, board shows the "
            "board, quit leaves."
        )
        return HumanMind(self.world, self.prompt, view.seat)

    def __str__(self) -> str:
        return "human"


class HumanMind:
    """Shows what happens and asks for actions."""

    def __init__(self, world: World, prompt: Prompt, seat: int) -> None:
        self.world = world
        self.prompt = prompt
        self.seat = seat
        self.table = world if isinstance(world, ShowsTable) else None
        self.words = world if isinstance(world, AnswersWords) else None
        self.painter = world if isinstance(world, DrawsInColour) else None
        self.numbered = world if isinstance(world, ShowsBareBoard) else None
        self.board_seen = self.bare_seen = ""
        """the board as it was last shown, and as it last was without numbers"""

    def observe(self, event: Event) -> None:
        if said := self.world.event_text(event, self.seat):  # the board may say it better
            self.prompt.show(f"  {said}")

    def decide(self, view: Any, budget: Budget, rng: Rng) -> Decision:
        self.show_changes(view)
        while True:
            word = self.line(view)
            if word.lower() in QUIT:
                raise LeftGame("left the game")
            if word and not self.is_answered(word, view):
                try:
                    return Decision(action=self.world.parse_action(word, view))
                except LudexError as error:
                    self.prompt.show(f"{error}")

    def line(self, view: Any) -> str:
        """What a person types; leaving takes Ctrl-D, or Ctrl-C twice."""
        foot = self.table.show_hand(view) if self.table else ""
        known = self.known(view)
        for is_last in (False, True):
            try:
                return self.prompt.ask(f"seat {view.seat}> ", known, foot).strip()
            except EOFError:
                is_pipe = isinstance(self.prompt, PlainPrompt)
                raise LeftGame("left: the input ended" if is_pipe else "left the game") from None
            except KeyboardInterrupt:
                if isinstance(self.prompt, PlainPrompt):
                    raise  # whoever runs a script stops the program
                if is_last:
                    raise LeftGame("left the game") from None
                self.prompt.show("Ctrl-C again leaves the game; ? lists the actions.")
        raise AssertionError("the second time leaves")

    def is_answered(self, word: str, view: Any) -> bool:
        """Answer a question; False when it is none."""
        if word.lower() in HELP:
            words = self.words.prompt_words(view) if self.words else {}
            self.prompt.show(overview(self.world.choices(view), words))
        elif word.startswith("?") or word.lower().startswith("help "):
            query = word.removeprefix("?") if word[0] == "?" else word[len("help ") :]
            self.prompt.show(about(query.strip(), self.world.choices(view)))
        elif word.lower() in BOARD:
            self.prompt.show(self.board(view))
        elif self.words and (said := self.words.answer(word, view)) is not None:
            self.prompt.show(said)
        else:
            return False
        return True

    def board(self, view: Any) -> str:
        if self.table:
            return self.table.show_board(view)
        if self.painter and isinstance(view, OpenView):
            return self.painter.draw_in_colour(view.state)
        return self.world.draw_view(view)

    def show_changes(self, view: Any) -> None:
        """Show the board if something on it is new since it was last shown."""
        board = self.board(view)
        bare = self.numbered.show_bare_board(view) if self.numbered else board
        if bare != self.bare_seen or board not in (bare, self.board_seen):
            self.prompt.show(board)
            self.board_seen = board
        self.bare_seen = bare

    def known(self, view: Any) -> Sequence[str]:
        """What can be typed, for completion."""
        texts = [text for choice in self.world.choices(view) for text in choice.texts]
        texts += self.words.answers_to(view) if self.words else ()
        return [*texts, *BOARD[:1], *QUIT[:1], *HELP]

    def finish(self, view: Any, outcome: Outcome) -> None:
        if self.table:
            self.show_changes(view)
        won = "you won" if view.seat in outcome.winners else "you did not win"
        self.prompt.show(f"The game is over: {outcome.reason}; {won}.")
