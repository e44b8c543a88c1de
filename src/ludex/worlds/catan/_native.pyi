"""The rules of Settlers of Catan."""

from collections.abc import Hashable, Sequence
from typing import Any, Self

import ludex.core._native


MAX_LEGAL: int = 3800

HEXES: int = 19

NODES: int = 54

EDGES: int = 72

def corners() -> list[list[int]]:
    """The six nodes of each hex, clockwise."""

def ends() -> list[list[int]]:
    """The two nodes of each edge."""

def harbour_edges() -> list[int]:
    """The edge of each harbour."""

def node_places() -> list[tuple[int, int]]:
    """Places of the nodes on a lattice."""

def hex_places() -> list[tuple[int, int]]:
    """Places of the hexes on the same lattice."""

def bundles() -> list[tuple[int, int, int, int, int]]:
    """Sets of one to three cards; offers name them by place."""

def trade_space(trades: int) -> int:
    """How many unlike trades a space has with one partner."""

class State:
    """A position, its board included."""

    def copy(self) -> State: ...

    def copy_from(self, other: State | None) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __str__(self) -> str: ...

    def compact(self) -> str:
        """The short text that hashes are made of."""

    def __repr__(self) -> str: ...

    @property
    def last_events(self) -> tuple[Any, ...]: ...

    @property
    def terrain(self) -> list[int]:
        """Of each hex; 5 is the desert."""

    @property
    def number(self) -> list[int]:
        """Of each hex; 0 on the desert."""

    @property
    def harbour(self) -> list[int]:
        """Kinds; 5 stands for 3:1."""

    @property
    def robber(self) -> int:
        """The hex it stands on."""

    @property
    def bank(self) -> tuple[int, int, int, int, int]:
        """Zeros where it is endless."""

    @property
    def endless(self) -> bool:
        """Whether the bank is."""

    @property
    def deck(self) -> tuple[int, int, int, int, int]:
        """Cards left, by kind."""

    @property
    def deck_size(self) -> int:
        """Cards left."""

    @property
    def turn(self) -> int:
        """Of all seats, from 0."""

    @property
    def current(self) -> int:
        """Whose turn it is."""

    @property
    def acting(self) -> int:
        """Who decides."""

    @property
    def phase(self) -> str:
        """What is being done."""

    @property
    def rolled(self) -> bool:
        """In this turn."""

    @property
    def card_played(self) -> bool:
        """In this turn."""

    @property
    def offers(self) -> int:
        """Made in this turn, if limited."""

    @property
    def free_roads(self) -> int:
        """Left to be placed."""

    @property
    def quota(self) -> int:
        """Cards still to be discarded."""

    @property
    def offer(self) -> int:
        """The action being answered, or 0."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def winner(self) -> int | None: ...

    @property
    def victim(self) -> int | None: ...

    @property
    def road_holder(self) -> int | None: ...

    @property
    def army_holder(self) -> int | None: ...

    @property
    def last_node(self) -> int | None:
        """Where the road of the set-up must begin."""

    def hand(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Resource cards by kind."""

    def laid(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Being discarded."""

    def laid_size(self, seat: int | None) -> int:
        """Cards of it."""

    def size(self, seat: int | None) -> int:
        """Resource cards."""

    def held(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Cards of earlier turns."""

    def fresh(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Bought this turn."""

    def played(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Face up."""

    def held_size(self, seat: int | None) -> int:
        """Cards of it."""

    def fresh_size(self, seat: int | None) -> int:
        """Cards of it."""

    def roads_left(self, seat: int | None) -> int:
        """Pieces."""

    def settlements_left(self, seat: int | None) -> int:
        """Pieces."""

    def cities_left(self, seat: int | None) -> int:
        """Pieces."""

    def longest(self, seat: int | None) -> int:
        """Length of its road."""

    def harbours(self, seat: int | None) -> int:
        """Bits; 5 for 3:1."""

    def roads(self, seat: int) -> tuple[int, ...]: ...

    def settlements(self, seat: int) -> tuple[int, ...]: ...

    def cities(self, seat: int) -> tuple[int, ...]: ...

    def rates(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Cards of each kind that the bank takes for one."""

    def visible_points(self, seat: int | None) -> int:
        """Points that all can see."""

    def points(self, seat: int | None) -> int:
        """With victory point cards as far as they are known."""

    def road_sites(self, seat: int) -> tuple[int, ...]:
        """Edges where the seat's network may go on."""

    def longest_with(self, seat: int | None, edges: Sequence[int]) -> int:
        """The length of the seat's road if it had these edges, too."""

    def free_nodes(self) -> tuple[int, ...]:
        """Nodes where the distance rule allows a settlement."""

class Seen:
    """What one seat sees of a position."""

    def copy(self) -> Seen: ...

    def copy_from(self, other: Seen | None) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    @property
    def seat(self) -> int: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    @property
    def terrain(self) -> list[int]:
        """Of each hex; 5 is the desert."""

    @property
    def number(self) -> list[int]:
        """Of each hex; 0 on the desert."""

    @property
    def harbour(self) -> list[int]:
        """Kinds; 5 stands for 3:1."""

    @property
    def robber(self) -> int:
        """The hex it stands on."""

    @property
    def bank(self) -> tuple[int, int, int, int, int]:
        """Zeros where it is endless."""

    @property
    def endless(self) -> bool:
        """Whether the bank is."""

    @property
    def deck(self) -> tuple[int, int, int, int, int]:
        """Cards left, by kind."""

    @property
    def deck_size(self) -> int:
        """Cards left."""

    @property
    def turn(self) -> int:
        """Of all seats, from 0."""

    @property
    def current(self) -> int:
        """Whose turn it is."""

    @property
    def acting(self) -> int:
        """Who decides."""

    @property
    def phase(self) -> str:
        """What is being done."""

    @property
    def rolled(self) -> bool:
        """In this turn."""

    @property
    def card_played(self) -> bool:
        """In this turn."""

    @property
    def offers(self) -> int:
        """Made in this turn, if limited."""

    @property
    def free_roads(self) -> int:
        """Left to be placed."""

    @property
    def quota(self) -> int:
        """Cards still to be discarded."""

    @property
    def offer(self) -> int:
        """The action being answered, or 0."""

    @property
    def seats(self) -> int:
        """How many play."""

    @property
    def winner(self) -> int | None: ...

    @property
    def victim(self) -> int | None: ...

    @property
    def road_holder(self) -> int | None: ...

    @property
    def army_holder(self) -> int | None: ...

    @property
    def last_node(self) -> int | None:
        """Where the road of the set-up must begin."""

    def hand(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Resource cards by kind."""

    def laid(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Being discarded."""

    def laid_size(self, seat: int | None) -> int:
        """Cards of it."""

    def size(self, seat: int | None) -> int:
        """Resource cards."""

    def held(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Cards of earlier turns."""

    def fresh(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Bought this turn."""

    def played(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Face up."""

    def held_size(self, seat: int | None) -> int:
        """Cards of it."""

    def fresh_size(self, seat: int | None) -> int:
        """Cards of it."""

    def roads_left(self, seat: int | None) -> int:
        """Pieces."""

    def settlements_left(self, seat: int | None) -> int:
        """Pieces."""

    def cities_left(self, seat: int | None) -> int:
        """Pieces."""

    def longest(self, seat: int | None) -> int:
        """Length of its road."""

    def harbours(self, seat: int | None) -> int:
        """Bits; 5 for 3:1."""

    def roads(self, seat: int) -> tuple[int, ...]: ...

    def settlements(self, seat: int) -> tuple[int, ...]: ...

    def cities(self, seat: int) -> tuple[int, ...]: ...

    def rates(self, seat: int | None) -> tuple[int, int, int, int, int]:
        """Cards of each kind that the bank takes for one."""

    def visible_points(self, seat: int | None) -> int:
        """Points that all can see."""

    def points(self, seat: int | None) -> int:
        """With victory point cards as far as they are known."""

    def road_sites(self, seat: int) -> tuple[int, ...]:
        """Edges where the seat's network may go on."""

    def longest_with(self, seat: int | None, edges: Sequence[int]) -> int:
        """The length of the seat's road if it had these edges, too."""

    def free_nodes(self) -> tuple[int, ...]:
        """Nodes where the distance rule allows a settlement."""

class FunctionPolicy:
    """A rollout policy of native code."""

class Model:
    """The hot half of the model; model.py adds the rest."""

    def __init__(self, players: int, points: int, finite_bank: bool, board: int, numbers: int, trades: int, offers: int, sight: int, any_card_early: bool, turns: int, exchanges: bool, owner: int = 3) -> None:
        """`owner` names the game whose states these rules play."""

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

    def choose(self, state: State, policy: str, rng: ludex.core._native.Rng) -> int:
        """Draw an action as a rollout by this policy does."""

    def probabilities(self, state: State, seat: int, policy: str) -> list[float]:
        """How likely a policy is to take each of a seat's legal actions."""

    def bench_games(self, policy: str, seconds: float = 0.5) -> float:
        """Measure whole games per CPU-second."""

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

    def start(self, rng: ludex.core._native.Rng) -> State: ...

    def parse(self, text: str) -> State:
        """Read a state; ValueError says what is wrong with it."""

    def contradiction(self, state: State) -> str | None:
        """What the rules forbid about a state, or None."""

    def consistent(self, state: State | None) -> bool:
        """Whether the facts of a state agree with each other."""

    def look(self, state: State | None, seat: int | None) -> Seen:
        """What a seat sees."""

    def complete(self, seen: Seen, rng: ludex.core._native.Rng) -> State:
        """A complete state that looks like this."""

    def own_glance(self, seen: Seen) -> Seen:
        """
        What was seen, if it was seen in a game of these rules; for native searches.
        """

    def key_without(self, state: State | None, names: Sequence[str]) -> bytes:
        """The bytes of a state without its turn or its offers."""

    def is_legal(self, state: State | None, seat: int | None, action: int) -> bool: ...

    def profile(self, policy: str, games: int, as_source: bool, rng: ludex.core._native.Rng, one_board: bool = False) -> dict[str, Any]:
        """Play games and count steps, choices and legal types."""

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
