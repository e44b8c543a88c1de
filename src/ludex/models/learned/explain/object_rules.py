"""The rules of a fitted object-based model in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludex.models.learned.explain.rules import (
    EDGE,
    MOST,
    NOTHING,
    OPEN,
    Chapter,
    ReadableRule,
    VerbWords,
    amount,
    bounds,
    leaves_of,
    one_of,
    parents_of,
    path_to,
    place_name,
)
from ludex.models.learned.knowledge.hierarchy import RuleHierarchy
from ludex.models.learned.objects.features import FACINGS, FAR, FIRST_KIND, MIDDLE, FeatureSettings
from ludex.models.learned.objects.kind_model import KindModel, PartClassifier
from ludex.models.learned.objects.memory import GONE, MIL, Birth, ItemKinds, ObjectChange

STAYS = "stays"
NOTHING_HAPPENS = {
    "kind": "stays what it is",
    "right": "moves neither right nor left",
    "down": "moves neither up nor down",
    "facing": "faces nowhere",
    "gains": "takes nothing",
    "births": "makes nothing",
}
WAYS = {"right": ("right", "left"), "down": ("down", "up")}


class ObjectWords(VerbWords):
    """Names of kinds, positions, actions and changes of objects."""

    def __init__(
        self,
        kinds: Sequence[str],
        feature_settings: FeatureSettings,
        item_kinds: ItemKinds,
        verbs: Sequence[Any],
        said: Mapping[Any, str],
    ):
        super().__init__(verbs, said)
        self.kinds = list(kinds)
        self.item_kinds = item_kinds
        self.offsets = [(0, 0), *((down, right) for right, down in feature_settings.steps)]

    def kind(self, number: int) -> str:
        return self.kinds[number]

    def seen(self, number: int) -> str:
        """The name of what is visible in a cell."""
        return (EDGE, NOTHING)[number] if number < FIRST_KIND else self.kind(number - FIRST_KIND)

    def subjects(self, count: int, features: str) -> list[str]:
        forms = ("{} there", "{} that go", "{} that come", "{} the avatar meets", "{} it takes")
        return [form.format(self.kind(kind)) for form in forms for kind in range(count)]

    # Features

    def condition(self, feature: int, low: int, high: int, met: Sequence[int]) -> str:
        """The condition that a feature lies between two bounds; empty if always true."""
        if len(met) < 2:
            return ""
        if feature < len(self.offsets):
            return one_of(place_name(*self.offsets[feature]), low, high, met, self.seen)
        feature -= len(self.offsets)
        if feature == 0:
            return one_of("the action", low, high, met, self.verb)
        if feature == 1:
            return one_of("the side it faces", low, high, met, side)
        feature -= 2
        if feature < len(self.item_kinds.made):
            made = self.kind(self.item_kinds.made[feature])
            return f"a {made} is there" if low > 0 else f"no {made} is there"
        feature -= len(self.item_kinds.made)
        if feature < len(self.item_kinds.goods):
            return amount(f"{self.kind(self.item_kinds.goods[feature])} carried", low, high)
        feature -= len(self.item_kinds.goods)
        if feature < 2:
            return distance(("columns", "rows")[feature], ("right", "down")[feature], low, high)
        return amount(("its column", "its row")[feature - 2], low - 1, high - 1)

    # Changes

    def change(self, change: ObjectChange, kind: int, facing: int = 0) -> str:
        """A change of an object of this kind and direction, in words."""
        words = [
            self.part(name, getattr(change, name))
            for name in ("kind", "right", "down", "gains", "births")
            if (name, getattr(change, name)) != ("kind", kind)
        ]
        if change.facing not in (0, facing) and change.kind != GONE:
            words.append(self.part("facing", change.facing))
        return ", ".join(filter(None, words)) or STAYS

    def part(self, name: str, value: Any) -> str:
        """One part of a change in words; empty if nothing happens."""
        if name == "kind":
            return "goes" if value == GONE else f"becomes {self.kind(value)}"
        if name in WAYS:
            return f"moves {steps(value, *WAYS[name])}" if value else ""
        if name == "facing":
            return f"turns {side(value)}" if value else ""
        tell = self.gain if name == "gains" else self.birth
        return ", ".join(map(tell, value))

    def gain(self, one: tuple[int, int]) -> str:
        good, more = one
        return f"{'takes' if more > 0 else 'gives'} {abs(more)} {self.kind(good)}"

    def birth(self, one: Birth) -> str:
        kind, right, down = one
        where = [steps(value, *WAYS[name]) for name, value in (("down", down), ("right", right))]
        where_to = ", ".join(
            word for word, value in zip(where, (down, right), strict=True) if value
        )
        return f"makes {self.kind(kind)} {where_to or 'here'}"


def side(number: int) -> str:
    """The name of a direction in FACINGS."""
    right, down = FACINGS[number]
    return {(0, 0): "nowhere", (1, 0): "right", (-1, 0): "left", (0, 1): "down"}.get(
        (right, down), "up"
    )


def steps(parts: int, ahead: str, back: str) -> str:
    """A distance, in parts of a cell, in one of two directions.

    >>> steps(1000, "right", "left"), steps(-500, "down", "up")
    ('right', 'up by 0.5')
    """
    way = ahead if parts > 0 else back
    return way if abs(parts) == MIL else f"{way} by {abs(parts) / MIL:g}"


def distance(axis: str, way: str, low: int, high: int) -> str:
    if low > FAR // 2 + MIDDLE:
        return "there is no avatar"
    return amount(f"{axis} {way} to the avatar", unshifted(low), unshifted(high))


def unshifted(bound: int) -> int:
    return bound if bound in (-OPEN, OPEN) else bound - MIDDLE


def kind_chapter(model: KindModel, words: ObjectWords) -> Chapter:
    """The rules for one kind of object: paths of trees, or rules with exceptions."""
    title = words.kind(model.kind)
    fitted = [one.fitted for one in model.part_classifiers.values() if one.fitted is not None]
    if any(isinstance(one.own, RuleHierarchy) for one in fitted):
        note = "Of all rules that hold, the one with most conditions decides: it is the exception."
        rules = [
            rule
            for name, part_classifier in model.part_classifiers.items()
            for rule in hierarchy_rules(name, part_classifier, model.kind, words)
        ]
        return Chapter(title, note, tuple(rules[:MOST]))
    if any(one.trees is None for one in fitted):
        kind = model.classifier_settings.classifier
        note = f"A classifier of this kind ({kind}) has no rules to read."
        return Chapter(title, note, ())
    note = "Paths of its trees to leaves that predict a change."
    if model.classifier_settings.classifier == "forest":
        members = model.classifier_settings.members
        note = f"Paths of the first of {members} trees for each part of a change."
    rules = [
        rule
        for name, part_classifier in model.part_classifiers.items()
        for rule in part_rules(name, part_classifier, model.kind, words)
    ]
    return Chapter(title, note, tuple(sorted(rules, key=lambda rule: -rule.times)[:MOST]))


def part_rules(
    name: str, part_classifier: PartClassifier, kind: int, words: ObjectWords
) -> list[ReadableRule]:
    """The tree paths to leaves that predict a change, for one part of a change."""
    if part_classifier.fitted is None:
        then = said(name, part_classifier.values[0], kind, words)
        return [ReadableRule((), then, int(part_classifier.times.sum()), 1.0)] if then else []
    assert part_classifier.fitted.trees is not None
    trees, classes = part_classifier.fitted.trees, part_classifier.fitted.classes
    nodes, parents = leaves_of(trees, part_classifier.rows), parents_of(trees)
    met = [np.unique(column).tolist() for column in part_classifier.rows.T]
    rules: list[ReadableRule] = []
    for node in np.unique(nodes).tolist():
        label = int(classes[trees.leaves[int(trees.rights[node])].argmax()])
        then = said(name, part_classifier.values[label], kind, words)
        if not then:
            continue
        when = [
            words.condition(feature, low, high, met[feature])
            for feature, (low, high) in bounds(path_to(trees, parents, node)).items()
        ]
        inside = nodes == node
        times = int(part_classifier.times[inside].sum())
        right = int(part_classifier.times[inside & (part_classifier.labels == label)].sum()) / times
        rules.append(ReadableRule(tuple(filter(None, when)), then, times, right))
    return rules


def hierarchy_rules(
    name: str, part_classifier: PartClassifier, kind: int, words: ObjectWords
) -> list[ReadableRule]:
    """All rules for one part of a change, the most general first, exceptions included."""
    if part_classifier.fitted is None:
        return []
    base: RuleHierarchy = part_classifier.fitted.own
    met = [np.unique(column).tolist() for column in part_classifier.rows.T]
    decided = base.decided_by(part_classifier.rows)
    rules: list[ReadableRule] = []
    for number, shares in enumerate(base.shares):
        row = base.whole_row(number)
        premise = base.premises[number] if row is None else enumerate(row.tolist())
        when = [words.condition(column, value, value, met[column]) for column, value in premise]
        label = int(part_classifier.fitted.classes[shares.argmax()])
        times = int(part_classifier.times[decided == number].sum())
        right = int(
            part_classifier.times[(decided == number) & (part_classifier.labels == label)].sum()
        )
        then = said(name, part_classifier.values[label], kind, words) or NOTHING_HAPPENS[name]
        rules.append(ReadableRule(tuple(filter(None, when)), then, times, right / max(1, times)))
    return rules


def said(name: str, value: Any, kind: int, words: ObjectWords) -> str:
    """A part of a change in words; empty if nothing happens."""
    return "" if (name, value) == ("kind", kind) else words.part(name, value)
