"""What is known of one kind of things: all that was seen, and guesses about the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned.classifiers import fitting as classifiers
from ludex.models.learned.classifiers.fitting import Fitted, Recipe
from ludex.models.learned.objects.memory import GONE, Fate, ThingMemory, Wares
from ludex.models.learned.objects.sight import FACING, FAR, RIGHT, Row, as_numbers, nearby

PARTS = Fate._fields
NEAR = 3  # cells to the avatar that those tell apart to whom numbers are names


class Answer(NamedTuple):
    """What is expected of a thing that sees a row."""

    fate: Fate
    confidence: float
    is_seen: bool
    others: tuple[tuple[Fate, ...], tuple[float, ...]] | None = None
    """all that followed, and how often, where it was not always the same"""


@dataclass(frozen=True, slots=True)
class Guesser:
    """What guesses one part of a fate."""

    values: list[Any]
    """all that were seen"""
    rows: NDArray[np.uint16]
    labels: NDArray[np.uint16]
    """of each row, the number of its value"""
    times: NDArray[np.int64]
    """how often each was seen"""
    fitted: Fitted | None = None
    """chooses among them; none where there is but one"""
    asked: Any = None
    """the same, as it is asked"""

    def guess(self, rows: NDArray[np.uint16]) -> tuple[list[Any], NDArray[np.float64]]:
        """The likeliest value for each row, and how sure that is."""
        if self.asked is None:
            return self.values * len(rows), np.ones(len(rows))
        # Trees are native, and other classifiers functions.
        ask = self.asked.ask if hasattr(self.asked, "ask") else self.asked
        found, sure = ask(rows)
        return [self.values[number] for number in found], sure


class KindModel:
    """Answers for one kind: remembered where that was seen, else a guess for each part of a fate.

    Args:
        kind: Its number.
        table: What things of this kind saw, and what became of them.
        recipe: Which classifier guesses.
        wares: What is ever carried, and ever made.
        memo: Whether to remember.
        kept: Classifiers that were fitted before, by the part that they guess.
    """

    def __init__(
        self,
        kind: int,
        table: Mapping[Row, Counter[Fate]],
        recipe: Recipe,
        wares: Wares,
        memo: bool,
        kept: Mapping[str, Fitted],
    ) -> None:
        self.kind = kind
        self.recipe = recipe
        self.widths = len(wares.goods), len(wares.made)
        seen = [(row, fate, times) for row, fates in table.items() for fate, times in fates.items()]
        self.has_distances = any(row[RIGHT] != FAR for row in table)
        self.is_still = all(fate == Fate(kind, facing=row[FACING]) for row, fate, _ in seen)
        self.fates: list[Fate] = []
        self.guessers: dict[str, Guesser] = {}
        self.answers: dict[Row, Answer] = {}
        self.seen = table.keys()
        if self.is_still:
            return
        self.fates = [fate for _, fate, _ in seen]
        self.rows = self.numbers([row for row, _, _ in seen])
        self.times = np.array([times for _, _, times in seen], np.int64)
        self.guessers = {name: self.guesser(name, kept.get(name)) for name in PARTS}
        if memo:
            self.answers = {row: remembered(fates) for row, fates in table.items()}

    def numbers(self, rows: Sequence[Row]) -> NDArray[np.uint16]:
        """Rows as classifiers read them."""
        farthest = NEAR if self.recipe.by_category else FAR
        return np.array([as_numbers(row, *self.widths, farthest) for row in rows], np.uint16)

    def guesser(self, name: str, fitted: Fitted | None) -> Guesser:
        """What guesses a part of a fate: fitted now, where it was not before."""
        # Only survivors move; but a thing can make others in the moment in which it goes.
        asked = [
            place
            for place, fate in enumerate(self.fates)
            if fate.kind != GONE or name in ("kind", "births")
        ]
        found = [getattr(self.fates[place], name) for place in asked]
        values = sorted(set(found))
        labels = np.array([values.index(value) for value in found], np.uint16)
        data = self.rows[asked], labels, self.times[asked]
        if not values:  # none of them ever survived
            return Guesser([Fate._field_defaults[name]], *data)
        if len(values) == 1:
            return Guesser(values, *data)
        if fitted is None:
            # To rules with exceptions it matters what is frequent; others see each row once.
            times = data[2].astype(np.float64) if self.recipe.counts else None
            fitted = classifiers.fit(self.recipe, data[0], labels, times)
        if fitted.classes.max() >= len(values):
            raise ValueError(f"a classifier foretells a {name} that was never seen")
        return Guesser(values, *data, fitted, fitted.native(self.rows.shape[1]))

    def how_often_right(self) -> tuple[float, int]:
        """How often guesses about rows never seen were right, and how many rows there are."""
        unlike = {fate: number for number, fate in enumerate(dict.fromkeys(self.fates))}
        joint = np.array([unlike[fate] for fate in self.fates], np.uint16)
        if self.is_still or len(unlike) < 2:
            return 1.0, 0
        return classifiers.how_often_right(self.recipe, self.rows, joint), len(self.rows)

    def as_seen(self, row: Row) -> Row:
        """The row as things of this kind see it."""
        return row if self.has_distances else nearby(row)

    def guess(self, rows: Sequence[Row], novelty: float) -> None:
        """Work out answers for rows that are not remembered, all at once."""
        numbers = self.numbers(rows)
        is_seen = [row in self.seen for row in rows]
        shares = np.where(is_seen, 1.0, novelty)
        guessed: dict[str, list[Any]] = {}
        for name, guesser in self.guessers.items():
            guessed[name], sure = guesser.guess(numbers)
            shares *= sure
        for place, row in enumerate(rows):
            fate = Fate(*(guessed[name][place] for name in PARTS))
            if fate.kind == GONE:
                fate = Fate(GONE, births=fate.births)
            self.answers[row] = Answer(fate, float(shares[place]), is_seen[place])


def remembered(fates: Counter[Fate]) -> Answer:
    (best, times), total = fates.most_common(1)[0], fates.total()
    if len(fates) == 1:
        return Answer(best, 1.0, True)
    others = tuple(fates), tuple(float(n) for n in fates.values())
    return Answer(best, times / total, True, others)


def models_of(
    memory: ThingMemory,
    makers: set[tuple[int, int]],
    recipe: Recipe,
    wares: Wares,
    memo: bool,
    arrays: Mapping[str, NDArray[Any]] | None = None,
) -> dict[int, KindModel]:
    """A model for every kind that was seen; what a file holds is not fitted again."""
    return {
        kind: KindModel(
            kind, memory.fates(kind, makers), recipe, wares, memo, kept_of(kind, arrays or {})
        )
        for kind in sorted(memory.seen)
    }


def novelty_of(models: Iterable[KindModel]) -> float:
    """How often guesses about rows never seen were right, over all kinds."""
    rights = [one.how_often_right() for one in models]
    rows = sum(count for _, count in rights)
    return sum(right * count for right, count in rights) / rows if rows else 1.0


# In files


def pack_models(models: Mapping[int, KindModel]) -> dict[str, NDArray[Any]]:
    """The classifiers of all kinds; what they are fitted to is kept elsewhere."""
    arrays: dict[str, NDArray[Any]] = {}
    for kind, model in models.items():
        for name, guesser in model.guessers.items():
            if guesser.fitted is not None:
                arrays |= guesser.fitted.pack(place_of(kind, name))
    return arrays


def kept_of(kind: int, arrays: Mapping[str, NDArray[Any]]) -> dict[str, Fitted]:
    """The classifiers of a kind that a file holds."""
    found = {name: Fitted.unpack(arrays, place_of(kind, name)) for name in PARTS}
    return {name: fitted for name, fitted in found.items() if fitted is not None}


def place_of(kind: int, name: str) -> str:
    return f"models.{kind}.{name}"
