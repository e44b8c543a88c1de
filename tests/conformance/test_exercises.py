"""The exercises run as they are handed out, and print what their page shows."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "exercises"
PAGE = ROOT / "docs" / "exercises.md"
SHARED = {"trials.py", "boards.py"}
"""what the scripts import; all other files are exercises"""
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py") if path.name not in SHARED)
SHOWN = re.compile(r"^```console\n\$ python (\S+\.py)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHECKED = re.compile(r"^\$ ludex (vgdl check .*)$", re.MULTILINE)
IDEA = "# YOUR IDEA: "


PYTHON = (sys.executable, "-W", "error")
LUDEX = (str(Path(sys.executable).with_name("ludex")),)


def run(words, folder, program=PYTHON):
    return subprocess.run(
        [*program, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture
def handout(tmp_path):
    """The folder as a student has it."""
    return shutil.copytree(FOLDER, tmp_path / "exercises")


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_page_shows_what_the_script_prints(script, handout):
    shown = [
        (words.split(), text)
        for name, words, text in SHOWN.findall(PAGE.read_text())
        if name == script
    ]
    assert shown, "the page shows each script once or more"
    for words, text in shown:
        done = run([script, *words], handout)
        assert done.returncode == 0, done.stderr
        assert done.stdout == text


def test_every_file_is_on_the_page_and_every_script_of_the_page_exists():
    text = PAGE.read_text()
    named = set(re.findall(r"\b\w+\.py\b", text)) - {"SCRIPT.py"}
    assert named == {*SCRIPTS, *SHARED}
    others = [path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".toml")]
    assert [name for name in others if name not in text and "_lvl" not in name] == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_marks_the_place_for_an_idea_and_says_its_section(script):
    text = (FOLDER / script).read_text()
    assert IDEA in text
    sections = re.match(r'"""(\d\.\d\.\d)(?: and (\d\.\d\.\d))?: ', text)
    assert sections, "the first line names the section of the book"
    rows = [line for line in PAGE.read_text().splitlines() if f"`{script}`" in line]
    for section in filter(None, sections.groups()):
        assert any(row.startswith("| ") and section in row.split("|")[1] for row in rows)


def test_sections_of_the_page_are_in_the_order_of_the_book():
    rows = re.findall(r"^\| (\d\.\d\.\d)", PAGE.read_text(), re.MULTILINE)
    assert rows == sorted(rows)
    assert set(rows) == {"2.5.1", "2.5.2", "2.5.3", "3.6.1", "3.6.2", "4.5.1", "4.5.2"}


def test_every_exercise_has_a_question_a_hint_and_what_to_try_next():
    exercises = re.split(r"^### ", PAGE.read_text(), flags=re.MULTILINE)[1:]
    with_scripts = [text for text in exercises if "$ python " in text]
    assert len(with_scripts) == len(SCRIPTS)
    for text in with_scripts:
        assert re.search(r"^\*[^*].*[.?]\*$", text, re.MULTILINE), text[:40]
        assert "\n- **Hint.** " in text, text[:40]
        assert "\n- **Next.** " in text, text[:40]


def test_the_game_of_the_exercises_has_no_mistakes(handout):
    (typed,) = CHECKED.findall(PAGE.read_text())
    done = run(typed.split(), handout, LUDEX)
    assert done.stdout == "0 errors, 0 warnings in picnic.txt and 1 level\n"


def test_a_mistake_in_a_variant_is_shown_with_its_line(handout):
    script = handout / "edit_a_game.py"
    text = script.read_text()
    script.write_text(text.replace('"cooldown=1")', '"cooldwn=1")'))
    done = run([script.name, "--games", "1"], handout)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("quick wasps"))
    assert "variant.txt:8:" in line
    assert "cooldwn" in line


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["kb_distance.py", "--games", "0"], "needs a whole number from 1, got '0'"),
        (["play_aliens.py", "--game", "99"], "  9  vgdl/frogs"),
        (["play_aliens.py", "--level", "77"], "aliens has no level 77"),
    ],
)
def test_what_cannot_be_played_is_told_without_a_traceback(words, told, handout):
    done = run(words, handout)
    assert done.returncode != 0
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mistake_of_a_student_ends_the_script_and_names_the_line(handout):
    script = handout / "kb_distance.py"
    text = script.read_text()
    assert text.count("view.width") == 1
    script.write_text(text.replace("view.width", "view.wide"))
    done = run([script.name, "--games", "1"], handout)
    assert done.returncode != 0
    line = text.partition("view.width")[0].count("\n") + 1
    assert f"kb_distance.py:{line}: " in done.stderr
    assert "Traceback" not in done.stderr
