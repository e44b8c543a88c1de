"""What only some models, views, agents, parts and worlds can do, beside their contracts.

Each capability is a small Protocol. Whoever has its methods has the capability: nothing else is
declared, and nothing outside this file asks for a method by its name. Three capabilities of models
are also traits, so that planners can refuse early: `traits.objects` promises `ObjectModel` and
views that list objects, `traits.avatars` promises `AvatarModel`, `traits.learned` promises
`LearnedModel`. The conformance kit tries every
capability that a part has (ludex.testing).

Ask once, when a game or a match begins: `isinstance` with a Protocol takes microseconds. `able`
remembers the answer for each class, and also finds what a wrapped model can do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    Self,
    TypeVar,
    runtime_checkable,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ludex.core.event import Event
    from ludex.core.model import Action, Model, Policy
    from ludex.core.object_list import ObjectListView
    from ludex.core.outcome import Outcome
    from ludex.core.pixels import PixelView
    from ludex.core.planner import Agent
    from ludex.core.rng import Rng
    from ludex.core.tiles import TileView
    from ludex.core.view import History, View
    from ludex.core.world import World

CapabilityT = TypeVar("CapabilityT")


class Wrapper:
    """A model around another one; what it does not do itself, the inner model may."""

    inner: Model
    keeps_rules: ClassVar[bool] = False
    """whether its states are played on by the rules of the inner model, call for call: then the
    native searches of those may stand in for it"""


def able(part: object, capability: type[CapabilityT]) -> CapabilityT | None:
    """The part that has the methods of a capability: this one or one it wraps; None if none has.

    Capabilities with other members than methods are asked for by `isinstance`.
    """
    while not issubclass(type(part), capability):
        if not isinstance(part, Wrapper):
            return None
        part = part.inner
    return part  # type: ignore[return-value]  # looked at


def innermost(model: Any) -> Any:
    """The model within all wrappers."""
    while isinstance(model, Wrapper):
        model = model.inner
    return model


# Models


@runtime_checkable
class ChecksStates(Protocol):
    """A model that can say whether a state is its own, as those of the core's bases can."""

    def check_state(self, state: Any) -> None:
        """Raise ForeignState unless the state is one of this model's."""
        ...


@runtime_checkable
class ObjectModel(Protocol):
    """A model with avatars and other objects on a grid: what `traits.objects` promises."""

    def grid(self) -> tuple[int, int]:
        """Columns and rows."""
        ...

    def heading(self, action: Action) -> tuple[int, int]:
        """By how many columns and rows an action would move an avatar."""
        ...

    def avatars(self, state: Any) -> tuple[tuple[int, int], ...]:
        """The cell of each seat's avatar; (-1, -1) for one that is gone."""
        ...

    def distances(self, state: Any, seat: int, kinds: Sequence[int]) -> list[float | None]:
        """From the seat's avatar to the nearest object of each kind that it may see.

        Euclidean, as a part of the diagonal of the grid; None where there is no such object.
        """
        ...

    def whereabouts(self, state: Any, kind: int, number: int) -> tuple[int, int] | None:
        """The cell of an object, by its kind and stable number; None when it is gone."""
        ...


@runtime_checkable
class AvatarModel(Protocol):
    """A model that says where avatars and objects are: what `traits.avatars` promises.

    Learned models of objects have it, too; they do not list objects as views do.
    """

    def grid(self) -> tuple[int, int]:
        """Columns and rows of the level that was imagined last."""
        ...

    def avatars(self, state: Any) -> tuple[tuple[int, int], ...]:
        """The cell of each seat's avatar; (-1, -1) for one that is gone."""
        ...

    def distances(self, state: Any, seat: int, kinds: Sequence[int]) -> list[float | None]:
        """From the seat's avatar to the nearest object of each kind, as in `ObjectModel`."""
        ...


@runtime_checkable
class LearnedModel(Protocol):
    """A model that was learned: what `traits.learned` promises."""

    def confidence(self, state: Any) -> float:
        """How sure the model is of having reached this state, 0 to 1."""
        ...


@runtime_checkable
class OffersAlternatives(Protocol):
    """A model that stands for several, each of which may be the right one, as an ensemble does."""

    def alternatives(self) -> Sequence[Model]:
        """Models over the same states and on the same meter, each of which predicts alone."""
        ...


@runtime_checkable
class NamesPolicies(Protocol):
    """A model with rollout policies of its own, by name."""

    def choose(self, state: Any, policy: str, rng: Rng) -> Action:
        """The action that a policy takes for the seat to act; BadParameter for unknown names."""
        ...


@runtime_checkable
class RatesActions(Protocol):
    """A model that says how likely its policies are to take each action, as priors of a search."""

    def probabilities(self, state: Any, seat: int, policy: str) -> Sequence[float]:
        """The probability of each of the seat's legal actions, in their order."""
        ...


@runtime_checkable
class WeighsLegality(Protocol):
    """A model whose states are beliefs: an action that is possible may turn out to be illegal."""

    def legality(self, state: Any, seat: int) -> Sequence[float]:
        """How likely each of the seat's actions in `legal` is to be legal."""
        ...


@runtime_checkable
class NumbersTypes(Protocol):
    """A native model whose types of action have numbers."""

    def action_types(self) -> tuple[str, ...]:
        """The words of `action_type`, in the order of their numbers."""
        ...


@runtime_checkable
class HasRolloutModel(Protocol):
    """A model with another one for rollouts, over the same states and on the same meter."""

    def rollout_model(self) -> Model: ...


@runtime_checkable
class GlancesNatively(Protocol):
    """A model of hidden information whose determinisations native searches draw by themselves."""

    def native_glance(self, view: View) -> Any:
        """What a native search draws complete states from as `imagine` does; None: it cannot."""
        ...


@runtime_checkable
class ListsTwins(Protocol):
    """A model that lists states which look alike to a seat; the kit swaps them to find leaks."""

    def hidden_twins(self, state: Any, seat: int) -> Sequence[Any]:
        """Complete states that look the same to this seat.

        The state itself may be left out, and some when there are more than a hundred.
        """
        ...


@runtime_checkable
class ListsDeals(Protocol):
    """A model that lists all that a first view leaves open, for exact beliefs."""

    def deals(self, view: Any) -> Sequence[tuple[Any, float]]:
        """Complete states that agree with the view, with their probabilities."""
        ...


@runtime_checkable
class GivesPosterior(Protocol):
    """A belief that lists all that it holds possible, beside drawing from it."""

    def posterior(self, view: Any) -> tuple[Sequence[Any], Sequence[float]]:
        """The complete states that agree with a view, and their probabilities."""
        ...


@runtime_checkable
class ExplainsEvents(Protocol):
    """A model that says which actions can have caused an event, so that beliefs try no others."""

    def actions_behind(self, event: Event) -> Sequence[Action] | None:
        """The actions, legal or not, after which this event is told; None: any."""
        ...


@runtime_checkable
class RecallsSteps(Protocol):
    """A model that looks back at the last moments of the real game."""

    def recall(self, recent: Sequence[tuple[View, Action]]) -> None:
        """Take in what the seat saw and did lately, the newest last."""
        ...


@runtime_checkable
class RenumbersSeats(Protocol):
    """A model whose seats are not those of the real game, and what its planner is shown of that."""

    def own_view(self, view: View) -> View:
        """A view of the real game, with the seats of this model."""
        ...

    def own_event(self, event: Event) -> Event: ...

    def own_outcome(self, outcome: Outcome) -> Outcome: ...


@runtime_checkable
class SearchesNatively(Protocol):
    """A native model with searches of its own: the twins of planners (core/twin.py)."""

    def native_refusal(self, twin: str, planner: Any, parts: dict[str, Any]) -> str | None:
        """Say which parameter of a planner its native search lacks; None when it has all."""
        ...


@runtime_checkable
class TimesItself(Protocol):
    """A native model that times its own work inside one call, for `ludex bench`."""

    def bench(self, metric: str, seconds: float = 0.5) -> float:
        """How often per CPU-second it does what a metric names."""
        ...


# Models of minds, and agents that only decide


@runtime_checkable
class ObservesEvents(Protocol):
    """A model or a simple agent that takes in what its seat is told."""

    def observe(self, event: Event) -> None: ...


@runtime_checkable
class FinishesGames(Protocol):
    """A model or a simple agent that is told how the game ended."""

    def finish(self, view: View, outcome: Outcome) -> None: ...


# Views


@runtime_checkable
class ShowsTiles(Protocol):
    """A view that can be shown as a grid of tiles, for learners that know no world."""

    def as_tiles(self) -> TileView: ...


@runtime_checkable
class ShowsObjects(Protocol):
    """A view that can be shown as a list of objects, for learners that know no world."""

    def as_objects(self) -> ObjectListView: ...


@runtime_checkable
class ShowsPixels(Protocol):
    """A view that can be shown as a picture, for learners that are told of no objects."""

    def as_pixels(self) -> PixelView: ...


@runtime_checkable
class RecallsPast(Protocol):
    """A view that can also show what came before, when whoever runs the game tells it."""

    def recalling(
        self, *, last_action: Hashable | None = None, history: History | None = None
    ) -> Self:
        """Return the same view with its past; what is None stays as it is."""
        ...


@runtime_checkable
class RecallsMoves(Protocol):
    """A view that can also show what every seat did last, when whoever runs the game tells it."""

    def recalling_moves(self, moves: Mapping[int, Hashable]) -> Self:
        """Return the same view with the last action of each seat."""
        ...

    def last_move(self, seat: int) -> Hashable | None:
        """The last action of a seat, as far as this one may know it; None where there is none."""
        ...


# Agents, and parts of agents


@runtime_checkable
class HumanAgent(Protocol):
    """A person: has all the time, stays in the main process, and needs the world's pictures."""

    def seat_at(self, world: World) -> Agent:
        """The agent that looks at this world."""
        ...


@runtime_checkable
class OffersPolicy(Protocol):
    """An agent that can be asked for its move in any complete state, as a rollout policy."""

    def rollout_policy(self, model: Model) -> Policy:
        """The policy of its moves; Unsupported for a model of another world."""
        ...


@runtime_checkable
class RunsThreads(Protocol):
    """An agent that may think in several threads: its time is wall time, and nothing repeats."""

    def runs_threads(self) -> bool: ...


@runtime_checkable
class Versioned(Protocol):
    """An agent with a version of its own, as one in a file has; others have the package's."""

    @property
    def version(self) -> str | None: ...


@runtime_checkable
class NeedsLibraries(Protocol):
    """An agent or a part that needs large libraries."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """What a process imports before any clock runs."""
        ...


@runtime_checkable
class LoadsLibraries(Protocol):
    """A part that imports its libraries by itself, and says what to install."""

    def load_libraries(self) -> None: ...


@runtime_checkable
class BeginsLearners(Protocol):
    """A model part that learns games while an agent plays them."""

    def beginner(self, model: Model, view: View, rng: Rng) -> Any:
        """The learner that a mind begins with."""
        ...


def is_human(agent: object) -> bool:
    """Whether a person plays."""
    return able(agent, HumanAgent) is not None


def runs_threads(agent: object) -> bool:
    """Whether an agent thinks in several threads."""
    threaded = able(agent, RunsThreads)
    return threaded is not None and threaded.runs_threads()


def version_of(agent: object) -> str | None:
    """The version of an agent that has one of its own."""
    return agent.version if isinstance(agent, Versioned) else None


def libraries_of(*parts: object) -> tuple[str, ...]:
    """What a process imports for agents and parts before any clock runs, each library once."""
    needed = (one.libraries for one in parts if isinstance(one, NeedsLibraries))
    return tuple(dict.fromkeys(library for libraries in needed for library in libraries))


# Worlds (and `Tracked`, in core/tracker.py)


@runtime_checkable
class HoldsGames(Protocol):
    """A class of worlds that holds several games, named `WORLD/NAME`."""

    def games(self) -> Iterable[tuple[str, str]]:
        """The name and the summary of each game."""
        ...


@runtime_checkable
class HasLevels(Protocol):
    """A world that is played on one of several levels."""

    level: int


@runtime_checkable
class ShowsTable(Protocol):
    """A world that shows a person the board and the hand apart, in colours (core/paint.py).

    The board is printed when it has changed; the hand is in sight at every decision.
    """

    def show_board(self, view: Any) -> str:
        """What lies on the table, with the numbers of the places that matter now."""
        ...

    def show_hand(self, view: Any) -> str:
        """What the seat holds and has to know, in at most three lines of 80 columns."""
        ...


@runtime_checkable
class ShowsBareBoard(Protocol):
    """A world whose board has more than pieces at some decisions, such as numbers of places."""

    def show_bare_board(self, view: Any) -> str:
        """The board without these; where it has not changed, only new ones are worth a print."""
        ...


@runtime_checkable
class AnswersWords(Protocol):
    """A world with words of its own at the prompt, such as `look 3`, beside its actions."""

    def prompt_words(self, view: Any) -> Mapping[str, str]:
        """What each word does, as in `{"look CARD": "what a card does"}`."""
        ...

    def answer(self, text: str, view: Any) -> str | None:
        """What a person who typed this is shown; None when it is not one of these words."""
        ...

    def answers_to(self, view: Any) -> Sequence[str]:
        """What can be typed in full, for completion."""
        ...


@runtime_checkable
class SumsUpEvents(Protocol):
    """A world that tells a person briefly what many events come to."""

    def sum_up(self, events: Sequence[Event], seat: int) -> Sequence[str]:
        """Short lines, as one for every turn, told to a seat; events that matter less may go."""
        ...


@runtime_checkable
class ExplainsPlaces(Protocol):
    """A world with places that a person can ask about, as in `? 4`."""

    def place_text(self, text: str, view: Any) -> str | None:
        """What lies at a place and what can be done there; None when the text names none."""
        ...


@runtime_checkable
class ReadsPlans(Protocol):
    """A world in which a person can type several decisions at once."""

    def read_plan(self, text: str, view: Any) -> Sequence[Action] | None:
        """The actions that a text stands for, in their order; None when it is no plan.

        Raises:
            LudexError: Where it is one that cannot be played.
        """
        ...

    def plan_hint(self, view: Any) -> str:
        """What to type, where there is something to plan; else nothing."""
        ...


@runtime_checkable
class DrawsInColour(Protocol):
    """A world whose drawings as text have colours (core/paint.py); without them they read alike."""

    def draw_in_colour(self, state: Any, seat: int | None = None) -> str:
        """Draw everything in a state, or what a seat may see of it."""
        ...


@runtime_checkable
class DrawsToWidth(Protocol):
    """A world whose drawings as text say more where there is more room."""

    def draw_to_width(self, state: Any, width: int, seat: int | None = None) -> str:
        """Draw like `draw_in_colour`, in lines of so many columns where they can be as short."""
        ...


@runtime_checkable
class DrawsNumbers(Protocol):
    """A world with numbered places on its board, which its drawings can show."""

    def draw_numbers(self, state: Any, form: Literal["text", "svg"] = "text") -> str:
        """Draw everything in a state, with the number of every place."""
        ...
