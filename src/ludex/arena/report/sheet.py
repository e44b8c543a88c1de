"""The template of report pages: one HTML file with data, style and script.

The plots are a few hundred lines of our own script that draw SVG: an offline library of plots
would make every page larger by megabytes, and critical-difference diagrams, intervals and heat
maps with their own tooltips would still have to be put together by hand. A page forbids itself
every request to a network.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

from ludex.arena.statistics.summary import as_json

PIECE = re.compile("%(TITLE|STYLE|SCRIPT|DATA)%")


def sheet(title: str, script: str, data: dict[str, Any]) -> str:
    """The text of a page: a script of this folder, built of blocks.js, with its data."""
    parts = files("ludex.arena.report")

    def text_of(name: str) -> str:
        return (parts / name).read_text(encoding="utf-8")

    pieces = {
        "TITLE": escaped(title),
        "STYLE": text_of("page.css"),
        "SCRIPT": f"{text_of('blocks.js')}\n{text_of(script)}",
        # Inside a script element only this character could end it.
        "DATA": as_json(data).replace("<", "\\u003c"),
    }
    # All at once: a title may be `%DATA%`.
    return PIECE.sub(lambda found: pieces[found[1]], text_of("page.html"))


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
