"""Steps 64 games of Aliens side by side with random actions, and says how they went."""

import gymnasium

games = gymnasium.make_vec("ludex:vgdl/aliens-v0", num_envs=64, level=0, observation="grid")
observations, infos = games.reset(seed=1)
games.action_space.seed(1)
score = ended = 0
for _ in range(1000):
    observations, rewards, terminated, truncated, infos = games.step(games.action_space.sample())
    score, ended = score + rewards.sum(), ended + (terminated | truncated).sum()
print(f"{ended} games ended, with {score / ended:.1f} points each")
