"""How much an object-based model foretells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludex.core.rng import Rng
from ludex.core.things import ThingView
from ludex.models.learned.parts.accuracy import ANY, share
from ludex.models.learned.parts.transitions import Transition

if TYPE_CHECKING:
    from ludex.models.learned.object_based import ObjectBased


def accuracy_of_things(learner: ObjectBased, transitions: Sequence[Transition]) -> dict[str, float]:
    """Compare one-step predictions with what happened.

    `things`: of things before or after a step, the share that is wholly right: kind and place, or
    gone. `changed_things`: the same of those that change or are foretold to. `states`: of
    transitions, those with nothing wrong. `seen`: of things that could change, those in a
    situation that was known. `gains`: of transitions, those whose gain is right to 0.05. Of
    nothing, all is right.
    """
    model = learner.model(ANY)
    total: Counter[str] = Counter()
    for one in transitions:
        before, after = (
            learner.own(learner.shown(moment.view)) for moment in (one.before, one.after)
        )
        start = model.state_of(before)
        foretold = model.step(start, one.actions, Rng(0))
        was, is_now = (Counter(positions(view)) for view in (before, after))
        said = Counter((*foretold.things, *foretold.ground.things))
        right = (said & is_now).total()
        every = max(said.total(), is_now.total())
        still = (was & is_now & said).total()
        total.update(things=every, right=right, still=still, seen=len(start.things))
        total.update(unseen=foretold.unseen, states=right == every)
        total.update(gains=abs(foretold.score - after.score) <= 0.05)
    changed = total["things"] - total["still"]
    count = len(transitions)
    return {
        "things": share(total["right"], total["things"]),
        "changed_things": share(total["right"] - total["still"], changed),
        "states": share(total["states"], count),
        "seen": share(total["seen"] - total["unseen"], total["seen"]),
        "gains": share(total["gains"], count),
    }


def positions(view: ThingView) -> list[tuple[int, int, int]]:
    return [(thing.kind, thing.x, thing.y) for thing in view.things]
