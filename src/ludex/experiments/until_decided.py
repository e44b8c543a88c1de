"""Reproduction that goes on until its claims are decided, or its time is over.

It tests all claims again and again, each time with more matches: first all levels of the games,
then twice as many matches of each level. Testing often finds a difference by chance sooner or
later, so look number k accepts only alpha / (k (k + 1)) of false verdicts. Over all looks, however
many, that adds up to alpha, whatever the results of the looks have to do with each other (Boole's
inequality); no other assumption is needed. A claim that is decided at a look stays decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from time import monotonic

from ludex.arena.statistics.comparisons import ALPHA
from ludex.arena.statistics.results import Row, read_results
from ludex.arena.study.run import Progress
from ludex.arena.study.study import Study
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import Experiment, ExperimentPlan, file_name
from ludex.experiments.judge import Judged, judge
from ludex.experiments.run import Playing, Reproduction, begin, summed_up
from ludex.experiments.scale import Scale


class OutOfTime(Exception):
    """The time is over; matches that were played are kept."""


def reproduce_until_decided(
    experiment: Experiment,
    scale: Scale,
    collection: Collection,
    playing: Playing,
    *,
    seconds: float,
) -> Reproduction:
    """Play a plan and ever larger ones, until every claim is decided or the time is over.

    The same call goes on where the last one ended. Its stores are its own: other sizes of the
    experiment have others.

    Args:
        experiment: The experiment to reproduce.
        scale: The size to begin with.
        collection: Where its games come from.
        playing: How its matches are played.
        seconds: How long matches may be played. At least one look is finished.
    """
    end = monotonic() + seconds

    def stop_in_time(name: str, how_far: Progress) -> None:
        playing.progress(name, how_far)
        if how_far.played and monotonic() > end:
            raise OutOfTime

    limited = replace(playing, progress=stop_in_time)
    first = begin(experiment, scale, collection, playing.folder)
    name = f"{experiment.id} {scale} until decided"
    plans: list[ExperimentPlan] = []
    done: Reproduction | None = None
    for plan in growing(first, experiment, collection):
        plans.append(plan)
        studies = plan.studies(name)
        if is_outgrown(playing.folder, studies):  # by an earlier call
            continue
        if done is not None and (all(one.decided for one in done.claims) or monotonic() > end):
            break
        experiment.prepare(plan, playing.making)
        try:
            rows, stores = (playing if done is None else limited).play(studies)
        except OutOfTime:
            break
        claims = judge_looks(plans, rows)
        done = summed_up(
            experiment, scale, collection, plan, rows, stores, claims, looks=len(plans)
        )
    assert done is not None  # one look is always finished
    return done


def alpha_of(look: int) -> float:
    """The part of false verdicts that a look may spend; all of them add up to `ALPHA`.

    >>> round(sum(alpha_of(look) for look in range(1, 10_000)), 5)
    0.05
    """
    return ALPHA / (look * (look + 1))


def judge_looks(plans: Sequence[ExperimentPlan], rows: Sequence[Row]) -> list[Judged]:
    """Test every claim at one look after the other, until it is decided."""
    found: list[Judged] = []
    for claim in plans[0].claims:
        judged: Judged | None = None
        for look, plan in enumerate(plans, 1):
            if judged is None or not judged.decided:
                judged = judge(claim, rows_of(plan, rows), alpha_of(look))
        assert judged is not None
        found.append(judged)
    return found


def rows_of(plan: ExperimentPlan, rows: Sequence[Row]) -> list[Row]:
    """The rows that belong to a plan, of a larger one that was played."""
    levels = {game.label: set(game.levels) for game in plan.games}
    return [
        row
        for row in rows
        if row.repetition < plan.repetitions
        and (row.level is None or row.level in levels[row.game])
    ]


def growing(
    plan: ExperimentPlan, experiment: Experiment, collection: Collection
) -> Iterator[ExperimentPlan]:
    """The plan, and larger and larger ones: twice the levels until all are there, then matches."""
    most = experiment.most_levels(collection, plan)
    names = [game.label for game in plan.games]
    for _ in count():
        yield plan
        played = max(len(game.levels) for game in plan.games)
        if played < most:
            plan = replace(plan, games=collection.games(names, min(2 * played, most)))
        else:
            plan = replace(plan, repetitions=2 * plan.repetitions)


def is_outgrown(folder: Path, studies: Mapping[str, Study]) -> bool:
    """Whether a store has levels or matches that these studies do not have."""
    for study in studies.values():
        store = folder / f"{file_name(study.name)}.sqlite"
        if not store.exists():
            continue
        kept = read_results(store).document
        levels = max(len(game["levels"]) for game in kept["games"])
        own = max(len(game.levels) for game in study.games)
        if (levels, kept["repetitions"]) > (own, study.repetitions):
            return True
    return False
