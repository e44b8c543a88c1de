"""Any moment of a record as a state, to draw it or to play on from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludex.arena.match.replay import Replay, telling_changes, world_of
from ludex.arena.match.setup import as_world
from ludex.arena.match.watcher import Audience
from ludex.core.errors import BadParameter
from ludex.core.record import Record
from ludex.core.world import World


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a recorded match."""

    world: World
    state: Any
    step: int
    """how many steps led to it"""


def position(record: Record, step: int = -1, world: World | str | None = None) -> Position:
    """The state of a record after so many steps, with all chance that followed them.

    A step is what the record counts: a tick of a video game, elsewhere a decision (of all seats
    that act at once).

    Args:
        record: What was played.
        step: 0 is the first state; -1 the last one, -2 the one before.
        world: As in `replay`, for records of worlds in Python files.

    Raises:
        BadParameter: When the record is shorter than that.
        ReplayDiffers: When the world no longer does what the record says up to there.
    """
    wanted = step if step >= 0 else record.steps + 1 + step
    if not 0 <= wanted <= record.steps:
        raise BadParameter(
            f"the record has {record.steps} steps: name one from 0 to {record.steps}, or from -1 "
            f"(its end) to {-record.steps - 1}, got {step}"
        )
    here = world_of(record, as_world(world) if world is not None else None)
    with telling_changes(record, here):
        played = Replay(record, here, Audience(()))
        played.play(wanted)
    return Position(here, played.game.state, wanted)
