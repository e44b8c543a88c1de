"""`ludex hearthstone decks`: the decks that come with the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludex.cli.shared.options import Json

if TYPE_CHECKING:
    from ludex.worlds.hearthstone.language.tables import Card

USUAL = "classic"  # the profile of a deck that names none


def decks(
    name: Annotated[
        str | None, typer.Argument(metavar="[DECK]", help="One deck, or the path of a .deck file.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the decks there are, or the cards of one."""
    from ludex.cli.shared import screen
    from ludex.worlds.hearthstone import decks as known

    if name is not None:
        found = described(name) | {"list": card_list(name)}
        screen.print_json(found) if json else show_one(found)
        return
    every = [described(one) for one in known.names()]
    screen.print_json({"decks": every}) if json else show_all(every)


def described(name: str) -> dict[str, Any]:
    from ludex.worlds.hearthstone import decks as known

    deck = known.about(name)
    profile = deck.profile or USUAL
    return {"name": name, "hero": deck.hero, "cards": profile, "about": deck.about}


def card_list(name: str) -> list[dict[str, Any]]:
    """Each card of a deck once, the cheap ones first."""
    from collections import Counter

    from ludex.worlds.hearthstone import decks as known
    from ludex.worlds.hearthstone import profiles
    from ludex.worlds.hearthstone.wording import card_text

    tables = profiles.load(known.about(name).profile or USUAL)
    copies = Counter(known.load(name, tables).cards)
    cards = [(tables.card(number), count) for number, count in copies.items()]
    return [
        {
            "copies": count,
            "name": card.name,
            "cost": card.cost,
            "stats": stats_of(card),
            "text": card_text(card.key, tables),
        }
        for card, count in sorted(cards, key=lambda one: (one[0].cost, one[0].name))
    ]


def stats_of(card: Card) -> str:
    from ludex.worlds.hearthstone.language import words

    fights = words.TYPES[card.type] in ("minion", "weapon")
    return f"{card.attack}/{card.health}" if fights else words.TYPES[card.type]


def show_all(every: list[dict[str, Any]]) -> None:
    from ludex.cli.shared import screen

    table = screen.table("decks", "deck", "hero", "cards", "from")
    screen.keep_whole(table, "deck", "hero", "cards")
    for one in every:
        table.add_row(one["name"], one["hero"], one["cards"], one["about"])
    console = screen.answers()
    console.print(table)
    first = "ludex hearthstone decks zoo_warlock shows the cards of one."
    play = 'ludex play "hearthstone[decks=zoo_warlock/pirate_warrior,cards=competition]" ...'
    console.print(first, style="dim")
    console.print(play, style="dim", soft_wrap=True)


def show_one(found: dict[str, Any]) -> None:
    from ludex.cli.shared import screen

    title = f"{found['name']}: {found['hero']}, cards={found['cards']}"
    table = screen.table(title, "", "card", "cost", "", "text", right=("cost",))
    screen.keep_whole(table, "card")
    for one in found["list"]:
        table.add_row(str(one["copies"]), one["name"], str(one["cost"]), one["stats"], one["text"])
    console = screen.answers()
    if found["about"]:
        console.print(found["about"], style="dim")
    console.print(table)
