"""Reading games and levels: strictly, for authors, or as the reference reads them.

*Strict* refuses every mistake, all of them in one error. *Compatible* loads what the reference
loads, the way it loads it, and reports each leniency as a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ludex.core import text_file
from ludex.core.errors import BadParameter, did_you_mean
from ludex.worlds.vgdl.language.checker import check_text
from ludex.worlds.vgdl.language.definition import BadGame, Game, GameProblem, Level
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.ontology import SPRITES
from ludex.worlds.vgdl.language.parser import MAX_LINES, MAX_TEXT, parse_game
from ludex.worlds.vgdl.language.tree import split_lines
from ludex.worlds.vgdl.language.usage import unused_sprites

Mode: TypeAlias = Literal["strict", "compatible"]
MODES: tuple[Mode, ...] = ("strict", "compatible")
MAX_LEVELS = 1_000


class Mistakes(BadGame):
    """All mistakes of a file; one makes one sentence."""

    def __init__(self, problems: Sequence[GameProblem]) -> None:
        self.problems = tuple(problems)
        if len(problems) == 1:
            super().__init__(str(problems[0]))
            return
        listed = "".join(f"\n  {problem}" for problem in problems)
        super().__init__(f"{problems[0].file or 'the game'} has {len(problems)} mistakes:{listed}")

    def __reduce__(self) -> tuple[type[Mistakes], tuple[tuple[GameProblem, ...]]]:
        return type(self), (self.problems,)


def errors_of(problems: Iterable[GameProblem]) -> list[GameProblem]:
    return [problem for problem in problems if problem.severity == "error"]


def read_game(
    text: str,
    file: str = "",
    mode: Mode = "strict",
    point: Mapping[str, Any] | None = None,
    *,
    clean: bool = False,
) -> Game:
    r"""Read a game description; `problems` of the game holds the warnings.

    Args:
        text: the description
        file: its name, for messages
        mode: whether mistakes are errors or warnings
        point: values for the parameters of a game space, by name
        clean: whether to read without the quirks of the reference

    Raises:
        Mistakes: strict mode found errors; the message lists all of them
        BadGame: the text is no game at all, or larger than a game can be

    >>> read_game("BasicGame\n  SpriteSet\n    rock > Passyve", "cave.txt")
    Traceback (most recent call last):
    ludex.worlds.vgdl.language.reading.Mistakes: cave.txt has 2 mistakes:
      cave.txt:1:1: the game has no InteractionSet and no LevelMapping and no TerminationSet
      cave.txt:3:12: no sprite class 'Passyve'; did you mean 'Passive'?
    """
    check_size(text, file)
    found = list(check_text(text, file))
    if mode == "strict" and errors_of(found):
        raise Mistakes(errors_of(found))
    game = parse_game(text, file, point, clean=clean)
    if point:
        check_point(game, point)
    if mode == "strict" and game.problems:  # the checker knows less than the parser
        raise Mistakes([replace(problem, severity="error") for problem in game.problems])
    if not errors_of(found):
        found += unused_sprites(game, text, file)
    return replace(game, problems=tuple(merge(game.problems, found)))


def check_size(text: str, file: str) -> None:
    """Refuse a text that is too long, before it is parsed."""
    sizes = {"characters": (len(text), MAX_TEXT), "lines": (text.count("\n"), MAX_LINES)}
    for what, (found, most) in sizes.items():
        if found > most:
            raise BadGame(f"{file or 'the game'} has {found} {what}; a game has at most {most}")


def merge(
    reference: Iterable[GameProblem], checked: Iterable[GameProblem]
) -> Iterator[GameProblem]:
    """Put the parser's notes, which say what the reference does, before those of the checker."""
    noted = {(problem.line, problem.reason): problem for problem in reference}
    places = {(problem.line, problem.column) for problem in reference}
    words = {(problem.line, problem.word.partition("=")[0]) for problem in reference}
    both = list(noted.values())
    for problem in checked:
        known = (problem.line, problem.column) in places or (problem.line, problem.word) in words
        if not known:
            both.append(replace(problem, severity="warning"))
    yield from sorted(both, key=lambda problem: (problem.line, problem.column))


def check_point(game: Game, point: Mapping[str, Any]) -> None:
    """Refuse values outside of a game space."""
    space = {one.name: one for one in game.space}
    for name, value in point.items():
        if name not in space:
            hint = did_you_mean(name, space) or f"; it has {', '.join(space) or 'none'}"
            raise BadParameter(f"the game space has no parameter {name!r}{hint}")
        choices = space[name].choices
        kinds = {type(choice) for choice in choices}
        whole = type(value) is int and float in kinds
        if value not in choices or not (type(value) in kinds or whole):
            raise BadParameter(
                f"{name} is one of {len(choices)} values from {choices[0]} to {choices[-1]}, "
                f"got {value!r}"
            )


def read_level(text: str, game: Game, file: str = "", mode: Mode = "strict") -> Level:
    """Read a level of a game; strict mode refuses what the reference ignores."""
    level = parse_level(text, game, file)
    if mode == "strict" and (found := level_errors(level, game, file)):
        raise Mistakes(found)
    return level


def level_errors(level: Level, game: Game, file: str = "") -> list[GameProblem]:
    """What strict mode refuses in a level."""
    found = [replace(problem, severity="error", file=file) for problem in level.problems]
    avatars = [
        (row, column)
        for number, column, row in level.sprites
        if (SPRITES[name].avatar if (name := game.types[number].class_name) in SPRITES else False)
    ]
    if len(avatars) != game.players:
        row, column = avatars[-1] if avatars else (0, 0)
        reason = f"the level has {len(avatars)} avatars, and the game {game.players} players"
        found.append(GameProblem(row + 1, column + 1, "", reason, "", "error", file))
    return sorted(found, key=lambda problem: (problem.line, problem.column))


@dataclass(frozen=True, slots=True)
class GameReport:
    """The problems in the files of a game."""

    file: str
    mode: Mode
    problems: tuple[GameProblem, ...]
    levels: int = 0

    @property
    def errors(self) -> tuple[GameProblem, ...]:
        return tuple(errors_of(self.problems))

    @property
    def warnings(self) -> tuple[GameProblem, ...]:
        return tuple(one for one in self.problems if one.severity == "warning")

    @property
    def passed(self) -> bool:
        return not self.errors


def check_game(
    text: str, file: str = "", mode: Mode = "strict", levels: Mapping[str, str] | None = None
) -> GameReport:
    """Check a description and its levels (texts by name), and report all that is found."""
    problems: list[GameProblem] = []
    game: Game | None = None
    try:
        game = read_game(text, file, mode)
        problems += game.problems
    except Mistakes as error:
        problems += error.problems
        problems += [one for one in check_text(text, file) if one.severity == "warning"]
    except BadGame as error:
        problems.append(GameProblem(1, 1, "", bare(error, file), "", "error", file))
    levels = levels or {}
    for name, level_text in levels.items() if game is not None else ():
        assert game is not None
        try:
            problems += read_level(level_text, game, name, mode).problems
        except Mistakes as error:
            problems += error.problems
        except BadGame as error:
            problems.append(GameProblem(1, 1, "", bare(error, name), "", "error", name))
    if game is not None and levels:
        problems += unused_characters(game, text, levels.values(), file)
    return GameReport(file, mode, tuple(problems), len(levels))


def bare(error: BadGame, file: str) -> str:
    """The message without file and line, which a problem has anyway."""
    message = str(error)
    return message.removeprefix(f"{file}:1: ") if file else message


def unused_characters(
    game: Game, text: str, levels: Iterable[str], file: str
) -> Iterator[GameProblem]:
    """Warn of mapped characters that no level uses."""
    seen = set("".join(levels))
    lines = split_lines(text)
    inside = False
    for number, line in enumerate(lines, start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if words[0].endswith(("Set", "Mapping")) and len(words) == 1:
            inside = words[0] == "LevelMapping"
        elif inside and words[0][0] in game.mapping and words[0][0] not in seen:
            column = len(line) - len(line.lstrip()) + 1
            reason = f"{words[0][0]!r} stands in no level"
            yield GameProblem(number, column, words[0], reason, "", "warning", file)


def read_text(path: Path) -> str:
    """The text of a file; a clear error when it is none, or too long to be a game."""
    return text_file.read_text(path, "game", BadGame)


def level_files(path: Path) -> list[Path]:
    """The levels of a game: `NAME_lvlN.txt` or `levelN.txt` beside it, by number."""
    patterns = ("level{}.txt",) if path.stem == "game" else (f"{path.stem}_lvl{{}}.txt",)
    found: list[Path] = []
    for number in range(MAX_LEVELS):
        names = [path.with_name(pattern.format(number)) for pattern in patterns]
        here = [name for name in names if name.is_file()]
        if not here:
            break
        found += here
    return found


def check_file(path: Path, mode: Mode = "strict") -> GameReport:
    """Check a game file with the levels beside it."""
    text = read_text(path)
    problems: list[GameProblem] = []
    levels: dict[str, str] = {}
    for level in level_files(path):
        try:
            levels[str(level)] = read_text(level)
        except BadGame as error:
            problems.append(GameProblem(1, 1, "", str(error), "", "error", str(level)))
    report = check_game(text, str(path), mode, levels)
    return replace(report, problems=(*report.problems, *problems))
