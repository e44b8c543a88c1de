"""The rules of parley.

Three envoys hold hidden cards of five goods. On its turn an envoy has two plays, each a
card pledged openly or a treaty proposed, and may once offer a card for one of a good that it has
none of; then it rolls. Two envoys whose pledges together show all five goods may sign a treaty:
both win. An envoy that shows all five alone wins alone. After the last round all lose.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ludex.core.model import Actions
from ludex.core.outcome import Outcome
from ludex.core.python_model import PythonModel
from ludex.core.rng import Rng
from ludex.worlds.parley import acts
from ludex.worlds.parley.values import (
    GOOD_RANGE,
    GOODS,
    PLAYS,
    SEATS,
    TALKS,
    Act,
    ParleyEvent,
    Phase,
    State,
    Verb,
    complete,
    moved,
    shown,
)

STORM_ODDS = 6  # one roll in six brings a storm: pledges made early may be lost
DIE = tuple((face, 1 / 6) for face in range(1, 7))
RIVALS = ((1, 2), (0, 2), (0, 1))
ROLLERS = frozenset({Phase.MOVE, Phase.RETURN, Phase.DEMAND})
OTHERS = frozenset({Phase.ANSWER, Phase.CONSENT, Phase.GIVE})
DRAWS = frozenset({Phase.DRAW, Phase.FIRST, Phase.SECOND})


class ParleyRules(PythonModel[State]):
    """Offers, hidden hands, a die, storms and treaties; `ParleyModel` adds who may know what."""

    state_type = State

    def __init__(self, rounds: int) -> None:
        super().__init__()
        self.last_turn = SEATS * rounds

    # Who acts, and how

    def to_act(self, state: State) -> tuple[int, ...]:
        if state.phase in ROLLERS:
            return (state.turn % SEATS,)
        return (state.other,) if state.phase in OTHERS else ()

    def legal(self, state: State, seat: int) -> list[Act]:
        if self.to_act(state) != (seat,):
            return []
        hand, mine = state.hands[seat], state.pledged[seat]
        held = [good for good in GOOD_RANGE if hand[good]]
        armed = [rival for rival in RIVALS[seat] if any(state.hands[rival])]
        match state.phase:
            case Phase.ANSWER:
                return [acts.REJECT, acts.ACCEPT] if hand[state.want] else [acts.REJECT]
            case Phase.CONSENT:
                return [acts.REJECT, acts.ACCEPT]
            case Phase.RETURN:
                return [acts.RETURN[good] for good in held]
            case Phase.GIVE:
                return [acts.GIVE[good] for good in held]
            case Phase.DEMAND:
                return [acts.DEMAND[rival] for rival in armed]
        moves = [acts.ROLL]
        if state.plays:
            moves += [acts.PLEDGE[good] for good in held]
        if state.talks:
            lacking = [good for good in GOOD_RANGE if not hand[good] and not mine[good]]
            moves += [
                acts.OFFER[one][good][want] for one in armed for good in held for want in lacking
            ]
        if state.plays:
            rows = state.pledged
            moves += [acts.TREATY[one] for one in RIVALS[seat] if complete(mine, rows[one])]
        return moves

    def action_type(self, action: Act) -> str:
        return action.verb.name.lower()

    # Decisions

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        act: Act = actions[0]
        roller, other = state.turn % SEATS, state.other
        match act.verb:
            case Verb.ROLL:
                self._roll(state, roller, rng)
            case Verb.PLEDGE:
                state.hold(roller, act.good, -1)
                state.pledge(roller, act.good, 1)
                state.plays -= 1
                state.last_events = (ParleyEvent("pledge", roller, (act.good,)),)
                if complete(state.pledged[roller]):
                    state.stop(Phase.OVER)
            case Verb.OFFER:
                state.talks -= 1
                state.phase, state.other = Phase.ANSWER, act.seat
                state.good, state.want = act.good, act.want
                state.last_events = (ParleyEvent("offer", roller, (act.seat, act.good, act.want)),)
            case Verb.TREATY:
                state.plays -= 1
                state.phase, state.other = Phase.CONSENT, act.seat
                state.last_events = (ParleyEvent("treaty", roller, (act.seat,)),)
            case Verb.ACCEPT | Verb.REJECT:
                self._answer(state, roller, act.verb is Verb.ACCEPT)
            case Verb.DEMAND:
                state.phase, state.other = Phase.GIVE, act.seat
                state.last_events = (ParleyEvent("demand", roller, (act.seat,)),)
            case Verb.GIVE:
                state.hold(other, act.good, -1)
                state.hold(roller, act.good, 1)
                self._end_turn(state)
                state.last_events = (
                    ParleyEvent("give", other, (roller,), (act.good,), (other, roller)),
                )
            case Verb.RETURN:
                state.hold(roller, act.good, -1)
                state.pile = moved(state.pile, act.good, 1)
                self._end_turn(state)
                state.last_events = (ParleyEvent("return", roller, (), (act.good,), (roller,)),)

    def _roll(self, state: State, roller: int, rng: Rng) -> None:
        """End the moves; a storm may take one pledge of one good from each envoy."""
        lost: tuple[int, ...] = ()
        if rng.below(STORM_ODDS) == 0:
            good = rng.below(len(GOODS))
            lost = (good,)
            for seat in range(SEATS):
                if state.pledged[seat][good]:
                    state.pledge(seat, good, -1)
                    state.pile = moved(state.pile, good, 1)
        state.stop(Phase.DIE)
        state.last_events = (ParleyEvent("roll", roller), ParleyEvent("weather", None, lost))

    def _forget(self, state: State) -> None:
        state.last_events = ()

    def _answer(self, state: State, roller: int, accepted: bool) -> None:
        partner, word = state.other, "accept" if accepted else "reject"
        state.last_events = (ParleyEvent(word, partner, (roller,)),)
        if accepted and state.phase is Phase.CONSENT:
            state.stop(Phase.OVER)
            return
        if accepted:
            for seat, gained, lost in (
                (roller, state.want, state.good),
                (partner, state.good, state.want),
            ):
                state.hold(seat, gained, 1)
                state.hold(seat, lost, -1)
        state.phase, state.other, state.good, state.want = Phase.MOVE, -1, -1, -1

    def _end_turn(self, state: State) -> None:
        state.turn += 1
        state.other = -1
        if state.turn == self.last_turn:
            state.stop(Phase.OVER)
        else:
            state.phase, state.plays, state.talks = Phase.MOVE, PLAYS, TALKS

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
            state.last_events = (ParleyEvent("die", roller, (outcome,)),)
            return
        good = GOODS.index(str(outcome))
        state.pile = moved(state.pile, good, -1)
        state.hold(roller, good, 1)
        if state.phase is Phase.DRAW:
            self._end_turn(state)
        else:
            state.phase = Phase.SECOND if state.phase is Phase.FIRST else Phase.RETURN
        state.last_events = (ParleyEvent("draw", roller, (), (good,), (roller,)),)

    def _read_die(self, state: State, roller: int, face: int) -> None:
        """1: nothing. 2 to 4: a card. 5: two cards, one goes back. 6: a rival must give one."""
        cards = sum(state.pile)
        if face == 6 and any(any(state.hands[rival]) for rival in RIVALS[roller]):
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
            reason = f"seat {roller} showed all five goods alone"
        else:
            winners = (min(roller, state.other), max(roller, state.other))
            reason = f"seats {winners[0]} and {winners[1]} signed a treaty"
        returns = tuple(1.0 if seat in winners else -1.0 for seat in range(SEATS))
        return Outcome(winners, returns, reason)

    def score(self, state: State, seat: int) -> float:
        """The goods that the seat's best treaty shows; at the end 6 for winners, else 0."""
        if outcome := self.outcome(state):
            return 6.0 if seat in outcome.winners else 0.0
        return float(max(shown(state.pledged[seat], row) for row in state.pledged))
