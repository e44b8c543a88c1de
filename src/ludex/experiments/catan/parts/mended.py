"""Catanatron 3.2 with its known defects fixed, to show that nothing else differs.

Needs catanatron, so it is imported only where that is installed. Each defect can be mended alone;
what is changed is put back when the `with` block ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import combinations_with_replacement
from typing import Any
from unittest.mock import patch

import catanatron.models.actions as listing
import catanatron.state as rules
from catanatron.game import Game
from catanatron.models.board import STATIC_GRAPH, Board
from catanatron.models.decks import freqdeck_contains, freqdeck_from_listdeck
from catanatron.models.enums import CITY, RESOURCES, Action, ActionType
from catanatron.state_functions import buy_dev_card, player_can_play_dev, player_clean_turn

LEAST_ROAD = 5  # edges that the longest road must have


@contextmanager
def mended(*defects: str) -> Iterator[None]:
    """Play with these defects mended, or with all if none is named."""
    with ExitStack() as stack:
        for defect in defects or MENDS:
            for place, name, right in MENDS[defect]():
                stack.enter_context(patch.object(place, name, right))
        yield


Change = tuple[Any, str, Callable[..., Any]]


# The longest road


def longest_road() -> list[Change]:
    """Count roads up to others' buildings, and award the longest by the rules."""
    return [
        (Board, "build_road", measuring(Board.build_road)),
        (Board, "build_settlement", measuring(Board.build_settlement)),
        (rules, "mantain_longest_road", hand_over),
    ]


def measuring(build: Callable[..., Any]) -> Callable[..., Any]:
    """The same building, after which all roads are measured again."""

    def build_and_measure(board: Board, colour: Any, place: Any, *setup: bool) -> Any:
        holder = board.road_color
        build(board, colour, place, *setup)
        lengths = {one: road_length(board, one) for one in {*board.roads.values()}}
        board.road_lengths.update(lengths)
        board.road_color = longest_holder(lengths, holder)
        board.road_length = lengths.get(board.road_color, 0)
        return holder, board.road_color, board.road_lengths

    return build_and_measure


def road_length(board: Board, colour: Any) -> int:
    """The longest trail of a colour's edges that passes no building of another."""

    def onward(node: int, used: frozenset[frozenset[int]]) -> int:
        best = len(used)
        if used and board.is_enemy_node(node, colour):
            return best
        for neighbour in STATIC_GRAPH.neighbors(node):
            edge = frozenset((node, neighbour))
            if board.roads.get((node, neighbour)) == colour and edge not in used:
                best = max(best, onward(neighbour, used | {edge}))
        return best

    ends = {node for edge, owner in board.roads.items() if owner == colour for node in edge}
    return max(onward(node, frozenset()) for node in ends)


def longest_holder(lengths: dict[Any, int], holder: Any) -> Any:
    """Who has the longest road now, if anybody."""
    most = max(lengths.values(), default=0)
    longest = [colour for colour, length in lengths.items() if length == most]
    if most < LEAST_ROAD:
        return None
    if holder in longest:
        return holder
    return longest[0] if len(longest) == 1 else None


def hand_over(state: Any, before: Any, after: Any, lengths: Any) -> None:
    """Move the two points of the longest road, which may also be set aside."""
    for colour, length in lengths.items():
        state.player_state[f"P{state.color_to_index[colour]}_LONGEST_ROAD_LENGTH"] = length
    for colour, points in ((before, -2), (after, 2)):
        if before != after and colour is not None:
            key = f"P{state.color_to_index[colour]}"
            state.player_state[f"{key}_HAS_ROAD"] = points > 0
            state.player_state[f"{key}_VICTORY_POINTS"] += points
            state.player_state[f"{key}_ACTUAL_VICTORY_POINTS"] += points


# Cards


def fresh_cards() -> list[Change]:
    """Let no card be played in the turn in which it was bought."""
    return [
        (rules, "buy_dev_card", buy_fresh),
        (rules, "player_clean_turn", end_of_turn),
        (rules, "player_can_play_dev", has_older),
        (listing, "player_can_play_dev", has_older),
    ]


def fresh_key(state: Any, colour: Any, card: str) -> str:
    return f"P{state.color_to_index[colour]}_FRESH_{card}"


def buy_fresh(state: Any, colour: Any, card: str) -> None:
    buy_dev_card(state, colour, card)
    key = fresh_key(state, colour, card)
    state.player_state[key] = state.player_state.get(key, 0) + 1


def end_of_turn(state: Any, colour: Any) -> None:
    player_clean_turn(state, colour)
    start = fresh_key(state, colour, "")
    for key in state.player_state:
        if key.startswith(start):
            state.player_state[key] = 0


def has_older(state: Any, colour: Any, card: str) -> bool:
    held = state.player_state[f"P{state.color_to_index[colour]}_{card}_IN_HAND"]
    fresh = state.player_state.get(fresh_key(state, colour, card), 0)
    return held > fresh and bool(player_can_play_dev(state, colour, card))


def plenty() -> list[Change]:
    """List a single card of plenty only where the bank has no two."""
    return [(listing, "year_of_plenty_possibilities", list_plenty)]


def list_plenty(colour: Any, bank: list[int]) -> list[Action]:
    size = min(2, sum(bank))
    return [
        Action(colour, ActionType.PLAY_YEAR_OF_PLENTY, cards)
        for cards in combinations_with_replacement(RESOURCES, size)
        if size and freqdeck_contains(bank, freqdeck_from_listdeck(cards))
    ]


# The bank and the end


def short_bank() -> list[Change]:
    """Pay what is left of a kind to one who alone is owed it."""
    return [(rules, "yield_resources", partial(pay, rules.yield_resources))]


def pay(yield_resources: Callable[..., Any], board: Board, bank: list[int], number: int) -> Any:
    paid, short = yield_resources(board, bank, number)
    for kind in short:
        owed: Counter[Any] = Counter()
        for coordinate, tile in board.map.land_tiles.items():
            if (tile.number, tile.resource) == (number, kind) and (
                coordinate != board.robber_coordinate
            ):
                for owner, building in filter(None, map(board.buildings.get, tile.nodes.values())):
                    owed[owner] += 2 if building == CITY else 1
        if len(owed) == 1:
            index = RESOURCES.index(kind)
            paid[next(iter(owed))][index] = bank[index]
    return paid, short


def wins_off_turn() -> list[Change]:
    """Let nobody win but the one whose turn it is."""
    return [(Game, "winning_color", winner_in_turn)]


def winner_in_turn(game: Game) -> Any:
    state = game.state
    seat = state.current_turn_index
    points = state.player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"]
    return state.colors[seat] if points >= game.vps_to_win else None


MENDS: dict[str, Callable[[], list[Change]]] = {
    "longest road": longest_road,
    "fresh cards": fresh_cards,
    "plenty": plenty,
    "short bank": short_bank,
    "wins off turn": wins_off_turn,
}
"""what puts each defect right"""
