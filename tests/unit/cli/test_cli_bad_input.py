"""Bad input: one sentence on standard error, a non-zero exit, and never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.arena.match.runner import play_match
from ludex.cli import main
from ludex.cli.play.command import write_records
from ludex.core.errors import LudexError

FAILED, MISUSED = 1, 2
PLAY_NIM = ("play", "nim", "--agents", "uniform,uniform", "--in-process")


@pytest.fixture
def complaint(capsys, monkeypatch):
    """Run a command that must fail; return its exit status and its one sentence."""
    monkeypatch.delenv("LUDEX_DEBUG", raising=False)

    def call(*arguments: object) -> tuple[int, str]:
        status = main([str(argument) for argument in arguments])
        written = capsys.readouterr()
        assert written.out == ""
        return status, one_sentence(written.err)

    return call


def one_sentence(text: str) -> str:
    assert "Traceback" not in text
    assert text.startswith("ludex: ")
    assert text.count("\n") == 1
    assert text.endswith("\n")
    return text.removeprefix("ludex: ").rstrip("\n")


def in_a_process(*arguments: object, **options) -> tuple[int, str]:
    """Run the real command."""
    program = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]
    done = subprocess.run(
        [*program, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={key: value for key, value in os.environ.items() if key != "LUDEX_DEBUG"},
        **options,
    )
    assert done.stdout == ""
    return done.returncode, one_sentence(done.stderr)


# Names


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("list", "wrlds"), "did you mean 'worlds'?"),
        (("play", "nimm", "--agents", "uniform,uniform"), "did you mean 'nim'?"),
        (("play", "nim", "--agents", "uniform,unifrm"), "did you mean 'uniform'?"),
        (("play", "nim", "--agents", "mcts(explore=1),uniform"), "did you mean 'exploration'?"),
        (("play", "nim[heap=3]", "--agents", "uniform,uniform"), "did you mean 'heaps'?"),
        (("play", "nim", "--agents", "mcts@beleived,uniform"), "did you mean 'believed'?"),
        (("bench", "conect_four"), "did you mean 'connect_four'?"),
        (("bench", "planer"), "did you mean 'planners'?"),
        (("bench", "vgdl/alien"), "did you mean 'aliens'"),
        (("check", "wrld", "nim"), "did you mean 'world'?"),
        (("check", "world", "nmi"), "did you mean 'nim'?"),
        (("check", "planner", "mtcs"), "did you mean 'mcts'?"),
        (("check", "model", "tabula"), "did you mean 'tabular'?"),
        (("signature", "pigg"), "did you mean 'pig'?"),
        (("play", "zelda", "--agents", "uniform"), "did you mean 'vgdl/zelda'?"),
        (("new", "agnet", "mine"), "did you mean 'agent'?"),
    ],
)
def test_an_unknown_name_is_met_with_the_nearest_known_one(complaint, arguments, hint):
    status, sentence = complaint(*arguments)
    assert status == MISUSED
    assert hint in sentence


def test_a_level_that_is_not_there_is_met_with_those_that_are(complaint):
    _, sentence = complaint("play", "vgdl/zelda", "--level", "7", "--agents", "uniform")
    assert sentence == "zelda has no level 7; its levels are 0 to 4"


def test_the_real_command_answers_an_unknown_world_in_one_sentence():
    status, sentence = in_a_process("play", "nimm", "--agents", "uniform,uniform")
    assert status == MISUSED
    assert "did you mean 'nim'?" in sentence


def test_the_real_command_answers_an_unknown_option_in_one_sentence():
    status, sentence = in_a_process("play", "nim", "--agnets", "uniform,uniform")
    assert status == MISUSED
    assert "--agnets" in sentence


def test_an_unknown_command_is_named(complaint):
    status, sentence = complaint("plaay", "nim")
    assert status == MISUSED
    assert "'plaay'" in sentence


@pytest.mark.parametrize("text", ["nim[heaps=3", "nim[[", "", "nim[heaps]", "nim]", "a b"])
def test_a_world_that_cannot_be_read_is_quoted(complaint, text):
    status, sentence = complaint("play", text, "--agents", "uniform,uniform")
    assert status == MISUSED
    assert "cannot read" in sentence or "no world named" in sentence


@pytest.mark.parametrize("heaps", ["a", "-3", "101", "1e99", "0"])
def test_an_impossible_option_of_a_world_is_refused(complaint, heaps):
    status, sentence = complaint("play", f"nim[heaps={heaps}]", "--agents", "uniform,uniform")
    assert status == MISUSED
    assert "Nim.heaps must" in sentence


def test_a_level_of_a_world_without_levels_is_refused(complaint):
    status, sentence = complaint(*PLAY_NIM, "--level", 2)
    assert (status, sentence) == (MISUSED, "nim has no levels; leave --level out")


# Seats


@pytest.mark.parametrize("agents", ["uniform", "uniform,uniform,uniform", "uniform,uniform,"])
def test_a_wrong_number_of_agents_is_met_with_the_right_one(complaint, agents):
    status, sentence = complaint("play", "nim", "--agents", agents)
    assert status == MISUSED
    assert "nim needs 2 agents, got " in sentence


@pytest.mark.parametrize("agents", ["", "  ", ",", " , ,"])
def test_agents_that_name_nobody_are_met_with_a_list_that_works(complaint, agents):
    status, sentence = complaint("play", "nim", "--agents", agents)
    assert status == MISUSED
    assert sentence == "--agents names nobody; nim needs 2 agents: write --agents uniform,uniform"


@pytest.mark.parametrize("agents", ["mcts(,uniform", "mcts(exploration=1,uniform", "uniform,mcts("])
def test_a_bracket_that_is_never_closed_is_named(complaint, agents):
    status, sentence = complaint("play", "nim", "--agents", agents)
    assert status == MISUSED
    assert sentence.startswith(f"--agents {agents!r} opens ( and does not close it; ")


@pytest.mark.parametrize(("agents", "place"), [(",uniform", 1), ("uniform,", 2)])
def test_an_agent_without_a_name_is_counted(complaint, agents, place):
    status, sentence = complaint("play", "nim", "--agents", agents)
    assert status == MISUSED
    assert sentence.startswith(f"agent {place} of 2 has no name; ")


def test_the_real_command_says_how_many_agents_a_world_needs():
    status, sentence = in_a_process("play", "parley", "--agents", "uniform")
    assert status == MISUSED
    assert "parley needs 3 agents, got 1" in sentence


def test_a_planner_that_cannot_play_a_world_says_what_would_help(complaint):
    status, sentence = complaint("play", "kuhn_poker", "--agents", "minimax,uniform")
    assert status == MISUSED
    assert "needs full information" in sentence


# Budgets, seeds, numbers


@pytest.mark.parametrize(
    "budget",
    ["0ms", "-5ms", "nan", "nanms", "1e99calls", "40", "ms", "40 parsecs", "1.5calls", "inf",
     "99999999999999999999calls", "0calls", "", "40ms40ms", "9" * 5000 + "calls", "1e400ms"],
)  # fmt: skip
def test_an_absurd_budget_is_refused(complaint, budget):
    status, sentence = complaint(*PLAY_NIM, f"--budget={budget}")
    assert status == MISUSED
    assert "budget" in sentence


@pytest.mark.parametrize("seed", ["-1", "1e99", "nan", "soup", "1.5", "", str(2**63), "9" * 5000])
def test_an_absurd_seed_is_refused(complaint, seed):
    status, sentence = complaint(*PLAY_NIM, f"--seed={seed}")
    assert status == MISUSED
    assert "a seed is a whole number from 0 to" in sentence
    assert len(sentence) < 1000


@pytest.mark.parametrize("option", ["--games", "--workers"])
@pytest.mark.parametrize("number", ["-1", "0", "many", "1.5", "1e3", "99999999999"])
def test_an_absurd_number_of_games_or_workers_is_refused(complaint, option, number):
    status, sentence = complaint(*PLAY_NIM, f"{option}={number}")
    assert status == MISUSED
    assert option in sentence


@pytest.mark.parametrize("patience", ["0", "-1", "nan", "inf", "soon", "", "1e9"])
def test_an_absurd_patience_is_refused(complaint, patience):
    status, sentence = complaint(*PLAY_NIM, f"--patience={patience}")
    assert status == MISUSED
    assert "--patience is from 0.1 to 86400 seconds" in sentence


@pytest.mark.parametrize(
    ("options", "way_out"),
    [
        (("--in-process",), "leave --in-process out"),
        (("--budget", "2500ms"), "give more than 2.5"),
    ],
)
def test_a_patience_that_cannot_be_kept_is_refused(complaint, options, way_out):
    status, sentence = complaint(
        "play", "nim", "--agents", "uniform,uniform", "--patience", 2, *options
    )
    assert status == MISUSED
    assert way_out in sentence


def test_the_real_command_refuses_an_absurd_budget():
    status, sentence = in_a_process(*PLAY_NIM, "--budget", "1e99calls")
    assert status == MISUSED
    assert "write 40ms, 1.5s, 900calls or 50iterations" in sentence


# States and actions


@pytest.mark.parametrize("state", ["", "3 4", "3 4 5 turn=7", "9 9 9", "soup", "3 4 -5", "\x00"])
def test_a_state_that_cannot_be_read_is_refused(complaint, state):
    status, sentence = complaint(*PLAY_NIM, "--from", state)
    assert status == MISUSED
    assert repr(state) in sentence


def test_a_finished_state_is_no_place_to_begin(complaint):
    status, sentence = complaint(*PLAY_NIM, "--from", "0 0 0 turn=0")
    assert status == MISUSED
    assert "the game is over" in sentence


def test_a_human_is_told_why_an_action_was_not_taken_and_asked_again():
    program = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]
    typed = "take\nfly to 7\ntake 5 from 0\ntake 3 from 0\n"
    done = subprocess.run(
        [*program, "play", "nim[heaps=3-0-5]", "--agents", "human,uniform", "--from", "3 0 0"],
        input=typed,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0
    ambiguous, malformed, illegal = (
        next(line for line in done.stderr.splitlines() if quoted in line)
        for quoted in ("'take'", "'fly to 7'", "take 5 from heap 0")
    )
    assert "could be any of" in ambiguous
    assert "is not an action of nim" in malformed
    assert "you cannot take 5 from heap 0: it holds 3, so take 1 to 3" in illegal
    assert "Traceback" not in done.stderr
    assert "winner: seat 0 human" in done.stdout


# Agents in files


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "there is no file"),
        (b"class Mine(:\n", "this is not Python"),
        (b"x = 1\n", "has no class 'Mine'"),
        (b"Mine = 3\n", "is not a class"),
        (b"class Mine:\n    pass\n", "is not an agent"),
        (b"\x7fELF\x00\x01\x02\xff", "not Python"),
        (b"class Mine:\n    def __init__(self, x): pass\n    def decide(self, *a): pass\n", "x"),
    ],
)
def test_a_file_that_is_no_agent_is_refused(complaint, tmp_path, content, says):
    file = tmp_path / "mine.py"
    if content is not None:
        file.write_bytes(content)
    status, sentence = complaint("play", "nim", "--agents", f"{file}:Mine,uniform")
    assert status == MISUSED
    assert sentence.startswith("agent 1 of 2: ")
    assert says in sentence


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x = 1\n1 / 0\n", "mine.py:2: running the file fails: ZeroDivisionError: "),
        (b"x = 1\n1 / 0\n", "division by zero in `1 / 0`"),
        (b"import sys; sys.exit(3)\n", "SystemExit: 3 in `import sys; sys.exit(3)`"),
    ],
)
def test_a_file_without_the_agent_whose_own_code_fails_is_told_with_the_line(
    complaint, tmp_path, content, says
):
    (tmp_path / "mine.py").write_bytes(content)
    status, sentence = complaint("play", "nim", "--agents", f"{tmp_path}/mine.py:Mine,uniform")
    assert status == FAILED
    assert says in sentence


def test_a_folder_is_no_agent(complaint, tmp_path):
    (tmp_path / "folder.py").mkdir()
    status, sentence = complaint("play", "nim", "--agents", f"{tmp_path}/folder.py:Mine,uniform")
    assert status == MISUSED
    assert "cannot read" in sentence


def test_the_real_command_refuses_a_file_with_a_syntax_error(tmp_path):
    (tmp_path / "mine.py").write_text("def (")
    arguments = ("play", "nim", "--agents", "mine.py:Mine,uniform")
    status, sentence = in_a_process(*arguments, cwd=tmp_path)
    assert status == MISUSED
    assert "mine.py:1: this is not Python" in sentence


@pytest.mark.parametrize("content", [None, "x = 1\n", "class Mine:\n    pass\n", "def ("])
def test_a_file_that_is_no_world_is_refused(complaint, tmp_path, content):
    file = tmp_path / f"world_of_{len(content or '')}.py"
    if content is not None:
        file.write_text(content)
    status, sentence = complaint("play", f"{file}:Mine", "--agents", "uniform,uniform")
    assert status == MISUSED
    assert str(file) in sentence


# Records and films


@pytest.fixture
def record(tmp_path, capsys) -> Path:
    file = tmp_path / "nim.jsonl"
    assert main([*PLAY_NIM, "--record", str(file)]) == 0
    capsys.readouterr()
    return file


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: "", "is not a record"),
        (lambda text: "soup\n", "is not a record"),
        (lambda text: "[1]\n", "is not a record"),
        (lambda text: text[: len(text) // 2], "cut short"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "no end line"),
        (lambda text: text.replace('"ludex_record": 1', '"ludex_record": 2'), "newer than 1"),
        (lambda text: text.replace('"ludex_record": 1', '"ludex_record": "x"'), "is not a record"),
        (lambda text: text.replace('"world": "nim"', '"world": "moon"'), "no world named 'moon'"),
        (lambda text: text.replace('"world": "nim"', '"world": 7'), "record"),
        (lambda text: text.replace('"3 4 5 turn=0"', '"soup"'), "first state"),
        (lambda text: text.replace('"actions"', '"axtions"'), "damaged"),
    ],
)
def test_a_damaged_record_is_refused(complaint, record, change, says):
    before = record.read_text()
    record.write_text(change(before))
    assert record.read_text() != before
    status, sentence = complaint("replay", record)
    assert status == FAILED
    assert says in sentence


def test_a_record_that_is_not_there_is_named(complaint, tmp_path):
    status, sentence = complaint("replay", tmp_path / "none.jsonl")
    assert status == FAILED
    assert "there is no file" in sentence


def test_the_real_command_refuses_a_truncated_record(record):
    record.write_bytes(record.read_bytes()[:-30])
    status, sentence = in_a_process("replay", record)
    assert status == FAILED
    assert "cut short" in sentence


def test_a_binary_file_is_no_record(complaint, tmp_path):
    (tmp_path / "x.jsonl").write_bytes(bytes(range(256)))
    status, sentence = complaint("replay", tmp_path / "x.jsonl")
    assert status == FAILED
    assert "cannot read" in sentence


def test_a_record_whose_folder_vanishes_while_it_is_played_is_named(tmp_path):
    result = play_match("nim", ["uniform", "uniform"], budget="9calls")
    with pytest.raises(LudexError, match=r"cannot write the record .*gone.nim\.jsonl': No such"):
        write_records([result], tmp_path / "gone" / "nim.jsonl", is_series=False)


def test_the_only_finished_game_of_a_series_has_its_number(tmp_path):
    result = replace(play_match("nim", ["uniform", "uniform"], budget="9calls"), index=4)
    assert write_records([result], tmp_path / "nim.jsonl", is_series=True) == [
        tmp_path / "nim-4.jsonl"
    ]


def test_a_record_that_could_not_be_written_is_refused_before_playing(complaint, tmp_path):
    status, sentence = complaint(*PLAY_NIM, "--record", tmp_path / "no" / "where.jsonl")
    assert status == MISUSED
    assert "there is no folder" in sentence


def test_a_folder_cannot_be_the_record(complaint, tmp_path):
    status, sentence = complaint(*PLAY_NIM, "--record", tmp_path)
    assert status == MISUSED
    assert "it is a folder" in sentence


def test_a_path_that_no_file_can_have_is_quoted_without_wonder(complaint, tmp_path):
    status, sentence = complaint(*PLAY_NIM, "--record", tmp_path / ("a" * 300))
    assert status == FAILED
    assert sentence.startswith("cannot use ")
    assert "unexpected" not in sentence


def test_a_film_of_another_kind_is_met_with_the_one_there_is(complaint, record, tmp_path):
    status, sentence = complaint("replay", record, "--out", tmp_path / "film.mp4")
    assert status == MISUSED
    assert "films are written as .svg" in sentence


# The rest


@pytest.mark.parametrize("name", ["My-Agent", "1st", "class", "a b", "", "../up", "test_it", "é"])
def test_a_name_that_python_cannot_have_is_refused(complaint, tmp_path, name):
    status, sentence = complaint("new", "agent", "--path", tmp_path, "--", name)
    assert status == MISUSED
    assert "cannot be a name" in sentence
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("agent", "mine"), "--native is for worlds, not for 'agent'"),
        (("world", "int"), "'int' cannot be a name"),
    ],
)
def test_only_worlds_are_native_and_their_names_are_those_of_namespaces(
    complaint, tmp_path, words, problem
):
    status, sentence = complaint("new", *words, "--native", "--path", tmp_path)
    assert status != 0
    assert problem in sentence
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(complaint, tmp_path):
    (tmp_path / "test_mine.py").write_text("precious")
    status, sentence = complaint("new", "agent", "mine", "--path", tmp_path)
    assert status == FAILED
    assert "is already there" in sentence
    assert [file.name for file in tmp_path.iterdir()] == ["test_mine.py"]
    assert (tmp_path / "test_mine.py").read_text() == "precious"


def test_an_unexpected_error_is_one_sentence_and_says_how_to_see_more(complaint, monkeypatch):
    import ludex.cli.list.command as list_command

    def fail(kind: str) -> None:
        raise RuntimeError("the moon fell down")

    monkeypatch.setattr(list_command, "parts_of", fail)
    status, sentence = complaint("list", "--all")
    assert status == FAILED
    assert sentence.startswith("unexpected RuntimeError: the moon fell down")
    assert "LUDEX_DEBUG=1" in sentence


def test_the_debug_switch_shows_the_traceback(monkeypatch):
    import ludex.cli.list.command as list_command

    def fail(kind: str) -> None:
        raise RuntimeError("the moon fell down")

    monkeypatch.setattr(list_command, "parts_of", fail)
    monkeypatch.setenv("LUDEX_DEBUG", "1")
    with pytest.raises(RuntimeError, match="the moon fell down"):
        main(["list", "--all"])
