"""Macro-actions and options: what lasts for several ticks once it is chosen, and how it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from ludex.core.errors import VERY_LIKE, BrokenAgent, Unsupported, did_you_mean, in_short
from ludex.core.model import Action, Model
from ludex.core.option import Option
from ludex.core.own_part import called_by, guarded
from ludex.core.rng import Rng
from ludex.core.state import State

NONE = "none"
LONGEST = 1000  # actions in a macro-action
STEPS = {(0, -1): "up", (-1, 0): "left", (0, 1): "down", (1, 0): "right"}


class OptionsFunction(Protocol):
    """The options that a seat has in a game: a list of `ludex.core.option.Option`.

    It is asked at every decision, with the state that the planner begins with.
    """

    def __call__(self, model: Model, state: Any, seat: int, /) -> Sequence[Option]: ...


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro-action: actions played one after another. Those of one name are the same."""

    name: str
    actions: tuple[Action, ...] = field(compare=False)

    def __str__(self) -> str:
        return self.name


Choice: TypeAlias = Macro | Option


def macro_problem(text: str) -> str | None:
    """Say what is wrong with macro-actions as text, or None."""
    if text == NONE:
        return None
    for macro in text.split(";"):
        words = macro.split("-")
        if not all(words):
            return f"macros={text} has an empty word; write up-up-up;left-left"
        if len(words) > LONGEST:
            return f"a macro-action has at most {LONGEST} actions, got {len(words)}"
    return None


def read_macros(text: str, model: Model, legal: Iterable[Action]) -> list[Macro]:
    """The macro-actions of `up-up-up;left-left;use`, with the actions that its words name.

    Raises:
        Unsupported: If a word names none of these actions, or several.
    """
    if text == NONE:
        return []
    known: dict[str, list[Action]] = {}
    for action in legal:
        for word in words_of(model, action):
            known.setdefault(word, []).append(action)
    made: list[Macro] = []
    for macro in text.split(";"):
        words = [word.strip().lower() for word in macro.split("-")]
        made.append(Macro(macro.strip(), tuple(action_named(word, known) for word in words)))
    return made


def words_of(model: Any, action: Action) -> set[str]:
    """What an action may be called: its text, its type, and where there is a grid its direction."""
    words = {str(action).lower(), model.action_type(action).lower()}
    if model.traits.objects and (step := STEPS.get(model.heading(action))):
        words.add(step)
    return words


def action_named(word: str, known: dict[str, list[Action]]) -> Action:
    found = known.get(word, [])
    if len(found) == 1:
        return found[0]
    single = sorted(name for name, actions in known.items() if len(actions) == 1)
    if found:
        problem = f"{word!r} in macros names {len(found)} actions here"
    else:
        problem = f"no action here is named {word!r}, as in macros"
    words = [name for name in single if not name.isdigit()] or single
    hint = did_you_mean(word, words, like=VERY_LIKE) or f"; use {', '.join(words)}"
    raise Unsupported(f"{problem}{hint}")


def checked_options(function: Any, found: Any) -> list[Option]:
    """What a function returned, if those are options; else BrokenAgent."""
    options = list(found) if isinstance(found, list | tuple) else [found]
    if not all(isinstance(one, Option) for one in options):
        told = f"must return a list of ludex.core.option.Option, got {in_short(found)}"
        raise BrokenAgent(f"{called_by(function)} {told}")
    return options


def can_begin(
    choice: Choice, model: Model, state: State, seat: int, legal: Sequence[Action]
) -> bool:
    """Whether something can be chosen in a state."""
    if isinstance(choice, Macro):
        return choice.actions[0] in legal
    return bool(guarded(f"option {choice.name!r}", choice.begins, model, state, seat))


@dataclass(slots=True)
class Course:
    """A macro-action or an option in progress."""

    choice: Choice
    limit: int
    """ticks after which an option ends in any case"""
    ticks: int = 0
    """that it has lasted"""

    def next_action(self, model: Model, state: State, seat: int, rng: Rng) -> Action | None:
        """The action that it plays now; None when it has ended."""
        choice = self.choice
        if isinstance(choice, Macro):
            return choice.actions[self.ticks] if self.ticks < len(choice.actions) else None
        name = f"option {choice.name!r}"
        if self.ticks >= self.limit:
            return None
        if self.ticks and guarded(name, choice.ends, model, state, seat, self.ticks):
            return None
        return guarded(name, choice.policy, model, state, seat, rng)
