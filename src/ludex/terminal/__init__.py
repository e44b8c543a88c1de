"""Games in a terminal: pictures of half blocks, a live view of matches, and play by keyboard.

`print(picture_text(world, state))` shows a state, `watch("nim", ["mcts", "uniform"])` a match,
and `play_at_terminal("vgdl/zelda")` hands the keyboard to you.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludex.terminal.arcade import Arcade, ArcadeResult, play_at_terminal
    from ludex.terminal.blocks import half_blocks, known_colours
    from ludex.terminal.live_view import LiveView, watch
    from ludex.terminal.picture import picture_text, show_state
    from ludex.terminal.scene import Scene, panel
    from ludex.terminal.terminal import Terminal

__all__ = [
    "Arcade",
    "ArcadeResult",
    "LiveView",
    "Scene",
    "Terminal",
    "half_blocks",
    "known_colours",
    "panel",
    "picture_text",
    "play_at_terminal",
    "show_state",
    "watch",
]

MODULES = {
    "Arcade": "ludex.terminal.arcade",
    "ArcadeResult": "ludex.terminal.arcade",
    "LiveView": "ludex.terminal.live_view",
    "Scene": "ludex.terminal.scene",
    "Terminal": "ludex.terminal.terminal",
    "half_blocks": "ludex.terminal.blocks",
    "known_colours": "ludex.terminal.blocks",
    "panel": "ludex.terminal.scene",
    "picture_text": "ludex.terminal.picture",
    "play_at_terminal": "ludex.terminal.arcade",
    "show_state": "ludex.terminal.picture",
    "watch": "ludex.terminal.live_view",
}


def __getattr__(name: str) -> Any:
    # The console is imported by every command; the contracts are not, until something is used.
    from ludex.core.lazy import lazy

    return lazy(__name__, MODULES)(name)
