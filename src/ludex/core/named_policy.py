"""Rollout policies by name: of every model, of one world, or of an agent."""

from __future__ import annotations

from ludex.core import registry
from ludex.core.capabilities import OffersPolicy, able
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.model import Model, Policy
from ludex.core.names import read_named
from ludex.core.own_part import python_files_in
from ludex.core.policy import NativePolicy

OF_ALL_MODELS = ("uniform", "type_first")


def named_policy(policy: Policy, model: Model) -> Policy:
    """The policy that a text stands for; a function or a value is one already.

    `uniform` and `type_first` are known to every model, others to those whose traits list them.
    `WORLD/NAME` is an agent that can be asked for its move in any state, such as
    `hearthstone/scripted`; its parameters may follow, as in `hearthstone/scripted(explore=0.1)`.

    Raises:
        BadParameter: If no agent has that name, or it offers no policy.
        Unsupported: If the policy does not fit the model.
    """
    if isinstance(policy, NativePolicy):
        return policy.for_model(model)
    if not isinstance(policy, str):
        return policy
    if policy in OF_ALL_MODELS or policy in model.traits.policies:
        return policy
    if "/" not in policy:
        raise Unsupported(f"this model has no rollout policy named {policy!r}")
    named = read_named(policy, "()", "a rollout policy")
    if files := python_files_in(policy):
        raise BadParameter(
            f"{named.name} cannot be a rollout policy with {files[0]}: give a function of your "
            "own as the policy itself, as in rollout=mine.py:policy"
        )
    agent = registry.load("agents", named.name).from_texts(named.arguments)
    offers = able(agent, OffersPolicy)
    if offers is None:
        raise BadParameter(
            f"{named.name} cannot be a rollout policy: it does not say its move in any state"
        )
    return offers.rollout_policy(model)
