"""Conversion of positions and actions between Ludex and catanatron.

Needs catanatron, so it is imported only where that is installed. Their colours sit in the order
of our seats, and their places are found by where they lie: a cube coordinate (x, y, z) is at
(x - y, 3 z) of our lattice.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from catanatron.game import Game
from catanatron.models.board import Board
from catanatron.models.coordinate_system import Direction
from catanatron.models.enums import (
    CITY,
    ROAD,
    SETTLEMENT,
    Action,
    ActionPrompt,
    ActionType,
)
from catanatron.models.map import (
    BASE_MAP_TEMPLATE,
    PORT_DIRECTION_TO_NODEREFS,
    CatanMap,
    LandTile,
    MapTemplate,
    NodeRef,
    Port,
    Water,
    initialize_tiles,
)
from catanatron.models.player import Color, RandomPlayer
from catanatron.state import State

from ludex.core.rng import Rng
from ludex.worlds.catan.values import (
    CORNERS,
    DESERT,
    ENDS,
    HARBOUR_EDGES,
    HEX_PLACES,
    NO_KIND,
    POINT,
    argument_of,
    robber_of,
    trade_of,
    type_of,
)

COLOURS = tuple(Color)
KINDS = ("BRICK", "ORE", "SHEEP", "WHEAT", "WOOD")
"""their names of our kinds, in our order"""
KINDS_THERE = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")
CARDS = ("KNIGHT", "MONOPOLY", "YEAR_OF_PLENTY", "ROAD_BUILDING", "VICTORY_POINT")
PLENTIFUL = 95  # cards of each kind in a bank that never runs out
NOBODY: Mapping[int, Any] = {}
ROUND_A_HEX = (
    NodeRef.NORTH,
    NodeRef.NORTHEAST,
    NodeRef.SOUTHEAST,
    NodeRef.SOUTH,
    NodeRef.SOUTHWEST,
    NodeRef.NORTHWEST,
)
PROMPTS = {
    "setup_settlement": ActionPrompt.BUILD_INITIAL_SETTLEMENT,
    "setup_road": ActionPrompt.BUILD_INITIAL_ROAD,
    "discard": ActionPrompt.DISCARD,
    "robber": ActionPrompt.MOVE_ROBBER,
}
"""of our phases; all others belong to a turn"""
PLAIN = {
    "roll": ActionType.ROLL,
    "end": ActionType.END_TURN,
    "buy": ActionType.BUY_DEVELOPMENT_CARD,
    "knight": ActionType.PLAY_KNIGHT_CARD,
    "roads": ActionType.PLAY_ROAD_BUILDING,
    "discard": ActionType.DISCARD,
}
"""actions that name nothing there: a knight moves its robber, and a discard draws cards, later"""


@contextmanager
def own_dice(rng: Rng) -> Iterator[None]:
    """Seed Python's global generator, which catanatron uses, from our generator."""
    before = random.getstate()
    random.seed(rng.below(1 << 30))
    try:
        yield
    finally:
        random.setstate(before)


# Places


def coordinate_of(hexagon: int) -> tuple[int, int, int]:
    """Where one of our hexes lies in cube coordinates."""
    across, down = HEX_PLACES[hexagon]
    z = down // 3
    return (across - z) // 2, (-across - z) // 2, z


COORDINATES = tuple(coordinate_of(hexagon) for hexagon in range(len(HEX_PLACES)))


@cache
def standard_tiles() -> dict[Any, Any]:
    """Land and water with the numbers of their nodes, which are those of every standard map."""
    with own_dice(Rng(0)):
        return dict(initialize_tiles(BASE_MAP_TEMPLATE))


@cache
def nodes() -> tuple[int, ...]:
    """Their number of each of our nodes."""
    found: dict[int, int] = {}
    for hexagon, coordinate in enumerate(COORDINATES):
        tile = standard_tiles()[coordinate]
        for node, corner in zip(CORNERS[hexagon], ROUND_A_HEX, strict=True):
            found[node] = tile.nodes[corner]
    return tuple(found[node] for node in range(len(found)))


@cache
def edges() -> tuple[tuple[int, int], ...]:
    """Their name of each of our edges: both nodes, the smaller first."""
    ends = [sorted((nodes()[a], nodes()[b])) for a, b in ENDS]
    return tuple((first, second) for first, second in ends)


@cache
def harbour_places() -> tuple[tuple[Any, Direction], ...]:
    """The water that each of our harbours lies in, and where its land is from there."""
    sides = {
        frozenset(tile.nodes[corner] for corner in corners): (coordinate, direction)
        for coordinate, tile in standard_tiles().items()
        if not isinstance(tile, LandTile)
        for direction, corners in PORT_DIRECTION_TO_NODEREFS.items()
    }
    return tuple(sides[frozenset(edges()[edge])] for edge in HARBOUR_EDGES)


@lru_cache(maxsize=64)
def map_of(terrain: tuple[int, ...], number: tuple[int, ...], harbour: tuple[int, ...]) -> CatanMap:
    """The board of a game; their lists are dealt from the end."""
    ports = {
        place: (direction, kind)
        for (place, direction), kind in zip(harbour_places(), harbour, strict=True)
    }
    topology: dict[Any, Any] = {}
    lands, numbers, port_kinds = [], [], []
    for coordinate, tile in BASE_MAP_TEMPLATE.topology.items():
        if tile is LandTile:
            hexagon = COORDINATES.index(coordinate)
            topology[coordinate] = LandTile
            lands.append(kind_there(terrain[hexagon]))
            if number[hexagon]:
                numbers.append(number[hexagon])
        elif coordinate in ports:
            direction, kind = ports[coordinate]
            topology[coordinate] = (Port, direction)
            port_kinds.append(kind_there(kind))
        else:
            topology[coordinate] = Water
    template = MapTemplate(numbers, port_kinds, lands, topology)
    tiles = initialize_tiles(template, numbers[::-1], port_kinds[::-1], lands[::-1])
    return CatanMap.from_tiles(tiles)


def kind_there(kind: int) -> str | None:
    return None if kind == DESERT else KINDS[kind]


# Positions


def game_of(table: Any, points: int, rng: Rng, bots: Mapping[int, Any] = NOBODY) -> Game:
    """Convert a complete position to a catanatron game; seats without a bot play at random.

    The pile is shuffled, as ours has no order.
    """
    game = Game([], initialize=False)
    game.seed, game.id, game.vps_to_win = 0, "ludex", points
    game.state = state_of(table, rng)
    game.state.players = [
        bots.get(seat) or RandomPlayer(colour) for seat, colour in enumerate(game.state.colors)
    ]
    return game


def state_of(table: Any, rng: Rng) -> State:
    state = State([], initialize=False)
    colours = COLOURS[: table.seats]
    state.colors = colours
    state.color_to_index = {colour: seat for seat, colour in enumerate(colours)}
    state.discard_limit = 7
    state.board = board_of(table)
    state.player_state = {
        f"P{seat}_{key}": value
        for seat in range(table.seats)
        for key, value in facts_of(table, seat).items()
    }
    state.resource_freqdeck = [
        PLENTIFUL if table.endless else table.bank[KINDS.index(kind)] for kind in KINDS_THERE
    ]
    pile = [card for card, count in zip(CARDS, table.deck, strict=True) for _ in range(count)]
    rng.shuffle(pile)
    state.development_listdeck = pile
    state.buildings_by_color = {
        colour: pieces_of(table, seat) for seat, colour in enumerate(colours)
    }
    state.actions = []
    state.num_turns = table.turn
    state.current_player_index, state.current_turn_index = table.acting, table.current
    state.current_prompt = PROMPTS.get(table.phase, ActionPrompt.PLAY_TURN)
    state.is_initial_build_phase = table.phase.startswith("setup")
    state.is_discarding = table.phase == "discard"
    state.is_moving_knight = table.phase == "robber"
    state.is_road_building = table.phase == "free_road"
    state.free_roads_available = table.free_roads
    state.playable_actions = []
    return state


def facts_of(table: Any, seat: int) -> dict[str, Any]:
    """What their state says of one player."""
    mine = seat == table.current
    facts = {
        "VICTORY_POINTS": table.visible_points(seat),
        "ACTUAL_VICTORY_POINTS": table.points(seat),
        "ROADS_AVAILABLE": table.roads_left(seat),
        "SETTLEMENTS_AVAILABLE": table.settlements_left(seat),
        "CITIES_AVAILABLE": table.cities_left(seat),
        "HAS_ROAD": table.road_holder == seat,
        "HAS_ARMY": table.army_holder == seat,
        "HAS_ROLLED": mine and table.rolled,
        "HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN": mine and table.card_played,
        "LONGEST_ROAD_LENGTH": table.longest(seat),
    }
    for kind, name in enumerate(KINDS):
        facts[f"{name}_IN_HAND"] = table.hand(seat)[kind]
    for card, name in enumerate(CARDS):
        facts[f"{name}_IN_HAND"] = table.held(seat)[card] + table.fresh(seat)[card]
        facts[f"PLAYED_{name}"] = 0 if card == POINT else table.played(seat)[card]
    return facts


def pieces_of(table: Any, seat: int) -> dict[str, list[Any]]:
    """Where a player has built; the settlement of the set-up that wants a road comes last."""
    settlements = sorted(table.settlements(seat), key=lambda node: node == table.last_node)
    found: dict[str, list[Any]] = defaultdict(list)
    found[SETTLEMENT] = [nodes()[node] for node in settlements]
    found[CITY] = [nodes()[node] for node in table.cities(seat)]
    found[ROAD] = [edges()[edge] for edge in table.roads(seat)]
    return found


def board_of(table: Any) -> Board:
    board = Board(map_of(tuple(table.terrain), tuple(table.number), tuple(table.harbour)))
    for seat, colour in enumerate(COLOURS[: table.seats]):
        pieces = pieces_of(table, seat)
        for piece in (SETTLEMENT, CITY):
            board.buildings |= dict.fromkeys(pieces[piece], (colour, piece))
        for first, second in pieces[ROAD]:
            board.roads[first, second] = board.roads[second, first] = colour
        board.road_lengths[colour] = table.longest(seat)
    for seat, colour in enumerate(COLOURS[: table.seats]):
        board.connected_components[colour] = components_of(board, table, seat)
    board.board_buildable_ids = {nodes()[node] for node in table.free_nodes()}
    board.robber_coordinate = COORDINATES[table.robber]
    if table.road_holder is not None:
        board.road_color = COLOURS[table.road_holder]
        board.road_length = table.longest(table.road_holder)
    return board


def components_of(board: Board, table: Any, seat: int) -> list[set[int]]:
    """The parts of a player's network, which others' buildings cut."""
    pieces = pieces_of(table, seat)
    ends = {node for edge in pieces[ROAD] for node in edge}
    found: list[set[int]] = []
    for node in sorted(ends | {*pieces[SETTLEMENT], *pieces[CITY]}):
        if board.is_enemy_node(node, COLOURS[seat]) or any(node in one for one in found):
            continue
        found.append(board.bfs_walk(node, COLOURS[seat]))
    return found


# Actions


def action_there(action: int, seat: int) -> Action:
    """One of our actions as they write it; of a knight only that it is played."""
    colour, kind, argument = COLOURS[seat], type_of(action), argument_of(action)
    match kind:
        case "settlement":
            return Action(colour, ActionType.BUILD_SETTLEMENT, nodes()[argument])
        case "city":
            return Action(colour, ActionType.BUILD_CITY, nodes()[argument])
        case "road":
            return Action(colour, ActionType.BUILD_ROAD, edges()[argument])
        case "robber":
            return robber_there(action, seat)
        case "plenty":
            taken = [KINDS[one] for one in (argument >> 3, argument & 7) if one != NO_KIND]
            named = tuple(sorted(taken, key=KINDS_THERE.index))
            return Action(colour, ActionType.PLAY_YEAR_OF_PLENTY, named)
        case "monopoly":
            return Action(colour, ActionType.PLAY_MONOPOLY, KINDS[argument])
        case "trade":
            give, want, rate = trade_of(action)
            given = [KINDS[give]] * rate + [None] * (4 - rate)
            return Action(colour, ActionType.MARITIME_TRADE, (*given, KINDS[want]))
    return Action(colour, PLAIN[kind], None)


def robber_there(action: int, seat: int) -> Action:
    """Where a robber, also a knight's, goes and whom it robs."""
    hexagon, victim = robber_of(action)
    robbed = None if victim is None else COLOURS[victim]
    return Action(COLOURS[seat], ActionType.MOVE_ROBBER, (COORDINATES[hexagon], robbed, None))
