"""Records of matches as a store keeps them."""

from __future__ import annotations

import zlib
from dataclasses import replace

from ludex.arena.store_errors import BadStore
from ludex.arena.streams import MatchStreams
from ludex.core.record import Moment, Record, parse_record

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
        text = zlib.decompress(content).decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise BadStore(f"the record {name} is damaged: {error}") from None
    record = parse_record(text, name)
    streams, step = MatchStreams(record.seed, record.secret), 0
    for place, moment in enumerate(record.moments):
        if moment.actions is not None:
            if moment.key == SAME:
                record.moments[place] = replace(moment, key=streams.of_game("step", step).text)
            step += 1
    return record
