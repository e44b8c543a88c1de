"""The HTML report of a study, drawn in the browser."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ludex.arena.match.replay import NotRun, class_of, named_world, replay
from ludex.arena.pictures.film import Camera
from ludex.arena.pictures.svg_film import animated
from ludex.arena.report.sheet import sheet
from ludex.arena.statistics.results import Results, read_store
from ludex.arena.statistics.summary import summarise
from ludex.arena.store.store import Store
from ludex.arena.study.anonymous import anonymised
from ludex.core.errors import LudexError
from ludex.core.whole_file import write_whole

MOST_MATCHES = 20_000  # in the table of a page; more would make it slow
PICTURES = 60  # of a film
LONGEST_FILM_S = 15.0
LARGEST_FILM = 2**20  # bytes in the page
MATCH_COLUMNS = (
    "match",
    "game",
    "level",
    "budget",
    "repetition",
    "agents",
    "winners",
    "scores",
    "ticks",
    "reason",
    "faults",
)


def write_page(
    store: Path,
    out: Path,
    films: int = 0,
    progress: Callable[[int, int], None] | None = None,
    anonymous: bool = False,
    worlds: Sequence[str] = (),
    traces: bool = False,
) -> dict[str, Any]:
    """Write the page of a store; returns the summary that it shows.

    `not_filmed` in it tells which films could not be made because their worlds are in Python
    files that nobody has named.

    Args:
        store: The store of a study.
        out: The file to write.
        films: How many games to film: the best agent's first match in each.
        progress: Told how many films are made, and of how many.
        anonymous: Leave out what tells which games were played, films among it.
        worlds: Worlds in Python files that may be run for films, as in `my.py:World`.
        traces: Show the tracebacks of faults; they name folders of the machine that played.
    """
    with Store.open(store) as opened:
        results = read_store(opened)
        if anonymous:
            results, films = anonymised(results), 0
        document = summarise(results, traces)
        refused: list[str] = []
        made = make_films(opened, document, results, films, progress, worlds, refused)
        page = page_of(results, document, store, dict(made))
    write_whole(out, page.encode())
    return {**document, "not_filmed": list(dict.fromkeys(refused))}


def page_of(results: Results, document: dict[str, Any], store: Path, films: dict[int, str]) -> str:
    """The text of the page."""
    data = {
        **document,
        "store": store.name,
        "columns": MATCH_COLUMNS,
        "matches": match_rows(results)[:MOST_MATCHES],
        "films": {str(number): film for number, film in films.items()},
    }
    return sheet(f"{results.name}: a Ludex study", "page.js", data)


def match_rows(results: Results) -> list[list[Any]]:
    """All matches, in the order of MATCH_COLUMNS."""
    rows: list[list[Any]] = []
    for (number,), seats in results.by("match").items():
        one = seats[0]
        rows.append(
            [
                number,
                one.game,
                one.level,
                one.budget,
                one.repetition,
                [row.agent for row in seats],
                [row.seat for row in seats if row.won],
                [row.score for row in seats],
                one.ticks,
                one.reason,
                sum(row.faults + row.late for row in seats),
            ]
        )
    return rows


def make_films(
    store: Store,
    document: dict[str, Any],
    results: Results,
    number: int,
    progress: Callable[[int, int], None] | None,
    worlds: Sequence[str],
    refused: list[str],
) -> Iterator[tuple[int, str]]:
    """Films of the best agent's first match in each game, packed; some cannot be made."""
    given = {class_of(text): text for text in worlds}
    wanted = filmed_matches(document, results)[:number]
    for made, match in enumerate(wanted):
        if progress is not None:
            progress(made, len(wanted))
        try:
            record = store.record(match)
            camera = Camera(every=max(1, -(-record.steps // PICTURES)))
            text = given.get(class_of(record.world))
            own = named_world(text, record.world) if text else None
            replay(record, watchers=[camera], world=own)
        except NotRun as error:
            refused.append(f"no film of match {match}: {error}")
            continue
        except LudexError:
            continue  # of a world that is not here, or has changed: the match has no film
        seconds = min(0.7, LONGEST_FILM_S / max(1, len(camera.pictures)))
        film = gzip.compress(animated(camera.pictures, seconds).encode(), mtime=0)
        packed = base64.b64encode(film).decode()
        if len(packed) <= LARGEST_FILM:
            yield match, packed


def filmed_matches(document: dict[str, Any], results: Results) -> list[int]:
    """The match that a film shows of each game: with the last budget, of the best agent."""
    if not document["budgets"]:
        return []
    last = document["budgets"][-1]
    chosen: list[int] = []
    for game in last["games"]:
        best = min(game["agents"], key=lambda agent: game["agents"][agent]["place"])
        rows = [
            row
            for row in results.rows
            if (row.game, row.agent, row.budget) == (game["game"], best, last["budget"])
        ]
        # One that shows what made it the best: a won match, where there is any.
        chosen.append(min(rows, key=lambda row: (not row.won, row.match)).match)
    return list(dict.fromkeys(chosen))
