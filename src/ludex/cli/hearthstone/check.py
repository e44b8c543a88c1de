"""`ludex hearthstone check`: the mistakes in a file of cards or in a deck."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli.shared.options import Json, counted, read_choice

FAILED = 1
PLACE = re.compile(r"(?P<file>[^:]+):(?P<line>[0-9]+): (?P<reason>.*)", re.DOTALL)

Problem = dict[str, Any]


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A card file (.cards) or a deck (.deck).")
    ],
    cards: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PROFILE|FILE",
            help="The cards it is read after: classic, competition, nora2015, or a .cards file "
            "of your own; may be given more than once.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Find all mistakes in a file of cards or in a deck."""
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter

    if not file.is_file():
        raise BadParameter(f"there is no file {str(file)!r}")
    profile, own = chosen_cards(cards or [])
    if file.suffix == ".deck":
        found, problems = check_deck(file, profile, own)
    else:
        found, problems = check_cards(profile or "classic", (*own, str(file)))
    answer = {
        "file": str(file),
        "passed": not problems,
        "problem": problems[0]["text"] if problems else None,
        "problems": [{key: one[key] for key in ("file", "line", "reason")} for one in problems],
        "found": found,
    }
    if json:
        screen.print_json(answer)
    else:
        show(answer, problems)
    if problems:
        raise typer.Exit(FAILED)


def chosen_cards(named: list[str]) -> tuple[str, tuple[str, ...]]:
    """The profile that is named, and the card files."""
    from ludex.core.errors import BadParameter
    from ludex.worlds.hearthstone import profiles

    files = tuple(one for one in named if one.endswith(".cards"))
    chosen = [one for one in named if not one.endswith(".cards")]
    if len(chosen) > 1:
        raise BadParameter(f"one profile of cards is read, got {' and '.join(chosen)}")
    for one in chosen:
        read_choice(one, list(profiles.PROFILES), "profile of cards")
    for path in files:
        if not Path(path).is_file():
            raise BadParameter(f"there is no card file {path!r}")
    return "".join(chosen), files


def check_cards(profile: str, files: tuple[str, ...]) -> tuple[str, list[Problem]]:
    """How many cards are in the last file, and what is wrong in any of the files."""
    from ludex.worlds.hearthstone import profiles
    from ludex.worlds.hearthstone.tools.rehearsal import endless

    file = Path(files[-1]).name
    tables, mistakes = profiles.examined(profile, files)
    if mistakes:
        return "", [placed(str(mistake), file) for mistake in mistakes]
    own = [card for card in tables.cards if card.profile == profiles.OWN and card.file == file]
    found = counted(len(own), "card")
    if not own:
        return found, [placed(f"{file} holds no card", file)]
    if (card := endless(tables, own)) is not None:
        what = f"{card.key} {card.name!r} has effects that do not end"
        return found, [placed(f"{card.file}:{card.line}: {what}", file)]
    return found, []


def check_deck(file: Path, profile: str, own: tuple[str, ...]) -> tuple[str, list[Problem]]:
    """What deck it is, and what is wrong with it or with the cards it is made of."""
    from ludex.core.errors import LudexError
    from ludex.core.text_file import read_text
    from ludex.worlds.hearthstone import profiles
    from ludex.worlds.hearthstone.deck_file import heading, read_deck

    try:
        text = read_text(file, "deck")
    except LudexError as error:
        return "", [placed(str(error), file.name)]
    named = heading(text).profile
    if named:
        read_choice(named, list(profiles.PROFILES), f"profile of cards in {file.name}:")
    profile = profile or named or "classic"
    tables, mistakes = profiles.examined(profile, own)
    deck = read_deck(text, tables)
    found = f"a {deck.hero} deck of {counted(len(deck.numbers()), 'card')}" if deck.hero else ""
    problems = [placed(str(mistake), "") for mistake in mistakes]
    for one in deck.mistakes:
        where = f"{file.name}:{one.line}" if one.line else file.name
        problems.append(placed(f"{where}: {one.reason}", file.name))
    return found, problems


def placed(text: str, file: str) -> Problem:
    """A problem with its place, where its text begins with one."""
    found = PLACE.fullmatch(text)
    if found is None:
        return {"file": file, "line": None, "reason": text.removeprefix(f"{file}: "), "text": text}
    place = {"file": found["file"], "line": int(found["line"])}
    return {**place, "reason": found["reason"], "text": text}


def show(answer: dict[str, Any], problems: list[Problem]) -> None:
    from ludex.cli.shared import screen

    console = screen.answers()
    if not problems:
        console.print(screen.line(("fine", "bold green"), f": {answer['found']}"))
        return
    for one in problems:
        console.print(screen.line(("error", "bold red"), f": {one['text']}"), soft_wrap=True)
    if len(problems) > 1:
        count = counted(len(problems), "mistake")
        files = " and ".join(dict.fromkeys(one["file"] for one in problems))
        console.print(screen.line((count, "bold red"), f" in {files}"), soft_wrap=True)
