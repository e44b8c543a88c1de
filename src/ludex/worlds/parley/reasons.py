"""Why an act is not legal, in one sentence, from what the seat may know."""

from __future__ import annotations

from ludex.core.person import Person
from ludex.worlds.parley.acts import PHASE_VERBS
from ludex.worlds.parley.values import GOODS, PLAYS, Act, Verb, complete
from ludex.worlds.parley.view import ParleyView


def reason(view: ParleyView, act: Act, who: Person) -> str:
    if not view.legal:
        return f"{who} cannot {act}: it is not {who.its} turn to act"
    if act.verb not in PHASE_VERBS[view.phase]:
        words = " or ".join(verb.name.lower() for verb in PHASE_VERBS[view.phase])
        return f"{who} cannot {act} now: {who.it} must {words}"
    return f"{who} cannot {act}: {problem(view, act, who)}"


def problem(view: ParleyView, act: Act, who: Person) -> str:
    if act.verb in (Verb.PLEDGE, Verb.TREATY) and not view.plays:
        return f"{who.has} used the {PLAYS} plays of this turn"
    if act.verb is Verb.OFFER and not view.talks:
        return f"{who.has} made {who.its} offer of this turn already"
    if act.seat == view.seat:
        return f"that is {'yourself' if who.is_reader else 'itself'}; name another seat"
    own = view.pledged[view.seat]
    if act.verb is Verb.TREATY and not complete(own, view.pledged[act.seat]):
        both = zip(GOODS, own, view.pledged[act.seat], strict=True)
        missing = [good for good, mine, theirs in both if not mine and not theirs]
        whose = "your" if who.is_reader else "their"
        return f"{whose} pledges together lack {' and '.join(missing)}"
    if act.verb in (Verb.OFFER, Verb.DEMAND) and not view.sizes[act.seat]:
        return f"seat {act.seat} holds no card"
    good = view.want if act.verb is Verb.ACCEPT else act.good
    if good >= 0 and not view.hand[good]:
        return f"{who.does('hold')} no {GOODS[good]}"
    if act.verb is Verb.OFFER:
        return f"{who.has} {GOODS[act.want]} already"
    return "it is legal"
