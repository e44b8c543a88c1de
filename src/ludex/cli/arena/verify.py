"""`ludex arena verify`: play matches of a study again, and compare all that is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludex.cli.arena.show import StudyName, store_of
from ludex.cli.shared.options import Json, counted, shortened, whole

if TYPE_CHECKING:
    from ludex.arena.store.verify import Verification

FAILED = 1
MOST_SHOWN = 50
MOST_WORKERS = 512

Worlds = Annotated[
    list[str] | None,
    typer.Option(
        "--world", help="A world in a Python file that you trust: file.py:Class; may be repeated."
    ),
]


def verify(
    study: StudyName,
    share: Annotated[
        str, typer.Option(metavar="all|SHARE", help="How many matches to play again, as in 0.1.")
    ] = "all",
    seed: Annotated[
        int,
        typer.Option(parser=whole("--seed", 0, 2**63 - 1), metavar="S", help="Chooses them."),
    ] = 0,
    workers: Annotated[
        int,
        typer.Option(
            parser=whole("--workers", 0, MOST_WORKERS), metavar="N", help="Processes; 0: none."
        ),
    ] = 0,
    world: Worlds = None,
    json: Json = False,
) -> None:
    """Play matches of a study again, and name all that is not as its store has it."""
    from ludex.arena.store.verify import Verification
    from ludex.arena.store.verify import verify as check
    from ludex.cli.shared import screen

    wanted = read_share(share)
    store = store_of(study)
    found = Verification(store)
    interrupted = False
    with screen.progress(screen.messages(), quiet=json) as bar:
        task = bar.add_task("matches played again", total=None)
        try:
            check(
                store,
                wanted,
                workers=workers,
                seed=seed,
                worlds=world or (),
                progress=lambda done, total: bar.update(task, completed=done, total=total),
                found=found,
            )
        except KeyboardInterrupt:
            interrupted = True
    if json:
        screen.print_json({**found.document(), "interrupted": interrupted})
    else:
        show(found)
    if interrupted:
        raise typer.Exit(screen.INTERRUPTED)
    if not found.is_good:
        raise typer.Exit(FAILED)


def read_share(text: str) -> float:
    """Read `all`, a share of 0 to 1, or one such as `10%`."""
    from ludex.core.errors import BadParameter

    try:
        if text == "all":
            return 1.0
        share = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:  # also refuses NaN
        raise BadParameter(f"--share is all, or a number from 0 to 1, got {shortened(text)!r}")
    return share


def show(found: Verification) -> None:
    from ludex.cli.shared import screen
    from ludex.core.printable import in_one_line

    console = screen.answers()
    for difference in found.differences[:MOST_SHOWN]:
        line = in_one_line(shortened(str(difference), 500))
        console.print(screen.line(("difference ", "red"), line), soft_wrap=True)
    more = len(found.differences) - MOST_SHOWN
    if more > 0:
        console.print(f"and {counted(more, 'more difference')}; --json lists all", soft_wrap=True)
    if not found.has_checksums:
        console.print(
            "this store is of an earlier ludex and has no checksums; they come with the next run",
            style="dim",
            soft_wrap=True,
        )
    played = f"{found.replayed:,} of {found.matches:,} matches played again"
    if found.is_good:
        end = f"{found.store}: {played}, all as it is stored"
        console.print(screen.line(("verified ", "green"), end), soft_wrap=True)
    else:
        end = f"{found.store}: {played}, {counted(len(found.differences), 'difference')}"
        console.print(screen.line(("not verified ", "red"), end), soft_wrap=True)
