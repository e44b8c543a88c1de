"""How fast playouts of catan are, by policy, and beside another program where it is installed."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludex.core.rng import Rng
from ludex.worlds.catan.model import TRADES, UNLIMITED, CatanModel

if TYPE_CHECKING:
    from ludex.worlds.catan.world import Catan

SLICES = 3
MEASURED = (
    ("type_first", "none"),
    ("type_first", "sampled"),
    ("human", "sampled"),
    ("uniform", "none"),
    ("uniform", "sampled"),
)
"""policy and player trades; sampled: carried out unasked, as search models do"""
PROFILED = 200  # games whose length is counted; of long ones a quarter


def own_rates(world: Catan, seconds: float) -> Iterator[dict[str, Any]]:
    """Whole games per CPU-second and their lengths, typed and untyped, with and without trades."""
    share = seconds / (len(MEASURED) + 1)
    measured: dict[tuple[str, str], tuple[float, float]] = {}
    for policy, trades in MEASURED:
        model = variant(world, trades)
        rates = [model.bench_games(policy, share / SLICES) for _ in range(SLICES)]
        games = PROFILED // 4 if (policy, trades) == ("uniform", "sampled") else PROFILED
        found = model.profile(policy, games, False, Rng(1))
        rate, length = statistics.median(rates), found["steps"] / found["games"]
        measured[policy, trades] = rate, length
        yield {
            "metric": "random_games",
            "policy": policy,
            "trades": trades,
            "per_cpu_s": float(f"{rate:.4g}"),
            "decisions": round(length),
        }
    yield typed_by_untyped(measured["type_first", "sampled"], measured["uniform", "sampled"])
    yield from peer_rates(share)


def typed_by_untyped(typed: tuple[float, float], untyped: tuple[float, float]) -> dict[str, Any]:
    """How much faster and shorter games are when the type of an action is drawn first."""
    faster, shorter = typed[0] / untyped[0], untyped[1] / typed[1]
    return {
        "metric": "typed_by_untyped",
        "times_as_fast": float(f"{faster:.3g}"),
        "times_as_short": float(f"{shorter:.3g}"),
        "note": f"with sampled trades, games by type first are {faster:.0f} times as fast and "
        f"{shorter:.1f} times as short as games of any action",
    }


def variant(world: Catan, trades: str) -> CatanModel:
    if trades == "none":
        return world.model.without_trades()
    return world.model.varied(trades=TRADES.index("all"), offers=UNLIMITED).with_exchanges()


def peer_rates(seconds: float) -> Iterator[dict[str, Any]]:
    """Random games of catanatron, in the same run."""
    try:
        peer: Any = importlib.import_module("catanatron")
    except ImportError:
        yield {"note": "catanatron is not installed, so it was not measured beside"}
        return
    games, begin = 0, time.thread_time()
    while (spent := time.thread_time() - begin) < seconds or not games:
        colours = list(peer.Color)[:4]
        peer.Game([peer.RandomPlayer(colour) for colour in colours], seed=games).play()
        games += 1
    yield {
        "metric": "random_games",
        "policy": "uniform",
        "trades": "none",
        "engine": "catanatron",
        "per_cpu_s": float(f"{games / spent:.4g}"),
    }
