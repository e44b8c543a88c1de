"""Play a short series and end in a number with its interval."""

from ludex import Budget, play
from ludex.arena.statistics.intervals import wilson

GAMES = 10

series = play(
    "connect_four", ["mcts", "uniform"], games=GAMES, seed=1, budget=Budget(iterations=50)
)
low, high = wilson(series.wins[0], GAMES)
print(f"mcts won {series.wins[0]} of {GAMES} games (95 % interval {low:.2f} to {high:.2f})")
