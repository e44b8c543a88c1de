"""Where a model of things errs: what it takes the fate of a thing to be, and what lay around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludex.core.things import ThingView
from ludex.models.learned.explain.diagnosis import BEYOND
from ludex.models.learned.explain.object_rules import STAYS, ThingWords
from ludex.models.learned.explain.rules import EDGE, everywhere, named
from ludex.models.learned.objects.memory import (
    GONE,
    Fate,
    Happened,
    Wares,
    happenings,
    near,
    stays,
)
from ludex.models.learned.objects.model import ThingModel, ThingState, leaves_level
from ludex.models.learned.objects.sight import FACING, Placed
from ludex.models.learned.training.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.object_based import ObjectBased

COMES, NOT_FORESEEN = "comes", "was not foreseen"
Content = tuple[Placed, ...]
"""kinds in a cell, the highest last, and how far each lies from its middle, in hundredths"""


@dataclass
class Contents:
    """Numbers for unlike contents of cells, so that states of things can be drawn as grids."""

    known: list[Content] = field(default_factory=lambda: [()])
    """the first stands for all that lies beyond the edge"""
    numbers: dict[Content, int] = field(default_factory=dict)

    def grid(self, state: ThingState, exact: bool = True) -> NDArray[np.uint16]:
        """What lies in every cell; unless exact, all things lie in the middle of theirs."""
        size = state.ground.size
        cells: dict[tuple[int, int], list[Placed]] = {}
        for kind, x, y in (*state.things, *state.ground.things):
            column, row = size.cell(x, y)
            right, down = (x - column * size.block, y - row * size.block) if exact else (0, 0)
            off = 100 * right // size.block, 100 * down // size.block
            cells.setdefault((column, row), []).append((kind, *off))
        grid = np.full((size.height, size.width), self.number(()), np.uint16)
        for cell, content in cells.items():
            if size.holds(cell):
                grid[cell[1], cell[0]] = self.number(tuple(sorted(content)))
        return grid

    def number(self, content: Content) -> int:
        if content not in self.numbers:
            self.numbers[content] = len(self.known)
            self.known.append(content)
        return self.numbers[content]

    def drawn(self, kinds: Sequence[str]) -> list[dict[str, Any]]:
        """Of each number: its name, the kinds that are drawn, and how far they are shifted."""
        names = [[kinds[kind] for kind, _, _ in content] for content in self.known]
        common = everywhere(names[BEYOND + 1 :])
        shown = [[one for one in content if kinds[one[0]] not in common] for content in self.known]
        return [
            {
                "name": EDGE if number == BEYOND else named(names[number], common),
                "kinds": [kind for kind, _, _ in own],
                "shifts": [[x, y] for _, x, y in own],
            }
            for number, own in enumerate(shown)
        ]


@dataclass(frozen=True, slots=True)
class ThingError:
    """A thing of which something else became than foretold, with what lay around it."""

    around: tuple[tuple[int, ...], ...]
    action: Any
    kind: int
    said: str
    came: str


@dataclass
class Verdicts:
    """What was said of things beside what came, counted."""

    confusion: dict[int, Counter[tuple[str, str]]] = field(default_factory=dict)
    """by kind: (what came, what was said) of things that change or are foretold to"""
    errors: Counter[ThingError] = field(default_factory=Counter)


def compare(
    learner: ObjectBased,
    model: ThingModel,
    transitions: Sequence[Transition],
    contents: Contents,
    words: ThingWords,
    span: int,
) -> Verdicts:
    """Count what is said of every thing, and draw what lay around those that are wrong."""
    found = Verdicts()
    for one in transitions:
        before, after = (learner.own(learner.shown(at.view)) for at in (one.before, one.after))
        state = model.state_of(before)
        around = np.pad(contents.grid(state, exact=False), span, constant_values=BEYOND)
        for thing, said, came in told(learner, model, before, one.actions[0], after, words):
            kind, x, y = thing
            if (said, came) != (STAYS, STAYS):
                found.confusion.setdefault(kind, Counter())[came, said] += 1
            if said == came:
                continue
            column, row = state.ground.size.cell(x, y)
            if not state.ground.size.holds((column, row)):
                continue
            window = around[row : row + 2 * span + 1, column : column + 2 * span + 1]
            shown = tuple(map(tuple, window.tolist()))
            found.errors[ThingError(shown, one.actions[0], kind, said, came)] += 1
    return found


def told(
    learner: ObjectBased,
    model: ThingModel,
    before: ThingView,
    action: Any,
    after: ThingView,
    words: ThingWords,
) -> Iterator[tuple[Placed, str, str]]:
    """Each thing with what was said of it and what came; then what is new and has no maker."""
    wares = Wares(list(learner.wares_.goods), list(learner.wares_.made))
    verbs = learner.verbs_
    verb = verbs.index(action) if action in verbs else len(verbs)
    happened = happenings(learner.sense, before, verb, after, wares)
    makers = learner.makers()
    state = model.state_of(before)
    expected: dict[Placed, list[Fate]] = {}
    for thing, answer in zip(state.things, model.answers(state, verb), strict=True):
        expected.setdefault(thing, []).append(answer.fate)
    for place, (thing, row) in enumerate(zip(happened.things, happened.rows, strict=True)):
        fates = expected.get(thing)
        said = fates.pop() if fates else stays(thing[0])
        if leaves_level(thing, said, state.ground.size):
            said = Fate(GONE, births=said.births)
        came = happened.fates[place]
        own = tuple(birth for birth in came.births if (thing[0], birth[0]) in makers)
        yield (
            thing,
            words.fate(said, thing[0], row[FACING]),
            words.fate(came._replace(births=own), thing[0], row[FACING]),
        )
    for born in unmade(happened, makers):
        yield born, NOT_FORESEEN, COMES


def unmade(happened: Happened, makers: set[tuple[int, int]]) -> Iterator[Placed]:
    """What is new, and has nobody near who makes such things."""
    for thing in happened.born:
        close = (
            kind
            for kind, x, y in happened.things
            if near(thing._replace(kind=kind, x=x, y=y), thing, happened.block)
        )
        if not any((kind, thing.kind) in makers for kind in close):
            yield thing.kind, thing.x, thing.y
