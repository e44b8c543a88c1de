"""Write games in the engine's own form, for programs that have no parser.

`python tests/native/vgdl_levels.py FOLDER [GAMES...]` writes every level of our own games, and of
the games below the other folders, with a list of all files in `list.txt`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ludex.core.errors import LudexError
from ludex.worlds.vgdl.language.native_text import write_game, write_level
from ludex.worlds.vgdl.tools.survey import descriptions, levels_of
from ludex.worlds.vgdl.world import GAMES, Vgdl


def worlds(folders: list[Path]) -> list[tuple[str, Vgdl]]:
    found = []
    for game in sorted(path.parent.name for path in GAMES.glob("*/game.txt")):
        for level in range(len(list((GAMES / game).glob("level*.txt")))):
            found.append((f"own-{game}-{level}", Vgdl(game=game, level=level)))
    for folder in folders:
        for path in descriptions(folder):
            for level in levels_of(path):
                name = f"{path.parent.name}-{path.stem}-{level}"
                found.append((name, Vgdl(game=str(path), level=level)))
    return found


def main(words: list[str]) -> int:
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, world in worlds([Path(word) for word in words[1:]]):
        try:
            text = write_game(world.definition)
            text += "\n---\n" + write_level(world.definition, world.level_definition) + "\n"
        except LudexError as error:
            print(f"{world}: {error}", file=sys.stderr)
            return 1
        path = folder / f"{name}.level"
        path.write_text(text)
        written.append(str(path.resolve()))
    (folder / "list.txt").write_text("\n".join(written) + "\n")
    print(f"{len(written)} levels in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
