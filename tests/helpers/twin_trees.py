"""The whole tree of a search in Python as records, in the form that native trees show."""

from __future__ import annotations

from ludex.planners.ismcts import InformationSetTree
from ludex.planners.mcts import Kind, StateTree
from ludex.planners.olets import OletsTree
from ludex.planners.parts.forward import NativeForwardSearch
from ludex.planners.parts.priors import added
from ludex.planners.rhea import NativeRun


def records_of(tree):
    """All nodes of a tree, numbered from the roots on; information sets have no order."""
    if hasattr(tree, "tree"):  # a native one
        records = tree.tree.nodes()
        return in_any_order(records) if isinstance(tree, InformationSetTree) else records
    if isinstance(tree, StateTree):
        return state_records(tree)
    if isinstance(tree, InformationSetTree):
        bandits = [tree.root, *tree.nodes.values()]
        return in_any_order(bare_record("information set", [bandit]) for bandit in bandits)
    if isinstance(tree, OletsTree):
        return olets_records(tree)
    return sequence_records(tree)


def in_any_order(records):
    return sorted(records, key=str)


def bare_record(kind, bandits, children=()):
    return {
        "kind": kind,
        "visits": max([bandit.total for bandit in bandits], default=0),
        "values": [],
        "returns": None,
        "bandits": [bandit_record(bandit) for bandit in bandits],
        "children": list(children),
    }


def sequence_records(tree):
    numbering = Numbering([tree.root])
    records = []
    for node in numbering.listed:  # grows on the way
        bandits = [node.bandits[seat] for seat in sorted(node.bandits)]
        alone = len(bandits) == 1 and bandits[0] is node
        children = [
            (joint if alone else (), 0, numbering.of(child))
            for joint, child in children_of(node, alone)
        ]
        records.append(bare_record("sequence", bandits, children))
    return records


def olets_records(tree):
    """Each node has the values of our actions, and the bandits of all seats that learn there."""
    numbering = Numbering([tree.root])
    records = []
    for node in numbering.listed:  # grows on the way
        others = [node.others[now] for now in sorted(node.others, key=in_order)]
        children = [(way, 0, numbering.of(child)) for way, child in node.children.items()]
        record = bare_record("sequence", [node, *others], children)
        records.append({**record, "visits": node.total, "values": list(node.values)})
    return records


def in_order(situation):
    """First what others do together with us, then what they do after each of our actions."""
    after, ticks, seat = situation
    return -1 if after is None else after, ticks, seat


def children_of(node, alone):
    """In the order of the first visits to what they follow."""
    if alone:
        return list(node.children.items())
    order = list(node.taken)
    return sorted(node.children.items(), key=lambda pair: order.index(pair[0]))


def bandit_record(bandit):
    rows = zip(bandit.actions, bandit.visits, bandit.means, strict=True)
    return bandit.seat, bandit.total, list(rows), added(bandit.squares)


def search_records(search):
    """All states that a search through states has kept, in order; equal keys by their number."""
    if isinstance(search, NativeForwardSearch):
        rows = search.found.kept()
    else:
        places = {id(node): place for place, node in enumerate(search.kept)}
        rows = [
            (
                node.key,
                places.get(id(node.parent), -1),
                node.action,
                node.depth,
                node.gain,
                node.hint,
                node.is_won,
            )
            for node in search.kept
        ]
    keys = {search.root.key: 0}
    return [(keys.setdefault(row[0], len(keys)), *row[1:]) for row in rows]


class Numbering:
    """Numbers nodes as they come up."""

    def __init__(self, roots):
        self.numbers = {}
        self.listed = []
        for root in roots:
            self.of(root)

    def of(self, node):
        if id(node) not in self.numbers:
            self.numbers[id(node)] = len(self.listed)
            self.listed.append(node)
        return self.numbers[id(node)]


def state_records(tree):
    numbering = Numbering(tree.roots)
    records = []
    for node in numbering.listed:  # grows on the way
        records.append(
            {
                "kind": node.kind.name.lower(),
                "visits": node.visits,
                "values": list(node.values),
                "returns": None if node.returns is None else list(node.returns),
                "bandits": [bandit_record(one) for one in getattr(node, "bandits", [])],
                "children": state_children(node, numbering),
            }
        )
    return records


def state_children(node, numbering):
    children = node.children
    if node.kind is Kind.DECISION and len(node.bandits) == 1:
        actions = node.bandits[0].actions
        return [
            ((actions[place],), 0, numbering.of(children[place,]))
            for place in range(len(actions))
            if (place,) in children
        ]
    if node.kind is Kind.CHANCE:
        return [
            ((outcome,), node.counts[outcome], numbering.of(children[outcome]))
            for outcome, _ in node.listed
            if outcome in children
        ]
    counts = getattr(node, "counts", {})
    return [((), counts.get(key, 0), numbering.of(child)) for key, child in children.items()]


def evolution_of(run):
    """All that an evolution of sequences knows at its end."""
    landscape = run.landscape()
    return {
        "sides": [(side.seat, population_of(run, side)) for side in run.sides],
        "champion": run.champion(),
        "counted": (run.evaluated, run.rounds, run.stage.deepest),
        "firsts": (run.visits, run.best),
        "landscape": (landscape.total, landscape.means[: landscape.total], run.low, run.high),
        "squares": landscape.squares[: landscape.total],
        "statistics": statistics_of(run) if run.planner.statistical_tree else None,
    }


def population_of(run, side):
    if isinstance(run, NativeRun):
        return run.found.population(side.seat)
    return [tuple(one) for one in side.population]


def statistics_of(run):
    """Every sequence in the statistical tree, with its visits and its total value."""
    if not isinstance(run, NativeRun):
        waiting, found = [((), run.tree.root)], {}
        while waiting:
            path, node = waiting.pop()
            found[path] = node.visits, node.total
            waiting += [((*path, action), child) for action, child in node.children.items()]
        return run.tree.size, found
    records = run.found.nodes()
    paths = {0: ()}
    for number, record in enumerate(records):
        for way, _, child in record["children"]:
            paths[child] = paths[number] + way
    found = {paths[n]: (one["visits"], one["values"][0]) for n, one in enumerate(records)}
    return run.found.size, found


def sampling_of(search):
    """All that a search through random sequences knows, with the order it was found in."""
    return {
        "counted": (search.iterations, search.depth),
        "firsts": (search.visits, list(search.values.items())),
    }
