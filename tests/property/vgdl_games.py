"""Random games for the tests of VGDL: complete, and without a mistake."""

from hypothesis import strategies as st

from ludex.worlds.vgdl.language.ontology import (
    COLOURS,
    COMMON,
    DIRECTIONS,
    EFFECTS,
    SPRITES,
    TERMINATIONS,
    TIMED,
)
from ludex.worlds.vgdl.language.values import PROBABILITIES, TEXT_LISTS, is_name

NAMES = st.text("abcdefgXYZ0123_-/", min_size=1, max_size=6).filter(is_name)
WHOLE = st.integers(-50, 2000)
REALS = st.one_of(
    st.integers(-9, 40).map(str),
    st.floats(-1e6, 1e6, allow_nan=False).map(repr),
    st.sampled_from(["0.05", "1.", "2e-3"]),
)
TRUTHS = st.sampled_from(["True", "False", "true"])


@st.composite
def values(draw, parameter, names, players):
    key, kind = parameter.name, parameter.kind
    if key == "physicstype":
        return draw(st.sampled_from(["GRID", "CONT"]))
    if key in PROBABILITIES:
        return draw(st.sampled_from(["0", "0.25", "1"]))
    if key in ("timer", "repeat"):
        return str(draw(st.integers(1, 9)))
    if kind == "int":
        return str(draw(WHOLE))
    if kind == "real":
        return draw(REALS)
    if kind == "bool":
        return draw(TRUTHS)
    if kind == "direction":
        return draw(st.sampled_from([*DIRECTIONS, "DUP"]))
    if kind == "sprite":
        return draw(st.sampled_from(names))
    if kind == "sprites":
        return ",".join(draw(st.lists(st.sampled_from(names), min_size=1, max_size=3)))
    if kind == "numbers":
        count = draw(st.sampled_from([1, players]))
        count = 3 if key in TEXT_LISTS else count
        return ",".join(str(draw(WHOLE)) for _ in range(count))
    if kind == "flags":
        return ",".join(draw(TRUTHS) for _ in range(draw(st.sampled_from([1, players]))))
    if kind == "effect":
        return draw(st.sampled_from([name for name in EFFECTS if name != "addTimer"]))
    if key == "color":
        return draw(st.sampled_from(sorted(COLOURS)))
    return draw(st.sampled_from(["gfx/one", "3", "0.5", "True", "UP", "RED", "1e999"]))


@st.composite
def pairs(draw, table, names, players, most=3):
    required = [key for key, parameter in table.items() if parameter.required]
    chosen = draw(st.lists(st.sampled_from(sorted(table)), unique=True, max_size=most))
    keys = draw(st.permutations(list(dict.fromkeys(required + chosen))))
    return [f"{key}={draw(values(table[key], names, players))}" for key in keys]


@st.composite
def trees(draw):
    """Names with parents and classes: a class is written where none is handed down."""
    names = draw(st.lists(NAMES, unique=True, min_size=1, max_size=6))
    names += draw(st.lists(st.sampled_from(["wall", "avatar"]), unique=True))
    names = draw(st.permutations(list(dict.fromkeys(names))))
    parents, depths = {}, {}
    for place, name in enumerate(names):
        above = [one for one in names[:place] if depths[one] < 3]
        parents[name] = draw(st.sampled_from([None, *above]))
        depths[name] = depths[parents[name]] + 1 if parents[name] else 0
    groups = {parent for parent in parents.values() if parent}
    classes, written = {}, {}
    for name in names:
        handed = classes.get(parents[name])
        bare = handed is None and name in groups and draw(st.booleans())
        own = None if bare else handed or draw(st.sampled_from(sorted(SPRITES)))
        classes[name] = own
        written[name] = own if handed is None or draw(st.booleans()) else None
    return names, parents, classes, written


@st.composite
def sprite_lines(draw, tree, players):
    names, parents, classes, written = tree
    made = [name for name in names if classes[name]] or ["wall"]
    children = {name: [one for one in names if parents[one] == name] for name in (*names, None)}
    lines = []

    def write(name, depth):
        table = COMMON
        if classes[name]:
            table = dict(SPRITES[classes[name]].parameters)
            if classes[name] == "ResourcePack":
                table["resource_name"] = table["resource_name"].__class__(
                    "resource_name", "sprite", None, True
                )
        words = draw(pairs(table, made, players))
        lines.append("  " * depth + " ".join([name, ">", *filter(None, [written[name]]), *words]))
        for child in children[name]:
            write(child, depth + 1)

    for name in children[None]:
        write(name, 0)
    return lines, made


@st.composite
def rules(draw, names, made, players):
    name = draw(st.sampled_from(sorted(EFFECTS)))
    effect = EFFECTS[name]
    first = draw(st.sampled_from(names))
    others = st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=3)
    sides = [[first, *draw(others)]]
    if not effect.needs_second:
        sides += [[first, "EOS"], [first, "TIME"], ["EOS", first], ["TIME", *draw(others)]]
        sides.append([first, *draw(others), "EOS"])
    side = draw(st.sampled_from(sides))
    table = dict(effect.parameters)
    given = {}
    if "TIME" in side or name == "addTimer":
        table |= TIMED
        given["timer"] = "3"
    if name == "addTimer":
        given["ftype"] = draw(st.sampled_from(sorted(set(EFFECTS) - {"addTimer"})))
        table = {**EFFECTS[given["ftype"]].parameters, **table}
    words = draw(pairs(table, made, players))
    words = [word for word in words if word.partition("=")[0] not in given]
    words += [f"{key}={text}" for key, text in given.items()]
    return " ".join([*side, ">", *draw(st.permutations([name, *words]))])


@st.composite
def game_texts(draw):
    """A description that passes the strict check."""
    players = draw(st.integers(1, 3))
    tree = draw(trees())
    sprites, made = draw(sprite_lines(tree, players))
    names = list(dict.fromkeys([*tree[0], "wall", "avatar"]))
    endings = draw(st.lists(st.sampled_from(sorted(TERMINATIONS)), max_size=3))
    characters = draw(st.lists(st.sampled_from("abcwA.0>+"), unique=True, max_size=4))
    mapped = [
        f"{one} > {' '.join(draw(st.lists(st.sampled_from(made), min_size=1, max_size=2)))}"
        for one in characters
    ]
    header = [f"no_players={players}", f"obs={made[0]}"]
    header += draw(st.lists(st.sampled_from(["square_size=8", "no_counters=2"]), unique=True))
    sections = {
        "SpriteSet": sprites,
        "InteractionSet": draw(st.lists(rules(names, made, players), max_size=5)),
        "LevelMapping": mapped,
        "TerminationSet": [
            " ".join([one, *draw(pairs(TERMINATIONS[one].parameters, made, players))])
            for one in endings
        ],
    }
    lines = [" ".join(["BasicGame", *header])]
    for name, entries in sections.items():
        lines += [f" {name}", *(f"  {entry}" for entry in entries)]
    return "\n".join(lines)
