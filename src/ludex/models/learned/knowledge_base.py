"""The hierarchical knowledge base: general rules about things, and exceptions to them."""

from __future__ import annotations

from dataclasses import dataclass

from ludex.models.learned.classifiers.fitting import Classifier
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.rewards.reward_model import JudgeForm


@dataclass(frozen=True, kw_only=True)
class KnowledgeBase(ObjectBased):
    """An object-based model that holds nothing but rules: what was seen, it does not remember.

    What becomes of a thing is told by a hierarchy for each part of its fate: a rule without
    conditions, rules with a few conditions where that one fails, and whole rows where those fail.
    Of score and end the most general rule is that nothing is gained and the game goes on;
    association rules are the exceptions to it.
    """

    classifier: Classifier = "exceptions"
    """what tells the fate of things: rules with exceptions"""
    judge: JudgeForm = "rules"
    """how score and end are learned: association rules, or fitted numbers and trees"""
    memo: bool = False
    """answer from memory what was seen; the rules are asked for the rest"""
