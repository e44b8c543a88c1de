"""2.5.3: a bot of one's own in a study with sample bots, and the ranking."""

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from trials import arguments

from ludex.arena.statistics.ranking import lines_by_game, rank
from ludex.arena.study import run_study
from ludex.arena.study.file import read_study
from ludex.core import BudgetSpent, Decision


class MyBot:
    """Tries each action in turn, plays on at random, and takes the one that did best."""

    def decide(self, model, view, budget, rng):
        # YOUR IDEA: your bot. The model counts its calls, and raises BudgetSpent at the end.
        totals = dict.fromkeys(view.legal, 0.0)
        tries = dict.fromkeys(view.legal, 0)
        with suppress(BudgetSpent):
            for number in range(budget.iterations or sys.maxsize):
                action = view.legal[number % len(view.legal)]
                after = model.step(model.imagine(view, rng), (action,), rng)
                end = model.rollout(after, "uniform", 10, rng)
                totals[action] += self.value(model, end.state, view.seat)
                tries[action] += 1
        means = {action: totals[action] / tries[action] for action in totals if tries[action]}
        best = [action for action in means if means[action] == max(means.values())]
        return Decision(action=rng.choice(best or list(view.legal)), values=means)

    def value(self, model, state, seat):
        outcome = model.outcome(state)
        end = 0 if outcome is None else 100 if seat in outcome.winners else -100
        return model.score(state, seat) + end


if __name__ == "__main__":
    given = arguments(__doc__, games=1)
    study = read_study(Path(__file__).with_suffix(".toml"))
    results = run_study(replace(study, repetitions=given.games), workers=0)
    for fault in results.faults:  # a mistake in an agent loses its game; here it ends all
        raise SystemExit(f"{fault.game}, tick {fault.tick}: {fault.message}")
    print(f"{'rank':<6}{'agent':<26}{'points':>7}{'won':>8}{'95 % interval':>16}")
    table = lines_by_game(results.by("agent", "game"), study.rules.max_ticks)
    for standing in rank(table):
        tally = results.tally(standing.agent)
        least, most = (f"{bound:.0%}" for bound in tally.win_interval)
        won, interval = f"{tally.wins}/{tally.games}", f"{least} to {most}"
        print(f"{standing.place:<6}{standing.agent:<26}{standing.points:>7}{won:>8}{interval:>16}")
