"""Small games of two players, who each pick fruit of their own."""

from __future__ import annotations

from ludex.core import registry

RED, BLUE = 0, 1
GAME = """BasicGame square_size=10 no_players=2
    SpriteSet
        floor > Immovable
        wall > Immovable
        cherry > Resource
        plum > Resource
        avatar > MovingAvatar
            red > healthPoints=1
            blue > healthPoints=1
    LevelMapping
        . > floor
        w > floor wall
        c > floor cherry
        p > floor plum
        1 > floor red
        2 > floor blue
    InteractionSet
        avatar wall > stepBack
        red blue > stepBack
        blue red > stepBack
        cherry red > killSprite scoreChange=1,0
        plum blue > killSprite scoreChange=0,1
    TerminationSet
        Timeout limit={limit} win=False,False count_score=True
"""


def write_pair(folder, level, limit=40):
    """Write a game in which red picks cherries and blue picks plums; the path of its file."""
    path = folder / "orchard_of_two.txt"
    path.write_text(GAME.format(limit=limit))
    (folder / "orchard_of_two_lvl0.txt").write_text(level)
    return path


def pair_world(folder, level, limit=40):
    return registry.world(str(write_pair(folder, level, limit)))
