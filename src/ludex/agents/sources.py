"""What can be read of an agent's file without running it: its classes and large libraries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ludex.core.errors import BadAgent, did_you_mean
from ludex.core.module_files import large_libraries
from ludex.core.user_file import file_and_class, parsed, read_content

HIDERS = frozenset(("exec", "eval", "globals", "setattr", "vars", "locals", "__getattr__"))
"""names in a file that may bind what no assignment shows"""
LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)


@dataclass(frozen=True, slots=True)
class Source:
    """An agent's file, as read."""

    path: Path
    class_name: str
    content: bytes

    @property
    def libraries(self) -> tuple[str, ...]:
        """Large ones that it imports, for its process to import before any clock runs."""
        return large_libraries(parsed(self.path, self.content, BadAgent))

    def check_class(self) -> None:
        """Raise BadAgent when the text alone shows that it has no such class."""
        tree = parsed(self.path, self.content, BadAgent)
        path, name = str(self.path), self.class_name
        own = own_classes(tree)
        listed = f"; it has {', '.join(own)}" if own else "; it has no classes"
        bound = bindings(tree)
        if name not in bound and not hides_names(tree):
            raise BadAgent(f"{path!r} has no class {name!r}{did_you_mean(name, own) or listed}")
        if bound.get(name) is False:
            raise BadAgent(f"{name!r} in {path!r} is not a class{listed}")


def read_source(name: str, content: bytes | None = None) -> Source:
    """Read `file.py:Class`; BadAgent when there is no such file, or it is no Python."""
    path, class_name = file_and_class(name)
    content = read_content(Path(path), "agent", BadAgent) if content is None else content
    tree = parsed(Path(path), content, BadAgent)
    if not class_name:
        own = own_classes(tree)
        example = f"{path}:{own[0] if own else 'MyAgent'}"
        raise BadAgent(f"name the class of the agent, as in {example}")
    return Source(Path(path), class_name, content)


def own_classes(tree: ast.Module) -> list[str]:
    return [node.name for node in statements(tree) if isinstance(node, ast.ClassDef)]


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements that run with the module itself, also below `if` and `try`."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from statements(node)


def bindings(tree: ast.Module) -> dict[str, bool]:
    """The names that a module binds, and whether each may be a class."""
    found: dict[str, bool] = {}

    def bind(name: str, may_be_class: bool) -> None:
        found[name] = found.get(name, False) or may_be_class

    for node in statements(tree):
        if isinstance(node, ast.ClassDef):
            bind(node.name, True)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            bind(node.name, bool(node.decorator_list))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for one in node.names:
                bind(one.asname or one.name.partition(".")[0], isinstance(node, ast.ImportFrom))
        elif isinstance(node, ast.Assign) and isinstance(node.value, LITERALS):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    bind(target.id, False)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        bind(name.id, True)
        elif isinstance(node, ast.AnnAssign | ast.For | ast.NamedExpr | ast.withitem):
            for name in ast.walk(node):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    bind(name.id, True)
    return found


def hides_names(tree: ast.Module) -> bool:
    """Whether a module may have names that its text does not show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and any(one.name == "*" for one in node.names):
            return True
        if isinstance(node, ast.Name) and node.id in HIDERS:
            return True
        if isinstance(node, ast.FunctionDef) and node.name in HIDERS:
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("__dict__", "modules"):
            return True
        if isinstance(node, ast.Global):
            return True
    return False
