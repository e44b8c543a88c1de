"""3.6.1: the same agents in other sets of games, to see where a knowledge base helps."""

from trials import arguments, play

AGENTS = ["sampleMCTS", "kb_mcts", "fast_evo_mcts", "kb_fast_evo_mcts"]

# YOUR IDEA: sets by another question, such as games with and without enemies, small and large.
SETS = {
    "points at once": ["vgdl/aliens", "vgdl/missilecommand", "vgdl/butterflies"],
    "points far away": ["vgdl/zelda", "vgdl/portals", "vgdl/frogs"],
}


if __name__ == "__main__":
    given = arguments(__doc__, games=1)
    print(f"{'agent':<20}" + "".join(f"{name:>18}" for name in SETS))
    for agent in AGENTS:
        line = f"{agent:<20}"
        for worlds in SETS.values():
            matches = [match for world in worlds for match in play(world, agent, given.games)]
            won = sum(0 in match.winners for match in matches)
            line += f"{f'won {won}/{len(matches)}':>18}"
        print(line)
