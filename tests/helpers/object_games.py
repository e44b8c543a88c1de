"""Objects by hand, and small games of objects, for tests of object-based learners."""

from __future__ import annotations

from tile_games import ENDS

from ludex.core.object_list import NOBODY, GameObject, ObjectListView

KINDS = ("wall", "coin", "box", "shot", "avatar")
LETTERS = {"w": 0, "c": 1, "b": 2, "s": 3, "A": 4}
BLOCK = 10


def scene(*objects, held=(), facing=(0, 0), score=0.0, end=None, size=(8, 8), kinds=KINDS):
    """A view of objects such as ("A", 1, 3, 2): a letter, an id, a column and a row."""
    made = tuple(
        GameObject(LETTERS[one], number, x * BLOCK, y * BLOCK) for one, number, x, y in objects
    )
    own = [place for place, obj in enumerate(made) if obj.kind == LETTERS["A"]]
    legal = () if end else (0, 1)
    avatar = own[0] if own else NOBODY
    return ObjectListView(
        0, legal, kinds, made, avatar, facing, held, (*size, BLOCK), score, ENDS[end]
    )


def words(state, names=KINDS):
    """The objects of a state that are not ground: name, column, row."""
    block = state.static.size.block
    return sorted((names[kind], x / block, y / block) for kind, x, y in state.objects)


WALK = """BasicGame square_size=10
    SpriteSet
        floor > Immovable
        wall > Immovable
        {sprites}
        avatar > {avatar}
    LevelMapping
        . > floor
        w > floor wall
        A > floor avatar
        {letters}
    InteractionSet
        avatar wall > stepBack
        {rules}
    TerminationSet
        {ends}
        Timeout limit=300 win=False
"""


def write_game(folder, level, sprites="", letters="", rules="", ends="", avatar="MovingAvatar"):
    """Write a game whose avatar walks among walls, with what else there is to it."""

    def lines(text):
        return ("\n" + " " * 8).join(text.split("; "))

    path = folder / "game.txt"
    path.write_text(
        WALK.format(
            sprites=lines(sprites),
            letters=lines(letters),
            rules=lines(rules),
            ends=lines(ends),
            avatar=avatar,
        )
    )
    (folder / "game_lvl0.txt").write_text(level)
    return str(path)


ROOM = """wwwwwwwww
w.......w
w.......w
w...A...w
w.......w
w.......w
wwwwwwwww
"""


def with_letter(letter, column, row, room=ROOM):
    """The room with something in it."""
    rows = [list(line) for line in room.splitlines()]
    rows[row][column] = letter
    return "\n".join(map("".join, rows)) + "\n"
