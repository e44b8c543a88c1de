"""`ludex check`: the conformance kit over one part, ours or a stranger's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import Json, read_choice, read_world, shortened

if TYPE_CHECKING:
    from ludex.core.planner import Agent
    from ludex.core.world import World
    from ludex.testing import CheckResult

KINDS = ("world", "planner", "model")
FAILED = 1
PATIENCE_S = 600.0  # with an agent in a file, for all checks together
LONGEST_MESSAGE = 1000


def check(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="What it is.")],
    name: Annotated[str, typer.Argument(help="Its name, or file.py:Class for one of your own.")],
    json: Json = False,
) -> None:
    """Check that a world, planner or model keeps its contract."""
    from ludex.cli.shared import screen

    read_choice(kind, KINDS, "kind to check")
    runs = {"world": world_runs, "planner": planner_runs, "model": model_runs}[kind](name)
    rows: list[dict[str, Any]] = []
    console = screen.answers()
    with screen.messages().status(screen.line(f"checking {shortened(name)}")) as status:
        for world, result in runs:
            status.update(screen.line(f"{world} {words(result.check)}"))
            rows.append(
                {
                    "check": result.check,
                    "world": str(world),
                    "passed": result.passed,
                    "message": " ".join(result.message.split()),
                    "seconds": round(result.seconds, 3),
                }
            )
    failed = [row for row in rows if not row["passed"]]
    defaults = defaults_of(name) if kind == "world" and not failed else ()
    if json:
        report = {"kind": kind, "name": name, "passed": not failed, "checks": rows}
        screen.print_json(report | ({"still_default": defaults} if kind == "world" else {}))
    else:
        for line in lines(kind, rows):
            console.print(line, soft_wrap=True)
        colour = "red" if failed else "green"
        passed = len({row["check"] for row in rows} - {row["check"] for row in failed})
        total = len({row["check"] for row in rows})
        verdict = (f"{passed} of {total} checks passed", f"bold {colour}")
        console.print(screen.line("\n", verdict, f" for {kind} {name}"))
        if defaults:
            console.print(screen.line(f"still default: {', '.join(defaults)}"))
    if failed:
        raise typer.Exit(FAILED)


def world_runs(name: str) -> Iterator[tuple[World, CheckResult]]:
    from ludex.testing import WORLD_CHECKS, run_checks

    world = read_world(name)
    return ((world, result) for result in run_checks(WORLD_CHECKS, world))


def defaults_of(name: str) -> tuple[str, ...]:
    """What a world has not got of its own yet."""
    return read_world(name).still_default()


def planner_runs(name: str) -> Iterator[tuple[World, CheckResult]]:
    """Check a planner in small worlds that hold every trait it may meet."""
    from ludex.agents.compose import make_agent
    from ludex.arena.match.streams import is_from_file

    made = make_agent(name)
    if is_from_file(made):  # in a process of its own, as in a match
        return iter(told_runs(name, made))
    return ((world, result) for world in small_worlds() for result in kit_results(made, world))


def kit_results(agent: Any, world: World) -> list[CheckResult]:
    from ludex.testing import PLANNER_CHECKS, run_checks

    return list(run_checks(PLANNER_CHECKS, agent, world))


def kit_rows(agent: Any) -> list[Any]:
    """The results of the kit as plain data; this runs in the agent's own process."""
    return [
        [index, one.check, one.passed, one.message[:LONGEST_MESSAGE], one.seconds]
        for index, world in enumerate(small_worlds())
        for one in kit_results(agent, world)
    ]


def told_runs(name: str, agent: Agent) -> list[tuple[World, CheckResult]]:
    """The results of the kit, as the process of an agent tells them."""
    from ludex.arena.match.seat import Failure
    from ludex.arena.processes.trial import examined
    from ludex.core.errors import LudexError
    from ludex.core.printable import bounded
    from ludex.testing import CheckResult

    worlds = list(small_worlds())
    try:
        return [
            (
                worlds[place],
                CheckResult(str(check), passed is True, bounded(message), float(seconds)),
            )
            for place, check, passed, message, seconds in examined(agent, kit_rows, PATIENCE_S)
        ]
    except Failure as failure:
        raise LudexError(f"{name} cannot be checked: {failure.message}") from None
    except (TypeError, ValueError, LookupError):
        raise LudexError(f"{name} cannot be checked: its process answered nonsense") from None


def model_runs(name: str) -> Iterator[tuple[World, CheckResult]]:
    """Check the models that a part makes of small worlds, where it can make one."""
    from ludex.core import registry
    from ludex.core.names import read_named
    from ludex.core.user_file import is_file_name, load_class

    named = read_named(name, "()", "a model")
    part: Any = (
        load_class(named.name, "model")
        if is_file_name(named.name)
        else registry.load("models", named.name)
    )
    return model_checks(part.from_texts(named.arguments))


def model_checks(part: Any) -> Iterator[tuple[World, CheckResult]]:
    from ludex.core import registry
    from ludex.core.budget import DEFAULT_BUDGET
    from ludex.core.errors import LudexError
    from ludex.core.rng import Meter, Rng
    from ludex.testing import MODEL_CHECKS, THING_WORLDS, TILE_WORLDS, CheckResult, run_checks

    made_one = False
    for world in (*small_worlds(), *map(registry.world, TILE_WORLDS + THING_WORLDS)):
        rules = world.model.metered(Meter())
        rng = Rng(1).fork("check")
        state = world.start(rng)
        rules.settle(state, rng)
        view = rules.view(state, rules.to_act(state)[0])
        try:
            model = part.make(rules, view, DEFAULT_BUDGET, rng)
        except LudexError:  # it refuses this world, as it may
            continue
        made_one = True
        for result in run_checks(MODEL_CHECKS, world, model):
            yield world, result
    if not made_one:
        message = f"{part} can be made for none of the small worlds"
        yield next(small_worlds()), CheckResult("check_can_be_made", False, message, 0.0)


def small_worlds() -> Iterator[World]:
    from ludex.core import registry
    from ludex.testing import PLANNER_WORLDS

    return (registry.world(name) for name in PLANNER_WORLDS)


def words(name: str) -> str:
    """Name a check as a sentence would.

    >>> words("check_copy_is_independent")
    'copy is independent'
    """
    return name.removeprefix("check_").replace("_", " ")


def lines(kind: str, rows: list[dict[str, Any]]) -> Iterator[Any]:
    """One line per check; one that fails in several worlds has a line for each of them."""
    from rich.text import Text

    merged: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        merged.setdefault(row["check"], []).append(row)
    for name, found in merged.items():
        failed = [row for row in found if not row["passed"]]
        seconds = sum(row["seconds"] for row in found)
        where = f" in {len(found)} worlds" if len(found) > 1 else ""
        if not failed:
            timing = Text(f"{where} {seconds:.2f} s", style="dim")
            yield Text.assemble(("pass ", "green"), words(name), timing)
        for row in failed:
            where = f" in {row['world']}" if kind != "world" else ""
            yield Text.assemble(("FAIL ", "bold red"), words(name), where, f": {row['message']}")
