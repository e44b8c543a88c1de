"""The legal actions with all that a person may call them: `play fireball > face`, `end`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import product

from ludex.core.choices import Choice
from ludex.worlds.hearthstone import _native
from ludex.worlds.hearthstone.notation import (
    CHOOSE,
    END,
    MULLIGAN,
    PLAY,
    action_text,
    target_text,
)
from ludex.worlds.hearthstone.prompt.names import ENDS, FOE, ME, Names
from ludex.worlds.hearthstone.table import WIDTH


def choices(legal: Iterable[int], names: Names) -> list[Choice]:
    """The legal actions with all that a person may call them.

    Of equal cards in hand the first has the name, so that a name means one of them.
    """
    hand = [(card, cost) for card, cost in zip(names.own["hand"], names.own["costs"], strict=True)]
    firsts = {hand.index(card): None for card in hand}
    return [choice(action, names, firsts) for action in legal]


def choice(action: int, names: Names, firsts: Iterable[int]) -> Choice:
    kind, source, option, target, _ = _native.unpack(action)
    text = action_text(action)
    if kind == END:
        return Choice(action, text, "end turn", names=ENDS, spelling=text)
    if kind == CHOOSE:
        name = names.card(names.offered[source]) if source < len(names.offered) else text
        spelling = f"choose {source + 1} {name}"
        return Choice(action, text, "choose", f"{source + 1} {name}", (f"choose {name}",), spelling)
    if kind == MULLIGAN:
        return mulligan_choice(action, text, names)
    where = text[text.index(" @") :] if " @" in text else ""
    sources = names.sources(kind, source, option)
    if kind == PLAY and source not in firsts:
        sources = (sources[0], sources[-1] if not option else sources[0])
    called = [
        f"{one}{f' > {aim}' if aim else ''}{where}"
        for one, aim in product(sources, names.targets(target))
    ]
    label = label_of(kind, source, option, target, names) + where
    others = tuple(dict.fromkeys(one for one in called if one != text))
    group = names.group(kind, source)
    if option and kind == PLAY:
        spelling = f"play {source + 1}/{option} {label}"
    else:
        spelling = f"{group} {label}".strip()
    return Choice(action, text, group, label or text, others, spelling)


def label_of(kind: int, source: int, option: int, target: int, names: Names) -> str:
    """What is listed of an action below its group."""
    chosen = names.options(source)[option - 1] if option and kind == PLAY else ""
    aim = ""
    if target:
        code = target_text(target)
        aim = f"> {code}" if target in (ME, FOE) else f"> {code} {names.character(target)}"
    return " ".join(part for part in (chosen, aim) if part)


def mulligan_choice(action: int, text: str, names: Names) -> Choice:
    thrown = [place for place in range(len(names.own["hand"])) if action >> place & 1]
    if not thrown:
        return Choice(action, text, "keep all", text, ("keep", "throw nothing"), text)
    label = " and ".join(f"{place + 1} {names.held(place)}" for place in thrown)
    called = f"throw {', '.join(names.held(place) for place in thrown)}"
    return Choice(action, text, "throw", label, (called,), f"throw {label}")


def thrown_words(names: Names) -> dict[str, str]:
    """What `?` says of the first hand: how cards go back, and which they are."""
    hand = [f"{at + 1}\0{names.held(at)}" for at in range(len(names.own["hand"]))]
    held = [one.replace(" ", "\0") for one in hand]
    begin = "throw 1,3"
    told = f"{begin}: throws cards back by their numbers: {', '.join(held)}"
    lines = textwrap.wrap(told, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return {begin: "\n".join(lines).replace("\0", " ").removeprefix(f"{begin}: ")}
