"""Adapter for bots of the catanatron package."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ludex.agents.expert import Expert
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BadAgent, BadParameter, did_you_mean
from ludex.core.extra import require_extra
from ludex.core.model import Model
from ludex.core.planner import Mind, StatefulPlanner
from ludex.core.rng import Rng
from ludex.core.view import View
from ludex.worlds.catan.model import CatanModel
from ludex.worlds.catan.values import make, type_of

BOTS = {
    "random": "catanatron.models.player.RandomPlayer",
    "weighted": "catanatron.players.weighted_random.WeightedRandomPlayer",
    "victory_points": "catanatron.players.search.VictoryPointPlayer",
}
REJECT = make("reject")
ONLY_LATE = ("plenty", "monopoly", "roads")
"""development cards that catanatron lists only after the roll"""


@dataclass(slots=True)
class Seated:
    """The state of a bot between decisions."""

    bot: Any = None
    discards: list[int] = field(default_factory=list)
    """cards chosen to discard and not yet discarded"""


@dataclass(frozen=True, kw_only=True)
class Catanatron(Expert, StatefulPlanner):
    """Plays with a bot of catanatron, which sees a complete position (a determinisation).

    In the open game that is the position itself, as its own program shows it; where hands are
    hidden it is one imagined deal. It knows no player trades: it offers nothing and rejects all.
    """

    knows: ClassVar[type] = CatanModel

    bot: str = "victory_points"
    """random, weighted, victory_points, or module.Class of another Player of catanatron"""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bot not in BOTS and "." not in self.bot:
            hint = did_you_mean(self.bot, BOTS) or f"; known: {', '.join(BOTS)}"
            raise BadParameter(
                f"no bot of catanatron named {self.bot!r}{hint} (one of your own is named "
                "module.Class)"
            )

    def start(self, model: Model, view: View, budget: Budget, rng: Rng) -> Mind:
        require_extra("catanatron", "bots of catanatron", "catanatron")
        self.bot_class()
        return super().start(model, view, budget, rng)

    def fresh_memory(self) -> Seated:
        return Seated()

    def plan_on(
        self, memory: Seated, model: Model, view: Any, budget: Budget, rng: Rng
    ) -> Decision:
        require_extra("catanatron", "bots of catanatron", "catanatron")
        if REJECT in view.legal:
            return Decision(action=REJECT)
        kinds = {type_of(action) for action in view.legal}
        if kinds == {"discard"}:
            return Decision(action=self.discard(memory, model.imagine(view, rng), view.seat, rng))
        memory.discards.clear()
        unknown = {"offer"} | (set(ONLY_LATE) if "roll" in kinds else set())
        choices = [action for action in view.legal if type_of(action) not in unknown]
        if len(choices) == 1:
            return Decision(action=choices[0])
        return Decision(action=self.ask(memory, model, view, choices, rng))

    def discard(self, memory: Seated, table: Any, seat: int, rng: Rng) -> int:
        """Discard random cards, as catanatron does for its bots."""
        if len(memory.discards) != table.quota:
            hand = [kind for kind, count in enumerate(table.hand(seat)) for _ in range(count)]
            rng.shuffle(hand)
            memory.discards = sorted(hand[: table.quota])
        return make("discard", memory.discards.pop(0))

    def ask(self, memory: Seated, model: Model, view: Any, choices: list[int], rng: Rng) -> int:
        """Convert the position for the bot, and convert its choice back."""
        from ludex.agents.catan.parts import peer_table

        seat = view.seat
        table = model.imagine(view, rng)
        if memory.bot is None:
            memory.bot = self.bot_class()(peer_table.COLOURS[seat])
        points = self.rules(model).options.points
        with peer_table.own_dice(rng):
            game = peer_table.game_of(table, points, rng, {seat: memory.bot})
            chosen = self.choose(game, memory.bot, choices, seat)
            if type_of(chosen) != "knight":
                return chosen
            game.execute(peer_table.action_there(chosen, seat))
            knights = [action for action in choices if type_of(action) == "knight"]
            return self.choose(game, memory.bot, knights, seat, moving_robber=True)

    def choose(
        self, game: Any, bot: Any, choices: list[int], seat: int, moving_robber: bool = False
    ) -> int:
        """Let the bot choose among these actions."""
        from ludex.agents.catan.parts import peer_table

        write = peer_table.robber_there if moving_robber else peer_table.action_there
        listed = {write(action, seat): action for action in choices}
        game.state.playable_actions = list(listed)
        wanted = bot.decide(game, list(listed))
        if wanted not in listed:
            raise BadAgent(f"the bot {self.bot} chose {wanted!r}, which it was not offered")
        return listed[wanted]

    def bot_class(self) -> Any:
        place = BOTS.get(self.bot, self.bot)
        module, _, name = place.rpartition(".")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise BadAgent(f"cannot load the bot {place!r}: {error}") from None
