"""Options that the commands of players that learn share, and how their progress is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ludex.cli.shared.options import check_writable, whole

TRADES = ("released", "text")
CARDS = ("nora2015", "classic")

File = Annotated[Path, typer.Argument(metavar="FILE", help="Where the forests go (.npz).")]
Learned = Annotated[Path, typer.Argument(metavar="FILE", help="What has been learned (.npz).")]
Seed = Annotated[
    int, typer.Option(parser=whole("--seed", 0, 1_000_000), metavar="N", help="Of games and trees.")
]
Trees = Annotated[
    int, typer.Option(parser=whole("--trees", 1, 1_000), metavar="N", help="In each forest.")
]
Trade = Annotated[
    str, typer.Option(metavar="|".join(TRADES), help="Which reading of the trade term.")
]
OneHot = Annotated[bool, typer.Option("--one-hot", help="A place for each targeted action.")]
Cards = Annotated[
    str, typer.Option(metavar="|".join(CARDS), help="Swipe and Claw as released, or as printed.")
]
SilenceApart = Annotated[
    bool, typer.Option("--silence-apart", help="Silenced minions are not told as enchanted.")
]
Samples = Annotated[
    int,
    typer.Option(
        parser=whole("--samples", 10, 400_000),
        metavar="N",
        help="Of each class, for each forest.",
    ),
]
Least = Annotated[
    int,
    typer.Option(
        parser=whole("--least", 1, 1_000),
        metavar="N",
        help="Rows in the smallest leaf; 1 as published.",
    ),
]
TwoStep = Annotated[
    bool, typer.Option("--two-step", help="Choose targets well where playing is learned.")
]
TestFromSameRun = Annotated[
    bool, typer.Option("--test-from-same-run", help="Judge by later games of the same seed.")
]


@contextmanager
def told(quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """A bar of progress for work that says what it does and which share of it is done."""
    from ludex.cli.shared import screen

    with screen.progress(screen.messages(), quiet) as bar:
        task = bar.add_task("learning", total=1.0)
        yield lambda what, share: bar.update(task, description=what, completed=share)


def check_forest_file(file: Path) -> None:
    from ludex.core.errors import BadParameter

    if file.suffix != ".npz":
        raise BadParameter(f"forests go into a file that ends in .npz, not {str(file)!r}")
    check_writable(file)
