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
FRAME, GAP = 4, 2  # columns around and between those of a table
LEAST_ROOM = 20  # columns of a summary on the narrowest screen
NEXT = (
    ("ludex list planners", "one kind, a line each"),
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
        more = f" (ludex list {kind})" if kind == ALIASES else ""
        shown_names = few(kind, names, OVERVIEW_NAMES - len(more))
        line = screen.line((title, "bold"), f"{len(names):>4}  ", (shown_names, "dim"), more)
        console.print(line, soft_wrap=True)
    console.print()
    commands = {screen.to_type(command): meaning for command, meaning in NEXT}
    column = max(len(shown) for shown, meaning in commands.items() if meaning)
    for shown, meaning in commands.items():
        line = screen.line((shown.ljust(column), "bold"), f"  {meaning}".rstrip())
        console.print(line, soft_wrap=True)


def few(kind: str, names: list[str], room: int = OVERVIEW_NAMES) -> str:
    """As many names as a line has room for.

    >>> few("models", ["believed", "local"])
    'believed, local'
    """
    first = [name for name in BEGINNING.get(kind, ()) if name in names]
    ordered = [*first, *(name for name in names if name not in first)]
    text = ", ".join(ordered)
    while len(text) > room and ordered:
        ordered.pop()
        text = ", ".join([*ordered, "..."])
    return text


def show_kind(kind: str, parts: list[dict[str, Any]], detailed: bool) -> None:
    """A line for each part of a kind; detailed: a table with all parameters."""
    from ludex.cli.shared import screen

    if not parts:
        screen.answers().print(f"No {kind} are installed.")
    elif detailed and any(part.get("parameters") for part in parts):
        show_parameters(kind, parts)
    else:
        show_lines(kind, parts)


def show_parameters(kind: str, parts: list[dict[str, Any]]) -> None:
    from rich.text import Text

    from ludex.cli.shared import screen

    listed = screen.table(kind, "name", "status", "summary", "parameters")
    screen.keep_whole(listed, "name", "status")
    for part in parts:
        items = part.get("parameters", {}).items()
        listed.add_row(
            Text(part["name"], style="bold"),
            Text(part["status"], style=STATUS_COLOURS.get(part["status"], "red")),
            Text(part["summary"]),
            Text("\n".join(f"{name}={value}" for name, value in items), style="dim"),
        )
    screen.answers().print(listed)


def show_lines(kind: str, parts: list[dict[str, Any]], title: str = "") -> None:
    """A line for each part; the status only where parts differ in it."""
    from rich.text import Text

    from ludex.cli.shared import screen

    console = screen.answers()
    statuses = {part["status"] for part in parts}
    columns = ("name", "status", "summary") if len(statuses) > 1 else ("name", "summary")
    listed = screen.table(title or kind, *columns)
    screen.keep_whole(listed, *columns)
    room = console.width - max(len(part["name"]) for part in parts) - FRAME
    room -= max(map(len, (*statuses, "status"))) + GAP if len(statuses) > 1 else 0
    for part in parts:
        style = STATUS_COLOURS.get(part["status"], "red")
        status = [Text(part["status"], style=style)] if len(statuses) > 1 else []
        summary = textwrap.shorten(part["summary"], max(room, LEAST_ROOM), placeholder=" ...")
        listed.add_row(Text(part["name"], style="bold"), *status, Text(summary))
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


def show_more(kind: str) -> None:
    """Say where the rest of a short list is."""
    from ludex.cli.shared import screen

    told = f"ludex list {kind} NAME explains one; --all shows the parameters of each"
    screen.answers().print(screen.line((told, "dim")), soft_wrap=True)


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
