"""Classes in files of the user's own: `file.py:Class`.

A file in a package, or beside native code, is imported as Python does it. Any other is run as a
module whose name tells where the file is, so that files of one name do not meet, and every process
that unpickles something of a file finds it.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import decode_source, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ludex.core.crash_site import LONGEST_LINE, crash_site, near
from ludex.core.errors import BadParameter, LudexError, did_you_mean, in_a_line
from ludex.core.printable import in_one_line

PREFIX = "ludex_file_"
LONGEST_FILE = 2**24  # bytes of a file that is read before it is run
RUN: dict[str, str] = {}
"""The content of the files that were run, by module: a file that has changed is run again."""
GIVEN: dict[str, bytes] = {}
"""The content of files that are being run, by module."""


def is_file_name(name: str) -> bool:
    """Whether a name stands for a file.

    >>> [is_file_name(name) for name in ("mcts", "bots/mine.py:Mine", "mine.py", "pig/optimal")]
    [False, True, True, False]
    """
    return ":" in name or name.endswith(".py")


def file_and_class(name: str) -> tuple[str, str]:
    """The file and the class that a name stands for; the class is empty where none is named.

    >>> file_and_class("bots/mine.py:Mine"), file_and_class("mine.py"), file_and_class("mine.py:")
    (('bots/mine.py', 'Mine'), ('mine.py', ''), ('mine.py', ''))
    """
    path, _, class_name = name.rpartition(":")
    return (path, class_name) if path and class_name else (name.removesuffix(":"), "")


def load_class(
    name: str,
    what: str,
    refuse: type[LudexError] = BadParameter,
    broken: type[LudexError] | None = None,
    content: bytes | None = None,
) -> type:
    """Return the class that `file.py:Class` names.

    Args:
        name: The file and the class in it.
        what: What it should be; said in errors.
        refuse: The error when there is no such class.
        broken: The error when the file itself fails; None for the same.
        content: What to run instead of what the file holds now.
    """
    path, class_name = file_and_class(name)
    module = load_file(Path(path), what, refuse, broken, content)
    own = [
        key
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]
    listed = f"; it has {', '.join(own)}" if own else "; it has no classes"
    if not class_name:
        example = f"{path}:{own[0] if own else 'My' + what.capitalize()}"
        raise refuse(f"name the class of the {what}, as in {example}")
    found = getattr(module, class_name, None)
    if found is None:
        hint = did_you_mean(class_name, own) or listed
        raise refuse(f"{path!r} has no class {class_name!r}{hint}")
    if not inspect.isclass(found):
        raise refuse(f"{class_name!r} in {path!r} is not a class{listed}")
    return found


def load_file(
    path: Path,
    what: str,
    refuse: type[LudexError] = BadParameter,
    broken: type[LudexError] | None = None,
    content: bytes | None = None,
) -> ModuleType:
    """Run a file as a module, once for each content; what is wrong with it is said in a line."""
    try:
        content = path.read_bytes() if content is None else content
    except FileNotFoundError:
        raise refuse(f"there is no file {str(path)!r} to take {with_article(what)} from") from None
    except (OSError, ValueError) as error:
        raise refuse(f"cannot read {str(path)!r}: {error}") from None
    try:
        return imported(path.resolve(), content)
    except SyntaxError as error:
        where = path if error.filename in (None, str(path.resolve())) else near(error.filename)
        raise refuse(not_python(str(where), error)) from None
    except (Exception, SystemExit) as error:  # whatever the file does when it is run
        line = line_in(error, str(path.resolve()))
        fails = broken or refuse
        told = f"{path}:{line}: running the file fails: {in_a_line(error)}"
        raise fails(told + culprit(error, path, line)) from error


def read_content(path: Path, what: str, refuse: type[LudexError]) -> bytes:
    """Read a file that something is to be taken from; what is wrong is said in a sentence."""
    try:
        if path.stat().st_size <= LONGEST_FILE:
            return path.read_bytes()
    except FileNotFoundError:
        raise refuse(f"there is no file {str(path)!r} to take {with_article(what)} from") from None
    except (OSError, ValueError) as error:
        raise refuse(f"cannot read {str(path)!r}: {error}") from None
    raise refuse(f"cannot read {str(path)!r}: it has more than {LONGEST_FILE:,} bytes")


@lru_cache(maxsize=32)
def parsed(path: Path, content: bytes, refuse: type[LudexError]) -> ast.Module:
    """The syntax of a file, which is not run; what is wrong with it is said in a line."""
    try:
        return ast.parse(content, str(path))
    except SyntaxError as error:
        raise refuse(not_python(str(path), error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or "it is nested too deeply"
        raise refuse(f"{path}:1: this is not Python: {why}") from None


def not_python(where: str, error: SyntaxError) -> str:
    r"""Say in a line what is wrong with a file that is not Python, and in which line of it.

    >>> not_python("mine.py", SyntaxError("invalid syntax", ("mine.py", 3, 1, "x = = 1\n")))
    'mine.py:3: this is not Python: invalid syntax in `x = = 1`'
    """
    line = in_one_line(error.text or "")[:LONGEST_LINE]
    quoted = f" in `{line}`" if line else ""
    return f"{where}:{error.lineno or 1}: this is not Python: {error.msg}{quoted}"


def culprit(error: BaseException, path: Path, line: int) -> str:
    """The text of the line that failed, with its place if that is in another file."""
    where = crash_site(error)
    if where is None or not where.code:
        return ""
    is_here = (where.file, where.line) == (near(str(path.resolve())), line)
    return f" in `{where.code}`" if is_here else f", at {where}"


def imported(path: Path, content: bytes) -> ModuleType:
    """Import a file by the name it has in its package, or else by one of its own."""
    root, parts = path.parent, [path.stem]
    while is_package(root):
        root, parts = root.parent, [root.name, *parts]
    if len(parts) > 1:
        if str(root) not in sys.path:
            sys.path.append(str(root))  # other processes of ours get the same list
        module = importlib.import_module(".".join(parts))
        if module.__file__ and Path(module.__file__).resolve() == path:
            return module  # and not another package of the same name
    name = PREFIX + str(path).encode().hex()
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    if RUN.get(name) != digest:
        sys.modules.pop(name, None)
    GIVEN[name] = content
    try:
        module = importlib.import_module(name)
    finally:
        del GIVEN[name]
    RUN[name] = digest
    return module


def is_package(folder: Path) -> bool:
    """Whether a folder is a package; one with native code is, so that files import `_native`."""
    marks = (folder / "__init__.py", folder / "native" / "CMakeLists.txt")
    return any(mark.is_file() for mark in marks)


class FileFinder(MetaPathFinder):
    """Finds a module by the path that is encoded in its name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX) or "." in fullname:
            return None
        file = bytes.fromhex(fullname.removeprefix(PREFIX)).decode()
        return spec_from_file_location(fullname, file, loader=FileLoader())


class FileLoader(Loader):
    """Runs a file from its text, which may have changed within the second."""

    def exec_module(self, module: ModuleType) -> None:
        assert module.__file__ is not None
        path = Path(module.__file__)
        content = GIVEN.get(module.__name__)
        content = path.read_bytes() if content is None else content
        code = compile(content, str(path), "exec")
        show_in_tracebacks(path, content)
        with neighbours(path.parent):
            exec(code, module.__dict__)


def show_in_tracebacks(path: Path, content: bytes) -> None:
    """Let tracebacks quote what is run, and not what the file holds by then."""
    lines = decode_source(content).splitlines(keepends=True)
    linecache.cache[str(path)] = (len(content), None, lines, str(path))


@contextmanager
def neighbours(folder: Path) -> Iterator[None]:
    """Let a file import those beside it while it is run."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        if str(folder) in sys.path:
            sys.path.remove(str(folder))


def line_in(error: BaseException, path: str) -> int:
    """The last line of this file that the exception passed through."""
    line = 1
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def with_article(what: str) -> str:
    """Put an article before a word.

    >>> with_article("agent"), with_article("world")
    ('an agent', 'a world')
    """
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


sys.meta_path.append(FileFinder())
