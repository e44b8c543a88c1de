"""Reward model: predicts the gain in score and the ending of a transition from its features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.outcome import Outcome
from ludex.models.learned._native import RewardModel, State
from ludex.models.learned.classifiers.trees import Trees, flatten
from ludex.models.learned.knowledge import association
from ludex.models.learned.knowledge.association import (
    ANY_VERB,
    AssociationRule,
    Fact,
    read_rules,
    write_rules,
)

ScoreForm: TypeAlias = Literal["linear", "ridge", "tree", "none"]
FeatureForm: TypeAlias = Literal["source", "companion", "changes"]
RewardForm: TypeAlias = Literal["fitted", "rules"]
OBJECTS: Literal["objects"] = "objects"
"""the features of a transition between lists of objects"""
RowForm: TypeAlias = FeatureForm | Literal["objects"]
FEATURES: tuple[RowForm, ...] = ("source", "companion", "changes", OBJECTS)
BLOCKS = {"source": 3, "companion": 4, "changes": 2, OBJECTS: 5}
RUNNING, WON, LOST, DRAWN, UNKNOWN = range(5)
USUAL_RETURNS = {WON: 1.0, LOST: -1.0, DRAWN: 0.0}


@dataclass(frozen=True, slots=True)
class RewardSettings:
    """Settings of a reward model: what is learned, and how."""

    score: ScoreForm = "linear"
    features: RowForm = "source"
    ending: bool = True
    win_bonus: float = 0.0
    """added to the score of a winning step"""
    loss_penalty: float = 0.0
    """taken off the score of a losing step"""
    form: RewardForm = "fitted"
    support: float = 0.2


def ending_of(outcome: Outcome | None, seat: int) -> int:
    if outcome is None:
        return RUNNING
    if seat in outcome.winners:
        return WON
    return DRAWN if outcome.truncated else LOST


@dataclass
class RewardData:
    """Training data of a reward model: distinct transitions with gain, ending and count."""

    features: RowForm
    seen: dict[tuple[int, bytes, float, int, int], int] = field(default_factory=dict)
    """counts by number of tiles known then, features, gain, ending, and verb"""
    returns: dict[int, list[float]] = field(default_factory=dict)
    """sum and count of the returns of each ending"""

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

    def mean_returns(self) -> tuple[float, ...]:
        """The mean return of each ending; the usual one if it was never seen."""
        means = {ending: total / count for ending, (total, count) in self.returns.items()}
        return tuple({**USUAL_RETURNS, **means}.get(ending, 0.0) for ending in range(UNKNOWN + 1))

    def blank(self, tiles: int) -> RewardModel:
        """A native reward model that always predicts no gain and no ending."""
        return RewardModel(FEATURES.index(self.features), tiles, self.mean_returns())

    def table(
        self, tiles: int
    ) -> tuple[NDArray[np.int16], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Features, gains, endings and counts, for a number of tiles."""
        blocks = BLOCKS[self.features]
        rows = np.zeros((len(self.seen), blocks, tiles), np.int16)
        for index, (known, row, *_) in enumerate(self.seen):
            rows[index, :, :known] = np.frombuffer(row, np.int16).reshape(blocks, known)
        gains = np.array([gain for _, _, gain, *_ in self.seen])
        endings = np.array([ending for *_, ending, _ in self.seen], np.int64)
        return rows.reshape(len(rows), -1), gains, endings, np.array(list(self.seen.values()))

    def verbs(self) -> NDArray[np.int64]:
        """The verb of each row of the table."""
        return np.array([verb for *_, verb in self.seen], np.int64)

    def pack(self, tiles: int) -> dict[str, NDArray[Any]]:
        """Arrays for a model file."""
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
            raise ValueError("the reward data is that of other tiles")
        for row, gain, ending, times, verb in zip(rows, *lists, strict=True):
            found.seen[tiles, row.tobytes(), gain, ending, verb] = times
        for ending, total, count in arrays["changes.returns"].tolist():
            found.returns[int(ending)] = [total, count]
        return found


@dataclass(frozen=True)
class FittedRewardModel:
    """A fitted reward model as arrays, which model files hold."""

    features: RowForm
    tiles: int
    returns: tuple[float, ...]
    weights: NDArray[np.float64] | None = None
    score: Trees | None = None
    ending: Trees | None = None
    rules: tuple[AssociationRule, ...] = ()
    """association rules"""

    def native(self) -> RewardModel:
        """Build the native reward model; ValueError if the arrays are invalid."""
        made = RewardModel(FEATURES.index(self.features), self.tiles, list(self.returns))
        if self.weights is not None:
            made.score_by_weights(self.weights.tolist())
        if self.score is not None:
            made.score_by_tree(*self.score.walk, self.score.leaves[:, 0].tolist())
        if self.ending is not None:
            made.end_by_tree(*self.ending.walk, self.ending.leaves[:, 0].astype(int).tolist())
        for rule in self.rules:
            made.add_rule(**rule.native)
        return made

    def pack(self) -> dict[str, NDArray[Any]]:
        """Arrays for a model file."""
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
        """Whether any gain was ever seen; without one, a search has no goal."""
        if any(rule.gain for rule in self.rules):
            return True
        scores = self.score.leaves[:, 0] if self.score else self.weights
        return scores is not None and bool(np.any(np.round(scores, 6)))


def fit(
    changes: RewardData, reward_settings: RewardSettings, tiles: int, facts: Sequence[Fact] = ()
) -> FittedRewardModel:
    """Fit a reward model to the data; association rules are made of these facts."""
    if reward_settings.form == "rules":
        return FittedRewardModel(
            changes.features,
            tiles,
            changes.mean_returns(),
            rules=rules_of(changes, reward_settings, tiles, facts),
        )
    from sklearn.linear_model import LinearRegression, Ridge
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    rows, gains, endings, times = changes.table(tiles)
    gains = with_bonus(reward_settings, gains, endings)
    weights = score = ending = None
    if reward_settings.score in ("linear", "ridge"):
        line = LinearRegression() if reward_settings.score == "linear" else Ridge(alpha=1.0)
        line.fit(rows.astype(np.float64), gains)
        weights = np.append(line.coef_, line.intercept_)
    elif reward_settings.score == "tree":
        grown = DecisionTreeRegressor(random_state=0).fit(rows, gains)
        score = flatten([grown.tree_])
    if reward_settings.ending and (endings != RUNNING).any():
        asked = DecisionTreeClassifier(random_state=0).fit(rows, endings, sample_weight=times)
        trees = flatten([asked.tree_])
        likeliest = asked.classes_[trees.leaves.argmax(axis=1)].astype(np.float64)
        ending = Trees(*trees.walk, likeliest[:, None])
    return FittedRewardModel(
        changes.features, tiles, changes.mean_returns(), weights, score, ending
    )


def with_bonus(
    reward_settings: RewardSettings, gains: NDArray[Any], endings: NDArray[Any]
) -> NDArray[Any]:
    """Gains including the bonus for a win and the penalty for a loss."""
    found: NDArray[Any] = (
        gains
        + reward_settings.win_bonus * (endings == WON)
        - reward_settings.loss_penalty * (endings == LOST)
    )
    return found


def rules_of(
    changes: RewardData, reward_settings: RewardSettings, tiles: int, facts: Sequence[Fact]
) -> tuple[AssociationRule, ...]:
    """Mine association rules for gains and endings, as the settings ask for."""
    rows, gains, endings, times = changes.table(tiles)
    gains = with_bonus(reward_settings, gains, endings)
    return association.mine(
        association.ChangeTable(rows, changes.verbs(), times, facts),
        gains if reward_settings.score != "none" else np.zeros_like(gains),
        endings if reward_settings.ending else np.zeros_like(endings),
        reward_settings.support,
    )
