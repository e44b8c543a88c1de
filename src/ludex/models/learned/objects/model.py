"""A learned model of things: what becomes of each one follows from what it sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.state import PlainState
from ludex.core.things import NOBODY, ThingView, things_of
from ludex.core.traits import Traits
from ludex.core.view import OpenView
from ludex.models.learned._native import Judge
from ludex.models.learned.objects.kind_model import Answer, KindModel
from ludex.models.learned.objects.memory import GONE, MIL, Fate, Wares, gained
from ludex.models.learned.objects.sight import (
    FACING,
    FACINGS,
    Cell,
    Ground,
    Held,
    Moment,
    Placed,
    Row,
    Sense,
    Size,
    by_cell,
    rows_one_by_one,
)
from ludex.models.learned.rewards.reward_model import (
    BLOCKS,
    RUNNING,
    THINGS,
    UNKNOWN,
    ending_of,
)
from ludex.models.learned.tiles.model import learned_traits, outcome_of

DECIMALS = 2  # of scores, as judges round them


@dataclass(slots=True, unsafe_hash=True)
class ThingState(PlainState):
    """Things where a model expects them, and how sure it is."""

    ground: Ground
    things: tuple[Placed, ...]
    """those that are not part of the ground; sorted"""
    avatar: int
    """which of them is the player's own"""
    facing: Cell
    held: Held
    choices: tuple[Any, ...]
    score: float
    ending: int = RUNNING
    bonus: float = field(default=0.0, compare=False)
    confidence: float = field(default=1.0, compare=False)
    unseen: int = field(default=0, compare=False)
    """things of the last step that were guessed"""

    def differs(self, other: ThingState) -> int:
        """How many things are unlike."""
        mine, its = (Counter((*one.things, *one.ground.things)) for one in (self, other))
        return max((mine - its).total(), (its - mine).total())

    def __str__(self) -> str:
        things = " ".join(f"{kind}@{x},{y}" for kind, x, y in self.things)
        return f"{things} facing={self.facing} held={self.held} score={self.score:g}"


@dataclass(frozen=True)
class Attitude:
    """What a search should make of what the model has not seen, and of where it has been."""

    novelty: float = 0.5
    curiosity: float = 0.0
    discounts: bool = False
    trust: float = 0.0
    boredom: float = 0.0
    samples: bool = False


@dataclass(frozen=True)
class Knowledge:
    """All that was learned, as a model needs it."""

    kinds: Mapping[int, KindModel]
    sense: Sense
    wares: Wares
    verbs: Sequence[int]
    judge: Judge
    judged: int
    """kinds that the judge knows"""
    returns: Sequence[float]
    own: Callable[[ThingView], ThingView]
    """turns a view into one with the learner's numbers for kinds"""


class ThingModel(PythonModel):
    """Foretells what becomes of every thing, what is new, the score and the end.

    The choices of an imagined state are those that were there when the real game was last looked
    at.
    """

    state_type = ThingState

    def __init__(self, knowledge: Knowledge, traits: Traits, **attitude: Any) -> None:
        super().__init__()
        self.known = knowledge
        self.attitude = Attitude(**attitude)
        self.traits = learned_traits(traits, self.attitude.samples)
        self.visited: Counter[Hashable] = Counter()
        self.counts: dict[Ground, NDArray[np.int16]] = {}

    # What the contract asks for

    def to_act(self, state: ThingState) -> tuple[int, ...]:
        return () if self.over(state) else (0,)

    def legal(self, state: ThingState, seat: int) -> tuple[Any, ...]:
        return state.choices if seat == 0 and not self.over(state) else ()

    def over(self, state: ThingState) -> bool:
        return state.ending != RUNNING or not state.choices

    def outcome(self, state: ThingState) -> Outcome | None:
        if not self.over(state):
            return None
        return outcome_of(state.ending, self.known.returns[state.ending])

    def score(self, state: ThingState, seat: int) -> float:
        return state.score + state.bonus

    def confidence(self, state: ThingState) -> float:
        return state.confidence

    def key(
        self, state: ThingState, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Hashable:
        score = None if "score" in ignore else state.score
        facing = None if "orientation" in ignore else state.facing
        return state.ground, state.things, facing, state.held, state.choices, score, state.ending

    def features(self, state: ThingState) -> tuple[Hashable, ...]:
        """Every thing where it is, and what the avatar carries."""
        return (*state.things, state.facing, *state.held)

    def imagine(self, view: Any, rng: Rng) -> ThingState:
        self.meter.count_copy()
        if isinstance(view, OpenView) and isinstance(view.state, ThingState):
            return view.state.copy()
        shown = things_of(view)
        assert shown is not None  # refused before the first move
        return self.state_of(self.known.own(shown))

    def state_of(self, view: ThingView) -> ThingState:
        """The view as the model sees it: what never changes is ground."""
        moving: list[Placed] = []
        still: list[Placed] = []
        own: Placed | None = None
        for place, thing in enumerate(view.things):
            seen = (thing.kind, thing.x, thing.y)
            model = self.known.kinds.get(thing.kind)
            if place == view.avatar:
                own = seen
            is_ground = place != view.avatar and (model is None or model.is_still)
            (still if is_ground else moving).append(seen)
        moving.sort()
        return ThingState(
            Ground(Size(*view.size), tuple(sorted(still))),
            tuple(moving),
            moving.index(own) if own else NOBODY,
            view.facing,
            view.held,
            tuple(sorted(view.legal)),
            view.score,
            ending_of(view.outcome, view.seat),
        )

    # What follows

    def _apply(self, state: ThingState, actions: Actions, rng: Rng) -> None:
        known = self.known
        verb = known.verbs.index(actions[0]) if actions[0] in known.verbs else len(known.verbs)
        before = state.copy()
        answers = self.answers(state, verb)
        self.move(state, [self.drawn(one, rng) for one in answers])
        for answer in answers:
            state.confidence *= answer.confidence
        state.unseen = sum(not answer.is_seen for answer in answers)
        self.weigh(before, state, verb)

    def answers(self, state: ThingState, verb: int) -> list[Answer]:
        """What is expected of each thing; what was never seen is guessed, each kind at once."""
        known = self.known
        load, made = known.sense.load(state.held, known.wares.goods), known.wares.made
        moment = Moment(state.ground, state.things, state.avatar, state.facing, load, verb, made)
        rows: list[tuple[Placed, KindModel | None, Row]] = []
        missing: dict[int, dict[Row, None]] = {}
        for thing, row in zip(state.things, rows_one_by_one(known.sense, moment), strict=True):
            model = known.kinds.get(thing[0])
            if model is not None and not model.is_still:
                row = model.as_seen(row)
                if row not in model.answers:
                    missing.setdefault(thing[0], {})[row] = None
            rows.append((thing, model, row))
        for kind, open_rows in missing.items():
            known.kinds[kind].guess(list(open_rows), self.attitude.novelty)
        return [
            Answer(Fate(thing[0], facing=row[FACING]), 1.0, model is not None)
            if model is None or model.is_still
            else model.answers[row]
            for thing, model, row in rows
        ]

    def drawn(self, answer: Answer, rng: Rng) -> Fate:
        if answer.others is None or not self.attitude.samples:
            return answer.fate
        fates, weights = answer.others
        return fates[rng.weighted(list(weights))]

    def move(self, state: ThingState, fates: Sequence[Fate]) -> None:
        """Put into effect what becomes of each thing."""
        size = state.ground.size
        after: list[Placed] = []
        new: set[Placed] = set()
        own: Placed | None = None
        for place, (thing, fate) in enumerate(zip(state.things, fates, strict=True)):
            _, x, y = thing
            for kind, right, down in fate.births:
                born = (kind, x + pixels(right, size), y + pixels(down, size))
                if size.holds(size.cell(*born[1:])):
                    new.add(born)
            if fate.kind == GONE:
                continue
            if leaves_level(thing, fate, size):
                continue  # what leaves the level is gone
            moved = (fate.kind, x + pixels(fate.right, size), y + pixels(fate.down, size))
            after.append(moved)
            if place == state.avatar:
                own = moved
                state.facing = FACINGS[fate.facing] if fate.facing else state.facing
                state.held = carried(state.held, fate.gains)
        # What is there is not made again, by one maker or by two: else what makes its like, or is
        # taken to, would become twice as many with every step.
        after += new.difference(after)
        after.sort()
        state.things = tuple(after)
        state.avatar = after.index(own) if own else NOBODY

    # What it is worth

    def weigh(self, before: ThingState, state: ThingState, verb: int) -> None:
        """Add the expected gain, and see whether the game ends."""
        attitude, known = self.attitude, self.known
        row = judged_row(before, state, self.ground_counts(state.ground), known.judged)
        gain, state.ending = known.judge.judge(row, verb)
        gained = gain * state.confidence if attitude.discounts else gain
        state.score = round(state.score + gained, 2 * DECIMALS)
        state.bonus += attitude.curiosity * state.unseen
        if attitude.boredom:
            state.bonus -= attitude.boredom * self.visited[self.key(state, ignore=("score",))]
        if state.confidence < attitude.trust:
            state.ending = UNKNOWN

    def ground_counts(self, ground: Ground) -> NDArray[np.int16]:
        found = self.counts.get(ground)
        if found is None:
            found = self.counts[ground] = ground.counts(self.known.judged)
        return found

    def visit(self, state: ThingState) -> None:
        """Note that the game really came here."""
        self.visited[self.key(state, ignore=("score",))] += 1


def leaves_level(thing: Placed, fate: Fate, size: Size) -> bool:
    _, x, y = thing
    cell = size.cell(x + pixels(fate.right, size), y + pixels(fate.down, size))
    return not size.holds(cell) and size.holds(size.cell(x, y))


def pixels(parts: int, size: Size) -> int:
    return round(parts * size.block / MIL)


def carried(held: Held, gains: Held) -> Held:
    if not gains:
        return held
    amounts = Counter(dict(held))
    amounts.update(dict(gains))
    return tuple(sorted((kind, amount) for kind, amount in amounts.items() if amount > 0))


def judged_row(
    before: ThingState, after: ThingState, ground: NDArray[np.int16], kinds: int
) -> NDArray[np.int16]:
    """What happened, as judges see it: five numbers for each kind.

    How many there are; how many went and came; how many lay where the avatar is now; how many more
    it carries.
    """
    row = np.zeros((BLOCKS[THINGS], kinds), np.int16)
    row[0] = ground
    was, is_now = (Counter(kind for kind, _, _ in one.things) for one in (before, after))
    for kind, count in is_now.items():
        if kind < kinds:
            row[0, kind] += count
    for kind in was.keys() | is_now.keys():
        if kind < kinds:
            row[1, kind] = max(0, was[kind] - is_now[kind])
            row[2, kind] = max(0, is_now[kind] - was[kind])
    for kind in met(before, after):
        if kind < kinds:
            row[3, kind] += 1
    for kind, amount in gained(before.held, after.held):
        if kind < kinds:
            row[4, kind] = amount
    return row.reshape(-1)


def met(before: ThingState, after: ThingState) -> list[int]:
    """The kinds of all that lay where the avatar is now, if it has moved there."""
    if after.avatar == NOBODY:
        return []
    size = after.ground.size
    cell = size.cell(*after.things[after.avatar][1:])
    if before.avatar != NOBODY and size.cell(*before.things[before.avatar][1:]) == cell:
        return []
    there = by_cell(size, before.things).get(cell, [])
    return [*there, *after.ground.kinds.get(cell, [])]
