"""What the show leaves behind: pictures of Catan and Hearthstone, and the record of the film."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludex.arena.match.watcher import Step, Watcher

if TYPE_CHECKING:
    from ludex.core.record import Record
    from ludex.core.world import World

RECORD = "zelda.jsonl.gz"
SEED = 3
PICTURED = {  # agents, and the tick that is drawn: when there is much to see
    "catan": (("catan/stac",) * 4, 10_000),
    "hearthstone": (("hearthstone/scripted", "hearthstone/greedy"), 60),
}


class Moment(Watcher):
    """Keeps the state after a number of ticks, or the last one before the game was over."""

    def __init__(self, tick: int) -> None:
        self.left = tick
        self.state: Any = None

    def after_step(self, step: Step) -> None:
        if self.left > 0:
            self.left -= 1
            self.state = step.before


def write_pictures(folder: Path, record: Record) -> list[Path]:
    """Write a picture of each world that is pictured, and the record; existing ones are replaced.

    Raises:
        OSError: When the folder cannot be written.
    """
    from ludex.core import registry

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name in PICTURED:
        if name in registry.names("worlds"):
            world = registry.world(name)
            file = folder / f"{name}.svg"
            file.write_text(world.draw(state_of(world), "svg") + "\n", encoding="utf-8")
            files.append(file)
    record.write(folder / RECORD)
    return [*files, folder / RECORD]


def state_of(world: World) -> Any:
    """A state of the world in the middle of a game between its experts."""
    from ludex.arena.match.runner import play_match

    agents, tick = PICTURED[world.name]
    moment = Moment(tick)
    play_match(world, list(agents), seed=SEED, budget="100calls", watchers=[moment])
    return moment.state
