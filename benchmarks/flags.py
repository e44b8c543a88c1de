"""Compare compiler flags on the native rules of connect four, in interleaved rounds.

python benchmarks/flags.py [--rounds 8] [--seconds 0.3] ["-O3" "-O2 -flto" ...]
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy import stats

ROOT = Path(__file__).parents[1]
CORE = ROOT / "src/ludex/core/native"
RULES = ROOT / "src/ludex/worlds/connect_four/native"
BASE = "-O2"
RIVALS = ["-O3", "-O3 -march=native", "-O2 -flto"]
METRICS = ("tick", "rollout_tick")
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include "rules.hpp"
#include "timing.hpp"
int main(int, char** words) {
    const ludex::connect_four::Rules rules;
    std::printf("%f\\n", ludex::time_metric(rules, words[1], std::atof(words[2])).value());
}
"""


def build(flags: str, folder: Path) -> Path:
    source = folder / "main.cpp"
    source.write_text(PROGRAM)
    program = folder / f"bench{abs(hash(flags))}"
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-std=c++20", "-DNDEBUG", *shlex.split(flags), f"-I{CORE}", f"-I{RULES}"]
    sources = [str(source), *map(str, set(RULES.glob("*.cpp")) - {RULES / "bindings.cpp"})]
    subprocess.run([*command, *sources, "-o", str(program)], check=True)
    return program


def measure(program: Path, metric: str, seconds: float) -> float:
    words = [str(program), metric, str(seconds)]
    return float(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flags", nargs="*", default=RIVALS)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.3)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        programs = {flags: build(flags, Path(name)) for flags in [BASE, *chosen.flags]}
        speeds: dict[tuple[str, str], list[float]] = {}
        for number in range(chosen.rounds):
            print(f"round {number + 1} of {chosen.rounds}", end="\r", file=sys.stderr)
            for flags, program in programs.items():
                for metric in METRICS:
                    rate = measure(program, metric, chosen.seconds)
                    speeds.setdefault((flags, metric), []).append(rate)
    for flags in chosen.flags:
        for metric in METRICS:
            logs = np.log(np.array(speeds[flags, metric]) / np.array(speeds[BASE, metric]))
            half = stats.t.ppf(0.975, len(logs) - 1) * stats.sem(logs)
            low, middle, high = np.exp(logs.mean() + np.array([-half, 0.0, half]))
            print(f"{flags:20} {metric:13} {middle:.2f} times {BASE} ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
