"""The command line as a user runs it: skeletons, interruption, terminals, start-up."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest
from rich.console import Console

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.cli import main
from ludex.cli.shared.screen import to_type
from ludex.terminal.live_view import LiveView

LUDEX = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]


def ludex(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LUDEX, *arguments], capture_output=True, text=True, timeout=110, check=False, **options
    )


def test_a_new_agent_plays_at_once_and_its_test_passes(tmp_path):
    made = ludex("new", "agent", "my_agent", cwd=tmp_path)
    assert made.returncode == 0
    assert "ludex play vgdl/aliens --agents my_agent.py:MyAgent\n" in made.stdout
    arguments = ("play", "nim", "--agents", "my_agent.py:MyAgent,uniform", "--games", "6")
    played = ludex(*arguments, "--budget", "300calls", "--json", cwd=tmp_path)
    assert played.stderr == ""
    assert [game["faults"] for game in json.loads(played.stdout)["games"]] == [[]] * 6
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_agent.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout


def test_a_new_agent_wins_a_video_game_instead_of_collecting_points(tmp_path):
    ludex("new", "agent", "mine", cwd=tmp_path)
    arguments = ("--games", "3", "--budget", "1000calls", "--seed", "1", "--json")
    played = ludex("play", "vgdl/aliens", "--agents", "mine.py:Mine", *arguments, cwd=tmp_path)
    assert json.loads(played.stdout)["wins"] == [3]


def test_a_new_agent_plays_board_games_to_win(tmp_path):
    ludex("new", "agent", "mine", cwd=tmp_path)
    played = ludex(
        *("play", "connect_four", "--agents", "mine.py:Mine,uniform", "--rotate", "--seed", "1"),
        *("--games", "6", "--budget", "1000calls", "--json"),
        cwd=tmp_path,
    )
    assert json.loads(played.stdout)["wins"][0] >= 5


def test_a_new_world_plays_at_once_and_its_test_passes(tmp_path):
    assert ludex("new", "world", "my_world", cwd=tmp_path).returncode == 0
    arguments = ("play", "my_world/world.py:MyWorld", "--agents", "mcts,uniform", "--workers", "2")
    played = ludex(*arguments, "--games", "4", "--budget", "60calls", "--json", cwd=tmp_path)
    assert played.stderr == ""
    assert {game["reason"] for game in json.loads(played.stdout)["games"]} == {"reached the goal"}
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "my_world"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout


def test_new_files_meet_the_house_style(tmp_path):
    assert main(["new", "agent", "one", "--path", str(tmp_path)]) == 0
    assert main(["new", "world", "other", "--path", str(tmp_path)]) == 0
    linted = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--isolated", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout


IMPATIENT = """
import os, signal

class Impatient:
    \"\"\"Presses Ctrl-C in its third game.\"\"\"

    games = 0

    def decide(self, model, view, budget, rng):
        Impatient.games += view.state.heaps == (3, 4, 5)
        if Impatient.games == 3:
            for _ in range({times}):
                os.kill({who}, signal.SIGINT)
        return view.legal[0]
"""


def test_ctrl_c_prints_what_is_finished(tmp_path):
    (tmp_path / "impatient.py").write_text(IMPATIENT.format(who="os.getpid()", times=1))
    agents = "impatient.py:Impatient,uniform"
    arguments = ("play", "nim", "--agents", agents, "--games", "50", "--in-process")
    done = ludex(*arguments, cwd=tmp_path)
    assert done.returncode == 130
    assert "nim: 2 games at 40ms" in done.stdout
    assert "48 games not played" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("times", [1, 500])
def test_ctrl_c_ends_the_workers_and_keeps_the_answer_one_document(tmp_path, times):
    (tmp_path / "impatient.py").write_text(IMPATIENT.format(who="os.getppid()", times=times))
    agents = "impatient.py:Impatient,uniform"
    arguments = ("play", "nim", "--agents", agents, "--games", "100000", "--in-process")
    done = ludex(*arguments, "--workers", "2", "--json", cwd=tmp_path)
    assert done.returncode == 130
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["interrupted"] is True
    assert len(document["games"]) < 100_000


@pytest.mark.parametrize("workers", ["1", "2"])
def test_workers_and_isolation_do_not_change_results(workers):
    arguments = ("play", "pig", "--agents", "mcts,uniform", "--budget", "40calls", "--games", "3")
    alone = ludex(*arguments, "--in-process", "--json")
    others = ludex(*arguments, "--workers", workers, "--json")
    assert json.loads(alone.stdout) == json.loads(others.stdout)


def test_signatures_do_not_depend_on_the_order_of_sets():
    found = [
        ludex("signature", "--json", env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    first, second = (json.loads(one.stdout) for one in found)
    assert first == second
    assert "broken" not in [row["signature"] for row in first["signatures"]]


def test_help_imports_neither_numpy_nor_the_worlds():
    program = (
        "import sys\n"
        "from ludex.cli import main\n"
        "assert main(['--help']) == 0\n"
        "heavy = {'numpy', 'scipy', 'ludex.core._native', 'ludex.arena'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_reader_that_leaves_early_is_no_error():
    command = " ".join(["exec", *(f"'{part}'" for part in LUDEX), "list", "--json"])
    done = subprocess.run(
        ["bash", "-c", f"({command}) | true"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


def test_the_live_view_draws_over_its_last_picture():
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=40)
    with LiveView(console) as view:
        play_match("nim[heaps=1-1]", ["uniform", "uniform"], watchers=[view])
    written = screen.getvalue()
    assert "\x1b[1A" in written  # the cursor goes up between pictures
    assert written.endswith("\x1b[?25h")  # and is visible again at the end
    assert "took the last match" in written


@pytest.mark.parametrize(("rows", "comes_first"), [(24, "last: seat"), (90, "desert")])
def test_a_board_taller_than_the_terminal_does_not_hide_what_was_thought(rows, comes_first):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, color_system=None, width=80, height=rows)
    agents, rules = ["one_step"] * 4, MatchRules(max_ticks=1)
    with LiveView(console) as view:
        play_match("catan", agents, budget="300calls", watchers=[view], rules=rules)
    *_, picture = screen.getvalue().split("catan tick 1")
    # What was chosen, beside what else was tried; a low terminal has room for the former alone.
    assert ("> settlement" if rows > 24 else "builds a settlement") in picture
    shown = [word for word in ("last: seat", "desert") if word in picture]
    assert min(shown, key=picture.index) == comes_first


def test_the_live_view_leaves_the_terminal_in_order_after_an_error():
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=40)

    class Moody(LiveView):
        def after_step(self, step: object) -> None:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError), Moody(console) as view:
        play_match("nim", ["uniform", "uniform"], watchers=[view])
    assert screen.getvalue().endswith("\x1b[?25h")


def test_a_card_folded_against_a_human_stays_hidden_after_the_game(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("bet\n"))
    assert (
        main(["play", "kuhn_poker", "--agents", "human,kuhn_poker/equilibrium", "--from", "QJ"])
        == 0
    )
    out = capsys.readouterr().out
    assert "seat 1 folded" in out
    assert "[Q]" in out
    assert "[J]" not in out


def test_commands_to_type_name_the_program_where_the_path_does_not_find_it(tmp_path, monkeypatch):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("ludex", "pytest"):
        (programs / name).touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(programs / "ludex")])
    monkeypatch.setenv("PATH", "/nowhere")
    assert to_type("ludex bench nim") == "bin/ludex bench nim"
    assert to_type("pytest test_it.py") == "bin/pytest test_it.py"
    monkeypatch.setenv("PATH", str(programs))
    assert to_type("ludex bench nim") == "ludex bench nim"


def interrupted_at(word: str, *arguments: str) -> tuple[int, str]:
    """Run the real command at a terminal and press Ctrl-C when its progress shows a word."""
    screen, terminal = pty.openpty()
    child = subprocess.Popen(
        [*LUDEX, *arguments], stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, text=True
    )
    try:
        seen = b""
        while word.encode() not in seen:
            ready, _, _ = select.select([screen], [], [], 90)
            assert ready, f"no {word!r} in {seen[-500:]!r}"
            seen += os.read(screen, 4096)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=60)
    finally:
        child.kill()
        child.wait()
        os.close(screen)
        os.close(terminal)
    return child.returncode, out


def test_ctrl_c_in_the_showcase_keeps_the_tables_that_were_shown():
    status, out = interrupted_at("goofspiel", "showcase", "--games", "4")
    assert status == 130
    rows = [line.split() for line in out.splitlines() if line.startswith("mcts v ")]
    assert rows[0][:4] == ["mcts", "v", "uniform", "4-0-0"]
    assert rows[1][:4] == ["mcts", "v", "one_step", "4-0-0"]
    told = re.search(r"interrupted: (\d+) of 11 worlds played; ludex showcase begins again", out)
    assert told is not None
    assert 4 <= int(told[1]) < 11  # a busy machine may finish what was shown as under way
    assert "Next" not in out


def test_ctrl_c_in_the_bench_prints_what_is_measured():
    status, out = interrupted_at("bench pig", "bench", "nim", "pig", "--seconds", "3")
    assert status == 130
    assert "planners, in a decision of 40 ms" in out
    assert "interrupted: 1 of 2 targets measured" in out


def test_an_interrupted_bench_keeps_the_rates_of_a_world_half_measured(monkeypatch, capsys):
    def interrupt(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("ludex.bench.timing.planner_rates", interrupt)
    assert main(["bench", "nim", "--seconds", "0.2", "--json"]) == 130
    written = capsys.readouterr()
    document = json.loads(written.out)
    assert document["interrupted"] is True
    assert "tick" in [row["metric"] for row in document["results"]]
    assert written.err == ""
