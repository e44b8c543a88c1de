"""How often the judge of published claims errs, on simulated results.

python benchmarks/judge_errors.py [--trials 1000]

Prints a Markdown table: the share of false verdicts, in per cent, by the number of levels.
"""

from __future__ import annotations

import argparse

from ludex.experiments.simulated import CLAIMS, FIFTEEN, NOTHING, verdicts

LEVELS = (2, 6, 12, 50, 100)
MATCHES = 3
CASES = (
    *(("more", "holds", one) for one in NOTHING),
    *(("best of three", "holds", one) for one in NOTHING),
    *(("same", "holds", one) for one in FIFTEEN),
    *(("more", "holds", one) for one in FIFTEEN),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    trials = parser.parse_args().trials
    print(f"| claim | what is true | {' | '.join(f'{n} levels' for n in LEVELS)} |")
    print("|---|---|" + "--:|" * len(LEVELS))
    for claim, verdict, scenario in CASES:
        shares = [
            100 * verdicts(CLAIMS[claim], scenario, n, MATCHES, trials)[verdict] / trials
            for n in LEVELS
        ]
        told = f"{scenario.difference:.0f} points: {scenario.text}"
        print(f"| {claim} {verdict} | {told} | {' | '.join(f'{one:.1f}' for one in shares)} |")


if __name__ == "__main__":
    main()
