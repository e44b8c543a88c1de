"""The facts of a state as its native text has them, taken apart and put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass
class Item:
    """A card in a list of a state, with its numbers as the native text has them."""

    card: int
    numbers: dict[str, int] = field(default_factory=dict)
    enchants: list[tuple[int, ...]] = field(default_factory=list)


@dataclass
class Side:
    """One player of a state."""

    numbers: dict[str, int] = field(default_factory=dict)
    hand: list[Item] = field(default_factory=list)
    deck: list[int] = field(default_factory=list)
    """the next to be drawn last, as in the native text"""
    secrets: list[Item] = field(default_factory=list)
    board: list[Item] = field(default_factory=list)
    """each with its number `slot`"""


@dataclass
class Position:
    """The facts of a state, by the names of the native text."""

    numbers: dict[str, int] = field(default_factory=dict)
    offered: list[int] = field(default_factory=list)
    sides: list[Side] = field(default_factory=lambda: [Side(), Side()])


def from_native(text: str) -> Position:
    """Take `str(state)` apart."""
    made, slots = Position(), dict[int, Item]()
    numbers, side, item = made.numbers, made.sides[0], Item(0)
    boards: list[list[int]] = [[], []]
    for word in text.split(" ")[1:]:
        name, equals, value = word.partition("=")
        if word in ("p0", "p1"):
            side = made.sides[int(word[1])]
            numbers = side.numbers
        elif not equals:
            item = slots[int(word[1:])] = Item(0, {"slot": int(word[1:])})
            numbers = item.numbers
        elif name == "offered":
            made.offered = [int(one) for one in value.split(",")]
        elif name == "enchant":
            item.enchants = [tuple(map(int, one.split(":"))) for one in value.split(",")]
        elif name == "hand":
            for one in value.split(","):
                card, *rest = map(int, one.split(":"))
                facts = zip(("cost", "flags", "attack", "health"), rest, strict=False)
                side.hand.append(Item(card, dict(facts)))
        elif name == "deck":
            side.deck = [int(one) for one in value.split(",")]
        elif name == "secrets":
            pairs = [one.split(":") for one in value.split(",")]
            side.secrets = [Item(int(card), {"order": int(order)}) for card, order in pairs]
        elif name == "board":
            boards[made.sides.index(side)] = [int(one) for one in value.split(",")]
        else:
            numbers[name] = int(value)
    for side, listed in zip(made.sides, boards, strict=True):
        for slot in listed:
            slots[slot].card = slots[slot].numbers.pop("card")
            slots[slot].numbers.pop("side", None)
            side.board.append(slots[slot])
    return made


def to_native(position: Position) -> str:
    """Put the native text together; the native reader takes numbers in any order."""
    text = ["hearthstone", *numbered(position.numbers)]
    if position.offered:
        text.append("offered=" + ",".join(map(str, position.offered)))
    minions: list[tuple[int, list[str]]] = []
    for seat, side in enumerate(position.sides):
        text += [f"p{seat}", *numbered(side.numbers)]
        if side.hand:
            text.append("hand=" + ",".join(hand_text(one) for one in side.hand))
        if side.deck:
            text.append("deck=" + ",".join(map(str, side.deck)))
        if side.secrets:
            secrets = (f"{one.card}:{one.numbers['order']}" for one in side.secrets)
            text.append("secrets=" + ",".join(secrets))
        if side.board:
            text.append("board=" + ",".join(str(one.numbers["slot"]) for one in side.board))
        for one in side.board:
            facts = {"card": one.card, "side": seat} | one.numbers
            slot = facts.pop("slot")
            row = [f"m{slot}", *numbered(facts)]
            if one.enchants:
                gifts = (":".join(map(str, enchant)) for enchant in one.enchants)
                row.append("enchant=" + ",".join(gifts))
            minions.append((slot, row))
    return " ".join([*text, *(word for _, row in sorted(minions) for word in row)])


def numbered(numbers: Mapping[str, int]) -> Iterator[str]:
    return (f"{name}={value}" for name, value in numbers.items())


def hand_text(item: Item) -> str:
    facts = [item.numbers.get(name, 0) for name in ("cost", "flags", "attack", "health")]
    return ":".join(map(str, [item.card, *facts])) if any(facts) else str(item.card)
