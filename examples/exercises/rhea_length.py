"""3.6.2: sequences whose length follows the landscape of values, with other limits and steps."""

from trials import arguments, compare

from ludex.planners.rhea import Rhea

AGENTS = {
    "length 10": Rhea(shift_buffer=True),
    "dynamic, as published": Rhea(shift_buffer=True, dynamic_length=True),
    # YOUR IDEA: flat and rough are deviations of values from 0 to 1; step and limits are actions.
    "often, small steps": Rhea(
        shift_buffer=True, dynamic_length=True, length_period=3, length_step=2
    ),
    "flat below 0.2": Rhea(shift_buffer=True, dynamic_length=True, length_flat=0.2),
    "at most 30": Rhea(
        shift_buffer=True, dynamic_length=True, length_flat=0.2, most_length=30, length_period=5
    ),
}

if __name__ == "__main__":
    given = arguments(__doc__, games=3)
    compare(AGENTS, ["vgdl/butterflies"], given.games, budget="300calls", most_ticks=100)
