"""`ludex hearthstone check`: the mistakes in a file of cards or in a deck."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludex.cli.shared.options import Json, counted, read_choice

FAILED = 1


def check(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A card file (.cards) or a deck (.deck).")
    ],
    cards: Annotated[
        str, typer.Option(metavar="PROFILE", help="The cards it is read after.")
    ] = "classic",
    json: Json = False,
) -> None:
    """Find the first mistake in a file of cards or in a deck."""
    from ludex.cli.shared import screen
    from ludex.core.errors import BadParameter, LudexError
    from ludex.worlds.hearthstone import decks, profiles
    from ludex.worlds.hearthstone.tools.rehearsal import endless

    read_choice(cards, list(profiles.PROFILES), "profile of cards")
    if not file.is_file():
        raise BadParameter(f"there is no file {str(file)!r}")
    answer: dict[str, Any] = {"file": str(file), "passed": True, "problem": None}
    try:
        if file.suffix == ".deck":
            deck = decks.load(str(file), profiles.load(cards))
            answer["found"] = f"a {deck.hero} deck of {counted(len(deck.cards), 'card')}"
        else:
            tables = profiles.load(cards, (str(file),))
            own = [card for card in tables.cards if card.profile == "own"]
            answer["found"] = counted(len(own), "card")
            if not own:
                answer |= {"passed": False, "problem": f"{file.name} holds no card"}
            if (card := endless(tables, own)) is not None:
                where = f"{card.file}:{card.line}: {card.key} {card.name!r}"
                answer |= {"passed": False, "problem": f"{where} has effects that do not end"}
    except LudexError as error:
        answer |= {"passed": False, "problem": str(error)}
    if json:
        screen.print_json(answer)
    elif answer["passed"]:
        screen.answers().print(screen.line(("fine", "bold green"), f": {answer['found']}"))
    else:
        screen.answers().print(screen.line(("error", "bold red"), f": {answer['problem']}"))
    if not answer["passed"]:
        raise typer.Exit(FAILED)
