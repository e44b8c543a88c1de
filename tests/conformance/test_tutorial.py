"""The tutorial for authors, done step by step as a reader would."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "make_a_game.md"
STEP = re.compile(
    r"Save as `(?P<name>[^`]+)`:\n\n```text\n(?P<text>.*?)^```"
    r"|^```console\n(?P<typed>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
WAITS_FOR_A_PERSON = "--agents human"


def run(words, folder):
    program = str(Path(sys.executable).with_name(words[0]))
    done = subprocess.run(
        [program, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, f"{shlex.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.mark.timeout(600)
def test_every_step_of_the_tutorial_works_as_written(tmp_path):
    said = {}
    saved = []
    for step in STEP.finditer(PAGE.read_text()):
        if step["name"]:
            (tmp_path / step["name"]).write_text(step["text"])
            saved.append(step["name"])
            continue
        for line in step["typed"].splitlines():
            command = line.removeprefix("$ ")
            if WAITS_FOR_A_PERSON not in command:
                words = shlex.split(command)
                more = ["-p", "no:cacheprovider"] if words[0] == "pytest" else []
                said[command] = run([*words, *more], tmp_path)
    assert saved == [
        "lamplighter.txt",
        "lamplighter_lvl0.txt",
        "lamplighter_lvl1.txt",
        "test_lamplighter.py",
    ]
    assert "0 errors, 0 warnings" in said["ludex vgdl check lamplighter.txt"]
    assert "2 levels" in said["ludex vgdl check lamplighter.txt"]
    assert "3 passed" in said["pytest test_lamplighter.py"]
    assert (tmp_path / "night.webp").read_bytes()[8:12] == b"WEBP"
    assert (tmp_path / "square.png").read_bytes()[1:4] == b"PNG"
