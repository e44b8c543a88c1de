"""Hierarchical knowledge base model: object-based rules with exceptions."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.models.learned.classifiers.fitting import Classifier
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.rewards.reward_model import RewardForm


@dataclass(frozen=True, kw_only=True)
class KnowledgeBase(ObjectBased):
    """An object-based model made of rules alone, without a memory of what was seen.

    Each part of an object's change is predicted by a rule hierarchy: a rule without conditions,
    exceptions with a few conditions, and whole rows as exceptions to those. For rewards the most
    general rule is that nothing is gained and the game goes on; association rules are the
    exceptions.
    """

    classifier: Classifier = "exceptions"
    """predicts the changes of objects: rules with exceptions"""
    judge: RewardForm = "rules"
    """the reward model: association rules, or fitted weights and trees"""
    memo: bool = False
    """look up inputs that were seen; the rules predict the rest"""
