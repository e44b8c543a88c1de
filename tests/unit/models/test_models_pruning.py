"""Pruned trees keep rules and drop chance."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludex.core import Rng, registry
from ludex.models.learned.classifiers.fitting import ClassifierSettings, fit
from ludex.models.learned.classifiers.pruning import most_errors
from ludex.models.learned.explain.accuracy import ANY, share_right
from ludex.models.learned.explain.object_accuracy import checked_objects
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.objects.kind_model import share_of_mixed
from ludex.models.learned.objects.memory import ObjectChange
from ludex.models.learned.training import random_play

pytest.importorskip("sklearn")

PLAIN, PRUNED = ClassifierSettings(), ClassifierSettings(prune=True)


def cases(count, seed=0):
    return np.random.default_rng(seed).integers(0, 50, (count, 4)).astype(np.uint16)


def right(fitted, rows, after):
    return float(np.mean(fitted.classify(rows)[0] == after))


def test_branches_that_only_repeat_chance_are_cut():
    rows, new = cases(400), cases(400, seed=1)
    dice = np.random.default_rng(2)
    after, later = (dice.choice([0, 1, 2], 400, p=[0.7, 0.2, 0.1]) for _ in range(2))
    plain, pruned = (fit(one, rows, after.astype(np.uint16)) for one in (PLAIN, PRUNED))
    assert (len(plain.trees.features) > 100, len(pruned.trees.features)) == (True, 1)
    assert right(pruned, new, later) > right(plain, new, later) + 0.1
    assert plain.classify(new)[1].mean() == 1.0  # it is sure of everything
    assert pruned.classify(new)[1].mean() == pytest.approx(0.7, abs=0.05)


def test_a_rule_is_kept_whole():
    rows, new = cases(400), cases(400, seed=1)
    after, later = ((one[:, 0] > 25) * 2 + (one[:, 1] > 10) for one in (rows, new))
    plain, pruned = (fit(one, rows, after.astype(np.uint16)) for one in (PLAIN, PRUNED))
    assert right(pruned, new, later) == right(plain, new, later) > 0.97


def test_a_rare_exception_without_errors_is_kept():
    rows = np.repeat(np.arange(2, dtype=np.uint16), [300, 3])[:, None]
    pruned = fit(PRUNED, rows, rows[:, 0])
    assert pruned.classify(np.array([[0], [1]], np.uint16))[0].tolist() == [0, 1]


def test_errors_are_estimated_from_above():
    # One case without an error: chance hides errors of 90 % with a probability of 10 %.
    assert most_errors(np.array([0.0]), np.array([1.0])) == pytest.approx(0.9)
    assert most_errors(np.array([4.0]), np.array([4.0])) == pytest.approx(4.0)


def test_chance_shows_where_the_same_features_had_different_changes():
    moves, stays = ObjectChange(1, right=1000), ObjectChange(1)
    table = {
        (0,): Counter({stays: 3}),
        (1,): Counter({stays: 2, moves: 1}),
        (2,): Counter({moves: 1}),  # seen once: it tells nothing
    }
    assert share_of_mixed(table) == 0.5
    assert share_of_mixed({(2,): Counter({moves: 1})}) == 0.0


def watched(name, seed, steps):
    world = registry.world(name)
    view = world.model.view(world.start(Rng(seed)), 0)
    return list(random_play(world.model, view, steps, Rng(seed).fork("play"), 300))


def whole_states(learner, new):
    return share_right(list(checked_objects(learner.model(ANY), new)))


def test_monsters_that_step_at_random_are_predicted_better_than_by_what_they_did_once():
    seen, new = watched("vgdl/zelda", 0, 400), watched("vgdl/zelda", 1, 300)
    plain, pruned = (ObjectBased(prune=prune).fit(seen) for prune in (False, True))
    assert any(one.prunes for one in pruned.models_.values() if not one.is_still)
    assert whole_states(pruned, new) > whole_states(plain, new) + 0.1


def test_where_nothing_is_left_to_chance_nothing_is_pruned():
    seen = watched("vgdl/sokoban", 0, 300)
    plain, pruned = (ObjectBased(prune=prune).fit(seen) for prune in (False, True))
    assert not any(one.prunes for one in pruned.models_.values() if not one.is_still)
    new = watched("vgdl/sokoban", 1, 200)
    assert whole_states(pruned, new) == whole_states(plain, new)
