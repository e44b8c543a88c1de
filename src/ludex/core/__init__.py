"""The contracts: small files that every world, model, planner and tool stands on."""

from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent, InvalidState
from ludex.core.event import Event
from ludex.core.model import Action, Actions, Model, Policy
from ludex.core.outcome import Outcome
from ludex.core.parameters import AtLeast, Between
from ludex.core.planner import Agent, Mind, Planner
from ludex.core.python_model import PythonModel
from ludex.core.rng import Meter, Rng
from ludex.core.state import PlainState, State
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View
from ludex.core.world import World

__all__ = [
    "DEFAULT_BUDGET",
    "Action",
    "Actions",
    "Agent",
    "AtLeast",
    "Between",
    "Budget",
    "BudgetSpent",
    "Decision",
    "Event",
    "InvalidState",
    "Meter",
    "Mind",
    "Model",
    "OpenView",
    "Outcome",
    "PlainState",
    "Planner",
    "Policy",
    "PythonModel",
    "Rng",
    "State",
    "Traits",
    "View",
    "World",
]
