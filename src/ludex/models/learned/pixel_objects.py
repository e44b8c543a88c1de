"""Object-based forward model of games that are seen as pictures alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

from ludex.core.errors import BadParameter
from ludex.core.object_list import ObjectListView, objects_of
from ludex.core.parameters import Between
from ludex.core.pixels import PixelView, pixels_of
from ludex.core.rng import Rng
from ludex.core.traits import Traits
from ludex.core.view import OpenView, View
from ludex.models.learned.explain.object_accuracy import object_accuracy
from ludex.models.learned.object_based import ObjectBased
from ludex.models.learned.objects.model import ObjectKnowledge, ObjectModel, ObjectState
from ludex.models.learned.pixels.sight import KeptStep, KeptView, Sight, TemplateSight, TileSight
from ludex.models.learned.pixels.tracking import Tracker
from ludex.models.learned.training.transitions import Transition, as_observed

READ_AGAIN = 64  # pictures whose objects are remembered


class PixelObjectModel(ObjectModel):
    """An object-based model that reads the objects of a view from its picture."""

    def __init__(
        self,
        knowledge: ObjectKnowledge,
        traits: Traits,
        listed: Callable[[PixelView], ObjectListView],
        directions: Mapping[Any, tuple[int, int]],
        **settings: Any,
    ) -> None:
        super().__init__(knowledge, traits, **settings)
        self.listed = listed
        self.directions = directions
        self.facing = [(0, 0)]
        """where the avatar faces in the real game; shared by metered models"""

    def recall(self, recent: Sequence[tuple[View, Any]]) -> None:
        """Remember where the avatar faces: the way of the last action that has one."""
        ways = [self.directions[action] for _, action in recent if action in self.directions]
        if ways or not recent:
            self.facing[0] = ways[-1] if ways else (0, 0)

    def imagine(self, view: Any, rng: Rng) -> ObjectState:
        """The state that a picture shows; lists of objects are taken as they are."""
        own = isinstance(view, OpenView) and isinstance(view.state, ObjectState)
        if own or isinstance(view, ObjectListView):
            return super().imagine(view, rng)
        shown = pixels_of(view)
        assert shown is not None  # unsupported views are refused before the first move
        return super().imagine(replace(self.listed(shown), facing=self.facing[0]), rng)


@dataclass(frozen=True, kw_only=True)
class PixelObjects(ObjectBased):
    """Objects, their kinds and their moves are read from pictures, and learned from as objects.

    After `fit` it has, beside what object-based learners have: `sight_`, which finds objects in
    pictures and knows the avatar, and `steps_`, the steps that were seen.
    """

    LIMITS: ClassVar[Mapping[str, Any]] = {
        **ObjectBased.LIMITS,
        "tolerance": Between(0, 255),
        "stride": Between(0.1, 100),
    }

    OF_THE_FILE: ClassVar[tuple[str, ...]] = (
        *ObjectBased.OF_THE_FILE,
        *("sprites", "tolerance", "stride"),
    )

    READS: ClassVar[str] = "pictures"
    MOST_SEATS: ClassVar[int] = 1

    sprites: Literal["unknown", "known"] = "unknown"
    """unknown: tiles of the picture are clustered; known: templates, from training pictures whose
    objects are told"""
    tolerance: float = 4.0
    """the mean difference of two patches, over colours from 0 to 255, up to which they are alike"""
    stride: float = 1.5
    """the longest way of an object in one step, in cells"""

    def contradiction(self) -> str | None:
        if self.sprites == "known" and self.learn == "continuous" and not self.file:
            return (
                "sprites=known takes templates from training before the game, and "
                "learn=continuous has none; use sprites=unknown, or a file"
            )
        return None

    # Reading pictures

    def can_read(self, view: View) -> bool:
        return pixels_of(view) is not None

    def shown(self, view: Any) -> Any:
        """The picture of a view; a list of objects, as `read` makes it, stays as it is."""
        if isinstance(view, ObjectListView):
            return view
        shown = pixels_of(view)
        if shown is None:
            raise BadParameter(
                f"learners of pictures need views with as_pixels, got a {type(view).__name__}"
            )
        return shown

    def listed(self, view: PixelView) -> ObjectListView:
        """The objects of one picture, with ids of no meaning."""
        known: dict[PixelView, ObjectListView] = self.pictures_
        if view not in known:
            if len(known) >= READ_AGAIN:
                known.pop(next(iter(known)))
            objects = self.sight_.objects(self.sight_.keep(view))
            known[view] = self.sight_.listed(view, objects, range(len(objects)))
        return known[view]

    def read(self, transitions: Sequence[Transition]) -> list[Transition]:
        """Transitions between lists of objects, tracked from picture to picture."""
        self.refuse_nothing()
        steps: list[KeptStep] = []
        last: PixelView | None = None
        for one in transitions:
            before, after = (self.shown(at.view) for at in (one.before, one.after))
            kept = self.sight_.keep(before), self.sight_.keep(after)
            steps.append(KeptStep(kept[0], one.actions[0], kept[1], before != last))
            last = after
        return [
            Transition(as_observed(before), (action,), as_observed(after))
            for before, action, after in self.tracked(steps)
        ]

    def tracked(
        self, steps: Sequence[KeptStep]
    ) -> list[tuple[ObjectListView, Any, ObjectListView]]:
        """The objects of steps, with ids that they keep from picture to picture."""
        found: list[tuple[ObjectListView, Any, ObjectListView]] = []
        tracker, facing = Tracker(0.0), (0, 0)
        for one in steps:
            if one.begins or not found:
                facing = (0, 0)
                tracker.reach = self.stride * one.before.facts.size[2]
                objects = self.sight_.objects(one.before)
                before = self.sight_.listed(one.before.facts, objects, tracker.begin(objects))
            else:
                before = replace(found[-1][2], legal=one.before.facts.legal)
            objects = self.sight_.objects(one.after)
            facing = self.sight_.directions.get(one.action, facing)
            after = self.sight_.listed(one.after.facts, objects, tracker.follow(objects), facing)
            found.append((before, one.action, after))
        return found

    # Fitting

    def _prepare(self) -> None:
        super()._prepare()
        kind = TileSight if self.sprites == "unknown" else TemplateSight
        sight: Sight = kind(self.tolerance)
        self._learn(sight_=sight, steps_=[], read_=0, last_=None, is_whole_=True, pictures_={})

    def add(self, transition: Transition) -> None:
        shown = [self.shown(one.view) for one in (transition.before, transition.after)]
        if not self.is_fitted:
            self._prepare()
        if shown[0].size != shown[1].size:
            raise BadParameter(
                f"{type(self).__name__} learns from pictures that keep their size, got one of "
                f"{shown[0].size} followed by one of {shown[1].size} (columns, rows, pixels)"
            )
        (action,) = transition.actions
        self.refuse_illegal(action, shown[0].legal)
        begins = shown[0] != self.last_
        views = (transition.before.view, transition.after.view)
        before = self.keep(views[0], shown[0]) if begins else self.steps_[-1].after
        after = self.keep(views[1], shown[1])
        self.steps_.append(KeptStep(before, action, after, begins))
        self._learn(last_=shown[1], seen_=self.seen_ + 1)

    def keep(self, view: Any, shown: PixelView) -> KeptView:
        """A view as its sight keeps it; known sprites are learned from what it lists."""
        labels = objects_of(view) if self.sprites == "known" else None
        sight: Sight = self.sight_
        knows_sprites = isinstance(sight, TemplateSight) and sight.templates
        if self.sprites == "known" and labels is None and not knows_sprites:
            raise BadParameter(
                "sprites=known learns templates from pictures whose objects are told (views with "
                f"as_objects), got a {type(view).__name__}; use sprites=unknown"
            )
        return sight.keep(shown, labels)

    def learn_again(self) -> Self:
        """Learn what is in pictures, then fit to the objects of all steps.

        When kinds or the avatar have changed, all steps are read anew. Those before a model file
        was written are not there any more, and stay as they were read.
        """
        self.refuse_nothing()
        steps, seen = self.steps_, self.seen_
        changed = self.is_whole_ and self.sight_.learn(steps, self.stride * self.cell)
        if changed:
            super()._prepare()
            self._learn(seen_=seen, read_=0, pictures_={})
        begin = self.read_
        while 0 < begin < len(steps) and not steps[begin].begins:
            begin -= 1  # tracks go on from where a game began
        for number, one in enumerate(self.tracked(steps[begin:]), start=begin):
            if number >= self.read_:
                self.add_step(*one)
        self._learn(read_=len(steps))
        return super().learn_again()

    @property
    def cell(self) -> int:
        """The pixels of a cell in the pictures seen last."""
        return int(self.steps_[-1].after.facts.size[2]) if self.steps_ else 1

    def model(self, traits: Traits) -> PixelObjectModel:
        plain = super().model(traits)
        ways = self.sight_.directions
        return PixelObjectModel(plain.known, traits, self.listed, ways, **self.model_settings)

    def accuracy(self, transitions: Sequence[Transition]) -> dict[str, float]:
        """How objects read from pictures are predicted, beside those read afterwards."""
        return object_accuracy(self, self.read(transitions))

    # Files

    def _pack(self) -> dict[str, Any]:
        return {**super()._pack(), **self.sight_.pack()}

    def _unpack(self, arrays: Mapping[str, Any]) -> None:
        super()._unpack(arrays)
        kind = TileSight if self.sprites == "unknown" else TemplateSight
        self._learn(sight_=kind.unpack(arrays, self.tolerance), is_whole_=False)
