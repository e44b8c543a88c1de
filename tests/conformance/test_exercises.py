"""The exercises run as they are handed out, and print what their page shows."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.core import Meter, Rng, registry
from ludex.core.objects import Category

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


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("kb_distance.py", "view.width", "view.wide"),
        ("compare_bots.py", "end.state", "end.position"),
    ],
)
def test_a_mistake_of_a_student_ends_the_script_and_names_the_line(name, right, wrong, handout):
    script = handout / name
    text = script.read_text()
    assert text.count(right) == 1
    script.write_text(text.replace(right, wrong))
    done = run([name, "--games", "1"], handout)
    assert done.returncode != 0
    line = text.partition(right)[0].count("\n") + 1
    assert f"{name}:{line}: " in done.stderr
    assert "Traceback" not in done.stderr


# What the parts of the scripts do


@pytest.fixture
def part(monkeypatch):
    """Something from one of the scripts, by file and name."""
    monkeypatch.syspath_prepend(FOLDER)
    loaded = sys.modules.copy()

    def load(script, name):
        return getattr(importlib.import_module(script), name)

    yield load
    for name in set(sys.modules) - set(loaded):
        if (FOLDER / f"{name}.py").exists():
            del sys.modules[name]


def started(text):
    """The model of a world with a meter, and the first view."""
    world = registry.world(text)
    model = world.model.metered(Meter())
    return model, model.view(world.start(Rng(1)), 0)


def test_steps_run_around_walls(part):
    board = ["..#T", ".##.", "...."]
    blocked = frozenset((x, y) for y, row in enumerate(board) for x in range(4) if row[x] == "#")
    steps = part("boards", "steps_to")(((3, 0),), blocked, 4, 3)
    assert steps[3, 0] == 0
    assert steps[0, 0] == 7
    assert not blocked & set(steps)
    assert len(steps) == 9
    closed = part("boards", "steps_to")(((3, 0),), blocked | {(3, 1)}, 4, 3)
    assert closed == {(3, 0): 0}


def test_the_bandit_tries_each_arm_and_then_likes_the_best(part):
    bandit, rng = part("rhea_mutation", "Ucb1")("abc"), Rng(1)
    first = []
    for _ in range(200):
        arm = bandit.choose(rng)
        first.append(arm)
        bandit.learn(arm, {"a": 0.0, "b": 1.0, "c": 0.5}[arm])
    assert set(first[:3]) == set("abc")
    assert bandit.visits["b"] > bandit.visits["c"] > bandit.visits["a"]


def test_a_mutation_of_three_genes_changes_three_neighbours_and_learns_from_the_value(part):
    model, view = started("vgdl/butterflies")
    planner = part("rhea_mutation", "TupleRhea")(genes=3)
    evolution = part("rhea_mutation", "TupleEvolution")
    run = evolution(planner, model, view, 8, planner.fresh_memory(), Rng(1))
    genome = [None] * 8
    run.mutate(genome, run.own)
    changed = [place for place, gene in enumerate(genome) if gene is not None]
    assert changed == list(range(changed[0], changed[0] + 3))
    run.note(genome, 0.75)
    assert run.places.visits[changed[0]] == 1
    assert run.tuples[changed[0]].totals[tuple(genome[changed[0] : changed[0] + 3])] == 0.75
    run.note(genome, 0.75)  # of a sequence that was not changed by the bandit
    assert sum(run.places.visits.values()) == 1


def test_the_seed_is_the_straight_line_of_highest_value(part):
    def upwards(model, state, seat):
        return -float(model.avatars(state)[seat][1])

    model, view = started("vgdl/frogs[level=0]")
    planner = part("rhea_seeding", "StraightLines")(value=upwards)
    run = part("rhea_seeding", "SeededEvolution")(
        planner, model, view, 2, planner.fresh_memory(), Rng(1)
    )
    seed = run.best_straight_line()
    assert {model.heading(action) for action in seed} == {(0, -1)}
    assert len(seed) == 2


def test_plays_below_epsilon_are_worse_than_a_loss(part):
    search = object.__new__(part("mo_constraint", "ConstrainedSearch"))
    search.planner = part("mo_constraint", "EpsilonConstraint")(epsilon=0.6)
    values = {}
    for vector in [(0.9, 0.5), (0.9, 0.1), (-0.9, 0.6), (0.3, 0.7)]:
        search.objectives = lambda result: result
        values[vector] = search.finished(vector)
    assert values[-0.9, 0.6] == -0.9
    assert values[0.3, 0.7] == 0.3
    assert values[0.9, 0.1] < values[0.9, 0.5] < -1.0


def test_the_objective_is_novelty_until_a_simulation_has_found_something(part):
    objective, seen = part("mo_switching", "objective"), part("mo_switching", "SearchFeatures")()
    assert objective(seen) == part("mo_switching", "NOVELTY")
    seen.gains = 1
    assert objective(seen) == part("mo_switching", "SCORE")


def test_the_evolution_keeps_its_best_parents(part):
    evolution = part("kb_evolution", "SteadyState")(part("kb_evolution", "OwnEvolution")())
    rng = Rng(1)
    for fitness in (3, 1, 4, 1, 5, 9, 2, 6):
        weights = evolution.next_weights([0, 1], ["near"], rng)
        assert set(weights) == {(0, "near"), (1, "near")}
        evolution.learn(fitness)
    assert [fitness for fitness, _ in evolution.parents] == [9, 6, 5, 4, 3]


def test_the_way_to_a_thing_is_as_long_as_its_steps(part):
    model, view = started("vgdl/zelda[level=0]")
    kinds = sorted(set(view.rows["type"].tolist()))
    state = model.imagine(view, Rng(1))
    found = dict(zip(kinds, part("kb_distance", "walked")(model, state, 0, kinds), strict=True))
    rows = view.rows[view.rows["category"] == Category.RESOURCE]
    (key,) = {(row["x"] // view.block, row["y"] // view.block) for row in rows}
    column, row = model.avatars(state)[0]
    apart = abs(key[0] - column) + abs(key[1] - row)
    assert found[int(rows["type"][0])] >= apart
    assert found[view.avatar.type] == 0
