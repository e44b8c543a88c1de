"""Agents from text, and what is said about texts and files that are not agents."""

import pickle

import pytest
from folders import HELPERS

from ludex.agents.compose import as_agent, make_agent
from ludex.agents.human import Human
from ludex.core import Budget, Decision, Event, Meter, Rng, registry
from ludex.core.capabilities import is_human
from ludex.core.errors import BadAgent, BadParameter, LudexError, UnknownName
from ludex.planners.uniform import Uniform

AGENTS = HELPERS / "hostile_agents.py"
BUDGET = Budget(model_calls=50)


def decide(agent, world="nim"):
    made = registry.world(world)
    model = made.model.metered(Meter())
    view = model.view(made.start(Rng(1)), 0)
    return agent.start(model, view, BUDGET, Rng(1)).decide(view, BUDGET, Rng(1))


@pytest.mark.parametrize(
    "text",
    [
        "uniform",
        "mcts(exploration=0.5)",
        "uniform@true",
        "mcts(exploration=0.5)@believed",
        "nim/perfect",
        "human",
        f"{AGENTS}:Sound",
        f"{AGENTS}:Burns(ms=3)",
        f"{AGENTS}:Sound@true",
    ],
)
def test_an_agent_gives_its_text_back(text):
    agent = make_agent(text)
    assert str(agent) == text
    assert str(pickle.loads(pickle.dumps(agent))) == text


def test_a_planner_without_a_model_is_the_planner_itself():
    assert make_agent("uniform") == Uniform()


def test_an_expert_is_named_with_its_world():
    state_with_a_winning_move = decide(make_agent("nim/perfect"))
    # 3 4 5: taking 2 from the heap of 3 leaves 1 4 5, whose nim-sum is 0.
    assert state_with_a_winning_move.action == registry.world("nim").take(2, heap=0)


class Listening:
    """A model part whose model notes what it observes."""

    def __init__(self):
        self.heard = []

    def make(self, model, view, budget, rng):
        part = self

        class Noting(type(model)):
            def observe(self, event):
                part.heard.append(event)

        twin = model.metered(Meter())
        twin.__class__ = Noting
        return twin


def test_a_composed_agent_passes_events_to_its_model(monkeypatch):
    from ludex.agents import compose

    part = Listening()
    monkeypatch.setattr(compose, "make_part", lambda named: part)
    nim = registry.world("nim")
    model = nim.model.metered(Meter())
    view = model.view(nim.start(Rng(1)), 0)
    mind = make_agent("uniform@listening").start(model, view, BUDGET, Rng(1))
    mind.observe(Event("move", 1, "x"))
    assert part.heard == [Event("move", 1, "x")]


def test_a_composed_agent_counts_on_the_meter_of_its_mind(monkeypatch):
    from ludex.agents import compose

    monkeypatch.setattr(compose, "make_part", lambda named: Listening())
    nim = registry.world("nim")
    model = nim.model.metered(Meter())
    view = model.view(nim.start(Rng(1)), 0)
    mind = make_agent("mcts@listening").start(model, view, BUDGET, Rng(1))
    decision = mind.decide(view, BUDGET, Rng(1))
    assert model.meter.calls == decision.model_calls == 50


def test_a_believed_model_lets_a_planner_search_a_world_that_hides_something():
    kuhn = registry.world("kuhn_poker")
    model = kuhn.model.metered(Meter())
    state = kuhn.model.resolve(kuhn.start(Rng(1)), "KJ")
    view = model.view(state, 0)
    mind = make_agent("mcts@believed").start(model, view, BUDGET, Rng(1))
    assert mind.decide(view, BUDGET, Rng(1)).action in view.legal


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("mtcs", UnknownName, "did you mean 'mcts'"),
        ("zzz", UnknownName, "no agent named 'zzz' (ludex list agents"),
        ("mcts@beleived", UnknownName, "did you mean 'believed'"),
        ("mcts(explration=1)", BadParameter, "did you mean 'exploration'"),
        ("mcts(exploration=much)", BadParameter, "must be a number"),
        ("mcts(", UnknownName, "not closed"),
        ("mcts@true@true", UnknownName, "PLANNER@MODEL"),
        ("", UnknownName, "cannot read ''"),
        ("nim/perfekt", UnknownName, "did you mean 'nim/perfect'"),
        ("nowhere.py:Bot", BadAgent, "there is no file 'nowhere.py'"),
        (f"{AGENTS}:Sond", BadAgent, "did you mean 'Sound'"),
        (f"{AGENTS}:Zzzzz", BadAgent, "it has Sound"),
        (f"{AGENTS}", BadAgent, "name the class of the agent"),
        (f"{AGENTS}:FIRST", BadAgent, "is not a class"),
        (f"{AGENTS}:Path", BadAgent, "is not an agent: it has neither decide"),
        (f"{AGENTS}:Burns(mss=3)", BadAgent, "it takes ms"),
        (f"{AGENTS}:TellsItsProcess", BadAgent, "cannot be made without path: give a default"),
    ],
)
def test_a_text_that_is_no_agent_is_explained(text, kind, words):
    with pytest.raises(kind, match=words.replace("(", r"\(")) as error:
        make_agent(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("given", [None, 7, Uniform, object()])
def test_an_object_that_is_no_agent_is_explained(given):
    with pytest.raises(BadAgent):
        as_agent(given)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = 1\nclass Bot:\n  def (", r"bot.py:3: this is not Python"),
        ("x = 1\n1 / 0\n", r"bot.py:2: running the file fails: ZeroDivisionError"),
        ("import sys\nsys.exit('bye')\n", r"bot.py:2: running the file fails: SystemExit: bye"),
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("\0", "is not Python|running the file fails"),
        ("", "it has no classes"),
        ("class Bot:\n    def __init__(self):\n        1 / 0\n    def decide(self, *a): pass",
         "cannot be made: ZeroDivisionError"),
        ("class Bot:\n    def decide(self, view): pass", r"decide must take \(model, view"),
        ("class Bot:\n    start = 3\n", "neither decide"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_agent_is_explained(tmp_path, content, words):
    file = tmp_path / "bot.py"
    file.write_text(content)
    with pytest.raises(BadAgent, match=words) as error:
        make_agent(f"{file}:Bot")
    assert "\n" not in str(error.value)


def test_a_folder_or_a_binary_file_is_no_agent(tmp_path):
    (tmp_path / "data.py").write_bytes(bytes(range(256)))
    for name in (f"{tmp_path}:Bot", f"{tmp_path / 'data.py'}:Bot"):
        with pytest.raises(LudexError):
            make_agent(name)


def test_a_file_may_import_its_neighbours_and_use_dataclasses(tmp_path):
    (tmp_path / "neighbour_of_bot.py").write_text("PLACE = 2\n")
    (tmp_path / "bot.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from neighbour_of_bot import PLACE\n"
        "@dataclass(frozen=True)\n"
        "class Bot:\n"
        "    place: int = PLACE\n"
        "    def decide(self, model, view, budget, rng):\n"
        "        return view.legal[self.place]\n"
    )
    nim = registry.world("nim")
    assert decide(make_agent(f"{tmp_path / 'bot.py'}:Bot")).action == nim.take(3, heap=0)
    assert decide(make_agent(f"{tmp_path / 'bot.py'}:Bot(place=3)")).action == nim.take(1, heap=1)


def test_two_files_of_the_same_name_do_not_mix(tmp_path):
    for folder, place in (("a", 0), ("b", 1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(
            "class Bot:\n    def decide(self, model, view, budget, rng):\n"
            f"        return view.legal[{place}]\n"
        )
    first, second = (decide(make_agent(f"{tmp_path / name}/bot.py:Bot")) for name in "ab")
    assert first.action != second.action


def test_a_changed_file_is_read_again_and_has_another_version(tmp_path):
    file = tmp_path / "bot.py"
    source = "class Bot:\n    def decide(self, model, view, budget, rng):\n        return {}\n"
    file.write_text(source.format("view.legal[0]"))
    before = make_agent(f"{file}:Bot")
    old_version = before.version
    file.write_text(source.format("view.legal[1]"))
    after = make_agent(f"{file}:Bot")
    assert decide(before).action != decide(after).action
    assert old_version != after.version


def test_a_planner_in_a_file_takes_typed_parameters(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from ludex import Decision, Planner\n"
        "@dataclass(frozen=True, kw_only=True)\n"
        "class Bot(Planner):\n"
        "    place: int = 0\n"
        "    def plan(self, model, view, budget, rng):\n"
        "        return Decision(action=view.legal[self.place])\n"
    )
    assert decide(make_agent(f"{file}:Bot(place=1)")).action == registry.world("nim").take(2, 0)
    with pytest.raises(BadAgent, match="must be a whole number"):
        make_agent(f"{file}:Bot(place=x)")


def test_a_bare_action_and_a_decision_are_both_answers():
    class Bare:
        def decide(self, model, view, budget, rng):
            return view.legal[0]

    class Full:
        def decide(self, model, view, budget, rng):
            return Decision(action=view.legal[0], depth=3)

    assert decide(as_agent(Bare())).action == decide(as_agent(Full())).action
    assert decide(as_agent(Full())).depth == 3


def test_human_is_an_agent_that_no_clock_watches():
    assert make_agent("human") == Human()
    assert is_human(make_agent("human"))
