"""Whether association rules about the ends of games hold in play they were not mined from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludex.models.learned.knowledge.association import object_facts
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.rewards import reward_model as rewards
from ludex.models.learned.rewards.reward_model import RewardData
from ludex.models.learned.training.transitions import Transition


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """The rules about ends, and what became of them in new play."""

    rules: int
    right: list[bool]
    """of each new transition in which a rule held, whether the game ended so"""
    told: list[bool]
    """of each end in new play, whether a rule about such an end held"""
    example: str
    """the rule that held most often where it was mined"""


def check_rules(old: Sequence[Transition], new: Sequence[Transition]) -> RuleCheck:
    """Mine rules about ends from transitions, and ask them about others."""
    learner = ObjectBased(judge="rules", score="none")
    for one in old:
        learner.add(one)
    kinds = len(learner.kinds_)
    facts = object_facts(learner.kinds_, learner.verbs_)
    mined = rewards.fit(learner.reward_data_, learner.reward_settings, kinds, facts)
    rules = [rule for rule in mined.rules if rule.ending]
    known = dict(learner.reward_data_.seen)
    for one in new:
        learner.add(one)
    changes = RewardData(learner.row_form)
    changes.seen = {
        row: times - known.get(row, 0)
        for row, times in learner.reward_data_.seen.items()
        if times > known.get(row, 0) and row[0] == kinds  # kinds that came later have no facts
    }
    rows, _, endings, times = changes.table(kinds)
    verbs = changes.verbs()
    predicted = np.zeros(len(rows), np.int64)
    for rule in rules:
        holds = np.ones(len(rows), bool)
        for fact in rule.facts:
            holds &= fact.holds(rows, verbs)
        predicted[holds] = rule.ending
    said, ended = predicted != 0, endings != 0
    is_right = predicted == endings
    return RuleCheck(
        rules=len(rules),
        right=np.repeat(is_right[said], times[said]).tolist(),
        told=np.repeat(is_right[ended], times[ended]).tolist(),
        example=str(max(rules, key=lambda rule: rule.times)) if rules else "no rule was found",
    )
