"""Views as JSON, with the field names of the reference's learning track.

The names, codes and the form of lists are those of its serialised state observation, so that a
client written for it can read ours.
"""

from __future__ import annotations

import base64
import json
from typing import Any, Literal, TypeAlias

from ludex.core.errors import BadParameter
from ludex.core.objects import Category
from ludex.worlds.vgdl.action import Action
from ludex.worlds.vgdl.pictures.png import write_png
from ludex.worlds.vgdl.view import NOWHERE, Group, SeenSprite, VgdlView

Serial: TypeAlias = dict[str, Any]
Phase = Literal["START", "INIT", "ACT", "ABORT", "END", "FINISH"]
Content = Literal["JSON", "IMAGE", "BOTH"]

LISTS: dict[str, Category] = {
    "NPCPositions": Category.NPC,
    "immovablePositions": Category.STATIC,
    "movablePositions": Category.MOVABLE,
    "resourcesPositions": Category.RESOURCE,
    "portalsPositions": Category.PORTAL,
    "fromAvatarSpritesPositions": Category.FROM_AVATAR,
}


def serialise(
    view: VgdlView,
    phase: Phase = "ACT",
    *,
    validation: bool = False,
    content: Content = "JSON",
) -> Serial:
    """The fields of one observation.

    Args:
        view: What the seat sees.
        phase: Where the protocol stands.
        validation: Whether this is the test phase.
        content: All fields without the picture (JSON), the persistent fields with it (IMAGE),
            or all (BOTH). There is no picture in phase START.
    """
    if content not in ("JSON", "IMAGE", "BOTH"):
        raise BadParameter(f"content must be one of JSON, IMAGE, BOTH, got {content!r}")
    fields: Serial = {
        "phase": phase,
        "isValidation": validation,
        "availableActions": [written(action) for action in view.available_actions],
        "gameScore": float(view.score),
        "gameTick": view.tick,
        "gameWinner": view.winner.name,
        "isGameOver": view.over,
    }
    if content != "IMAGE":
        fields |= all_fields(view)
    if content != "JSON" and phase != "START":
        fields["imageArray"] = write_png(view.pixels())
    return fields


def all_fields(view: VgdlView) -> Serial:
    avatar = view.avatar
    fields: Serial = {
        "worldDimension": [float(side) for side in view.world_size],
        "blockSize": view.block,
        "noOfPlayers": len(view.players),
        "avatarSpeed": float(avatar.speed),
        "avatarOrientation": [float(part) for part in avatar.orientation],
        "avatarPosition": [float(part) for part in avatar.position],
        "avatarLastAction": written(view.last_action),
        "avatarType": avatar.type,
        "isAvatarAlive": avatar.alive,
        "avatarHealthPoints": avatar.health,
        "avatarMaxHealthPoints": avatar.max_health,
        "avatarLimitHealthPoints": avatar.limit_health,
        "avatarResources": dict(avatar.resources),
        "observationGrid": [
            [[written_sprite(one) for one in cell] for cell in column] for column in view.grid
        ],
        "observationGridNum": view.width,
        "observationGridMaxRow": view.height,
        "observationGridMaxCol": max(len(cell) for column in view.grid for cell in column),
    }
    for name, category in LISTS.items():
        fields |= written_list(name, view.of_category(category))
    return fields


def written(action: Action) -> str:
    return f"ACTION_{action.name}"


def written_sprite(sprite: SeenSprite) -> Serial:
    return {
        "category": int(sprite.category),
        "itype": sprite.type,
        "obsID": sprite.id,
        "position": {"x": float(sprite.x), "y": float(sprite.y)},
        "reference": {"x": float(NOWHERE[0]), "y": float(NOWHERE[1])},
        "sqDist": float(sprite.distance_to(NOWHERE)),
    }


def written_list(name: str, group: Group) -> Serial:
    """A list for each type, null when there is none; then how many lists, and the longest."""
    rows = [[written_sprite(one) for one in sprites] for sprites in group.values()]
    longest = max((len(row) for row in rows), default=0)
    return {name: rows or None, f"{name}Num": len(rows), f"{name}MaxRow": longest}


def to_json(view: VgdlView, phase: Phase = "ACT", **options: Any) -> str:
    """One line of JSON; options are those of `serialise`."""
    return write_json(serialise(view, phase, **options))


def write_json(fields: Serial) -> str:
    plain = dict(fields)
    if "imageArray" in plain:
        plain["imageArray"] = base64.b64encode(plain["imageArray"]).decode()
    return json.dumps(plain, separators=(",", ":"))


def read_json(text: str) -> Serial:
    """Read what `write_json` wrote: the same fields, value by value."""
    fields: Serial = json.loads(text)
    if "avatarResources" in fields:  # JSON knows text as keys only
        fields["avatarResources"] = {
            int(kind): amount for kind, amount in fields["avatarResources"].items()
        }
    if "imageArray" in fields:
        fields["imageArray"] = base64.b64decode(fields["imageArray"])
    return fields
