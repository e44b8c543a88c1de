"""The people who share one terminal in a game."""

from __future__ import annotations

from ludex.agents.parts.news import News
from ludex.agents.parts.prompt import Prompt, usual_prompt
from ludex.core.outcome import Outcome
from ludex.core.world import World


class Company:
    """People at one prompt: each reads what the others were told, so it is told once."""

    def __init__(self, world: World, prompt: Prompt) -> None:
        self.world = world
        self.prompt = prompt
        self.seats: set[int] = set()
        self.asked: int | None = None
        """the seat that was last asked"""
        self.told = 0
        """how many events of an open game somebody was told"""
        self.is_over = False

    def turn_to(self, seat: int, news: News) -> None:
        """Ask a seat next, and leave out of its news what others at the prompt were told."""
        before, self.asked = self.asked, seat
        if len(self.seats) == 1:
            return
        if self.world.traits.hidden:  # everybody has events of his own
            if before not in (None, seat):
                news.skip_own()
        else:
            news.skip_first(self.told)
            self.told = news.heard

    def ending(self, seat: int, outcome: Outcome) -> str:
        """How the game ended, to one person; to several at once, the first time alone."""
        if len(self.seats) == 1:
            won = "you won" if seat in outcome.winners else "you did not win"
        elif self.is_over:
            return ""
        else:
            names = " and ".join(f"seat {winner}" for winner in outcome.winners)
            won = f"{names or 'nobody'} won"
        self.is_over = True
        return f"The game is over: {outcome.reason}; {won}."


NEWEST: list[Company] = []
"""those who sat down last, if any: one person after the other joins them until somebody is asked"""


def company_at(world: World) -> Company:
    """The people of a game that is about to begin."""
    known = NEWEST[-1] if NEWEST else None
    if known is None or known.world is not world or known.asked is not None or known.is_over:
        known = Company(world, usual_prompt())
        NEWEST[:] = [known]
    return known
