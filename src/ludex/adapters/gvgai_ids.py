"""Games of ours by ids in the form of GVGAI_GYM, which other games have in the Java framework.

`gvgai-aliens-lvl0-v0` is our aliens until `register_games` has registered that of GVGAI. It is
made with a warning, for whoever asks for it may mean the other one.
"""

from __future__ import annotations

import warnings
from typing import Any

from ludex.adapters.batch_env import BatchEnv
from ludex.adapters.vgdl_env import GameEnv
from ludex.core.errors import UnknownName


def own_game(**options: Any) -> GameEnv:
    """Make the environment of `gvgai-NAME-lvlN-v0` where no collection is registered."""
    warn(options)
    return GameEnv(**options)


def own_games(num_envs: int, **options: Any) -> BatchEnv:
    """The same for many games side by side."""
    warn(options)
    return BatchEnv(num_envs, **options)


def one_of_several(identity: str, ids: list[str], **options: Any) -> GameEnv:
    """Refuse a name that several games of a registered collection have."""
    raise UnknownName(f"{identity} could be several games; write {' or '.join(ids)}")


def warn(options: dict[str, Any]) -> None:
    name, level = options["game"], options["level"]
    warnings.warn(
        f"gvgai-{name}-lvl{level}-v0 is our own game {name!r}, not that of GVGAI; write "
        f"ludex-{name}-lvl{level}-v0 for ours, or ludex.adapters.register_games(FOLDER) first for "
        "the games of the Java framework",
        stacklevel=4,  # where gymnasium.make was called
    )
