"""Tables that commands put into pages of the docs, between marks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Page = Annotated[
    Path | None,
    typer.Option("--page", metavar="FILE", help="Put the tables into this page of the docs, too."),
]


def split_page(page: Path, mark: str) -> tuple[str, str]:
    """What a page holds before and after a part, marks included; BadParameter without marks."""
    from ludex.core.errors import BadParameter

    begin, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    try:
        text = page.read_text(encoding="utf-8")
    except OSError as error:
        raise BadParameter(f"cannot read {str(page)!r}: {error.strerror}") from None
    if begin not in text or end not in text:
        raise BadParameter(f"{str(page)!r} has no place for this: {begin.strip()} and {end}")
    head, _, rest = text.partition(begin)
    return head + begin, end + rest.partition(end)[2]


def put_into_page(page: Path, mark: str, text: str) -> None:
    """Replace what a page holds between the marks of a part."""
    head, tail = split_page(page, mark)
    page.write_text(f"{head}{text.strip()}\n{tail}", encoding="utf-8")
