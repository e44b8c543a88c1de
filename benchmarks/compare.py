"""Compare the speed of this working tree with a base commit, on this machine, in one run.

    python benchmarks/compare.py BASE [--rounds 12] [--seconds 0.05]

Both are built into folders of their own below build/compare and measured in turns, so that
whatever else the machine does touches both alike. A ratio above 1 means slower than the base.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
from scipy import stats

REPOSITORY = Path(__file__).parents[1]
FOLDER = REPOSITORY / "build" / "compare"


def run(*command: str | Path, **keywords: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **keywords)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr or done.stdout}")
    return str(done.stdout)


def install(source: Path, name: str) -> Path:
    """Build a source tree into build/compare/NAME/site."""
    site = FOLDER / name / "site"
    shutil.rmtree(site, ignore_errors=True)
    run(
        *(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"),
        *("--no-deps", "--no-build-isolation", "--target", site),
        *("--config-settings", f"build-dir={FOLDER / name / 'cmake'}", source),
    )
    return site


def measure(site: Path, seconds: float) -> dict[str, float]:
    # -S leaves out the editable install of this environment; its libraries are named instead.
    libraries = sysconfig.get_path("purelib")
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{libraries}"}
    suite = REPOSITORY / "benchmarks" / "suite.py"
    output = run(
        *(sys.executable, "-S", suite, "--json", "--seconds", str(seconds)), env=environment
    )
    return dict(json.loads(output))


def interval(ratios: list[float]) -> tuple[float, float, float]:
    """The geometric mean of ratios with its 95 % interval."""
    logs = np.log(ratios)
    mean = float(logs.mean())
    error = float(stats.sem(logs)) * float(stats.t.ppf(0.975, len(logs) - 1))
    return math.exp(mean), math.exp(mean - error), math.exp(mean + error)


def verdict(low: float, high: float) -> str:
    if low > 1.0:
        return "slower"
    return "faster" if high < 1.0 else "undecided"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="a commit, tag or branch")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.05, help="for each benchmark and round")
    options = parser.parse_args()
    if options.rounds < 2:
        parser.error("an interval needs at least 2 rounds")

    commit = run("git", "-C", REPOSITORY, "rev-parse", "--verify", f"{options.base}^{{commit}}")
    tree = FOLDER / "base" / "source"
    run("git", "-C", REPOSITORY, "worktree", "prune")
    if tree.exists():
        run("git", "-C", REPOSITORY, "worktree", "remove", "--force", tree)
    run("git", "-C", REPOSITORY, "worktree", "add", "--detach", tree, commit.strip())
    try:
        sites = [install(tree, "base"), install(REPOSITORY, "change")]
    finally:
        run("git", "-C", REPOSITORY, "worktree", "remove", "--force", tree)

    rounds: list[list[dict[str, float]]] = []
    for number in range(options.rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found = {side: measure(sites[side], options.seconds) for side in order}
        rounds.append([found[0], found[1]])
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)

    print(f"{'benchmark':40} {'base ns':>10} {'change ns':>10} {'ratio':>7}  95 % interval")
    for name in rounds[0][1]:
        if name not in rounds[0][0]:
            print(f"{name:40} {'-':>10} {rounds[0][1][name]:10.1f}    new")
            continue
        base, change = ([pair[side][name] for pair in rounds] for side in (0, 1))
        ratio, low, high = interval([b / a for a, b in zip(base, change, strict=True)])
        print(
            f"{name:40} {np.median(base):10.1f} {np.median(change):10.1f} {ratio:7.3f}  "
            f"{low:.3f} to {high:.3f}  {verdict(low, high)}"
        )


if __name__ == "__main__":
    main()
