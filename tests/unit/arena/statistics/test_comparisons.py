"""Tests and effect sizes, on examples from textbooks and papers."""

import pytest

from ludex.arena.statistics.comparisons import (
    a12,
    cliffs_delta,
    cohens_h,
    corrected,
    friedman,
    mann_whitney,
    mcnemar,
    permutation,
    sign_test,
    wilcoxon,
    z_test,
)
from ludex.core.errors import BadParameter

# Demsar (2006), "Statistical comparisons of classifiers over multiple data sets", table 6.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.9751, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]


def by_error(table):
    return [[-value for value in row] for row in table]


def test_mean_ranks_and_critical_difference_of_demsars_example():
    found = friedman(by_error(DEMSAR))
    assert found.mean_ranks == pytest.approx((3.143, 2.000, 2.893, 1.964), abs=0.001)
    assert found.critical_difference == pytest.approx(1.25, abs=0.005)
    assert found.blocks == 14
    # He prints 9.28 without the correction for ties, which divides by
    # 1 - sum(t^3 - t) / (N k (k^2 - 1)) = 1 - (6 + 6 + 60 + 6) / (14 * 60): 10.23.
    assert found.statistic == pytest.approx(9.28 / (1 - 78 / 840), abs=0.01)


def test_nemenyis_p_values_of_demsars_example():
    # As the library scikit-posthocs 0.17 gives them.
    found = friedman(by_error(DEMSAR)).nemenyi
    assert found[0] == pytest.approx((1.0, 0.088673, 0.956177, 0.074185), abs=1e-5)
    assert found[1][2] == pytest.approx(0.259228, abs=1e-5)


def test_agents_nearer_than_the_critical_difference_form_groups():
    # Ranks 1, 2, 3, 4 in ten games: the critical difference is 2.569 * sqrt(20 / 60) = 1.483.
    found = friedman([[1, 2, 3, 4]] * 10)
    assert found.critical_difference == pytest.approx(1.483, abs=0.001)
    assert found.cliques == [(0, 1), (1, 2), (2, 3)]


def test_agents_that_are_all_far_apart_form_no_groups():
    found = friedman([[1, 2, 3]] * 60)
    assert found.cliques == []


def test_agents_that_are_equal_everywhere_do_not_differ():
    found = friedman([[1, 1, 1]] * 4)
    assert (found.statistic, found.p) == (0.0, 1.0)
    assert found.nemenyi[0] == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("table", [[[1, 2, 3]], [[1, 2], [2, 1]], []])
def test_too_small_tables_are_refused(table):
    with pytest.raises(BadParameter, match="three agents and two games"):
        friedman(table)


def pairs(both, only_first, only_second, neither):
    first = [True] * (both + only_first) + [False] * (only_second + neither)
    second = [True] * both + [False] * only_first + [True] * only_second + [False] * neither
    return first, second


def test_mcnemar_is_the_exact_binomial_test_of_the_matches_that_only_one_won():
    # 1 against 9 of 10: 2 * (1 + 10) / 2^10.
    found = mcnemar(*pairs(20, 9, 1, 5))
    assert found.p == pytest.approx(22 / 1024)
    assert found.effect == pytest.approx(8 / 35)


def test_mcnemar_on_the_presidential_ratings_of_agresti():
    # Agresti, "Categorical data analysis": 86 and 150 changed their minds of 1600; p < 0.0001.
    found = mcnemar(*pairs(794, 150, 86, 570))
    assert found.p < 0.0001
    assert found.statistic == 86


def test_agents_that_won_the_same_matches_do_not_differ():
    assert mcnemar(*pairs(3, 0, 0, 4)).p == 1.0


def test_the_sign_test_leaves_ties_out():
    assert sign_test(9, 1).p == pytest.approx(22 / 1024)
    assert sign_test(0, 0).p == 1.0


def test_the_z_test_of_a_textbook():
    # Two groups of 100 and 100 with 60 and 45 successes: pooled 0.525,
    # z = 0.15 / sqrt(0.525 * 0.475 * 0.02) = 2.1240, p = 0.0337.
    found = z_test(60, 100, 45, 100)
    assert found.statistic == pytest.approx(2.1240, abs=1e-4)
    assert found.p == pytest.approx(0.0337, abs=1e-4)
    assert found.effect == pytest.approx(cohens_h(0.6, 0.45))


def test_the_z_test_knows_that_all_wins_on_both_sides_are_no_difference():
    assert z_test(5, 5, 7, 7).p == 1.0
    with pytest.raises(BadParameter, match="got 8 of 7"):
        z_test(5, 5, 8, 7)


def test_wilcoxon_on_the_plants_of_darwin():
    # Darwin's maize, cross- against self-fertilised (eighths of an inch): W = 24, p = 0.0413.
    differences = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    found = wilcoxon(differences, [0] * 15)
    assert found.statistic == 24
    assert found.p == pytest.approx(0.0413, abs=0.0005)
    assert found.effect == pytest.approx((120 - 2 * 24) / 120)


def test_wilcoxon_of_equal_values_finds_nothing():
    assert wilcoxon([1, 2, 3], [1, 2, 3]).p == 1.0


def test_mann_whitney_on_the_tortoise_and_the_hare():
    # T H H H H H T T T T T H: with ranks from the slowest, U of the tortoises is 25 of 36.
    tortoises, hares = [12, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 1]
    found = mann_whitney(hares, tortoises)
    assert found.statistic == 25
    assert found.effect == pytest.approx(25 / 36)
    assert found.p == pytest.approx(0.3095, abs=0.001)


def test_mann_whitney_of_equal_values_finds_nothing():
    assert mann_whitney([2, 2], [2, 2, 2]).p == 1.0


def test_the_permutation_test_of_few_pairs_is_exact():
    # All of 5 differences have one sign: 2 of 32 sign patterns are as extreme.
    assert permutation([2, 3, 4, 5, 6], [1, 1, 1, 1, 1]).p == pytest.approx(2 / 32)


def test_effect_sizes_by_hand():
    assert a12([3, 4], [1, 3]) == pytest.approx(3.5 / 4)
    assert cliffs_delta([3, 4], [1, 3]) == pytest.approx(0.75)
    assert cohens_h(1.0, 0.0) == pytest.approx(3.14159265)


def test_holms_correction_of_a_worked_example():
    # 0.01 * 3, 0.03 * 2, and 0.04 raised to the one before it.
    assert corrected([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_the_other_corrections_of_a_worked_example():
    assert corrected([0.01, 0.04, 0.03], "bonferroni") == pytest.approx([0.03, 0.12, 0.09])
    # Benjamini and Hochberg: 0.01 * 3 / 1, 0.04 * 3 / 3, and 0.03 * 3 / 2 cut to the one after it.
    assert corrected([0.01, 0.04, 0.03], "fdr_bh") == pytest.approx([0.03, 0.04, 0.04])
    assert corrected([]) == []


@pytest.mark.parametrize("test", [mcnemar, wilcoxon, permutation])
def test_pairs_must_be_pairs(test):
    with pytest.raises(BadParameter, match="as many on both sides"):
        test([1, 0], [1])
