"""`ludex profile`: where agents spend the time of their decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import DecisionBudget, Json, Level, Seed, read_world, whole

if TYPE_CHECKING:
    from ludex.core.world import World


def profile(
    world: Annotated[str, typer.Argument(help="A world, as in vgdl/zelda.")],
    agents: Annotated[str, typer.Option(help="By commas; each plays alone, on all seats.")],
    level: Level = None,
    budget: DecisionBudget = "40ms",
    ticks: Annotated[
        int, typer.Option(parser=whole("--ticks", 1, 10_000), metavar="N", help="Decisions.")
    ] = 50,
    seed: Seed = "0",
    json: Json = False,
) -> None:
    """Show where agents spend the time of their decisions."""
    from ludex.agents.compose import make_agent
    from ludex.bench.profile import profile_agent
    from ludex.cli.shared import screen
    from ludex.core.budget import Budget
    from ludex.core.names import split_outside
    from ludex.core.rng import read_seed

    chosen = read_world(world, level)
    made = [make_agent(text) for text in split_outside(agents, ",")]
    limit, first = Budget.parse(budget), read_seed(seed)
    rows: list[dict[str, Any]] = []
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task(str(chosen), total=len(made))
        for agent in made:
            rows.append(profile_agent(chosen, agent, budget=limit, ticks=ticks, seed=first))
            bar.advance(task)
    if json:
        screen.print_json({"world": str(chosen), "budget": str(limit), "profiles": rows})
    else:
        show(chosen, str(limit), rows)


def show(world: World, budget: str, rows: list[dict[str, Any]]) -> None:
    from ludex.bench.profile import PARTS
    from ludex.cli.shared import screen

    parts = [part for part in PARTS if any(row["shares"][part] for row in rows)]
    numbers = ("ms", "iterations", "calls", *parts)
    table = screen.table(f"{world}: a decision of {budget}", "agent", *numbers, right=numbers)
    for row in rows:
        table.add_row(
            row["agent"],
            f"{row['cpu_ms']:.1f}",
            f"{row['iterations']:,.0f}",
            f"{row['model_calls']:,.0f}",
            *(screen.percent(row["shares"][part]) for part in parts),
        )
    console = screen.answers()
    console.print(table)
    for row in rows:
        if row["search"]:
            ran = f"{row['search']} search"
            console.print(screen.line((f"{row['agent']}: ", "bold"), ran), soft_wrap=True)
    for part in parts:
        console.print(screen.line((f"{part}: ", "bold"), PARTS[part]), soft_wrap=True)
