"""The World contract: a game with its true model, notation and pictures."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.capabilities import ChecksStates
from ludex.core.choices import Choice, candidates_text, folded, is_beginning, matching
from ludex.core.codec import Codec, FixedCodec, LegalCodec
from ludex.core.contents import Contents, files_named_in, hash_of_data, hash_of_source
from ludex.core.defaults import OBSERVED_BYTES, observed_text, text_as_svg, view_text
from ludex.core.errors import (
    AmbiguousAction,
    BadParameter,
    GameOver,
    IllegalAction,
    InvalidAction,
    LudexError,
    UnknownName,
    Unsupported,
)
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model
from ludex.core.names import write_named
from ludex.core.parameters import Parameters
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.text_file import Source, read_source
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View

MANY = 12  # an error lists at most this many legal actions
MOST_TRIED = 1000  # actions of a codec among which a beginning is looked for


def in_brief(texts: Sequence[str]) -> str:
    """The texts of actions, or how many they are."""
    return ", ".join(texts) if len(texts) <= MANY else f"{len(texts)} actions"


def named(world: World, action: object) -> str:
    """The text of an action, or of anything else that was handed in as one."""
    try:
        return world.action_text(action)
    except Exception:  # anything may be handed in as an action
        return repr(action)


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """The shape and range of an observation."""

    shape: tuple[int, ...]
    low: float
    high: float
    dtype: str = "float32"


class Sensor(Protocol):
    """Turns views into arrays of one form."""

    @property
    def spec(self) -> ArraySpec | Mapping[str, ArraySpec]:
        """Of the one array, or of each of several by name."""
        ...

    def observe(self, view: Any) -> Any:
        """New arrays of this form: one, or a dictionary."""
        ...


@dataclass(frozen=True, slots=True)
class PlainSensor:
    """The one form of a world that has no others."""

    world: World

    @property
    def spec(self) -> ArraySpec:
        return self.world.observation_spec

    def observe(self, view: Any) -> NDArray[np.generic]:
        return self.world.observation(view)


def making(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let the model mark the states that a world makes as its own."""

    @wraps(method)
    def marked(self: World, *args: Any, **named: Any) -> Any:
        state = method(self, *args, **named)
        if isinstance(self.model, PythonModel):  # native states are marked where they are made
            self.model.adopt(state)
        return state

    return marked


def drawing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse states of other rules before they are drawn."""

    @wraps(method)
    def checked(self: World, state: Any, *args: Any, **named: Any) -> Any:
        if isinstance(self.model, ChecksStates):
            self.model.check_state(state)
        return method(self, state, *args, **named)

    return checked


@dataclass(frozen=True, kw_only=True)
class World(Parameters, ABC, Generic[StateT]):
    """A game with its options. The docstring's first line is its summary in lists.

    `World[State]` has these states; a bare `World` may have any.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    """moves only when behaviour does; records keep it"""
    status: ClassVar[Literal["exact", "close", "partial"]] = "exact"
    players: ClassVar[tuple[int, int]]
    """the least and the most seats its options can give it"""
    forms: ClassVar[tuple[str, ...]] = ("array",)
    """the forms of observation that `sensor` makes, the usual one first"""
    files: ClassVar[tuple[str, ...]] = ()
    """endings of the files that are worlds of this kind, read by `from_name`"""
    fractional_cells: ClassVar[bool] = False
    """whether `pixels` takes a fraction, so that a picture fills any room exactly"""
    place: ClassVar[str] = ""
    """the file and the class, for a world in a file of the user's own"""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name, border in (("start", making), ("parse", making), ("draw", drawing)):
            if name in vars(cls):
                setattr(cls, name, border(vars(cls)[name]))

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files that the game is read from, such as descriptions, levels, cards and decks."""
        return ()

    @cached_property
    def as_read(self) -> Mapping[Path, Source]:
        """What the sources hold, read together and once: the world keeps it when they change."""
        return {path: read_source(path) for path in self.sources}

    def is_current(self) -> bool:
        """Whether the sources still hold what this world has read."""
        return all(held.is_current(path) for path, held in self.as_read.items())

    @classmethod
    def from_name(cls, name: str, texts: Mapping[str, str]) -> Self:
        """Make the game that `WORLD/NAME` or a file name means, in worlds that hold several."""
        raise UnknownName(f"{cls.name} is one game; there is no {cls.name}/{name}")

    @cached_property
    @abstractmethod
    def model(self) -> Model[StateT]:
        """The true model: the rules."""

    @abstractmethod
    def start(self, rng: Rng) -> StateT:
        """Return a first state; listed chance may still be pending in it."""

    @abstractmethod
    def parse(self, text: str) -> StateT:
        """Read the line that `str` or `state_text` gives of a state; InvalidState if it is none."""

    def draw(self, state: StateT, form: Literal["text", "svg"] = "text") -> str:
        """Draw everything in a state; by default its notation, until the world draws better."""
        if isinstance(self.model, ChecksStates):
            self.model.check_state(state)
        return str(state) if form == "text" else text_as_svg(str(state))

    def draw_view(self, view: Any, form: Literal["text", "svg"] = "text") -> str:
        """Draw what a seat may see."""
        if isinstance(view, OpenView):
            return self.draw(view.state, form)
        return view_text(view) if form == "text" else text_as_svg(view_text(view))

    def pixels(self, state: StateT, cell: Any = 24, foot: bool = True) -> NDArray[np.uint8]:
        """Draw everything in a state as rows of red, green and blue.

        Args:
            state: What to draw.
            cell: Pixels of the side of a cell; a whole number, unless `fractional_cells`.
            foot: Whether to add a line below that tells how the game stands.

        Raises:
            Unsupported: In worlds that draw text and SVG alone, as most do.
        """
        raise Unsupported(f"{self.name} is drawn as text and SVG, not as pixels")

    def ground_pixels(self, state: StateT, cell: Any = 24) -> NDArray[np.uint8] | None:
        """The picture without a foot and without what stands on the ground.

        Tints of thoughts colour the ground. None: the most common colour is the ground.
        """
        return None

    @property
    def observation_spec(self) -> ArraySpec:
        return ArraySpec((OBSERVED_BYTES,), 0, 255, "uint8")

    def observation(self, view: Any) -> NDArray[np.generic]:
        """What the seat sees, as numbers of the shape that `observation_spec` gives.

        The default is a stopgap: the seat and the bytes of the notation. A world that something
        shall learn from gives `observation_spec` and `observation` of its own.
        """
        return observed_text(view.seat, view_text(view))

    def sensor(self, form: str | None = None, **options: Any) -> Sensor:
        """Make a sensor of one of the `forms`; worlds that have several override this."""
        self.check_form(form)
        for name in options:
            raise BadParameter(f"observations of {self.name} have no option {name!r}")
        return PlainSensor(self)

    def check_form(self, form: str | None) -> None:
        if form is not None and form not in self.forms:
            listed = ", ".join(self.forms)
            raise BadParameter(f"observations of {self.name} have the form {listed}, got {form!r}")

    @property
    def traits(self) -> Traits:
        return self.model.traits

    @cached_property
    def contents(self) -> Contents:
        """Hashes of the files that its behaviour depends on, by what they are, for records.

        They are the `sources` and the files that its text names. Of a world in a file of the
        user's own, the file itself and those it imports from beside it are told, too.
        """
        found = files_named_in(str(self))
        found |= {f"file {p.name}": hash_of_data(held.data) for p, held in self.as_read.items()}
        if own := vars(type(self)).get("place"):
            path = Path(own.rpartition(":")[0])
            found[f"world {path.name}"] = hash_of_source(path)
        return found

    @cached_property
    def codec(self) -> Codec:
        return LegalCodec(self.traits.max_legal)

    def still_default(self) -> tuple[str, ...]:
        """What the world has not got of its own yet: `draw`, its SVG alone, codec, observation."""
        kind, state = type(self), self.start(Rng(1))
        drawn = self.draw(state, "svg") != text_as_svg(self.draw(state))
        parts = {
            "draw": kind.draw is World.draw,
            "draw (svg)": kind.draw is not World.draw and not drawn,
            "codec": kind.codec is World.codec,
            "observation": kind.observation is World.observation,
        }
        return tuple(name for name, is_default in parts.items() if is_default)

    def own_rates(self, seconds: float) -> Iterator[dict[str, Any]]:
        """Rows that `ludex bench` has of this world alone, each with its `metric`.

        A `note` in a row is a sentence for the reader; a row without a metric is that alone.
        """
        yield from ()

    # The real game

    @cached_property
    def referee(self) -> Model[StateT]:
        """The rules on a meter that nobody arms: the real game never runs out of budget."""
        return self.model.metered(Meter())

    def step(self, state: StateT, actions: Actions, rng: Rng) -> StateT:
        """Apply decisions in the real game: raises GameOver and IllegalAction."""
        rules = self.referee
        outcome = rules.outcome(state)
        if outcome is not None:
            raise GameOver(f"the game is over ({outcome.reason}); start a new one")
        seats = rules.to_act(state)
        if len(actions) != len(seats):
            raise IllegalAction(
                f"{len(seats)} seats act now (seats {seats}), got {len(actions)} actions"
            )
        for seat, action in zip(seats, actions, strict=True):
            if action not in rules.legal(state, seat):
                raise IllegalAction(self.explain(state, seat, action))
        return rules.step(state, actions, rng)

    def explain(self, state: StateT, seat: int, action: Action) -> str:
        """Say in one sentence why an action is not legal; worlds give better reasons.

        It begins with the seat, as in "seat 0 cannot play 'c': that column is full".
        """
        if not self.model.legal(state, seat):
            return f"seat {seat} cannot play {named(self, action)!r}: it is not its turn to act"
        legal = [self.action_text(one) for one in self.model.legal(state, seat)]
        return f"seat {seat} cannot play {named(self, action)!r} here; legal: {in_brief(legal)}"

    def refusal(self, view: Any, action: Action) -> str:
        """Say to the seat that looks at a view why an action is not legal.

        Worlds with hidden facts give the reason here, from the view alone, and let `explain`
        say the same of `model.view(state, seat)`.
        """
        if isinstance(view, OpenView):
            why = self.explain(view.state, view.seat, action)
            seat = f"seat {view.seat} "
            return "you " + why.removeprefix(seat) if why.startswith(seat) else why
        legal = [self.action_text(one) for one in view.legal]
        return f"you cannot play {named(self, action)!r} here; legal: {in_brief(legal)}"

    # Notation

    def state_text(self, state: StateT) -> str:
        """Write a state in one line for people, which `parse` reads back.

        By default this is `str(state)`, which keys, hashes and records are made of. A world whose
        states do not hold the names of what they speak of writes them here.
        """
        return str(state)

    def action_text(self, action: Action) -> str:
        """Write an action."""
        return str(action)

    def choices(self, view: Any) -> Sequence[Choice]:
        """The legal actions of a view for a person who types; worlds give better names.

        By default they are grouped by `model.action_type`, or by the first word of their texts.
        """
        return [self._choice(action) for action in view.legal]

    def _choice(self, action: Action) -> Choice:
        text = self.action_text(action)
        word, _, rest = text.partition(" ")
        kind = self.model.action_type(action)
        group = word if rest and kind == "move" else kind
        return Choice(action, text, group, rest if group == word and rest else text)

    def parse_action(self, text: str, view: View) -> Action:
        """Read an action as this view's seat types it: all of it, a beginning or its names."""
        choices = self.choices(view)
        unreadable: LudexError | None = None
        try:
            action = self.read_action(text, view)
        except InvalidAction as error:
            action, unreadable = None, error
        if action is not None and action in view.legal:
            return action
        found = matching(text, choices, by_group=action is None)
        if len(found) == 1:
            return found[0].action
        if found:
            raise AmbiguousAction(
                f"{text!r} could be any of: {candidates_text(found)}; type more of it"
            )
        if action is not None:
            raise IllegalAction(self.refusal(view, action))
        if unreadable is None and (why := self._usual_refusal(text, view)):
            raise IllegalAction(why)
        if unreadable is not None:
            raise unreadable
        legal = in_brief([choice.text for choice in choices])
        if self.is_action_text(folded(text)):
            raise IllegalAction(f"{text!r} is not legal here; legal: {legal}")
        raise InvalidAction(f"{text!r} is not an action of {self.name}; legal: {legal}")

    def read_action(self, text: str, view: Any) -> Action | None:
        """Read an action in full, legal or not, for the reason why it is not; None: unknown.

        InvalidAction may say how an action is written. The default knows those that a fixed
        codec lists.
        """
        actions = self.codec.actions if isinstance(self.codec, FixedCodec) else ()
        word = folded(text)
        return next((one for one in actions if self.action_text(one).lower() == word), None)

    def _usual_refusal(self, text: str, view: Any) -> str | None:
        """What speaks against most of the actions of a fixed codec that begin with a text."""
        actions = self.codec.actions if isinstance(self.codec, FixedCodec) else ()
        word = folded(text)
        if not word or len(actions) > MOST_TRIED:
            return None
        begun = [one for one in actions if is_beginning(word, folded(self.action_text(one)))]
        said = [self.refusal(view, one) for one in begun]
        reasons = [one.partition(": ")[2] for one in said]
        return max(said, key=lambda one: reasons.count(one.partition(": ")[2]), default=None)

    def is_action_text(self, text: str) -> bool:
        """Whether some state of this world has an action written like this."""
        actions = self.codec.actions if isinstance(self.codec, FixedCodec) else ()
        return any(self.action_text(action).lower() == text for action in actions)

    def outcome_text(self, outcome: Hashable) -> str:
        """Write a listed outcome of chance; unlike outcomes have unlike texts."""
        return str(outcome)

    def event_text(self, event: Event, seat: int) -> str:
        """Tell in one line what happened, to a human at this seat; worlds say it better.

        An empty text is not shown: the board tells it.
        """
        if event.kind == "move":
            return event.told(seat, "play", self.action_text(event.detail))
        if event.kind == "chance":
            return f"chance brings {self.outcome_text(event.detail)}"
        detail = event.detail if isinstance(event.detail, tuple) else (event.detail,)
        words = [event.kind, *(str(one) for one in detail if one is not None)]
        who = (
            "" if event.seat is None else "you: " if event.seat == seat else f"seat {event.seat}: "
        )
        return who + " ".join(words)

    def fingerprint(self, state: StateT) -> str:
        """A short hash of a state, the same on every machine, for records."""
        text = self.text_to_hash(state)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def text_to_hash(self, state: StateT) -> str:
        """The text that hashes are made of: the notation, or what it was when records were kept."""
        return str(state)

    @classmethod
    def summary(cls) -> str:
        return (cls.__doc__ or "").strip().partition("\n")[0]

    def __str__(self) -> str:
        own = vars(type(self)).get("place")  # not that of a class it is built on
        return write_named(own or self.name, self.changed(), "[]")
