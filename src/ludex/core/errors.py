"""Every error a user can cause; each message is one sentence with a way out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST_SHOWN = 80
"""letters of a thing that an error quotes"""
LIKE, VERY_LIKE = 0.5, 0.7
"""from 0 to 1, how like a name must be to be suggested, and to be suggested alone"""


class LudexError(Exception):
    """The base of what users cause; tools print the message alone, never a traceback."""


class UnknownName(LudexError):
    """A world, planner, model, agent or option that does not exist."""


class BadParameter(LudexError):
    """A parameter, option, budget or seed with an impossible value."""


class InvalidAction(LudexError):
    """Text that is not an action of this world at all."""


class IllegalAction(LudexError):
    """An action of this world that the rules forbid in this state."""


class AmbiguousAction(LudexError):
    """Text that abbreviates more than one legal action."""


class InvalidState(LudexError):
    """Text or bytes that are not a state of this world."""


class ForeignState(LudexError, TypeError):
    """A state that other rules made than those it was handed to: of another world or options."""


class NoSuchSeat(BadParameter, IndexError):
    """A seat that the game does not have."""


class GameOver(LudexError):
    """A move in a game that has ended."""


class Unsupported(LudexError):
    """A planner was given a model whose traits it cannot handle."""


class BadAgent(LudexError):
    """A file or object that is not an agent."""


class BrokenAgent(BadAgent):
    """An agent whose own code fails when its file is run or when it is made."""


class WrongSeats(LudexError):
    """Too few or too many agents for the seats of a world."""


class BrokenRecord(LudexError):
    """A record that is damaged, truncated or not a record."""


class NewerRecord(LudexError):
    """A record written by a newer version."""


class ReplayDiffers(LudexError):
    """A replay that does not repeat its record; the message names the first difference."""


class NoConsistentState(LudexError):
    """A belief that found no complete state that agrees with a view."""


class NotFitted(LudexError, AttributeError):
    """A learned model that is asked before it has learned."""


class BrokenModel(LudexError):
    """A model file that is damaged, truncated or not a model file."""


class NewerModel(LudexError):
    """A model file written by a newer version."""


class MissingExtra(LudexError):
    """An optional dependency that is not installed."""


class BudgetSpent(Exception):
    """Raised by a model call after the budget of a decision is spent; planners catch it."""


def wrong_seats(world: object, seats: int, given: int, who: str = "seat agent") -> WrongSeats:
    """Make the error of a wrong number of agents; `who` names a place and what takes it.

    >>> str(wrong_seats("nim", 2, 1))
    'nim has 2 seats, got 1 agent; give exactly 2'
    """
    place, taker = who.rsplit(maxsplit=1)
    places = place if seats == 1 else f"{place}s"
    takers = taker if given == 1 else f"{taker}s"
    return WrongSeats(f"{world} has {seats} {places}, got {given} {takers}; give exactly {seats}")


def foreign_class(expected: type, given: object) -> ForeignState:
    """Make the error of something that is not even a state of this class.

    >>> str(foreign_class(int, "x")).partition(";")[0]
    "expected a state of this model (builtins.int), got 'x'"
    """
    name = f"{expected.__module__}.{expected.__qualname__}"
    return ForeignState(
        f"expected a state of this model ({name}), got {in_short(given)}; "
        "states come from world.start and from the model"
    )


def no_such_seat(seats: int, given: object) -> NoSuchSeat:
    """Make the error of a seat that the game does not have.

    >>> str(no_such_seat(2, 7))
    'seats are 0 to 1, got 7'
    """
    known = "the only seat is 0" if seats == 1 else f"seats are 0 to {seats - 1}"
    return NoSuchSeat(f"{known}, got {in_short(given)}")


def in_short(given: object) -> str:
    """Write any object at all in a few words.

    >>> in_short("x" * 200)[-6:]
    'xxx...'
    """
    try:
        text = repr(given)
    except Exception:  # anything may have been handed in
        text = f"an object of class {type(given).__name__}"
    text = "".join(sign if sign.isprintable() else "?" for sign in text[: LONGEST_SHOWN + 1])
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def did_you_mean(word: str, known: Iterable[str], most: int = 1, like: float = LIKE) -> str:
    """Return "; did you mean 'x'?" for the nearest known names, or an empty text.

    >>> did_you_mean("rhaea", ["mcts", "rhea"])
    "; did you mean 'rhea'?"
    >>> did_you_mean("MCTS", ["mcts", "rhea", "sampleMCTS"], most=5)
    "; did you mean 'mcts' or 'sampleMCTS'?"

    Args:
        word: What was written, in small or capital letters.
        known: The names there are.
        most: How many of them are named at most.
        like: How much of it they share at least, from 0 to 1; `VERY_LIKE` where names are many.
    """
    near = [repr(name) for name in nearest(word, known, most, like)]
    if not near:
        return ""
    return f"; did you mean {' or '.join([', '.join(near[:-1]), near[-1]][len(near) == 1 :])}?"


def nearest(word: str, known: Iterable[str], most: int, like: float = LIKE) -> list[str]:
    """The names that are most like a word, the nearest first; letters count, not their case."""
    small = word.lower()
    names = {name: name.lower() for name in known}
    by_small = {lower: name for name, lower in reversed(names.items())}
    close = difflib.get_close_matches(small, list(by_small), n=most, cutoff=like)
    if most == 1:
        return [by_small[one] for one in close]
    within = [one for one in names.values() if len(small) > 2 and small in one]
    likeness = {
        one: difflib.SequenceMatcher(None, one, small).ratio() + (one in within)
        for one in dict.fromkeys([*close, *within])
    }
    order = sorted(likeness, key=likeness.__getitem__, reverse=True)
    very_like = [one for one in order if likeness[one] >= VERY_LIKE]
    return [by_small[one] for one in very_like or order][:most]


def in_a_line(error: BaseException) -> str:
    """Write an exception in one line.

    >>> in_a_line(ValueError("no"))
    'ValueError: no'
    """
    try:
        text = " ".join(str(error).split())
    except Exception:  # an exception of an agent's own may not even have a text
        text = ""
    text = text if len(text) <= 300 else text[:297] + "..."
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
