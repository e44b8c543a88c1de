"""Classifiers for what becomes of a cell: grown by scikit-learn, trees asked in native form."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludex.core.extra import require_extra
from ludex.models.learned._native import Voters
from ludex.models.learned.classifiers.logistic import Logistic
from ludex.models.learned.classifiers.trees import Trees, flatten
from ludex.models.learned.knowledge.hierarchy import Hierarchy

Classifier: TypeAlias = Literal[
    "tree", "forest", "neighbours", "boosting", "bayes", "logistic", "exceptions"
]
OF_OUR_OWN = (Logistic, Hierarchy)
"""that are neither the library's nor made of trees"""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which classifier, and how it grows."""

    classifier: Classifier = "tree"
    depth: int | None = None
    split: Literal["best", "random"] = "best"
    members: int = 10
    """trees of a forest, rounds of boosting"""
    neighbours: int = 1

    def unfitted(self) -> Any:
        """The classifier of the library with these settings."""
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
                return Hierarchy()

    @property
    def by_category(self) -> bool:
        """Whether numbers are names to it, and none lies between two others."""
        return self.classifier in ("logistic", "exceptions")

    @property
    def counts(self) -> bool:
        """Whether a row that was seen often counts for more."""
        return self.classifier == "exceptions"


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted classifier: as trees where it is made of them, else as the library's own."""

    classes: NDArray[np.uint16]
    trees: Trees | None = None
    own: Any = None

    def shares(self, rows: NDArray[np.uint16]) -> NDArray[np.float64]:
        """How likely each class is for each row."""
        if self.trees is not None:
            return self.trees.values(rows)
        found: NDArray[np.float64] = self.own.predict_proba(rows)
        return found

    def ask(self, rows: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
        """The likeliest class of each row and how sure the library's classifier is of it."""
        shares = self.own.predict_proba(rows)
        best = shares.argmax(axis=1)
        return self.classes[best], shares[np.arange(len(rows)), best].astype(np.float64)

    def pack(self, name: str = "classifier") -> dict[str, NDArray[Any]]:
        """Arrays for a file: trees, weights or rules, where it is made of them."""
        kept = self.own if isinstance(self.own, OF_OUR_OWN) else self.trees
        return {f"{name}.classes": self.classes, **(kept.pack(name) if kept else {})}

    @classmethod
    def unpack(cls, arrays: Mapping[str, NDArray[Any]], name: str = "classifier") -> Self | None:
        """What `pack` wrote; None for classifiers that have to be fitted again."""
        found = (kind.unpack(name, arrays) for kind in (Trees, *OF_OUR_OWN))
        kept = next((one for one in found if one is not None), None)
        if kept is None:
            return None
        classes = arrays[f"{name}.classes"]
        return cls(classes, kept) if isinstance(kept, Trees) else cls(classes, own=kept)

    def native(self, width: int) -> Any:
        """What a native model asks: trees of its own, or a function; ValueError if it cannot."""
        if isinstance(self.own, OF_OUR_OWN):
            self.own.check(width)
        if self.trees is None:
            return self.ask
        return Voters(*self.trees.walk, self.classes, self.trees.leaves, width)


EARLY, FEWEST = 0.75, 20


def how_often_right(recipe: Recipe, rows: NDArray[np.uint16], after: NDArray[np.uint16]) -> float:
    """How often guesses about rows never seen were right: those of the last quarter are foretold
    from the others. Half the time, as long as little was seen.
    """
    early = int(len(rows) * EARLY)
    if early < FEWEST:
        return 0.5
    trial = fit(recipe, rows[:early], after[:early])
    return float(np.mean(trial.ask(rows[early:])[0] == after[early:]))


def fit(
    recipe: Recipe,
    rows: NDArray[np.uint16],
    after: NDArray[np.uint16],
    times: NDArray[np.float64] | None = None,
) -> Fitted:
    """Fit a classifier to rows and what followed them.

    With `times` rows count as often as that, but for neighbours, who cannot be weighed.
    """
    own = recipe.unfitted()
    with warnings.catch_warnings():
        # Where whole grids are classes, there may be as many as rows, and they are classes still.
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%")
        # Weights that still move after so many rounds are as good as any.
        warnings.filterwarnings("ignore", "lbfgs failed to converge")
        if recipe.classifier == "neighbours":
            own.set_params(n_neighbors=min(recipe.neighbours, len(rows)))
            own.fit(rows, after)
        else:
            own.fit(rows, after, sample_weight=times)
    classes = own.classes_.astype(np.uint16)
    if recipe.classifier == "tree":
        return Fitted(classes, flatten([own.tree_]), own)
    if recipe.classifier == "forest":
        return Fitted(classes, flatten([one.tree_ for one in own.estimators_]), own)
    return Fitted(classes, None, own)
