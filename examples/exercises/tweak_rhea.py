"""3.6.2: tweak sampleRHEA: population (P), length (L), and its operators."""

from trials import arguments, compare

from ludex.planners.rhea import Rhea

SIZES = [(population, length) for population in (1, 5, 10) for length in (6, 14)]
AGENTS = {f"P={one}, L={other}": Rhea(population=one, length=other) for one, other in SIZES}

# YOUR IDEA: other operators together; a larger elite; the shift buffer; rollouts after sequences.
AGENTS |= {
    "one-point crossover": Rhea(crossover="one_point"),
    "no crossover": Rhea(crossover="none"),
    "each gene, 30 %": Rhea(mutation="each", mutation_rate=0.3),
    "bandit mutation": Rhea(mutation="bandit"),
    "tournament of 4": Rhea(tournament=4),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/butterflies"], given.games, budget="300calls", most_ticks=100)
