"""Rules with exceptions beside a plain form of the same algorithm, without any short cut."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from ludex.models.learned.knowledge import hierarchy
from ludex.models.learned.knowledge.hierarchy import LONGEST, TRIED, RuleHierarchy


def fits(premise, row):
    return all(row[column] == value for column, value in premise)


def plain_candidates(rows, labels, times, said, level):
    """All rules with so many conditions that would correct something, the largest gain first."""
    found = []
    telling = [c for c in range(len(rows[0])) if len({row[c] for row in rows}) > 1]
    for columns in combinations(telling, level):
        for values in {tuple(row[c] for c in columns) for row in rows}:
            premise = tuple(zip(columns, values, strict=True))
            inside = [i for i, row in enumerate(rows) if fits(premise, row)]
            count = Counter()
            for i in inside:
                count[labels[i]] += times[i]
            best = min(count, key=lambda label: (-count[label], label))
            gain = count[best] - sum(times[i] for i in inside if said[i] == labels[i])
            if gain > 0 and count[best] >= 2:
                found.append((-gain, premise, best))
    return sorted(found)[:TRIED]


def plain_rules(rows, labels, times):
    """Premises with their labels, and whole rows with theirs."""
    count = Counter()
    for label, weight in zip(labels, times, strict=True):
        count[label] += weight
    most = min(count, key=lambda label: (-count[label], label))
    rules, said = {(): most}, [most] * len(rows)
    for level in range(1, LONGEST + 1):
        while True:
            kept = []
            for _, premise, label in plain_candidates(rows, labels, times, list(said), level):
                inside = [i for i, row in enumerate(rows) if fits(premise, row)]
                right = sum(times[i] for i in inside if labels[i] == label)
                before = sum(times[i] for i in inside if said[i] == labels[i])
                if right > before and right >= 2:
                    kept.append((premise, label))
                    for i in inside:
                        said[i] = label
            for premise, label in kept:
                rules.pop(premise, None)
                rules[premise] = label
            if not kept:
                break
    whole = {}
    for row in sorted(set(rows)):
        inside = [i for i, other in enumerate(rows) if other == row]
        count = Counter()
        for i in inside:
            count[labels[i]] += times[i]
        best = min(count, key=lambda label: (-count[label], label))
        if count[best] > count[said[inside[0]]]:
            whole[row] = best
    return rules, whole


def table(seed, fractions=False):
    """Small rows whose label follows a rule with exceptions, and chance here and there."""
    dice = np.random.default_rng(seed)
    rows = dice.integers(0, 3, (60, 5)).astype(np.uint16)
    rows[:, 4] = 7  # tells nothing
    labels = np.where(rows[:, 0] == 1, rows[:, 1], 0)
    labels = np.where(dice.random(60) < 0.2, dice.integers(0, 3, 60), labels)
    times = dice.integers(1, 4, 60).astype(float)
    return rows, labels.astype(np.uint16), times / 4 + 0.1 if fractions else times


@pytest.mark.parametrize("seed", range(6))
def test_rules_and_predictions_are_those_of_the_plain_form(seed):
    rows, labels, times = table(seed)
    learned = RuleHierarchy().fit(rows, labels, times)
    listed = [tuple(row) for row in rows.tolist()]
    rules, whole = plain_rules(listed, labels.tolist(), times.tolist())
    assert learned.premises == list(rules)
    assert [tuple(np.frombuffer(row, np.uint16)) for row in learned.rows] == list(whole)
    assert rules.keys() > {()}
    every = np.array([*np.ndindex(3, 3, 3, 3)], np.uint16)
    unlike = np.hstack([every, np.full((len(every), 1), 7, np.uint16)])
    order = {premise: place for place, premise in enumerate(rules)}
    number = {row: len(rules) + place for place, row in enumerate(whole)}
    asked = [
        number.get(row, max(order[premise] for premise in rules if fits(premise, row)))
        for row in map(tuple, unlike.tolist())
    ]
    assert learned.decided_by(unlike).tolist() == asked


@pytest.mark.parametrize("fractions", [False, True])
def test_what_is_kept_between_passes_changes_nothing(fractions, monkeypatch):
    kept = [RuleHierarchy().fit(*table(seed, fractions)) for seed in range(6)]
    monkeypatch.setattr(hierarchy, "MOST_KEPT", 0)
    again = [RuleHierarchy().fit(*table(seed, fractions)) for seed in range(6)]
    for one, other in zip(kept, again, strict=True):
        assert (one.premises, one.rows) == (other.premises, other.rows)
        assert (one.shares == other.shares).all()
