"""The rules of parley.

Three envoys hold hidden cards of five goods. On its turn an envoy has two plays, each a
card pledged openly or a treaty proposed, and may once offer an exchange of cards; then it rolls.
Two envoys whose pledges together show all five goods may sign a treaty: both win. An envoy that
shows all five alone wins alone. After the last round the congress disperses and all lose.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from ludex.core.event import Event
from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.worlds.parley.deals import complete, deal, every_deal, twins
from ludex.worlds.parley.values import (
    GOODS,
    PLAYS,
    SEATS,
    TALKS,
    Act,
    Counts,
    News,
    Phase,
    State,
    Verb,
    moved,
    replaced,
)
from ludex.worlds.parley.view import ParleyView

STORM_ODDS = 3  # one roll in three brings a storm: pledges made early may be lost
DIE = tuple((face, 1 / 6) for face in range(1, 7))
ROLLERS = frozenset({Phase.MOVE, Phase.RETURN, Phase.DEMAND})
OTHERS = frozenset({Phase.ANSWER, Phase.CONSENT, Phase.GIVE})
GOOD_RANGE = range(len(GOODS))
RIVALS = ((1, 2), (0, 2), (0, 1))
DRAWS = frozenset({Phase.DRAW, Phase.FIRST, Phase.SECOND})

# Actions are made once: a rollout asks for thousands of legal lists.
ROLL, REJECT, ACCEPT = Act(Verb.ROLL), Act(Verb.REJECT), Act(Verb.ACCEPT)
PLEDGE, GIVE, RETURN = (
    tuple(Act(verb, good=good) for good in GOOD_RANGE)
    for verb in (Verb.PLEDGE, Verb.GIVE, Verb.RETURN)
)
TREATY, DEMAND = (
    tuple(Act(verb, seat) for seat in range(SEATS)) for verb in (Verb.TREATY, Verb.DEMAND)
)
OFFERS = tuple(
    tuple(
        tuple(Act(Verb.OFFER, seat, good, want) for want in GOOD_RANGE if want != good)
        for good in GOOD_RANGE
    )
    for seat in range(SEATS)
)


class ParleyModel(PythonModel):
    """Offers, hidden hands, a die, storms and treaties."""

    def __init__(self, rounds: int, copies: int) -> None:
        super().__init__()
        self.last_turn = SEATS * rounds
        self.copies = copies
        self.traits = Traits(
            seats=SEATS,
            max_legal=1 + len(GOODS) + 2 * len(GOODS) * (len(GOODS) - 1) + 2,
            hidden=True,
            chance="mixed",
            events=True,
            model_sees_all=False,
        )

    # Who acts, and how

    def to_act(self, state: State) -> tuple[int, ...]:
        if state.phase in ROLLERS:
            return (state.turn % SEATS,)
        return (state.other,) if state.phase in OTHERS else ()

    def legal(self, state: State, seat: int) -> list[Act]:
        if self.to_act(state) != (seat,):
            return []
        hand = state.hands[seat]
        held = [good for good in GOOD_RANGE if hand[good]]
        match state.phase:
            case Phase.ANSWER:
                return [REJECT, ACCEPT] if hand[state.want] else [REJECT]
            case Phase.CONSENT:
                return [REJECT, ACCEPT]
            case Phase.RETURN:
                return [RETURN[good] for good in held]
            case Phase.GIVE:
                return [GIVE[good] for good in held]
        armed = [rival for rival in RIVALS[seat] if any(state.hands[rival])]
        if state.phase is Phase.DEMAND:
            return [DEMAND[rival] for rival in armed]
        acts = [ROLL]
        if state.plays:
            acts += [PLEDGE[good] for good in held]
        if state.talks:
            for rival in armed:
                for good in held:
                    acts += OFFERS[rival][good]
        if state.plays:
            mine = state.pledged[seat]
            acts += [TREATY[one] for one in RIVALS[seat] if complete(mine, state.pledged[one])]
        return acts

    def action_type(self, action: Act) -> str:
        return action.verb.name.lower()

    # Decisions

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        act: Act = actions[0]
        roller = state.turn % SEATS
        match act.verb:
            case Verb.ROLL:
                self._roll(state, roller, rng)
            case Verb.PLEDGE:
                self._shift(state, roller, act.good, -1)
                row = moved(state.pledged[roller], act.good, 1)
                state.pledged = replaced(state.pledged, roller, row)
                state.plays -= 1
                state.news = (News("pledge", roller, (act.good,)),)
                if complete(row):
                    self._stop(state, Phase.OVER)
            case Verb.OFFER:
                state.talks -= 1
                state.phase, state.other = Phase.ANSWER, act.seat
                state.good, state.want = act.good, act.want
                state.news = (News("offer", roller, (act.seat, act.good, act.want)),)
            case Verb.TREATY:
                state.plays -= 1
                state.phase, state.other = Phase.CONSENT, act.seat
                state.news = (News("treaty", roller, (act.seat,)),)
            case Verb.ACCEPT | Verb.REJECT:
                self._answer(state, roller, act.verb is Verb.ACCEPT)
            case Verb.DEMAND:
                state.phase, state.other = Phase.GIVE, act.seat
                state.news = (News("demand", roller, (act.seat,)),)
            case Verb.GIVE:
                giver = state.other
                self._shift(state, giver, act.good, -1)
                self._shift(state, roller, act.good, 1)
                self._end_turn(state)
                given = News("give", giver, (roller,), (act.good,), (giver, roller))
                state.news = (given,)
            case Verb.RETURN:
                self._shift(state, roller, act.good, -1)
                state.pile = moved(state.pile, act.good, 1)
                self._end_turn(state)
                state.news = (News("return", roller, (), (act.good,), (roller,)),)

    def _roll(self, state: State, roller: int, rng: Rng) -> None:
        """End the moves; a storm may take one pledge of one good from each envoy."""
        lost: tuple[int, ...] = ()
        if rng.below(STORM_ODDS) == 0:
            good = rng.below(len(GOODS))
            lost = (good,)
            for seat, row in enumerate(state.pledged):
                if row[good]:
                    state.pledged = replaced(state.pledged, seat, moved(row, good, -1))
                    state.pile = moved(state.pile, good, 1)
        self._stop(state, Phase.DIE)
        state.news = (News("roll", roller), News("weather", None, lost))

    def _answer(self, state: State, roller: int, accepted: bool) -> None:
        partner, word = state.other, "accept" if accepted else "reject"
        state.news = (News(word, partner, (roller,)),)
        if accepted and state.phase is Phase.CONSENT:
            self._stop(state, Phase.OVER)
            return
        if accepted:
            self._shift(state, roller, state.good, -1)
            self._shift(state, roller, state.want, 1)
            self._shift(state, partner, state.want, -1)
            self._shift(state, partner, state.good, 1)
        state.phase, state.other, state.good, state.want = Phase.MOVE, -1, -1, -1

    def _shift(self, state: State, seat: int, good: int, number: int) -> None:
        state.hands = replaced(state.hands, seat, moved(state.hands[seat], good, number))

    def _end_turn(self, state: State) -> None:
        state.turn += 1
        state.other = -1
        if state.turn == self.last_turn:
            self._stop(state, Phase.OVER)
        else:
            state.phase, state.plays, state.talks = Phase.MOVE, PLAYS, TALKS

    def _stop(self, state: State, phase: Phase) -> None:
        """Go where nothing can be pledged or proposed; what was left no longer matters."""
        state.phase, state.plays, state.talks = phase, 0, 0

    # Chance

    def chance(self, state: State) -> Sequence[tuple[Hashable, float]]:
        if state.phase is Phase.DIE:
            return DIE
        if state.phase in DRAWS:
            size = sum(state.pile)
            return [(GOODS[good], n / size) for good, n in enumerate(state.pile) if n]
        return ()

    def _resolve(self, state: State, outcome: Hashable) -> None:
        roller = state.turn % SEATS
        if state.phase is Phase.DIE:
            assert isinstance(outcome, int)
            self._read_die(state, roller, outcome)
            state.news = (News("die", roller, (outcome,)),)
            return
        good = GOODS.index(str(outcome))
        state.pile = moved(state.pile, good, -1)
        self._shift(state, roller, good, 1)
        if state.phase is Phase.DRAW:
            self._end_turn(state)
        else:
            state.phase = Phase.SECOND if state.phase is Phase.FIRST else Phase.RETURN
        state.news = (News("draw", roller, (), (good,), (roller,)),)

    def _read_die(self, state: State, roller: int, face: int) -> None:
        """1: nothing. 2 to 4: a card. 5: two cards, one goes back. 6: a rival must give one."""
        cards = sum(state.pile)
        rich = any(any(hand) for seat, hand in enumerate(state.hands) if seat != roller)
        if face == 6 and rich:
            state.phase = Phase.DEMAND
        elif face == 5 and cards >= 2:
            state.phase = Phase.FIRST
        elif 2 <= face <= 5 and cards:
            state.phase = Phase.DRAW
        else:
            self._end_turn(state)

    # What it is worth

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.OVER:
            return None
        if state.turn == self.last_turn:
            return Outcome((), (-1.0,) * SEATS, "the congress dispersed without a treaty")
        roller = state.turn % SEATS
        if state.other < 0:
            winners: tuple[int, ...] = (roller,)
            reason = "showed all five goods alone"
        else:
            winners = (min(roller, state.other), max(roller, state.other))
            reason = f"seats {winners[0]} and {winners[1]} signed a treaty"
        returns = tuple(1.0 if seat in winners else -1.0 for seat in range(SEATS))
        return Outcome(winners, returns, reason)

    def score(self, state: State, seat: int) -> float:
        """The goods that the seat's best treaty shows; at the end 6 for winners, else 0."""
        if outcome := self.outcome(state):
            return 6.0 if seat in outcome.winners else 0.0
        mine = state.pledged[seat]
        return float(max(covered(mine, row) for row in state.pledged))

    # What may be known

    def events(self, state: State, seat: int | None = None) -> tuple[Event, ...]:
        return tuple(news.seen_by(seat) for news in state.news)

    def view(self, state: State, seat: int) -> ParleyView:
        return ParleyView.of(state, seat, tuple(self.legal(state, seat)), self.copies)

    def imagine(self, view: Any, rng: Rng) -> State:
        """Deal what the seat cannot see, every deal of single cards being equally likely."""
        self.meter.count_copy()
        return deal(view, rng)

    def deals(self, view: Any) -> list[tuple[State, float]]:
        """Every state that agrees with the view, with its probability under `imagine`."""
        return every_deal(view)

    def hidden_twins(self, state: State, seat: int) -> list[State]:
        """States that look the same to this seat: all, or an even choice of many."""
        return twins(self.view(state, seat), state)

    def actions_behind(self, event: Event) -> list[Act] | None:
        """The actions that can have caused an event, as far as its seat may know."""
        return acts_behind(event)


def covered(mine: Counts, theirs: Counts) -> int:
    return sum(1 for a, b in zip(mine, theirs, strict=True) if a or b)


def acts_behind(event: Event) -> list[Act] | None:
    detail = event.detail if isinstance(event.detail, tuple) else ()
    match event.kind:
        case "roll":
            return [Act(Verb.ROLL)]
        case "pledge":
            return [Act(Verb.PLEDGE, good=detail[0])]
        case "offer":
            return [Act(Verb.OFFER, *detail)]
        case "treaty":
            return [Act(Verb.TREATY, detail[0])]
        case "demand":
            return [Act(Verb.DEMAND, detail[0])]
        case "accept" | "reject":
            return [Act(Verb[event.kind.upper()])]
        case "give" | "return":
            known = detail[1:] if event.kind == "give" else detail
            goods = known or GOOD_RANGE
            return [Act(Verb[event.kind.upper()], good=good) for good in goods]
    return None
