"""Ensemble model: members vote on the next tile of each disputed cell."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ludex.core.model import Action, Actions
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.traits import Traits
from ludex.models.learned._native import State
from ludex.models.learned.ensembles.track_record import TrackRecord
from ludex.models.learned.rewards.reward_model import RUNNING, UNKNOWN, FittedRewardModel
from ludex.models.learned.tiles.model import TileEncoder, TileModelBase, learned_traits


class EnsembleModel(TileModelBase, PythonModel):
    """Steps every member and lets them vote on disputed cells.

    The confidence of a step is that of the most confident member that predicted the same grid,
    times the share of the votes that decided each disputed cell. `unseen` counts the disputed
    cells, or the cells that no member has seen, whichever are more.
    """

    state_type = State

    def __init__(
        self,
        encoder: TileEncoder,
        traits: Traits,
        members: Sequence[Any],
        track_record: TrackRecord,
        rewards: FittedRewardModel,
        *,
        decides: Literal["vote", "best"] = "vote",
        curiosity: float = 0.0,
        discounts: bool = False,
        trust: float = 0.0,
        boredom: float = 0.0,
        samples: bool = False,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.traits = learned_traits(traits, samples)
        self.members = [member.metered(Meter(apart=True)) for member in members]
        self.track_record = track_record
        self.reward_model = rewards.native()
        self.returns = rewards.returns
        self.decides = decides
        self.curiosity = curiosity
        self.discounts = discounts
        self.trust = trust
        self.boredom = boredom
        self.samples = samples
        self.visited: Counter[bytes] = Counter()
        self.known_votes: dict[tuple[int, ...], Mapping[int, float]] = {}

    def to_act(self, state: State) -> tuple[int, ...]:
        found: tuple[int, ...] = self.members[0].to_act(state)
        return found

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        found: tuple[Action, ...] = self.members[0].legal(state, seat)
        return found

    def over(self, state: State) -> bool:
        return bool(self.members[0].over(state))

    def return_of(self, state: State, seat: int) -> float:
        """The return of the seat; NaN while the game goes on."""
        return self.returns[state.ending] if self.over(state) else float("nan")

    def score(self, state: State, seat: int) -> float:
        return state.score + state.bonus

    def visit(self, state: State) -> None:
        """Count a visit of the real game to this state."""
        self.visited[state.grid_bytes] += 1

    def visits(self, state: State) -> int:
        return self.visited[state.grid_bytes]

    def alternatives(self) -> list[EnsembleModel]:
        """A model for each member that predicts as this member does, without a vote."""
        found = []
        for member in self.members:
            alone = copy.copy(self)
            alone.members, alone.known_votes = [member], {}
            found.append(alone)
        return found

    def disagreement(self, state: State, action: Action, rng: Rng) -> float:
        """The share of cells on which the members disagree after an action; no model calls."""
        said = np.stack([member.step(state, (action,), rng).tiles for member in self.members])
        return float((said != said[0]).any(axis=0).mean())

    def _apply(self, state: State, actions: Actions, rng: Rng) -> None:
        afters = [member.step(state, actions, rng) for member in self.members]
        said = np.stack([one.tiles for one in afters])
        grid, was = said[0].copy(), state.tiles
        sure = 1.0
        disputed = np.argwhere((said != said[0]).any(axis=0)).tolist()
        for row, column in disputed:
            shares = self.votes(int(was[row, column]), tuple(said[:, row, column].tolist()))
            tile = self.decided(shares, rng)
            grid[row, column] = tile
            sure *= shares[tile]
        agreeing = [
            one.confidence for one, own in zip(afters, said, strict=True) if (own == grid).all()
        ]
        before = max(state.confidence, 1e-300)
        sure *= (
            max(agreeing) / before
            if agreeing
            else np.mean([one.confidence for one in afters]) / before
        )
        confidence = float(state.confidence * min(1.0, sure))
        unseen = max(len(disputed), min(one.unseen for one in afters))
        self.become(state, actions[0], grid, confidence, unseen)

    def votes(self, tile: int, said: tuple[int, ...]) -> Mapping[int, float]:
        """The share of the votes for each predicted tile."""
        found = self.known_votes.get((tile, *said))
        if found is None:
            trust = self.track_record.trust(tile)
            if self.decides == "best":
                trust = np.where(trust == trust.max(), trust, 0.0)
            counted: dict[int, float] = {}
            for one, weight in zip(said, trust.tolist(), strict=True):
                counted[one] = counted.get(one, 0.0) + weight
            total = sum(counted.values())
            found = {one: weight / total for one, weight in counted.items()}
            self.known_votes[(tile, *said)] = found
        return found

    def decided(self, shares: Mapping[int, float], rng: Rng) -> int:
        tiles = sorted(shares)
        if self.samples:
            return tiles[rng.weighted([shares[tile] for tile in tiles])]
        return max(tiles, key=lambda tile: shares[tile])

    def become(
        self, state: State, action: Action, grid: Any, confidence: float, unseen: int
    ) -> None:
        """Replace the state by the predicted grid, with its reward and ending."""
        after = state.becoming(grid, 0.0, 0.0, confidence, unseen, RUNNING)
        gain, ending = self.reward_model.predict(
            self.reward_model.describe(state, after), state.verb_of(int(action))
        )
        if self.discounts:
            gain *= confidence
        bonus = state.bonus + self.curiosity * unseen - self.boredom * self.visits(after)
        if confidence < self.trust:
            ending = UNKNOWN
        state.copy_from(state.becoming(grid, state.score + gain, bonus, confidence, unseen, ending))
