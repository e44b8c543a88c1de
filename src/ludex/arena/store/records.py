"""Records of matches as a store keeps them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ludex.arena.match.runner import MatchResult
from ludex.arena.match.streams import MatchStreams
from ludex.arena.store.errors import BadStore
from ludex.core.bounded_file import TooLarge, unzipped
from ludex.core.record import LARGEST_FILE, Moment, Record, parse_record

SAME = "="  # stands in a packed record for a stream that follows from its seed and secret


def pack_record(record: Record) -> bytes:
    """Compress a record; streams that follow from its seed and secret are left out.

    They are most of a record of a long game with sampled chance, and cannot be compressed.
    """
    streams, step = MatchStreams(record.seed, record.secret), 0
    moments: list[Moment] = []
    for moment in record.moments:
        if moment.actions is not None:
            if moment.key is not None and moment.key == streams.of_game("step", step).text:
                moment = replace(moment, key=SAME)
            step += 1
        moments.append(moment)
    return zlib.compress(replace(record, moments=moments).text().encode(), 6)


def unpack_record(content: bytes, name: str) -> Record:
    try:
        text = unzipped(content, LARGEST_FILE).decode()
    except (zlib.error, UnicodeDecodeError, EOFError, TooLarge) as error:
        raise BadStore(f"the record {name} is damaged: {error}") from None
    record = parse_record(text, name)
    streams, step = MatchStreams(record.seed, record.secret), 0
    for index, moment in enumerate(record.moments):
        if moment.actions is not None:
            if moment.key == SAME:
                record.moments[index] = replace(moment, key=streams.of_game("step", step).text)
            step += 1
    return record


def rows_of(
    number: int, agents: Sequence[int], result: MatchResult, courses: Sequence[str]
) -> dict[str, list[tuple[Any, ...]]]:
    """What each seat got, what it cost, and the faults, as rows by table."""
    outcome = result.outcome
    rows: dict[str, list[tuple[Any, ...]]] = {"seats": [], "times": [], "faults": []}
    for seat, made in enumerate(result.decisions):
        counts = [len(made)]
        for name in ("model_calls", "iterations"):
            spent = [getattr(one, name) for one in made]
            counts += [sum(spent), max(spent, default=0)]
        times: list[float] = []
        for name in ("cpu_ms", "wall_ms"):
            taken = [getattr(one, name) for one in made]
            times += [sum(taken), max(taken, default=0.0)]
        won, tied = seat in outcome.winners, len(agents) > 1 and not outcome.winners
        gain, score = outcome.returns[seat], result.scores[seat]
        depth = sum(one.depth for one in made) / len(made) if made else 0.0
        rows["seats"].append(
            (number, seat, agents[seat], won, tied, gain, score, *counts, depth, courses[seat])
        )
        rows["times"].append((number, seat, *times))
    rows["faults"] = [
        (number, index, one.seat, one.kind, one.tick, one.message, one.trace)
        for index, one in enumerate(result.faults)
    ]
    return rows
