"""The JSON document of `ludex play`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ludex.cli.play.order import Order, PlayedMatches
from ludex.cli.shared.debugging import is_debugging

if TYPE_CHECKING:
    from ludex.arena.match.rules import Fault
    from ludex.arena.match.runner import MatchResult


def document(order: Order, done: PlayedMatches) -> dict[str, Any]:
    from ludex.arena.statistics.intervals import tally

    tallies = tally(done.results)
    secret = secret_of(order, done)
    return {
        "world": str(order.world),
        "agents": [str(agent) for agent in order.agents],
        "budget": str(order.setup.budget),
        **({} if secret is None else {"secret": secret}),
        "repeatable": all(result.repeatable for result in done.results),
        "interrupted": done.interrupted or done.stopped,
        "games": [game_document(result) for result in done.results],
        "wins": [one.wins for one in tallies] or [0] * len(order.agents),
        "intervals": [list(one.win_interval) for one in tallies],
    }


def secret_of(order: Order, done: PlayedMatches) -> str | None:
    """What `--secret` repeats these games with, where one was drawn."""
    if order.games > 1 or not done.results:
        return order.setup.secret
    return done.results[0].record.secret


def game_document(result: MatchResult) -> dict[str, Any]:
    return {
        "seed": result.seed,
        **({} if result.record.secret is None else {"secret": result.record.secret}),
        "winners": list(result.winners),
        "returns": list(result.returns),
        "score": list(result.scores),
        "ticks": result.ticks,
        "reason": result.outcome.reason,
        "truncated": result.outcome.truncated,
        "entrants": list(result.entrants),
        "faults": [fault_document(fault) for fault in result.faults],
    }


def fault_document(fault: Fault) -> dict[str, Any]:
    return {
        "seat": fault.seat,
        "kind": fault.kind,
        "tick": fault.tick,
        "message": fault.message,
        "where": None if fault.where is None else asdict(fault.where),
        **({"trace": fault.trace} if is_debugging() else {}),
    }
