"""Games that no author would write: every class and effect at random, with absurd parameters.

`python tests/property/vgdl_wild_games.py FOLDER --count N` writes N of each kind in the engine's
own form, for the walk under sanitizers and as first inputs of the fuzzer.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

from ludex.worlds.vgdl.language.definition import BadGame
from ludex.worlds.vgdl.language.levels import parse_level
from ludex.worlds.vgdl.language.native_text import ALL_QUIRKS, write_game, write_level
from ludex.worlds.vgdl.language.ontology import (
    DIRECTIONS,
    EFFECTS,
    SPRITES,
    TERMINATIONS,
    TIMED,
    Parameter,
)
from ludex.worlds.vgdl.language.parser import parse_game

AVATARS = [name for name, one in SPRITES.items() if one.avatar]
OTHERS = [name for name, one in SPRITES.items() if not one.avatar]
ABSURD_INTS = ["-2147483647", "2147483647", "-1", "0", "99999999999999999999", "1000000000"]
ABSURD_REALS = ["NaN", "inf", "-inf", "1e308", "-1e9", "1e9", "1e-300", "0", "-1", "1e400", "-0.0"]
LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Text:
    """A game and a level as an author would hand them in."""

    game: str
    level: str


class Maker:
    """Draws games; `wild` is the share of parameters that make no sense."""

    def __init__(self, seed: int, wild: float = 0.0) -> None:
        self.draw = random.Random(seed)
        self.wild = wild
        self.names: list[str] = []

    def value(self, parameter: Parameter) -> str:
        absurd = self.draw.random() < self.wild
        kind = parameter.kind
        if kind == "int":
            return self.draw.choice(ABSURD_INTS) if absurd else str(self.draw.randint(0, 6))
        if kind == "real":
            if absurd:
                return self.draw.choice(ABSURD_REALS)
            return self.draw.choice(["0.1", "0.3", "0.5", "1", "1.0", "2", "0.75"])
        if kind == "bool":
            return self.draw.choice(["true", "false"])
        if kind == "direction":
            return self.draw.choice([*DIRECTIONS, "NIL"])
        if kind == "sprite":
            return "nobody" if absurd and self.draw.random() < 0.1 else self.draw.choice(self.names)
        if kind == "sprites":
            return ",".join(self.draw.choice(self.names) for _ in range(self.draw.randint(1, 3)))
        if kind == "numbers":
            return ",".join(
                self.draw.choice(ABSURD_INTS[:3]) if absurd else str(self.draw.randint(-2, 3))
                for _ in range(self.draw.randint(1, 3))
            )
        if kind == "flags":
            return ",".join(self.draw.choice(["True", "False"]) for _ in range(2))
        if kind == "effect":
            return self.draw.choice(list(EFFECTS))
        return "x"

    def some(self, parameters: dict[str, Parameter], most: int) -> str:
        """The required parameters and a few others."""
        named = [one for one in parameters.values() if one.kind != "looks"]
        chosen = [one for one in named if one.required]
        chosen += self.draw.sample(named, min(len(named), self.draw.randint(0, most)))
        return " ".join(f"{one.name}={self.value(one)}" for one in dict.fromkeys(chosen))

    def sprites(self) -> list[str]:
        lines = []
        for name in self.names:
            if name == "wall":
                continue
            class_name = self.draw.choice(AVATARS if name == "avatar" else OTHERS)
            words = self.some(dict(SPRITES[class_name].parameters), 4)
            lines.append(f"        {name} > {class_name} {words}")
            if self.draw.random() < 0.15 and name != "avatar":
                lines[-1] = f"        {name} > "
                for child in (f"{name}1", f"{name}2"):
                    other = self.draw.choice(OTHERS)
                    words = self.some(dict(SPRITES[other].parameters), 3)
                    lines.append(f"            {child} > {other} {words}")
        return lines

    def rules(self, count: int) -> list[str]:
        lines = []
        for _ in range(count):
            effect = EFFECTS[self.draw.choice(list(EFFECTS))]
            timed = self.draw.random() < 0.05
            table = {**effect.parameters, **(TIMED if timed or effect.name == "addTimer" else {})}
            words = self.some(table, 3)
            first = self.draw.choice(self.names)
            seconds = [self.draw.choice(self.names) for _ in range(self.draw.randint(1, 3))]
            if timed:
                seconds = ["TIME"]
            elif self.draw.random() < 0.2:
                seconds = ["EOS"]
            lines.append(f"        {first} {' '.join(seconds)} > {effect.name} {words}")
        return lines

    def endings(self) -> list[str]:
        lines = []
        for _ in range(self.draw.choice([0, 0, 0, 1, 2])):  # most go on for long
            ending = TERMINATIONS[self.draw.choice(list(TERMINATIONS))]
            lines.append(f"        {ending.name} {self.some(dict(ending.parameters), 3)}")
        return lines

    def level(self, width: int, height: int) -> str:
        letters = "A" + "w" * 3 + " " * 12 + LETTERS
        rows = ["".join(self.draw.choice(letters) for _ in range(width)) for _ in range(height)]
        return "\n".join(rows)

    def text(self) -> Text:
        self.names = ["wall", "avatar", *(f"s{letter}" for letter in LETTERS)]
        players = self.draw.choice([1, 1, 2, 3])
        head = f"BasicGame no_players={players} no_counters={self.draw.randint(0, 3)}"
        if self.draw.random() < 0.5:
            head += f" square_size={self.draw.choice([1, 2, 10, 30])}"
        if self.draw.random() < 0.4:
            head += " obs=wall,sa"
        lines = [head, "    SpriteSet", *self.sprites(), "    LevelMapping"]
        for letter in LETTERS:
            extra = self.draw.choice(["", f" s{self.draw.choice(LETTERS)}"])
            lines.append(f"        {letter} > s{letter}{extra}")
        lines += ["    InteractionSet", *self.rules(self.draw.randint(3, 25))]
        lines += ["    TerminationSet", *self.endings()]
        size = self.draw.randint(3, 12), self.draw.randint(2, 8)
        return Text("\n".join(lines), self.level(*size))


def well_formed(seed: int) -> Text:
    """A game of any classes and effects with sensible numbers."""
    return Maker(seed).text()


def hostile(seed: int) -> Text:
    """A game with absurd numbers, or one that tries to break a limit."""
    draw = random.Random(seed)
    if draw.random() < 0.85:
        return Maker(seed, wild=draw.choice([0.1, 0.4, 0.9])).text()
    return draw.choice(BREAKERS)(draw)


# Each of these tries to break one limit.


def exploding(draw: random.Random) -> Text:
    """Everything makes more of itself, in one cell."""
    game = """BasicGame
    SpriteSet
        seed > Passive
        nest > SpawnPoint stype=seed prob=1 cooldown=1
        spread > Spreader stype=spread
    LevelMapping
        n > nest seed
        s > spread
    InteractionSet
        seed seed > cloneSprite
        seed seed > {effect}
        seed nest > spawn stype=nest
    TerminationSet
        Timeout limit=1999 win=True
"""
    effects = [
        "killSprite",
        "undoAll",
        "stepBack",
        "bounceForward",
        "killBoth",
        "pullWithIt",
        "wallBounce",
        "transformTo stype=nest",
    ]
    return Text(game.replace("{effect}", draw.choice(effects)), "nA s\n s n")


def turning(draw: random.Random) -> Text:
    """Two types that turn into each other for ever."""
    game = """BasicGame
    SpriteSet
        one > Immovable
        two > Immovable
    LevelMapping
        o > one two
    InteractionSet
        one two > transformTo stype=two
        two one > transformTo stype=one
        one one > transformToAll stype=one stypeTo=two
        two two > transformToSingleton stype=two stype_other=one
        two TIME > transformToAll stype=two stypeTo=one timer=0 repeating=True
    TerminationSet
        SpriteCounter stype=avatar limit=-1 win=True
"""
    return Text(game, "\n".join("o" * draw.randint(1, 60) for _ in range(1)) + "A")


def ticking(draw: random.Random) -> Text:
    """Thousands of timers, some due before they were set."""
    lines = "\n".join(
        f"        avatar TIME > addTimer ftype=killAll stype=one timer={draw.randint(-5, 5)} "
        f"repeating={draw.choice(['True', 'False'])}"
        for _ in range(draw.choice([10, 3000]))
    )
    game = f"""BasicGame
    SpriteSet
        one > Passive
    LevelMapping
        o > one
    InteractionSet
{lines}
        avatar one > addTimer ftype=undoAll timer=-1 repeating=True
    TerminationSet
        Timeout limit=300 win=True
"""
    return Text(game, "Aooo")


def enormous(draw: random.Random) -> Text:
    """A level at the edge of what is allowed, or beyond it."""
    game = """BasicGame
    SpriteSet
        one > Immovable
        two > RandomNPC
    LevelMapping
        o > one one one
        t > two
    InteractionSet
        one one > killBoth
        two one > stepBack
        two two > undoAll
    TerminationSet
        Timeout limit=20 win=True
"""
    width, height = draw.choice([(500, 500), (1, 100_000), (2000, 125), (600, 600)])
    row = (draw.choice("to ") * width)[:width]
    return Text(game, "\n".join([row] * height)[:-1] + "A")


def piled(draw: random.Random) -> Text:
    """Many sprites in one cell from the start."""
    names = " ".join(["one"] * draw.choice([50, 380, 30_000]))
    kind = draw.choice(["Immovable", "Passive", "RandomNPC", "Chaser stype=one"])
    game = f"""BasicGame
    SpriteSet
        one > {kind}
    LevelMapping
        o > {names}
    InteractionSet
        one one > {draw.choice(["killSprite", "reverseDirection", "undoAll"])} repeat=300
        one EOS > cloneSprite
    TerminationSet
        Timeout limit=20 win=True
"""
    return Text(game, "oA")


BREAKERS = [exploding, turning, ticking, enormous, piled]


def native_text(text: Text, quirks: int = ALL_QUIRKS) -> str | None:
    """The game in the engine's own form; None where the parser refuses it."""
    try:
        game = parse_game(text.game, "generated")
        level = parse_level(text.level, game, "generated level")
    except BadGame:
        return None
    return f"{write_game(game, quirks)}\n---\n{write_level(game, level)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--largest", type=int, default=10**9, help="write no larger files")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for old in asked.folder.glob("*.level"):
        old.unlink()
    refused = 0
    written_files = []
    for seed in range(asked.first, asked.first + asked.count):
        for kind, make in (("good", well_formed), ("bad", hostile)):
            # Without the quirks of the reference fewer games end early.
            written = native_text(make(seed), ALL_QUIRKS if seed % 2 else 0)
            refused += written is None
            if written is not None and len(written) <= asked.largest:
                path = asked.folder / f"{kind}{seed}.level"
                path.write_text(written)
                written_files.append(str(path.resolve()))
    (asked.folder / "list.txt").write_text("\n".join(written_files) + "\n")
    print(f"{2 * asked.count} games, {refused} refused by the parser")


if __name__ == "__main__":
    main()
