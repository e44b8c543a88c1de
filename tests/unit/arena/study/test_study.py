"""What a study consists of, and what is wrong with one."""

from collections import Counter

import pytest

from ludex.arena.match.rules import MatchRules
from ludex.arena.study.problems import BadStudy
from ludex.arena.study.schedule import first_round, glicko_round, rotations, size_of
from ludex.arena.study.study import Entrant, Game, Study


def study_of(agents=("uniform", "one_step"), worlds=("nim",), **more):
    return Study.of("test", agents, worlds, **{"budgets": ("9calls",), **more})


def problems(**wrong):
    with pytest.raises(BadStudy) as error:
        study_of(**wrong)
    return [str(problem) for problem in error.value.problems]


def test_worlds_of_one_seat_are_played_alone_by_everybody(two_levels):
    study = study_of(worlds=[two_levels], levels=(0, 1), repetitions=3)
    jobs = first_round(study)
    assert len(jobs) == study.size == 2 * 2 * 3
    assert {job.agents for job in jobs} == {(0,), (1,)}
    assert {job.world for job in jobs} == {two_levels, f"{two_levels}[level=1]"}


def test_a_round_robin_seats_every_pair_on_both_sides():
    study = study_of(agents=["uniform", "one_step", "mcts"])
    assert [job.agents for job in first_round(study)] == [
        (0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1),
    ]  # fmt: skip


def test_worlds_of_three_seats_are_played_by_every_group_in_every_rotation():
    study = study_of(agents=["uniform", "ismcts", "parley/pledger", ("u", "uniform")],
                     worlds=["parley"])  # fmt: skip
    jobs = first_round(study)
    assert len(jobs) == study.size == 4 * 3
    seats = Counter((agent, seat) for job in jobs for seat, agent in enumerate(job.agents))
    assert set(seats.values()) == {3}


def test_opponents_fill_the_other_seats():
    study = study_of(pairing="against", opponents=["mcts"], worlds=["nim", "vgdl/aliens"])
    assert [job.agents for job in first_round(study)] == [
        (0, 2), (2, 0), (1, 2), (2, 1), (0,), (1,),
    ]  # fmt: skip
    assert study.size == 6


def test_rotations_put_everybody_in_every_seat():
    assert rotations((7, 8, 9)) == [(7, 8, 9), (8, 9, 7), (9, 7, 8)]


def test_all_agents_seats_and_budgets_meet_the_same_seeds():
    study = study_of(agents=["uniform", "one_step", "mcts"], budgets=("9calls", "20calls"))
    assert len({job.seed for job in first_round(study)}) == 1


def test_games_levels_and_repetitions_have_seeds_of_their_own(two_levels):
    worlds = [("a", two_levels), ("b", two_levels)]
    study = study_of(worlds=worlds, levels=(0, 1), repetitions=2, agents=["uniform"])
    seeds = [job.seed for job in first_round(study)]
    assert len(set(seeds)) == len(seeds) == 8
    other = study_of(worlds=worlds, levels=(0, 1), agents=["uniform"], seed=1)
    assert not set(seeds) & {job.seed for job in first_round(other)}


def test_given_seeds_are_those_of_the_matches():
    study = study_of(seeds=(5, 3))
    assert [job.seed for job in first_round(study)] == [5, 5, 3, 3]
    assert study.repeats == 2


def test_more_repetitions_begin_with_the_same_matches():
    few, many = study_of(repetitions=2), study_of(repetitions=5)
    assert first_round(many)[: few.size] == first_round(few)


def test_keys_of_matches_differ():
    study = study_of(
        worlds=["nim", "pig", "vgdl/aliens"], repetitions=2, budgets=("9calls", "20calls")
    )
    keys = [job.key(study) for job in first_round(study)]
    assert len(set(keys)) == len(keys) == study.size


def test_rounds_of_glicko_pair_whom_the_ratings_ask_for():
    study = study_of(agents=["uniform", "one_step", "mcts", "minimax"], pairing="glicko", rounds=2)
    first = glicko_round(study, 1, [])
    assert [job.agents for job in first] == [(0, 1), (1, 0), (2, 3), (3, 2)]
    results = {(0, 1): [1.0, 1.0], (2, 3): [1.0, 1.0]}
    second = glicko_round(study, 2, [results])
    # Nobody meets again; the winners are nearest to each other, and so are the losers.
    assert [job.agents for job in second] == [(0, 2), (2, 0), (1, 3), (3, 1)]
    assert {job.round for job in second} == {2}
    assert not {job.seed for job in first} & {job.seed for job in second}
    assert size_of(study) == 8


def test_a_study_survives_as_plain_values(two_levels):
    study = study_of(
        worlds=["nim", Game("a", two_levels, (0, 1))],
        rules=MatchRules(max_ticks=50),
        opponents=[Entrant("o", "mcts")],
        pairing="against",
        seeds=(1, 2),
    )
    assert Study.from_document(study.document()) == study


def test_all_problems_are_listed_at_once():
    found = problems(
        agents=["uniformm", "uniform", "uniform", "human"],
        worlds=["nmi", "nim", ("kuhn", "kuhn_poker")],
        budgets=("9call",),
        repetitions=0,
        seed=-1,
    )
    assert [line.partition(":")[0] for line in found] == [
        "agents, entry 1", "agents, entry 4", "worlds, entry 1", "agents, entry 3",
        "budgets, entry 1", "repetitions", "seed",
    ]  # fmt: skip
    assert "did you mean 'uniform'?" in found[0]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"agents": []}, "agents: at least one agent is needed"),
        ({"worlds": []}, "worlds: at least one world is needed"),
        ({"budgets": ()}, "budgets: at least one budget is needed"),
        ({"budgets": ("1s", "1000ms")}, "budgets, entry 2: '1000ms' is there twice"),
        ({"worlds": ["mine/world.py:Mine"]}, "there is no file 'mine/world.py'"),
        ({"levels": (0,)}, "worlds, entry 1: nim has no levels; leave them out"),
        ({"agents": ["uniform"]}, "nim has 2 seats, and the study 1 agents"),
        ({"agents": ["uniform", "minimax"], "worlds": ["goofspiel"]}, "'minimax' cannot play"),
        ({"seeds": (3, 3)}, "seeds: the same seed twice gives the same match twice"),
        ({"seeds": (3, 4), "repetitions": 5}, "repetitions: 5 contradicts the 2 seeds"),
        ({"pairing": "against"}, 'opponents: pairing = "against" needs at least one'),
        ({"opponents": ["mcts"]}, "opponents: pairing = 'round_robin' has none"),
        (
            {"opponents": ["uniform"], "pairing": "against"},
            "opponents, entry 1: an agent is named 'uniform', too",
        ),
        ({"rounds": 3}, "rounds: pairing = 'glicko' needs a number from 1, and others have none"),
        (
            {"pairing": "glicko", "rounds": 1, "worlds": ["vgdl/aliens"]},
            "worlds of two seats; vgdl/aliens has 1",
        ),
        ({"pairing": "swiss"}, "pairing: it is one of round_robin, against, glicko"),
        ({"isolate": "maybe"}, "isolate: it is one of auto, always, never"),
        ({"repetitions": 10**8}, "it has 200,000,000 matches; at most 10,000,000"),
        ({"agents": [("", "uniform"), "mcts"]}, "a name is one line of text, got ''"),
        (
            {"worlds": ["vgdl/aliens"], "levels": (7,)},
            "worlds, entry 1: aliens has no level 7",
        ),
    ],
)
def test_each_problem_has_its_sentence(wrong, sentence):
    found = problems(**wrong)
    assert len(found) == 1
    assert sentence in found[0].replace("with two seats", "of two seats")
