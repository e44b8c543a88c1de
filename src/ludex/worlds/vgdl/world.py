"""The world of VGDL games: ours by name, and any by the path of its description."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ludex.core.codec import FixedCodec
from ludex.core.contents import Contents, hash_of_data
from ludex.core.errors import BadParameter, InvalidState, UnknownName, did_you_mean
from ludex.core.names import write_named
from ludex.core.parameters import Between
from ludex.core.rng import Rng
from ludex.core.text_file import read_text
from ludex.core.world import ArraySpec, World
from ludex.worlds.vgdl._native import State
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.language.because import without_reasons
from ludex.worlds.vgdl.language.definition import BadGame, Game, GameProblem, Level
from ludex.worlds.vgdl.language.native_text import ALL_QUIRKS, build_level
from ludex.worlds.vgdl.language.reading import Mode, check_game, level_errors, read_game, read_level
from ludex.worlds.vgdl.language.space import read_space
from ludex.worlds.vgdl.model import VgdlModel
from ludex.worlds.vgdl.pictures.draw import draw_text
from ludex.worlds.vgdl.pictures.picture import Painter, picture_svg
from ludex.worlds.vgdl.scene import SPECTATOR
from ludex.worlds.vgdl.sensor import FORMS, OPTIONS, Sensor
from ludex.worlds.vgdl.view import VgdlView

GAMES = Path(__file__).with_name("games")
LEVEL_NAME = re.compile(r"(?P<game>.+)_lvl(?P<level>\d+)\.txt")
LONGEST_STATE = 10_000_000


def games() -> Iterator[tuple[str, str]]:
    """Our own games with their summaries, the first line of each description."""
    for folder in sorted(path for path in GAMES.iterdir() if (path / "game.txt").is_file()):
        first = (folder / "game.txt").read_text().partition("\n")[0]
        yield folder.name, first.lstrip("# ").partition(": ")[2]


@dataclass(frozen=True, kw_only=True)
class Vgdl(World[State]):
    """Video games described in VGDL, played as the Java GVGAI framework plays them."""

    name: ClassVar[str] = "vgdl"
    version: ClassVar[int] = 1
    players: ClassVar[tuple[int, int]] = (1, 16)
    forms: ClassVar[tuple[str, ...]] = FORMS
    files: ClassVar[tuple[str, ...]] = (".txt",)
    fractional_cells: ClassVar[bool] = True
    games: ClassVar[Any] = staticmethod(games)
    LIMITS: ClassVar[Mapping[str, Any]] = {"level": Between(0, 9999)}

    game: str = "aliens"
    """the name of one of our games, or the path of a description"""
    level: int = 0
    """which of its levels: level N of NAME.txt is NAME_lvlN.txt beside it"""
    level_file: str = ""
    """the path of a level that lies elsewhere; `level` then means nothing"""
    point: tuple[int, ...] = ()
    """which game of a game space: the place of each parameter in its range, as in `2-0-5`"""
    semantics: Literal["gvgai", "clean"] = "gvgai"
    """gvgai: with all quirks of the reference; clean: without them"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.is_path and self.game not in dict(games()):
            known = [name for name, _ in games()]
            hint = did_you_mean(self.game, known, most=5)
            raise UnknownName(
                f"no VGDL game named {self.game!r}, and no path to a .txt file{hint} "
                "(ludex list games)"
            )

    @classmethod
    def from_name(cls, name: str, texts: Mapping[str, str]) -> Self:
        """Make `vgdl/NAME[...]`, or the game at a path."""
        return cls.from_texts({"game": name, **texts})

    @property
    def is_path(self) -> bool:
        return self.game.endswith(self.files)

    @property
    def paths(self) -> tuple[Path, Path]:
        """The files of the game and of the level."""
        folder = GAMES / self.game
        game, level = folder / "game.txt", folder / f"level{self.level}.txt"
        if self.point and (folder / "space.txt").is_file():
            game = folder / "space.txt"
        if self.is_path:
            game = Path(self.game)
            level = game.with_name(f"{game.stem}_lvl{self.level}.txt")
        return game, Path(self.level_file) if self.level_file else level

    @property
    def sources(self) -> tuple[Path, ...]:
        return self.paths

    def _text(self, path: Path, what: str) -> str:
        """A source as it was read; letters of old games that are not in UTF-8 are replaced."""
        return read_text(path, what, BadGame, strict=False, held=self.as_read[path])

    @cached_property
    def contents(self) -> Contents:
        game, level = self.paths
        folder = "" if self.is_path else f"{self.game}/"
        beside = "" if self.level_file else folder
        rules = self.as_read[game].data
        return {
            f"game {folder}{game.name}": hash_of_data(rules and without_reasons(rules)),
            f"level {beside}{level.name}": hash_of_data(self.as_read[level].data),
        }

    def refuse_level(self) -> None:
        """Raise BadGame where the path is that of a level, and say which file is its game."""
        path = self.paths[0]
        found = LEVEL_NAME.fullmatch(path.name)
        if found is None or not self.is_path or self.paths[1].is_file():
            return
        game = path.with_name(f"{found['game']}.txt")
        where = f"name its game: {game} (level {found['level']})"
        if not game.is_file():
            where = f"its game would be {game}, and there is no such file"
        raise BadGame(f"{self.game} is a level; {where}")

    @cached_property
    def definition(self) -> Game:
        self.refuse_level()
        path = self.paths[0]
        text = self._text(path, "game")
        return load_game(text, path.name, mode_of(path), self.semantics, self.point)

    @cached_property
    def level_definition(self) -> Level:
        self.refuse_level()
        path = self.paths[1]
        missing = self.as_read[path].data is None and not path.is_file()
        if missing and (self.level_file or self.is_path):
            which = "such level" if self.level_file else f"level {self.level}"
            raise BadGame(f"{self.game} has no {which}: there is no file {str(path)!r}")
        if missing:
            last = len(list(path.parent.glob("level*.txt"))) - 1
            raise BadGame(f"{self.game} has no level {self.level}; its levels are 0 to {last}")
        return read_level(self._text(path, "level"), self.definition, path.name, mode_of(path))

    def mistakes(self) -> tuple[GameProblem, ...]:
        """What `ludex vgdl check` finds in a game file of the user's own and in this level.

        The engine plays such a game nevertheless, as the Java framework does.
        """
        game, level = self.paths
        found: list[GameProblem] = []
        if self.is_path:
            found += check_game(self._text(game, "game"), self.game).problems
        if self.is_path or self.level_file:
            found += level_errors(self.level_definition, self.definition, str(level))
        return tuple(found)

    @cached_property
    def model(self) -> VgdlModel:
        quirks = ALL_QUIRKS if self.semantics == "gvgai" else 0
        level = build_level(self.definition, self.level_definition, quirks)
        return VgdlModel(self.definition, level)

    def start(self, rng: Rng) -> State:
        return self.model.level.start()

    def parse(self, text: str) -> State:
        word = text.strip().rpartition(" ")[2]
        try:
            if len(text) > LONGEST_STATE:
                raise ValueError("it is too long")
            state = self.model.read(base64.b64decode(word, altchars=b"-_", validate=True))
        except (ValueError, binascii.Error) as error:
            shown = text if len(text) <= 60 else text[:57] + "..."
            raise InvalidState(f"cannot read {shown!r} as a state of {self}: {error}") from None
        if str(state) != " ".join(text.split()):
            raise InvalidState(f"the words before the code of {text[:60]!r} do not agree with it")
        return state

    def draw(self, state: State, form: Literal["text", "svg"] = "text") -> str:
        return self.draw_for(SPECTATOR, state, form)

    def draw_view(self, view: VgdlView, form: Literal["text", "svg"] = "text") -> str:
        return self.draw_for(view.seat, view._ticket, form)

    def draw_for(self, seat: int, state: State, form: Literal["text", "svg"]) -> str:
        return (draw_text if form == "text" else picture_svg)(self.model, state, seat)

    def pixels(self, state: State, cell: float = 24, foot: bool = True) -> NDArray[np.uint8]:
        return Painter(self.model, cell, foot).pixels(state)

    def ground_pixels(self, state: State, cell: float = 24) -> NDArray[np.uint8]:
        return Painter(self.model, cell, foot=False).pixels(state, ground_only=True)

    @cached_property
    def description(self) -> tuple[str, str]:
        """The name and the rules in words: the first comment of the game's file."""
        lines = [line.strip() for line in self._text(self.paths[0], "game").splitlines()]
        words = [line.lstrip("# ") for line in takewhile(lambda one: one.startswith("#"), lines)]
        title, colon, first = (words or [""])[0].partition(": ")
        if not colon:
            title, first = Path(self.game).stem, title
        return title, " ".join([first[:1].upper() + first[1:], *words[1:]]).strip()

    @cached_property
    def codec(self) -> FixedCodec:
        return FixedCodec(tuple(Action))

    def action_text(self, action: Any) -> str:
        return Action(action).name

    @property
    def observation_spec(self) -> ArraySpec:
        spec = self.grid_sensor.spec
        assert isinstance(spec, ArraySpec)
        return spec

    def observation(self, view: VgdlView) -> NDArray[np.generic]:
        """One plane per type that can be seen: 1 in every cell where there is such a sprite."""
        planes: NDArray[np.generic] = self.grid_sensor.observe(view)
        return planes

    @cached_property
    def grid_sensor(self) -> Sensor:
        return Sensor(self.model.scene)

    def sensor(self, form: str | None = None, **options: Any) -> Sensor:
        """Make a sensor of the form `grid`, `pixels` or `objects`; options are those of Sensor."""
        self.check_form(form)
        for name in options:
            if name not in OPTIONS:
                hint = did_you_mean(name, OPTIONS) or f"; there are {', '.join(OPTIONS)}"
                raise BadParameter(f"observations of VGDL games have no option {name!r}{hint}")
        return Sensor(self.model.scene, form or self.forms[0], **options)

    def __str__(self) -> str:
        changed = {key: text for key, text in self.changed().items() if key != "game"}
        head = self.game if self.is_path else f"{self.name}/{self.game}"
        return write_named(head, changed, "[]")


@lru_cache(maxsize=32)
def load_game(
    text: str, file: str, mode: Mode, semantics: str, point: tuple[int, ...] = ()
) -> Game:
    """Read a game once, however many worlds are made of it, until its author changes the text."""
    values = read_space(text, file, mode).point(point) if point else None
    return read_game(text, file, mode, values, clean=semantics == "clean")


def mode_of(path: Path) -> Mode:
    """Our own games are read strictly, those of others as the reference reads them."""
    return "strict" if path.is_relative_to(GAMES) else "compatible"
