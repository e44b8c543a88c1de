"""The rules of a fitted model in words: paths of its trees and its weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned._native import TOUCHED
from ludex.models.learned.classifiers.trees import Trees
from ludex.models.learned.rewards.reward_model import (
    DRAWN,
    LOST,
    RUNNING,
    WON,
    FittedRewardModel,
    RewardData,
)
from ludex.models.learned.tiles.vocabulary import FIRST_TILE, Vocabulary

MOST = 40  # rules in a chapter
THERE = "there are"
PARTS = {
    "source": (THERE, "come", "go"),
    "companion": (THERE, "stay", "come", "go"),
    "changes": ("come", "go"),
}
ENDS = {WON: "the game is won", LOST: "the game is lost", DRAWN: "the game ends"}
OPEN = 1 << 15  # larger than every feature
Asked = tuple[int, bool, int]
"""a feature, whether it is at most the threshold, and the threshold"""


@dataclass(frozen=True, slots=True)
class ReadableRule:
    """A rule in words: conditions and what follows if all hold."""

    when: tuple[str, ...]
    then: str
    times: int
    """how often the conditions held in training"""
    right: float
    """the share of these times in which it followed; NaN if not counted"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A titled list of rules."""

    title: str
    note: str
    rules: tuple[ReadableRule, ...]


EDGE, NOTHING = "the edge", "nothing"


def everywhere(contents: Sequence[Sequence[str]]) -> set[str]:
    """The kinds that are in every cell, which are left out of names."""
    return set.intersection(*map(set, contents)) if contents else set()


def named(content: Sequence[str], common: set[str]) -> str:
    """A name for the content of a cell."""
    return " + ".join([kind for kind in content if kind not in common] or content) or NOTHING


class RewardWords(Protocol):
    """Names of the features of a reward model."""

    def subjects(self, count: int, features: str) -> list[str]:
        """The names of the features of a transition."""

    def verb(self, number: int) -> str: ...


class VerbWords:
    """Names of actions."""

    def __init__(self, verbs: Sequence[Any], said: Mapping[Any, str]):
        self.verbs = [said.get(verb, f"action {verb}") for verb in verbs]
        self.verbs.append("an action never seen")

    def verb(self, number: int) -> str:
        return self.verbs[number]


class TileWords(VerbWords):
    """Names of tiles and actions."""

    def __init__(self, vocabulary: Vocabulary, verbs: Sequence[int], said: Mapping[int, str]):
        super().__init__(verbs, said)
        contents = [
            vocabulary.content(FIRST_TILE + index) for index in range(len(vocabulary.contents))
        ]
        common = everywhere(contents)
        self.tiles = [EDGE, *(named(content, common) for content in contents)]
        self.kinds = [
            (),
            *(tuple(kind for kind in one if kind not in common) for one in contents),
        ]
        """for each tile, its kinds without those that are in every cell"""

    def tile(self, number: int) -> str:
        touched = " (touched)" if number & TOUCHED else ""
        return self.tiles[number & ~TOUCHED] + touched

    def subjects(self, count: int, features: str) -> list[str]:
        return [
            f"{self.tile(tile)} there" if part == THERE else f"{self.tile(tile)} that {part}"
            for part in PARTS[features]
            for tile in range(count)
        ]


def place_name(down: int, right: int) -> str:
    """The relative position of a cell in words.

    >>> place_name(0, 0), place_name(-1, 0), place_name(2, -1)
    ('here', 'above', '2 below, left')
    """
    words = [
        name if steps in (1, -1) else f"{abs(steps)} {name}"
        for steps, name in (
            (down, "below" if down > 0 else "above"),
            (right, "right" if right > 0 else "left"),
        )
        if steps
    ]
    return ", ".join(words) or "here"


# Trees


def leaves_of(trees: Trees, rows: NDArray[Any]) -> NDArray[np.int64]:
    """The leaf of each row in the first tree."""
    nodes = np.full(len(rows), trees.roots[0], np.int64)
    indices = np.arange(len(rows))
    while True:
        features = trees.features[nodes]
        if (features < 0).all():
            return nodes
        goes_left = rows[indices, np.maximum(features, 0)].astype(np.int64) <= trees.cuts[nodes]
        onward = np.where(goes_left, nodes + 1, trees.rights[nodes])
        nodes = np.where(features < 0, nodes, onward)


def parents_of(trees: Trees) -> NDArray[np.int64]:
    """The parent of every node."""
    inner = np.flatnonzero(trees.features >= 0)
    parents = np.full(len(trees.features), -1, np.int64)
    parents[inner + 1] = inner
    parents[trees.rights[inner]] = inner
    return parents


def path_to(trees: Trees, parents: NDArray[np.int64], leaf: int) -> list[Asked]:
    """The tests on the path from the root to a leaf."""
    path: list[Asked] = []
    node = leaf
    while (parent := int(parents[node])) >= 0:
        path.append((int(trees.features[parent]), node == parent + 1, int(trees.cuts[parent])))
        node = parent
    return path[::-1]


def bounds(path: Sequence[Asked]) -> dict[int, tuple[int, int]]:
    """The lower and upper bound of each feature on a path."""
    found: dict[int, tuple[int, int]] = {}
    for feature, is_left, cut in path:
        low, high = found.get(feature, (-OPEN, OPEN))
        found[feature] = (low, min(high, cut)) if is_left else (max(low, cut + 1), high)
    return found


def one_of(
    subject: str, low: int, high: int, met: Sequence[int], name: Callable[[int], str]
) -> str:
    """The condition that a value is one of a few, or none of a few; empty if always true."""
    inside = [one for one in met if low <= one <= high]
    outside = [one for one in met if not low <= one <= high]
    if not outside:
        return ""
    if len(inside) <= len(outside):
        return f"{subject} is {' or '.join(map(name, inside))}"
    return f"{subject} is not {' or '.join(map(name, outside))}"


def tree_rules(
    trees: Trees,
    classes: NDArray[np.uint16],
    table: tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint32]],
    cells: Sequence[tuple[int, int]],
    words: TileWords,
) -> tuple[ReadableRule, ...]:
    """Tree paths to leaves in which a cell changes, the most frequent first."""
    rows, after, times = table
    middle = list(cells).index((0, 0))
    nodes = leaves_of(trees, rows)
    said = classes[trees.leaves[trees.rights[nodes]].argmax(axis=1)]
    changes = said != (rows[:, middle] & ~np.uint16(TOUCHED))
    used: dict[int, int] = {}
    for node, count in zip(nodes[changes].tolist(), times[changes].tolist(), strict=True):
        used[node] = used.get(node, 0) + count
    met = [np.unique(rows[:, column]).tolist() for column in range(rows.shape[1])]
    parents = parents_of(trees)
    rules: list[ReadableRule] = []
    for node in sorted(used, key=lambda one: -used[one])[:MOST]:
        inside = nodes == node
        tile = int(said[inside][0])
        when = []
        for feature, (low, high) in bounds(path_to(trees, parents, node)).items():
            is_verb = feature == len(cells)
            subject = "the action" if is_verb else place_name(*cells[feature])
            name = words.verb if is_verb else words.tile
            when.append(one_of(subject, low, high, met[feature], name))
        total = int(times[inside].sum())
        right = int(times[inside & (after == tile)].sum()) / total
        ordered = sorted(filter(None, when), key=lambda one: not one.startswith(("here", "the ")))
        rules.append(ReadableRule(tuple(ordered), f"here comes {words.tile(tile)}", total, right))
    return tuple(rules)


# Rewards


def amount(subject: str, low: int, high: int) -> str:
    """The condition that a count lies between two bounds."""
    if high == OPEN:
        return f"{subject}: {low} or more"
    if low == -OPEN:
        return f"{subject}: {f'at most {high}' if high else 'none'}"
    return f"{subject}: {low}" if low == high else f"{subject}: {low} to {high}"


def association_rules(
    rewards: FittedRewardModel, ending: bool, words: RewardWords
) -> tuple[ReadableRule, ...]:
    """The association rules for gains or for endings, all of confidence 1."""
    return tuple(
        ReadableRule(
            tuple(
                fact.text if fact.terms else f"the action is {words.verb(fact.verb)}"
                for fact in rule.facts
            ),
            ENDS.get(rule.ending, "") if ending else f"{rule.gain:+g}",
            rule.times,
            1.0,
        )
        for rule in rewards.rules
        if bool(rule.ending) == ending
    )


ASSOCIATED = (
    "Association rules that always held in training; the first whose conditions hold decides."
)


def score_chapter(rewards: FittedRewardModel, changes: RewardData, words: RewardWords) -> Chapter:
    """The rules for gains in score."""
    rows, gains, _, times = changes.table(rewards.tiles)
    subjects = words.subjects(rewards.tiles, changes.features)
    title = "What a step gains"
    if found := association_rules(rewards, False, words):
        return Chapter(title, ASSOCIATED, found)
    if rewards.weights is not None:
        *weights, constant = rewards.weights.tolist()
        rules = [
            ReadableRule(
                (f"each {subject}",), f"{weight:+.2f}", int(times[rows[:, index] != 0].sum()), 1.0
            )
            for index, (subject, weight) in enumerate(zip(subjects, weights, strict=True))
            if abs(weight) >= 0.005
        ]
        rules.sort(key=lambda one: -abs(float(one.then)))
        note = (
            f"A linear model with intercept {constant:+.2f}: what each of these adds to the score."
        )
        return Chapter(title, note, tuple(rules[:MOST]))
    if rewards.score is not None:
        found = path_rules(
            rewards.score, rows, times, subjects, lambda leaf: f"{leaf[0]:+.2f}", gains
        )
        return Chapter(title, "Tree paths to leaves with a gain or a loss.", found)
    return Chapter(title, "Nothing was learned about the score.", ())


def ending_chapter(rewards: FittedRewardModel, changes: RewardData, words: RewardWords) -> Chapter:
    """The rules for endings."""
    title = "When a game ends"
    if found := association_rules(rewards, True, words):
        return Chapter(title, ASSOCIATED, found)
    if rewards.ending is None:
        return Chapter(title, "No end was seen, or endings were not learned.", ())
    rows, _, endings, times = changes.table(rewards.tiles)
    subjects = words.subjects(rewards.tiles, changes.features)
    found = path_rules(
        rewards.ending, rows, times, subjects, lambda leaf: ENDS.get(int(leaf[0]), ""), endings
    )
    return Chapter(title, "Tree paths to leaves in which the game ends.", found)


def path_rules(
    trees: Trees,
    rows: NDArray[Any],
    times: NDArray[Any],
    subjects: Sequence[str],
    say: Callable[[NDArray[Any]], str],
    truth: NDArray[Any],
) -> tuple[ReadableRule, ...]:
    """Tree paths to leaves that predict a gain or an ending, the most frequent first."""
    nodes, parents = leaves_of(trees, rows), parents_of(trees)
    rules: list[ReadableRule] = []
    for node in np.unique(nodes).tolist():
        leaf = trees.leaves[int(trees.rights[node])]
        inside = nodes == node
        if leaf[0] == RUNNING or not say(leaf):  # also skips a gain of 0
            continue
        when = [
            amount(subjects[one], *both)
            for one, both in bounds(path_to(trees, parents, node)).items()
        ]
        right = np.isclose(truth[inside], leaf[0])
        total = int(times[inside].sum())
        rules.append(
            ReadableRule(tuple(when), say(leaf), total, int(times[inside][right].sum()) / total)
        )
    return tuple(sorted(rules, key=lambda one: -one.times)[:MOST])
