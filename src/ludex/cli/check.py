"""`ludex check`: the conformance kit over one part, ours or a stranger's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.debugging import HINT, is_debugging
from ludex.cli.shared.options import Json, read_choice, read_world, shortened

if TYPE_CHECKING:
    from ludex.core.planner import Agent
    from ludex.core.world import World
    from ludex.testing import CheckResult

KINDS = ("world", "planner", "model")
FAILED = 1
PATIENCE_S = 600.0  # with an agent in a file, for all checks together
LONGEST_MESSAGE, LONGEST_TRACE = 1000, 16_000
MOST_NAMED = 3


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
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task(f"checking {shortened(name)}", total=None, unit="checks done")
        for world, result in runs:
            bar.update(task, advance=1)
            rows.append(row_of(world, result))
    failed = [row for row in rows if not row["passed"]]
    defaults = defaults_of(name) if kind == "world" and not failed else ()
    if json:
        shown = rows if is_debugging() else [{**row, "trace": ""} for row in rows]
        checks = [{key: row[key] for key in row if key != "trace" or row[key]} for row in shown]
        report = {"kind": kind, "name": name, "passed": not failed, "checks": checks}
        more: dict[str, Any] = {"still_default": defaults} if kind == "world" else {}
        more |= {"worlds": by_world(rows)} if kind == "planner" else {}
        screen.print_json(report | more)
    else:
        for line in lines(kind, rows):
            console.print(line, soft_wrap=True)
        show_trace(failed)
        colour = "red" if failed else "green"
        checked = {row["check"] for row in rows if not row["refused"]}
        passed = len(checked - {row["check"] for row in failed})
        total = len(checked)
        verdict = (f"{passed} of {total} checks passed", f"bold {colour}")
        console.print(screen.line("\n", verdict, f" for {kind} {name}"))
        if kind == "planner":
            for told in worlds_told(by_world(rows)):
                console.print(screen.line(told), soft_wrap=True)
        if defaults:
            console.print(screen.line(f"still default: {', '.join(defaults)}"))
    if failed:
        raise typer.Exit(FAILED)


def row_of(world: World, result: CheckResult) -> dict[str, Any]:
    return {
        "check": result.check,
        "world": str(world),
        "passed": result.passed,
        "refused": result.refused,
        "message": " ".join(result.message.split()),
        "seconds": round(result.seconds, 3),
        "trace": result.trace,
    }


def by_world(rows: list[dict[str, Any]]) -> list[dict[str, str]]:
    """For each world whether the planner played it, refused it, or failed there."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        one = found.setdefault(row["world"], {"world": row["world"], "result": "played"})
        if not row["passed"]:
            one["result"], one["reason"] = "failed", row["message"]
        elif row["refused"] and one["result"] == "played":
            one["result"], one["reason"] = "refused", row["refused"]
    return list(found.values())


def worlds_told(worlds: list[dict[str, str]]) -> Iterator[str]:
    """How many worlds were played, refused and failed in, and the reasons of refusals."""
    counts = {
        result: [one for one in worlds if one["result"] == result]
        for result in ("played", "refused", "failed")
    }
    played, refused, failed = (len(found) for found in counts.values())
    yield f"played {played} worlds, refused {refused}, failed in {failed or 'none'}"
    reasons: dict[str, list[str]] = {}
    for one in counts["refused"]:
        reasons.setdefault(one["reason"], []).append(one["world"])
    for reason, names in reasons.items():
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        yield f"refused {', '.join(names[:MOST_NAMED])}{more}: {reason}"


def show_trace(failed: list[dict[str, Any]]) -> None:
    """The first traceback of the part's own code, or how to see it."""
    from ludex.cli.shared import screen

    traces = [row["trace"] for row in failed if row["trace"]]
    if traces:
        shown = screen.line(traces[0]) if is_debugging() else screen.line((HINT, "dim"))
        screen.messages().print(shown, soft_wrap=True)


def world_runs(name: str) -> Iterator[tuple[World, CheckResult]]:
    from ludex.testing import WORLD_CHECKS, run_checks

    world = read_world(name)
    return ((world, result) for result in run_checks(WORLD_CHECKS, world))


def defaults_of(name: str) -> tuple[str, ...]:
    """What a world has not got of its own yet."""
    return read_world(name).still_default()


def planner_runs(name: str) -> Iterator[tuple[World, CheckResult]]:
    """Check a planner in small worlds that hold every trait, and play all others a little."""
    from ludex.agents.compose import make_agent
    from ludex.arena.match.streams import is_from_file

    made = make_agent(name)
    if is_from_file(made):  # in a process of its own, as in a match
        return told_runs(name, made)
    return kit_results(made)


def kit_results(agent: Any) -> Iterator[tuple[World, CheckResult]]:
    from ludex.core import registry
    from ludex.testing import run_planner_checks

    for text, checks in planner_kit():
        world = registry.world(text)
        for result in run_planner_checks(checks, agent, world):
            yield world, result


def planner_kit() -> list[tuple[str, list[Any]]]:
    """The worlds in which a planner is checked, and the checks in each."""
    from ludex.testing import EVERY_WORLD_CHECKS, PLANNER_CHECKS, PLANNER_WORLDS, every_world

    return [
        *((world, PLANNER_CHECKS) for world in PLANNER_WORLDS),
        *((world, EVERY_WORLD_CHECKS) for world in every_world() if world not in PLANNER_WORLDS),
    ]


def kit_row(agent: Any, place: int, number: int) -> list[Any]:
    """What one check found in one world, as plain data; this runs in the agent's own process."""
    from ludex.core import registry
    from ludex.testing import run_planner_checks

    text, checks = planner_kit()[place]
    world = registry.world(text)
    found = next(run_planner_checks(checks[number : number + 1], agent, world))
    texts = [found.trace[-LONGEST_TRACE:], found.refused[:LONGEST_MESSAGE]]
    return [found.passed, found.message[:LONGEST_MESSAGE], found.seconds, *texts]


def told_runs(name: str, agent: Agent) -> Iterator[tuple[World, CheckResult]]:
    """The results of the kit, as the process of an agent tells them."""
    from functools import partial

    from ludex.arena.match.seat import Failure
    from ludex.arena.processes.trial import Examination
    from ludex.core import registry
    from ludex.core.errors import LudexError
    from ludex.core.printable import bounded
    from ludex.testing import CheckResult

    began = time.monotonic()
    what = "loading it"
    try:
        with Examination(agent) as examination:
            for place, (text, checks) in enumerate(planner_kit()):
                world = registry.world(text)
                for number, check in enumerate(checks):
                    what = f"{words(check.__name__)} in {world}"
                    left = max(1.0, PATIENCE_S - (time.monotonic() - began))
                    asked = partial(kit_row, place=place, number=number)
                    passed, message, seconds, trace, refused = examination.ask(asked, left)
                    yield (
                        world,
                        CheckResult(
                            check.__name__,
                            passed is True,
                            bounded(message),
                            float(seconds),
                            bounded(trace, LONGEST_TRACE, lines=True),
                            bounded(refused),
                        ),
                    )
    except Failure as failure:
        raise LudexError(f"{name} cannot be checked: {what}: {failure.message}") from failure
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
    """One line per check; one that fails in several ways has a line for each of them."""
    from rich.text import Text

    merged: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        merged.setdefault(row["check"], []).append(row)
    for name, found in merged.items():
        failed = [row for row in found if not row["passed"]]
        seconds = sum(row["seconds"] for row in found)
        played = [row for row in found if not row["refused"]]
        where = f" in {len(played)} worlds" if len(found) > 1 else ""
        if not failed and played:
            timing = Text(f"{where} {seconds:.2f} s", style="dim")
            yield Text.assemble(("pass ", "green"), words(name), timing)
        for message in dict.fromkeys(row["message"] for row in failed):
            alike = [row["world"] for row in failed if row["message"] == message]
            several = f" in {len(alike)} worlds" if len(alike) > 1 else f" in {alike[0]}"
            where = several if kind != "world" else ""
            yield Text.assemble(("FAIL ", "bold red"), words(name), where, f": {message}")
