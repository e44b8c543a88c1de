"""Learns score and end from how a grid changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.outcome import Outcome
from ludex.models.learned._native import Judge, State
from ludex.models.learned.classifiers.trees import Trees, flatten
from ludex.models.learned.knowledge import association
from ludex.models.learned.knowledge.association import ANY_VERB, Fact, Rule, read_rules, write_rules

ScoreForm: TypeAlias = Literal["linear", "ridge", "tree", "none"]
FeatureForm: TypeAlias = Literal["source", "companion", "changes"]
JudgeForm: TypeAlias = Literal["fitted", "rules"]
THINGS: Literal["things"] = "things"
"""what of a change is looked at where there are no tiles"""
RowForm: TypeAlias = FeatureForm | Literal["things"]
FEATURES: tuple[RowForm, ...] = ("source", "companion", "changes", THINGS)
BLOCKS = {"source": 3, "companion": 4, "changes": 2, THINGS: 5}
RUNNING, WON, LOST, DRAWN, UNKNOWN = range(5)
USUAL_RETURNS = {WON: 1.0, LOST: -1.0, DRAWN: 0.0}


@dataclass(frozen=True, slots=True)
class Taste:
    """What is learned of score and end, and how."""

    score: ScoreForm = "linear"
    features: RowForm = "source"
    ending: bool = True
    win_bonus: float = 0.0
    """added to the score of a winning step"""
    loss_penalty: float = 0.0
    """taken off the score of a losing step"""
    judge: JudgeForm = "fitted"
    support: float = 0.2


def ending_of(outcome: Outcome | None, seat: int) -> int:
    if outcome is None:
        return RUNNING
    if seat in outcome.winners:
        return WON
    return DRAWN if outcome.truncated else LOST


@dataclass
class Changes:
    """Every unlike change that was seen, with its gain, its end, and how often it came."""

    features: RowForm
    seen: dict[tuple[int, bytes, float, int, int], int] = field(default_factory=dict)
    """by the number of tiles known then, the row, the gain, the ending, and what was done"""
    returns: dict[int, list[float]] = field(default_factory=dict)
    """sum and count of what each ending was worth"""

    def add(
        self,
        tiles: int,
        before: State,
        after: State,
        gain: float,
        ending: int,
        verb: int = ANY_VERB,
    ) -> None:
        self.add_row(tiles, self.blank(tiles).describe(before, after), gain, ending, verb)

    def add_row(
        self, tiles: int, row: NDArray[np.int16], gain: float, ending: int, verb: int = ANY_VERB
    ) -> None:
        key = (tiles, row.tobytes(), gain, ending, verb)
        self.seen[key] = self.seen.get(key, 0) + 1

    def end(self, ending: int, value: float) -> None:
        kept = self.returns.setdefault(ending, [0.0, 0.0])
        kept[0] += value
        kept[1] += 1

    def worth(self) -> tuple[float, ...]:
        """What each ending is worth: as seen on average, else as usual."""
        means = {ending: total / count for ending, (total, count) in self.returns.items()}
        return tuple({**USUAL_RETURNS, **means}.get(ending, 0.0) for ending in range(UNKNOWN + 1))

    def blank(self, tiles: int) -> Judge:
        """A judge of so many tiles that knows nothing yet."""
        return Judge(FEATURES.index(self.features), tiles, self.worth())

    def table(
        self, tiles: int
    ) -> tuple[NDArray[np.int16], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Rows of so many tiles, gains, endings, and how often each came."""
        blocks = BLOCKS[self.features]
        rows = np.zeros((len(self.seen), blocks, tiles), np.int16)
        for place, (known, row, *_) in enumerate(self.seen):
            rows[place, :, :known] = np.frombuffer(row, np.int16).reshape(blocks, known)
        gains = np.array([gain for _, _, gain, *_ in self.seen])
        endings = np.array([ending for *_, ending, _ in self.seen], np.int64)
        return rows.reshape(len(rows), -1), gains, endings, np.array(list(self.seen.values()))

    def verbs(self) -> NDArray[np.int64]:
        """What was done, for each row of the table."""
        return np.array([verb for *_, verb in self.seen], np.int64)

    def pack(self, tiles: int) -> dict[str, NDArray[Any]]:
        """Arrays for a file."""
        names = ("changes.rows", "changes.gains", "changes.endings", "changes.times")
        arrays = dict(zip(names, self.table(tiles), strict=True))
        arrays["changes.verbs"] = self.verbs()
        ends = [[ending, *kept] for ending, kept in self.returns.items()]
        return {**arrays, "changes.returns": np.array(ends, np.float64).reshape(-1, 3)}

    @classmethod
    def unpack(cls, features: RowForm, tiles: int, arrays: Mapping[str, NDArray[Any]]) -> Self:
        found = cls(features)
        columns = ("changes.gains", "changes.endings", "changes.times")
        lists = [arrays[name].tolist() for name in columns]
        lists.append(arrays.get("changes.verbs", np.full(len(lists[0]), ANY_VERB)).tolist())
        rows = np.ascontiguousarray(arrays["changes.rows"], np.int16)
        if rows.shape != (len(lists[0]), BLOCKS[features] * tiles):
            raise ValueError("the changes are those of other tiles")
        for row, gain, ending, times, verb in zip(rows, *lists, strict=True):
            found.seen[tiles, row.tobytes(), gain, ending, verb] = times
        for ending, total, count in arrays["changes.returns"].tolist():
            found.returns[int(ending)] = [total, count]
        return found


@dataclass(frozen=True)
class Verdict:
    """A fitted judge in arrays: what a model file holds of it."""

    features: RowForm
    tiles: int
    returns: tuple[float, ...]
    weights: NDArray[np.float64] | None = None
    score: Trees | None = None
    ending: Trees | None = None
    rules: tuple[Rule, ...] = ()
    """readable: each is text, too"""

    def native(self) -> Judge:
        judge = Judge(FEATURES.index(self.features), self.tiles, list(self.returns))
        if self.weights is not None:
            judge.score_by_weights(self.weights.tolist())
        if self.score is not None:
            judge.score_by_tree(*self.score.walk, self.score.leaves[:, 0].tolist())
        if self.ending is not None:
            judge.end_by_tree(*self.ending.walk, self.ending.leaves[:, 0].astype(int).tolist())
        for rule in self.rules:
            judge.add_rule(**rule.native)
        return judge

    def pack(self) -> dict[str, NDArray[Any]]:
        """Arrays for a file."""
        arrays: dict[str, NDArray[Any]] = {
            "judge.tiles": np.array([self.tiles]),
            "judge.returns": np.array(self.returns),
            "judge.rules": np.array([write_rules(self.rules)]),
        }
        if self.weights is not None:
            arrays["judge.weights"] = self.weights
        for name, trees in (("judge.score", self.score), ("judge.ending", self.ending)):
            arrays |= trees.pack(name) if trees is not None else {}
        return arrays

    @classmethod
    def unpack(cls, features: RowForm, arrays: Mapping[str, NDArray[Any]]) -> Self:
        return cls(
            features,
            int(arrays["judge.tiles"][0]),
            tuple(arrays["judge.returns"].tolist()),
            arrays.get("judge.weights"),
            Trees.unpack("judge.score", arrays),
            Trees.unpack("judge.ending", arrays),
            read_rules(str(arrays["judge.rules"][0])) if "judge.rules" in arrays else (),
        )

    @property
    def knows_rewards(self) -> bool:
        """Whether any gain was ever seen; without one, a search has nothing to look for."""
        if any(rule.gain for rule in self.rules):
            return True
        scores = self.score.leaves[:, 0] if self.score else self.weights
        return scores is not None and bool(np.any(np.round(scores, 6)))


def fit(changes: Changes, taste: Taste, tiles: int, facts: Sequence[Fact] = ()) -> Verdict:
    """Learn from all changes that were seen; association rules are made of these facts."""
    if taste.judge == "rules":
        return Verdict(
            changes.features,
            tiles,
            changes.worth(),
            rules=rules_of(changes, taste, tiles, facts),
        )
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    rows, gains, endings, times = changes.table(tiles)
    gains = with_bonus(taste, gains, endings)
    weights = score = ending = None
    if taste.score in ("linear", "ridge"):
        line = LinearRegression() if taste.score == "linear" else Ridge(alpha=1.0)
        line.fit(rows.astype(np.float64), gains)
        weights = np.append(line.coef_, line.intercept_)
    elif taste.score == "tree":
        grown = DecisionTreeRegressor(random_state=0).fit(rows, gains)
        score = flatten([grown.tree_])
    if taste.ending and (endings != RUNNING).any():
        asked = DecisionTreeClassifier(random_state=0).fit(rows, endings, sample_weight=times)
        trees = flatten([asked.tree_])
        likeliest = asked.classes_[trees.leaves.argmax(axis=1)].astype(np.float64)
        ending = Trees(*trees.walk, likeliest[:, None])
    return Verdict(changes.features, tiles, changes.worth(), weights, score, ending)


def with_bonus(taste: Taste, gains: NDArray[Any], endings: NDArray[Any]) -> NDArray[Any]:
    """Gains in which a win or a loss counts as score."""
    found: NDArray[Any] = (
        gains + taste.win_bonus * (endings == WON) - taste.loss_penalty * (endings == LOST)
    )
    return found


def rules_of(changes: Changes, taste: Taste, tiles: int, facts: Sequence[Fact]) -> tuple[Rule, ...]:
    """Association rules for what is to be learned."""
    rows, gains, endings, times = changes.table(tiles)
    gains = with_bonus(taste, gains, endings)
    return association.mine(
        association.Changes(rows, changes.verbs(), times, facts),
        gains if taste.score != "none" else np.zeros_like(gains),
        endings if taste.ending else np.zeros_like(endings),
        taste.support,
    )
