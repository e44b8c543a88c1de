"""The knowledge base of YOLOBOT: learns from every observed step, and answers queries.

Nothing here calls the model: all of it can be taught from recorded steps.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from ludex.core.notes import Plain, Table
from ludex.core.objects import Category
from ludex.planners.yolobot.collisions import BLOCKED, Collisions, Effect, is_blocked
from ludex.planners.yolobot.habits import USUAL, Habits
from ludex.planners.yolobot.movement import AvatarMoves, ObjectMoves
from ludex.planners.yolobot.passages import Portals, Spawners
from ludex.planners.yolobot.sight import Cell, SeenObject, Sight, Transition, changes

MOST_KEPT = 10_000
"""answers that are kept at a time"""
FREED_WITH_EACH = 2
"""old answers that are freed with each new one; all at once would take milliseconds"""
FREED_AT_ONCE = 1000
"""answers of knowledge that nobody needs any more; to free them takes a millisecond or two"""


class Hunting(NamedTuple):
    """The types that move by themselves and kill."""

    kinds: tuple[int, ...]
    reach: int
    """the most cells that one of them moves in a tick, along one axis"""
    pausing: tuple[int, ...]
    """those that do not move in every tick"""


class Knowledge:
    """What is known of the game."""

    def __init__(self, settling: int, habits: Habits = USUAL) -> None:
        self.settling = settling
        """ticks at the start in which change proves nothing"""
        self.habits = habits
        self.avatar = AvatarMoves(habits)
        self.objects = ObjectMoves(habits)
        self.collisions = Collisions(habits)
        self.portals = Portals(habits)
        self.spawners = Spawners()
        self.categories: dict[int, Category] = {}
        self.met: set[int] = set()
        """types that the avatar has touched"""
        self.is_stochastic = False
        self.is_suspect = False
        """something changed by itself, but so early that it may be the game setting itself up"""
        self.steps = 0
        self.extent = 0
        """how much is known: what follows from it stays the same until this grows"""
        self.answers: dict[Hashable, Any] = {}
        """what was asked since, and what followed"""
        self.outdated: list[dict[Hashable, Any]] = []
        """answers that are not freed yet"""

    @property
    def has_npc(self) -> bool:
        return Category.NPC in self.categories.values()

    def draw_conclusions(self) -> None:
        """Forget answers that may be other ones by what was learned."""
        extent = (
            self.collisions.learned
            + self.avatar.learned
            + self.objects.learned
            + self.portals.learned
            + self.spawners.learned
            + len(self.categories)
        )
        if extent != self.extent:
            self.extent = extent
            self.forget_answers()

    def keep(self, question: Hashable, answer: Any) -> None:
        """Remember an answer until something is learned, or until there are too many."""
        if len(self.answers) >= MOST_KEPT:
            self.forget_answers()
        self.answers[question] = answer
        for _ in range(FREED_WITH_EACH):
            self.free_outdated()

    def forget_answers(self) -> None:
        if self.answers:
            self.outdated.append(self.answers)
            self.answers = {}

    def free_outdated(self) -> None:
        if self.outdated:
            self.outdated[-1].popitem()
            if not self.outdated[-1]:
                self.outdated.pop()

    def let_go(self) -> bool:
        """Free a part of the answers of knowledge that is over; returns whether some are left."""
        self.forget_answers()
        for _ in range(FREED_AT_ONCE):
            self.free_outdated()
        return bool(self.outdated)

    def register(self, sight: Sight) -> None:
        """Take in the types of all objects in sight."""
        for one in sight.seen_objects:
            self.categories.setdefault(one.kind, Category(one.category))
        self.draw_conclusions()

    def observe(self, seen: Transition, waited: bool) -> None:
        """Learn from a step; `waited` says that the action was to do nothing."""
        self.observe_avatar(seen)
        # What the avatar made may have caused it: then change proves nothing.
        if waited and not seen.before.has_own_work() and (seen.changes or seen.moved != (0, 0)):
            self.objects.accuse(seen.changes, [seen.before.avatar_cell, seen.after.avatar_cell])
            self.suspect(seen.before.tick)
        if seen.changes:
            self.objects.observe(seen)
            self.spawners.observe(seen)
            for change in seen.changes:
                if change.before is None:
                    self.categories.setdefault(change.seen.kind, Category(change.seen.category))
        self.draw_conclusions()

    def observe_avatar(self, seen: Transition) -> None:
        """Learn from a step how the avatar moved, and what it met."""
        self.steps += 1
        blocked = bool(seen.after.meetings) and is_blocked(seen)
        was_portal = self.portals.observe(seen)
        self.avatar.observe(seen, blocked, was_portal)
        if seen.after.meetings:
            self.collisions.observe(seen)
            for one in seen.after.meetings:
                if not one.by_product:
                    self.met.add(one.passive_type)
        self.draw_conclusions()

    def saw_twice(self, before: Sight, one: Sight, other: Sight) -> None:
        """The same action in the same state led to two states."""
        if one.key != other.key:
            cells = [before.avatar_cell, one.avatar_cell, other.avatar_cell]
            self.objects.accuse(changes(one, other), cells)
            self.suspect(before.tick)
            self.draw_conclusions()

    def suspect(self, tick: int) -> None:
        """Something changed by itself, or by chance."""
        if tick >= self.settling:
            self.is_stochastic = True
        else:
            self.is_suspect = True

    # What follows from it

    def effect(self, sight: Sight, kind: int) -> Effect | None:
        """What happens when the avatar meets an object now; None when nobody knows."""
        return self.collisions.predict(sight.avatar_kind, kind, sight.inventory)

    def shot_effect(self, sight: Sight, kind: int) -> Effect | None:
        """What happens when something the avatar made meets an object now."""
        return self.collisions.by_shot(kind, sight.inventory, sight.avatar_kind)

    def surely_blocks(self, sight: Sight, kind: int) -> bool:
        """Whether an object is in the way for certain; what can move may move the next time."""
        if self.categories.get(kind) in (Category.MOVABLE, Category.NPC):
            return False
        pair = self.collisions.pairs.get((sight.avatar_kind, kind))
        return pair is not None and pair.surely_blocks(sight.inventory)

    def is_deadly(self, sight: Sight, kind: int) -> bool:
        """Whether meeting a type is expected to lose the game."""
        effect = self.effect(sight, kind)
        return effect is not None and effect.has("lost")

    def is_deadly_spawner(self, sight: Sight, kind: int) -> bool:
        """Whether something deadly can appear where an object of this type is."""
        return any(self.is_deadly(sight, made) for made in self.spawners.makes.get(kind, ()))

    def is_deadly_source(self, sight: Sight, cell: Cell) -> bool:
        """Whether something deadly was seen to appear in a cell out of nothing."""
        return any(self.is_deadly(sight, kind) for kind in self.spawners.sources.get(cell, ()))

    def is_barred(self, sight: Sight, kind: int) -> bool:
        """Whether the avatar cannot or must not enter the cell of such an object."""
        effect = self.effect(sight, kind)
        if effect is not None and (effect is BLOCKED or effect.has("lost")):
            return True
        return self.is_deadly_spawner(sight, kind)

    def hunting(self, sight: Sight) -> Hunting:
        """The types that move by themselves and kill."""
        question = sight.avatar_kind, sight.carried
        found: Hunting | None = self.answers.get(question)
        if found is None:
            kinds = tuple(self.feared(sight))
            reach = max((step for kind in kinds for step in self.reach(kind)), default=0)
            pausing = tuple(kind for kind in kinds if self.objects.period(kind) > 1)
            found = Hunting(kinds, reach, pausing)
            self.keep(question, found)
        return found

    def feared(self, sight: Sight) -> list[int]:
        """The types that move by themselves and kill, or are taken to."""
        found = [kind for kind in self.objects.stochastic if self.is_deadly(sight, kind)]
        if self.habits.unknown_npcs == "deadly":
            found += [
                kind
                for kind, category in self.categories.items()
                if category is Category.NPC and self.effect(sight, kind) is None
            ]
        return found

    def hunters(self, sight: Sight) -> list[SeenObject]:
        """The objects of those types."""
        kinds = self.hunting(sight).kinds
        return sight.of_kinds(kinds) if kinds else []

    def reach(self, kind: int) -> tuple[int, int]:
        """How far a type steps; an NPC that was never seen to move is expected to."""
        known = self.objects.reach.get(kind, (0, 0))
        if known == (0, 0) and self.categories.get(kind) is Category.NPC:
            return 1, 1
        return known

    def as_table(self, sight: Sight) -> Table:
        """What is expected of meeting each type now, to be shown."""
        rows: list[tuple[Plain, ...]] = []
        for (active, kind), pair in sorted(self.collisions.pairs.items()):
            effect = pair.predict(sight.inventory)
            expected = (
                "blocks" if effect is BLOCKED else " ".join(sorted(effect.group if effect else ()))
            )
            by = "avatar" if active == sight.avatar_kind else f"type {active}"
            what = self.categories.get(kind)
            named = f"{kind} {what.name.lower()}" if what is not None else str(kind)
            rows.append((named, by, sum(pair.seen.values()), expected or "nothing"))
        return Table(("type", "met by", "seen", "expected"), tuple(rows))

    def best_score(self, sight: Sight) -> float:
        """An optimistic guess of the points to be had: all objects that bring some, reached."""
        total = 0.0
        points: dict[int, float] = {}
        for one in sight.seen_objects:
            if one.kind not in points:
                found = (self.effect(sight, one.kind), self.shot_effect(sight, one.kind))
                gains = (effect.score for effect in found if effect is not None)
                points[one.kind] = max(0.0, *gains, 0.0)
            total += points[one.kind]
        return total


class Watcher:
    """Follows the real game, and teaches what it sees."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.last: tuple[Sight, Any] | None = None
        """the last state, and what was played in it"""
        self.told = 0  # events of the history that are known

    def look(self, model: Any, view: Any) -> Sight:
        """Take in what happened since the last decision."""
        sight = Sight.of_view(view, self.told)
        self.told = len(view.history)
        self.knowledge.register(sight)
        if self.last is not None:
            before, action = self.last
            waited = model.action_type(action) == "wait"
            step = Transition(before, action, model.heading(action), sight)
            self.knowledge.observe(step, waited)
        return sight
