"""Writes the files of this folder: `python tests/kept/write.py`. See README.md before running it.

Everything is made through the command line and the registry, so that this script and the test
that reads the files (`tests/conformance/test_kept_files.py`) outlive changes inside the package.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludex.cli import main
from ludex.core import Rng, registry
from ludex.core.budget import Budget
from ludex.core.rng import Meter

KEPT = Path(__file__).parent
ELSEWHERE = Path(tempfile.gettempdir()) / "ludex_kept"
"""where the study with an agent in a file is run: its store keeps the whole path of the file"""

# Records: name of the file -> world, agents, budget. The seed is 7.
MATCHES = {
    "nim.jsonl": ("nim[heaps=3-4-5]", "mcts,nim/perfect", "40iterations"),
    "pig.jsonl": ("pig[target=40]", "mcts,pig/optimal", "30iterations"),
    "connect_four.jsonl.gz": ("connect_four", "mcts(solver=true),minimax", "60calls"),
    "sokoban.jsonl": ("sokoban[limit=30]", "breadth_first", "200calls"),
    "life.jsonl.gz": ("life[width=6,height=5,ticks=20]", "rhea", "60calls"),
    "kuhn_poker.jsonl": ("kuhn_poker", "ismcts,kuhn_poker/equilibrium", "50iterations"),
    "goofspiel.jsonl": ("goofspiel", "mcts,goofspiel/equilibrium", "40iterations"),
    "parley.jsonl": ("parley", "ismcts,parley/pledger,parley/statesman", "30iterations"),
    "vgdl_aliens.jsonl.gz": ("vgdl/aliens", "open_loop_mcts", "60calls"),
    "vgdl_butterflies.jsonl.gz": ("vgdl/butterflies", "yolobot", "60calls"),
    "vgdl_two_thieves.jsonl.gz": ("vgdl/two_thieves", "olets,rhea", "60calls"),
    "catan.jsonl.gz": ("catan", "catan/jsettlers,catan/stac,ismcts,catan/greedy", "40calls"),
    "hearthstone.jsonl.gz": (
        "hearthstone",
        "hearthstone/turn_search,hearthstone/scripted",
        "200calls",
    ),
    "local.jsonl.gz": ("sokoban[limit=20]", "mcts@local(file=models/local.npz)", "60calls"),
    "object_based.jsonl.gz": (
        "vgdl/missilecommand",
        "one_step@object_based(file=models/object_based.npz)",
        "9calls",
    ),
    "nora.jsonl.gz": (
        "hearthstone[cards=nora2015]",
        "hearthstone/nora(file=models/nora.npz),hearthstone/random_player",
        "60calls",
    ),
}
SEED = 7

# Models: name of the file -> learner, world and random steps.
LEARNERS = {
    "local": ("local(span=1)", "sokoban[limit=40]", 300),
    "local_forest": ("local(span=1,classifier=forest)", "life[width=5,height=4]", 120),
    "ensemble": (
        "ensemble(members=local(span=1)+local(span=2,classifier=neighbours))",
        "sokoban[limit=40]",
        300,
    ),
    "decomposed": ("decomposed(inputs=mmpc)", "life[width=5,height=4]", 300),
    "end_to_end": ("end_to_end(order=2)", "sokoban[limit=40]", 300),
    "object_based": ("object_based", "vgdl/missilecommand", 150),
    "knowledge_base": ("knowledge_base", "vgdl/zelda", 300),
}
FORESTS = {
    "nora": ("learn", "--samples", "60", "--trees", "3"),
    "apprentice": ("improve", "--pairs", "2000", "--trees", "3"),
    "fitted_q": ("iterate", "--steps", "300", "--trees", "3", "--rounds", "2"),
}

# Studies that are only played, to compare all that their matches cost and came to:
# kind -> worlds and agents. Budget and length are small; there is one seed.
SEARCHERS = [
    "a_star",
    "beam",
    "best_first",
    "breadth_first",
    "do_nothing",
    "flat_monte_carlo",
    "iterated_width",
    "mcts",
    "olets",
    "one_step",
    "open_loop_mcts",
    "portfolio",
    "random_search",
    "rhea",
    "rhea_reference",
    "rmhc",
    "tovo2",
]
OF_VIDEO_GAMES = [
    "fast_evo_mcts",
    "kb_fast_evo_mcts",
    "kb_mcts",
    "macro_mcts",
    "mixed_strategy_mcts",
    "mo_mcts",
    "weighted_sum_mcts",
    "yolobot",
    "yolobot_greedy",
]
STUDIES = {
    "video games": (
        ["vgdl/zelda", "vgdl/boulderdash", "vgdl/lander"],
        [*SEARCHERS, *OF_VIDEO_GAMES, "olets@object_based(steps=60)"],
    ),
    "tiles": (
        ["sokoban[limit=12]", "life[width=6,height=5]"],
        [*SEARCHERS, "macro_mcts", "minimax", "mcts@local(steps=60)", "rhea@end_to_end(steps=60)"],
    ),
    "two players": (
        ["nim", "pig[target=20]", "connect_four"],
        [*SEARCHERS, "minimax", "ismcts", "mcts@tabular(steps=200)"],
    ),
    "at once": (["goofspiel", "vgdl/tank_duel"], [*SEARCHERS, "mcts@tabular(steps=200)"]),
    "hidden": (
        ["kuhn_poker", "parley", "catan", "hearthstone"],
        ["do_nothing", "ismcts", "mcts@believed", "olets@believed", "rhea@believed"],
    ),
    "models of sokoban": (
        ["sokoban[limit=40]"],
        [
            "mcts@local(file=models/local.npz)",
            "mcts@ensemble(file=models/ensemble.npz)",
            "breadth_first@end_to_end(file=models/end_to_end.npz)",
        ],
    ),
    "models of life": (
        ["life[width=5,height=4]"],
        [
            "rhea@local(file=models/local_forest.npz)",
            "mcts@decomposed(file=models/decomposed.npz)",
        ],
    ),
    "models of zelda": (["vgdl/zelda"], ["olets@knowledge_base(file=models/knowledge_base.npz)"]),
    "experts": (
        ["nim", "pig[target=20]"],
        ["nim/perfect", "pig/hold_at", "pig/optimal"],
    ),
    "parley": (["parley"], ["parley/pledger", "parley/statesman"]),
    "catan": (
        ["catan", "catan[seats=3,trades=none]"],
        [
            "catan/greedy",
            "catan/jsettlers",
            "catan/smart_settlers",
            "catan/stac",
            "catan/type_uniform",
            "catan/weighted",
            "mcts@exchange",
        ],
    ),
    "hearthstone": (
        ["hearthstone"],
        [
            "hearthstone/greedy",
            "hearthstone/random_player",
            "hearthstone/scripted",
            "hearthstone/simulated(simulations=5)",
            "hearthstone/turn_search",
            "hearthstone/nora(file=models/nora.npz)",
            "hearthstone/apprentice(file=models/apprentice.npz)",
            "hearthstone/fitted_q(file=models/fitted_q.npz)",
        ],
    ),
}

# Signatures beside those of all worlds and planners with their usual parameters.
VARIANTS = (
    "catan[seats=3,trades=none,view=open]",
    "catan[bank=infinite,board=fixed]",
    "catan[numbers=apart,early=knights]",
    "goofspiel[cards=5,order=descending,seats=3]",
    "hearthstone[mulligan=true,actions=staged,first=0]",
    "hearthstone[cards=competition]",
    "hearthstone[cards=nora2015,pool=nora,places=all]",
    "life[border=torus]",
    "nim[misere=true]",
    "parley[rounds=3,hand=2]",
    "pig[seats=3,target=30]",
    "sokoban[level=3]",
    "vgdl[semantics=clean]",
    "vgdl[game=zelda,level=1,semantics=clean]",
    "mcts(transpositions=true,final=value)",
    "mcts(solver=true)",
    "mcts(rollout_depth=10,widening=1.0)",
    "open_loop_mcts(rollout_depth=10,depth_from=root)",
    "rhea(population=4,statistical_tree=true)",
    "minimax(full_root=true)",
)

WALKS, STEPS_OF_A_WALK = 4, 12


def games() -> list[str]:
    """The VGDL games of the package, by name."""
    document = command("list", "games", "--json")
    names = [row["name"] for row in json.loads(document)["games"]]
    return [name.removeprefix("vgdl/") for name in names if name.startswith("vgdl/")]


def command(*words: object, status: int = 0) -> str:
    """What a command prints; it must end with this status."""
    written = io.StringIO()
    with contextlib.redirect_stdout(written):
        found = main([str(word) for word in words])
    assert found == status, f"ludex {' '.join(map(str, words))} ended with {found}"
    return written.getvalue()


def play_words(name: str, record: Path) -> list[str]:
    """The command that plays a match of MATCHES and writes its record."""
    world, agents, budget = MATCHES[name]
    words = ["play", world, "--agents", agents, "--budget", budget]
    return [*words, "--seed", str(SEED), "--record", str(record), "--json"]


def signatures() -> dict[str, str]:
    """The signatures of all parts, of variants and of the VGDL games, by name."""
    named = [*(f"vgdl[game={game}]" for game in games()), *VARIANTS]
    rows = json.loads(command("signature", "--json"))["signatures"]
    rows += json.loads(command("signature", *dict.fromkeys(named), "--json"))["signatures"]
    return {row["name"]: row["signature"] for row in rows}


def doors() -> dict[str, Any]:
    """What a script can name: parts with their parameters, and commands with their options."""
    listed = json.loads(command("list", "--json"))
    parts = {
        group: {row["name"]: row.get("parameters", {}) for row in rows}
        for group, rows in listed.items()
    }
    return {"parts": parts, "commands": dict(commands())}


def commands(*words: str) -> Iterator[tuple[str, list[str]]]:
    """Every command below these words with its options, as the help texts tell them."""
    text = command(*words, "--help")
    panel = ""
    inner: list[str] = []
    options: list[str] = []
    for line in text.splitlines():
        if line.startswith("╭─ "):
            panel = line[3:].split(" ─")[0]
        elif panel == "Commands" and (found := re.match(r"│ ([a-z_-]+) ", line)):
            inner.append(found[1])
        elif panel == "Options" and (found := re.match(r"│ \*? *((?:--[a-z][a-z-]*\s+)+)", line)):
            options += found[1].split()
    yield " ".join(words), sorted(set(options))
    for name in inner:
        yield from commands(*words, name)


def predictions(file: str) -> list[str]:
    """What a model predicts in walks from the start of its world, a hash for each walk.

    Everything that a search sees of a predicted state goes into it: its text, score, end and
    legal actions.
    """
    learner, name, _ = LEARNERS[Path(file).stem]
    world = registry.world(name)
    rules = world.model.metered(Meter())
    start = rules.view(world.start(Rng(SEED)), 0)
    part = registry.load("models", learner.partition("(")[0]).from_texts({"file": file})
    model = part.make(rules, start, Budget.parse("1000calls"), Rng(SEED))
    found: list[str] = []
    for walk in range(WALKS):
        rng = Rng(walk).fork("kept")
        state = model.imagine(rules.view(world.start(Rng(walk)), 0), rng)
        lines: list[str] = []
        for _ in range(STEPS_OF_A_WALK):
            if not model.to_act(state):
                break
            action = rng.choice(list(model.legal(state, 0)))
            state = model.step(state, (action,), rng)
            legal = [str(one) for one in model.legal(state, 0)]
            outcome = model.outcome(state)
            end = outcome and (outcome.winners, outcome.truncated)
            lines.append(f"{state} {model.score(state, 0):.6g} {end} {legal}")
        found.append(hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest())
    return found


def shown_model(file: str, page: Path) -> dict[str, Any]:
    """What `ludex model show` measures of a model, without its words."""
    words = ("model", "show", file, "--steps", 60, "--out", page, "--json")
    document = json.loads(command(*words))
    numbers = {name: round(value, 6) for name, value in document["accuracy"].items()}
    return {"model": document["model"], "transitions": document["transitions"], **numbers}


COLUMNS = """
    game seat agent gain score ticks reason faults decisions calls most_calls iterations depth
""".split()  # noqa: SIM905  # easier to read so


def exported(store: Path, folder: Path) -> list[dict[str, str]]:
    """What each seat of each match came to and cost, as `ludex arena export` writes it."""
    out = folder / "seats.csv"
    command("arena", "export", store, "--out", out)
    with out.open(newline="") as file:
        return [{name: row[name] for name in COLUMNS} for row in csv.DictReader(file)]


# Writing


def write_models() -> None:
    folder = KEPT / "models"
    folder.mkdir(exist_ok=True)
    for name, (learner, world, steps) in LEARNERS.items():
        words = ("--model", learner, "--steps", steps, "--seed", SEED)
        command("model", "fit", world, "--out", f"models/{name}.npz", *words, "--json")
    for name, (word, *options) in FORESTS.items():
        command("hearthstone", word, f"models/{name}.npz", *options, "--workers", 1, "--json")
    with tempfile.TemporaryDirectory() as pages:
        found = {
            name: {
                "predictions": predictions(f"models/{name}.npz"),
                "shown": shown_model(f"models/{name}.npz", Path(pages) / "page.html"),
            }
            for name in LEARNERS
        }
    write_json("models.json", found)


def write_records() -> None:
    folder = KEPT / "records"
    folder.mkdir(exist_ok=True)
    ends: dict[str, Any] = {}
    for name in MATCHES:
        document = json.loads(command(*play_words(name, folder / name)))
        ends[name] = {"played": without_times(document), "replayed": replayed(f"records/{name}")}
    write_json("records.json", ends)


def replayed(file: str) -> Any:
    return json.loads(command("replay", file, "--json"))


def without_times(value: Any) -> Any:
    """A document without what clocks measured."""
    if isinstance(value, dict):
        clocks = ("cpu", "wall", "elapsed", "seconds", "_ms")
        kept = {key: one for key, one in value.items() if not any(word in key for word in clocks)}
        return {key: without_times(one) for key, one in kept.items()}
    if isinstance(value, list):
        return [without_times(one) for one in value]
    return value


def write_stores() -> None:
    (KEPT / "small.sqlite").unlink(missing_ok=True)
    command("arena", "run", "small.toml", "--workers", 1, "--json")
    shutil.rmtree(ELSEWHERE, ignore_errors=True)
    ELSEWHERE.mkdir()
    for name in ("faulty.toml", "faulty.py"):
        shutil.copy(KEPT / name, ELSEWHERE)
    command("arena", "run", ELSEWHERE / "faulty.toml", "--workers", 1, "--json")
    shutil.copy(ELSEWHERE / "faulty.sqlite", KEPT / "faulty.sqlite")
    shutil.rmtree(ELSEWHERE)
    for name in ("small", "faulty"):
        write_json(f"{name}.json", shown_store(f"{name}.sqlite"))


def shown_store(store: str | Path) -> Any:
    return json.loads(command("arena", "show", store, "--json"))


def write_played() -> None:
    rows: list[dict[str, str]] = []
    for kind in STUDIES:
        with tempfile.TemporaryDirectory() as folder:
            rows += played(kind, Path(folder))
    with (KEPT / "played.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def played(kind: str, folder: Path) -> list[dict[str, str]]:
    """Play one of STUDIES, and return a row for each seat of each match."""
    worlds, agents = STUDIES[kind]
    study = {"name": kind, "agents": agents, "opponents": ["uniform"], "pairing": "against"}
    study |= {"budgets": ["40calls"], "seeds": [SEED], "worlds": worlds}
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in study.items()]
    file, store = folder / "study.toml", folder / "study.sqlite"
    file.write_text("".join([*lines, "[rules]\nmax_ticks = 10\n"]))
    command("arena", "run", file, "--store", store, "--workers", 1, "--json")
    return [{"study": kind, **row} for row in exported(store, folder)]


def write_json(name: str, document: Any) -> None:
    (KEPT / name).write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    os.chdir(KEPT)
    write_json("signatures.json", signatures())
    write_json("doors.json", doors())
    write_models()
    write_records()
    write_stores()
    write_played()
