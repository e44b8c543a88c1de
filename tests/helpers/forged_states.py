"""Unpickles forged states of a world and uses what is admitted: NAME TIMES. A crash is its result.

The checksum of each is made to fit, so that the numbers themselves must be found out.
"""

from __future__ import annotations

import sys
from typing import Any

from ludex.core import registry
from ludex.core.errors import LudexError
from ludex.core.rng import Rng
from ludex.core.world import World

BITS = (1 << 64) - 1
SEAL = 8


def mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & BITS
    x = (x ^ x >> 27) * 0x94D049BB133111EB & BITS
    return x ^ x >> 31


def sealed(content: bytes) -> bytes:
    """As core/native/bind_state.hpp does it."""
    value = mix(0x10DEC0DE00000001 ^ len(content)) + 1
    for begin in range(0, len(content), 8):
        value = (
            mix(value & BITS ^ int.from_bytes(content[begin : begin + 8], "little")) + 1
        ) & BITS
    return content + value.to_bytes(SEAL, "little")


def states_of(world: World, rng: Rng) -> list[Any]:
    """All states of the beginning of a game."""
    model = world.model
    states = [world.start(rng)]
    while len(states) < 200:
        state = states[-1].copy()
        if not model.settle(state, rng):
            if not model.to_act(state):
                break
            acting = model.to_act(state)
            joint = tuple(rng.choice(list(model.legal(state, seat))) for seat in acting)
            model.advance(state, joint, rng)
        states.append(state)
    return states


def forged(state: Any, rng: Rng) -> bytes:
    content = bytearray(state.__getstate__()[:-SEAL])
    for _ in range(1 + rng.below(4) * rng.below(4)):
        place = rng.below(len(content))
        content[place] = rng.choice(
            [rng.below(256), content[place] ^ 1 << rng.below(8), 0, 255, (content[place] + 1) % 256]
        )
    return sealed(bytes(content))


def use(world: World, state: Any, rng: Rng) -> None:
    """Ask all that can be asked."""
    model = world.model
    str(state), repr(state), hash(state), state.copy()
    model.to_act(state)
    end = model.rollout(state, "uniform", 60, rng)
    model.outcome(end.state)
    for seat in range(model.traits.seats):
        view = model.view(state, seat)
        model.legal(state, seat), model.score(state, seat), model.events(state, seat)
        world.observation(view)
        model.imagine(view, rng)
    model.key(state), model.features(state), model.avatars(state)
    world.draw(state)


def main() -> None:
    name, times = sys.argv[1], int(sys.argv[2])
    world, rng = registry.world(name), Rng(11)
    states = states_of(world, rng.fork("states"))
    whole = states[0].__getstate__()
    assert sealed(whole[:-SEAL]) == whole
    admitted = 0
    for _ in range(times):
        state = rng.choice(states)
        made = type(state).__new__(type(state))
        try:
            made.__setstate__(forged(state, rng))
            use(world, made, rng.fork("use"))
        except LudexError:
            continue
        admitted += 1
    print(times, admitted)


if __name__ == "__main__":
    main()
