"""The rules of Hearthstone."""

from collections.abc import Hashable, Sequence
from typing import Any, Self

import ludex.core._native


class State:
    """Everything on the table."""

    def copy(self) -> State: ...

    def copy_from(self, other: State | None) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @property
    def active(self) -> int: ...

    @property
    def first(self) -> int: ...

    @property
    def turn(self) -> int: ...

    @property
    def phase(self) -> int: ...

    @property
    def winner(self) -> int: ...

    @property
    def stage(self) -> int: ...

    @property
    def prefix(self) -> int: ...

    @property
    def told_events(self) -> tuple[tuple[int, int, int], ...]:
        """What the last step did: kind, seat and card."""

    @property
    def told_lost(self) -> bool:
        """Whether the last step did more than `told_events` has room for."""

    @property
    def changed_sides(self) -> tuple[int, ...]:
        """Sides whose health, armour, mana or weapon the last step changed."""

    @property
    def offered(self) -> tuple[int, ...]:
        """Cards of an open choice."""

    def player(self, seat: int) -> dict[str, Any]:
        """The facts of one side, by name."""

class CardSet:
    """Cards as tables of numbers."""

    def __init__(self, cards: Sequence[tuple[str, str, Sequence[int]]], groups: Sequence[Sequence[int]], values: Sequence[Sequence[int]], program: Sequence[Sequence[int]], grants: Sequence[Sequence[int]], triggers: Sequence[Sequence[int]], auras: Sequence[Sequence[int]], needs: Sequence[Sequence[int]], pools: Sequence[Sequence[int]], special: Sequence[int]) -> None: ...

    def __len__(self) -> int: ...

class Glance:
    """What one seat sees, as native searches keep it."""

class FunctionPolicy:
    """A rollout policy of native code."""

class Model:
    """The hot half of the model; model.py adds the rest."""

    def __init__(self, cards: CardSet, decks: tuple[list[int], list[int]], heroes: tuple[int, int], pool: list[int], how: dict[str, int]) -> None: ...

    @property
    def meter(self) -> ludex.core._native.Meter: ...

    def metered(self, meter: ludex.core._native.Meter) -> Self: ...

    def check_state(self, state: State | None) -> None:
        """Raise ForeignState unless the state is one of this model's."""

    def check_seat(self, seat: int | None) -> None:
        """Raise NoSuchSeat unless there is this seat."""

    def to_act(self, state: State) -> tuple[int, ...]: ...

    def legal(self, state: State, seat: int) -> tuple[int, ...]: ...

    def default_action(self, state: State | None, seat: int | None) -> int: ...

    def step(self, state: State, actions: tuple[Any, ...], rng: ludex.core._native.Rng) -> State: ...

    def advance(self, state: State, actions: tuple[Any, ...], rng: ludex.core._native.Rng) -> None: ...

    def over(self, state: State | None) -> bool: ...

    def return_of(self, state: State | None, seat: int | None) -> float:
        """What the seat got; not a number while the game goes on."""

    def score(self, state: State | None, seat: int | None) -> float: ...

    def key(self, state: State, seat: int | None = None, ignore: tuple[str, ...] = ()) -> Hashable: ...

    def rollout(self, state: State, policy: Any, limit: int, rng: ludex.core._native.Rng, trace: bool = False, backtrack: bool = False, opening: Sequence[tuple[Any, ...]] = ()) -> ludex.core._native.Rollout: ...

    def play(self, state: State, sequences: Any, rng: ludex.core._native.Rng) -> list[ludex.core._native.Rollout]: ...

    def step_many(self, states: Sequence[State], actions: Sequence[tuple[Any, ...]], rng: ludex.core._native.Rng, threads: int = 1) -> list[State]: ...

    def bench(self, metric: str, seconds: float = 0.5) -> float:
        """
        Measure tick, copy_tick, copy or rollout_tick per CPU-second, in one native call.
        """

    def chance(self, state: State) -> tuple[tuple[int, float], ...]: ...

    def resolve(self, state: State, outcome: Any) -> State: ...

    def settle(self, state: State, rng: ludex.core._native.Rng) -> tuple[int, ...]: ...

    def native_refusal(self, twin: str, planner: Any, parts: dict[str, Any]) -> str | None:
        """
        Say which parameter of a planner its native search lacks; None when it has all.
        """

    def native_mcts(self, planner: Any, states: Sequence[State], iterations: int, rng: ludex.core._native.Rng, parts: dict[str, Any], even_turn: int, provable: bool, samples_chance: bool) -> ludex.core._native.SearchTree:
        """Grow the tree of `mcts`; `parts` are what the planner has resolved."""

    def prior_queue(self) -> PriorQueue:
        """A queue for nodes of one search that ask a function for their priors."""

    def native_after(self, tree: ludex.core._native.SearchTree, action: int) -> State | None:
        """The state that an action of the root leads to, if it is one."""

    def native_seeded(self, tree: ludex.core._native.SearchTree) -> int:
        """Nodes of a tree that have the priors they asked a function for."""

    def native_open_loop(self, planner: Any, source: Any, legal: Sequence[int], seat: int, iterations: int, rng: ludex.core._native.Rng, parts: dict[str, Any], kept: tuple[ludex.core._native.SearchTree, int] | None) -> ludex.core._native.SearchTree:
        """
        Grow the tree of `open_loop_mcts`; `kept`: the last tree, and the action played there.
        """

    def native_ismcts(self, planner: Any, source: Any, legal: Sequence[int], seat: int, is_hidden: bool, iterations: int, rng: ludex.core._native.Rng, parts: dict[str, Any]) -> ludex.core._native.SearchTree:
        """Grow the tree of `ismcts`."""

    def native_place(self, state: State | None, seat: int | None) -> tuple[int, int]:
        """
        Where a seat is: its avatar's cell, or a hash of the state where there are no avatars.
        """

    def native_olets(self, planner: Any, source: Any, legal: Sequence[int], seat: int, iterations: int, rng: ludex.core._native.Rng, taboo: Sequence[tuple[int, int]], kept: tuple[ludex.core._native.SearchTree, Sequence[int]] | None) -> ludex.core._native.SearchTree:
        """
        Grow the tree of `olets`; `kept`: the last tree, which is left empty, and the actions played since.
        """

    def native_rhea(self, planner: Any, stage: Any, source: Any, seeds: Any, legal: Sequence[int], seat: int, budget: Any, iterations: int, rng: ludex.core._native.Rng, kept: tuple[ludex.core._native.EvolvedSequences, tuple[int, ...], bool] | None) -> ludex.core._native.EvolvedSequences:
        """
        Evolve the sequences of `rhea`; `kept`: those of the last decision, the actions played since, and whether their statistics still count.
        """

    def native_random_search(self, stage: Any, source: Any, legal: Sequence[int], seat: int, iterations: int, rng: ludex.core._native.Rng, mutant_rate: float | None) -> ludex.core._native.EvolvedSequences:
        """Try the sequences of `random_search`, or mutants of a first one."""

    def native_forward(self, planner: Any, state: State, seat: int, iterations: int, rng: ludex.core._native.Rng, visited: dict[bytes, int], parts: dict[str, Any]) -> ludex.core._native.StateSearch:
        """
        Search through states by the order of a planner; `visited`: how often real states were met.
        """

    def native_key(self, state: State, ignore: tuple[str, ...] = ()) -> bytes:
        """A short key, equal for states that are the same but for `ignore`."""

    def first_state(self, rng: ludex.core._native.Rng) -> State: ...

    def masked(self, state: State | None, seat: int | None) -> bytes: ...

    def unseen(self, state: State, seat: int) -> tuple[int, ...]: ...

    def seen_state(self, seen: bytes, seat: int | None) -> State:
        """
        What a view shows, as a state with gaps: for players that look no further.
        """

    @property
    def owner(self) -> int:
        """
        The tag of these rules: the same for the same cards, decks and options.
        """

    def imagined(self, seen: bytes, unseen: Sequence[int], seat: int, rng: ludex.core._native.Rng) -> State: ...

    def glance(self, seen: bytes, unseen: Sequence[int], seat: int) -> Glance:
        """What a seat sees, for native searches."""

    def view_key(self, state: State | None, seat: int | None) -> bytes:
        """What a seat sees, as bytes."""

    def parse(self, text: str) -> State | None: ...

    def consistent(self, state: State | None) -> bool: ...

    def built(self, position: dict[str, Any]) -> State:
        """A state from a described position."""

    def described(self, state: State) -> dict[str, Any]:
        """All that can be said of a state, with costs and who may attack."""

    def flat_legal(self, state: State | None) -> list[int]: ...

    def apply_flat(self, state: State | None, action: int, rng: ludex.core._native.Rng) -> None:
        """Apply a whole action in place, whatever the stages of this world are."""

class PriorQueue:
    """Nodes of a native search that ask for their priors."""

    def __init__(self) -> None: ...

    def take(self, most: int, longest_ms: int) -> list[tuple[int, State, int, tuple[int, ...]]]:
        """Requests: number, state, seat, legal actions."""

    def answer(self, number: int, priors: Sequence[float]) -> None:
        """The priors of a request's legal actions, normalised."""

    def close(self) -> None:
        """Ask for no more."""

    @property
    def closed(self) -> bool: ...

    @property
    def asked(self) -> int:
        """Nodes that asked."""

def pack(kind: int, source: int = 0, option: int = 0, target: int = 0, place: int = 0) -> int: ...

def unpack(action: int) -> tuple[int, int, int, int, int]: ...

def seen_state(seen: bytes) -> State:
    """What a view shows, as a state with gaps."""
