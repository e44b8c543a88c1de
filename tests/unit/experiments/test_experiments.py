"""Published experiments: their plans are whole, and their claims are weighed by hand here."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ludex.agents.compose import make_agent
from ludex.arena.statistics.results import Row
from ludex.cli import main
from ludex.cli.reproduce import show
from ludex.core.errors import UnknownName
from ludex.experiments.by_game import (
    GameTable,
    PairwiseWins,
    compare_pairs,
    measure_game_table,
    read_counts,
)
from ludex.experiments.catalogue import experiment, experiments
from ludex.experiments.collection import Collection, NoGames, reward_density
from ludex.experiments.experiment import Arm, Experiment, ExperimentPlan, OrderClaim
from ludex.experiments.judge import judge, measure
from ludex.experiments.ranks import average_ranks
from ludex.experiments.run import Reproduction, pairs_of, reproduce
from ludex.experiments.scale import SCALES
from ludex.experiments.simulated import PLAIN


def rows(**wins: str) -> list[Row]:
    """Rows of arms, each with a text such as "1101" of matches won and lost."""
    return [
        replace(PLAIN, agent=arm, repetition=number, won=won == "1")
        for arm, text in wins.items()
        for number, won in enumerate(text)
    ]


def test_average_ranks_are_over_games_and_over_levels():
    arms = [Arm(label, "uniform", "9calls") for label in "abc"]
    found = [
        replace(row, game=game, level=level)
        for game in ("g", "h")
        for level in (0, 1)
        for row in rows(a="1", b="0", c="0")
    ]
    by_game, by_level = average_ranks(arms, found)
    assert (by_game.found.blocks, by_level.found.blocks) == (2, 4)
    assert by_level.order() == [("a", 1.0), ("b", 2.5), ("c", 2.5)]
    (too_few, _) = average_ranks(arms, rows(a="1", b="0", c="0"))
    assert "two games" in too_few.reason


def test_wins_game_by_game_stand_beside_the_printed_ones():
    table = GameTable("a table", ("a", "b"), {"g": (80.0, 0.5), "other": (1.0, 1.0)})
    won = measure_game_table(table, rows(a="1100", b="0001"))
    assert won.lines() == [["g", "80/50", "0.5/25"]]


def test_the_printed_tables_of_the_first_set_average_as_the_source_says():
    knowing = experiment("EXP-1").plan("full", Collection.of_ludex())
    (table,) = knowing.by_game
    means = [sum(column) / 10 for column in zip(*table.printed.values(), strict=True)]
    assert means == pytest.approx([30.8, 33.2, 31.6, 49.2])
    assert means == pytest.approx([arm.printed.percent for arm in knowing.arms])
    (table,) = experiment("EXP-2").plan("full", Collection.of_ludex()).by_game
    means = [sum(column) / 10 for column in zip(*table.printed.values(), strict=True)]
    assert means == pytest.approx([31.61, 28.65, 29.37, 42.38], abs=0.006)


def test_the_ablations_are_those_of_the_source():
    ours = Collection.of_ludex()
    arms = {
        name: [arm.label for arm in experiment(name).plan("full", ours).arms]
        for name in ("IHS-7A", "IHS-7B", "IHS-7C")
    }
    assert [len(labels) for labels in arms.values()] == [6, 10, 4]
    assert len(set().union(*arms.values())) == 14
    claims = [
        claim.text.partition(":")[0]
        for name in arms
        for claim in experiment(name).plan("full", ours).claims
    ]
    assert set(claims) == {f"R{number}" for number in range(1, 13)}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", experiments())
def test_every_plan_is_whole(name, scale):
    plan = experiment(name).plan(scale, Collection.of_ludex())
    labels = [arm.label for arm in plan.arms]
    assert len(set(labels)) == len(labels)
    for arm in plan.arms:
        make_agent(arm.agent)
    for claim in plan.claims:
        for groups in pairs_of(claim):
            assert all(groups), claim.text
            assert {label for group in groups for label in group} <= set(labels), claim.text
    assert plan.deviations


def test_the_printed_wins_of_the_fourteen_algorithms_average_as_the_table_does():
    plan = experiment("EXP-7").plan("full", Collection.of_ludex())
    printed = sorted(arm.printed.percent for arm in plan.arms)
    assert len(printed) == 14
    assert (printed[0], printed[-1]) == (16.31, 26.02)
    assert sum(printed) == pytest.approx(321.55)


def test_the_printed_table_of_additions_is_used_in_full():
    plan = experiment("EXP-6").plan("full", Collection.of_ludex())
    # 4 configurations x 4 variants x (none, 1, 5, 10), MCTS, and the tree by mean 4 times
    assert len(plan.arms) == 69
    assert sum(arm.printed is not None for arm in plan.arms) == 15


def test_the_printed_significance_game_by_game_is_used_in_full():
    plan = experiment("EXP-6").plan("full", Collection.of_ludex())
    assert [one.text[-6:] for one in plan.pairwise] == [" R = 1", " R = 5", "R = 10"]
    for pairwise in plan.pairwise:
        assert set(pairwise.arms) <= {arm.label for arm in plan.arms}
        assert [len(row) for row in pairwise.printed] == [9] * 9
        assert [row.index(None) for row in pairwise.printed] == list(range(9))
    at_five = plan.pairwise[1]
    assert at_five.arms[3] == "10-14 EA-shift-roll R5"
    assert at_five.arms[8] == "MCTS"
    # "D beats I in 5 games, I beats D in 3"
    assert (at_five.printed[3][8], at_five.printed[8][3]) == (5, 3)


TWO = PairwiseWins("two arms", ("a", "b"), read_counts("- 1\n0 -"))


def in_game(game, score=0.0, **wins):
    return [replace(row, game=game, score=score) for row in rows(**wins)]


def test_games_that_are_clearly_won_are_counted_for_the_winner_alone():
    found = compare_pairs(
        TWO,
        in_game("clear", a="1" * 10, b="0" * 10)
        + in_game("even", a="1" * 10, b="1" * 10)
        + in_game("other way", a="0" * 10, b="1" * 10)
        + in_game("hardly", a="1111111000", b="1111100000"),
    )
    assert found.counts == ((None, 1), (1, None))
    assert found.cell(0, 1) == "1/1"


def test_where_nobody_wins_the_score_tells_who_is_better():
    ahead = [replace(row, score=5.0) for row in in_game("lost", a="0" * 10)]
    assert compare_pairs(TWO, ahead + in_game("lost", b="0" * 10)).counts == ((None, 1), (0, None))


def test_matches_that_are_too_few_for_any_difference_are_not_tested():
    found = compare_pairs(TWO, in_game("clear", a="111", b="000"))
    assert found.counts == ()
    # Of the 20 ways to order three and three, two are as far apart as can be.
    assert found.reason.startswith("3 matches of each game are too few")
    assert "p = 0.1" in found.reason


def test_an_unknown_experiment_is_named_with_those_there_are():
    with pytest.raises(UnknownName, match="known: EXP-1"):
        experiment("nothing")


def test_upper_and_lower_case_are_the_same():
    assert experiment("exp-3").id == "EXP-3"


def test_a_folder_without_games_is_refused(tmp_path):
    with pytest.raises(NoGames, match="has no games"):
        Collection.of_folder(tmp_path)
    with pytest.raises(NoGames, match="there is no folder"):
        Collection.of_folder(tmp_path / "nowhere")


def test_games_of_a_folder_need_a_level_and_are_no_generator_stubs(tmp_path):
    for name in ("a.txt", "a_lvl0.txt", "b.txt", "a_ggame.txt", "a_ggame_lvl0.txt"):
        (tmp_path / name).write_text("")
    assert list(Collection.of_folder(tmp_path).worlds) == ["a"]


def test_of_two_games_with_one_name_the_one_for_a_single_player_is_taken(tmp_path):
    for folder, avatar in (("a_pair", "0 1"), ("b_alone", "0")):
        (tmp_path / folder).mkdir()
        players = "".join(f"        avatar{one} > MovingAvatar\n" for one in avatar.split())
        letters = "".join(f"        {'AB'[int(one)]} > avatar{one}\n" for one in avatar.split())
        (tmp_path / folder / "g.txt").write_text(
            f"BasicGame no_players={len(avatar.split())}\n    SpriteSet\n{players}"
            "    InteractionSet\n        avatar0 EOS > stepBack\n"
            f"    TerminationSet\n        Timeout limit=9\n    LevelMapping\n{letters}"
        )
        (tmp_path / folder / "g_lvl0.txt").write_text("AB\n" if "1" in avatar else "A.\n")
    found = Collection.of_folder(tmp_path)
    assert found.worlds == {"g": str(tmp_path / "b_alone" / "g.txt")}
    assert found.single() == ["g"]


def test_of_two_games_with_one_name_the_one_with_fixed_rules_is_taken(tmp_path):
    for folder, pace, ending in (
        ("a_space", "PACE", "    ParameterSet\n        PACE > values=0.1:0.1:1.0 string=Pace\n"),
        ("b_fixed", "0.5", ""),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "g.txt").write_text(
            f"{'GameSpace' if ending else 'BasicGame'}\n    SpriteSet\n"
            f"        avatar > MovingAvatar speed={pace}\n"
            "    InteractionSet\n        avatar EOS > stepBack\n"
            "    TerminationSet\n        Timeout limit=9\n"
            f"    LevelMapping\n        A > avatar\n{ending}"
        )
        (tmp_path / folder / "g_lvl0.txt").write_text("A.\n")
    assert Collection.of_folder(tmp_path).worlds == {"g": str(tmp_path / "b_fixed" / "g.txt")}


def test_rewards_are_dense_where_random_play_scores_often():
    ours = Collection.of_ludex()
    assert reward_density(ours.world("aliens")) > reward_density(ours.world("sokoban"))


class Small(Experiment):
    """Two arms that need no time."""

    id, title, source = "SMALL", "a small one", "this test"

    def plan(self, scale, collection):
        arms = (Arm("lazy", "do_nothing", "9calls"), Arm("wild", "uniform", "8calls"))
        return ExperimentPlan(
            arms=arms,
            games=collection.games(["sokoban"], 1),
            repetitions=2,
            claims=(OrderClaim("alike", ("lazy",), ("wild",), "same"),),
            deviations=("all of it",),
        )


def test_an_experiment_goes_on_from_what_its_stores_have(tmp_path):
    played: list[int] = []

    def note(name, how_far):
        played.append(how_far.played)

    first = reproduce(Small(), "tiny", Collection.of_ludex(), tmp_path, workers=0, progress=note)
    assert max(played) == 2  # in each of two stores
    played.clear()
    second = reproduce(Small(), "tiny", Collection.of_ludex(), tmp_path, workers=0, progress=note)
    assert max(played) == 0
    assert first.document() == second.document()
    assert [one.games for one in first.arms] == [2, 2]
    assert len(first.stores) == 2


def test_the_command_prints_claims_and_deviations(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("ludex.experiments.catalogue.experiment", lambda name: Small())
    arguments = ["reproduce", "SMALL", "--out", str(tmp_path), "--workers", "1"]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "lazy" in shown
    assert "alike" in shown
    assert "all of it" in shown
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["matches"] == 4
    assert document["claims"][0]["verdict"] == "too few"
    assert document["claims"][0]["interval"] is None


def test_ranks_and_wins_game_by_game_are_written_and_shown(capsys):
    arms = tuple(Arm(label, "uniform", "9calls") for label in "abc")
    found = [replace(row, game=game) for game in ("g", "h") for row in rows(a="11", b="01", c="00")]
    claim = OrderClaim("a scores more", ("a",), ("b",), by="score")
    plan = ExperimentPlan(arms, (), 2, (claim,), ("all of it",), ranked=True)
    done = Reproduction(
        experiment=Small(),
        scale="tiny",
        collection="none",
        plan=plan,
        arms=tuple(measure(arms, found)),
        claims=(judge(claim, found),),
        pairwise=(),
        by_game=(measure_game_table(GameTable("a table", ("a", "b"), {"g": (80.0, 10.0)}), found),),
        ranks=tuple(average_ranks(arms, found)),
        cpu_s=1.0,
        stores=(),
    )
    page = done.as_markdown()
    assert "Average ranks over 2 games, 1 the best" in page
    assert "| a | 1.00 |" in page
    assert "| g | 80/100 | 10/50 |" in page
    assert "| a scores more | 0.0 | - | 2 | " in page
    document = json.loads(json.dumps(done.document()))
    assert document["ranks"][0]["ranks"] == {"a": 1.0, "b": 2.0, "c": 3.0}
    show(done)
    shown = capsys.readouterr().out
    assert "critical difference" in shown
    assert "80/100" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["EXP-99"], "no experiment 'EXP-99'"),
        (["EXP-3", "--scale", "huge"], "no scale named 'huge'"),
        (["EXP-3", "--games", "nowhere"], "there is no folder 'nowhere'"),
    ],
)
def test_mistakes_are_one_sentence(arguments, words, capsys):
    assert main(["reproduce", *arguments]) != 0
    written = capsys.readouterr()
    assert words in written.err
    assert written.err.count("\n") == 1
    assert written.out == ""
