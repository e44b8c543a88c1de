"""What parameters mean: the text below each of them in the source of its class."""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise


def meanings_of(cls: type) -> dict[str, str]:
    """The meaning of each parameter, from the class that declares it last.

    A class whose source cannot be read tells nothing of its parameters.
    """
    found: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        found |= told_in(one)
    return found


def told_in(cls: type) -> dict[str, str]:
    """The texts below the annotated names of one class."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    return {
        line.target.id: " ".join(below.value.value.split())
        for line, below in pairwise(body)
        if isinstance(line, ast.AnnAssign)
        and isinstance(line.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }
