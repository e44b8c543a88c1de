"""Classifiers of learned models: fitted by scikit-learn, trees evaluated in native code."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.extra import require_extra
from ludex.models.learned._native import TreeClassifier
from ludex.models.learned.classifiers.logistic import Logistic
from ludex.models.learned.classifiers.pruning import pruned
from ludex.models.learned.classifiers.trees import Trees, flatten
from ludex.models.learned.knowledge.hierarchy import RuleHierarchy

Classifier: TypeAlias = Literal[
    "tree", "forest", "neighbours", "boosting", "bayes", "logistic", "exceptions"
]
OF_OUR_OWN = (Logistic, RuleHierarchy)
"""classifiers of our own, which are not made of trees"""


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """Which classifier to fit, with its hyperparameters."""

    classifier: Classifier = "tree"
    depth: int | None = None
    split: Literal["best", "random"] = "best"
    members: int = 10
    """trees of a forest, rounds of boosting"""
    neighbours: int = 1
    prune: bool = False
    """prune trees, so that they do not take chance for a rule"""

    def unfitted(self) -> Any:
        """Return the unfitted classifier with these settings."""
        require_extra("sklearn.tree", "learned models", "learning")
        from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
        from sklearn.naive_bayes import GaussianNB
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.tree import DecisionTreeClassifier

        match self.classifier:
            case "tree":
                return DecisionTreeClassifier(
                    max_depth=self.depth, splitter=self.split, random_state=0
                )
            case "forest":
                return RandomForestClassifier(
                    self.members, max_depth=self.depth, max_features=1, random_state=0
                )
            case "neighbours":
                return KNeighborsClassifier(self.neighbours)
            case "boosting":
                return AdaBoostClassifier(n_estimators=self.members, random_state=0)
            case "bayes":
                return GaussianNB()
            case "logistic":
                return Logistic()
            case "exceptions":
                return RuleHierarchy()

    @property
    def by_category(self) -> bool:
        """Whether it treats inputs as categories without an order."""
        return self.classifier in ("logistic", "exceptions")

    @property
    def counts(self) -> bool:
        """Whether it weights a row by how often it was seen."""
        return self.classifier == "exceptions" or self.prunes

    @property
    def prunes(self) -> bool:
        """Whether there is something to prune."""
        return self.prune and self.classifier == "tree"


@dataclass(frozen=True, slots=True)
class FittedClassifier:
    """A fitted classifier: trees as arrays where possible, else the fitted estimator."""

    classes: NDArray[np.uint16]
    trees: Trees | None = None
    own: Any = None

    def shares(self, rows: NDArray[np.uint16]) -> NDArray[np.float64]:
        """The probability of each class for each row."""
        if self.trees is not None:
            return self.trees.values(rows)
        found: NDArray[np.float64] = self.own.predict_proba(rows)
        return found

    def classify(self, rows: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
        """The likeliest class of each row and its probability."""
        shares = self.shares(rows)
        best = shares.argmax(axis=1)
        return self.classes[best], shares[np.arange(len(rows)), best].astype(np.float64)

    def pack(self, name: str = "classifier") -> dict[str, NDArray[Any]]:
        """Arrays for a model file: trees, weights or rules, where it is made of them."""
        kept = self.own if isinstance(self.own, OF_OUR_OWN) else self.trees
        return {f"{name}.classes": self.classes, **(kept.pack(name) if kept else {})}

    @classmethod
    def unpack(cls, arrays: Mapping[str, NDArray[Any]], name: str = "classifier") -> Self | None:
        """Read what `pack` wrote; None for classifiers that have to be fitted again."""
        found = (kind.unpack(name, arrays) for kind in (Trees, *OF_OUR_OWN))
        kept = next((one for one in found if one is not None), None)
        if kept is None:
            return None
        classes = arrays[f"{name}.classes"]
        return cls(classes, kept) if isinstance(kept, Trees) else cls(classes, own=kept)

    def native(self, width: int) -> Any:
        """The classifier for a native model: native trees, or a function. ValueError if invalid."""
        if isinstance(self.own, OF_OUR_OWN):
            self.own.check(width)
        if self.trees is None:
            return self.classify
        return TreeClassifier(*self.trees.walk, self.classes, self.trees.leaves, width)


EARLY, FEWEST = 0.75, 20


def held_out_accuracy(
    classifier_settings: ClassifierSettings, rows: NDArray[np.uint16], after: NDArray[np.uint16]
) -> float:
    """Accuracy on held-out rows: the last quarter, predicted from the others.

    0.5 while there are too few rows to tell.
    """
    early = int(len(rows) * EARLY)
    if early < FEWEST:
        return 0.5
    trial = fit(classifier_settings, rows[:early], after[:early])
    return float(np.mean(trial.classify(rows[early:])[0] == after[early:]))


def fit(
    classifier_settings: ClassifierSettings,
    rows: NDArray[np.uint16],
    after: NDArray[np.uint16],
    times: NDArray[np.float64] | None = None,
) -> FittedClassifier:
    """Fit a classifier to rows and their classes.

    `times` are sample weights, which nearest neighbours ignore.
    """
    own = classifier_settings.unfitted()
    with warnings.catch_warnings():
        # Where whole grids are classes, there may be as many classes as rows.
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        # Weights that have not converged after so many iterations are good enough.
        warnings.filterwarnings("ignore", "lbfgs failed to converge")
        if classifier_settings.classifier == "neighbours":
            own.set_params(n_neighbors=min(classifier_settings.neighbours, len(rows)))
            own.fit(rows, after)
        else:
            own.fit(rows, after, sample_weight=times)
    classes = own.classes_.astype(np.uint16)
    if classifier_settings.classifier == "tree":
        tree = pruned(own.tree_) if classifier_settings.prune else own.tree_
        return FittedClassifier(classes, flatten([tree]), own)
    if classifier_settings.classifier == "forest":
        return FittedClassifier(classes, flatten([one.tree_ for one in own.estimators_]), own)
    return FittedClassifier(classes, None, own)
