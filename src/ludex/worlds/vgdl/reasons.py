"""Why a game ended, in words for people: as its file says, or made from the rule.

A line of the TerminationSet may end in `# because all raiders are gone`. The Java framework
passes over it like over any comment.
"""

from __future__ import annotations

import re

from ludex.worlds.vgdl.language.definition import (
    MESSAGE_LIMIT,
    TICK_LIMIT,
    Ending,
    Game,
)
from ludex.worlds.vgdl.language.ontology import SPRITES

ENGINE_REASONS = {
    -2: f"the limit of {TICK_LIMIT} ticks was reached",
    -3: f"the game logged more than {MESSAGE_LIMIT} messages, which ends a game of GVGAI",
    -4: "a sprite made one of its own type while it moved, which aborts a game of GVGAI",
    -5: "too much happened in one tick",
}
"""by the engine's number of an end that no rule of the game made"""
BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")
UNLIKE_PLURALS = {
    "child": "children",
    "deer": "deer",
    "fish": "fish",
    "goose": "geese",
    "man": "men",
    "mouse": "mice",
    "person": "people",
    "sheep": "sheep",
    "wolf": "wolves",
    "woman": "women",
}


NO_AVATAR = "the level has no avatar"


def reason_of(game: Game, ending: Ending, has_avatar: bool = True) -> str:
    """Say why a condition ended the game; has_avatar: whether it began with one."""
    if not has_avatar and counts_avatars(game, ending):
        return NO_AVATAR  # also where the file has words of its own: nobody died
    if ending.reason:
        return ending.reason
    text = time_is_up(ending) if ending.condition == "Timeout" else counted(game, ending)
    if ending.values["count_score"]:
        return f"{text}; the score decides"
    return text


def counts_avatars(game: Game, ending: Ending) -> bool:
    """Whether a condition ends the game when no avatar is left; a broken class counts, too."""
    number = ending.values.get("stype")
    if ending.condition != "SpriteCounter" or number is None or ending.values["limit"] > 0:
        return False
    return game.types[number].name == "avatar" or is_avatar(game, number)


def time_is_up(ending: Ending) -> str:
    text = f"time is up after {ending.values['limit']} ticks"
    return f"{text}; the counters decide" if ending.values["use_counter"] else text


def counted(game: Game, ending: Ending) -> str:
    """Say which sprites a condition found, or found no more."""
    limit = max(0, ending.values["limit"])
    types = [
        number
        for key, number in ending.values.items()
        if key.startswith("stype") and number is not None
    ]
    is_at_least = ending.condition == "SpriteCounterMore" or ending.values.get("min", False)
    if is_at_least and limit <= 1 and len(types) == 1:
        return f"there is {with_article(in_words(game, types[0]))}"
    if is_at_least:
        return f"there are {limit} or more {listed(game, types)}"
    if ending.condition == "MultiSpriteCounterSubTypes":
        found = f"exactly {amount(game, limit, types)}"
        return f"{found} of {ending.values['subTypesNum']} types {is_or_are(limit)} left"
    if limit == 0 and ending.condition == "SpriteCounter" and is_avatar(game, types[0]):
        return avatar_gone(game, ending, types[0])
    if limit == 0:
        return f"all {listed(game, types)} are gone"
    bound = "exactly" if ending.condition == "MultiSpriteCounter" else "no more than"
    return f"{bound} {amount(game, limit, types)} {is_or_are(limit)} left"


def is_avatar(game: Game, number: int) -> bool:
    """Whether all sprites of a type are avatars."""
    classes = [game.types[one].class_name for one in game.types[number].subtypes]
    known = [SPRITES[name].avatar for name in classes if name in SPRITES]
    return bool(known) and all(known)


def avatar_gone(game: Game, ending: Ending, number: int) -> str:
    """The end of an avatar: a death, or a way out where somebody wins by it."""
    won = any(ending.values["win"]) and game.players == 1
    if game.players == 1:
        return "the avatar is gone" if won else "the avatar died"
    leaves = [one for one in game.types[number].subtypes if game.types[one].is_leaf]
    if len(leaves) > 1 or game.types[number].name == "avatar":
        return "all avatars died"
    return f"the avatar {game.types[number].name} died"


def amount(game: Game, number: int, types: list[int]) -> str:
    """So many sprites of these types, as in `1 box` or `3 boxes and holes`."""
    if number == 1 and len(types) == 1:
        return f"1 {in_words(game, types[0])}"
    return f"{number} {listed(game, types)}"


def is_or_are(number: int) -> str:
    return "is" if number == 1 else "are"


def listed(game: Game, types: list[int]) -> str:
    """Types in the plural, joined as in a sentence."""
    names = list(dict.fromkeys(plural(in_words(game, number)) for number in types))
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def in_words(game: Game, number: int) -> str:
    """The name of a type as words, as in `blue key` for `blueKey` or `blue_key`."""
    return " ".join(BETWEEN_WORDS.split(game.types[number].name)).strip().lower()


def plural(noun: str) -> str:
    """The usual English plural.

    >>> [plural(noun) for noun in ("alien", "city", "box", "old man", "goods", "enemy2")]
    ['aliens', 'cities', 'boxes', 'old men', 'goods', 'enemy2']
    """
    before, blank, last = noun.rpartition(" ")
    if last in UNLIKE_PLURALS:
        return before + blank + UNLIKE_PLURALS[last]
    if not last[-1:].isalpha() or last.endswith("s"):
        return noun
    if last.endswith("y") and last[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if last.endswith(("x", "z", "ch", "sh")) else f"{noun}s"


def with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1] in tuple("aeiou") else f"a {noun}"
