"""No process outlives the command that started it, however that command ends."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
from folders import HELPERS
from test_cli_conform import GAME
from test_cli_conform import write as write_trace

from ludex.arena.processes.pool import Pool

AGENTS = HELPERS / "hostile_agents.py"
LUDEX = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]
ENDS = ["SIGTERM", "SIGKILL", "SIGHUP", "closed terminal"]

IN_PROCESSES = """
import sys, threading, time
from ludex.worlds.vgdl.tools.parallel import in_processes

def work():
    list(in_processes(time.sleep, [600.0] * 4, workers=2))

if __name__ == "__main__":
    if sys.argv[1:] == ["thread"]:
        threading.Thread(target=work).start()
        time.sleep(600)
    work()
"""


def study(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        f'agents = ["{AGENTS}:Sleeps", "uniform"]\nworlds = ["nim"]\nbudgets = ["9calls"]\n'
        "[rules]\nhang_after_ms = 600000\n"
    )
    return ["arena", "run", str(path), "--workers", "2"]


def play(tmp_path):
    agents = f"{AGENTS}:Sleeps,{AGENTS}:LeavesAChild"
    return [
        "play",
        "nim",
        "--agents",
        agents,
        "--games",
        "4",
        "--workers",
        "2",
        "--patience",
        "600",
    ]


def sprt(tmp_path):
    return ["arena", "sprt", f"{AGENTS}:Sleeps", "uniform", "nim", "--budget", "9calls"]


def reproduce(tmp_path):
    return ["reproduce", "EXP-3", "--workers", "2", "--out", str(tmp_path)]


def conform(tmp_path):
    """One trace under many names, so that there is a lot to do."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "coins.txt").write_text(GAME)
    (tmp_path / "games" / "coins_lvl0.txt").write_text("Ac\n")
    (tmp_path / "traces").mkdir()
    write_trace(tmp_path, "0.jsonl.gz")
    for number in range(1, 4000):
        os.link(tmp_path / "traces" / "0.jsonl.gz", tmp_path / "traces" / f"{number}.jsonl.gz")
    games = str(tmp_path / "games")
    return ["conform", "vgdl", str(tmp_path / "traces"), "--games", games, "--workers", "2"]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("command", "least"), [(study, 8), (play, 8)])
def test_nothing_survives_a_command(tmp_path, command, least, end):
    assert_nothing_survives([*LUDEX, *command(tmp_path)], least, end)


@pytest.mark.parametrize("end", ["SIGKILL", "closed terminal"])
@pytest.mark.parametrize(("command", "least"), [(sprt, 5), (reproduce, 6), (conform, 4)])
def test_nothing_survives_other_commands(tmp_path, command, least, end):
    assert_nothing_survives([*LUDEX, *command(tmp_path)], least, end)


@pytest.mark.parametrize("end", ["SIGTERM", "SIGKILL", "closed terminal"])
def test_nothing_survives_a_pool_of_the_games(tmp_path, end):
    script = tmp_path / "pool.py"
    script.write_text(IN_PROCESSES)
    assert_nothing_survives([sys.executable, str(script)], 3, end)


def test_nothing_survives_a_pool_that_a_thread_made(tmp_path):
    script = tmp_path / "pool.py"
    script.write_text(IN_PROCESSES)
    assert_nothing_survives([sys.executable, str(script), "thread"], 3, "SIGKILL")


def test_workers_outlive_the_thread_that_made_their_pool():
    made = []
    thread = threading.Thread(target=lambda: made.append(Pool(1)))
    thread.start()
    thread.join()
    with made[0] as pool:
        pool.give("task", divmod_of, a=7, b=2)
        assert pool.take() == [("task", (3, 1))]


def divmod_of(a, b):
    return divmod(a, b)


def assert_nothing_survives(command, least, end):
    """Run a command until it has so many processes, end it, and see whether all are gone."""
    mark = f"LUDEX_TEST_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    environment = {**os.environ, name: value}
    above, below = pty.openpty()
    options = {"stdin": below, "stdout": below, "stderr": below, "env": environment}
    run = subprocess.Popen(command, preexec_fn=lambda: take_terminal(below), **options)
    os.close(below)
    try:
        wait_until(lambda: drain(above) or len(marked(mark)) >= least)
        if end == "closed terminal":
            os.close(above)
        else:
            run.send_signal(getattr(signal, end))
        run.wait(30)
        wait_until(lambda: not marked(mark), 15)
    finally:
        run.kill()
        run.wait()
        with contextlib.suppress(OSError):
            os.close(above)
        for pid in marked(mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def take_terminal(terminal):
    """Become the head of a session at this terminal, as a shell's command is."""
    import fcntl
    import termios

    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whatever the tests were started with
    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)


def drain(terminal):
    """Read what a command shows, so that it never waits for its terminal."""
    os.set_blocking(terminal, False)
    with contextlib.suppress(OSError):
        while os.read(terminal, 65536):
            pass


def marked(mark):
    """All processes that have this mark, and are no zombies."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            with contextlib.suppress(OSError):
                status = (place / "stat").read_text().rpartition(")")[2].split()[0]
                if status != "Z" and mark.encode() in (place / "environ").read_bytes():
                    found.append(int(place.name))
    return found


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)
