"""Study files: what they mean, and what is said of broken ones."""

from pathlib import Path

import pytest

from ludex.arena.match.rules import MatchRules
from ludex.arena.study.file import parse_study, read_study
from ludex.arena.study.problems import BadStudy
from ludex.arena.study.study import Entrant, Game
from ludex.arena.study.toml_lines import lines_of

PATH = Path("some/where/first.toml")
GOOD = """
agents = ["uniform", {name = "search", agent = "mcts(exploration=1.0)"}]
budgets = "9calls"
worlds = ["nim"]
"""


def problems(text):
    with pytest.raises(BadStudy) as error:
        parse_study(text, PATH)
    return [str(problem) for problem in error.value.problems]


def test_a_file_is_read_with_its_defaults():
    study = parse_study(GOOD, PATH)
    assert study.name == "first"
    assert study.agents == (
        Entrant("uniform", "uniform"),
        Entrant("search", "mcts(exploration=1.0)"),
    )
    assert study.budgets == ("9calls",)
    assert (study.repetitions, study.seed, study.pairing) == (1, 0, "round_robin")


@pytest.mark.parametrize("levels", ["1", '"1"', "[1]", '"1-1"'])
def test_one_level_can_be_written_in_every_way_one_would_try(two_levels, levels):
    study = parse_study(
        f"""
        agents = ["uniform"]
        levels = {levels}
        worlds = ["{two_levels}"]
        """,
        PATH,
    )
    assert study.games == (Game("two", two_levels, (1,)),)


def test_levels_hold_for_all_worlds_unless_one_has_its_own(two_levels):
    study = parse_study(
        f"""
        agents = ["uniform"]
        levels = "0-1"
        worlds = [
            "{two_levels}",
            {{world = "{two_levels}", levels = [1], name = "own"}},
            {{world = "{two_levels}[level=1]", name = "second"}},
        ]
        """,
        PATH,
    )
    assert study.games == (
        Game("two", two_levels, (0, 1)),
        Game("own", two_levels, (1,)),
        Game("second", f"{two_levels}[level=1]", ()),
    )


def test_rules_are_those_of_matches():
    study = parse_study(GOOD + "[rules]\nmax_ticks = 77\non_fault = 'default'\ngrace = 1\n", PATH)
    assert study.rules == MatchRules(max_ticks=77, on_fault="default", grace=1)


def test_files_are_found_from_the_folder_of_the_study(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def decide(self, model, view, *rest):\n        return view.legal[0]\n"
    )
    file = tmp_path / "study.toml"
    file.write_text('agents = ["mine.py:Mine", "uniform"]\nworlds = ["nim"]\n')
    study = read_study(file)
    assert study.agents[0] == Entrant("Mine", f"{tmp_path.resolve()}/mine.py:Mine")


SETS = """
agents = ["uniform", "one_step"]
role = "{role}"
edition = {edition}
[sets]
"set 1" = ["nim"]
"set 2" = ["pig"]
"set 3" = ["connect_four"]
"set 4" = ["goofspiel"]
"""


@pytest.mark.parametrize(
    ("role", "edition", "worlds", "repetitions"),
    [
        ("training", 1, ["nim"], 1),
        ("validation", 1, ["pig"], 1),
        ("test", 1, ["connect_four"], 5),
        ("training", 2, ["nim", "pig"], 1),
        ("test", 2, ["goofspiel"], 5),
    ],
)
def test_sets_of_games_move_on_from_edition_to_edition(role, edition, worlds, repetitions):
    study = parse_study(SETS.format(role=role, edition=edition), PATH)
    assert [game.world for game in study.games] == worlds
    assert study.repetitions == repetitions


def test_every_problem_is_named_with_its_line_and_key():
    found = problems(
        """name = "x"
agnts = 3
agents = [
  "uniform",
  "mtcs",          # with a ] bracket
  {name = "a", agent = "mcts", foo = 1},
  {name = "a", agent = "one_step"},
]
budgets = "12call"
repetitions = "five"
pairing = "gliko"

[[worlds]]
world = "nim"
levels = "4-0"

[[worlds]]
world = "nmi"

[rules]
max_tick = 3
setup_ms = -1
on_fault = "never"
grace = true
"""
    )
    places = [line.removeprefix(f"{PATH}:").split(": ")[:2] for line in found]
    assert places == [
        ["2", "agnts"],
        ["5", "agents, entry 2"],
        ["6", "agents, entry 3, foo"],
        ["7", "agents, entry 4"],
        ["9", "budgets, entry 1"],
        ["10", "repetitions"],
        ["11", "pairing"],
        ["15", "worlds, entry 1, levels"],
        ["17", "worlds, entry 2"],
        ["21", "rules, max_tick"],
        ["22", "rules, setup_ms"],
        ["23", "rules, on_fault"],
        ["24", "rules, grace"],
    ]
    assert "did you mean 'agents'?" in found[0]
    assert "did you mean 'max_ticks'?" in found[9]


def test_entries_are_counted_as_they_stand_also_after_a_broken_one():
    found = problems('agents = [3, "uniform", "mtcs"]\nworlds = [{}, "nmi"]\n')
    assert [line.split(": ")[1] for line in found] == [
        "agents, entry 1", "agents, entry 3", "worlds, entry 1, world", "worlds, entry 2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("agents = [\n", "first.toml:1: this is not TOML"),
        ("agents = 1\nagents = 2\n", "first.toml:2: this is not TOML: cannot overwrite a value"),
        (GOOD + "seeds = [1]\nrepetitions = 1\n", "give one of both"),
        (GOOD + "role = 'test'\n", "role: it chooses among [sets], and there are none"),
        (GOOD.replace("worlds", "world"), "did you mean 'worlds'?"),
        (GOOD.replace('["nim"]', '"nim"'), "worlds: it is a list, got 'nim'"),
        (GOOD + "[sets]\na = ['nim']\n", "the games come from [sets]; leave one of both out"),
        (SETS.format(role="exam", edition=1), "it is one of training, validation, test"),
        (SETS.format(role="test", edition=3), "edition 3 needs 5 sets of games, got 4"),
        (SETS.format(role="test", edition="'two'"), "edition"),
        (GOOD + "about = 3\n", "about: it is a text that is not empty, got 3"),
        (GOOD + "rules = 3\n", "rules: it is a table, got 3"),
        (GOOD + "seeds = 3\n", "seeds: it is a list, got 3"),
        (GOOD + "seeds = [1.5]\n", "seeds, entry 1: it is a whole number, got 1.5"),
        (GOOD.replace("budgets", "levels = [0, 0]\nbudgets"), "a level is there twice"),
        ("", "agents: at least one agent is needed"),
    ],
)
def test_each_mistake_has_its_sentence(text, sentence):
    assert sentence in "\n".join(problems(text))


def test_an_agent_file_with_a_syntax_error_is_named_with_its_line(tmp_path):
    (tmp_path / "broken.py").write_text("class Mine:\n    def decide(self:\n")
    file = tmp_path / "study.toml"
    file.write_text('agents = ["broken.py:Mine", "uniform"]\nworlds = ["nim"]\n')
    with pytest.raises(BadStudy) as error:
        read_study(file)
    (problem,) = error.value.problems
    assert "study.toml:1: agents, entry 1: " in str(problem)
    assert "broken.py:2: this is not Python" in str(problem)


@pytest.fixture
def like(tmp_path):
    """Read a study that says this, and else is like a study that says that."""

    def read(own: str, base: str = GOOD):
        (tmp_path / "first.toml").write_text(base)
        file = tmp_path / "second.toml"
        file.write_text(f'like = "first.toml"\n{own}')
        return read_study(file)

    return read


def test_a_study_can_be_like_another_but_for_what_it_says_itself(like):
    base = GOOD + 'about = "Who?"\nname = "first"\nseed = 7\n[rules]\nmax_ticks = 5\n'
    study = like('budgets = ["3calls"]\nseed = 8\n', base)
    assert (study.name, study.about, study.budgets, study.seed) == (
        "second",
        "Who?",
        ("3calls",),
        8,
    )
    assert [one.label for one in study.agents] == ["uniform", "search"]
    assert study.rules == MatchRules(max_ticks=5)


def test_one_key_may_take_the_place_of_another_of_the_study_it_is_like(like):
    assert like("seeds = [3, 5]", GOOD + "repetitions = 4").seeds == (3, 5)
    by_sets = SETS.format(role="test", edition=1)
    assert [game.label for game in like('worlds = ["nim"]', by_sets).games] == ["nim"]


@pytest.mark.parametrize(
    ("own", "base", "sentence"),
    [
        ("", 'like = "first.toml"', "8 studies are like one another in turn; is one twice"),
        (
            "",
            'like = "../first.toml"',
            "first.toml: 'like' is the name of a study file in the same",
        ),
        ("", "like = 3", "'like' is the name of a study file in the same folder.*got 3"),
        ("", 'like = "third.toml"', "there is no study file .*third.toml"),
        ("", "agents = [", "first.toml:1: this is not TOML"),
        ("budgets = 3", GOOD, "second.toml:2: budgets: it is a list, got 3"),
        ("", GOOD.replace("nim", "nym"), "second.toml: worlds, entry 1: .*nym"),
    ],
)
def test_what_is_wrong_with_a_study_that_is_like_another_is_said(like, own, base, sentence):
    with pytest.raises(BadStudy, match=sentence):
        like(own, base)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "there is no study file"),
        (b"\xff\xfe", "is not a text file in UTF-8"),
        (b"#" * 5_000_000, "is larger than any study file"),
        (b"a = " + b"[" * 5000, "nested too deeply|not TOML"),
    ],
)
def test_files_that_are_no_studies_get_a_sentence(content, sentence, tmp_path):
    file = tmp_path / "study.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadStudy, match=sentence):
        read_study(file)


def test_a_folder_is_no_study_file(tmp_path):
    with pytest.raises(BadStudy, match="cannot read"):
        read_study(tmp_path)


def test_lines_are_found_through_strings_comments_and_tables():
    text = '''# "agents" = [
title = """
agents = []
"""
agents = [ "a]", # ]
  'b#', {x = 1,
  y = [2,
  3]} ]
[rules]
"quoted key" = 1
[[worlds]]
name = "a"
[[worlds]]
name = "b"
[worlds.more]
deep = 1
'''
    lines = lines_of(text)
    expected = {
        ("title",): 2,
        ("agents",): 5,
        ("agents", 0): 5,
        ("agents", 1): 6,
        ("agents", 2): 6,
        ("agents", 2, "x"): 6,
        ("agents", 2, "y"): 7,
        ("agents", 2, "y", 1): 8,
        ("rules",): 9,
        ("rules", "quoted key"): 10,
        ("worlds", 0): 11,
        ("worlds", 1, "name"): 14,
        ("worlds", 1, "more", "deep"): 16,
    }
    assert {where: lines.get(where) for where in expected} == expected
