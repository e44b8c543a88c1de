"""What the comparison over games says, beside the table of pairs."""

from ludex.arena.report.markdown import differences
from ludex.arena.statistics.rank_words import rank_words

FOUND = {
    "games": 9,
    "p": 0.00123,
    "critical_difference": 1.1,
    "agents": ["mcts", "rhea", "uniform"],
    "mean_ranks": [1.5, 1.25, 3.0],
    "cliques": [["rhea", "mcts"]],
}


def test_pairs_that_differ_are_named_and_the_rest_is_undecided():
    assert rank_words(FOUND) == (
        "Mean ranks over 9 games: rhea 1.25, mcts 1.50, uniform 3.00. Friedman's test gives p = "
        "0.0012; by Nemenyi's, ranks further apart than 1.10 differ: rhea is ahead of uniform; "
        "mcts is ahead of uniform. 1 of 3 pairs is undecided by ranks over games, which "
        "count no single match."
    )


def test_nothing_and_everything_differ():
    assert "differ: none do. All 3 pairs are undecided" in rank_words(
        {**FOUND, "critical_difference": 5.0}
    )
    assert rank_words({**FOUND, "critical_difference": 0.1}).endswith("so that all pairs differ.")


def test_the_report_no_longer_says_not_told_apart_above_a_table_of_differences():
    assert "told apart" not in differences(FOUND)
