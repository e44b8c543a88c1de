"""Reading the one line that a state of parley is written in."""

from __future__ import annotations

import re

from ludex.core.errors import InvalidState
from ludex.worlds.parley.deals import complete
from ludex.worlds.parley.values import GOODS, LETTERS, PLAYS, SEATS, TALKS, Counts, Phase, State

CARDS = f"(?:[{LETTERS}]{{1,99}}|-)"
ROW = f"({CARDS}/{CARDS}/{CARDS})"
LINE = re.compile(
    rf"hands {ROW} pledged {ROW} pile ({CARDS}) turn (\d{{1,4}}) plays (\d) talks (\d) ([a-z]+)"
    rf"(?: ([0-{SEATS - 1}]))?(?: ([{LETTERS}])-([{LETTERS}]))?"
)
EXAMPLE = "hands gis/ttw/gw pledged -/-/i pile ggiisssttww turn 0 plays 2 talks 1 move"


def read_cards(text: str) -> Counts:
    return tuple(text.count(letter) for letter in LETTERS)


def read_state(text: str, copies: int, last_turn: int) -> State:
    """Read a state; InvalidState says what is malformed or contradictory in it."""
    line = LINE.fullmatch(" ".join(text.split()))
    if line is None or line[7].upper() not in Phase.__members__:
        raise InvalidState(f"cannot read {text!r} as a state of parley; write it as {EXAMPLE!r}")
    hands, pledged = (tuple(map(read_cards, line[row].split("/"))) for row in (1, 2))
    state = State(
        hands,
        pledged,
        read_cards(line[3]),
        turn=int(line[4]),
        plays=int(line[5]),
        talks=int(line[6]),
        phase=Phase[line[7].upper()],
        other=int(line[8]) if line[8] else -1,
        good=LETTERS.index(line[9]) if line[9] else -1,
        want=LETTERS.index(line[10]) if line[10] else -1,
    )
    if wrong := contradiction(state, copies, last_turn):
        raise InvalidState(f"{text!r} contradicts the rules of parley: {wrong}")
    return state


def contradiction(state: State, copies: int, last_turn: int) -> str | None:
    """Say what cannot be true of a state, or None when it can be."""
    for good, *rows in zip(GOODS, *state.hands, *state.pledged, state.pile, strict=True):
        if sum(rows) != copies:
            return f"there are {copies} cards of {good}, not {sum(rows)}"
    roller, phase = state.turn % SEATS, state.phase
    dispersed = state.turn == last_turn
    if state.turn > last_turn or (dispersed and phase is not Phase.OVER):
        return f"there are {last_turn} turns, numbered from 0, and then it is over"
    if state.other == roller:
        return f"seat {roller} cannot face itself"
    treaty = phase is Phase.OVER and not dispersed and state.other >= 0
    if (state.other >= 0) != (phase in (Phase.ANSWER, Phase.CONSENT, Phase.GIVE) or treaty):
        return "a seat stands behind answer, consent, give and an end by treaty alone"
    if (state.good >= 0) != (phase is Phase.ANSWER):
        return "goods stand behind answer alone"
    return wrong_moves(state) or wrong_pledges(state, dispersed) or wrong_phase(state, roller)


def wrong_moves(state: State) -> str | None:
    """Plays and talks are left while the envoy moves; what is being answered has used one."""
    most = {
        Phase.MOVE: (PLAYS, TALKS),
        Phase.ANSWER: (PLAYS, TALKS - 1),
        Phase.CONSENT: (PLAYS - 1, TALKS),
    }
    plays, talks = most.get(state.phase, (0, 0))
    if state.plays > plays or state.talks > talks:
        left = f"{state.plays} plays and {state.talks} talks"
        return f"{left} cannot be left in the phase {state.phase.name.lower()}"
    return None


def wrong_pledges(state: State, dispersed: bool) -> str | None:
    roller = state.turn % SEATS
    alone = [seat for seat, row in enumerate(state.pledged) if complete(row)]
    won_alone = state.phase is Phase.OVER and not dispersed and state.other < 0
    if alone and not (won_alone and alone == [roller]):
        return f"seat {alone[0]} shows all five goods, so it has won already"
    if won_alone and not alone:
        return "the game is not over: no treaty is signed and turns are left"
    signing = state.phase in (Phase.CONSENT, Phase.OVER) and state.other >= 0
    if signing and not complete(state.pledged[roller], state.pledged[state.other]):
        return f"the pledges of seats {roller} and {state.other} do not show all five goods"
    return None


def wrong_phase(state: State, roller: int) -> str | None:
    phase, cards = state.phase, sum(state.pile)
    mine = state.hands[roller]
    if phase is Phase.ANSWER and (state.good == state.want or not mine[state.good]):
        return f"seat {roller} cannot have offered {GOODS[state.good]}"
    if phase in (Phase.ANSWER, Phase.GIVE) and not any(state.hands[state.other]):
        return f"seat {state.other} holds no card"
    rivals = [hand for seat, hand in enumerate(state.hands) if seat != roller]
    if phase is Phase.DEMAND and not any(any(hand) for hand in rivals):
        return "no rival holds a card"
    needed = {Phase.DRAW: 1, Phase.FIRST: 2, Phase.SECOND: 1}.get(phase, 0)
    if cards < needed:
        return f"{needed} cards are to be drawn and the pile holds {cards}"
    least = {Phase.SECOND: 1, Phase.RETURN: 2}.get(phase, 0)
    if sum(mine) < least:
        return f"seat {roller} has drawn cards and must hold {least}"
    return None
