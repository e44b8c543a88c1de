"""Parameters that exclude each other are refused in one sentence that says what to change."""

import pytest

from ludex.agents.compose import make_agent
from ludex.core.errors import BadParameter


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("iterated_width(least_width=2,width=1)", "least_width=2 is above width=1"),
        ("mo_mcts(score_weight=0,novelty_weight=0)", "leave no objective"),
        ("weighted_sum_mcts(score_weight=0,novelty_weight=0)", "leave no objective"),
        ("open_loop_mcts(rollout_depth=0,depth_from=root)", "lets no simulation move"),
        ("portfolio(puzzle=portfolio)", "would choose itself"),
        ("rhea(population=4,elite=4)", "leaves no room for children"),
        ("tovo2(shortest=60)", "shortest=60 is above longest=50"),
        ("yolobot(search=no,simulate=no)", "leave nothing to plan with"),
    ],
)
def test_contradictory_parameters_are_refused(text, problem):
    with pytest.raises(BadParameter, match=problem) as caught:
        make_agent(text)
    assert "; " in str(caught.value)  # what to do about it
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["iterated_width(least_width=2)", "rmhc", "rhea(population=1)", "tovo2(shortest=50)"]
)
def test_the_limits_themselves_are_allowed(text):
    make_agent(text)
