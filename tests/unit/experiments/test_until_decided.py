"""Reproduction that goes on until its claims are decided."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from ludex.arena.statistics.comparisons import ALPHA
from ludex.cli import main
from ludex.experiments import until_decided
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import Arm, Experiment, ExperimentPlan, OrderClaim
from ludex.experiments.judge import judge
from ludex.experiments.run import Playing
from ludex.experiments.simulated import CLAIMS, NOTHING, results
from ludex.experiments.until_decided import alpha_of, growing, reproduce_until_decided


class Alike(Experiment):
    """Two arms that never do anything."""

    id, title, source = "ALIKE", "two arms that are alike", "this test"
    relation = "same"

    def plan(self, scale, collection):
        return ExperimentPlan(
            arms=(Arm("a", "do_nothing", "9calls"), Arm("b", "do_nothing", "8calls")),
            games=collection.games(collection.single()[:13], 1),
            repetitions=1,
            claims=(OrderClaim("a wins as much", ("a",), ("b",), self.relation),),
            deviations=("all of it",),
            max_ticks=5,
        )


class Undecidable(Alike):
    id, relation = "UNDECIDABLE", "more"


def test_all_looks_together_spend_no_more_than_one_does():
    assert sum(alpha_of(look) for look in range(1, 1_000_000)) < ALPHA
    assert all(alpha_of(look) > alpha_of(look + 1) > 0 for look in range(1, 100))


def test_plans_grow_by_levels_and_then_by_matches():
    ours = Collection.of_ludex()
    plan = Alike().plan("tiny", ours)
    sizes = [
        (len(one.games[0].levels), one.repetitions)
        for one in itertools.islice(growing(plan, Alike(), ours), 6)
    ]
    most = ours.levels_of(plan.games[0].label)
    assert most == 5
    assert sizes == [(1, 1), (2, 1), (4, 1), (5, 1), (5, 2), (5, 4)]


def test_it_ends_as_soon_as_every_claim_is_decided(tmp_path):
    playing = Playing(tmp_path, workers=0)
    done = reproduce_until_decided(Alike(), "tiny", Collection.of_ludex(), playing, seconds=600)
    # Look 4 may err in one of 400 cases, and then 65 levels without a difference are enough:
    # 1 - (0.05 / 20 / 2) ** (1 / 65) is below 0.1.
    assert (done.looks, done.claims[0].pairs) == (4, 65)
    assert done.claims[0].verdict == "holds"
    assert done.document()["looks"] == 4


def test_it_ends_when_its_time_is_over_and_goes_on_where_it_ended(tmp_path, monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr(until_decided, "monotonic", lambda: next(clock))
    ours, played = Collection.of_ludex(), []

    def note(name, how_far):
        played.append(how_far.played)

    playing = Playing(tmp_path, workers=0, progress=note)
    first = reproduce_until_decided(Undecidable(), "tiny", ours, playing, seconds=10)
    assert not first.decided
    assert max(played) >= 13
    played.clear()
    again = reproduce_until_decided(Undecidable(), "tiny", ours, playing, seconds=20)
    assert again.looks >= first.looks
    assert again.claims[0].verdict in ("undecided", "too few")


def test_looking_again_and_again_does_not_find_what_is_not_there():
    """Twenty series of six looks each, at levels that both arms win equally often."""
    import numpy as np

    wrong = naive = 0
    for series in range(60):
        dice = np.random.default_rng(series)
        rows = results(NOTHING[0], 100, 1, dice)
        verdicts = [
            (
                judge(CLAIMS["more"], part, alpha_of(look)).decided,
                judge(CLAIMS["more"], part).decided,
            )
            for look, levels in enumerate((10, 20, 40, 60, 80, 100), 1)
            for part in [[row for row in rows if row.level < levels]]
        ]
        wrong += any(one for one, _ in verdicts)
        naive += any(one for _, one in verdicts)
    assert wrong <= 3
    assert naive > wrong


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["EXP-3", "--until", "decided"], "--until decided and --budget TIME go together"),
        (["EXP-3", "--budget", "2h"], "--until decided and --budget TIME go together"),
        (["EXP-3", "--until", "bored", "--budget", "2h"], "bored"),
        (["EXP-3", "--until", "decided", "--budget", "2 parsecs"], "a time such as 90s, 30min"),
        (["EXP-3", "--until", "decided", "--budget", "-1h"], "a time such as 90s, 30min"),
        (["PBS-43", "--until", "decided", "--budget", "1h"], "leave out --until"),
    ],
)
def test_mistakes_are_one_sentence(arguments, words, capsys):
    assert main(["reproduce", *arguments]) != 0
    written = capsys.readouterr()
    assert words in written.err
    assert written.err.count("\n") == 1


def test_the_command_plays_until_it_is_decided(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ludex.experiments.catalogue.experiment", lambda name: Alike())
    typed = ["reproduce", "ALIKE", "--until", "decided", "--budget", "5min"]
    assert main([*typed, "--out", str(tmp_path), "--workers", "1"]) == 0
    shown = capsys.readouterr().out
    assert "decided" in shown
    assert "Verdict: reproduced: the claim holds." in shown


def test_a_claim_that_nothing_decides_says_so():
    plan = replace(Undecidable().plan("tiny", Collection.of_ludex()), repetitions=3)
    judged = judge(plan.claims[0], [])
    assert judged.needed is None
    assert not judged.decided
