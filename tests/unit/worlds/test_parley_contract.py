"""The promises of the contracts, proved on the world that holds everything difficult at once."""

import pickle
from collections import Counter
from fractions import Fraction
from math import comb

import pytest
from scipy.stats import binomtest, chisquare

from ludex.core import fallback, registry
from ludex.core.budget import Budget
from ludex.core.errors import BudgetSpent, GameOver, IllegalAction
from ludex.core.event import Event
from ludex.core.rng import Meter, Rng
from ludex.worlds.parley.values import LETTERS, Act, Phase, Verb

WORLD = registry.world("parley")
MODEL = WORLD.model
GRAIN, IRON, SALT, TIMBER, WINE = range(5)
ROLL = Act(Verb.ROLL)
SEATS = range(3)
CERTAIN = 1e-4  # a fixed seed that falls below this shows a wrong distribution


def table(hands, pledged="-/-/-", then="turn 0 plays 2 talks 1 move", copies=4):
    pile = "".join(letter * (copies - (hands + pledged).count(letter)) for letter in LETTERS)
    world = registry.world(f"parley[copies={copies}]")
    return world.parse(f"hands {hands} pledged {pledged} pile {pile or '-'} {then}")


def game(seed):
    """All states of one random game, afterstates included, with their events."""
    rng = Rng(seed)
    state = WORLD.start(rng)
    states = [state]
    while not MODEL.over(state):
        if listed := MODEL.chance(state):
            state = MODEL.resolve(state, listed[rng.weighted([p for _, p in listed])][0])
        else:
            (seat,) = MODEL.to_act(state)
            state = MODEL.step(state, (rng.choice(MODEL.legal(state, seat)),), rng)
        states.append(state)
    return states


GAMES = [state for seed in range(3) for state in game(seed)]
SOME = GAMES[::7]


def test_the_sample_of_states_meets_every_phase():
    assert {state.phase for state in GAMES} >= set(Phase) - {Phase.CONSENT}
    assert {state.phase for state in SOME} >= {Phase.MOVE, Phase.ANSWER, Phase.DIE}


# States are values


@pytest.mark.parametrize("load", [pickle.dumps, str], ids=["pickle", "text"])
def test_states_survive_pickle_and_notation(load):
    back = pickle.loads if load is pickle.dumps else WORLD.parse
    for state in GAMES:
        again = back(load(state))
        assert again == state
        assert hash(again) == hash(state)


def test_a_copy_is_equal_and_independent():
    for state in SOME:
        before, twin = str(state), state.copy()
        assert twin == state
        if MODEL.to_act(twin):
            MODEL.advance(twin, (None,), Rng(0))
            assert twin != state
        MODEL.settle(twin, Rng(0))
        assert str(state) == before


def test_step_is_pure_and_advance_does_the_same_in_place():
    for state in SOME:
        for seat in MODEL.to_act(state):
            for action in MODEL.legal(state, seat)[:4]:
                before = str(state)
                after = MODEL.step(state, (action,), Rng(5))
                assert str(state) == before
                twin = state.copy()
                MODEL.advance(twin, (action,), Rng(5))
                assert twin == after
                assert MODEL.events(twin) == MODEL.events(after)


# Chance


def outcomes_by_resolving(state):
    """The exact distribution of all that is pending."""
    listed = MODEL.chance(state)
    if not listed:
        return Counter({state: 1.0})
    total = Counter()
    for outcome, probability in listed:
        for end, rest in outcomes_by_resolving(MODEL.resolve(state, outcome)).items():
            total[end] += probability * rest
    return total


@pytest.mark.parametrize(
    "state",
    [
        table("g/ii/w", "s/-/-", "turn 3 plays 0 talks 0 die"),
        table("g/ii/w", "s/-/-", "turn 3 plays 0 talks 0 first"),
        table("gggg/iiii/sssstttt", "-/-/-", "turn 3 plays 0 talks 0 die"),
    ],
    ids=["die", "two cards", "one good left"],
)
def test_settling_follows_the_distribution_that_resolving_every_outcome_gives(state):
    exact = outcomes_by_resolving(state)
    assert sum(exact.values()) == pytest.approx(1)
    draws = 4000
    found = Counter()
    for seed in range(draws):
        settled = state.copy()
        MODEL.settle(settled, Rng(seed).fork("settle"))
        found[settled] += 1
    assert found.keys() <= exact.keys()
    ends = list(exact)
    expected = [exact[end] * draws for end in ends]
    assert chisquare([found[end] for end in ends], expected).pvalue > CERTAIN


def test_the_chance_of_a_card_is_its_share_of_the_pile():
    state = table("gggii/-/-", "-/-/-", "turn 0 plays 0 talks 0 draw")
    assert dict(MODEL.chance(state)) == pytest.approx(
        {"grain": 1 / 15, "iron": 2 / 15, "salt": 4 / 15, "timber": 4 / 15, "wine": 4 / 15}
    )


def test_settle_returns_what_it_drew_so_that_resolving_it_repeats_the_state():
    for seed in range(40):
        state = table("g/i/s", "-/-/-", "turn 0 plays 0 talks 0 die")
        settled = state.copy()
        for outcome in MODEL.settle(settled, Rng(seed)):
            state = MODEL.resolve(state, outcome)
        assert state == settled
        assert not MODEL.chance(settled)


def walk_by(state, *actions):
    for action in actions:
        state = MODEL.step(state, (action,), Rng(12))
    return state


def test_afterstates_of_two_orders_of_the_same_pledges_share_a_key():
    grain, iron = Act(Verb.PLEDGE, good=GRAIN), Act(Verb.PLEDGE, good=IRON)
    state = table("gis/t/w")
    one, other = (walk_by(state, *order, ROLL) for order in ((grain, iron), (iron, grain)))
    assert MODEL.to_act(one) == ()
    assert MODEL.chance(one)
    assert MODEL.key(one) == MODEL.key(other)
    assert hash(MODEL.key(one)) == hash(MODEL.key(other))
    assert one == other


def test_a_rejected_offer_and_a_pledge_commute():
    offer, no = Act(Verb.OFFER, 1, GRAIN, IRON), Act(Verb.REJECT)
    pledge = Act(Verb.PLEDGE, good=SALT)
    state = table("gs/t/w")
    one = walk_by(state, offer, no, pledge, ROLL)
    other = walk_by(state, pledge, offer, no, ROLL)
    assert MODEL.key(one) == MODEL.key(other)


def test_afterstates_of_different_pledges_have_different_keys():
    state = table("gis/t/w")
    keys = {
        MODEL.key(walk_by(state, Act(Verb.PLEDGE, good=good), ROLL)) for good in (GRAIN, IRON, SALT)
    }
    assert len(keys) == 3


def test_a_key_may_ignore_fields():
    one = table("g/t/w", then="turn 0 plays 2 talks 1 move")
    other = table("g/t/w", then="turn 3 plays 2 talks 1 move")
    assert MODEL.key(one) != MODEL.key(other)
    assert MODEL.key(one, ignore=("turn",)) == MODEL.key(other, ignore=("turn",))


def test_the_storm_is_repeated_by_the_text_of_the_stream_of_the_step():
    state = table("-/-/-", "gis/gt/w")
    weathers = set()
    for seed in range(30):
        stream = Rng(seed).fork("step", 3)
        text = stream.text
        after = MODEL.step(state, (ROLL,), stream)
        again = MODEL.step(state, (ROLL,), Rng.from_text(text))
        assert after == again
        weathers.add(MODEL.events(after)[1])
    assert len(weathers) > 3


def test_one_roll_in_six_brings_a_storm_and_each_good_alike():
    state = table("-/-/-", "gis/gt/w")
    rolls = 3000
    found = Counter(
        MODEL.events(MODEL.step(state, (ROLL,), Rng(seed).fork("roll")))[1].detail
        for seed in range(rolls)
    )
    storms = [found[(good,)] for good in range(5)]
    assert binomtest(sum(storms), rolls, 1 / 6).pvalue > CERTAIN
    assert chisquare(storms).pvalue > CERTAIN


# Hidden facts


def test_hidden_twins_differ_from_the_state_and_look_the_same():
    for state in SOME:
        for seat in SEATS:
            twins = MODEL.hidden_twins(state, seat)
            assert state not in twins
            assert len(set(twins)) == len(twins)
            assert all(MODEL.view(twin, seat) == MODEL.view(state, seat) for twin in twins)


def test_all_twins_are_found_where_they_can_be_counted_by_hand():
    # Unseen are two grain and one iron; each rival holds one card and one lies in the pile.
    state = table("issttww/g/i", copies=2)
    model = registry.world("parley[copies=2]").model
    twins = model.hidden_twins(state, 0)
    assert {(twin.hands[1], twin.hands[2]) for twin in twins} == {
        ((1, 0, 0, 0, 0), (1, 0, 0, 0, 0)),
        ((0, 1, 0, 0, 0), (1, 0, 0, 0, 0)),
    }


def test_swapping_hidden_facts_changes_nothing_that_reaches_the_seat():
    swaps = 0
    for state in SOME:
        for seat in SEATS:
            view = MODEL.view(state, seat)
            shown = reaching(state, seat)
            for twin in MODEL.hidden_twins(state, seat)[::20]:
                assert reaching(twin, seat) == shown
                assert MODEL.imagine(MODEL.view(twin, seat), Rng(9)) == MODEL.imagine(view, Rng(9))
                swaps += 1
    assert swaps > 200


def reaching(state, seat):
    view = MODEL.view(state, seat)
    return {
        "view": view,
        "pickle": pickle.dumps(view),
        "hash": hash(view),
        "text": (str(view), repr(view)),
        "legal": MODEL.legal(state, seat),
        "acts": MODEL.to_act(state),
        "key": MODEL.key(state, seat),
        "events": MODEL.events(state, seat),
        "score": MODEL.score(state, seat),
        "drawing": WORLD.draw_view(view) + WORLD.draw_view(view, "svg"),
        "array": WORLD.observation(view).tobytes(),
        "mask": WORLD.codec.mask(view).tobytes(),
        "reason": WORLD.explain(state, seat, Act(Verb.GIVE, good=WINE)),
    }


def test_the_swap_is_noticed_where_it_should_be():
    state = table("g/i/s")
    twin = next(twin for twin in MODEL.hidden_twins(state, 0) if twin.hands[1] != state.hands[1])
    assert reaching(twin, 1) != reaching(state, 1)


def test_a_view_holds_no_state():
    for field in MODEL.view(table("g/i/s"), 0).__slots__:
        value = getattr(MODEL.view(table("g/i/s"), 0), field)
        assert isinstance(value, int | tuple), field


def test_views_know_the_pile_only_by_its_size():
    view = MODEL.view(table("gg/is/wt", "g/-/-"), 0)
    assert view.sizes == (2, 2, 2)
    assert view.unseen == (1, 4, 4, 4, 4)
    assert view.pile_size == 13


# Imagination


def test_imagine_deals_what_is_unseen_with_the_chances_of_single_cards():
    """The chance that seat 1 holds grain, counted by hand: two of the three unseen cards."""
    state = table("issttww/g/i", copies=2)
    model = registry.world("parley[copies=2]").model
    view = model.view(state, 0)
    deals = model.deals(view)
    chances = Counter()
    for deal, probability in deals:
        chances[deal.hands[1]] += Fraction(probability).limit_denominator(10**6)
    assert chances == {(1, 0, 0, 0, 0): Fraction(2, 3), (0, 1, 0, 0, 0): Fraction(1, 3)}


def test_an_offer_proves_to_everyone_that_the_card_is_held():
    # Seat 1 offers grain, so it holds one of the two; of grain and iron seat 2 has either.
    state = table("issttww/g/i", "-/-/-", "turn 1 plays 2 talks 0 answer 2 g-s", copies=2)
    model = registry.world("parley[copies=2]").model
    deals = model.deals(model.view(state, 0))
    assert {deal.hands[1] for deal, _ in deals} == {(1, 0, 0, 0, 0)}
    assert {deal.hands[2]: p for deal, p in deals} == pytest.approx(
        {(1, 0, 0, 0, 0): 1 / 2, (0, 1, 0, 0, 0): 1 / 2}
    )


def test_an_offer_proves_to_everyone_that_what_it_asks_for_is_lacking():
    # Unseen are two grain and one iron and one salt. Seat 1 has two cards, offers grain and asks
    # for iron: it holds two grain (1 way), or one of them and the salt (2 ways).
    state = table("sttww/gg/i", "i/-/-", "turn 1 plays 2 talks 0 answer 2 g-i", copies=2)
    model = registry.world("parley[copies=2]").model
    chances = Counter()
    for deal, probability in model.deals(model.view(state, 0)):
        chances[deal.hands[1]] += probability
    assert chances == pytest.approx({(2, 0, 0, 0, 0): 1 / 3, (1, 0, 1, 0, 0): 2 / 3})


@pytest.mark.parametrize(
    "state",
    [
        table("gi/sw/t", "gis/sw/t", "turn 3 plays 2 talks 1 move"),
        table("gi/sgt/wt", "iis/sw/t", "turn 4 plays 2 talks 0 answer 0 g-i"),
        table("gi/st/wwt", "iis/sw/t", "turn 5 plays 2 talks 0 answer 1 w-i"),
    ],
    ids=["nothing certain", "seat 1 offered", "seat 2 offered"],
)
def test_imagined_states_follow_the_listed_deals(state):
    view = MODEL.view(state, 0)
    deals = dict(MODEL.deals(view))
    assert sum(deals.values()) == pytest.approx(1)
    draws = 6000
    found = Counter(MODEL.imagine(view, Rng(seed).fork("deal")) for seed in range(draws))
    assert found.keys() <= deals.keys()
    # The chi-square test wants five expected cases in each class: rare deals go together.
    common = [deal for deal in deals if deals[deal] * draws >= 5]
    observed = [found[deal] for deal in common]
    expected = [deals[deal] * draws for deal in common]
    assert chisquare([*observed, draws - sum(observed)], [*expected, draws - sum(expected)])[1] > (
        CERTAIN
    )


def test_the_marginal_of_one_good_in_one_hand_is_hypergeometric():
    view = MODEL.view(table("ggi/sst/tw"), 0)  # 17 unseen cards, of them 4 salt; 3 in hand 1
    found = Counter(MODEL.imagine(view, Rng(seed)).hands[1][SALT] for seed in range(4000))
    exact = [comb(4, n) * comb(13, 3 - n) / comb(17, 3) * 4000 for n in range(4)]
    assert chisquare([found[n] for n in range(4)], exact).pvalue > CERTAIN


def test_an_imagined_state_is_the_callers_own():
    view = MODEL.view(table("g/i/s"), 0)
    imagined = MODEL.imagine(view, Rng(0))
    MODEL.advance(imagined, (ROLL,), Rng(0))
    assert MODEL.imagine(view, Rng(0)) != imagined


# Events


def test_a_drawn_card_is_told_to_its_owner_alone():
    state = MODEL.resolve(table("g/i/s", then="turn 1 plays 0 talks 0 draw"), "wine")
    assert MODEL.events(state, 1) == (Event("draw", 1, (WINE,)),)
    for seat in (0, 2):
        assert MODEL.events(state, seat) == (Event("draw", 1, ()),)
    assert MODEL.events(state) == MODEL.events(state, 1)


def test_a_given_card_is_told_to_giver_and_receiver():
    state = table("g/iw/s", then="turn 0 plays 0 talks 0 give 1")
    after = MODEL.step(state, (Act(Verb.GIVE, good=WINE),), Rng(0))
    told = Event("give", 1, (0, WINE))
    assert [MODEL.events(after, seat) for seat in SEATS] == [
        (told,),
        (told,),
        (Event("give", 1, (0,)),),
    ]


def test_a_returned_card_is_told_to_its_owner_alone():
    state = table("gw/iw/s", then="turn 0 plays 0 talks 0 return")
    after = MODEL.step(state, (Act(Verb.RETURN, good=WINE),), Rng(0))
    assert [MODEL.events(after, seat)[0].detail for seat in SEATS] == [(WINE,), (), ()]


def test_offers_and_answers_are_told_to_all():
    asked = walk_by(table("g/-/i"), Act(Verb.OFFER, 2, GRAIN, IRON))
    assert MODEL.events(asked, 1) == (Event("offer", 0, (2, GRAIN, IRON)),)
    answered = walk_by(asked, Act(Verb.ACCEPT))
    assert MODEL.events(answered, 1) == (Event("accept", 2, (0,)),)


def test_every_step_tells_every_seat_something_of_the_last_step_only():
    for state in game(5)[1:]:
        for seat in SEATS:
            told = [event.kind for event in MODEL.events(state, seat)]
            assert len(told) == 1 or told == ["roll", "weather"]


# Simulation and the real game

RUBBISH = [(None,), ("rubbish",), (Act(Verb.GIVE, 7, 7, 7),), (object(),)]


def test_simulation_never_raises_and_counts_what_it_replaces():
    meter = Meter()
    model = MODEL.metered(meter)
    for state in GAMES:
        for actions in RUBBISH:
            replaced, ignored = meter.replaced, meter.ignored
            after = model.step(state, actions, Rng(1))
            if not model.to_act(state):
                assert after == state
                assert meter.ignored == ignored + 1
                continue
            (seat,) = model.to_act(state)
            if not actions or actions[0] not in model.legal(state, seat):
                default = model.default_action(state, seat)
                assert meter.replaced == replaced + 1
                assert after == model.step(state, (default,), Rng(1))


def test_the_default_action_is_legal_and_harmless():
    kinds = Counter()
    for state in GAMES:
        for seat in MODEL.to_act(state):
            default = MODEL.default_action(state, seat)
            assert default in MODEL.legal(state, seat)
            kinds[MODEL.action_type(default)] += 1
    assert kinds.keys() == {"roll", "reject", "demand", "give", "return"}


def test_the_world_raises_where_the_simulation_replaces():
    over = GAMES[-1]
    assert MODEL.over(over)
    with pytest.raises(GameOver):
        WORLD.step(over, (ROLL,), Rng(0))
    with pytest.raises(IllegalAction, match="it holds no wine"):
        WORLD.step(table("g/i/s"), (Act(Verb.PLEDGE, good=WINE),), Rng(0))
    with pytest.raises(IllegalAction, match="1 seats act now"):
        WORLD.step(table("g/i/s"), (), Rng(0))
    with pytest.raises(IllegalAction, match="0 seats act now"):
        WORLD.step(table("g/i/s", then="turn 0 plays 0 talks 0 die"), (ROLL,), Rng(0))


# Budgets and fast paths


def test_a_rollout_is_cut_where_the_calls_run_out_and_the_next_call_raises():
    meter = Meter()
    model = MODEL.metered(meter)
    Budget(model_calls=7).arm(meter)
    result = model.rollout(WORLD.start(Rng(3)), "uniform", 1000, Rng(0))
    assert result.cut
    assert result.ticks == meter.calls == 7
    assert result.returns is None
    with pytest.raises(BudgetSpent):
        model.rollout(WORLD.start(Rng(3)), "uniform", 1000, Rng(0))
    with pytest.raises(BudgetSpent):
        model.step(WORLD.start(Rng(3)), (ROLL,), Rng(0))


def test_looking_costs_nothing():
    meter = Meter()
    model = MODEL.metered(meter)
    Budget(model_calls=1).arm(meter)
    state = table("g/i/s", then="turn 0 plays 0 talks 0 die")
    model.settle(state.copy(), Rng(0))
    model.resolve(state, 1)
    model.imagine(model.view(state, 0), Rng(0))
    assert meter.calls == 0


def test_rollouts_draw_as_a_loop_of_single_calls_does():
    for seed in range(10):
        state = WORLD.start(Rng(seed))
        result = MODEL.rollout(state, "uniform", 50, Rng(seed).fork("rollout"))
        rng, current, ticks = Rng(seed).fork("rollout"), state.copy(), 0
        while ticks < 50 and (acting := MODEL.to_act(current)):
            action = fallback.choose_uniform(MODEL, current, acting[0], rng)
            MODEL.advance(current, (action,), rng)
            MODEL.settle(current, rng)
            ticks += 1
        assert (result.state, result.ticks) == (current, ticks)
        assert result.scores == tuple(MODEL.score(current, seat) for seat in SEATS)


def test_a_traced_rollout_reaches_the_same_state_and_notes_every_tick():
    state = WORLD.start(Rng(1))
    plain = MODEL.rollout(state, "uniform", 30, Rng(2))
    traced = MODEL.rollout(state, "uniform", 30, Rng(2), trace=True)
    assert traced.state == plain.state
    assert len(traced.trace.scores) == len(traced.trace.events) == traced.ticks == 30
    assert traced.trace.scores[-1] == traced.scores


def test_batches_use_their_own_streams_so_that_order_does_not_matter():
    states = [WORLD.start(Rng(seed)) for seed in range(4)]
    actions = [(ROLL,)] * 4
    together = MODEL.step_many(states, actions, Rng(6))
    for index, state in enumerate(states):
        stream = Rng(6).fork("step", index)
        after = MODEL.step(state, (ROLL,), stream)
        MODEL.settle(after, stream)
        assert after == together[index]


def test_played_sequences_stop_at_their_end_and_use_streams_of_their_own():
    state = table("w/-/-", "gist/-/-")
    win, wait = (Act(Verb.PLEDGE, good=WINE),), (ROLL,)
    results = MODEL.play(state, [[win, wait, wait], [wait]], Rng(8))
    assert [result.ticks for result in results] == [1, 1]
    assert results[0].returns == (1.0, -1.0, -1.0)
    assert MODEL.play(state, [[wait], [wait]], Rng(8))[1].state == results[1].state


def test_traits_say_what_is_difficult():
    traits = WORLD.traits
    assert (traits.seats, traits.hidden, traits.chance) == (3, True, "mixed")
    assert traits.events
    assert not traits.zero_sum
    assert not traits.model_sees_all
    assert not traits.simultaneous
    assert max(len(MODEL.legal(state, seat)) for state in GAMES for seat in SEATS) <= (
        traits.max_legal
    )
    # A roll, three pledges, two offers of each to each rival, and two treaties.
    full = table("gis/g/g", "gis/tw/tw")
    assert len(MODEL.legal(full, 0)) == traits.max_legal == 1 + 3 + 12 + 2
