"""Checks of a world beyond its model: start, notation, codec, observation, pictures, real game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ludex.core.errors import (
    AmbiguousAction,
    GameOver,
    IllegalAction,
    InvalidAction,
    InvalidState,
    LudexError,
)
from ludex.core.rng import Meter, Rng
from ludex.core.state import StateT
from ludex.core.tiles import Tiles, tiles_of
from ludex.core.world import ArraySpec, World
from ludex.testing.checks.rules import NOT_AN_ACTION, what_may_happen
from ludex.testing.elsewhere import lines_elsewhere, lines_here
from ludex.testing.failure import fail, shown
from ludex.testing.snapshot import reachable
from ludex.testing.walk import any_actions, positions, wander

LONGEST_GAME = 20_000
RUBBISH = ("", " ", "no such thing", "-1", "\x00", "9" * 400, "(" * 2000)


def each_seat(world: World, most: int = 40) -> Iterator[tuple[Any, Any]]:
    """Yield states with the view of every seat."""
    for state in positions(world, world.model, most):
        for seat in range(world.traits.seats):
            yield state, world.model.view(state, seat)


def check_world_describes_itself(world: World) -> None:
    """A world has a name, version, status, summary, and seats within its `players`."""
    least, most = world.players
    if not re.fullmatch(r"[a-z][a-z0-9_/]*", world.name):
        fail(f"the name of a world is in lower case, as in 'kuhn_poker', got {world.name!r}")
    if not isinstance(world.version, int) or world.version < 1:
        fail(f"{world.name}.version must be a whole number from 1, got {world.version!r}")
    if world.status not in ("exact", "close", "partial"):
        fail(f"{world.name}.status must be exact, close or partial, got {world.status!r}")
    if not world.summary().endswith("."):
        fail(f"the docstring of {world.name} must begin with one sentence, its summary")
    if not 1 <= least <= world.traits.seats <= most:
        fail(f"{world.name} has {world.traits.seats} seats but players={world.players}")
    if world.model is not world.model:
        fail("world.model must be made once; declare it as a cached_property")


def check_text_of_world_reads_back(world: World) -> None:
    """`str(world)` names its options so that the same world can be made from it."""
    twin = type(world).from_texts(world.changed())
    if twin != world or str(twin) != str(world):
        fail(f"the world made from the options in {str(world)!r} is {str(twin)!r}")


def check_start_is_repeatable(world: World) -> None:
    """The first state depends on the stream alone, and is a new one each time."""
    for seed in range(5):
        first, second = world.start(Rng(seed)), world.start(Rng(seed))
        if first is second or first != second:
            fail(f"two starts with the same stream give {shown(first)} and {shown(second)}")


def check_text_of_states_reads_back(world: World) -> None:
    """`parse(str(state))` is the same state, with the same future."""
    model = world.model.metered(Meter())
    for index, state in enumerate(positions(world, model)):
        text = str(state)
        if not text or "\n" in text:
            fail(f"str(state) must be one line, got {shown(text)}")
        try:
            read = world.parse(text)
        except LudexError as error:
            fail(f"parse refuses the text of a state: {error}")
        if read != state or hash(read) != hash(state) or str(read) != text:
            fail(f"{shown(text)} reads back as {shown(read)}, which is not the same state")
        if what_may_happen(model, read) != what_may_happen(model, state):
            fail(f"{shown(text)} reads back as a state with other moves, chances or outcome")
        check_words_of_state(world, state)
        actions = any_actions(model, state, Rng(index))
        after = [model.step(one, actions, Rng(index)) for one in (state, read)]
        if after[0] != after[1]:
            fail(f"{shown(text)} reads back as a state that moves on to {shown(after[1])}")


def check_words_of_state(world: World, state: Any) -> None:
    """`parse(state_text(state))` is the same state, too."""
    words = world.state_text(state)
    if "\n" in words:
        fail(f"state_text must be one line, got {shown(words)}")
    try:
        read = world.parse(words)
    except LudexError as error:
        fail(f"parse refuses what state_text writes: {error}")
    if read != state:
        fail(f"{shown(words)} reads back as {shown(read)}, which is not the same state")


def check_parse_refuses_rubbish(world: World) -> None:
    """Text that is not a state raises InvalidState, with one sentence."""
    text = str(world.start(Rng(0)))
    for rubbish in (*RUBBISH, text + " and more", text + text):
        try:
            found = world.parse(rubbish)
        except InvalidState as error:
            one_sentence(error)
        except Exception as error:
            fail(f"parse({shown(rubbish)}) raised {error!r}; it must raise InvalidState")
        else:
            fail(f"parse({shown(rubbish)}) gave {shown(found)}; it must raise InvalidState")


def one_sentence(error: Exception) -> None:
    message = str(error)
    if not message or "\n" in message or message.endswith("."):
        fail(f"an error is one sentence on one line without a full stop, got {message!r}")


def check_action_texts_read_back(world: World) -> None:
    """Legal actions have different one-line texts, which a seat can type to choose them."""
    for state, view in each_seat(world):
        texts = [world.action_text(action) for action in view.legal]
        if len({text.lower() for text in texts}) != len(texts):
            fail(f"two legal actions of {shown(state)} have the same text: {texts!r}")
        for action, text in zip(view.legal, texts, strict=True):
            if not text.strip() or "\n" in text:
                fail(f"the text of an action must be one line, got {text!r}")
            for typed in (text, f"  {text.upper()} "):
                try:
                    read = world.parse_action(typed, view)
                except LudexError as error:
                    fail(f"{typed!r} is the text of a legal action but is refused: {error}")
                if read != action:
                    fail(f"{typed!r} in {shown(state)} reads back as {read!r}, not {action!r}")


def check_bad_action_texts_are_refused(world: World) -> None:
    """Text that is no legal action raises one of the three errors, with one sentence."""
    for state, view in each_seat(world, most=12):
        for rubbish in RUBBISH:
            try:
                found = world.parse_action(rubbish, view)
            except (InvalidAction, IllegalAction, AmbiguousAction) as error:
                one_sentence(error)
            except Exception as error:
                fail(f"parse_action({shown(rubbish)}) raised {error!r} in {shown(state)}")
            else:
                if not world.action_text(found).lower().startswith(rubbish.strip()):
                    fail(f"parse_action({shown(rubbish)}) gave {found!r} in {shown(state)}")


def check_texts_of_outcomes_differ(world: World) -> None:
    """Different listed outcomes have different one-line texts, so that records can name them."""
    for state in positions(world, world.model):
        texts = [world.outcome_text(outcome) for outcome, _ in world.model.chance(state)]
        if len(set(texts)) != len(texts) or any(not t or "\n" in t for t in texts):
            fail(f"the outcomes of chance in {shown(state)} have the texts {texts!r}")


def check_real_game_is_strict(world: World) -> None:
    """In the real game bad actions raise IllegalAction, and moves after the end GameOver."""
    for index, state in enumerate(positions(world, world.model)):
        seats = world.model.to_act(state)
        if world.model.over(state):
            expect(GameOver, world, state, (), "a move after the end")
        if not seats:
            continue
        actions = any_actions(world.model, state, Rng(index))
        if world.step(state, actions, Rng(index)) != world.model.step(state, actions, Rng(index)):
            fail(f"world.step and model.step differ for a legal action in {shown(state)}")
        expect(IllegalAction, world, state, actions + actions[:1], "one action too many")
        expect(IllegalAction, world, state, (), "no action")
        for bad in (NOT_AN_ACTION, None):
            expect(IllegalAction, world, state, (*actions[:-1], bad), f"the action {bad!r}")
        idle = set(range(world.traits.seats)) - set(seats)
        for seat, action in [(seats[0], NOT_AN_ACTION), *((one, actions[0]) for one in idle)]:
            one_sentence(IllegalAction(world.explain(state, seat, action)))


def expect(
    kind: type[LudexError], world: World[StateT], state: StateT, actions: tuple[Any, ...], what: str
) -> None:
    try:
        world.step(state, actions, Rng(0))
    except kind as error:
        one_sentence(error)
    except Exception as error:
        fail(f"{what} in {shown(state)} raised {error!r}; it must raise {kind.__name__}")
    else:
        fail(f"{what} in {shown(state)} was played; it must raise {kind.__name__}")


def check_codec_numbers_the_legal_actions(world: World) -> None:
    """Every legal action has a number of its own below `codec.size`, marked in the mask."""
    codec = world.codec
    for state, view in each_seat(world):
        numbers = [codec.index(view, action) for action in view.legal]
        if any(not 0 <= number < codec.size for number in numbers):
            fail(f"the codec of {shown(state)} gives {numbers}, with size {codec.size}")
        if [codec.action(view, number) for number in numbers] != list(view.legal):
            fail(f"codec.action(codec.index(action)) is another action in {shown(state)}")
        mask = codec.mask(view)
        if mask.shape != (codec.size,) or mask.dtype != np.int8:
            fail(f"a mask is {codec.size} numbers of int8, got {mask.dtype} {mask.shape}")
        if sorted(numbers) != np.flatnonzero(mask).tolist() or mask.max(initial=0) > 1:
            fail(f"the mask of {shown(state)} does not mark exactly the legal actions")
        for wrong in (-1, codec.size):
            try:
                codec.action(view, wrong)
            except IllegalAction as error:
                one_sentence(error)
            else:
                fail(f"codec.action(view, {wrong}) must raise IllegalAction")


def check_observation_keeps_its_spec(world: World) -> None:
    """Observations of every form have the shape, kind and range that their spec gives."""
    if world.sensor().spec != world.observation_spec:
        fail(f"the first of {world.forms} must be the form that `observation` gives")
    sensors = {form: world.sensor(form) for form in world.forms}
    for state, view in each_seat(world):
        for form, sensor in sensors.items():
            specs, arrays, again = sensor.spec, sensor.observe(view), sensor.observe(view)
            if isinstance(specs, ArraySpec):
                specs, arrays, again = {form: specs}, {form: arrays}, {form: again}
            if arrays.keys() != specs.keys():
                fail(f"an observation of {shown(state)} has the parts {list(arrays)}")
            for name, spec in specs.items():
                check_array(state, name, spec, arrays[name], again[name])
        if not np.array_equal(world.observation(view), world.sensor().observe(view)):
            fail(f"`observation` and the sensor of the first form differ in {shown(state)}")


def check_array(state: Any, name: str, spec: ArraySpec, array: Any, again: Any) -> None:
    """Compare an array with its spec and with a second one of the same view."""
    what = f"an observation of {shown(state)} ({name})"
    if array.shape != spec.shape or array.dtype != np.dtype(spec.dtype):
        fail(f"{what} is {array.dtype} {array.shape}, not {spec}")
    if not np.isfinite(array).all() or array.min() < spec.low or array.max() > spec.high:
        fail(f"{what} leaves the range {spec.low} to {spec.high}")
    if not np.array_equal(array, again):
        fail(f"{what} differs from one call to the next")
    if np.shares_memory(array, again):
        fail(f"two observations of one view of {shown(state)} share memory")


def check_tiles_tell_what_the_view_tells(world: World) -> None:
    """Views that show themselves as a grid show the seat's choices, score and end in it, too."""
    for state, view in each_seat(world):
        shown_view = tiles_of(view)
        if shown_view is None:
            continue
        grid, seat = shown_view.tiles, view.seat
        if (shown_view.seat, shown_view.legal) != (seat, view.legal):
            fail(f"as_tiles of {shown(state)} shows another seat or other choices than its view")
        if not isinstance(grid, Tiles) or len(grid.masks) != 8 * grid.width * grid.height:
            fail(f"as_tiles of {shown(state)} must hold eight bytes for each cell")
        if int(grid.array.max(initial=0)) >> len(grid.kinds):
            fail(f"a cell of {shown(state)} holds a kind that as_tiles does not name")
        cells = grid.width * grid.height
        if len(shown_view.acts) != len(view.legal) or any(
            not (-1 <= act.cell < cells and act.verb >= 0) for act in shown_view.acts
        ):
            fail(f"as_tiles of {shown(state)} must say for each choice what it is to the grid")
        outcome, told = world.model.outcome(state), shown_view.outcome
        if (outcome and (outcome.winners, outcome.returns)) != (
            told and (told.winners, told.returns)
        ):
            fail(f"as_tiles of {shown(state)} tells the end {told}, but it is {outcome}")
        if shown_view.score != world.model.score(state, seat):
            fail(f"as_tiles of {shown(state)} tells a score of {shown_view.score}")
        if any(type(part).__module__.startswith("ludex.worlds") for part in reachable(shown_view)):
            fail(f"as_tiles of {shown(state)} holds a class of its world, which learners lack")


def check_pictures(world: World) -> None:
    """Every state and view draws as text and as well-formed SVG."""
    for state, view in each_seat(world):
        drawings = [world.draw(state, "text"), world.draw_view(view, "text")]
        if not all(isinstance(drawing, str) and drawing.strip() for drawing in drawings):
            fail(f"the drawing of {shown(state)} is empty")
        for picture in (world.draw(state, "svg"), world.draw_view(view, "svg")):
            try:
                root = ElementTree.fromstring(picture)
            except ElementTree.ParseError as error:
                fail(f"the SVG of {shown(state)} is not well-formed: {error}")
            if root.tag != "{http://www.w3.org/2000/svg}svg":
                fail(f"the SVG of {shown(state)} has the root {root.tag!r}")


def check_random_play_ends(world: World) -> None:
    """Random games end by the rules within a bound."""
    for seed in range(3):
        start = world.start(Rng(seed))
        states = wander(world.model, start, seed, limit=LONGEST_GAME)
        if not world.model.over(states[-1]):
            fail(f"a random game of {world} is not over after {LONGEST_GAME} steps")


def check_same_in_another_process(world: World) -> None:
    """A fresh interpreter with another hash seed walks the same games."""
    for number, (here, there) in enumerate(
        zip(lines_here(world), lines_elsewhere(world), strict=True)
    ):
        if here != there:
            fail(
                f"another process finds {shown(there)} at step {number} of a walk, not "
                f"{shown(here)}; does something depend on hash() or on the order of a set?"
            )


def check_fingerprint_tells_states_apart(world: World) -> None:
    """Different states have different fingerprints, equal states the same."""
    seen: dict[str, Any] = {}
    for state in positions(world, world.model):
        if seen.setdefault(world.fingerprint(state), state) != state:
            fail(f"two unequal states have the fingerprint of {shown(state)}")
        if world.fingerprint(state) != world.fingerprint(state.copy()):
            fail(f"the fingerprint of {shown(state)} differs from one call to the next")


OWN_CHECKS = [
    check_world_describes_itself,
    check_text_of_world_reads_back,
    check_start_is_repeatable,
    check_text_of_states_reads_back,
    check_parse_refuses_rubbish,
    check_action_texts_read_back,
    check_bad_action_texts_are_refused,
    check_texts_of_outcomes_differ,
    check_real_game_is_strict,
    check_codec_numbers_the_legal_actions,
    check_observation_keeps_its_spec,
    check_tiles_tell_what_the_view_tells,
    check_pictures,
    check_random_play_ends,
    check_same_in_another_process,
    check_fingerprint_tells_states_apart,
]
