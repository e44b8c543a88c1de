"""`ludex arena export`: a table of a study for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludex.cli.arena.show import Anonymous, StudyName, results_of
from ludex.cli.shared.options import check_writable, counted, read_choice


def export(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="A file that ends in .csv or .parquet.")],
    table: Annotated[
        str, typer.Option(metavar="seats|faults|courses", help="Which table to write.")
    ] = "seats",
    anonymous: Anonymous = False,
) -> None:
    """Write a table of a study for other programs."""
    from typing import cast

    from ludex.arena.report.export import TABLES, Table, check_format
    from ludex.arena.report.export import export as write
    from ludex.cli.shared import screen

    wanted = cast(Table, read_choice(table, TABLES, "table"))
    check_format(out)
    check_writable(out)
    rows = write(results_of(study, anonymous), out, wanted)
    screen.answers().print(
        screen.line("wrote ", (str(out), "bold"), f": {counted(rows, 'row')}"), soft_wrap=True
    )
