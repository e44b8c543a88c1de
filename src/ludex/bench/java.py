"""How fast the Java framework of GVGAI is, carried to this machine.

The figures were measured once, on another machine, beside a small C++ program. The same program
run here says how much faster or slower this machine is.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from math import exp, fsum, log
from pathlib import Path
from typing import Any

from ludex.core.errors import LudexError

FIGURES = "java-speed.json"
PROGRAM = Path("limits", "yardstick.cpp")
FLAGS = ("-O2", "-std=c++20")
COMPILERS = ("g++", "c++", "clang++")
LONGEST_BUILD_S, LONGEST_RUN_S = 60, 120  # ten seconds of work, on a busy machine
# Which figure of Java stands against which of ours.
METRICS = {
    "tick": "advance_per_cpu_s",
    "copy_tick": "copy_advance_per_cpu_s",
    "copy": "copy_per_cpu_s",
    "model_ticks_40ms": "samplemcts_advances_40ms",
    "root_iterations_40ms": "samplemcts_iterations_40ms",
}
# What one of the planners has against a sample controller of Java's.
PLANNER_METRICS = {
    ("open_loop_mcts", "model_ticks_40ms"): "samplemcts_advances_40ms",
    ("rhea", "model_ticks_40ms"): "samplerhea_advances_40ms",
    ("olets", "model_ticks_40ms"): "olets_advances_40ms",
}


@dataclass(slots=True)
class Java:
    """The figures by folder and game, and what carries them to this machine."""

    games: dict[tuple[str, str], dict[str, float]] = field(default_factory=dict)
    reference: dict[str, float] = field(default_factory=dict)
    """what the yardstick measured where Java was measured"""
    scale: float = 1.0
    """how many times as fast this machine is"""
    problem: str = "the yardstick was not run"
    """why the figures are as measured there; empty when they were carried here"""

    def figure(
        self, folder: str, game: str, metric: str, planner: str | None = None
    ) -> float | None:
        """What Java would do here, or None where it was not measured."""
        name = PLANNER_METRICS.get((planner, metric)) if planner else METRICS.get(metric)
        measured = self.games.get((folder, game), {}).get(name or "")
        return None if measured is None else measured * self.scale

    def carry(self, shared: Path | None) -> None:
        """Run the yardstick and scale all figures by the geometric mean of its rates."""
        try:
            rates = run_yardstick(shared)
        except YardstickError as error:
            self.problem = str(error)
            return
        known = [rates[name] / rate for name, rate in self.reference.items() if name in rates]
        if not known:
            self.problem = "the yardstick measured none of the rates that go with the figures"
            return
        self.scale, self.problem = geometric_mean(known), ""


class YardstickError(Exception):
    """Says why there is no yardstick on this machine."""


def geometric_mean(numbers: list[float]) -> float:
    """The mean that suits ratios.

    >>> geometric_mean([2.0, 8.0])
    4.0
    """
    if min(numbers) <= 0.0:
        return 0.0
    return exp(fsum(log(number) for number in numbers) / len(numbers))


def read_java(path: Path) -> Java:
    """Read the figures; LudexError says what is wrong with the file."""
    try:
        document: dict[str, Any] = json.loads(path.read_text())
        known = {*METRICS.values(), *PLANNER_METRICS.values()}
        games = {
            (str(row["folder"]), str(row["game"])): {
                name: float(row[name]) for name in known if name in row
            }
            for row in document["games"]
        }
        reference = {name: float(rate) for name, rate in document["yardstick"].items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        kind = type(error).__name__
        raise LudexError(f"cannot read Java's figures in {str(path)!r}: {kind}: {error}") from None
    return Java(games, reference)


def shared_folder(games: Path | None) -> Path | None:
    """The folder of reference data: LUDEX_SHARED, or the one that holds the games."""
    named = os.environ.get("LUDEX_SHARED")
    if named and Path(named).is_dir():
        return Path(named)
    above = games.resolve().parents if games is not None else ()
    return next((folder for folder in above if (folder / PROGRAM).is_file()), None)


def run_yardstick(shared: Path | None) -> dict[str, float]:
    """Build the program in a folder of its own, run it, and return its rates by name."""
    if shared is None:
        raise YardstickError("there is no reference data; set LUDEX_SHARED to its folder")
    source = shared / PROGRAM
    if not source.is_file():
        raise YardstickError(f"there is no yardstick at {str(source)!r}")
    compiler = next(filter(None, map(shutil.which, (os.environ.get("CXX", ""), *COMPILERS))), None)
    if compiler is None:
        raise YardstickError("there is no C++ compiler to build the yardstick with")
    with tempfile.TemporaryDirectory(prefix="ludex-yardstick-") as folder:
        program = Path(folder, "yardstick")
        run([compiler, *FLAGS, str(source), "-o", str(program)], LONGEST_BUILD_S)
        rates: dict[str, float] = {}
        for line in run([str(program)], LONGEST_RUN_S).splitlines():
            words = line.split()
            if len(words) > 1 and words[0] != "bench":  # the head of its table
                rates[words[0]] = float(words[1])
        return rates


def run(command: list[str], longest_s: float) -> str:
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=longest_s, check=True
        ).stdout
    except subprocess.TimeoutExpired:
        raise YardstickError(f"the yardstick took more than {longest_s:g} seconds") from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise YardstickError(f"the yardstick cannot be built and run: {error}") from None
