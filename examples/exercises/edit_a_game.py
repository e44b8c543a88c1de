"""2.5.2: variants of a game and of its levels, checked, and measured by two bots."""

import tempfile
from pathlib import Path

from trials import arguments, play, summary

from ludex.worlds.vgdl.language import check_file

HERE = Path(__file__).parent
RULES = (HERE / "picnic.txt").read_text()
LEVEL = (HERE / "picnic_lvl0.txt").read_text()
BOTS = ["sampleRandom", "sampleMCTS"]

HEDGES = """
hhhhhhhhhhhhhhh
hc.h...c...h.ch
h..h..hhh..h..h
h.............h
h..v...A...v..h
h.............h
h..h..hhh..h..h
hc.h...c...h.ch
hhhhhhhhhhhhhhh
"""


def edited(text, **changes):
    """A text in which the line of each name has been replaced, and a new line added after it."""
    for name, line in changes.items():
        found = [one for one in text.splitlines() if one.split()[:1] == [name]]
        if not found:
            raise SystemExit(f"no line begins with {name!r}; the first word of a line is its name")
        text = text.replace(found[0], line.strip("\n"))
    return text


# YOUR IDEA: each variant is the rules and a level. Change values, add sprites and rules, draw.
VARIANTS = {
    "as it is": (RULES, LEVEL),
    "quick wasps": (RULES.replace("cooldown=4", "cooldown=1"), LEVEL),
    "wasps hunt": (
        edited(RULES, wasp="        wasp > Chaser stype=avatar cooldown=4 color=YELLOW"),
        LEVEL,
    ),
    "with a nest": (
        edited(
            RULES,
            cake="""
        cake   > Resource limit=20 color=PINK
        nest   > SpawnPoint stype=wasp cooldown=30 color=BROWN""",
            v="""
        v > lawn wasp
        n > lawn nest""",
        ),
        LEVEL.replace("v", "n", 1),
    ),
    "another level": (RULES, HEDGES.lstrip()),
}


def mistakes(rules, level, folder):
    """Write a variant and check it, as `ludex vgdl check` does."""
    (folder / "variant.txt").write_text(rules)
    (folder / "variant_lvl0.txt").write_text(level)
    return check_file(folder / "variant.txt").problems


if __name__ == "__main__":
    given = arguments(__doc__, games=10)
    print(f"{'variant':<20}{'bot':<20}{'won':>7}{'score':>8}{'ticks':>7}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, variant in VARIANTS.items():
            if problems := mistakes(*variant, folder):
                print(f"{name:<20}{'; '.join(map(str, problems)).replace(place + '/', '')}")
                continue
            for bot in BOTS:
                matches = play(str(folder / "variant.txt"), bot, given.games)
                print(f"{name:<20}{bot:<20}{summary(matches)}")
