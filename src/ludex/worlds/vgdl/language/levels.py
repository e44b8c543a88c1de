"""Parses the text of a level into the sprites it creates."""

from __future__ import annotations

from ludex.worlds.vgdl.language.definition import BadGame, Game, GameProblem, Level
from ludex.worlds.vgdl.language.tree import split_lines

MAX_AREA = 250_000  # cells; the largest level of the public collection has about 1,500
MAX_TEXT = 1_000_000
MAX_SPRITES = 1_000_000  # before the game refuses those beyond its own limit
MAX_PROBLEMS = 200


def parse_level(text: str, game: Game, file: str = "") -> Level:
    """Read a level: one character is one cell, each mapped to sprites in order."""
    if len(text) > MAX_TEXT:
        raise BadGame(
            f"{file or 'the level'} has {len(text)} characters; a level has at most {MAX_TEXT}"
        )
    rows = split_lines(text)
    if not rows or not rows[0]:
        raise BadGame(f"{file or 'the level'} is empty; its first line gives its width")
    width, height = len(rows[0]), len(rows)
    if width * height > MAX_AREA:
        raise BadGame(
            f"{file or 'the level'} has {width} x {height} cells; at most {MAX_AREA} are allowed"
        )
    numbers = {sprite.name: number for number, sprite in enumerate(game.types)}
    sprites: list[tuple[int, int, int]] = []
    problems: list[GameProblem] = []
    messages = 0
    for y, row in enumerate(rows):
        if len(row) != width:
            problems.append(
                GameProblem(
                    y + 1, 1, row, f"this row has {len(row)} cells, not {width}", "", file=file
                )
            )
        for x, character in enumerate(row.ljust(width)[:width]):
            names = game.mapping.get(character)
            if names is None:
                if character != " ":
                    messages += 1
                    reason = f"{character!r} is not mapped; nothing is created"
                    problems.append(GameProblem(y + 1, x + 1, character, reason, file=file))
                continue
            for name in names:
                if name not in numbers:
                    raise BadGame(
                        f"{file or 'level'}:{y + 1}:{x + 1}: {character!r} is mapped to {name!r}, "
                        "which is not a sprite of the game"
                    )
                sprites.append((numbers[name], x, y))
        if len(sprites) > MAX_SPRITES:
            raise BadGame(f"{file or 'the level'} creates more than {MAX_SPRITES} sprites")
    del problems[MAX_PROBLEMS:]
    return Level(width, height, tuple(sprites), messages, tuple(problems))
