"""`ludex arena report`: a page with tables and plots, and a summary in Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludex.cli.arena.show import Anonymous, StudyName, store_of
from ludex.cli.arena.verify import Worlds
from ludex.cli.shared.debugging import is_debugging
from ludex.cli.shared.options import check_writable, whole


def report(
    study: StudyName,
    out: Annotated[
        Path | None,
        typer.Option(help="The page to write; STUDY.html if not given, with STUDY.md beside it."),
    ] = None,
    films: Annotated[
        int,
        typer.Option(
            parser=whole("--films", 0, 1000), metavar="N", help="Games to show a film of."
        ),
    ] = 12,
    anonymous: Anonymous = False,
    world: Worlds = None,
) -> None:
    """Write a page with tables and plots that needs no network, and a summary in Markdown."""
    from ludex.arena.report.markdown import as_markdown
    from ludex.arena.report.page import write_page
    from ludex.cli.shared import screen
    from ludex.core.whole_file import write_whole

    store = store_of(study)
    if out is None and not store.name:
        raise typer.BadParameter(f"name the store of a study, got the folder {str(study)!r}")
    page = out or store.with_suffix(".html")
    if page.suffix != ".html":
        raise typer.BadParameter(f"a report is a .html file, got {str(page)!r}")
    summary = page.with_suffix(".md")
    for file in (page, summary):
        check_writable(file)
    with screen.progress(screen.messages()) as bar:
        task = bar.add_task("films", total=films)
        document = write_page(
            store,
            page,
            films,
            lambda made, total: bar.update(task, completed=made, total=total),
            anonymous,
            world or (),
            traces=is_debugging(),
        )
    for text in document.pop("not_filmed", []):
        screen.messages().print(text, soft_wrap=True)
    write_whole(summary, as_markdown(document, store.name).encode())
    for file in (page, summary):
        screen.answers().print(screen.line("wrote ", (str(file), "bold")), soft_wrap=True)
