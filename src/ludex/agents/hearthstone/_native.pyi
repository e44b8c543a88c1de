"""Native agents of Hearthstone."""

from collections.abc import Sequence
from typing import Any

import ludex.core._native
import ludex.worlds.hearthstone._native


class Forest:
    """Trees that vote with probabilities."""

    def __init__(self, features: Any, cuts: Any, rights: Any, leaves: Any, roots: Any) -> None: ...

    def predict(self, rows: Any) -> Any: ...

    def leaves_of(self, rows: Any) -> Any:
        """The leaf that each row reaches in each tree."""

    @property
    def bytes(self) -> int: ...

class Nora:
    """Three forests and how they are used."""

    def __init__(self, model: ludex.worlds.hearthstone._native.Model, play: Forest, target: Forest, attack: Forest, numbers: Sequence[int], one_hot: bool = False, threshold: float = 0.0, silence_counts_as_enchanted: bool = True, target_state_bug: bool = False, power_id_is_hero_id: bool = False) -> None: ...

def nora_move(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State, nora: Nora, rng: ludex.core._native.Rng) -> tuple[int, list[tuple[int, float, bool]]]:
    """
    What Nora does, and how sure she is of each action and target that she looked at.
    """

def nora_aim(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State, nora: Nora, action: int, rng: ludex.core._native.Rng) -> tuple[int, list[tuple[int, float, bool]]]:
    """The same card on the target that Nora thinks best."""

def random_move(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, rng: ludex.core._native.Rng) -> int:
    """A card, an attacker or the power, then a target."""

def scripted_move(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, heal_sign_bug: bool = False, group_mask_ignored: bool = True) -> int:
    """What the scripted player of the Nora study does."""

def board_control(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, seat: int | None, released: bool = True) -> float:
    """The score of the Nora study, from -1 to 1."""

def trade(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, seat: int | None, released: bool = True) -> float:
    """What the best attacks of minions on minions would gain."""

def aggro(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, seat: int | None) -> float:
    """How near the other hero is to its end; 0 while a taunt protects it."""

def state_vector(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State, seat: int, numbers: Sequence[int], rng: ludex.core._native.Rng, silence_counts_as_enchanted: bool = True) -> Any: ...

def action_vector(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State, action: int, numbers: Sequence[int]) -> Any: ...

class Chooser:
    """Who chooses in native games."""

    @staticmethod
    def random() -> Chooser:
        """Draws a card, an attacker or the power."""

    @staticmethod
    def damped(nora: Nora | None = None) -> Chooser:
        """The random player of samples; Nora aims for it, if given."""

    @staticmethod
    def scripted(explore: float = 0.0, heal_sign_bug: bool = False, group_mask_ignored: bool = True) -> Chooser: ...

    @staticmethod
    def nora(nora: Nora) -> Chooser: ...

    @staticmethod
    def valued(model: ludex.worlds.hearthstone._native.Model, forest: Forest, numbers: Sequence[int], explore: float = 0.0) -> Chooser:
        """Takes the whole action of highest value."""

    @staticmethod
    def corrected(model: ludex.worlds.hearthstone._native.Model, base: Chooser, forest: Forest, numbers: Sequence[int], threshold: float) -> Chooser:
        """Does what another does unless it is sure of something better."""

    @staticmethod
    def two_level(nora: Nora, forest: Forest, explore: float = 0.0) -> Chooser:
        """
        Chooses between playing, attacking and ending, then a card or attack, then a target.
        """

    @staticmethod
    def simulated(base: Chooser, simulations: int) -> Chooser:
        """Imagines so many games to their end, played on by another."""

    def as_policy(self, model: ludex.worlds.hearthstone._native.Model) -> ludex.worlds.hearthstone._native.FunctionPolicy:
        """This chooser as a rollout policy of native searches."""

def chosen(model: ludex.worlds.hearthstone._native.Model, state: ludex.worlds.hearthstone._native.State | None, player: Chooser, rng: ludex.core._native.Rng) -> int:
    """What a chooser does."""

def matches(model: ludex.worlds.hearthstone._native.Model, one: Chooser, two: Chooser, seed: int, first_game: int, games: int) -> list[int]:
    """Play games natively; 0 lost, 1 won, 2 drawn, for the first player."""

def samples(model: ludex.worlds.hearthstone._native.Model, numbers: Sequence[int], seed: int, first_game: int, games: int, quota: int, released: bool = True, one_hot: bool = False, silence_counts_as_enchanted: bool = True, chooser: Nora | None = None) -> dict[str, Any]:
    """
    Rows of random games and how they changed the score, by what is learned from them.
    """

def transitions(model: ludex.worlds.hearthstone._native.Model, player: Chooser, level: str, numbers: Sequence[int], win: float, seed: int, first_game: int, games: int) -> tuple[Any, Any, Any, Any]:
    """
    Steps of games: rows, rewards, the rows of what could be done next, and where they end.
    """

def trials(model: ludex.worlds.hearthstone._native.Model, player: Chooser, numbers: Sequence[int], seed: int, first: int, count: int) -> tuple[Any, Any]:
    """
    Decisions tried twice that made a difference, and whether the other choice was better.
    """
