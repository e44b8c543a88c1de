"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ludex.agents.parts.company import Company, company_at
from ludex.agents.parts.news import News
from ludex.agents.parts.prompt import PlainPrompt, Prompt, usual_prompt
from ludex.agents.parts.prompt_help import about, overview
from ludex.core.budget import Budget
from ludex.core.capabilities import (
    AnswersWords,
    DrawsInColour,
    ExplainsPlaces,
    ReadsPlans,
    ShowsBareBoard,
    ShowsTable,
)
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, LudexError
from ludex.core.event import Event
from ludex.core.model import Action, Model
from ludex.core.outcome import Outcome
from ludex.core.parameters import Parameters
from ludex.core.planner import Mind
from ludex.core.rng import Rng
from ludex.core.view import OpenView, View
from ludex.core.world import World

QUIT = ("quit", "exit")
HELP = ("?", "help")
BOARD = ("board", "show")
LOG = ("log",)
LOG_WORD = {"log": "what happened since your last decisions"}


class LeftGame(LudexError):
    """The human at a seat left the game."""


@dataclass(frozen=True, kw_only=True)
class Human(Parameters):
    """A person at the terminal: sees the view, types actions, and has all the time.

    A human needs the world's drawing and notation, so the match runner seats him by
    `seat_at(world)`, always in the main process.
    """

    def seat_at(self, world: World) -> SeatedHuman:
        return SeatedHuman(world, company=company_at(world))

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
        company: Company | None = None,
    ) -> None:
        self.world = world
        own: Prompt = PlainPrompt(ask, show) if ask or show else usual_prompt()
        self.company = company or Company(world, own)
        self.prompt = self.company.prompt

    def seat_at(self, world: World) -> SeatedHuman:
        """Stay where it sits."""
        return self

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        self.prompt.say(
            f"You play {self.world} at seat {view.seat}. ? lists the actions, board shows the "
            "board, log tells what happened, quit leaves."
        )
        return HumanMind(self.world, self.company, view.seat)

    def __str__(self) -> str:
        return "human"


class HumanMind:
    """Shows what happens and asks for actions."""

    def __init__(self, world: World, company: Company, seat: int) -> None:
        self.world = world
        self.company = company
        self.company.seats.add(seat)
        self.prompt = company.prompt
        self.seat = seat
        self.table = world if isinstance(world, ShowsTable) else None
        self.words = world if isinstance(world, AnswersWords) else None
        self.painter = world if isinstance(world, DrawsInColour) else None
        self.numbered = world if isinstance(world, ShowsBareBoard) else None
        self.places = world if isinstance(world, ExplainsPlaces) else None
        self.planning = world if isinstance(world, ReadsPlans) else None
        self.news = News(world, seat)
        self.plan: list[Action] = []
        """what was typed at once and is still to be played"""
        self.is_hinted = False
        self.board_seen = self.bare_seen = ""
        """the board as it was last shown, and as it last was without numbers"""

    def observe(self, event: Event) -> None:
        self.news.hear(event)

    def decide(self, view: Any, budget: Budget, rng: Rng) -> Decision:
        if self.plan and self.plan[0] in view.legal:
            return Decision(action=self.plan.pop(0))
        self.plan = []
        self.company.turn_to(self.seat, self.news)
        self.show_changes(view)
        self.show_hint(view)
        while True:
            word = self.line(view)
            if word.lower() in QUIT:
                raise LeftGame("left the game")
            if word and not self.is_answered(word, view):
                try:
                    return Decision(action=self.read(word, view))
                except LudexError as error:
                    self.prompt.say(f"{error}")

    def read(self, word: str, view: Any) -> Action:
        """The action that a text means, or the first of several."""
        plan = self.planning.read_plan(word, view) if self.planning else None
        if not plan:
            return self.world.parse_action(word, view)
        first, *self.plan = plan
        return first

    def show_hint(self, view: Any) -> None:
        """Say what to type at the first of several decisions that can be typed at once."""
        hint = self.planning.plan_hint(view) if self.planning else ""
        if hint and not self.is_hinted:
            self.prompt.say(hint)
        self.is_hinted = bool(hint)

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
                self.prompt.say("Ctrl-C again leaves the game; ? lists the actions.")
        raise AssertionError("the second time leaves")

    def is_answered(self, word: str, view: Any) -> bool:
        """Answer a question; False when it is none."""
        if word.lower() in HELP:
            words = self.words.prompt_words(view) if self.words else {}
            self.prompt.say(overview(self.world.choices(view), {**words, **LOG_WORD}))
        elif word.startswith("?") or word.lower().startswith("help "):
            query = word.removeprefix("?") if word[0] == "?" else word[len("help ") :]
            self.prompt.say(self.about(query.strip(), view))
        elif word.lower() in BOARD:
            self.prompt.show(self.board(view))
        elif word.lower() in LOG:
            self.prompt.say(self.news.log())
        elif self.words and (said := self.words.answer(word, view)) is not None:
            self.prompt.say(said)
        else:
            return False
        return True

    def board(self, view: Any) -> str:
        if self.table:
            return self.table.show_board(view)
        if self.painter and isinstance(view, OpenView):
            return self.painter.draw_in_colour(view.state)
        return self.world.draw_view(view)

    def about(self, query: str, view: Any) -> str:
        """What lies at a place, or the actions that a word stands for."""
        said = self.places.place_text(query, view) if self.places else None
        return about(query, self.world.choices(view)) if said is None else said

    def show_changes(self, view: Any) -> None:
        """Show the board if something on it is new since it was last shown, then the news."""
        board = self.board(view)
        bare = self.numbered.show_bare_board(view) if self.numbered else board
        taken = 1 + (rows(self.table.show_hand(view)) if self.table else 0)
        if bare != self.bare_seen or board not in (bare, self.board_seen):
            self.prompt.show(board)
            self.board_seen = board
            taken += rows(board)
        self.bare_seen = bare
        self.show_news(taken)

    def show_news(self, taken: int) -> None:
        if news := self.news.told(self.prompt.size(), taken):
            self.prompt.show(news)

    def known(self, view: Any) -> Sequence[str]:
        """What can be typed, for completion."""
        texts = [text for choice in self.world.choices(view) for text in choice.texts]
        texts += self.words.answers_to(view) if self.words else ()
        return [*texts, *BOARD[:1], *LOG, *QUIT[:1], *HELP]

    def finish(self, view: Any, outcome: Outcome) -> None:
        ending = self.company.ending(self.seat, outcome)
        if not ending:
            return
        self.company.turn_to(self.seat, self.news)
        if self.table:
            self.show_changes(view)
        else:
            self.show_news(1)
        self.prompt.say(ending)


def rows(text: str) -> int:
    return text.count("\n") + 1
