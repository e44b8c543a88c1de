"""An agent is one class: parameters, and a decision made from a view."""

from dataclasses import dataclass

from ludex import Decision, play


@dataclass(frozen=True)
class Careful:
    """Holds in pig as soon as enough points are at stake."""

    enough: int = 20

    def decide(self, model, view, budget, rng):
        wants = "hold" if view.state.total >= self.enough else "roll"
        return Decision(action=wants if wants in view.legal else view.legal[0])


series = play("pig", [Careful(), "uniform"], games=20, seed=1)
print(f"Careful won {series.wins[0]} of 20 games of pig")
