"""What `ludex list` shows: an overview of a screen, a table of each kind, one part in full."""

from __future__ import annotations

import textwrap
from typing import Any

from ludex.cli.list.catalogue import ALIASES, KINDS, names_in
from ludex.cli.list.one_part import SINGULAR, PartDetails

STATUS_COLOURS = {"exact": "green", "ready": "green", "close": "yellow", "partial": "yellow"}
TITLES = {"studies": "experiments", ALIASES: "GVGAI's names"}
BEGINNING = {
    "games": ("vgdl/aliens", "vgdl/zelda", "vgdl/sokoban", "vgdl/pacman", "vgdl/tank_duel"),
    "planners": ("mcts", "open_loop_mcts", "rhea", "olets", "yolobot", "ismcts", "minimax"),
    "agents": ("human", "catan/stac", "hearthstone/nora", "nim/perfect", "pig/optimal"),
    ALIASES: ("sampleMCTS", "sampleRHEA", "OLETS", "YOLOBOT", "sampleRandom"),
}
"""names that are shown first, because newcomers look for them"""
OVERVIEW_NAMES = 60  # columns for the names of a kind
NEXT = (
    ("ludex list planners", "one kind, with parameters"),
    ("ludex list planners mcts", "one part, with all it means"),
    ("ludex list --all", "everything, a line each"),
    ("ludex help play", "the options of a command"),
    ("ludex play vgdl/aliens --agents yolobot --watch", ""),
)


def show_overview() -> None:
    """How many parts of each kind there are, a few names, and what to type next."""
    from ludex.cli.shared import screen

    console = screen.answers()
    for kind in (*KINDS, ALIASES):
        names = names_in(kind)
        title = f"{TITLES.get(kind, kind):<14}"
        line = screen.line((title, "bold"), f"{len(names):>4}  ", (few(kind, names), "dim"))
        console.print(line, soft_wrap=True)
    console.print()
    commands = {screen.to_type(command): meaning for command, meaning in NEXT}
    column = max(len(shown) for shown, meaning in commands.items() if meaning)
    for shown, meaning in commands.items():
        line = screen.line((shown.ljust(column), "bold"), f"  {meaning}".rstrip())
        console.print(line, soft_wrap=True)


def few(kind: str, names: list[str]) -> str:
    """As many names as a line has room for.

    >>> few("models", ["believed", "local"])
    'believed, local'
    """
    first = [name for name in BEGINNING.get(kind, ()) if name in names]
    ordered = [*first, *(name for name in names if name not in first)]
    text = ", ".join(ordered)
    while len(text) > OVERVIEW_NAMES and ordered:
        ordered.pop()
        text = ", ".join([*ordered, "..."])
    return text


def show_kind(kind: str, parts: list[dict[str, Any]], detailed: bool) -> None:
    """A table of all parts of a kind."""
    from rich.text import Text

    from ludex.cli.shared import screen

    console = screen.answers()
    if not parts:
        console.print(f"No {kind} are installed.")
        return
    with_parameters = detailed and any(part.get("parameters") for part in parts)
    more = ("parameters",) if with_parameters else ()
    listed = screen.table(kind, "name", "status", "summary", *more)
    screen.keep_whole(listed, "name", "status")
    for part in parts:
        style = STATUS_COLOURS.get(part["status"], "red")
        row = [
            Text(part["name"], style="bold"),
            Text(part["status"], style=style),
            Text(part["summary"]),
        ]
        if with_parameters:
            items = part.get("parameters", {}).items()
            row.append(Text("\n".join(f"{name}={value}" for name, value in items), style="dim"))
        listed.add_row(*row)
    console.print(listed)


def show_aliases(aliases: list[dict[str, Any]]) -> None:
    """A table of the names of GVGAI, and what each stands for."""
    from rich.text import Text

    from ludex.cli.shared import screen

    listed = screen.table(TITLES[ALIASES], "name", "stands for", "which is")
    screen.keep_whole(listed, "name")
    for one in aliases:
        name, meaning = Text(one["name"], style="bold"), Text(one["summary"])
        listed.add_row(name, Text(one["agent"], style="dim"), meaning)
    screen.answers().print(listed)


def show_one(part: PartDetails) -> None:
    """One part: its description, its parameters, and where there is more."""
    from ludex.cli.shared import screen

    console = screen.answers()
    width = min(console.width, 100)
    kind = SINGULAR.get(part.kind, part.kind.removesuffix("s"))
    colour = STATUS_COLOURS.get(part.status, "red")
    console.print(screen.line((part.name, "bold"), f"  {kind}, ", (part.status, colour)))
    for paragraph in part.about.split("\n\n"):
        console.print(textwrap.fill(" ".join(paragraph.split()), width), markup=False)
    if part.parameters:
        console.print()
    for one in part.parameters:
        default = f" = {one.default}" if one.default else ""
        console.print(
            screen.line(f"  {one.name}", (default, "bold"), (f"  {one.takes}", "dim")),
            soft_wrap=True,
        )
        told = textwrap.fill(one.meaning, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
        console.print(told, markup=False)
    console.print()
    example = screen.to_type(part.example) if part.example else ""
    written = {"page": part.page, **part.facts, "try": example}
    for what, text in written.items():
        if text:
            told = textwrap.fill(text, width - 12, break_long_words=False, break_on_hyphens=False)
            console.print(
                screen.line((f"{what:<12}", "dim"), told.replace("\n", "\n" + " " * 12)),
                soft_wrap=True,
            )
