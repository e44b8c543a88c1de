"""The sequential test: Wald's formulas, and a brute-force search for its distributions."""

import math

import pytest

from ludex.arena.statistics.sprt import Sprt, best_distribution, elo_of, expected_score, log_ratio
from ludex.arena.study.contest import Contest, hold
from ludex.core.errors import BadParameter, LudexError, Unsupported


def test_the_bounds_are_walds():
    low, high = Sprt(alpha=0.05, beta=0.1).bounds
    assert high == pytest.approx(math.log(0.9 / 0.05))
    assert low == pytest.approx(math.log(0.1 / 0.95))


def test_wins_and_losses_alone_give_walds_ratio():
    mean0, mean1 = 0.5, 0.64
    wald = 30 * math.log(mean1 / mean0) + 10 * math.log((1 - mean1) / (1 - mean0))
    assert log_ratio({1.0: 30, 0.0: 10}, mean0, mean1) == pytest.approx(wald, abs=1e-3)


def test_the_best_distribution_is_no_worse_than_any_other_with_its_mean():
    seen = {0.0: 12.0, 0.25: 20.0, 0.5: 40.0, 0.75: 30.0, 1.0: 18.0}
    found = best_distribution(seen, 120, 0.5)
    assert sum(found) == pytest.approx(1)
    assert sum(p * result for p, result in zip(found, seen, strict=True)) == pytest.approx(0.5)

    def likelihood(chances):
        return sum(n * math.log(p) for n, p in zip(seen.values(), chances, strict=True))

    # Moves that keep sum and mean: none of them helps.
    for move in ([1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1], [1, -1, 0, -1, 1]):
        for size in (1e-4, -1e-4, 1e-2, -1e-2):
            other = [p + size * step for p, step in zip(found, move, strict=True)]
            assert likelihood(other) < likelihood(found)


def test_elo_and_mean_are_inverse():
    assert elo_of(expected_score(123)) == pytest.approx(123)
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_verdicts_follow_the_ratio():
    test = Sprt(elo0=0, elo1=100)
    assert test.verdict == "undecided"
    for _ in range(20):
        test.add(1.0)
    assert test.verdict == "better"
    other = Sprt(elo0=0, elo1=100)
    for _ in range(20):
        other.add(0.0)
    assert other.verdict == "not better"


@pytest.mark.parametrize(
    "wrong", [{"elo0": 5, "elo1": 5}, {"alpha": 0}, {"beta": 0.7}, {"alpha": float("nan")}]
)
def test_impossible_tests_are_refused(wrong):
    with pytest.raises(BadParameter):
        Sprt(**wrong)
    with pytest.raises(BadParameter):
        Sprt().add(1.5)


def results_of(contest, pairs, workers=1):
    return list(contest.play(0, pairs, workers))


def test_a_perfect_player_is_found_to_be_better():
    contest = Contest("nim/perfect", "uniform", "nim", "9calls")
    test = Sprt(elo0=0, elo1=100)
    assert [one.is_decided for one in hold(contest, test, 200, 1)][-1]
    assert test.verdict == "better"


def test_an_agent_is_not_better_than_itself():
    contest = Contest("nim/perfect", "nim/perfect", "nim", "9calls")
    # Both sides of a pair are the same game, so each pair is shared.
    assert results_of(contest, 3) == [0.5, 0.5, 0.5]


def test_sides_are_swapped_so_that_the_first_move_helps_nobody():
    # From 1-2-3 the first to move loses against perfect play, whoever it is.
    contest = Contest("nim/perfect", "nim/perfect", "nim[heaps=1-2-3]", "9calls")
    assert results_of(contest, 2) == [0.5, 0.5]


def test_results_do_not_depend_on_the_number_of_workers():
    contest = Contest("uniform", "uniform", "pig[target=20]", "9calls", seed=3)
    assert results_of(contest, 6, 1) == results_of(contest, 6, 3)


def test_in_worlds_of_one_seat_the_same_match_is_compared():
    contest = Contest("one_step", "uniform", "vgdl/aliens", "20calls")
    found = results_of(contest, 2, 2)
    assert set(found) <= {0.0, 0.5, 1.0}
    assert results_of(Contest("uniform", "uniform", "vgdl/aliens", "20calls"), 1) == [0.5]


def test_notes_are_gone_on_with(tmp_path):
    notes = tmp_path / "notes.txt"
    contest = Contest("uniform", "uniform", "nim", "9calls", seed=3)
    whole = Sprt(elo1=400)
    for _ in hold(contest, whole, 8, 1):
        pass
    for most in (3, 8):
        test = Sprt(elo1=400)
        for _ in hold(contest, test, most, 1, notes):
            pass
    assert test.counts == whole.counts
    assert len(notes.read_text().splitlines()) == 1 + whole.pairs
    with notes.open("a") as file:
        file.write("0.")  # cut short by a kill
    again = Sprt(elo1=400)
    for _ in hold(contest, again, whole.pairs, 1, notes):
        pass
    assert again.counts == whole.counts


def test_notes_of_another_test_are_refused(tmp_path):
    notes = tmp_path / "notes.txt"
    list(hold(Contest("uniform", "uniform", "nim", "9calls"), Sprt(), 1, 1, notes))
    with pytest.raises(BadParameter, match="another test"):
        list(hold(Contest("uniform", "uniform", "nim", "10calls"), Sprt(), 1, 1, notes))
    notes.write_text("{}\nhello\n")
    with pytest.raises(BadParameter, match="does not hold notes"):
        list(hold(Contest("uniform", "uniform", "nim", "9calls"), Sprt(), 1, 1, notes))


def test_what_cannot_be_played_is_said_at_once():
    with pytest.raises(Unsupported, match="needs full information"):
        Contest("mcts", "uniform", "kuhn_poker")
    with pytest.raises(LudexError, match="terminal"):
        Contest("human", "uniform", "nim")
