"""Plays a record again, and names the first difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from shlex import quote
from typing import Any

from ludex.arena.match.game import Game
from ludex.arena.match.rules import Fault, outcome_by_fault
from ludex.arena.match.setup import MatchSetup, as_world
from ludex.arena.match.thoughts import read_thoughts
from ludex.arena.match.watcher import Audience, Watcher
from ludex.core import registry
from ludex.core.contents import changes
from ludex.core.decision import Decision
from ludex.core.errors import BrokenRecord, LudexError, ReplayDiffers, in_a_line
from ludex.core.names import read_world, write_named
from ludex.core.outcome import Outcome
from ludex.core.record import Moment, Record
from ludex.core.rng import Rng
from ludex.core.user_file import is_file_name
from ludex.core.world import World

LONGEST_SHOWN = 200


def replay(
    record: Record, watchers: Sequence[Watcher] = (), world: World | str | None = None
) -> Outcome:
    """Play a record again and return its outcome.

    Args:
        record: What was played.
        watchers: See the match again.
        world: The world it was played in, or its text, where that is a class in a Python file: a
            record may come from anybody, so what it names is never run unless it is given here.

    Raises:
        ReplayDiffers: When the world no longer does what the record says; the message names
            the first difference, and files of the world that have changed since.
        BrokenRecord: When the record makes no sense.
        NotRun: When the record is of a world in a Python file, and none is given.
    """
    here = world_of(record, as_world(world) if world is not None else None)
    with telling_changes(record, here):
        return Replay(record, here, Audience(watchers)).run()


@contextmanager
def telling_changes(record: Record, world: World) -> Iterator[None]:
    """Name in errors the files of the world that have changed since it was recorded."""
    try:
        yield
    except (ReplayDiffers, BrokenRecord) as error:
        changed = changed_since(record, world)
        if not changed:
            raise
        raise ReplayDiffers(
            f"{error}; since it was recorded, these have changed: {', '.join(changed)}"
        ) from None


class NotRun(BrokenRecord):
    """A record of a world in a Python file that nobody has named."""


def world_of(record: Record, given: World | None) -> World:
    """The world of a record; Python that only the record names is not imported."""
    world = given or known_world(record.world)
    if not is_same(str(world), record.world):
        raise ReplayDiffers(f"this record is of {record.world!r}, not of {str(world)!r}")
    if world.version != record.world_version:
        raise ReplayDiffers(
            f"this record is of {world.name}@{record.world_version}, and here {world.name} has "
            f"version {world.version}, which behaves differently; use the ludex it was "
            f"recorded with, {record.package_version!r}"
        )
    if len(record.agents) != world.traits.seats:
        raise BrokenRecord(
            f"this record names {len(record.agents)} agents for the {world.traits.seats} "
            f"seats of {record.world}"
        )
    return world


def known_world(text: str) -> World:
    """Make a world that a record or a store names, of a package that is installed here."""
    refuse_python(text, "this record")
    try:
        return registry.world(text)
    except LudexError as error:
        raise BrokenRecord(
            f"the world of this record cannot be made: {error}; if it is one of your own, "
            "name it: --world file.py:Class"
        ) from None


def refuse_python(world: str, what: str) -> None:
    """Raise NotRun where a text from outside names a world in a Python file."""
    try:
        name = read_world(world).name
    except LudexError:
        return  # refused for another reason
    if is_file_name(name):
        shown = world if len(world) <= LONGEST_SHOWN else "file.py:Class"
        raise NotRun(
            f"{what} is of a world in a Python file, which is not run unless you name it: if you "
            f"trust the file, add --world {quote(shown)} (in Python: world=)"
        )


def is_same(here: str, recorded: str) -> bool:
    """Whether two texts name the same world; a file may have moved to another folder."""
    if here == recorded:
        return True
    try:
        one, other = read_world(here), read_world(recorded)
    except LudexError:
        return False
    both = is_file_name(one.name) and is_file_name(other.name)
    return both and class_of(here) == class_of(recorded) and one.arguments == other.arguments


def class_of(world: str) -> str:
    """What a world in a file is known by wherever the file lies: the name of its class.

    >>> class_of("some/where/mine.py:Mine[size=3]"), class_of("nim[heaps=1-2]")
    ('Mine', 'nim')
    """
    try:
        return read_world(world).name.rpartition(":")[2]
    except LudexError:
        return world


def named_world(text: str, recorded: str) -> World:
    """The world that a user names for a record; options that are left out are the record's."""
    given = read_world(text)
    try:
        options = dict(read_world(recorded).arguments)
    except LudexError:
        options = {}
    if given.arguments or not options or not is_file_name(given.name):
        return registry.world(text)
    return registry.world(write_named(given.name, options, "[]"))


def changed_since(record: Record, world: World) -> list[str]:
    """The files of a world that are not as they were when a match was recorded, in words."""
    if record.contents is None:
        return []
    return changes(record.contents.get("world", {}), world.contents)


class Replay:
    """A record being played again: what it says is played, and chance brings what it brought."""

    def __init__(self, record: Record, world: World, audience: Audience) -> None:
        self.record = record
        self.audience = audience
        start = first_state(record, world)
        setup = MatchSetup(world=world, agents=[None] * len(record.agents), start=start)
        self.game = Game(setup, audience=audience, keeps_record=False)
        self.world, self.model = self.game.world, self.game.model

    def run(self) -> Outcome:
        game = self.game
        self.audience.before_match(self.world, self.record.agents, game.state)
        self.play()
        outcome = self.last_outcome()
        if not self.record.moments or self.record.moments[-1].hash is None:
            raise BrokenRecord("this record has lost the hash of its last state")
        game.finish(outcome)
        return outcome

    def play(self, steps: int | None = None) -> None:
        """Play all of it, or so many steps and the chance that followed them."""
        game = self.game
        for moment in self.record.moments:
            if moment.actions is not None and game.tick == steps:
                return
            if moment.chance is not None:
                self.resolve(moment.chance)
            elif moment.actions is not None:
                self.step(moment)
            elif self.world.fingerprint(game.state) != moment.hash:
                raise self.differs(
                    f"the state is {str(game.state)!r}, whose hash is "
                    f"{self.world.fingerprint(game.state)!r}, was {moment.hash!r}"
                )

    def resolve(self, text: str) -> None:
        listed = self.model.chance(self.game.state)
        for outcome, _ in listed:
            if self.world.outcome_text(outcome) == text:
                self.game.resolve(outcome)
                return
        if not listed:
            raise self.differs(f"no chance is pending, but the record has outcome {text!r}")
        raise self.differs(f"chance cannot bring {text!r} here")

    def step(self, moment: Moment) -> None:
        texts = moment.actions or ()
        seats = self.game.acting
        if len(seats) != len(texts):
            raise self.differs(f"{len(seats)} seats act, were {len(texts)}")
        actions: list[Any] = []
        for seat, text in zip(seats, texts, strict=True):
            legal = self.model.legal(self.game.state, seat)
            found = [action for action in legal if self.world.action_text(action) == text]
            if not found:
                raise self.differs(f"seat {seat} cannot play {text!r}")
            actions.append(found[0])
        if not seats:
            raise self.differs("nobody acts, but the record goes on")
        decisions = self.decisions(moment, dict(zip(seats, actions, strict=True)))
        self.game.step(tuple(actions), self.stream(moment), decisions)

    def decisions(self, moment: Moment, actions: Mapping[int, Any]) -> dict[int, Decision]:
        """What the record kept of the decisions, for those who watch."""
        if not self.audience.watchers:
            return {}
        return {
            seat: read_thoughts(self.world, self.model.legal(self.game.state, seat), action, kept)
            for seat, action in actions.items()
            if (kept := (moment.notes or {}).get(str(seat))) is not None
        }

    def stream(self, moment: Moment) -> Rng:
        if not self.model.traits.sampled_chance:
            return Rng(0)  # never drawn from
        try:
            return Rng.from_text(moment.key or "")
        except ValueError:
            raise BrokenRecord(
                f"step {self.game.tick} of this record has no usable stream: {moment.key!r}"
            ) from None

    def last_outcome(self) -> Outcome:
        """Compare the end: by the rules, or by a limit or fault that the record names."""
        recorded, found = self.record.outcome, self.game.outcome
        if recorded is None:
            raise BrokenRecord("this record has no outcome")
        if self.game.tick != self.record.steps:
            raise self.differs(f"the game has {self.game.tick} steps, had {self.record.steps}")
        # Reasons are words for people: a later ludex may put the same end in other words.
        if found is not None and replace(found, reason=recorded.reason) != recorded:
            raise self.differs(f"the outcome is {found}, was {recorded}")
        if found is None and not recorded.truncated:
            raise self.differs("the game goes on, but the record ends")
        if found is None:
            self.check_cut(recorded)
        return recorded

    def check_cut(self, recorded: Outcome) -> None:
        """A game that a fault or a limit ended has the outcome that these give."""
        seats = len(self.record.agents)
        possible: list[tuple[tuple[int, ...], tuple[float, ...]]] = [((), (0.0,) * seats)]
        faults = [read_fault(one) for one in self.record.faults]
        if grave := [fault for fault in faults if fault.ends_the_game]:
            by_fault = outcome_by_fault(seats, grave)
            possible.append((by_fault.winners, by_fault.returns))
        if (recorded.winners, recorded.returns) not in possible:
            raise self.differs(
                f"the game was cut short, which gives {' or '.join(map(str, possible))}, not "
                f"{(recorded.winners, recorded.returns)}"
            )

    def differs(self, what: str) -> ReplayDiffers:
        return ReplayDiffers(f"replay differs at step {self.game.tick}: {what}")


def first_state(record: Record, world: World) -> Any:
    try:
        return world.parse(record.start)
    except LudexError as error:
        raise BrokenRecord(f"the first state of this record cannot be read: {error}") from None
    except Exception as error:  # text from outside must not show a traceback
        raise BrokenRecord(
            f"the first state of this record cannot be read: {in_a_line(error)}"
        ) from error


def read_fault(told: Any) -> Fault:
    """A fault as a record keeps it; BrokenRecord when it makes no sense."""
    try:
        seat, kind = int(told["seat"]), str(told["kind"])
        return Fault(seat, kind, int(told["tick"]), str(told["message"]))  # type: ignore[arg-type]  # any word
    except (KeyError, TypeError, ValueError):
        raise BrokenRecord(f"this record has a fault that makes no sense: {told!r}") from None
