"""The VGDL engine."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy
import numpy.typing

import ludex.core._native


class State:
    """The sprites, scores and timers of a game."""

    def copy(self) -> State: ...

    def copy_from(self, other: State | None) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def to_bytes(self) -> bytes: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def tick(self) -> int:
        """Ticks played."""

    @property
    def over(self) -> bool: ...

    @property
    def ended_by(self) -> int:
        """The number of the termination that was met; below 0: something else."""

    @property
    def messages(self) -> int:
        """What the reference would have logged."""

    @property
    def bytes_used(self) -> int: ...

    @property
    def timers(self) -> list[tuple[int, int, int]]:
        """(due tick, rule, type or -1)"""

    @property
    def scores(self) -> list[float]: ...

    @property
    def winners(self) -> list[int]:
        """Per player 0: undecided, 1: has won, 2: has lost."""

    @property
    def meetings(self) -> list[tuple[int, bool, int, int, int, int, int, int]]:
        """
        Of the last tick: tick, by what an avatar made, types and ids (passive, active), x, y.
        """

    @property
    def counters(self) -> list[int]: ...

class ReferenceDice:
    """The generator of the Java framework."""

    def __init__(self, seed: int) -> None: ...

    def below(self, n: int) -> int: ...

    def real(self) -> float: ...

    def single(self) -> float: ...

class Level:
    """A game on a level; built once, shared by all models of it."""

    def __init__(self, game: str, level: str) -> None:
        """
        Read both in the form that native_text.py writes; ValueError says what is wrong.
        """

    def __getstate__(self) -> tuple[str, str]: ...

    def __setstate__(self, arg: tuple[str, str], /) -> None: ...

    def start(self) -> State: ...

    @property
    def block(self) -> int:
        """Pixels of a cell."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def settled(self) -> list[int]:
        """
        Types whose sprites are not in the state, but for a bit each where they can die.
        """

    def sprites(self, state: State) -> list[tuple[int, int, int, int, int, int, float, float, float, int, bool]]:
        """
        (type, id, x, y, w, h, orientation x, y, speed, health, disabled) of every sprite.
        """

    def rotations(self, state: State) -> list[tuple[int, int, float]]:
        """
        (id, type, angle in radians) of every sprite with an angle; few steer by it.
        """

    def census(self, state: State) -> list[tuple[int, int, int, int, int, float, float, float, int, bool]]:
        """What traces tell of every sprite: all of `sprites` but the ids."""

    def avatar(self, state: State, seat: int) -> tuple[int, int, int, float, float, float, int, int, bool, dict[int, int]] | None:
        """
        (type, x, y, orientation x, y, speed, health, most health, disabled, resources).
        """

    def cells(self, state: State) -> tuple[tuple[int, int], ...]:
        """
        The column and row of every player's avatar; (-1, -1) for one that is gone.
        """

    def facts(self, state: State) -> list[int]:
        """
        A number for each fact: a type in a cell, a settled sprite gone, what avatars hold.
        """

    def counts(self, state: State) -> list[int]:
        """
        How many sprites of each type there are, without those of its children.
        """

    def key(self, state: State | None, ignore: int = 0) -> bytes:
        """
        The state as bytes; bits leave out 1 scores, 2 tick, 4 orientation of avatars, 8 ids.
        """

class Observer:
    """What seats may see of the states of one level."""

    def __init__(self, level: Level, colours: Sequence[Sequence[int]], width: int = 0, height: int = 0, cell: int = 10, objects: int = 512) -> None:
        """
        Colours are by type; planes and pixels have at least this width and height in cells.
        """

    @property
    def channels(self) -> list[int]:
        """The type of each plane."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    def is_hidden(self, type: int, seat: int) -> bool: ...

    def is_drawn(self, type: int, seat: int) -> bool:
        """Whether pictures for a seat show the type; seat -1 is a spectator."""

    def sights(self, state: State | None, seat: int) -> bytes:
        """
        Rows of seven int32: category, type, id, x, y, width, height of all the seat sees.
        """

    def fill(self, form: str, state: State, seat: int, out: numpy.typing.NDArray[Any]) -> None:
        """
        Fill an array with what the seat sees: grid, pixels, objects, avatar or resources.
        """

class Batch:
    """Many games of one player, a tick in each with one call."""

    def __init__(self, level: Level, observer: Observer, actions: Sequence[int], max_ticks: int, by_score: bool, threads: int, rewards: numpy.typing.NDArray[numpy.float64], standings: numpy.typing.NDArray[numpy.uint8], replaced: numpy.typing.NDArray[numpy.uint8], masks: numpy.typing.NDArray[numpy.int8], observations: Mapping[str, numpy.typing.NDArray[Any]]) -> None:
        """
        The arrays have one row for each game, and are filled again by every step. Standings: 0 goes on, 1 terminated, 2 truncated.
        """

    def reset(self, game: int, steps: ludex.core._native.Rng) -> None:
        """
        Begin a game anew and observe it; its tick n draws from `steps.fork(n)`.
        """

    def step(self, actions: numpy.typing.NDArray[numpy.int64], skipped: numpy.typing.NDArray[numpy.uint8]) -> None:
        """
        Play a tick in each game but those skipped and fill the arrays; the lock is let go.
        """

    def state(self, game: int) -> State:
        """A copy of a game's state."""

class FunctionPolicy:
    """A rollout policy of native code."""

class Model:
    """The hot half of the model; model.py adds the rest."""

    def __init__(self, level: Level) -> None: ...

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

    def distances(self, state: State, seat: int, kinds: Sequence[int]) -> list[float | None]:
        """
        From the seat's avatar to the nearest sprite of each type that it may see, between upper left corners, as a part of the level's diagonal; None where there is none.
        """

    def whereabouts(self, state: State, kind: int, number: int) -> tuple[int, int] | None:
        """The cell of a sprite, by its type and id; None when it is gone."""

    def advance_reference(self, state: State | None, actions: Sequence[int], dice: ReferenceDice) -> None:
        """
        Play a tick with the reference's generator, draw for draw; not counted.
        """

    def play_reference(self, state: State | None, dice: ReferenceDice, rng: ludex.core._native.Rng, limit: int) -> int:
        """
        Play random actions in place, with the reference's generator for all else; returns the ticks.
        """

    def read(self, bytes: bytes) -> State:
        """
        Read what `State.to_bytes` wrote; ValueError when it is not of this level.
        """

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
