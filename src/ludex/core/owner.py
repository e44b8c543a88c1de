"""Ownership of states: how models written in Python refuse states of other rules.

A state that rules have looked at carries their mark, so that looking again costs a comparison.
Native models keep a tag in the state instead (core/native/owner.hpp).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ludex.core.view import check_view

SIMPLE = (bool, int, float, str, bytes, type(None))

OF_A_STATE = ("to_act", "over", "outcome", "chance", "avatars", "features")
"""methods that are asked about a state"""
OF_A_SEAT = ("legal", "default_action", "score", "view", "distance")
"""methods that are asked about a state and a seat"""


class Owner:
    """The mark of rules: what they were made of, where that are plain values.

    Rules made of other things, as learned models are, are not told apart by their marks.
    """

    __slots__ = ("rules",)

    def __init__(self, state: type | None, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        options = (*args, *sorted(named.items()))
        # By the class of the states: rules that vary others play the others' states.
        self.rules = (state, options) if state is not None and is_plain(options) else None

    def allows(self, other: object) -> bool:
        """Whether a state with another mark may be of the same rules."""
        theirs = other.rules if isinstance(other, Owner) else None
        return theirs is None or self.rules is None or theirs == self.rules


def is_plain(value: object) -> bool:
    """Whether a value is made of numbers and text alone."""
    if isinstance(value, tuple | list | frozenset):
        return all(map(is_plain, value))
    return isinstance(value, SIMPLE)


def annotated_state(cls: type) -> type | None:
    """The class that `to_act` says its states are, where it says so."""
    rule = vars(cls).get("to_act")
    given = getattr(rule, "__annotations__", {}).get("state")
    found = rule.__globals__.get(given) if isinstance(given, str) and rule else given
    return found if isinstance(found, type) and found is not object else None


def guard(cls: type) -> None:
    """Put a look at the state and the seat before the rules of a class."""
    guards = (
        (OF_A_STATE, of_a_state),
        (OF_A_SEAT, of_a_seat),
        (("events",), of_any_seat),
        (("key",), of_a_key),
        (("imagine",), of_a_view),
    )
    for names, guarded in guards:
        for name in names:
            rule = getattr(cls, name)
            if not hasattr(rule, "unguarded") and not hasattr(rule, "__isabstractmethod__"):
                setattr(cls, name, with_own_code(guarded(rule)))
                setattr(cls, f"_own_{name}", rule)  # for calls about states that were looked at


def with_own_code(guarded: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function a copy of its code: the interpreter learns from its calls how to be quick."""
    guarded.__code__ = guarded.__code__.replace()
    return guarded


def of_a_state(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def guarded(self: Any, state: Any) -> Any:
        try:
            if state._owner is not self._rules:
                self.check_state(state)
        except AttributeError:  # no mark yet, or no state at all
            self.check_state(state)
        return rule(self, state)

    guarded.unguarded = rule  # type: ignore[attr-defined]  # a mark
    return guarded


def of_a_seat(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def guarded(self: Any, state: Any, seat: int) -> Any:
        try:
            if state._owner is not self._rules:
                self.check_state(state)
        except AttributeError:  # no mark yet, or no state at all
            self.check_state(state)
        if seat.__class__ is not int or not 0 <= seat < self.traits.seats:
            self.check_seat(seat)
        return rule(self, state, seat)

    guarded.unguarded = rule  # type: ignore[attr-defined]  # a mark
    return guarded


def of_any_seat(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def guarded(self: Any, state: Any, seat: int | None = None) -> Any:
        self.check_state(state)
        if seat is not None:
            self.check_seat(seat)
        return rule(self, state, seat)

    guarded.unguarded = rule  # type: ignore[attr-defined]  # a mark
    return guarded


def of_a_key(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def guarded(
        self: Any, state: Any, seat: int | None = None, ignore: tuple[str, ...] = ()
    ) -> Any:
        self.check_state(state)
        if seat is not None:
            self.check_seat(seat)
        return rule(self, state, seat, ignore)

    guarded.unguarded = rule  # type: ignore[attr-defined]  # a mark
    return guarded


def of_a_view(rule: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(rule)
    def guarded(self: Any, view: Any, rng: Any) -> Any:
        check_view(view, self.view_type)
        state = rule(self, view, rng)
        self.adopt(state)
        return state

    guarded.unguarded = rule  # type: ignore[attr-defined]  # a mark
    return guarded
