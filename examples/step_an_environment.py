"""Any world as a Gymnasium environment: here a random walk through Kuhn poker."""

import numpy as np

from ludex.adapters import to_gymnasium

environment = to_gymnasium("kuhn_poker", seat=0, opponents=["kuhn_poker/equilibrium"])
chooser = np.random.default_rng(1)
total = 0.0
for game in range(50):
    _, info = environment.reset(seed=game)
    over = False
    while not over:
        action = chooser.choice(np.flatnonzero(info["action_mask"]))
        _, reward, terminated, truncated, info = environment.step(int(action))
        total += float(reward)
        over = terminated or truncated
print(f"a random player gets {total / 50:+.2f} a game against the equilibrium")
