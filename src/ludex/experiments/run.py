"""Reproduction of an experiment: resumable, with a store for each of its studies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludex.arena.statistics.results import Row
from ludex.arena.study.run import Progress, run_study
from ludex.experiments.by_game import (
    MeasuredGameTable,
    PairwiseResult,
    compare_pairs,
    measure_game_table,
)
from ludex.experiments.collection import Collection
from ludex.experiments.experiment import (
    Experiment,
    ExperimentPlan,
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

    @property
    def verdict(self) -> str:
        """What came of it, in a sentence."""
        return verdict_on_claims(self.claims, self.arms, self.scale)

    def as_markdown(self) -> str:
        """The tables, for a page of results."""
        lines = [
            "| arm | budget | printed % | measured % | 95 % interval | games |",
            "|---|---|--:|--:|--:|--:|",
        ]
        for one in self.arms:
            low, high = one.interval
            lines.append(
                f"| {one.arm.label} | {one.arm.budget} | {one.arm.printed or '-'} | "
                f"{one.percent:.1f} | {low:.1f} .. {high:.1f} | {one.games} |"
            )
        lines += [
            "",
            "| claim | measured % | 95 % interval | verdict |",
            "|---|--:|--:|---|",
        ]
        lines += [
            f"| {one.claim.text} | {one.text} | {one.low:.1f} .. {one.high:.1f} | {one.verdict} |"
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
            "verdict": self.verdict,
            "arms": [
                {
                    "arm": one.arm.label,
                    "agent": one.arm.agent,
                    "budget": one.arm.budget,
                    "printed": one.arm.printed.percent if one.arm.printed else None,
                    "measured": one.percent,
                    "interval": list(one.interval),
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
                    "interval": [one.low, one.high],
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
    folder.mkdir(parents=True, exist_ok=True)
    experiment.folder = folder
    plan = experiment.plan(scale, collection)
    experiment.prepare(plan, making)
    rows: list[Row] = []
    stores: list[Path] = []
    for study in plan.studies(f"{experiment.id} {scale}").values():
        store = folder / f"{file_name(study.name)}.sqlite"

        def tell(how_far: Progress, name: str = study.name) -> None:
            progress(name, how_far)

        results = run_study(study, store, workers=workers, progress=tell, mixed=mixed)
        rows += results.rows
        stores.append(store)
    return Reproduction(
        experiment=experiment,
        scale=scale,
        collection=collection.name,
        plan=plan,
        arms=tuple(measure(plan.arms, rows)),
        claims=tuple(judge(claim, rows) for claim in plan.claims),
        pairwise=tuple(compare_pairs(one, rows) for one in plan.pairwise),
        by_game=tuple(measure_game_table(one, rows) for one in plan.by_game),
        ranks=tuple(average_ranks(plan.arms, rows)) if plan.ranked else (),
        cpu_s=sum(row.cpu_ms for row in rows) / 1000,
        stores=tuple(stores),
        tables=tuple(experiment.tables(plan, rows)),
    )
