"""Text broken at words to the width of a terminal."""

from __future__ import annotations

from ludex.core.paint import width_of


def wrapped_to(text: str, width: int) -> str:
    """Break lines that are too wide at their spaces; what goes on is indented as its line.

    >>> print(wrapped_to("  seat 1 plays a long move", 16))
      seat 1 plays a
        long move
    """
    return "\n".join(row for line in text.split("\n") for row in rows_of(line, width))


def rows_of(line: str, width: int) -> list[str]:
    """The rows that a line takes; words that are wider than a row stay whole."""
    if width_of(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip(" "))]
    further = f"{indent}  " if indent else ""
    rows, row = [], indent
    for word in line.split():
        is_first = row in (indent, further)
        if not is_first and width_of(row) + 1 + width_of(word) > width:
            rows.append(row)
            row, is_first = further, True
        row += word if is_first else f" {word}"
    return [*rows, row]


def cut_to(line: str, width: int) -> str:
    """As many words of a line as have room, with dots for the others.

    >>> cut_to("seat 1 plays a long move", 16)
    'seat 1 plays ...'
    """
    if width_of(line) <= width:
        return line
    return f"{rows_of(line, width - 4)[0]} ..."
