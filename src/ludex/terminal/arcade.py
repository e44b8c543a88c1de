"""Playing video games in the terminal: one player or two, or against agents."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludex.arena.match.session import Session
from ludex.arena.match.setup import MatchSetup, as_budget, as_world
from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter, LudexError
from ludex.terminal.picture import show_state
from ludex.terminal.terminal import NO_PIXELS, Terminal
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.pictures.picture import standing_text
from ludex.worlds.vgdl.world import Vgdl

if TYPE_CHECKING:
    from ludex.core.planner import Agent
    from ludex.core.record import Record

ARROW_KEYS = {
    "up": Action.UP,
    "left": Action.LEFT,
    "down": Action.DOWN,
    "right": Action.RIGHT,
    "space": Action.USE,
    "enter": Action.USE,
}
LETTER_KEYS = {
    "w": Action.UP,
    "a": Action.LEFT,
    "s": Action.DOWN,
    "d": Action.RIGHT,
    "f": Action.USE,
    "tab": Action.USE,
}
PACES = (0.4, 0.25, 0.16, 0.11, 0.08, 0.06, 0.04)  # seconds of a tick
USUAL_PACE = 3
QUIT = ("q", "escape", "ctrl-c")
TEXT_WIDTH = 76
NOTE_SECONDS = 6.0
STILL = 40  # ticks in which nothing happens in a game that waits for its player


@dataclass(slots=True)
class ArcadeResult:
    """The record of the last game at the terminal, how many there were, and the file kept."""

    record: Record
    games: int
    saved: Path | None = None


class Arcade:
    """The loop of a human game: reads keys, steps the session, shows the state."""

    def __init__(
        self,
        terminal: Terminal,
        setup: MatchSetup,
        record: Path | None = None,
    ) -> None:
        self.terminal = terminal
        self.setup = setup
        self.agents = setup.agents
        self.file = record
        self.pace = USUAL_PACE
        self.paused = False
        self.games = 0
        self.note = ""
        self.note_ends = 0.0
        self.saved: Path | None = None
        self.session: Session
        assert isinstance(setup.world, Vgdl)
        self.begin(setup.world, setup.start)

    @property
    def keyboards(self) -> dict[int, dict[str, Action]]:
        """Which keys each human seat has: one alone has the arrows, the first of two letters."""
        humans = [seat for seat, agent in enumerate(self.agents) if agent is None]
        if len(humans) == 1:
            return {humans[0]: ARROW_KEYS | LETTER_KEYS}
        return dict(zip(humans, (LETTER_KEYS, ARROW_KEYS), strict=False))

    def begin(self, world: Vgdl, state: Any = None) -> None:
        """Start a game: the same level again, or another one."""
        if self.games:
            self.session.leave()
        self.session = Session.of(replace(self.setup, world=world, start=state))
        self.world = world
        self.start_state = state
        self.waits = nothing_moves(self.session)
        self.has_levels = not world.level_file and (world.level > 0 or has_level(world, 1))
        self.games += 1
        self.paused = False
        self.say(mistakes(world))

    # The loop

    def run(self) -> ArcadeResult:
        try:
            if self.introduce():
                while self.one_tick():
                    pass
            self.session.leave()
        finally:  # also when an agent fails or the line is cut
            self.session.close()
            if self.file is not None:
                self.save(self.file)
        return ArcadeResult(self.session.record(), self.games, self.saved)

    def introduce(self) -> bool:
        """Show the rules and the keys until a key is pressed; False when it is to quit."""
        title, rules = self.world.description
        while True:
            self.show_text([title, "", *textwrap.wrap(rules, TEXT_WIDTH), "", *self.help()])
            keys = self.terminal.keys(0.5)
            if keys:
                self.terminal.forget()
                return keys[0] not in QUIT

    def one_tick(self) -> bool:
        """Show, wait, act; False when it is over and nobody wants more."""
        self.show()
        is_over = self.session.outcome is not None
        if self.paused or is_over or self.waits:
            keys = self.terminal.keys(0.5)
        else:
            keys = self.terminal.wait(time.monotonic() + PACES[self.pace])
        if any(key in QUIT for key in keys):
            return False
        pressed = self.pressed(keys)
        steps = "." in keys
        for key in keys:
            self.command(key)
        if self.session.outcome is None and (
            steps or (not self.paused and (pressed or not self.waits))
        ):
            self.session.step(pressed)
        return True

    def pressed(self, keys: Sequence[str]) -> dict[int, Action]:
        """The last action key of each human among the keys."""
        found: dict[int, Action] = {}
        for seat, board in self.keyboards.items():
            for key in keys:
                if key in board:
                    found[seat] = board[key]
        return found

    def command(self, key: str) -> None:
        """Do what a key asks for that is no action of the game."""
        if key == "p":
            self.paused = not self.paused
        elif key == "r":
            self.again()
        elif key in ("n", "b"):
            self.change_level(1 if key == "n" else -1)
        elif key in ("u", "back"):
            self.undo()
        elif key == "+":
            self.pace = min(self.pace + 1, len(PACES) - 1)
        elif key == "-":
            self.pace = max(self.pace - 1, 0)
        elif key == "x":
            self.save(self.file or Path(f"{Path(self.world.game).stem}-{self.world.level}.jsonl"))
        elif key in ("h", "?"):
            self.terminal.forget()
            self.introduce()

    def again(self) -> None:
        """Begin anew, with the rules and the level as their files are now."""
        if self.start_state is not None:
            self.begin(self.world, self.start_state)
            return
        try:
            self.begin(replace(self.world))
        except LudexError as error:  # its author has just made a mistake
            self.say(str(error))

    def change_level(self, by: int) -> None:
        if not self.has_levels:
            return
        level = self.world.level + by
        if not has_level(self.world, level):
            if by < 0:
                return
            level = 0
        self.begin(replace(self.world, level=level))
        self.terminal.forget()

    def undo(self) -> None:
        if self.session.can_undo:
            self.session.undo()
        else:
            self.say("no undo: chance or an agent has a part in this game")

    def save(self, file: Path) -> None:
        self.session.record().write(file)
        self.saved = file
        self.say(f"wrote {file}")

    def say(self, note: str) -> None:
        """Show a line for some seconds, long enough to be read while the game goes on."""
        self.note, self.note_ends = note, time.monotonic() + NOTE_SECONDS

    # The screen

    def show(self) -> None:
        title = f"{self.world.description[0]}, level {self.world.level}"
        if self.paused:
            title += "  [paused]"
        note = self.note if time.monotonic() < self.note_ends else ""
        last = note or self.ending() or self.offered()
        standing = standing_text(self.world.model, self.session.state)
        show_state(self.terminal, self.world, self.session.state, [title, standing, last])

    def ending(self) -> str:
        outcome = self.session.outcome
        if outcome is None:
            return ""
        humans = list(self.keyboards)
        if len(outcome.winners) == len(self.agents) or (
            len(humans) == 1 and humans[0] in outcome.winners
        ):
            word = "You won!"
        elif len(humans) == 1 or not outcome.winners:
            word = "Lost."
        else:
            word = f"Player {outcome.winners[0] + 1} wins!"
        return "  ".join([word, "r again", *self.next_level(), "x save", "q quit"])

    def offered(self) -> str:
        """The keys that do something now."""
        if self.paused:
            first = ["p go on", ". step"]
        else:
            first = [] if self.waits else ["p pause"]
        undo = ["u undo"] if self.session.can_undo and self.session.tick else []
        return "  ".join([*first, *undo, "r again", *self.next_level(), "h help", "q quit"])

    def next_level(self) -> list[str]:
        """The key for the next level, where there is more than one."""
        return ["n next level"] if self.has_levels else []

    def show_text(self, lines: list[str]) -> None:
        self.terminal.show(NO_PIXELS, lines)

    def help(self) -> list[str]:
        """The keys, as far as this game has them."""
        boards = list(self.keyboards)
        if len(boards) == 2:
            moves = [
                f"player {boards[0] + 1}: W A S D, F to use",
                f"player {boards[1] + 1}: arrow keys, space to use",
            ]
        else:
            moves = ["arrow keys or W A S D move, space uses"]
        pace = [] if self.waits else ["P pauses, . plays one tick", "+ faster, - slower"]
        undo = ["U takes a step back"] if self.session.can_undo else []
        levels = ", N goes to the next level, B to the one before" if self.has_levels else ""
        return [
            *moves,
            *undo,
            f"R begins again{levels}",
            *pace,
            "X saves the record, H shows this, Q quits",
            "",
            "press any key",
        ]


def play_at_terminal(
    world: Vgdl | str,
    agents: Sequence[Agent | None] = (None,),
    *,
    seed: int = 0,
    budget: Budget | str = DEFAULT_BUDGET,
    state: Any = None,
    record: Path | None = None,
) -> ArcadeResult:
    """Let humans play a video game in the whole terminal, alone, together or against agents.

    Args:
        world: A VGDL game, or its text such as `vgdl/zelda`.
        agents: One per seat; None is a human at the keyboard.
        seed: The same seed gives the same chance.
        budget: For each decision of the agents.
        state: The state to begin in; as the game begins if not given.
        record: Where the record of the last game is written.
    """
    game = as_world(world)
    if not isinstance(game, Vgdl):
        raise BadParameter(f"{game} is no video game; ludex.play lets humans play it")
    setup = MatchSetup(world=game, agents=agents, seed=seed, budget=as_budget(budget), start=state)
    with Terminal() as terminal:
        return Arcade(terminal, setup, record).run()


def has_level(world: Vgdl, level: int) -> bool:
    """Whether a game has a level of this number."""
    try:
        _ = replace(world, level=level).level_definition
    except LudexError:
        return False
    return True


def mistakes(world: Vgdl) -> str:
    """The first mistake of an author, which the play itself passes over as the reference does."""
    errors = [one for one in world.mistakes() if one.severity == "error"]
    if not errors:
        return ""
    first = replace(errors[0], file=Path(errors[0].file).name)  # a line has little room
    return f"{first} (and {len(errors) - 1} more)" if len(errors) > 1 else str(first)


def nothing_moves(session: Session) -> bool:
    """Whether a game stands still until a key is pressed, so that there is no need to hurry."""
    model, first = session.model, session.state
    if session.has_agents or model.traits.sampled_chance:
        return False
    assert isinstance(session.world, Vgdl)
    level = session.world.model.level
    state = first.copy()
    for _ in range(STILL):
        rest = tuple(model.default_action(state, seat) for seat in model.to_act(state))
        model.advance(state, rest, session.game.streams.of_game("look"))
    return not model.over(state) and level.census(state) == level.census(first)
