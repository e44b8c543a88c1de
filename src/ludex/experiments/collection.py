"""Collections of games for experiments: a folder of VGDL files, or the games of Ludex."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from ludex.arena.study.study import Game
from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.core.world import World
from ludex.worlds.vgdl.world import Vgdl

GENERATORS = ("_ggame", "_glvl")  # stubs of the GVGAI generation tracks, not games
DENSITY_TICKS = 2_000
DENSE = 0.01
"""score changes per tick of random play from which rewards count as dense"""


class NoGames(LudexError):
    """A collection without a game to play."""


@dataclass(frozen=True)
class Collection:
    """Games by name, each with the text of its world."""

    name: str
    worlds: dict[str, str]

    @property
    def short_name(self) -> str:
        """The name without the folders it lies in, for pages that others read.

        >>> Collection("games/mine", {}).short_name
        'mine'
        """
        return Path(self.name).name

    @classmethod
    def of_folder(cls, folder: Path) -> Collection:
        """Find the games below a folder.

        Of several with one name, one for a single player whose rules are fixed comes first.
        """
        if not folder.is_dir():
            raise NoGames(f"there is no folder {str(folder)!r} to take games from")
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(folder.rglob("*.txt")):
            is_game = "_lvl" not in path.stem and not path.stem.endswith(GENERATORS)
            if is_game and path.with_name(f"{path.stem}_lvl0.txt").is_file():
                found[path.stem].append(str(path))
        if not found:
            raise NoGames(f"{str(folder)!r} has no games: files NAME.txt beside NAME_lvl0.txt")
        one_each = {
            name: paths[0] if len(paths) == 1 else min(paths, key=likeness)
            for name, paths in found.items()
        }
        return cls(str(folder), one_each)

    @classmethod
    def of_ludex(cls) -> Collection:
        """The VGDL games in the registry."""
        listed = registry.load("worlds", "vgdl").games()
        return cls("the games of Ludex", {name: f"vgdl/{name}" for name, _ in listed})

    def choose(self, wanted: Sequence[str], most: int) -> tuple[list[str], list[str]]:
        """The first games of a list that are here, and those that are missing.

        Raises:
            NoGames: None of them is here.
        """
        here = [name for name in wanted if name in self.worlds]
        missing = [name for name in wanted if name not in self.worlds]
        if not here:
            raise NoGames(
                f"none of the games of this experiment is in {self.name}: it needs "
                f"{', '.join(wanted[:5])} ...; --games DIR names a folder that has them"
            )
        return here[:most], missing

    def games_or_stand_ins(
        self, wanted: Mapping[str, Sequence[str]], most: int, levels: int
    ) -> tuple[tuple[Game, ...], list[str]]:
        """The first available games of a list, and notes about them.

        Args:
            wanted: Names of games; for one that is not here, the first that is of its stand-ins.
            most: How many games are taken.
            levels: How many levels of each.
        """
        taken = {
            name: next((one for one in (name, *others) if one in self.worlds), name)
            for name, others in wanted.items()
        }
        here, missing = self.choose(list(dict.fromkeys(taken.values())), most)
        notes = [f"{len(here)} games with {levels} of their 5 levels: {', '.join(here)}"]
        replaced = [f"{new} for {old}" for old, new in taken.items() if old != new and new in here]
        if replaced:
            notes.append(f"stand-ins for games that are not there: {', '.join(replaced)}")
        if missing and len(here) < most:
            notes.append(f"games that are not there: {', '.join(missing)}")
        return self.games(here, levels), notes

    def single(self) -> list[str]:
        """The games for one player, by name."""
        return [name for name in self.worlds if self.world(name).traits.seats == 1]

    def world(self, name: str) -> World:
        return registry.world(self.worlds[name])

    def games(self, names: Iterable[str], levels: int) -> tuple[Game, ...]:
        """These games with their first levels, as many as there are up to a number."""
        return tuple(
            Game(name, self.worlds[name], tuple(range(min(levels, self.levels_of(name)))))
            for name in names
        )

    def levels_of(self, name: str) -> int:
        """The number of levels of a game, consecutive from level 0."""
        return count_levels(self.world(name))

    def is_dense(self, name: str) -> bool:
        """Whether the score changes often in random play."""
        return reward_density(self.world(name)) >= DENSE


def count_levels(world: World) -> int:
    """The number of levels of a VGDL game, consecutive from level 0."""
    assert isinstance(world, Vgdl)
    return next(n for n in count() if not world.clone(level=n).paths[1].is_file())


def likeness(path: str) -> tuple[bool, bool]:
    """Sort key that puts single-player games with fixed rules first."""
    world = registry.world(path)
    is_space = isinstance(world, Vgdl) and bool(world.definition.space)
    return world.traits.seats > 1, is_space


def reward_density(world: World, ticks: int = DENSITY_TICKS) -> float:
    """Score changes per tick of random play, restarting when a game ends."""
    rng = Rng(0).fork("density", str(world))
    model = world.model
    state, changes = world.start(rng), 0
    score = model.score(state, 0)
    for _ in range(ticks):
        seats = model.to_act(state)
        if not seats:
            state = world.start(rng)
            score = model.score(state, 0)
            continue
        legal = [model.legal(state, seat) for seat in seats]
        model.advance(state, tuple(rng.choice(actions) for actions in legal), rng)
        changes += model.score(state, 0) != score
        score = model.score(state, 0)
    return changes / ticks
