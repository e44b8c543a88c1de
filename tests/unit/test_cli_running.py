"""The command line as a user runs it: skeletons, interruption, terminals, start-up."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from rich.console import Console

from ludex.arena.match import play_match
from ludex.cli import main
from ludex.cli.watch import LiveView

LUDEX = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]


def ludex(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*LUDEX, *arguments], capture_output=True, text=True, timeout=110, check=False, **options
    )


def test_a_new_agent_plays_at_once_and_its_test_passes(tmp_path):
    made = ludex("new", "agent", "my_agent", cwd=tmp_path)
    assert made.returncode == 0
    assert "ludex play nim --agents my_agent.py:MyAgent,uniform" in made.stdout
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
            os.kill({who}, signal.SIGINT)
        return view.legal[0]
"""


def test_ctrl_c_prints_what_is_finished(tmp_path):
    (tmp_path / "impatient.py").write_text(IMPATIENT.format(who="os.getpid()"))
    agents = "impatient.py:Impatient,uniform"
    arguments = ("play", "nim", "--agents", agents, "--games", "50", "--in-process")
    done = ludex(*arguments, cwd=tmp_path)
    assert done.returncode == 130
    assert "nim: 2 games at 40ms" in done.stdout
    assert "48 games not played" in done.stdout
    assert done.stderr == ""


def test_ctrl_c_ends_the_workers_and_keeps_the_answer_one_document(tmp_path):
    (tmp_path / "impatient.py").write_text(IMPATIENT.format(who="os.getppid()"))
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


def test_the_live_view_leaves_the_terminal_in_order_after_an_error():
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=40)

    class Moody(LiveView):
        def after_step(self, *step: object) -> None:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError), Moody(console) as view:
        play_match("nim", ["uniform", "uniform"], watchers=[view])
    assert screen.getvalue().endswith("\x1b[?25h")


def test_the_showcase_plays_every_world_and_ends_with_three_commands(monkeypatch, capsys):
    from ludex.core import registry

    monkeypatch.setattr("ludex.cli.showcase.BUDGET", "20calls")
    assert main(["showcase", "--games", "2", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in registry.names("worlds"))
    assert "One game of connect_four" in out
    after = out.partition("\nNext\n")[2]
    assert after.count("  ludex ") == 3


def test_the_showcase_answers_scripts_with_its_results(monkeypatch, capsys):
    monkeypatch.setattr("ludex.cli.showcase.BUDGET", "20calls")
    assert main(["showcase", "--games", "1", "--workers", "1", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert {"uniform", "nim/perfect"} <= {row["agents"][1] for row in results}
    assert sum(row["faults"] for row in results) == 0
