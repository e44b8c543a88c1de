"""Classes in files of the user's own."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from ludex.arena.match.replay import replay
from ludex.arena.store.store import Store
from ludex.arena.study.file import read_study
from ludex.arena.study.run import run_study
from ludex.cli.app import main
from ludex.core import registry
from ludex.core.errors import BadParameter
from ludex.core.user_file import load_class


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_files_of_one_name_do_not_meet(tmp_path):
    one = written(tmp_path / "a" / "part.py", "class Part: number = 1\n")
    other = written(tmp_path / "b" / "part.py", "class Part: number = 2\n")
    assert [load_class(f"{path}:Part", "part").number for path in (one, other, one)] == [1, 2, 1]


def test_a_file_that_has_changed_is_run_again_and_one_that_has_not_is_not(tmp_path):
    path = written(tmp_path / "part.py", "class Part: number = 1\n")
    first = load_class(f"{path}:Part", "part")
    assert load_class(f"{path}:Part", "part") is first
    path.write_text("class Part: number = 2\n")
    assert load_class(f"{path}:Part", "part").number == 2


def test_a_file_may_import_its_neighbours_and_leaves_the_path_as_it_was(tmp_path):
    written(tmp_path / "beside_user_file.py", "NUMBER = 3\n")
    text = "from beside_user_file import NUMBER\nclass Part: number = NUMBER\n"
    before = list(sys.path)
    assert load_class(f"{written(tmp_path / 'part.py', text)}:Part", "part").number == 3
    assert sys.path == before


def test_a_file_in_a_package_may_import_within_it(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    written(tmp_path / "packed_user_file" / "__init__.py", "")
    written(tmp_path / "packed_user_file" / "rules.py", "NUMBER = 4\n")
    text = "from .rules import NUMBER\nclass Part: number = NUMBER\n"
    path = written(tmp_path / "packed_user_file" / "part.py", text)
    assert load_class(f"{path}:Part", "part").number == 4


def test_what_is_made_of_a_file_can_be_unpickled_in_another_process(tmp_path):
    path = written(tmp_path / "part.py", "class Part:\n    number = 5\n")
    made = tmp_path / "made.pickle"
    made.write_bytes(pickle.dumps(load_class(f"{path}:Part", "part")()))
    program = (
        "import pickle, sys, ludex.core.registry\n"
        "print(pickle.load(open(sys.argv[1], 'rb')).number)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(made)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("5\n", "")


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("", "Part", "has no class 'Part'; it has no classes"),
        ("class Pert: ...\n", "Part", "has no class 'Part'; did you mean 'Pert'?"),
        ("Part = 3\n", "Part", "'Part' in .* is not a class"),
        ("class Mine: ...\n", "", "name the class of the part, as in .*part.py:Mine"),
        ("x = 1\nclass (:\n", "Part", "part.py:2: this is not Python"),
        ("x = 1\n1 / 0\n", "Part", "part.py:2: running the file fails: ZeroDivisionError"),
        ("\0", "Part", "part.py:1: "),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(tmp_path, text, name, sentence):
    path = written(tmp_path / "part.py", text)
    with pytest.raises(BadParameter, match=sentence) as caught:
        load_class(f"{path}:{name}", "part")
    assert "\n" not in str(caught.value)


@pytest.fixture
def solo(tmp_path):
    """A world in a file that is in no package."""
    assert main(["new", "world", "my_world", "--path", str(tmp_path)]) == 0
    return (tmp_path / "my_world" / "world.py").rename(tmp_path / "solo.py")


def test_the_text_of_a_world_in_a_file_reads_back(solo):
    world = registry.world(f"{solo}:MyWorld[goal=9]")
    assert str(world) == f"{solo.resolve()}:MyWorld[goal=9]"
    assert registry.world(str(world)) == world


def test_a_world_that_is_none_is_refused(solo):
    with pytest.raises(BadParameter, match="State is not a world: it is no subclass"):
        registry.world(f"{solo}:State")


def test_a_study_plays_worlds_in_files_with_workers_and_its_matches_replay(solo):
    file = solo.with_name("study.toml")
    file.write_text(
        'agents = ["mcts", "uniform"]\nworlds = ["solo.py:MyWorld"]\n'
        'budgets = ["20calls"]\nrepetitions = 2\n'
    )
    study = read_study(file)
    assert study.games[0].label == "MyWorld"
    path = solo.with_name("study.sqlite")
    run_study(study, path, workers=2)
    with Store.open(path) as store:
        world = f"{solo}:MyWorld"  # a record alone runs no file
        outcomes = [replay(store.record(number), world=world) for number in (1, 2, 3, 4)]
    assert [outcome.reason for outcome in outcomes] == ["reached the goal"] * 4
