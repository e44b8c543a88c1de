"""Reproduction of an experiment: resumable, with a store for each of its studies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludex.arena.statistics.results import Row
from ludex.arena.study.run import Progress, run_study
from ludex.arena.study.study import Study
from ludex.experiments.by_game import (
    MeasuredGameTable,
    PairwiseResult,
    compare_pairs,
    measure_game_table,
)
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Claim,
    Experiment,
    ExperimentPlan,
    Group,
    LevelClaim,
    ResultTable,
    file_name,
)
from ludex.experiments.judge import Judged, MeasuredArm, judge, measure
from ludex.experiments.ranks import Ranks, average_ranks
from ludex.experiments.scale import Scale
from ludex.experiments.verdict import verdict_on_claims


@dataclass(frozen=True)
class Reproduction:
    """The results of a reproduced experiment."""

    experiment: Experiment
    scale: Scale
    collection: str
    plan: ExperimentPlan
    arms: tuple[MeasuredArm, ...]
    claims: tuple[Judged, ...]
    pairwise: tuple[PairwiseResult, ...]
    by_game: tuple[MeasuredGameTable, ...]
    ranks: tuple[Ranks, ...]
    cpu_s: float
    stores: tuple[Path, ...]
    tables: tuple[ResultTable, ...] = ()
    looks: int = 1
    """how often the claims were tested, with more matches each time"""

    @property
    def verdict(self) -> str:
        """What came of it, in a sentence."""
        return verdict_on_claims(self.claims, self.arms, self.scale)

    @property
    def decided(self) -> bool:
        """Whether every claim holds or is contradicted."""
        return all(one.decided for one in self.claims)

    def needs(self, one: Judged) -> str:
        """How many levels and matches would decide a claim.

        Levels are those of this experiment or others like them, each with as many matches.
        """
        if one.decided:
            return "decided"
        if one.needed is None:
            return "more than can be played"
        arms = {arm for pair in pairs_of(one.claim) for group in pair for arm in group}
        games = one.needed * self.plan.repetitions * len(arms)
        return f"{one.needed:,} levels, {games:,} matches"

    def as_markdown(self) -> str:
        """The tables, for a page of results."""
        lines = [
            "| arm | budget | printed % | measured % | 95 % interval | levels | matches |",
            "|---|---|--:|--:|--:|--:|--:|",
        ]
        lines += [
            f"| {one.arm.label} | {one.arm.budget} | {one.arm.printed or '-'} | "
            f"{one.percent:.1f} | {interval_text(one.interval)} | {one.levels} | {one.games} |"
            for one in self.arms
        ]
        lines += [
            "",
            "| claim | measured % | 95 % interval | levels | would decide | verdict |",
            "|---|--:|--:|--:|--:|---|",
        ]
        lines += [
            f"| {claim_text(one)} | {one.value:.1f} | {interval_text(one.interval)} | "
            f"{one.pairs} | {self.needs(one)} | {one.verdict} |"
            for one in self.claims
        ]
        for ranks in self.ranks:
            lines += ["", *rank_lines(ranks)]
        for won in self.by_game:
            lines += ["", *won_lines(won)]
        for found in self.pairwise:
            lines += ["", *pairwise_lines(found)]
        for table in self.tables:
            lines += ["", *table.as_markdown()]
        lines += ["", "What differs from the source:", ""]
        lines += [f"- {line}" for line in self.plan.deviations]
        lines += [
            "",
            f"{self.plan.matches:,} matches, {self.cpu_s / 60:.0f} CPU-minutes of agents.",
        ]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """The results as plain values for JSON."""
        return {
            "id": self.experiment.id,
            "title": self.experiment.title,
            "source": self.experiment.source,
            "scale": self.scale,
            "games": [game.label for game in self.plan.games],
            "matches": self.plan.matches,
            "cpu_s": round(self.cpu_s, 1),
            "looks": self.looks,
            "verdict": self.verdict,
            "arms": [
                {
                    "arm": one.arm.label,
                    "agent": one.arm.agent,
                    "budget": one.arm.budget,
                    "printed": one.arm.printed.percent if one.arm.printed else None,
                    "measured": one.percent,
                    "interval": list(one.interval) if one.interval else None,
                    "levels": one.levels,
                    "games": one.games,
                }
                for one in self.arms
            ],
            "claims": [
                {
                    "claim": one.claim.text,
                    "kind": "level" if isinstance(one.claim, LevelClaim) else "order",
                    "verdict": one.verdict,
                    "measured": one.value,
                    "interval": list(one.interval) if one.interval else None,
                    "comparison": one.comparison or None,
                    "levels": one.pairs,
                    "levels_needed": one.needed,
                }
                for one in self.claims
            ],
            "by_game": [
                {
                    "table": one.pairwise.text,
                    "arms": list(one.pairwise.arms),
                    "printed": one.pairwise.printed,
                    "measured": one.counts or None,
                    "reason": one.reason or None,
                }
                for one in self.pairwise
            ],
            "won_by_game": [
                {
                    "table": one.table.text,
                    "arms": list(one.table.arms),
                    "printed": {game: one.table.printed[game] for game in one.measured},
                    "measured": one.measured,
                }
                for one in self.by_game
            ],
            "ranks": [one.document() for one in self.ranks],
            "tables": [asdict(table) for table in self.tables],
            "deviations": list(self.plan.deviations),
            "stores": [str(store) for store in self.stores],
        }


def interval_text(interval: tuple[float, float] | None, sign: str = "") -> str:
    """An interval in words; a dash where there are too few levels for one.

    >>> interval_text((-1.0, 2.5)), interval_text((-1.0, 2.5), "+"), interval_text(None)
    ('-1.0 .. 2.5', '-1.0 .. +2.5', '-')
    """
    if interval is None:
        return "-"
    return " .. ".join(f"{bound:{sign}.1f}" for bound in interval)


def claim_text(one: Judged) -> str:
    """A claim, and which comparison of two it was decided by."""
    return f"{one.claim.text} (worst: {one.comparison})" if one.comparison else one.claim.text


def pairs_of(claim: Claim) -> tuple[tuple[Group, ...], ...]:
    """The groups of arms that a claim compares."""
    return ((claim.arms,),) if isinstance(claim, LevelClaim) else claim.pairs


def rank_lines(ranks: Ranks) -> list[str]:
    """Average ranks in Markdown, best first, or why there are none."""
    if ranks.found is None:
        return [f"Average ranks over {ranks.blocks}: {ranks.reason}."]
    return [
        f"Average ranks over {ranks.found.blocks} {ranks.blocks}, 1 the best; arms further apart "
        f"than {ranks.found.critical_difference:.2f} differ by Nemenyi's test "
        f"(Friedman: p = {ranks.found.p:.2g}):",
        "",
        "| arm | average rank |",
        "|---|--:|",
        *(f"| {arm} | {rank:.2f} |" for arm, rank in ranks.order()),
    ]


def won_lines(won: MeasuredGameTable) -> list[str]:
    """Games won game by game in Markdown."""
    return [
        f"Wins in per cent, printed/measured, {won.table.text}:",
        "",
        f"| game | {' | '.join(won.table.arms)} |",
        "|---" + "|--:" * len(won.table.arms) + "|",
        *(f"| {' | '.join(line)} |" for line in won.lines()),
    ]


def pairwise_lines(found: PairwiseResult) -> list[str]:
    """A table of significance game by game in Markdown, or why there is none."""
    arms, text = found.pairwise.arms, found.pairwise.text
    if found.reason:
        return [f"{text[0].upper()}{text[1:]}: not tested. {found.reason}."]
    letters = [chr(ord("A") + index) for index in range(len(arms))]
    return [
        f"Games in which the row is better than the column, printed/measured, {text}:",
        "",
        f"| | arm | {' | '.join(letters)} |",
        "|---|---" + "|--:" * len(arms) + "|",
        *(
            f"| {letters[row]} | {arm} | "
            f"{' | '.join(found.cell(row, column) for column in range(len(arms)))} |"
            for row, arm in enumerate(arms)
        ),
    ]


@dataclass(frozen=True)
class Playing:
    """How the matches of an experiment are played, and who is told."""

    folder: Path
    """of the stores; existing matches are not played again"""
    workers: int = 1
    """processes that play"""
    progress: Callable[[str, Progress], None] = lambda name, how_far: None
    """is called with the name of a study and its progress"""
    making: Callable[[str, int, int], None] = lambda what, done, total: None
    """is called with what is made before the matches, its index, and the total"""
    mixed: bool = False
    """whether to continue although agents, worlds or ludex changed since a store was created"""

    def play(self, studies: Mapping[str, Study]) -> tuple[list[Row], list[Path]]:
        """Play what is missing of these studies; their results and their stores."""
        rows: list[Row] = []
        stores: list[Path] = []
        for study in studies.values():
            store = self.folder / f"{file_name(study.name)}.sqlite"

            def tell(how_far: Progress, name: str = study.name) -> None:
                self.progress(name, how_far)

            results = run_study(study, store, workers=self.workers, progress=tell, mixed=self.mixed)
            rows += results.rows
            stores.append(store)
        return rows, stores


def reproduce(
    experiment: Experiment,
    scale: Scale,
    collection: Collection,
    folder: Path,
    *,
    workers: int = 1,
    progress: Callable[[str, Progress], None] = lambda name, how_far: None,
    making: Callable[[str, int, int], None] = lambda what, done, total: None,
    mixed: bool = False,
) -> Reproduction:
    """Play the matches missing in the stores of this experiment, and test its claims.

    Args:
        experiment: The experiment to reproduce.
        scale: Its size.
        collection: Where its games come from.
        folder: The folder of the stores; existing matches are not played again.
        workers: Processes that play.
        progress: Called with the name of a study and its progress.
        making: Called with what is made before the matches, its index, and the total.
        mixed: Continue although agents, worlds or ludex changed since a store was created.
    """
    playing = Playing(folder, workers, progress, making, mixed)
    plan = begin(experiment, scale, collection, folder)
    experiment.prepare(plan, making)
    rows, stores = playing.play(plan.studies(f"{experiment.id} {scale}"))
    claims = [judge(claim, rows) for claim in plan.claims]
    return summed_up(experiment, scale, collection, plan, rows, stores, claims)


def begin(
    experiment: Experiment, scale: Scale, collection: Collection, folder: Path
) -> ExperimentPlan:
    """Make the folder of an experiment, and its plan."""
    folder.mkdir(parents=True, exist_ok=True)
    experiment.folder = folder
    return experiment.plan(scale, collection)


def summed_up(
    experiment: Experiment,
    scale: Scale,
    collection: Collection,
    plan: ExperimentPlan,
    rows: Sequence[Row],
    stores: Sequence[Path],
    claims: Sequence[Judged],
    looks: int = 1,
) -> Reproduction:
    """Put the results of a plan together with the verdicts on its claims."""
    return Reproduction(
        experiment=experiment,
        scale=scale,
        collection=collection.name,
        plan=plan,
        arms=tuple(measure(plan.arms, rows)),
        claims=tuple(claims),
        pairwise=tuple(compare_pairs(one, rows) for one in plan.pairwise),
        by_game=tuple(measure_game_table(one, rows) for one in plan.by_game),
        ranks=tuple(average_ranks(plan.arms, rows)) if plan.ranked else (),
        cpu_s=sum(row.cpu_ms for row in rows) / 1000,
        stores=tuple(stores),
        tables=tuple(experiment.tables(plan, rows)),
        looks=looks,
    )
