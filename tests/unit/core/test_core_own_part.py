"""Functions in files of the user's own: read when they are named, and run where they are called."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Protocol

import pytest

from ludex.core.errors import BadParameter, BrokenAgent, BudgetSpent
from ludex.core.own_part import OwnPart, checked_number, is_part_name, python_files_in
from ludex.core.parameters import Parameters, hints_of, in_words

TAKES = ("state", "seat")


class SumFunction(Protocol):
    """A kind of function."""

    def __call__(self, state: Any, seat: int, /) -> float: ...


@dataclass(frozen=True, kw_only=True)
class Adder(Parameters):
    """Parameters with one part."""

    add: str | SumFunction = "usual"
    """what is added"""


@pytest.fixture
def file(tmp_path):
    """Write a file; the text that names a function in it."""

    def write(content, name="f"):
        (tmp_path / "mine.py").write_text(content)
        return f"{tmp_path}/mine.py:{name}"

    return write


def test_a_part_is_called_like_its_function(file):
    part = OwnPart(file("def f(state, seat):\n    return state + seat\n"), TAKES)
    assert part(3, 4) == 7


def test_a_file_is_read_when_it_is_named_and_run_when_it_is_called(file, tmp_path):
    mark = tmp_path / "was_run"
    head = f"from pathlib import Path\nPath({str(mark)!r}).touch()\n"
    part = OwnPart(file(f"{head}def f(state, seat):\n    return 1\n"), TAKES)
    assert not mark.exists()
    file("def f(state, seat):\n    return 2\n")  # what was read is what is run
    assert part(0, 0) == 1
    assert mark.exists()


def test_a_part_is_the_same_in_another_process(file, tmp_path):
    part = OwnPart(file("def f(state, seat):\n    return 10 * seat\n"), TAKES)
    sent = pickle.dumps(part)
    file("def f(state, seat):\n    return 0\n")
    code = f"import pickle; print(pickle.loads({sent!r})(None, 4))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "40\n"


def test_a_version_holds_the_modules_beside_a_file(file, tmp_path):
    (tmp_path / "near.py").write_text("X = 1\n")
    text = file("import near\ndef f(state, seat):\n    return near.X\n")
    before = OwnPart(text, TAKES).version
    assert OwnPart(text, TAKES).version == before
    (tmp_path / "near.py").write_text("X = 2\n")
    assert OwnPart(text, TAKES).version != before


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        ("def value(a, b): pass", "vale", "no function 'vale'; did you mean 'value'?"),
        ("def g(state, seat): pass", "f", "mine.py' has no function 'f'; it has g"),
        ("x = 1", "f", "mine.py' has no function 'f'; it has no functions"),
        ("def g(state, seat): pass", "", "name the function in "),
        ("def f(state, seat) pass", "f", "mine.py:1: this is not Python: expected ':'"),
    ],
)
def test_what_the_text_of_a_file_shows_is_told_at_once(file, content, name, sentence):
    text = file(content, name).removesuffix(":")
    with pytest.raises(BadParameter) as error:
        OwnPart(text, TAKES)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "kind", "sentence"),
    [
        ("def f(state): pass", BadParameter, "mine.py:1: f(state) must be callable as f(state, s"),
        ("class f: pass", BadParameter, "is a class; it must be a function f(state, seat)"),
        ("f = 3", BadParameter, "is an int; it must be a function f(state, seat)"),
        ("1 / 0\nf = 3", BrokenAgent, "mine.py:1: running the file fails: ZeroDivisionError"),
        ("def f(*all): return all[5]", BrokenAgent, "mine.py:1: f fails: IndexError: tuple"),
        ("import sys\ndef f(a, b):\n    sys.exit(3)", BrokenAgent, "mine.py:3: f fails: SystemEx"),
    ],
)
def test_what_running_a_part_shows_is_one_sentence(file, content, kind, sentence):
    part = OwnPart(file(content), TAKES)
    with pytest.raises(kind) as error:
        part(1, 2)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_part_lets_the_end_of_a_budget_through(file):
    text = file("from ludex.core import BudgetSpent\ndef f(a, b):\n    raise BudgetSpent\n")
    with pytest.raises(BudgetSpent):
        OwnPart(text, TAKES)(1, 2)


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(BadParameter, match=r"there is no file '.*none\.py' to take a function"):
        OwnPart(f"{tmp_path}/none.py:f", TAKES)


# As parameters


def test_a_parameter_takes_a_name_a_function_or_a_function_in_a_file(file):
    text = file("def f(state, seat):\n    return 5\n")
    by_text = Adder.from_texts({"add": text})
    assert by_text.add(1, 2) == 5
    assert by_text == Adder(add=text)
    assert by_text.changed() == {"add": text}
    assert by_text.own_parts() == (by_text.add,)
    assert Adder.from_texts({"add": "other"}).own_parts() == ()
    assert Adder(add=max).add is max


def test_a_parameter_says_what_its_function_is_called_with():
    assert in_words(hints_of(Adder)["add"]) == (
        "a word or a function (state, seat), as in mine.py:function"
    )


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("mcts(value=a/mine.py:value)@local(span=3)", ["a/mine.py:value"]),
        ("a.py:A(x=b.py:f)", ["a.py:A", "b.py:f"]),
        ("mcts(rollout=catan/x(value=c.py:f))", ["c.py:f"]),
        ("mcts(exploration=1.4)", []),
        ("mcts@local(file=model.npz)", []),
    ],
)
def test_the_python_files_of_a_text_are_found_wherever_they_stand(text, files):
    assert python_files_in(text) == files
    assert not is_part_name(text)


@pytest.mark.parametrize("value", [None, "3", [1], float("inf"), float("nan")])
def test_only_finite_numbers_are_numbers(value):
    with pytest.raises(BrokenAgent, match="max must return a finite number, got"):
        checked_number(max, value)
    assert checked_number(max, 3) == 3.0
