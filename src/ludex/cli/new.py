"""`ludex new`: a commented skeleton with its test."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from ludex.cli.shared.options import Json, read_choice, shortened

KINDS = ("agent", "world", "game", "study")
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")
CPP_KEYWORD = re.compile(
    "alignas|alignof|and_eq|asm|auto|bitand|bitor|bool|case|catch|char|compl|concept|"
    "const|consteval|constexpr|constinit|decltype|default|delete|do|double|enum|explicit|"
    "export|extern|false|float|friend|goto|inline|int|long|mutable|namespace|new|noexcept|"
    "not_eq|nullptr|operator|or_eq|private|protected|public|register|requires|short|"
    "signed|sizeof|static|struct|switch|template|this|throw|true|typedef|typeid|typename|"
    "union|unsigned|using|virtual|void|volatile|xor|xor_eq"
)
SKELETONS = Path(__file__).parent / "skeletons"


def new(
    kind: Annotated[str, typer.Argument(metavar="|".join(KINDS), help="What to begin.")],
    name: Annotated[str, typer.Argument(help="Its name, as in my_agent.")],
    path: Annotated[Path, typer.Option(help="The folder to write in.")] = Path(),
    native: Annotated[bool, typer.Option("--native", help="A world with rules in C++.")] = False,
    json: Json = False,
) -> None:
    """Write a commented skeleton that works at once, with its test."""
    from ludex.core.errors import BadParameter, LudexError

    read_choice(kind, KINDS, "skeleton")
    if native and kind != "world":
        raise BadParameter(f"--native is for worlds, not for {kind!r}")
    check_name(name, native)
    if not path.is_dir():
        raise LudexError(f"cannot write in {str(path)!r}: there is no such folder")
    files = native_world_files(name, path) if native else FILES[kind](name, path)
    tell("native world" if native else kind, name, write(files), json)


def check_name(name: str, native: bool) -> None:
    from ludex.core.errors import BadParameter

    is_keyword = keyword.iskeyword(name) or (native and CPP_KEYWORD.fullmatch(name))
    if not NAME.fullmatch(name) or is_keyword or name.startswith("test_"):
        raise BadParameter(
            f"{shortened(name)!r} cannot be a name; use lower-case letters, digits and "
            "underscores, as in my_agent"
        )


def agent_files(name: str, folder: Path) -> dict[Path, str]:
    """The files of an agent: itself and its test, side by side."""
    file, test = folder / f"{name}.py", folder / f"test_{name}.py"
    words = {"file": str(file), "test_file": str(test)}
    return {
        file: filled("agent", name, **words),
        test: filled("agent_test", name, **words),
    }


def world_files(name: str, folder: Path) -> dict[Path, str]:
    """The files of a world: a folder with its rules and its test."""
    home = folder / name
    words = {"file": str(home / "world.py"), "folder": str(home)}
    return {
        home / "__init__.py": filled("world_init", name, **words),
        home / "world.py": filled("world", name, **words),
        home / f"test_{name}.py": filled("world_test", name, **words),
    }


def native_world_files(name: str, folder: Path) -> dict[Path, str]:
    """The files of a native world: its rules in C++, the rest, and a test.

    Worlds in the source tree are a package each, and tested together by the conformance kit.
    """
    home = folder / name
    steps = native_steps(name, home)
    words = {"file": str(home / "world.py"), "folder": str(home)}
    words |= {"build": steps["build it"], "test": steps["test it"]}
    if is_in_source_tree(home):
        beside = {home / "__init__.py": filled("world_init", name, **words)}
    else:
        beside = {home / f"test_{name}.py": filled("native_test", name, **words)}
    return {
        home / "world.py": filled("native_world", name, **words),
        **beside,
        home / "native" / "CMakeLists.txt": filled("native_cmake", name, **words),
        home / "native" / "rules.hpp": filled("native_rules", name, **words),
    }


def native_steps(name: str, home: Path) -> dict[str, str]:
    """What to type now; a world in the source tree is built and tested with all others."""
    from ludex.core.registry import class_name

    part = f"{home / 'world.py'}:{class_name(name)}"
    build = f"cmake -S {home}/native -B {home}/build && cmake --build {home}/build"
    inside = is_in_source_tree(home)
    return {
        "build it": "pip install -e ." if inside else build,
        "play it": f"ludex play {part} --agents mcts,uniform",
        "test it": f"pytest tests/conformance -k {name}" if inside else f"pytest {home}",
        "check it": f"ludex check world {part}",
    }


def is_in_source_tree(home: Path) -> bool:
    from ludex import worlds

    return home.resolve().parent in (Path(path).resolve() for path in worlds.__path__)


def game_files(name: str, folder: Path) -> dict[Path, str]:
    """The files of a VGDL game: its rules, a level and a test, side by side."""
    file, test = folder / f"{name}.txt", folder / f"test_{name}.py"
    words = {
        "file": str(file),
        "test_file": str(test),
        "title": name.replace("_", " ").capitalize(),
    }
    return {
        file: filled("game", name, **words),
        folder / f"{name}_lvl0.txt": filled("game_level", name, **words),
        test: filled("game_test", name, **words),
    }


def study_files(name: str, folder: Path) -> dict[Path, str]:
    """The file of a study."""
    file = folder / f"{name}.toml"
    return {file: filled("study", name, file=str(file))}


FILES = {"agent": agent_files, "world": world_files, "game": game_files, "study": study_files}


def filled(skeleton: str, name: str, **words: str) -> str:
    from ludex.core.registry import class_name

    text = (SKELETONS / f"{skeleton}.txt").read_text(encoding="utf-8")
    return Template(text).substitute(name=name, class_name=class_name(name), **words)


def write(contents: dict[Path, str]) -> list[Path]:
    """Write all files, or none when one of them is already there."""
    from ludex.core.errors import LudexError

    for file in contents:
        if file.exists():
            raise LudexError(f"{str(file)!r} is already there; choose another name or --path")
    try:
        for file, text in contents.items():
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LudexError(f"cannot write {str(file)!r}: {error.strerror}") from None
    return list(contents)


def next_steps(kind: str, name: str, written: list[Path]) -> dict[str, str]:
    """What to type now, with a word on each."""
    from ludex.core.registry import class_name

    if kind == "agent":
        file, test = written
        part = f"{file}:{class_name(name)}"
        play = f"ludex play vgdl/aliens --agents {part}"
        return {
            "play it": play,
            "watch it": f"{play} --watch",
            "a duel": f"ludex play connect_four --agents {part},mcts",
            "test it": f"pytest {test}",
            "check it": f"ludex check planner {part}",
        }
    if kind == "game":
        file, _, test = written
        return {
            "check it": f"ludex vgdl check {file}",
            "play it": f"ludex play {file} --agents human",
            "watch it": f"ludex play {file} --agents open_loop_mcts --watch",
            "test it": f"pytest {test}",
        }
    if kind == "study":
        return {
            "play it": f"ludex arena run {written[0]}",
            "read it": f"ludex arena show {written[0]}",
            "report it": f"ludex arena report {written[0]}",
        }
    if kind == "native world":
        return native_steps(name, written[0].parent)
    part = f"{written[1]}:{class_name(name)}"
    return {
        "play it": f"ludex play {part} --agents mcts,uniform",
        "test it": f"pytest {written[0].parent}",
        "check it": f"ludex check world {part}",
    }


def tell(kind: str, name: str, written: list[Path], json: bool) -> None:
    from ludex.cli.shared import screen

    steps = next_steps(kind, name, written)
    if json:
        files = [str(file) for file in written]
        kind = kind.removeprefix("native ")
        screen.print_json({"kind": kind, "name": name, "files": files, "next": steps})
        return
    console = screen.answers()
    for file in written:
        console.print(screen.line("wrote ", (str(file), "bold")), soft_wrap=True)
    console.print("\nNext")
    for word, command in steps.items():
        typed = screen.to_type(command)
        console.print(screen.line((f"  {word:9} ", "dim"), typed), soft_wrap=True)
