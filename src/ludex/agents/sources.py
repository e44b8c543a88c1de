"""What can be read of an agent's file without running it: its classes, imports and version."""

from __future__ import annotations

import ast
import hashlib
import os
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.machinery import all_suffixes
from pathlib import Path

from ludex.core.errors import BadAgent, did_you_mean

LONGEST_FILE = 2**24
MOST_FILES = 2000
MODULES = tuple(all_suffixes())
LARGE = {"jax", "matplotlib", "networkx", "numba", "pandas", "polars", "pyarrow"}
LARGE |= {"scipy", "sklearn", "tensorflow", "torch"}
"""libraries whose import takes long, and is not an agent's thinking"""
IMPORTERS = frozenset(("import_module", "__import__"))
OPAQUE = frozenset(("exec", "eval", "run_path", "run_module", "spec_from_file_location"))
"""functions that may run any file"""
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
        names = {module.partition(".")[0] for module, _ in imports(parsed(self.path, self.content))}
        return tuple(sorted(names & LARGE))

    def check_class(self) -> None:
        """Raise BadAgent when the text alone shows that it has no such class."""
        tree, path, name = parsed(self.path, self.content), str(self.path), self.class_name
        own = own_classes(tree)
        listed = f"; it has {', '.join(own)}" if own else "; it has no classes"
        bound = bindings(tree)
        if name not in bound and not hides_names(tree):
            raise BadAgent(f"{path!r} has no class {name!r}{did_you_mean(name, own) or listed}")
        if bound.get(name) is False:
            raise BadAgent(f"{name!r} in {path!r} is not a class{listed}")


def read_source(name: str, content: bytes | None = None) -> Source:
    """Read `file.py:Class`; BadAgent when there is no such file, or it is no Python."""
    path, _, class_name = name.rpartition(":")
    if not path or not class_name:
        path, class_name = name.removesuffix(":"), ""
    content = read_content(Path(path)) if content is None else content
    tree = parsed(Path(path), content)
    if not class_name:
        own = own_classes(tree)
        example = f"{path}:{own[0] if own else 'MyAgent'}"
        raise BadAgent(f"name the class of the agent, as in {example}")
    return Source(Path(path), class_name, content)


def read_content(path: Path) -> bytes:
    try:
        if path.stat().st_size <= LONGEST_FILE:
            return path.read_bytes()
    except FileNotFoundError:
        raise BadAgent(f"there is no file {str(path)!r} to take an agent from") from None
    except (OSError, ValueError) as error:
        raise BadAgent(f"cannot read {str(path)!r}: {error}") from None
    raise BadAgent(f"cannot read {str(path)!r}: it has more than {LONGEST_FILE:,} bytes")


@lru_cache(maxsize=32)
def parsed(path: Path, content: bytes) -> ast.Module:
    """The syntax of a file; BadAgent says in a line what is wrong with it."""
    try:
        return ast.parse(content, str(path))
    except SyntaxError as error:
        raise BadAgent(f"{path}:{error.lineno or 1}: this is not Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "it is nested too deeply"
        raise BadAgent(f"{path}:1: this is not Python: {why}") from None


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


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """All modules that a file may import, anywhere in it, with the dots before their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                yield one.name, 0
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.level
            for one in node.names:  # each may be a module, too
                yield f"{node.module}.{one.name}" if node.module else one.name, node.level
        elif isinstance(node, ast.Call) and called(node) in IMPORTERS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                dots = len(first.value) - len(first.value.lstrip("."))
                yield first.value.lstrip("."), dots


def called(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def imports_anything(tree: ast.AST) -> bool:
    """Whether a file may import modules whose names it does not spell out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in OPAQUE or (name == "path" and of_sys(node)):
                return True
        if isinstance(node, ast.Call) and called(node) in IMPORTERS:
            first = node.args[0] if node.args else None
            if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                return True
    return False


def of_sys(node: ast.AST) -> bool:
    is_attribute = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return is_attribute and node.value.id == "sys"  # type: ignore[attr-defined]


# Versions


def version_of(path: Path, content: bytes) -> str:
    """A hash of a file and of the modules beside it that it imports, and those import.

    A file that may import modules which it does not name is hashed with all that lie beside it.
    """
    folder = folder_of(path)
    hashed = hashlib.blake2b(digest_size=6)
    for file, held in sorted(files_of(path.resolve(), content, folder).items()):
        name = str(file.relative_to(folder) if file.is_relative_to(folder) else file.name)
        for part in (name.encode(errors="surrogateescape"), held):
            hashed.update(len(part).to_bytes(8, "big") + part)
    return f"file-{hashed.hexdigest()}"


def folder_of(path: Path) -> Path:
    """The folder from which a file imports: its own, or the one of its outermost package."""
    folder = path.resolve().parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def files_of(path: Path, own: bytes, folder: Path) -> dict[Path, bytes]:
    """The contents of a file and of all modules beside it that it may import."""
    found: dict[Path, bytes] = {}
    waiting = [path]
    while waiting and len(found) < MOST_FILES:
        file = waiting.pop()
        if file in found:
            continue
        try:
            found[file] = content = own if file == path else file.read_bytes()
            tree = ast.parse(content)
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            continue  # a module that is no Python is told by who runs it
        if imports_anything(tree):
            waiting += all_beside(folder)
        for name, dots in imports(tree):
            waiting += module_files(name, dots, file, folder)
    return found


def module_files(name: str, dots: int, file: Path, folder: Path) -> Iterator[Path]:
    """The files beside an agent's that are run when one of them imports a module."""
    roots = [file.parent.joinpath(*[".."] * (dots - 1))] if dots else [folder, file.parent]
    for root in roots:
        place = root.resolve()
        for part in filter(None, name.split(".")):
            place = place / part
            modules = [place.with_name(part + ending) for ending in MODULES]
            for one in (*modules, *(place / f"__init__{ending}" for ending in MODULES)):
                if one.is_file() and is_beside(one, folder):
                    yield one.resolve()


def is_beside(file: Path, folder: Path) -> bool:
    """Whether a module lies in the folder of an agent, and is none of an installed library."""
    try:
        real = file.resolve()
    except OSError:
        return False
    return real.is_relative_to(folder) and not any(real.is_relative_to(one) for one in INSTALLED)


def all_beside(folder: Path) -> Iterator[Path]:
    """All modules below a folder, but no more than a look may cost."""
    for visited, (place, folders, files) in enumerate(os.walk(folder)):
        if visited >= MOST_FILES:
            return
        folders[:] = sorted(one for one in folders if not one.startswith((".", "__pycache__")))
        for name in sorted(files):
            file = Path(place, name)
            if name.endswith(MODULES) and is_beside(file, folder):
                yield file.resolve()


LIBRARIES = [sysconfig.get_path(one) for one in ("stdlib", "platstdlib", "purelib", "platlib")]
INSTALLED = (*map(Path.resolve, map(Path, LIBRARIES)), Path(__file__).resolve().parent.parent)
