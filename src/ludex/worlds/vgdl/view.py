"""What a player sees of a VGDL game: everything the reference tells its agents, and no more.

A view costs next to nothing until it is asked. `hidden` sprites are in none of its answers;
`invisible` ones are, but are not drawn.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.object_list import NOBODY, GameObject, ObjectListView
from ludex.core.objects import Category
from ludex.core.other_seats import OtherSeat
from ludex.core.outcome import Outcome
from ludex.core.pixels import PixelView
from ludex.core.tiles import MOST_KINDS, Tiles, TileView, acts_of
from ludex.core.view import History
from ludex.worlds.vgdl._native import State
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.scene import FACINGS, Scene
from ludex.worlds.vgdl.sensor import CELL, Sensor

Place: TypeAlias = tuple[float, float]
"""x and y in pixels"""
NOWHERE = (-1, -1)

SIGHT = np.dtype(
    [(name, np.int32) for name in ["category", "type", "id", "x", "y", "width", "height"]]
)
"""a row of `VgdlView.rows`"""


CATEGORIES = tuple(Category)
AT_REST = (Category.RESOURCE, Category.PORTAL, Category.STATIC)


class Winner(IntEnum):
    """The result of a player, with the reference's numbers."""

    NO_WINNER = -1
    PLAYER_LOSES = 0
    PLAYER_WINS = 1
    PLAYER_DISQ = -100


RETURNS = {Winner.NO_WINNER: 0.0, Winner.PLAYER_LOSES: -1.0, Winner.PLAYER_WINS: 1.0}
WINNERS = (Winner.NO_WINNER, Winner.PLAYER_WINS, Winner.PLAYER_LOSES)  # as the engine counts


@dataclass(frozen=True, slots=True)
class SeenSprite:
    """One sprite. Equal are those of the same category, type, id and position."""

    category: Category
    type: int
    id: int
    """a sprite keeps it as long as it lives"""
    x: int
    y: int
    width: int = field(default=0, compare=False)
    height: int = field(default=0, compare=False)
    sq_distance: float | None = field(default=None, compare=False)
    """the squared distance to the reference, where one was given"""

    @property
    def position(self) -> tuple[int, int]:
        return self.x, self.y

    def distance_to(self, reference: Place) -> float:
        """The squared distance of the corners, in pixels."""
        return (self.x - reference[0]) ** 2 + (self.y - reference[1]) ** 2


Group: TypeAlias = dict[int, tuple[SeenSprite, ...]]
"""The sprites of one category by type, types ascending."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player and its avatar. What another seat hides of its avatar is left out."""

    score: float
    winner: Winner
    type: int = -1
    """the avatar's; -1: it has none, or one that is hidden from the seat that looks"""
    position: tuple[int, int] = NOWHERE
    """also nowhere after the end of the game"""
    orientation: tuple[float, float] = (0.0, 0.0)
    speed: float = 0.0
    health: int = 0
    max_health: int = 0
    limit_health: int = 0
    alive: bool = False
    resources: Mapping[int, int] = field(default_factory=dict)
    """amounts by type"""
    actions: tuple[Action, ...] = ()
    """what it may do now, in the order of the reference, without NIL; none after the end"""


class VgdlView:
    """What one seat sees. Views are equal when the seat and the whole state are.

    The view carries a ticket that the true model exchanges for a copy of the state, as the
    reference's agents may copy the forward model; nothing else reads it.
    """

    def __init__(
        self,
        scene: Scene,
        seat: int,
        legal: tuple[Any, ...],
        ticket: State,
        last_action: Action = Action.NIL,
        history: History | None = None,
        moves: Mapping[int, Action] = MappingProxyType({}),
    ) -> None:
        self.seat = seat
        self.legal = legal
        self.last_action = last_action
        """the last action of this seat, as the driver of the game reports it; else NIL"""
        self.history = History([]) if history is None else history
        """the collisions so far, as the driver of the game reports them; the oldest first"""
        self._moves = moves
        self._scene = scene
        self._ticket = ticket

    def recalling(
        self, *, last_action: Hashable | None = None, history: History | None = None
    ) -> Self:
        return type(self)(
            self._scene,
            self.seat,
            self.legal,
            self._ticket,
            self.last_action if last_action is None else Action(last_action),  # type: ignore[arg-type]  # ours are numbers
            self.history if history is None else history,
            self._moves,
        )

    def recalling_moves(self, moves: Mapping[int, Hashable]) -> Self:
        told = {seat: Action(action) for seat, action in moves.items()}  # type: ignore[arg-type]  # ours are numbers
        ours = self._scene, self.seat, self.legal, self._ticket
        return type(self)(*ours, self.last_action, self.history, told)

    def last_move(self, seat: int) -> Action | None:
        """The last action of a player, as the driver of the game reports it.

        None before the first tick, and of one whose avatar is hidden from this seat.
        """
        if seat != self.seat and self.players[seat].type < 0:
            return None
        return self._moves.get(seat)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VgdlView):
            return NotImplemented
        return self.seat == other.seat and self._ticket == other._ticket

    def __hash__(self) -> int:
        return hash((self.seat, self._ticket))

    def __reduce__(self) -> tuple[Any, ...]:
        past = self.last_action, self.history, dict(self._moves)
        return (type(self), (self._scene, self.seat, self.legal, self._ticket, *past))

    def __repr__(self) -> str:
        return f"<seat {self.seat}'s view of tick {self.tick}, score {self.score:g}>"

    # The game

    @property
    def tick(self) -> int:
        return self._ticket.tick

    @property
    def over(self) -> bool:
        return self._ticket.over

    @property
    def score(self) -> float:
        return self._ticket.scores[self.seat]

    @property
    def winner(self) -> Winner:
        return WINNERS[self._ticket.winners[self.seat]]

    @property
    def block(self) -> int:
        """The pixels of a cell."""
        return self._scene.level.block

    @property
    def width(self) -> int:
        """In cells."""
        return self._scene.level.width

    @property
    def height(self) -> int:
        """In cells."""
        return self._scene.level.height

    @property
    def world_size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width * self.block, self.height * self.block

    # The players

    @cached_property
    def players(self) -> tuple[Player, ...]:
        return tuple(self._player(seat) for seat in range(self._scene.players))

    @property
    def avatar(self) -> Player:
        """The seat's own."""
        return self.players[self.seat]

    @property
    def available_actions(self) -> tuple[Action, ...]:
        """What the seat may do but NIL, in the order of the reference."""
        return self.avatar.actions

    def _player(self, seat: int) -> Player:
        scene, state = self._scene, self._ticket
        score, winner = state.scores[seat], WINNERS[state.winners[seat]]
        found = scene.level.avatar(state, seat)
        if found is None or (seat != self.seat and scene.observer.is_hidden(found[0], self.seat)):
            return Player(score, winner)
        number, x, y, face_x, face_y, speed, health, most, disabled, resources = found
        facts = np.empty(12, np.float32)
        scene.observer.fill("avatar", state, seat, facts)
        return Player(
            score,
            winner,
            type=number,
            position=NOWHERE if state.over else (x, y),
            orientation=(face_x, face_y),
            speed=speed,
            health=health,
            max_health=most,
            limit_health=int(facts[9]),
            alive=not disabled,
            resources=MappingProxyType(resources),
            actions=() if state.over or disabled else scene.actions[number],
        )

    # The sprites

    @cached_property
    def rows(self) -> NDArray[np.void]:
        """All sprites as one array of `SIGHT`: by category, type, and order of creation."""
        return np.frombuffer(self._scene.observer.sights(self._ticket, self.seat), SIGHT)

    @cached_property
    def sprites(self) -> tuple[SeenSprite, ...]:
        """The same as objects."""
        return tuple(SeenSprite(CATEGORIES[row[0]], *row[1:]) for row in self.rows.tolist())

    def of_category(self, category: Category, reference: Place | None = None) -> Group:
        """The sprites of a category by type; the nearest first where a reference is given."""
        groups: dict[int, list[SeenSprite]] = {}
        for sprite in self.sprites:
            if sprite.category == category:
                if reference is not None:
                    sprite = replace(sprite, sq_distance=sprite.distance_to(reference))
                groups.setdefault(sprite.type, []).append(sprite)
        if reference is not None:
            for group in groups.values():
                group.sort(key=lambda one: one.sq_distance or 0.0)
        return {kind: tuple(group) for kind, group in groups.items()}

    def npcs(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.NPC, reference)

    def immovables(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.STATIC, reference)

    def movables(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.MOVABLE, reference)

    def resources(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.RESOURCE, reference)

    def portals(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.PORTAL, reference)

    def from_avatar(self, reference: Place | None = None) -> Group:
        return self.of_category(Category.FROM_AVATAR, reference)

    @cached_property
    def grid(self) -> tuple[tuple[tuple[SeenSprite, ...], ...], ...]:
        """`grid[column][row]` has the sprites in a cell; one between cells is in each of them."""
        cells: list[list[list[SeenSprite]]] = [
            [[] for _ in range(self.height)] for _ in range(self.width)
        ]
        for sprite in self.sprites:
            for column, row in self._cells(sprite):
                cells[column][row].append(sprite)
        return tuple(tuple(tuple(cell) for cell in column) for column in cells)

    def _cells(self, sprite: SeenSprite) -> list[tuple[int, int]]:
        """The cell of the corner, and the next ones where the sprite is between cells."""
        # The reference rounds towards 0, so one that has not quite left at the top or at the
        # left is still in the first cell.
        column, row = int(sprite.x / self.block), int(sprite.y / self.block)
        if not (0 <= column < self.width and 0 <= row < self.height):
            return []
        columns = [column, column + 1] if sprite.x > 0 and sprite.x % self.block else [column]
        rows = [row, row + 1] if sprite.y > 0 and sprite.y % self.block else [row]
        return [(x, y) for x in columns for y in rows if x < self.width and y < self.height]

    def planes(self) -> NDArray[np.uint8]:
        """The grid as numbers: [channel, row, column], 1 where there is such a sprite."""
        planes: NDArray[np.uint8] = sensor_of(self._scene, "grid").observe(self)
        return planes

    def as_tiles(self) -> TileView:
        """The grid as sets of types, the input of learned forward models.

        A sprite between cells is in each of them; `ludex vgdl tiles` says which games have none.
        The cell of an avatar also holds the way it faces, where that matters, and what it carries.
        Of more kinds than a cell can tell apart the last ones are left out.
        """
        planes = self.planes()[:MOST_KINDS].astype(np.uint64)
        bits = np.arange(len(planes), dtype=np.uint64)[:, None, None]
        masks = np.bitwise_or.reduce(planes << bits, axis=0)
        kinds = (*self._scene.kinds, *self._scene.poses)[:MOST_KINDS]
        for avatar in self.players:
            column, row = (place // self.block for place in avatar.position)
            if 0 <= column < self.width and 0 <= row < self.height:
                for pose in self._poses(avatar):
                    if pose in kinds:
                        masks[row, column] |= np.uint64(1 << kinds.index(pose))
        piled = tuple(kind for kind in self._scene.piled if kind < len(kinds))
        return TileView(
            self.seat,
            self.legal,
            Tiles.of(kinds, masks, piled),
            self.score,
            self._outcome(),
            acts_of(self.legal),
            self._others(),
        )

    def as_objects(self) -> ObjectListView:
        """The sprites as objects with kinds, the input of object-based forward models."""
        avatar, rows, layers = self.avatar, self.rows, self._scene.layers
        number = {kind: index for index, kind in enumerate(layers)}
        listed = rows[["type", "id", "x", "y"]].tolist()
        own = (rows["category"] == Category.AVATAR) & (rows["type"] == avatar.type)
        may_move = ~np.isin(rows["category"], [int(one) for one in AT_REST])
        held = sorted((number[kind], amount) for kind, amount in avatar.resources.items() if amount)
        return ObjectListView(
            self.seat,
            self.legal,
            tuple(self._scene.names[kind] for kind in layers),
            tuple(GameObject(number[kind], *rest) for kind, *rest in listed),
            int(np.argmax(own)) if own.any() else NOBODY,
            (round(avatar.orientation[0]), round(avatar.orientation[1])),
            tuple(held),
            (self.width, self.height, self.block),
            self.score,
            self._outcome(),
            tuple(sorted({number[kind] for kind in rows["type"][may_move].tolist()})),
            self._others(),
        )

    def _others(self) -> tuple[OtherSeat, ...]:
        """What is public of the other players."""
        return tuple(
            OtherSeat(
                seat,
                () if self.over else tuple(sorted({Action.NIL, *player.actions})),
                player.score,
                self.last_move(seat),
            )
            for seat, player in enumerate(self.players)
            if seat != self.seat
        )

    def _outcome(self) -> Outcome | None:
        if not self.over:
            return None
        stands = [WINNERS[number] for number in self._ticket.winners]
        won = tuple(seat for seat, one in enumerate(stands) if one == Winner.PLAYER_WINS)
        return Outcome(won, tuple(RETURNS[one] for one in stands), "the game is over")

    def _poses(self, avatar: Player) -> list[str]:
        """What holds of an avatar that no sprite shows."""
        held = [kind for kind in self._scene.goods if avatar.resources.get(kind, 0) > 0]
        facing = FACINGS.get(avatar.orientation)
        return [*filter(None, [facing]), *(f"holds {self._scene.names[kind]}" for kind in held)]

    def as_pixels(self) -> PixelView:
        """The picture of `pixels`, the input of learners that are told of no objects."""
        size = (self.width, self.height, CELL)
        picture = self.pixels().tobytes()
        return PixelView(self.seat, self.legal, picture, size, self.score, self._outcome())

    def pixels(self, cell: int = CELL) -> NDArray[np.uint8]:
        """A picture of the seat's view: [y, x, colour], with so many pixels to a cell."""
        picture: NDArray[np.uint8] = sensor_of(self._scene, "pixels", cell).observe(self)
        return picture


@lru_cache(maxsize=64)
def sensor_of(scene: Scene, form: str, cell: int = CELL) -> Sensor:
    return Sensor(scene, form, cell=cell)
