"""The contracts of Ludex: what worlds, models, planners and agents must offer.

What a planner, a model or a world needs is imported from here in one line.
"""

from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.codec import FixedCodec
from ludex.core.decision import Decision
from ludex.core.errors import BadParameter, BudgetSpent, InvalidState, LudexError, Unsupported
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model, Policy
from ludex.core.outcome import Outcome
from ludex.core.parameters import AtLeast, Between, Parameters
from ludex.core.planner import Agent, Mind, Planner, StatefulPlanner
from ludex.core.policy import Distances, Greedy, Weighted
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.rollout import Arms, Rollout
from ludex.core.state import PlainState, State
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View
from ludex.core.world import ArraySpec, World

__all__ = [
    "DEFAULT_BUDGET",
    "Action",
    "Actions",
    "Agent",
    "Arms",
    "ArraySpec",
    "AtLeast",
    "BadParameter",
    "Between",
    "Budget",
    "BudgetSpent",
    "Decision",
    "Distances",
    "Event",
    "FixedCodec",
    "Greedy",
    "InvalidState",
    "LudexError",
    "Meter",
    "Mind",
    "Model",
    "OpenView",
    "Outcome",
    "Parameters",
    "PlainState",
    "Planner",
    "Policy",
    "PythonModel",
    "Rng",
    "Rollout",
    "State",
    "StatefulPlanner",
    "Traits",
    "Unsupported",
    "View",
    "Weighted",
    "World",
]
