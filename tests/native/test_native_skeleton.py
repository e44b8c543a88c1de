"""The native world that `ludex new world NAME --native` writes, built with the installed package.

It is built outside the source tree by the commands that `ludex new` prints, and inside a copy of
the source tree as a random walk with all warnings.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex import worlds
from ludex.cli import main
from ludex.testing import WORLD_CHECKS

REPOSITORY = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
    "VIRTUAL_ENV": sys.prefix,
}

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("native_skeleton")]


def run(command: str, folder: Path) -> str:
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=ENVIRONMENT, cwd=folder
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outside")


@pytest.fixture(scope="module")
def written(folder: Path) -> Any:
    """What `ludex new` says of the world that it has written; the world is built."""
    told = json.loads(run("ludex new world twenty_one --native --json", folder))
    run(told["next"]["build it"], folder)
    return told


def test_it_is_four_files_and_two_hundred_and_fifty_lines_at_most(written: Any, folder: Path):
    lines = [len((folder / file).read_text().splitlines()) for file in written["files"]]
    assert len(lines) <= 4
    assert sum(lines) <= 250


def test_its_own_tests_pass(written: Any, folder: Path):
    out = run(written["next"]["test it"] + " -q -p no:cacheprovider", folder)
    assert f"{7 + len(WORLD_CHECKS)} passed" in out


def test_it_is_played_and_checked_by_its_file(written: Any, folder: Path):
    part = "twenty_one/world.py:TwentyOne"
    assert part in written["next"]["play it"]
    played = run(f"ludex play {part} --agents mcts,minimax --budget 200calls --json", folder)
    assert json.loads(played)["games"][0]["reason"] == "reached the goal"
    checked = json.loads(run(f"ludex check world {part} --json", folder))
    assert checked["passed"]
    assert checked["still_default"] == ["draw", "codec", "observation"]


def test_inside_the_source_tree_it_is_built_with_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    native = Path("src/ludex/core/native")
    shutil.copytree(REPOSITORY / "cmake", tmp_path / "cmake")
    shutil.copy(REPOSITORY / "CMakeLists.txt", tmp_path)
    shutil.copytree(REPOSITORY / native, tmp_path / native)
    folder, tests = tmp_path / "src/ludex/worlds", tmp_path / "tests/native"
    folder.mkdir()
    tests.mkdir(parents=True)
    for file in [
        *(REPOSITORY / "tests/native").glob("*.in"),
        *REPOSITORY.glob("tests/native/*.hpp"),
    ]:
        shutil.copy(file, tests)
    (tests / "CMakeLists.txt").touch()
    monkeypatch.setattr(worlds, "__path__", [*worlds.__path__, str(folder)])
    assert main(["new", "world", "twenty_one", "--native", "--path", str(folder)]) == 0
    files = sorted(path.name for path in folder.rglob("*") if path.is_file())
    assert files == ["CMakeLists.txt", "__init__.py", "rules.hpp", "world.py"]
    run("cmake -S . -B build -DLUDEX_NATIVE_TESTS=ON -DLUDEX_WALK_SECONDS=0.2", tmp_path)
    run("cmake --build build --target walk_twenty_one search_twenty_one", tmp_path)
    run("ctest --test-dir build -R '(walk|search)_twenty_one'", tmp_path)


def test_cmake_finds_the_installed_package():
    folder = ludex.cmake_dir()
    assert (folder / "ludex-config.cmake").is_file()
    assert (folder.parent / "include" / "world.hpp").is_file()
