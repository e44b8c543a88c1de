"""Structure learning: each algorithm recovers a network that is known, up to what it promises."""

from __future__ import annotations

from itertools import combinations, product
from math import log

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from ludex.core.errors import BadParameter
from ludex.models.learned.structure.bic import Bic
from ludex.models.learned.structure.climbing import hill_climbing, tabu
from ludex.models.learned.structure.graph import (
    Network,
    equivalence_class,
    free,
    is_reachable,
)
from ludex.models.learned.structure.grow_shrink import blanket, grow_shrink
from ludex.models.learned.structure.hybrid import mmhc, rsmax2
from ludex.models.learned.structure.independence import GTest
from ludex.models.learned.structure.learn import ALGORITHMS, inputs_of_last
from ludex.models.learned.structure.parents_and_children import hiton_pc, mmpc
from ludex.models.learned.structure.problem import StructureProblem, StructureSettings
from ludex.models.learned.structure.table import CountTable

EDGES = ((0, 2), (1, 2), (2, 3), (2, 4), (3, 5), (4, 6), (1, 6), (6, 7))
"""Eight variables: 2 and 6 are colliders, 3, 4, 5 and 7 hang below them."""
SHARES = {
    0: {(): 0.4},
    1: {(): 0.55},
    2: {(0, 0): 0.1, (0, 1): 0.65, (1, 0): 0.7, (1, 1): 0.95},
    3: {(0,): 0.2, (1,): 0.8},
    4: {(0,): 0.75, (1,): 0.15},
    5: {(0,): 0.15, (1,): 0.75},
    6: {(0, 0): 0.15, (0, 1): 0.6, (1, 0): 0.8, (1, 1): 0.3},
    7: {(0,): 0.25, (1,): 0.85},
}
"""how often a variable is 1, by its parents in ascending order"""
# Worked out by hand: 0 -> 2 <- 1 and 4 -> 6 <- 1 are colliders. 2 -> 3, 3 -> 5, 2 -> 4 and 6 -> 7
# follow, because else 2, 3, 2 and 6 would be colliders too. So all directions can be told.
CLASS = Network(frozenset(EDGES))


def sample(rows=20_000, seed=1):
    dice = np.random.default_rng(seed)
    values = np.zeros((rows, 8), np.int64)
    for child, shares in SHARES.items():
        parents = sorted(u for u, v in EDGES if v == child)
        for known, share in shares.items():
            here = (values[:, parents] == known).all(axis=1)
            values[here, child] = dice.random(int(here.sum())) < share
    return values


DATA = sample()


@pytest.fixture(scope="module")
def table():
    return CountTable.of(DATA)


def problem_of(table, **settings):
    # At 1 % of error in each of some dozen tests that decide about absent edges.
    return StructureProblem(table, settings=StructureSettings(**{"significance": 0.01, **settings}))


# What is recovered


def test_the_class_of_the_network_worked_out_by_hand():
    assert equivalence_class(EDGES) == CLASS


ORDERS = (None, 0, 1, 2)
"""of the variables: as above, where parents come before children, and shuffled"""


def shuffled(order):
    """The data with the variables in another order, and the class of the network then."""
    places = np.arange(8) if order is None else np.random.default_rng(order).permutation(8)
    values = np.empty_like(DATA)
    values[:, places] = DATA
    edges = [(int(places[u]), int(places[v])) for u, v in EDGES]
    return CountTable.of(values), equivalence_class(edges)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("algorithm", [hill_climbing, tabu, rsmax2, mmhc])
def test_algorithms_that_direct_edges_recover_the_class(algorithm, order):
    # One climb ends on a lower top in most orders of the variables, so it may start again; tabu
    # search has to walk far enough instead.
    table, wanted = shuffled(order)
    restarts = 200 if algorithm is hill_climbing else 20
    found = algorithm(problem_of(table, restarts=restarts, memory=50))
    assert not found.links
    assert equivalence_class(found.edges) == wanted


@pytest.mark.parametrize("order", ORDERS)
def test_grow_shrink_recovers_all_directions_that_data_can_tell(order):
    table, wanted = shuffled(order)
    assert grow_shrink(problem_of(table)) == wanted


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("algorithm", [mmpc, hiton_pc])
def test_parents_and_children_are_recovered_without_directions(algorithm, order):
    table, wanted = shuffled(order)
    found = algorithm(problem_of(table))
    assert not found.edges
    assert found.skeleton == wanted.skeleton


def test_starting_again_ends_higher_or_where_it_was_and_can_be_repeated():
    table, _ = shuffled(0)
    once, *again = (hill_climbing(problem_of(table, restarts=restarts)) for restarts in (0, 30, 30))
    bic = Bic(table)
    assert again[0] == again[1]
    assert bic.of(again[0].edges) >= bic.of(once.edges)


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_the_same_data_give_the_same_network(name):
    found = [ALGORITHMS[name](problem_of(CountTable.of(sample(2000)))) for _ in range(2)]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_independent_variables_are_left_alone(name):
    dice = np.random.default_rng(3)
    table = CountTable.of(dice.integers(0, 3, (4000, 5)))
    assert ALGORITHMS[name](problem_of(table, significance=0.001)) == Network()


def test_a_blanket_holds_parents_children_and_their_other_parents(table):
    strict = problem_of(table, significance=0.001)
    assert set(blanket(strict, 4)) == {2, 6, 1}
    assert set(blanket(strict, 2)) == {0, 1, 3, 4}


# Edges that may not be learned


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_edges_that_are_not_allowed_are_not_learned(table, name):
    allowed = free(8)
    allowed[2, 3] = allowed[3, 2] = allowed[1, 2] = False
    found = ALGORITHMS[name](StructureProblem(table, allowed, StructureSettings(significance=0.01)))
    assert frozenset((2, 3)) not in found.skeleton
    assert (1, 2) not in found.edges


BEFORE, AFTER = (0, 1, 2, 3), (4, 5, 6)


def follows(rows=6000, seed=2):
    """Four variables, and three that follow from one, two and three of them."""
    dice = np.random.default_rng(seed)
    before = dice.integers(0, 3, (rows, 4))
    noise = dice.random((rows, 3)) < 0.1
    after = np.column_stack(
        [before[:, 0], np.minimum(before[:, 0] + before[:, 1], 2), before[:, 1:].max(axis=1)]
    )
    return np.column_stack([before, np.where(noise, dice.integers(0, 3, (rows, 3)), after)])


WANTED = {4: (0,), 5: (0, 1), 6: (1, 2, 3)}


def test_the_short_way_finds_what_hill_climbing_over_all_finds():
    values = follows()
    allowed = np.zeros((7, 7), bool)
    allowed[np.ix_(BEFORE, AFTER)] = True
    whole = StructureProblem(CountTable.of(values), allowed)
    found = hill_climbing(whole)
    work = 0
    for target in AFTER:
        short, tests = inputs_of_last(
            CountTable.of(values[:, [*BEFORE, target]]), "hill_climbing", StructureSettings()
        )
        assert short == found.parents(target) == WANTED[target]
        work += tests
    # All scores, but those of the four variables that come before and have no parents.
    assert work - 3 * len(BEFORE) == whole.work - len(BEFORE)


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_every_algorithm_finds_the_inputs_of_what_follows(name):
    values = follows()
    for target in AFTER:
        data = CountTable.of(values[:, [*BEFORE, target]])
        found, _ = inputs_of_last(data, name, StructureSettings(significance=0.001))
        assert found == WANTED[target]


# Scores and tests, by independent means


def test_the_score_is_that_of_the_formula():
    values = follows(500)
    child, parents = 6, (1, 2)
    wanted = 0.0
    for known in product(range(3), repeat=2):
        here = values[(values[:, parents] == known).all(axis=1), child]
        counts = np.array([np.sum(here == value) for value in range(3)])
        wanted += sum(n * log(n / counts.sum()) for n in counts if n)
    wanted -= log(500) / 2 * 9 * 2
    assert Bic(CountTable.of(values)).local(child, parents) == pytest.approx(wanted)


def test_hill_climbing_finds_the_best_of_all_543_networks_of_four_variables():
    values = sample(3000)[:, [0, 1, 2, 3]]
    bic = Bic(CountTable.of(values))
    pairs = list(combinations(range(4), 2))
    scores = []
    for directions in product((None, 0, 1), repeat=len(pairs)):
        edges = {
            pair if way == 0 else pair[::-1]
            for pair, way in zip(pairs, directions, strict=True)
            if way is not None
        }
        if not any(is_reachable(edges - {edge}, edge[1], edge[0]) for edge in edges):
            scores.append(bic.of(edges))
    assert len(scores) == 543
    found = hill_climbing(StructureProblem(CountTable.of(values)))
    assert bic.of(found.edges) == pytest.approx(max(scores))


def test_tabu_search_gets_past_a_top_that_is_not_the_highest():
    """With few rows there are many tops."""
    worse = better = 0
    for seed in range(30):
        values = sample(150, seed)
        table = CountTable.of(values)
        climbed, searched = hill_climbing(StructureProblem(table)), tabu(StructureProblem(table))
        bic = Bic(table)
        difference = bic.of(searched.edges) - bic.of(climbed.edges)
        worse += difference < -1e-6
        better += difference > 1e-6
    assert worse == 0
    assert better > 0


def test_unconditional_tests_agree_with_the_library():
    values = follows(400)
    tests = GTest(CountTable.of(values), 0.05)
    for one, other in combinations(range(7), 2):
        counts = np.array(
            [[np.sum((values[:, one] == a) & (values[:, other] == b)) for b in range(3)]
             for a in range(3)]
        )  # fmt: skip
        wanted = chi2_contingency(counts, lambda_="log-likelihood", correction=False)
        found = tests.association(one, other)
        assert found.statistic == pytest.approx(wanted.statistic, abs=1e-9)
        assert found.p == pytest.approx(wanted.pvalue, abs=1e-12)


def test_conditional_tests_add_up_over_what_is_known():
    values = follows(400)
    wanted = sum(
        chi2_contingency(
            np.histogram2d(*values[values[:, 1] == known][:, [0, 5]].T, bins=3)[0],
            lambda_="log-likelihood",
        ).statistic
        for known in range(3)
    )
    found = GTest(CountTable.of(values), 0.05).association(0, 5, (1,))
    assert found.statistic == pytest.approx(wanted)
    assert found.p == pytest.approx(chi2.sf(wanted, 2 * 2 * 3))


def test_rows_can_stand_for_several():
    values = follows(300)
    unlike, times = np.unique(values, axis=0, return_counts=True)
    plain, counted = Bic(CountTable.of(values)), Bic(CountTable.of(unlike, times))
    assert counted.local(5, (0, 1)) == pytest.approx(plain.local(5, (0, 1)))


def test_a_variable_that_never_changes_tells_nothing():
    values = np.column_stack([follows(200)[:, :2], np.zeros(200, int)])
    tests = GTest(CountTable.of(values), 0.05)
    assert not tests.are_dependent(0, 2)
    assert not tests.are_dependent(0, 2, (1,))


def test_without_conditioning_all_that_is_bound_to_a_variable_is_kept(table):
    bound = {frozenset(pair) for pair in combinations(range(8), 2)
             if GTest(table, 0.01).are_dependent(*pair)}  # fmt: skip
    for algorithm in (mmpc, hiton_pc):
        assert algorithm(problem_of(table, conditioning=0)).skeleton == bound


def test_edges_of_other_variables_are_refused(table):
    with pytest.raises(BadParameter, match=r"edges among 8 variables .* got shape \(3, 3\)"):
        StructureProblem(table, free(3))


def test_no_variable_gets_more_parents_than_allowed():
    values = follows()
    found = hill_climbing(
        StructureProblem(CountTable.of(values), settings=StructureSettings(most_parents=1))
    )
    assert max(len(found.parents(child)) for child in range(7)) == 1


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (4,)])
def test_no_data_are_refused(shape):
    with pytest.raises(BadParameter, match="needs rows and variables"):
        CountTable.of(np.zeros(shape, int))


def test_weights_of_other_rows_are_refused():
    with pytest.raises(BadParameter, match="a weight for each of 3 rows, got 2"):
        CountTable.of(np.zeros((3, 2), int), np.ones(2))
