"""Training samples of random games for Nora, generated natively and stored as Parquet files.

A folder of samples has a manifest, which says how its rows are made, and for every thousand games
one file for each group. Game i depends on the seed and on i alone, so that any shard can be made by
any worker at any time, and a folder that was left half done is gone on with.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.agents.hearthstone import _native
from ludex.agents.hearthstone.learning.threads import in_order
from ludex.core import registry
from ludex.core.errors import BadParameter, LudexError
from ludex.core.extra import require_extra
from ludex.core.whole_file import write_whole
from ludex.worlds.hearthstone import pools
from ludex.worlds.hearthstone.language.tables import Tables
from ludex.worlds.hearthstone.model import HearthstoneModel

STUDY_CARDS = "nora2015"  # the profile whose games the study learned from
GROUPS = ("play", "target", "attack")
SHARD = 1_000  # games
FORMAT = 2
MANIFEST = "manifest.json"

TABLE = ("minions", "taunts", "hand")
MINION = ("card", "ready", "health", "attack", "enchanted", "silenced", "taunt")
CHARACTER = ("card", "own", "health", "attack", "silenced")
BOARD = 7

Chunk: TypeAlias = dict[str, tuple[NDArray[np.int16], NDArray[np.float32], int, int]]
"""for each group: rows, rewards, and how many rows there were and how many without a reward"""


@dataclass(frozen=True)
class SampleSource:
    """The settings that determine the samples."""

    seed: int = 1
    released: bool = True
    """the trade term as the released program computed it, or as the text describes it"""
    one_hot: bool = False
    """one place for each targeted action, beside its number"""
    cards: str = STUDY_CARDS
    """the profile of cards: as the released program had them, or `classic`"""
    silence_counts_as_enchanted: bool = True
    """whether a silenced minion is told as enchanted, as the released program did"""


def sample_world(cards: str = STUDY_CARDS) -> str:
    """The world of the random games."""
    return f"hearthstone[decks=random/random,pool=nora,cards={cards}]"


def study_numbers(tables: Tables) -> list[int]:
    """The study's card number for each of ours; -1 for cards it does not have."""
    known = pools.nora_numbers(tables)
    return [-1, *(known.get(number, -1) for number in range(1, len(tables.cards) + 1))]


def numbers_of(text: str) -> list[int]:
    world: Any = registry.world(text)
    return study_numbers(world.tables)


def world_model(text: str) -> HearthstoneModel:
    model = registry.world(text).model
    assert isinstance(model, HearthstoneModel)
    return model


def sampler(source: SampleSource, chooser: _native.Nora | None = None) -> Callable[[int], Chunk]:
    """What plays a thousand games of a source, by their number."""
    world = sample_world(source.cards)
    model, numbers = world_model(world), numbers_of(world)

    def play(shard: int) -> Chunk:
        first, unlimited = shard * SHARD, SHARD**3
        made: Chunk = _native.samples(
            model,
            numbers,
            source.seed,
            first,
            SHARD,
            unlimited,
            source.released,
            source.one_hot,
            source.silence_counts_as_enchanted,
            chooser,
        )
        return made

    return play


def chunks(
    source: SampleSource, workers: int = 1, chooser: _native.Nora | None = None
) -> Iterator[Chunk]:
    """Samples of a thousand games after the other, without end.

    With a `chooser` targets are chosen by its forest, as in two-step training.
    """
    return in_order(sampler(source, chooser), count(), workers)


# Files


def columns(group: str, width: int) -> list[str]:
    """Names of the features of a group, as docs/worlds/hearthstone_nora.md explains them."""
    names = [f"{side}_{what}" for what in TABLE for side in ("own", "other")]
    names += ["own_mana", "own_crystals", "other_next_crystals", "own_health", "other_health"]
    names += [
        f"{side}{index}_{what}"
        for side in ("own", "other")
        for index in range(1, BOARD + 1)
        for what in MINION
    ]
    names += [f"hand_{key}" for key in [*pools.NORA_SPECIALS, *pools.NORA]]
    if group == "play":
        names.append("played")
    elif group == "target":
        names += ["action", *(f"target_{what}" for what in CHARACTER)]
        names += [f"action_{number}" for number in range(width - len(names))]
    else:
        names += [f"attacker_{what}" for what in CHARACTER if what != "own"]
        names += [f"target_{what}" for what in CHARACTER]
    assert len(names) == width
    return names


def file_of(folder: Path, group: str, shard: int) -> Path:
    return folder / f"{group}-{shard:06d}.parquet"


def check_source(folder: Path, source: SampleSource) -> None:
    """Make the manifest of a new folder; refuse one that holds other samples."""
    path = folder / MANIFEST
    wanted = {
        "format": FORMAT,
        **asdict(source),
        "games_in_a_file": SHARD,
        "cards": [*pools.NORA_SPECIALS, *pools.NORA],
    }
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(wanted, indent=2).encode())
    elif (found := read_manifest(folder)) != wanted:
        differing = [key for key in wanted if found.get(key) != wanted[key]]
        raise BadParameter(
            f"{str(folder)!r} holds samples made with another {differing[0]}; take another folder"
        )


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise BadParameter(
            f"{str(folder)!r} holds no samples; make some with 'ludex hearthstone samples DIR'"
        ) from None
    return manifest


def generate(folder: Path, source: SampleSource, games: int, workers: int = 1) -> Iterator[int]:
    """Make what is missing of so many games; yields the games that are there, as they come."""
    require_extra("pyarrow", "Parquet files", "tables")
    check_source(folder, source)
    play = sampler(source)

    def make(shard: int) -> None:
        made = play(shard)
        for group in GROUPS:
            write_shard(file_of(folder, group, shard), group, *made[group])

    wanted = range(-(-games // SHARD))
    missing = [shard for shard in wanted if not is_there(folder, shard)]
    done = len(wanted) - len(missing)
    yield done * SHARD
    for _ in in_order(make, missing, workers):
        done += 1
        yield done * SHARD


def is_there(folder: Path, shard: int) -> bool:
    return all(file_of(folder, group, shard).exists() for group in GROUPS)


def write_shard(
    path: Path,
    group: str,
    rows: NDArray[np.int16],
    rewards: NDArray[np.float32],
    seen: int,
    zeros: int,
) -> None:
    import pyarrow
    from pyarrow import parquet

    names = columns(group, rows.shape[1])
    table = pyarrow.table(
        [*(np.ascontiguousarray(column) for column in rows.T), rewards], names=[*names, "reward"]
    ).replace_schema_metadata({"seen": str(seen), "zeros": str(zeros)})
    sink = io.BytesIO()
    parquet.write_table(table, sink, compression="zstd")
    write_whole(path, sink.getvalue())


def stored(folder: Path) -> Iterator[Chunk]:
    """The samples of a folder, a thousand games at a time, up to the first that are missing."""
    require_extra("pyarrow", "Parquet files", "tables")
    read_manifest(folder)
    for shard in count():
        if not is_there(folder, shard):
            return
        yield {group: read_shard(file_of(folder, group, shard)) for group in GROUPS}


def read_shard(path: Path) -> tuple[NDArray[np.int16], NDArray[np.float32], int, int]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
        facts = {key.decode(): int(value) for key, value in table.schema.metadata.items()}
        rows = np.column_stack([column.to_numpy() for column in table.columns[:-1]])
        rewards = table.column("reward").to_numpy()
        return np.ascontiguousarray(rows, np.int16), rewards, facts["seen"], facts["zeros"]
    except (OSError, KeyError, ValueError, AttributeError, pyarrow.ArrowException) as error:
        raise LudexError(f"cannot read the samples in {str(path)!r}: {error}") from None
