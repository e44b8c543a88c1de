"""What a fitted model holds to be true, in words: the paths of its trees and its weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludex.models.learned._native import TOUCHED
from ludex.models.learned.classifiers.trees import Trees
from ludex.models.learned.rewards.reward_model import DRAWN, LOST, RUNNING, WON, Changes, Verdict
from ludex.models.learned.tiles.vocabulary import FIRST_TILE, Vocabulary

MOST = 40  # rules of a chapter
THERE = "there are"
PARTS = {
    "source": (THERE, "come", "go"),
    "companion": (THERE, "stay", "come", "go"),
    "changes": ("come", "go"),
}
ENDS = {WON: "the game is won", LOST: "the game is lost", DRAWN: "the game ends"}
OPEN = 1 << 15  # beyond every feature
Asked = tuple[int, bool, int]
"""a feature, whether it must be at most the cut, and the cut"""


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions that hold together, and what follows."""

    when: tuple[str, ...]
    then: str
    times: int
    """how often the conditions held in what was seen"""
    right: float
    """the share of these times in which it followed; not a number where nobody counted"""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules about one thing."""

    title: str
    note: str
    rules: tuple[Rule, ...]


EDGE, NOTHING = "the edge", "nothing"


def everywhere(contents: Sequence[Sequence[str]]) -> set[str]:
    """The kinds that are in every cell, which go without saying."""
    return set.intersection(*map(set, contents)) if contents else set()


def named(content: Sequence[str], common: set[str]) -> str:
    """What a cell holds, in a few words."""
    return " + ".join([kind for kind in content if kind not in common] or content) or NOTHING


class Telling(Protocol):
    """Words for what a judge looks at."""

    def subjects(self, count: int, features: str) -> list[str]:
        """What each number stands for in a row that describes a change."""

    def verb(self, number: int) -> str: ...


class VerbWords:
    """Names for what is done."""

    def __init__(self, verbs: Sequence[Any], said: Mapping[Any, str]):
        self.verbs = [said.get(verb, f"action {verb}") for verb in verbs]
        self.verbs.append("an action never seen")

    def verb(self, number: int) -> str:
        return self.verbs[number]


class Words(VerbWords):
    """Names for tiles, places and verbs."""

    def __init__(self, vocabulary: Vocabulary, verbs: Sequence[int], said: Mapping[int, str]):
        super().__init__(verbs, said)
        contents = [
            vocabulary.content(FIRST_TILE + place) for place in range(len(vocabulary.contents))
        ]
        common = everywhere(contents)
        self.tiles = [EDGE, *(named(content, common) for content in contents)]
        self.kinds = [
            (),
            *(tuple(kind for kind in one if kind not in common) for one in contents),
        ]
        """of each tile, the kinds that are not in every cell"""

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
    """Where a cell lies, seen from another.

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
    """The node at which each row ends in the first tree."""
    nodes = np.full(len(rows), trees.roots[0], np.int64)
    places = np.arange(len(rows))
    while True:
        features = trees.features[nodes]
        if (features < 0).all():
            return nodes
        goes_left = rows[places, np.maximum(features, 0)].astype(np.int64) <= trees.cuts[nodes]
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
    """What is asked on the way to a leaf, the first question first."""
    path: list[Asked] = []
    node = leaf
    while (parent := int(parents[node])) >= 0:
        path.append((int(trees.features[parent]), node == parent + 1, int(trees.cuts[parent])))
        node = parent
    return path[::-1]


def bounds(path: Sequence[Asked]) -> dict[int, tuple[int, int]]:
    """The least and the largest value of each feature that was asked about."""
    found: dict[int, tuple[int, int]] = {}
    for feature, is_left, cut in path:
        low, high = found.get(feature, (-OPEN, OPEN))
        found[feature] = (low, min(high, cut)) if is_left else (max(low, cut + 1), high)
    return found


def one_of(
    subject: str, low: int, high: int, met: Sequence[int], name: Callable[[int], str]
) -> str:
    """That something is one of a few, or none of a few; empty where it says nothing."""
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
    words: Words,
) -> tuple[Rule, ...]:
    """Paths of a tree to leaves in which a cell changes, the most used first."""
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
    rules: list[Rule] = []
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
        rules.append(Rule(tuple(ordered), f"here comes {words.tile(tile)}", total, right))
    return tuple(rules)


# Score and end


def amount(subject: str, low: int, high: int) -> str:
    """That a count lies between two bounds."""
    if high == OPEN:
        return f"{subject}: {low} or more"
    if low == -OPEN:
        return f"{subject}: {f'at most {high}' if high else 'none'}"
    return f"{subject}: {low}" if low == high else f"{subject}: {low} to {high}"


def association_rules(verdict: Verdict, ending: bool, words: Telling) -> tuple[Rule, ...]:
    """The association rules for gains, or for ends; they failed never."""
    return tuple(
        Rule(
            tuple(
                fact.text if fact.terms else f"the action is {words.verb(fact.verb)}"
                for fact in rule.facts
            ),
            ENDS.get(rule.ending, "") if ending else f"{rule.gain:+g}",
            rule.times,
            1.0,
        )
        for rule in verdict.rules
        if bool(rule.ending) == ending
    )


ASSOCIATED = (
    "Association rules: whenever all of this held, that followed; the first that holds counts."
)


def score_chapter(verdict: Verdict, changes: Changes, words: Telling) -> Chapter:
    """What gains are made of."""
    rows, gains, _, times = changes.table(verdict.tiles)
    subjects = words.subjects(verdict.tiles, changes.features)
    title = "What a step gains"
    if found := association_rules(verdict, False, words):
        return Chapter(title, ASSOCIATED, found)
    if verdict.weights is not None:
        *weights, constant = verdict.weights.tolist()
        rules = [
            Rule((f"each {subject}",), f"{weight:+.2f}", int(times[rows[:, place] != 0].sum()), 1.0)
            for place, (subject, weight) in enumerate(zip(subjects, weights, strict=True))
            if abs(weight) >= 0.005
        ]
        rules.sort(key=lambda one: -abs(float(one.then)))
        note = f"A sum of weights, and {constant:+.2f}: what each of these adds to the score."
        return Chapter(title, note, tuple(rules[:MOST]))
    if verdict.score is not None:
        found = path_rules(
            verdict.score, rows, times, subjects, lambda leaf: f"{leaf[0]:+.2f}", gains
        )
        return Chapter(title, "Paths of a tree, those that gain or lose something.", found)
    return Chapter(title, "Nothing was learned about the score.", ())


def ending_chapter(verdict: Verdict, changes: Changes, words: Telling) -> Chapter:
    """When games end."""
    title = "When a game ends"
    if found := association_rules(verdict, True, words):
        return Chapter(title, ASSOCIATED, found)
    if verdict.ending is None:
        return Chapter(title, "No end was seen, or none was to be learned.", ())
    rows, _, endings, times = changes.table(verdict.tiles)
    subjects = words.subjects(verdict.tiles, changes.features)
    found = path_rules(
        verdict.ending, rows, times, subjects, lambda leaf: ENDS.get(int(leaf[0]), ""), endings
    )
    return Chapter(title, "Paths of a tree to leaves in which the game ends.", found)


def path_rules(
    trees: Trees,
    rows: NDArray[Any],
    times: NDArray[Any],
    subjects: Sequence[str],
    say: Callable[[NDArray[Any]], str],
    truth: NDArray[Any],
) -> tuple[Rule, ...]:
    """Paths to leaves that say something other than nothing, the most used first."""
    nodes, parents = leaves_of(trees, rows), parents_of(trees)
    rules: list[Rule] = []
    for node in np.unique(nodes).tolist():
        leaf = trees.leaves[int(trees.rights[node])]
        inside = nodes == node
        if leaf[0] == RUNNING or not say(leaf):  # a gain of 0 is as little to tell
            continue
        when = [
            amount(subjects[one], *both)
            for one, both in bounds(path_to(trees, parents, node)).items()
        ]
        right = np.isclose(truth[inside], leaf[0])
        total = int(times[inside].sum())
        rules.append(Rule(tuple(when), say(leaf), total, int(times[inside][right].sum()) / total))
    return tuple(sorted(rules, key=lambda one: -one.times)[:MOST])
