"""The live view of a game in a terminal, or its pictures one after the other without one."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from rich.console import Console
from rich.live import Live

from ludex.arena.match.play import play
from ludex.arena.match.rules import fault_in_brief
from ludex.arena.match.runner import MatchResult
from ludex.arena.match.watcher import Draw, MatchStopped, Step, Watcher
from ludex.arena.pictures.mind_view import board_of, layers_of, mind_lines
from ludex.core import registry
from ludex.core.decision import Decision
from ludex.core.outcome import Outcome
from ludex.core.world import World
from ludex.terminal.blocks import is_screen, known_colours
from ludex.terminal.console import CleanConsole, styled_lines
from ludex.terminal.controls import Controls
from ludex.terminal.key_reader import LOOK_S, KeyReader
from ludex.terminal.picture import picture_text, show_state
from ludex.terminal.scene import Scene, fitted, outcome_text, panel, title_line, turn_line
from ludex.terminal.terminal import Terminal, catch_last_signals, check_ended

HISTORY = 2_000  # pictures to go back to
LEFT = 12  # rows below the last picture, for what a command says after it


class LiveView(Watcher):
    """Shows a match while it is played; without a terminal it prints every picture.

    In a terminal with a keyboard, keys pause it, play single steps, look back, change the pace and
    end the match; agents are asked nothing meanwhile, so it costs them no budget. The last picture
    stays on the screen. Use it as a context manager, so that the terminal is left in order
    whatever happens.

    Args:
        console: Where it is shown.
        delay_s: Seconds between pictures.
        live: Whether to draw in place; None asks the console.
        ends_match: Whether `q` ends the match, too, and not only the view.
        short: How agents with long texts are called, by their texts.
        faults_below: Whether faults are told later, and need no words in the picture.
    """

    reads_minds = True

    def __init__(
        self,
        console: Console,
        delay_s: float = 0.0,
        live: bool | None = None,
        ends_match: bool = True,
        short: Mapping[str, str] | None = None,
        faults_below: bool = False,
    ) -> None:
        self.console = console
        self.short = short or {}
        self.faults_below = faults_below
        self.controls = Controls(delay_s)
        self.ends_match = ends_match
        can_draw = console.is_terminal and not console.is_dumb_terminal
        self.is_live = can_draw if live is None else live
        self.live: Live | None = None
        self.terminal: Terminal | None = None
        """the whole terminal, where there is a keyboard"""
        self.reader: KeyReader | None = None
        self.is_entered = False
        self.scene: Scene | None = None
        """the newest"""
        self.past: deque[Scene] = deque(maxlen=HISTORY)
        """those that were shown, the newest last"""
        self.has_minds = False
        """whether an agent of this match has shown anything of its mind"""
        self.drawn_at = 0.0
        self.drawn_size = (0, 0)
        self.unseen: Scene | None = None
        """what the terminal showed last, and has not left on the screen"""
        self.handlers: dict[int, Any] = {}

    @property
    def has_quit(self) -> bool:
        """Whether somebody has pressed q."""
        return self.controls.has_quit

    def __enter__(self) -> Self:
        self.is_entered = True
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self.is_entered = False
        self.close(leaves_picture=kind is None)

    def close(self, leaves_picture: bool = True) -> None:
        """Give the terminal back, with the last picture on it."""
        if self.live is not None:
            self.live.stop()
            self.live = None
            for number, handler in self.handlers.items():
                signal.signal(number, handler)
        if self.reader is not None:
            self.reader.close()
            self.reader = None
        if self.terminal is not None:
            self.terminal.__exit__(None, None, None)
            self.terminal = None
        scene, self.unseen = self.unseen, None
        if scene is not None and leaves_picture:
            print_scene(self.console, scene)

    # What happens in the match

    def before_match(self, world: World, agents: Sequence[str], state: Any) -> None:
        self.has_minds = False
        self.past.clear()
        if self.is_live and not self.has_quit and self.terminal is None and self.live is None:
            if has_screen():
                self.terminal = Terminal(interruptible=True).__enter__()
                self.reader = KeyReader(self.terminal, self.answer)
            else:
                self.handlers = catch_last_signals()
                self.live = Live(console=self.console, auto_refresh=False)
                self.live.start()
        self.show(Scene(world, [self.short.get(agent, agent) for agent in agents], state))

    def after_chance(self, draw: Draw) -> None:
        scene = self.scene
        assert scene is not None
        self.show(replace(scene, state=draw.after, chance=scene.world.outcome_text(draw.outcome)))

    def after_step(self, step: Step) -> None:
        scene = self.scene
        assert scene is not None
        moves = [
            (seat, action, step.decisions.get(seat))
            for seat, action in zip(
                scene.world.model.to_act(step.before), step.actions, strict=True
            )
        ]
        self.show(
            replace(
                scene,
                tick=scene.tick + 1,
                chance="",
                moves=moves,
                before=step.before,
                state=step.after,
                outcome=scene.world.model.outcome(step.after),
            )
        )

    def after_match(self, state: Any, outcome: Outcome) -> None:
        assert self.scene is not None
        if self.faults_below:
            outcome = fault_in_brief(outcome)
        if self.scene.outcome != outcome:  # ended by a limit or a fault, which no state shows
            self.show(replace(self.scene, state=state, outcome=outcome), is_last=True)
        if self.terminal is not None and not self.has_quit:
            self.wait(self.terminal, 0.0)  # somebody who has paused looks at the end, too
        if not self.is_entered:
            self.close()

    # What is shown

    def show(self, scene: Scene, is_last: bool = False) -> None:
        """Show a moment when its time has come."""
        check_ended()
        self.scene = scene
        if self.terminal is not None and not self.has_quit:
            self.wait(self.terminal, self.drawn_at + self.controls.delay_s)
        if self.has_quit:
            self.quit(scene, is_last)
        elif self.terminal is not None:
            self.show_next(self.terminal, scene)
            self.unseen = scene
            self.drawn_at = time.monotonic()
        elif self.live is not None:
            shown = fitted(scene, self.console.height, self.console.width)
            self.live.update(shown, refresh=True)
            time.sleep(self.controls.delay_s)
        else:
            self.console.print(panel(scene, columns=self.console.width))

    def show_next(self, terminal: Terminal, scene: Scene) -> None:
        assert self.reader is not None
        with self.reader.lock:
            self.past.append(scene)
            self.draw(terminal, scene)

    def quit(self, scene: Scene, is_last: bool) -> None:
        """End the match where it is; a replay goes on unseen."""
        if not self.ends_match:
            return
        self.unseen = scene if self.terminal is not None else None
        if not is_last:
            raise MatchStopped("stopped by the viewer")

    def wait(self, terminal: Terminal, until: float) -> None:
        """Do what keys ask for until the next picture is due; for ever while it is paused."""
        assert self.reader is not None
        self.reader.wait()
        try:
            self.obey(terminal, self.reader, until)
        finally:
            for key in self.reader.go_on():
                self.controls.press(key)

    def obey(self, terminal: Terminal, reader: KeyReader, until: float) -> None:
        controls = self.controls
        shown = len(self.past) - 1
        while not controls.has_quit and self.past:
            shown, controls.steps = max(0, shown + controls.steps), 0
            if shown >= len(self.past):
                return  # a single step: the next picture is asked for
            left = LOOK_S if controls.is_paused else until - time.monotonic()
            keys = reader.keys(max(0.0, min(left, LOOK_S)))
            if "ctrl-c" in keys:  # whoever typed has gone
                raise KeyboardInterrupt
            delay_s = controls.delay_s
            pressed = [controls.press(key) for key in keys]
            until += controls.delay_s - delay_s
            seen = min(len(self.past) - 1, max(0, shown + controls.steps))
            if not controls.is_paused:
                seen = shown = len(self.past) - 1
            elif controls.steps < 0:
                shown, controls.steps = seen, 0
            if any(pressed) or terminal.size != self.drawn_size:
                self.draw(terminal, self.past[seen], has_past=seen > 0)
            if not controls.is_paused and time.monotonic() >= until:
                return

    def answer(self, keys: list[str]) -> None:
        """Answer keys while agents think: what they ask for comes with the next picture."""
        pressed = [self.controls.press(key) for key in keys]
        terminal = self.terminal
        if terminal is None or not self.past:
            return
        if any(pressed) or terminal.size != self.drawn_size:
            last = len(self.past) - 1
            place = min(last, max(0, last + self.controls.steps))
            self.draw(terminal, self.past[place], has_past=place > 0)

    def draw(self, terminal: Terminal, scene: Scene, has_past: bool | None = None) -> None:
        """Fill the terminal with one moment, and the keys that do something in it."""
        assert self.reader is not None
        with self.reader.lock:
            self.draw_now(terminal, scene, len(self.past) > 1 if has_past is None else has_past)

    def draw_now(self, terminal: Terminal, scene: Scene, has_past: bool) -> None:
        self.drawn_size = terminal.size
        offered = self.controls.shown(has_past)
        if scene.world.traits.objects:
            self.draw_pixels(terminal, scene, offered)
            return
        columns, rows = terminal.size
        lines = styled_lines(self.console, fitted(scene, rows - 1, columns), columns)
        # Cut off below, as the picture is first where it fits.
        terminal.show_styled([*lines[: rows - 1], offered[:columns]])

    def draw_pixels(self, terminal: Terminal, scene: Scene, offered: str) -> None:
        standing = scene.world.draw(scene.state).splitlines()[-1]
        moves = ", ".join(
            f"{scene.agents[seat]}: {scene.world.action_text(action)}"
            for seat, action, _ in scene.moves
        )
        ended = outcome_text(scene.outcome, scene.agents).plain if scene.outcome else ""
        lines = [f"{scene.world}  {standing}", ended or moves, offered]
        minds = [(seat, one) for seat, _, one in scene.moves if one is not None]
        # Once there is something to show, the picture keeps its place beside it.
        self.has_minds |= any(one.notes or one.visits or one.values for _, one in minds)
        if self.has_minds:
            self.show_minds(terminal, scene, minds, lines)
        else:
            show_state(terminal, scene.world, scene.state, lines)

    def show_minds(
        self,
        terminal: Terminal,
        scene: Scene,
        minds: Sequence[tuple[int, Decision]],
        lines: list[str],
    ) -> None:
        """Show the state that was thought about, with the first mind's cells on the board.

        The end of a game, which nobody thought about, is shown bare beside the last thoughts.
        """

        def aside(width: int) -> list[str]:
            return [
                line
                for seat, decision in minds
                for line in mind_lines(scene.world, scene.agents[seat], decision, width)
            ]

        if scene.outcome is None and scene.before is not None:
            layers = layers_of(minds[0][1].notes) if minds and board_of(scene.world) else []
            show_state(terminal, scene.world, scene.before, lines, layers, aside)
        else:
            show_state(terminal, scene.world, scene.state, lines, aside=aside)


def watch(
    world: World | str,
    agents: Sequence[Any],
    *,
    delay_s: float | None = None,
    console: Console | None = None,
    **options: Any,
) -> MatchResult:
    """Play a match and show it: live in a terminal, else one picture after the other.

    >>> watch("nim[heaps=1]", ["uniform", "uniform"], delay_s=0).winners  # doctest: +ELLIPSIS
    ╭─ nim[heaps=1] tick 0 ─...
    (0,)

    Args:
        world: The world, or its text.
        agents: One per seat, as `ludex.play` takes them.
        delay_s: Seconds between pictures; as is usual for the world if not given.
        console: Where to show it; standard output.
        **options: Those of `ludex.play`, such as seed and budget.
    """
    played = registry.world(world) if isinstance(world, str) else world
    pause = usual_delay(played) if delay_s is None else delay_s
    with LiveView(console or CleanConsole(), pause) as view:
        result: MatchResult = play(played, agents, watchers=[view], **options)
    return result


def usual_delay(world: World) -> float:
    """Seconds between pictures: video games run by themselves, board games are looked at."""
    return 0.04 if world.traits.objects else 0.7


def has_screen() -> bool:
    """Whether keys and pictures both go to a terminal that can take them."""
    return sys.stdin.isatty() and sys.stdout.isatty() and is_screen(os.environ)


def print_scene(console: Console, scene: Scene) -> None:
    """Print a moment so that it stays on the screen: a video game in its colours, where it can."""
    if not scene.world.traits.objects or not shows_colours(console) or scene.seen_by is not None:
        console.print(panel(scene, console.height, console.width))
        return
    rows = max(4, console.height - LEFT)
    console.print(title_line(scene))
    console.file.write(picture_text(scene.world, scene.state, console.width, rows) + "\n")
    console.print(scene.world.draw(scene.state).splitlines()[-1])
    console.print(turn_line(scene))


def shows_colours(console: Console) -> bool:
    """Whether half blocks in colours can be printed on a console."""
    writes_blocks = "utf" in console.encoding.lower()
    is_screen_now = console.is_terminal and is_screen(os.environ)
    return is_screen_now and writes_blocks and known_colours(os.environ) > 0


class LastState(Watcher):
    """Keeps the state in which a match ended."""

    state: Any = None

    def after_match(self, state: Any, outcome: Outcome) -> None:
        self.state = state
