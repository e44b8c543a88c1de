"""2.5.1: play Aliens, switch the game by its number, and let sample bots play it."""

from trials import arguments, play, summary

from ludex.worlds.vgdl.world import games

GAMES = sorted(f"vgdl/{name}" for name, about in games())

# YOUR IDEA: other bots (`ludex list aliases`), or other settings, such as "mcts(exploration=0.5)".
BOTS = ["do_nothing", "sampleRandom", "sampleOneStepLookAhead", "sampleMCTS", "sampleRHEA"]


if __name__ == "__main__":
    given = arguments(__doc__, games=3, game="0", level="0")
    if not given.game.isdecimal() or int(given.game) >= len(GAMES):
        listed = "\n".join(f"{number:>3}  {name}" for number, name in enumerate(GAMES))
        raise SystemExit(f"--game needs a number of this list, got {given.game!r}:\n{listed}")
    world = f"{GAMES[int(given.game)]}[level={given.level}]"
    print(f"{world}; play it yourself: ludex play {world} --agents human")
    print(f"{'bot':<28}{'won':>7}{'score':>8}{'ticks':>7}")
    for bot in BOTS:
        print(f"{bot:<28}{summary(play(world, bot, given.games, most_ticks=2000))}")
