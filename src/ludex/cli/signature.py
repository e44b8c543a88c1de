"""`ludex signature`: one hash per part that changes when its behaviour does.

Fixed seeds, fixed budgets of calls and iterations, and texts alone go into a hash, so it is the
same on every machine and for every order of Python's sets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.options import Json

if TYPE_CHECKING:
    from ludex.core.planner import Planner
    from ludex.core.world import World

WALKS = 8
LONGEST_WALK = 400
STEPS_OF_A_PLANNER = 4
BUDGETS = ("150calls", "25iterations")
DIGITS = 6  # of values: the last bits of a logarithm differ between machines


def signature(
    names: Annotated[
        list[str] | None, typer.Argument(help="Worlds and planners; all if none.")
    ] = None,
    json: Json = False,
) -> None:
    """Print one hash per part that changes when behaviour does."""
    from rich.text import Text

    from ludex.cli import screen

    chosen = read_parts(names or [])
    rows: list[dict[str, Any]] = []
    with screen.progress(screen.messages(), quiet=json) as progress:
        task = progress.add_task("signatures", total=len(chosen))
        for kind, name in chosen:
            progress.update(task, description=name)
            rows.append({"kind": kind, "name": name} | signed(kind, name))
            progress.advance(task)
    total = hashed(f"{row['name']} {row['signature']}" for row in rows)
    if json:
        screen.print_json({"signatures": rows, "all": total})
        return
    shown = screen.table("signatures", "kind", "name", "signature", "of")
    for row in rows:
        style = "red" if row["signature"] == "broken" else "bold"
        shown.add_row(row["kind"], row["name"], Text(row["signature"], style=style), row["of"])
    shown.add_row("", "all", Text(total, style="bold green"), f"{len(rows)} parts")
    screen.answers().print(shown)


def read_parts(names: list[str]) -> list[tuple[str, str]]:
    from ludex.cli.options import read_choice
    from ludex.core import registry

    known = dict.fromkeys(registry.names("planners"), "planner")
    known |= dict.fromkeys(registry.names("worlds"), "world")
    for name in names:
        read_choice(name.partition("[")[0].partition("(")[0], known, "world or planner")
    if not names:
        parts = [(kind, name) for name, kind in known.items()]
        return sorted(parts, key=lambda part: (part[0] != "world", part[1]))
    return [(known[name.partition("[")[0].partition("(")[0]], name) for name in names]


def signed(kind: str, name: str) -> dict[str, str]:
    """The hash of one part, and what it was made of."""
    from ludex.core import registry
    from ludex.core.names import read_named

    try:
        if kind == "world":
            return signed_lines(walk_lines(registry.world(name)), "lines of walks")
        named = read_named(name, "()", "a planner")
        planner = registry.load("planners", named.name).from_texts(named.arguments)
        return signed_lines(planner_lines(planner), "lines of decisions")
    except Exception as error:
        if "[" in name or "(" in name:
            raise
        # One broken part must not hide the signatures of the others.
        return {"signature": "broken", "of": " ".join(str(error).split())}


def signed_lines(lines: Iterator[str], what: str) -> dict[str, str]:
    listed = list(lines)
    return {"signature": hashed(iter(listed)), "of": f"{len(listed)} {what}"}


def hashed(lines: Iterator[str]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for line in lines:
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def walk_lines(world: World) -> Iterator[str]:
    """Walk at random and write down everything a player or planner could notice."""
    from ludex.core.rng import Rng

    for walk in range(WALKS):
        rng = Rng(walk).fork("signature", world.name)
        state = world.start(rng)
        for _ in range(LONGEST_WALK):
            yield from state_lines(world, state)
            seats = world.model.to_act(state)
            if seats:
                actions = tuple(rng.choice(list(world.model.legal(state, seat))) for seat in seats)
                yield "play " + ", ".join(world.action_text(action) for action in actions)
                state = world.step(state, actions, rng)
            elif listed := world.model.chance(state):
                place = rng.weighted([probability for _, probability in listed])
                yield f"chance {world.outcome_text(listed[place][0])}"
                state = world.model.resolve(state, listed[place][0])
            else:
                break


def state_lines(world: World, state: Any) -> Iterator[str]:
    model = world.model
    yield f"state {state}"
    for seat in range(world.traits.seats):
        legal = " | ".join(world.action_text(action) for action in model.legal(state, seat))
        yield f"seat {seat} score {model.score(state, seat):.{DIGITS}g} legal {legal}"
        for event in model.events(state, seat):
            yield f"event {event.kind} {event.seat} {settled_text(event.detail)}"
    for outcome, probability in model.chance(state):
        yield f"outcome {world.outcome_text(outcome)} {probability:.{DIGITS}g}"
    if end := model.outcome(state):
        yield f"end {end.winners} {end.returns} {end.reason}"


def settled_text(value: Any) -> str:
    """Write a value so that the order of sets does not show."""
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(settled_text(one) for one in value)) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(settled_text(one) for one in value) + ")"
    return str(value)


def planner_lines(planner: Planner) -> Iterator[str]:
    """Let a planner choose in the first few states of the small worlds that suit it."""
    from ludex.core.budget import Budget
    from ludex.core.rng import Meter, Rng

    for world in worlds_for(planner):
        model = world.model.metered(Meter())
        for text in BUDGETS:
            rng = Rng(1).fork("signature", world.name, text)
            state = world.start(rng)
            for step in range(STEPS_OF_A_PLANNER):
                model.settle(state, rng)
                actions: list[Any] = []
                for seat in model.to_act(state):
                    stream = rng.fork("decide", step, seat)
                    view = model.view(state, seat)
                    decision = planner.decide(model, view, Budget.parse(text), stream)
                    yield from decision_lines(world, text, decision)
                    actions.append(decision.action)
                if not actions:
                    break
                state = world.step(state, tuple(actions), rng)


def decision_lines(world: World, budget: str, decision: Any) -> Iterator[str]:
    yield (
        f"{world} {budget} plays {world.action_text(decision.action)} after "
        f"{decision.iterations} iterations, {decision.model_calls} calls, depth {decision.depth}"
    )
    for evidence in (decision.visits, decision.values):
        texts = {world.action_text(action): number for action, number in (evidence or {}).items()}
        for text in sorted(texts):
            yield f"{text} {texts[text]:.{DIGITS}g}"


def worlds_for(planner: Planner) -> Iterator[World]:
    """The kit's worlds whose traits the planner accepts.

    Not all worlds there are: a new world must not change the signatures of planners.
    """
    from ludex.core import registry
    from ludex.testing import PLANNER_WORLDS

    for name in PLANNER_WORLDS:
        try:
            world = registry.world(name)
        except Exception:  # a broken world is named by its own signature
            continue
        if planner.refusal(world.traits) is None:
            yield world
