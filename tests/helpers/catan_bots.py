"""Bots as others write them for catanatron; loaded by name in tests."""

from catanatron import Player


class KnightFirst(Player):
    """Plays a knight as soon as it can and moves the robber to the last hex listed."""

    def decide(self, game, playable_actions):
        names = [action.action_type.name for action in playable_actions]
        return playable_actions[names.index("PLAY_KNIGHT_CARD") if "PLAY_KNIGHT_CARD" in names
                                else -1]  # fmt: skip


class Stubborn(Player):
    """Wants what nobody offered it."""

    def decide(self, game, playable_actions):
        return playable_actions[0]._replace(value="everything")
