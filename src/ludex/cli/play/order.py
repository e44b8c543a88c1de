"""What `ludex play` is to play, and playing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludex.arena.match.runner import MatchResult
    from ludex.arena.match.setup import MatchSetup
    from ludex.arena.match.watcher import Watcher
    from ludex.arena.study.tournament import SeriesSetup
    from ludex.core.world import World


@dataclass(slots=True)
class Order:
    """What is to be played."""

    setup: MatchSetup
    games: int = 1
    workers: int = 1
    rotate: bool = False
    short: Mapping[str, str] = field(default_factory=dict)
    """names of GVGAI as they were typed, by the agents they stand for"""

    is_new_secret: bool = field(init=False)
    """whether no secret was given"""

    def __post_init__(self) -> None:
        self.is_new_secret = self.setup.secret is None
        if self.games > 1:
            self.setup = self.series.with_secret().match

    @property
    def series(self) -> SeriesSetup:
        from ludex.arena.study.tournament import SeriesSetup

        return SeriesSetup(self.setup, self.games, self.rotate)

    @property
    def world(self) -> World:
        from ludex.arena.match.setup import as_world

        return as_world(self.setup.world)

    @property
    def agents(self) -> Sequence[Any]:
        return self.setup.agents

    @property
    def has_human(self) -> bool:
        return bool(self.humans)

    @property
    def humans(self) -> list[int]:
        """The places of humans among the agents."""
        from ludex.core.capabilities import is_human

        agents = enumerate(self.agents)
        return [place for place, agent in agents if is_human(agent)]

    @property
    def only_human(self) -> int | None:
        """The seat of a lone human, who sees no more after the game than the rules show."""
        return self.humans[0] if len(self.humans) == 1 else None


@dataclass(slots=True)
class PlayedMatches:
    """What was played, as far as it got."""

    results: list[MatchResult] = field(default_factory=list)
    last_state: Any = None
    is_in_sight: bool = False
    """whether the last picture is still to be seen"""
    interrupted: bool = False
    """by Ctrl-C"""
    stopped: bool = False
    """by q of somebody who watched"""


def played(order: Order, delay: float | None, json: bool) -> PlayedMatches:
    """Play it all; with a delay, show every state on the way.

    Ctrl-C keeps what is finished, and q of somebody who watches a single game also that game.
    """
    from ludex.cli.shared import screen
    from ludex.cli.shared.tick_counter import TickCounter
    from ludex.terminal.live_view import LastState, LiveView

    done = PlayedMatches()
    last = LastState()
    console = screen.messages() if json else screen.answers()
    if order.has_human and delay is not None:
        screen.messages().print("a human sees what the seat may see, so --watch is left out")
        delay = None
    live = LiveView(console, delay or 0.0, short=order.short, faults_below=True)
    watchers: list[Watcher] = [last, *([live] if delay is not None else [])]
    is_shown = delay is not None or order.has_human
    with live, screen.progress(screen.messages(), quiet=json, silent=is_shown) as progress:
        if order.games == 1:
            watchers.append(TickCounter(progress, f"{order.world}"))
        else:
            task = progress.add_task(f"{order.world}", total=order.games, unit="games")
        try:
            for result in matches(order, watchers, one_by_one=delay is not None):
                done.stopped = live.has_quit
                if not (done.stopped and order.games > 1 and result.outcome.truncated):
                    done.results.append(result)  # of a series, whole games alone
                if done.stopped:
                    break
                if order.games > 1:
                    progress.advance(task)
        except KeyboardInterrupt:
            done.interrupted = True
    done.last_state = last.state
    done.is_in_sight = delay is not None
    return done


def matches(order: Order, watchers: list[Watcher], one_by_one: bool) -> Iterator[MatchResult]:
    """The matches asked for, each as soon as it is over and its turn has come."""
    from ludex.arena.match.runner import run_match
    from ludex.arena.study.tournament import run_series

    if order.games == 1:
        # The one game has the seed that was asked for itself, not one derived from it.
        yield run_match(order.setup, watchers)
    elif one_by_one:
        yield from (order.series.play(index, watchers) for index in range(order.games))
    else:
        yield from run_series(order.series, order.workers)
