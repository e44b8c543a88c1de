"""Search a game with hidden hands: the same planner with an even guess, and with a belief."""

from ludex import Budget, play

for agent in ("mcts@believed", "mcts@believed(belief=particles)", "ismcts"):
    series = play(
        "parley", [agent, "uniform", "uniform"], games=4, seed=1, budget=Budget(iterations=60)
    )
    print(f"{agent}: won {series.wins[0]} of 4 games of parley")
