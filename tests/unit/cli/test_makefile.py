"""`make` on a machine that lacks something says in one sentence what to type."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from folders import REPOSITORY

MAKEFILE = REPOSITORY / "Makefile"
TOOLS = ("sh", "mkdir", "touch", "sed", "awk", "find", "sort", "tr")

if shutil.which("make") is None:
    pytest.skip("make is not installed", allow_module_level=True)


def make(folder: Path, target: str, *found: str, python: str | None = None):
    """Run make where only some programs exist; `python` is the script that stands for it."""
    programs = folder / "bin"
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(shutil.which(tool) or pytest.skip(f"{tool} is missing"))
    scripts = dict.fromkeys(found, "exit 0") | ({"python3": python} if python else {})
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    shutil.copy(MAKEFILE, folder)
    (folder / "src").mkdir()
    environment = {"PATH": str(programs), "HOME": os.environ.get("HOME", "/")}
    command = [shutil.which("make") or "make", "--no-print-directory", target]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def sentences(done) -> list[str]:
    return [line for line in done.stderr.splitlines() if not line.startswith("make:")]


def test_an_empty_machine_is_told_everything_in_one_line(tmp_path: Path):
    done = make(tmp_path, "run")
    assert done.returncode != 0
    [line] = sentences(done)
    assert line.endswith("type: apt-get install git g++ python3 python3-dev python3-venv")


def test_missing_headers_and_venv_are_named(tmp_path: Path):
    script = 'case "$2" in *ensurepip*|*Python.h*) exit 1;; esac'
    done = make(tmp_path, "test", "git", "g++", python=script)
    assert done.returncode != 0
    assert sentences(done) == [
        "Ludex cannot be built without Python's venv, Python's headers; "
        "type: apt-get install python3-venv python3-dev"
    ]


def test_an_old_python_is_named(tmp_path: Path):
    done = make(tmp_path, "test", "git", "g++", python="exit 1")
    assert done.returncode != 0
    [line] = sentences(done)
    assert line.startswith("Ludex needs Python 3.11 or newer")


def test_a_machine_that_has_everything_goes_on(tmp_path: Path):
    done = make(tmp_path, ".make/system", "git", "g++", python="exit 0")
    assert done.returncode == 0
    assert (tmp_path / ".make" / "system").exists()


def test_help_names_every_target(tmp_path: Path):
    done = make(tmp_path, "help")
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE.read_text(), re.MULTILINE)
    assert phony is not None
    for target in phony[1].split():
        assert re.search(rf"^make {target} ", done.stdout, re.MULTILINE), target
