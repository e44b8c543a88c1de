"""2.5.3: a bot of one's own in a study with sample bots, and the ranking."""

from dataclasses import replace
from pathlib import Path

from trials import arguments

from ludex import Decision
from ludex.arena.statistics.ranking import lines_by_game, rank
from ludex.arena.study import run_study
from ludex.arena.study.file import read_study


class MyBot:
    """Tries each action, plays on at random, and takes the one that did best."""

    def decide(self, model, view, budget, rng):
        # YOUR IDEA: your bot. It may make as many calls of the model as the budget has.
        start = model.imagine(view, rng)
        tries = budget.model_calls // (len(view.legal) * 11)
        values = {}
        for action in view.legal:
            values[action] = 0.0
            for _ in range(tries):
                after = model.step(start, (action,), rng)
                end = model.rollout(after, "uniform", 10, rng)
                values[action] += self.value(model, end.state, view.seat)
        best = max(values.values())
        ties = [action for action in values if values[action] == best]
        return Decision(action=ties[rng.below(len(ties))], values=values)

    def value(self, model, state, seat):
        outcome = model.outcome(state)
        end = 0 if outcome is None else 100 if seat in outcome.winners else -100
        return model.score(state, seat) + end


if __name__ == "__main__":
    given = arguments(__doc__, games=1)
    study = read_study(Path(__file__).with_suffix(".toml"))
    results = run_study(replace(study, repetitions=given.games), workers=0)
    print(f"{'rank':<6}{'agent':<26}{'points':>7}{'won':>8}{'95 % interval':>16}")
    table = lines_by_game(results.by("agent", "game"), study.rules.max_ticks)
    for standing in rank(table):
        tally = results.tally(standing.agent)
        least, most = (f"{bound:.0%}" for bound in tally.win_interval)
        won, interval = f"{tally.wins}/{tally.games}", f"{least} to {most}"
        print(f"{standing.place:<6}{standing.agent:<26}{standing.points:>7}{won:>8}{interval:>16}")
