"""Writes the ontology as a page of the documentation.

python -m ludex.worlds.vgdl.tools.ontology_table docs/vgdl_ontology.md tests/unit/worlds/vgdl
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from ludex.worlds.vgdl.language.ontology import (
    COMMON,
    COMMON_EFFECT,
    COMMON_TERMINATION,
    DIRECTIONS,
    EFFECTS,
    GAME_PARAMETERS,
    SPRITES,
    TERMINATIONS,
    TIMED,
    Parameter,
)

MICRO_GAMES = ("sprites", "avatars", "effects", "terminations")
INTRODUCTION = """\
# VGDL: classes, effects and terminations

Everything a game description can name, with each parameter and its default, and the test that
plays a micro-game with it. This page is generated from the tables that the parser and the engine
use; how they fit together is said in [VGDL](vgdl.md).

Kinds of values: *int* a whole number; *real* any number; *bool* `True` or `False`; *direction*
`UP`, `DOWN`, `LEFT`, `RIGHT`, `NONE` or `NIL`; *sprite* the name of a sprite, *sprites* several
joined by commas; *numbers* whole numbers joined by commas; *flags* `True`/`False` joined by
commas, one per player; *effect* the name of an effect; *looks* is for drawing alone.
"""


def write_default(parameter: Parameter) -> str:
    """The default of a parameter as a description would write it."""
    if parameter.required:
        return "required"
    value = parameter.default
    if value is None or value == ():
        return "none"
    if isinstance(value, bool):
        return str(value)
    if parameter.kind == "direction":
        return next(name for name, pair in DIRECTIONS.items() if pair == value)
    if parameter.kind == "numbers":
        return ",".join(str(number) for number in value)
    if parameter.name == "physicstype":
        return ("GRID", "CONT")[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def parameter_rows(parameters: Mapping[str, Parameter]) -> Iterator[str]:
    yield "| parameter | kind | default |"
    yield "|---|---|---|"
    for parameter in parameters.values():
        yield f"| `{parameter.name}` | {parameter.kind} | {write_default(parameter)} |"


def own(
    parameters: Mapping[str, Parameter], common: Mapping[str, Parameter]
) -> Iterator[Parameter]:
    """The parameters that others do not have, or have with another default."""
    for name, parameter in parameters.items():
        if common.get(name) != parameter:
            yield parameter


def described(parameter: Parameter) -> str:
    return f"`{parameter.name}` {parameter.kind} ({write_default(parameter)})"


def micro_games_by_name(folder: Path) -> dict[str, str]:
    """Find for each class, effect and termination the test whose micro-game is about it.

    That is the test called after it, else the shortest one that mentions it.
    """
    tests: list[tuple[str, str]] = []
    for file in sorted(folder.glob("test_vgdl_*.py")):
        if file.stem.rpartition("_")[2] not in MICRO_GAMES:
            continue
        source = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                parts = [*node.decorator_list, node]
                text = "\n".join(ast.get_source_segment(source, part) or "" for part in parts)
                tests.append((node.name, text))
    found: dict[str, str] = {}
    for name in [*SPRITES, *EFFECTS, *TERMINATIONS]:
        about = [test for test in tests if re.search(rf"\b{name}\b", test[1])]
        called = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        about.sort(key=lambda test: (called not in test[0], len(test[1])))
        found[name] = f"`{about[0][0]}`" if about else "none"
    return found


def page(tests: Path) -> str:
    """Write the page; `tests` is the folder with the micro-games."""
    tested = micro_games_by_name(tests)
    lines = [INTRODUCTION, "## The first line", "", *parameter_rows(GAME_PARAMETERS)]
    lines += ["| `obs` | sprites | none |", "| `key_handler` | `Pulse` | none |", ""]
    avatars = {name: one for name, one in SPRITES.items() if one.avatar}
    others = {name: one for name, one in SPRITES.items() if not one.avatar}
    for title, classes in (("Sprite classes", others), ("Avatar classes", avatars)):
        lines += [f"## {title} ({len(classes)})", ""]
        acts = " actions besides NIL |" if classes is avatars else ""
        lines += [f"| class | what it does |{acts} parameters and defaults of its own | test |"]
        lines += ["|---|---|---|---|---|" if acts else "|---|---|---|---|"]
        for name, sprite in classes.items():
            mine = ", ".join(described(one) for one in own(sprite.parameters, COMMON))
            acting = f" {' '.join(sprite.actions) or 'none'} |" if acts else ""
            lines.append(f"| `{name}` | {sprite.summary} |{acting} {mine} | {tested[name]} |")
        lines.append("")
    lines += ["## Parameters of every sprite", "", *parameter_rows(COMMON), ""]
    lines += [f"## Effects ({len(EFFECTS)})", ""]
    lines += [
        "Effects marked with 2 need a second sprite and cannot stand in a rule with `EOS` or "
        "`TIME` alone.",
        "",
        "| effect | | what it does | parameters of its own | test |",
        "|---|---|---|---|---|",
    ]
    for name, effect in EFFECTS.items():
        mine = ", ".join(described(one) for one in own(effect.parameters, COMMON_EFFECT))
        mark = "2" if effect.needs_second else ""
        lines.append(f"| `{name}` | {mark} | {effect.summary} | {mine} | {tested[name]} |")
    lines += ["", "## Parameters of every effect", "", *parameter_rows(COMMON_EFFECT), ""]
    lines += ["Rules with `TIME`, and `addTimer`, also have these:", "", *parameter_rows(TIMED), ""]
    lines += [f"## Terminations ({len(TERMINATIONS)})", ""]
    lines += ["| termination | the game ends when | parameters of its own | test |"]
    lines += ["|---|---|---|---|"]
    for name, ending in TERMINATIONS.items():
        mine = ", ".join(described(one) for one in own(ending.parameters, COMMON_TERMINATION))
        lines.append(f"| `{name}` | {ending.summary} | {mine} | {tested[name]} |")
    lines += ["", "## Parameters of every termination", "", *parameter_rows(COMMON_TERMINATION)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(Path(sys.argv[2])), encoding="utf-8")
