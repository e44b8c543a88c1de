"""Every action of parley, made once: a rollout asks for thousands of legal lists."""

from __future__ import annotations

from ludex.core.event import Event
from ludex.worlds.parley.values import GOOD_RANGE, SEATS, Act, Phase, Verb

ROLL, REJECT, ACCEPT = Act(Verb.ROLL), Act(Verb.REJECT), Act(Verb.ACCEPT)
PLEDGE, GIVE, RETURN = (
    tuple(Act(verb, good=good) for good in GOOD_RANGE)
    for verb in (Verb.PLEDGE, Verb.GIVE, Verb.RETURN)
)
TREATY, DEMAND = (
    tuple(Act(verb, seat) for seat in range(SEATS)) for verb in (Verb.TREATY, Verb.DEMAND)
)
OFFER = tuple(  # by seat, good offered and good wanted
    tuple(tuple(Act(Verb.OFFER, seat, good, want) for want in GOOD_RANGE) for good in GOOD_RANGE)
    for seat in range(SEATS)
)
ALL_ACTS = (
    ROLL,
    *PLEDGE,
    *(act for rows in OFFER for row in rows for act in row if act.good != act.want),
    *TREATY,
    REJECT,
    ACCEPT,
    *DEMAND,
    *GIVE,
    *RETURN,
)
PHASE_VERBS = {
    Phase.MOVE: (Verb.ROLL, Verb.PLEDGE, Verb.OFFER, Verb.TREATY),
    Phase.ANSWER: (Verb.REJECT, Verb.ACCEPT),
    Phase.CONSENT: (Verb.REJECT, Verb.ACCEPT),
    Phase.RETURN: (Verb.RETURN,),
    Phase.DEMAND: (Verb.DEMAND,),
    Phase.GIVE: (Verb.GIVE,),
}


def acts_behind(event: Event) -> list[Act] | None:
    """The actions that can have caused an event, as far as its seat may know; None: any."""
    detail = event.detail if isinstance(event.detail, tuple) else ()
    match event.kind:
        case "roll":
            return [ROLL]
        case "pledge":
            return [PLEDGE[detail[0]]]
        case "offer":
            return [Act(Verb.OFFER, *detail)]
        case "treaty":
            return [TREATY[detail[0]]]
        case "demand":
            return [DEMAND[detail[0]]]
        case "accept":
            return [ACCEPT]
        case "reject":
            return [REJECT]
        case "give":
            return [GIVE[good] for good in detail[1:] or GOOD_RANGE]
        case "return":
            return [RETURN[good] for good in detail or GOOD_RANGE]
    return None
