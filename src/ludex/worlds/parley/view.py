"""What one envoy may see."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.worlds.parley.values import Act, Counts, Phase, State


@dataclass(frozen=True, slots=True)
class ParleyView:
    """The table as one seat sees it: its own hand, the pledges, and sizes of the rest."""

    seat: int
    legal: tuple[Act, ...]
    hand: Counts
    sizes: tuple[int, ...]
    """how many cards each seat holds"""
    pledged: tuple[Counts, ...]
    unseen: Counts
    """the cards in other hands and in the pile together, which the seat can work out"""
    turn: int
    plays: int
    talks: int
    phase: Phase
    other: int
    good: int
    want: int

    @classmethod
    def of(cls, state: State, seat: int, legal: tuple[Act, ...], copies: int) -> ParleyView:
        shown = [state.hands[seat], *state.pledged]
        unseen = tuple(copies - sum(rows) for rows in zip(*shown, strict=True))
        return cls(
            seat=seat,
            legal=legal,
            hand=state.hands[seat],
            sizes=tuple(sum(hand) for hand in state.hands),
            pledged=state.pledged,
            unseen=unseen,
            turn=state.turn,
            plays=state.plays,
            talks=state.talks,
            phase=state.phase,
            other=state.other,
            good=state.good,
            want=state.want,
        )

    @property
    def pile_size(self) -> int:
        return sum(self.unseen) + self.sizes[self.seat] - sum(self.sizes)
