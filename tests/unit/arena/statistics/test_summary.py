"""What a study says, checked against counts of its rows."""

import pytest

from ludex.arena.match.rules import MatchRules
from ludex.arena.report.markdown import as_markdown, table
from ludex.arena.report.page import match_rows, page_of
from ludex.arena.statistics.costs import score_at
from ludex.arena.statistics.pairs import meetings
from ludex.arena.statistics.results import Results
from ludex.arena.statistics.summary import as_json, summarise
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study


@pytest.fixture(scope="module")
def duel() -> Results:
    study = Study.of(
        "duel",
        ["uniform", "one_step", "nim/perfect"],
        ["nim"],
        budgets=("9calls",),
        repetitions=5,
    )
    return run_study(study, None, workers=0)


@pytest.fixture(scope="module")
def alone() -> Results:
    study = Study.of(
        "alone",
        ["uniform", "one_step"],
        ["vgdl/aliens", "vgdl/sokoban"],
        budgets=("9calls",),
        repetitions=3,
        rules=MatchRules(max_ticks=40),
    )
    return run_study(study, None, workers=0)


def test_places_follow_the_wins(duel):
    (budget,) = summarise(duel)["budgets"]
    wins = {agent: duel.tally(agent).wins for agent in duel.agents}
    ordered = [one["agent"] for one in budget["agents"]]
    assert ordered == sorted(wins, key=lambda agent: -wins[agent])
    assert ordered[0] == "nim/perfect"
    assert [one["points"] for one in budget["agents"]] == [25, 18, 15]


def test_meetings_are_counted_once_for_the_pair(duel):
    met = meetings(duel)
    assert set(met) == {
        ("uniform", "one_step"), ("uniform", "nim/perfect"), ("one_step", "nim/perfect"),
    }  # fmt: skip
    assert all(len(outcomes) == 10 for outcomes in met.values())
    assert sum(met["uniform", "nim/perfect"]) == sum(
        row.won
        for row in duel
        if row.agent == "uniform"
        and any(other.match == row.match and other.agent == "nim/perfect" for other in duel)
    )


def test_ratings_put_the_perfect_player_first(duel):
    ratings = summarise(duel)["budgets"][0]["ratings"]["agents"]
    for name in ("elo", "glicko"):
        assert max(ratings, key=lambda one: one[name])["agent"] == "nim/perfect"


def test_pairs_that_met_are_compared_by_their_meetings(duel):
    pairs = summarise(duel)["budgets"][0]["pairs"]
    assert {pair["over"] for pair in pairs} == {"each other"}
    assert all(pair["p_holm"] >= pair["p"] for pair in pairs)
    ahead = next(pair for pair in pairs if pair["agents"] == ["uniform", "nim/perfect"])
    assert ahead["ahead"] == "nim/perfect"


def test_agents_that_play_alone_are_compared_in_the_same_matches(alone):
    (budget,) = summarise(alone)["budgets"]
    (pair,) = budget["pairs"]
    assert (pair["over"], pair["number"], pair["test"]) == ("the same matches", 6, "McNemar")
    assert budget["ratings"] is None
    assert "reason" in budget["differences"]


def test_opponents_are_rated_but_not_ranked():
    study = Study.of(
        "against", ["uniform", "one_step"], ["nim"], budgets=("9calls",), pairing="against",
        opponents=["nim/perfect"], repetitions=2,
    )  # fmt: skip
    (budget,) = summarise(run_study(study, None, workers=0))["budgets"]
    assert {one["agent"] for one in budget["agents"]} == {"uniform", "one_step"}
    assert {one["agent"] for one in budget["ratings"]["agents"]} == {
        "uniform", "one_step", "nim/perfect",
    }  # fmt: skip
    (pair,) = budget["pairs"]
    assert (pair["over"], pair["number"]) == ("the same matches", 4)


def test_ratings_rank_where_they_choose_who_meets():
    agents = ["uniform", "one_step", "mcts", "minimax", "nim/perfect"]
    study = Study.of("g", agents, ["nim"], budgets=("9calls",), pairing="glicko", rounds=3)
    (budget,) = summarise(run_study(study, None, workers=0))["budgets"]
    rated = sorted(budget["ratings"]["agents"], key=lambda one: -one["glicko"])
    assert [one["agent"] for one in budget["agents"]] == [one["agent"] for one in rated]
    assert [one["place"] for one in budget["agents"]] == [1, 2, 3, 4, 5]


def test_the_use_of_the_budget_is_within_it(duel):
    for use in summarise(duel)["budgets"][0]["use"]:
        assert use["limits"] == {"calls": 9, "iterations": None, "cpu_ms": None}
        assert use["calls"]["most"] <= 9
        low, *_, high = use["calls"]["quartiles"]
        assert low <= use["calls"]["mean"] <= high


def test_scores_over_time_hold_until_they_change():
    assert score_at([(0, 1.0), (5, 2.0), (7, 0.5)], [0, 4, 5, 6, 7, 100]) == [1, 1, 2, 2, 0.5, 0.5]


def test_courses_end_in_the_mean_score(alone):
    (budget,) = summarise(alone)["budgets"]
    for course in budget["courses"]:
        for line in course["lines"]:
            rows = alone.where(agent=line["agent"], game=course["game"])
            mean = sum(row.score for row in rows) / len(rows)
            assert line["mean"][-1] == pytest.approx(mean, rel=1e-4)


def test_an_unfinished_study_is_summarised_as_far_as_it_is(duel):
    part = duel.with_rows(duel.rows[:2])
    document = summarise(part)
    assert len(document["budgets"][0]["agents"]) == 2
    assert summarise(duel.with_rows([]))["budgets"] == []


def test_numbers_are_plain(duel, alone):
    for results in (duel, alone, duel.with_rows([])):
        assert as_json(summarise(results))


def test_the_markdown_has_a_table_for_each_budget(duel):
    text = as_markdown(summarise(duel), "duel.sqlite")
    assert "## At 9calls per decision" in text
    assert "| 1 | nim/perfect | 25 |" in text
    assert "`ludex replay 'duel.sqlite#N'`" in text


def test_names_cannot_break_a_table():
    assert table(["a"], [["x | y\nz"]]).splitlines()[-1] == r"| x \| y z |"


def test_the_page_holds_every_match_and_cannot_be_broken_by_names(duel, tmp_path):
    document = summarise(duel) | {"study": "</script><script>alert(1)</script>"}
    page = page_of(duel, document, tmp_path / "duel.sqlite", {})
    assert page.count("</script>") == 2
    assert len(match_rows(duel)) == 30
