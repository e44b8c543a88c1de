"""What a fitted model of things holds to be true, in words."""

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
    Rule,
    VerbWords,
    amount,
    bounds,
    leaves_of,
    one_of,
    parents_of,
    path_to,
    place_name,
)
from ludex.models.learned.knowledge.hierarchy import Hierarchy
from ludex.models.learned.objects.kind_model import Guesser, KindModel
from ludex.models.learned.objects.memory import GONE, MIL, Birth, Fate, Wares
from ludex.models.learned.objects.sight import FACINGS, FAR, FIRST_KIND, MIDDLE, Sense

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


class ThingWords(VerbWords):
    """Names for kinds, places, actions and what becomes of things."""

    def __init__(
        self,
        kinds: Sequence[str],
        sense: Sense,
        wares: Wares,
        verbs: Sequence[Any],
        said: Mapping[Any, str],
    ):
        super().__init__(verbs, said)
        self.kinds = list(kinds)
        self.wares = wares
        self.places = [(0, 0), *((down, right) for right, down in sense.steps)]

    def kind(self, number: int) -> str:
        return self.kinds[number]

    def seen(self, number: int) -> str:
        """What a cell shows."""
        return (EDGE, NOTHING)[number] if number < FIRST_KIND else self.kind(number - FIRST_KIND)

    def subjects(self, count: int, features: str) -> list[str]:
        forms = ("{} there", "{} that go", "{} that come", "{} the avatar meets", "{} it takes")
        return [form.format(self.kind(kind)) for form in forms for kind in range(count)]

    # What a thing sees

    def condition(self, feature: int, low: int, high: int, met: Sequence[int]) -> str:
        """That a number of a row lies between two bounds; empty where that says nothing."""
        if len(met) < 2:
            return ""
        if feature < len(self.places):
            return one_of(place_name(*self.places[feature]), low, high, met, self.seen)
        feature -= len(self.places)
        if feature == 0:
            return one_of("the action", low, high, met, self.verb)
        if feature == 1:
            return one_of("the side it faces", low, high, met, side)
        feature -= 2
        if feature < len(self.wares.made):
            made = self.kind(self.wares.made[feature])
            return f"a {made} is there" if low > 0 else f"no {made} is there"
        feature -= len(self.wares.made)
        if feature < len(self.wares.goods):
            return amount(f"{self.kind(self.wares.goods[feature])} carried", low, high)
        feature -= len(self.wares.goods)
        if feature < 2:
            return distance(("columns", "rows")[feature], ("right", "down")[feature], low, high)
        return amount(("its column", "its row")[feature - 2], low - 1, high - 1)

    # What becomes of it

    def fate(self, fate: Fate, kind: int, facing: int = 0) -> str:
        """A fate of a thing of this kind that faced so."""
        words = [
            self.part(name, getattr(fate, name))
            for name in ("kind", "right", "down", "gains", "births")
            if (name, getattr(fate, name)) != ("kind", kind)
        ]
        if fate.facing not in (0, facing) and fate.kind != GONE:
            words.append(self.part("facing", fate.facing))
        return ", ".join(filter(None, words)) or STAYS

    def part(self, name: str, value: Any) -> str:
        """One part of a fate; empty where nothing happens."""
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
        place = ", ".join(word for word, value in zip(where, (down, right), strict=True) if value)
        return f"makes {self.kind(kind)} {place or 'here'}"


def side(number: int) -> str:
    """Which way a step of FACINGS goes."""
    right, down = FACINGS[number]
    return {(0, 0): "nowhere", (1, 0): "right", (-1, 0): "left", (0, 1): "down"}.get(
        (right, down), "up"
    )


def steps(parts: int, ahead: str, back: str) -> str:
    """So many parts of a cell in one of two directions.

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


def kind_chapter(model: KindModel, words: ThingWords) -> Chapter:
    """What is held to become of things of a kind: paths of trees, or rules and exceptions."""
    title = words.kind(model.kind)
    fitted = [one.fitted for one in model.guessers.values() if one.fitted is not None]
    if any(isinstance(one.own, Hierarchy) for one in fitted):
        note = "Of all rules that hold, the one with most conditions decides: it is the exception."
        rules = [
            rule
            for name, guesser in model.guessers.items()
            for rule in hierarchy_rules(name, guesser, model.kind, words)
        ]
        return Chapter(title, note, tuple(rules[:MOST]))
    if any(one.trees is None for one in fitted):
        note = f"A classifier of this kind ({model.recipe.classifier}) has no rules to read."
        return Chapter(title, note, ())
    note = "Paths of its trees to leaves in which something becomes of it."
    if model.recipe.classifier == "forest":
        note = f"Paths of the first of {model.recipe.members} trees for each part of its fate."
    rules = [
        rule
        for name, guesser in model.guessers.items()
        for rule in part_rules(name, guesser, model.kind, words)
    ]
    return Chapter(title, note, tuple(sorted(rules, key=lambda rule: -rule.times)[:MOST]))


def part_rules(name: str, guesser: Guesser, kind: int, words: ThingWords) -> list[Rule]:
    """The paths to leaves that say something of one part of a fate."""
    if guesser.fitted is None:
        then = said(name, guesser.values[0], kind, words)
        return [Rule((), then, int(guesser.times.sum()), 1.0)] if then else []
    assert guesser.fitted.trees is not None
    trees, classes = guesser.fitted.trees, guesser.fitted.classes
    nodes, parents = leaves_of(trees, guesser.rows), parents_of(trees)
    met = [np.unique(column).tolist() for column in guesser.rows.T]
    rules: list[Rule] = []
    for node in np.unique(nodes).tolist():
        label = int(classes[trees.leaves[int(trees.rights[node])].argmax()])
        then = said(name, guesser.values[label], kind, words)
        if not then:
            continue
        when = [
            words.condition(feature, low, high, met[feature])
            for feature, (low, high) in bounds(path_to(trees, parents, node)).items()
        ]
        inside = nodes == node
        times = int(guesser.times[inside].sum())
        right = int(guesser.times[inside & (guesser.labels == label)].sum()) / times
        rules.append(Rule(tuple(filter(None, when)), then, times, right))
    return rules


def hierarchy_rules(name: str, guesser: Guesser, kind: int, words: ThingWords) -> list[Rule]:
    """All rules about one part of a fate, from the most general on, also those against others."""
    if guesser.fitted is None:
        return []
    base: Hierarchy = guesser.fitted.own
    met = [np.unique(column).tolist() for column in guesser.rows.T]
    decided = base.decided_by(guesser.rows)
    rules: list[Rule] = []
    for number, shares in enumerate(base.shares):
        row = base.whole_row(number)
        premise = base.premises[number] if row is None else enumerate(row.tolist())
        when = [words.condition(column, value, value, met[column]) for column, value in premise]
        label = int(guesser.fitted.classes[shares.argmax()])
        times = int(guesser.times[decided == number].sum())
        right = int(guesser.times[(decided == number) & (guesser.labels == label)].sum())
        then = said(name, guesser.values[label], kind, words) or NOTHING_HAPPENS[name]
        rules.append(Rule(tuple(filter(None, when)), then, times, right / max(1, times)))
    return rules


def said(name: str, value: Any, kind: int, words: ThingWords) -> str:
    """What a part of a fate is called; empty where nothing happens."""
    return "" if (name, value) == ("kind", kind) else words.part(name, value)
