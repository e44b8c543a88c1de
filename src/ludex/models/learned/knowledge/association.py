"""Association rule mining of rewards: conditions that always went with one gain or one ending.

Endings and gains are rare, so rules about them get lost among frequent ones. They are mined in two
steps: frequent itemsets among the transitions with one gain or ending alone; then every set that
also holds for any other transition is dropped (confidence 1).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

ANY_VERB = -1
LARGEST = 32767  # the largest feature value
LONGEST = 3  # the most facts in a rule
ENDS = {1: "a win", 2: "a loss", 3: "an end"}
Truths: TypeAlias = NDArray[np.bool_]
"""[fact, transition]"""


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition on a transition: a weighted sum of its features lies in an interval."""

    text: str
    terms: tuple[tuple[int, int], ...] = ()
    """feature indices, each with its weight"""
    low: int = 0
    high: int = 0
    verb: int = ANY_VERB
    """the verb of the action, if the fact is about it"""

    def holds(self, rows: NDArray[np.int16], verbs: NDArray[np.int64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_]
        if self.verb != ANY_VERB:
            found = verbs == self.verb
            return found
        sums = np.zeros(len(rows), np.int64)
        for index, weight in self.terms:
            sums += weight * rows[:, index].astype(np.int64)
        found = (self.low <= sums) & (sums <= self.high)
        return found


@dataclass(frozen=True, slots=True)
class AssociationRule:
    """The gain or ending that follows if all facts hold."""

    facts: tuple[Fact, ...]
    gain: float
    ending: int
    """0: the rule is about the gain"""
    times: int
    """transitions in which it held (support count)"""
    of: int
    """transitions with this gain or ending"""

    def __str__(self) -> str:
        what = ENDS[self.ending] if self.ending else f"{self.gain:+g}"
        facts = " and ".join(fact.text for fact in self.facts)
        return f"{what} where {facts} ({self.times} of {self.of})"

    @property
    def verb(self) -> int:
        return max((fact.verb for fact in self.facts), default=ANY_VERB)

    @property
    def native(self) -> dict[str, Any]:
        """The arguments of the native `RewardModel.add_rule`."""
        about = [fact for fact in self.facts if fact.terms]
        return {
            "terms": [list(fact.terms) for fact in about],
            "lows": [fact.low for fact in about],
            "highs": [fact.high for fact in about],
            "verb": self.verb,
            "gain": self.gain,
            "ending": self.ending,
        }


# Mining


@dataclass(frozen=True)
class ChangeTable:
    """All distinct transitions that were seen, and the facts to build rules from."""

    rows: NDArray[np.int16]
    verbs: NDArray[np.int64]
    times: NDArray[np.int64]
    """how often each was seen"""
    facts: Sequence[Fact]


def mine(
    changes: ChangeTable, gains: NDArray[Any], endings: NDArray[Any], support: float
) -> tuple[AssociationRule, ...]:
    """Mine rules for every ending and every gain except 0; the largest support first."""
    facts, truths = telling(changes)
    rules: list[AssociationRule] = []
    for ending in sorted({int(one) for one in endings} - {0}):
        rules += rules_for(endings == ending, changes.times, facts, truths, support, ending=ending)
    for gain in sorted({float(one) for one in gains} - {0.0}):
        rules += rules_for(gains == gain, changes.times, facts, truths, support, gain=gain)
    return tuple(sorted(rules, key=lambda rule: -rule.times))


def telling(changes: ChangeTable) -> tuple[list[Fact], Truths]:
    """The facts that vary over transitions; of equivalent ones, the first."""
    seen: set[bytes] = set()
    kept: list[tuple[Fact, NDArray[np.bool_]]] = []
    for fact in changes.facts:
        truth = fact.holds(changes.rows, changes.verbs)
        if truth.all() or not truth.any() or truth.tobytes() in seen:
            continue
        seen.add(truth.tobytes())
        kept.append((fact, truth))
    truths = np.array([truth for _, truth in kept], bool).reshape(len(kept), len(changes.rows))
    return [fact for fact, _ in kept], truths


def rules_for(
    wanted: NDArray[np.bool_],
    times: NDArray[np.int64],
    facts: Sequence[Fact],
    truths: Truths,
    support: float,
    gain: float = 0.0,
    ending: int = 0,
) -> list[AssociationRule]:
    """The shortest rules that cover the wanted transitions."""
    inside, weights = truths[:, wanted], times[wanted]
    found = [
        (int(weights[inside[list(one)].all(axis=0)].sum()), one)
        for one in pure_sets(inside, truths[:, ~wanted], weights, support)
    ]
    rules: list[AssociationRule] = []
    covered = np.zeros(inside.shape[1], bool)
    for count, one in sorted(found, key=lambda pair: (-pair[0], len(pair[1]), pair[1])):
        holds = inside[list(one)].all(axis=0)
        if (holds & ~covered).any():
            covered |= holds
            chosen = tuple(facts[number] for number in one)
            rules.append(AssociationRule(chosen, gain, ending, count, int(weights.sum())))
    return rules


def pure_sets(
    inside: Truths, outside: Truths, weights: NDArray[np.int64], support: float
) -> Iterator[tuple[int, ...]]:
    """Minimal sets of facts with enough support inside that hold nowhere outside."""
    least = max(1.0, support * float(weights.sum()))
    bits = np.packbits(outside, axis=1)
    often = [n for n in range(len(inside)) if weights[inside[n]].sum() >= least]
    found: list[set[int]] = []
    open_sets: list[tuple[int, ...]] = [()]
    for _ in range(LONGEST):
        longer: list[tuple[int, ...]] = []
        for one in open_sets:
            first = one[-1] + 1 if one else 0
            more = [number for number in often if number >= first]
            if not more:
                continue
            shared = inside[list(one)].all(axis=0) if one else np.ones(inside.shape[1], bool)
            others = np.bitwise_and.reduce(bits[list(one)], axis=0) if one else None
            counts = (inside[more] & shared) @ weights
            beside = bits[more] if others is None else bits[more] & others
            impure = beside.max(axis=1) > 0 if beside.shape[1] else np.zeros(len(more), bool)
            for number, count, is_impure in zip(more, counts, impure, strict=True):
                longer_one = (*one, number)
                if count < least or any(known <= set(longer_one) for known in found):
                    continue
                if is_impure:
                    longer.append(longer_one)
                else:
                    found.append(set(longer_one))
                    yield longer_one
        open_sets = longer


# Facts


def amounts(name: str, terms: tuple[tuple[int, int], ...]) -> list[Fact]:
    """Facts about the number of a kind."""
    return [
        Fact(f"no {name} is left", terms, 0, 0),
        Fact(f"one {name} is there", terms, 1, 1),
        Fact(f"several {name} are there", terms, 2, LARGEST),
    ]


def tile_facts(contents: Sequence[Sequence[str]], form: str, verbs: Sequence[int]) -> list[Fact]:
    """Facts about a transition between grids.

    Args:
        contents: The kinds that each tile holds, by its index.
        form: The features of a transition.
        verbs: The actions, by index.
    """
    count = len(contents)
    is_companion = form == "companion"
    came = {"source": 1, "companion": 2, "changes": 0}[form] * count
    went, sign = came + count, 1 if is_companion else -1
    kinds = list(dict.fromkeys(kind for content in contents for kind in content))
    holding = {kind: [t for t, content in enumerate(contents) if kind in content] for kind in kinds}
    kinds.sort(
        key=lambda kind: len(holding[kind])
    )  # kinds that are everywhere are least informative
    facts: list[Fact] = []
    if form != "changes":
        for kind in kinds:
            facts += amounts(kind, tuple((tile, 1) for tile in holding[kind]))
    for one, other in combinations(kinds, 2):
        both = sorted(set(holding[one]) & set(holding[other]))
        if both:
            terms = tuple((came + tile, 1) for tile in both)
            facts.append(Fact(f"{one} and {other} meet", terms, 1, LARGEST))
    for kind in kinds:
        more = [(came + tile, 1) for tile in holding[kind]]
        terms = (*more, *((went + tile, sign) for tile in holding[kind]))
        facts += [
            Fact(f"there is one {kind} less", terms, -1, -1),
            Fact(f"there is one {kind} more", terms, 1, 1),
            Fact(f"there are fewer {kind}", terms, -LARGEST, -2),
            Fact(f"there are more {kind}", terms, 2, LARGEST),
            Fact(f"there are as many {kind} as before", terms, 0, 0),
        ]
    return [*facts, *verb_facts(verbs)]


def object_facts(kinds: Sequence[str], verbs: Sequence[int]) -> list[Fact]:
    """Facts about a transition between lists of objects, by kind."""
    count = len(kinds)
    facts: list[Fact] = []
    for number, kind in enumerate(kinds):
        facts += amounts(kind, ((number, 1),))
    for number, kind in enumerate(kinds):
        went, came, met, more = (((block * count + number, 1),) for block in range(1, 5))
        facts += [
            Fact(f"the avatar meets a {kind}", met, 1, LARGEST),
            Fact(f"one {kind} goes", went, 1, 1),
            Fact(f"several {kind} go", went, 2, LARGEST),
            Fact(f"no {kind} goes", went, 0, 0),
            Fact(f"one {kind} comes", came, 1, 1),
            Fact(f"several {kind} come", came, 2, LARGEST),
            Fact(f"no {kind} comes", came, 0, 0),
            Fact(f"the avatar takes a {kind}", more, 1, LARGEST),
            Fact(f"the avatar gives a {kind}", more, -LARGEST, -1),
        ]
    return [*facts, *verb_facts(verbs)]


def verb_facts(verbs: Sequence[int]) -> list[Fact]:
    return [Fact(f"action {verb} is done", verb=number) for number, verb in enumerate(verbs)]


# Files


def write_rules(rules: Sequence[AssociationRule]) -> str:
    return json.dumps([asdict(rule) for rule in rules])


def read_rules(text: str) -> tuple[AssociationRule, ...]:
    """Read what `write_rules` wrote; ValueError if it is invalid."""
    listed = json.loads(text)
    try:
        return tuple(
            AssociationRule(
                tuple(read_fact(**fact) for fact in one["facts"]),
                float(one["gain"]),
                int(one["ending"]),
                int(one["times"]),
                int(one["of"]),
            )
            for one in listed
        )
    except (TypeError, KeyError):
        raise ValueError("its rules are in another form") from None


def read_fact(text: str, terms: Any, low: int, high: int, verb: int) -> Fact:
    pairs = tuple((int(index), int(weight)) for index, weight in terms)
    return Fact(str(text), pairs, int(low), int(high), int(verb))
