"""One game, whoever drives it: a match, a session, an environment, a replay or an experiment."""

import pickle
from dataclasses import replace

import pytest

from ludex.adapters import to_gymnasium
from ludex.agents.compose import make_agent
from ludex.arena.match.game import Game
from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match, run_match
from ludex.arena.match.seat import LocalSeat
from ludex.arena.match.session import Session
from ludex.arena.match.setup import MatchSetup
from ludex.arena.match.watcher import Watcher
from ludex.core import Budget, Decision, Rng, registry
from ludex.core.errors import BadAgent, BadParameter, Unsupported, WrongSeats
from ludex.experiments.prediction.arms import Arm, play

CALLS = Budget(model_calls=30)
WORLDS = ["nim", "pig[target=20]", "goofspiel", "kuhn_poker", "parley", "vgdl/tank_duel"]
"""plain, listed chance, simultaneous, hidden, sampled chance, video"""
UP, LEFT, DOWN, RIGHT = 1, 2, 3, 4


class Diarist:
    """Plays at random, and writes down all that it is told."""

    def __init__(self):
        self.diary = []
        self.chosen = []

    def __str__(self):
        return "diarist"

    def start(self, model, view, budget, rng):
        self.diary = [("start", view, rng.text)]
        return self

    def observe(self, event):
        self.diary.append(("event", event))

    def decide(self, view, budget, rng):
        self.diary.append(("decide", view, rng.text))
        self.chosen.append(view.legal[rng.below(len(view.legal))])
        return Decision(action=self.chosen[-1])

    def finish(self, view, outcome):
        self.diary.append(("finish", view, outcome))


class Eye(Watcher):
    """Keeps all that an audience sees."""

    def __init__(self):
        self.seen = []

    def before_match(self, world, agents, state):
        self.seen.append(("before", tuple(agents), state))

    def after_chance(self, draw):
        self.seen.append(draw)

    def after_step(self, step):
        self.seen.append(replace(step, decisions={}))

    def after_match(self, state, outcome):
        self.seen.append((state, outcome))


def setup(world, agents=None, **facts):
    seats = registry.world(world).traits.seats
    given = {"seed": 5, "budget": CALLS, "isolate": False, **facts}
    return MatchSetup(world=world, agents=agents or [Diarist() for _ in range(seats)], **given)


def played(session, pressed=None):
    while session.outcome is None:
        session.step(pressed or {})
    return session


def diaries(agents):
    return [agent.diary for agent in agents]


@pytest.mark.parametrize("world", WORLDS)
def test_a_session_of_agents_is_the_match_with_the_same_seed(world):
    one, other = setup(world), setup(world)
    result, session = run_match(one), played(Session.of(other))
    assert session.record().text() == result.record.text()
    assert diaries(other.agents) == diaries(one.agents)
    assert one.agents[0].diary[-1][-1] == result.outcome


@pytest.mark.parametrize("world", WORLDS)
def test_opponents_in_an_environment_live_through_the_match_with_the_same_seed(world):
    made = registry.world(world)
    match = setup(world)
    result = run_match(match)
    ours = [summary.action for summary in result.decisions[0]]
    others = [Diarist() for _ in match.agents[1:]]
    env = to_gymnasium(made, opponents=others, budget=CALLS, illegal="raise")
    env.reset(seed=5)
    for text in ours:
        view = env.unwrapped.table.view(0)
        env.step(made.codec.index(view, made.parse_action(text, view)))
    assert diaries(others) == diaries(match.agents[1:])


@pytest.mark.parametrize("world", WORLDS)
def test_a_replay_shows_what_the_match_showed(world):
    live, again = Eye(), Eye()
    result = run_match(setup(world), [live])
    assert replay(result.record, [again]) == result.outcome
    assert again.seen == live.seen
    assert len(live.seen) > result.ticks + 1


def test_replays_go_through_the_same_steps(monkeypatch):
    steps, chances = [], []
    record = run_match(setup("pig[target=20]")).record
    step, resolve = Game.step, Game.resolve
    monkeypatch.setattr(Game, "step", lambda *given: (steps.append(1), step(*given)))
    monkeypatch.setattr(Game, "resolve", lambda *given: (chances.append(1), resolve(*given)))
    replay(record)
    assert len(steps) == record.steps
    assert len(chances) == sum(moment.chance is not None for moment in record.moments)


def test_agents_in_a_session_are_told_their_last_action_and_the_end():
    agent = Diarist()
    session = Session("vgdl/two_thieves", [None, agent], 1, CALLS)
    for _ in range(3):
        session.step({0: DOWN})
    views = [entry[1] for entry in agent.diary if entry[0] == "decide"]
    own = [actions[1] for actions in session.moves]
    assert [view.last_action for view in views] == [0, *own[:-1]]
    session.leave()
    kind, view, outcome = agent.diary[-1]
    assert (kind, view.last_action, outcome.reason) == ("finish", own[-1], "left the game")
    assert outcome.truncated


def test_agents_in_a_session_are_told_the_end_once():
    agent = Diarist()
    session = played(Session("pig[target=20]", [None, agent], 1, CALLS), {0: "hold"})
    session.leave()
    assert [entry[0] for entry in agent.diary].count("finish") == 1
    assert agent.diary[-1][-1] == session.outcome


def test_a_session_draws_listed_chance():
    session = Session("pig", [None, None], 3, CALLS)
    session.step({0: "roll"})
    assert session.game.acting
    assert [bool(moment.chance) for moment in session.record().moments] == [False, True, False]
    assert not session.can_undo


def test_what_was_taken_back_is_not_in_the_record():
    session = Session("vgdl/sokoban", [None], 1, CALLS)
    for action in (LEFT, UP):
        session.step({0: action})
    session.undo()
    session.step({0: DOWN})
    assert session.moves == [(LEFT,), (DOWN,)]
    record = session.record()
    assert replay(record).reason == "left the game"
    assert record.steps == 2


def test_a_session_goes_by_the_seed_like_a_match_whatever_is_taken_back():
    one, other = (Session("vgdl/sokoban", [None], 1, CALLS) for _ in range(2))
    one.step({0: UP})
    one.undo()
    for session in (one, other):
        session.step({0: LEFT})
    assert one.record().text() == other.record().text()


@pytest.mark.parametrize("when", ["start", "observe", "decide", "finish"])
def test_a_failure_in_a_session_names_agent_and_seat(when):
    def broken(*given):
        raise ValueError("lost my cards")

    agent = Diarist()
    setattr(agent, when, broken)
    with pytest.raises(BadAgent, match=r"in seat 1: ValueError: lost my cards"):
        played(Session("nim", [None, agent], 1, CALLS))


def test_a_refusal_in_a_session_lets_all_agents_go(monkeypatch):
    closed = []
    monkeypatch.setattr(LocalSeat, "close", lambda seat, clean: closed.append((seat.agent, clean)))
    agents = [make_agent("uniform"), make_agent("mcts")]
    with pytest.raises(Unsupported, match="full information"):
        Session("kuhn_poker", agents, 1, CALLS)
    assert closed == [(agent, False) for agent in agents]


def test_experiments_play_with_checked_seats():
    with pytest.raises(WrongSeats):
        play(Arm.named("Random", 1.0), None, registry.world("nim"), CALLS, 9, Rng(0))


def test_experiments_tell_agents_their_last_action_and_the_end():
    agent = Diarist()
    found, _ = play(Arm("a diarist", agent), None, registry.world("vgdl/zelda"), CALLS, 4, Rng(0))
    decided = [entry for entry in agent.diary if entry[0] == "decide"]
    assert found.ticks == len(decided) == 4
    assert [entry[1].last_action for entry in decided] == [0, *agent.chosen[:-1]]
    # Names of their own, so that published figures can be repeated.
    assert [entry[2] for entry in decided] == [Rng(0).fork("decide", n).text for n in range(4)]
    assert agent.diary[-1][-1].reason == "stopped after 4 ticks"


def test_what_each_decision_cost_is_kept_whoever_drives():
    one, other = setup("nim", ["mcts", "mcts"]), setup("nim", ["mcts", "mcts"])
    result, session = run_match(one), played(Session.of(other))
    for kept, wanted in zip(session.game.decisions, result.decisions, strict=True):
        assert [(cost.tick, cost.action, cost.model_calls) for cost in kept] == [
            (cost.tick, cost.action, cost.model_calls) for cost in wanted
        ]
        assert 0 < max(cost.model_calls for cost in kept) <= 30


def test_a_setup_is_checked_when_it_is_made_and_travels_as_a_pickle():
    plain = MatchSetup(world="nim", agents=["uniform", "uniform"], seed=3, secret="AB" * 16)
    assert plain.secret == "ab" * 16
    assert plain.agents == ("uniform", "uniform")
    assert pickle.loads(pickle.dumps(plain)) == plain
    for wrong in ({"seed": -1}, {"secret": "abc"}):
        with pytest.raises(BadParameter):
            replace(plain, **wrong)


def test_a_setup_with_the_wrong_number_of_agents_is_refused():
    with pytest.raises(WrongSeats):
        run_match(MatchSetup(world="nim", agents=["uniform"]))


def test_a_match_has_no_seats_for_players_from_outside():
    with pytest.raises(BadAgent, match="Session"):
        play_match("nim", ["uniform", None])


def test_a_match_and_its_setup_give_the_same():
    rules = MatchRules(max_ticks=9)
    by_words = play_match("pig", ["uniform", "uniform"], seed=4, budget="9calls", rules=rules)
    facts = {"seed": 4, "budget": Budget(model_calls=9), "rules": rules}
    of_setup = run_match(MatchSetup(world="pig", agents=["uniform", "uniform"], **facts))
    assert by_words.record.text() == of_setup.record.text()
    assert by_words.outcome.reason == "stopped after 9 ticks"
