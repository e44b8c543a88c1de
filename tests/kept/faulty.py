"""An agent that fails in its second decision."""


class Faulty:
    def __init__(self):
        self.decisions = 0

    def decide(self, model, view, budget, rng):
        self.decisions += 1
        if self.decisions == 2:
            raise ValueError("no idea")
        return view.legal[0]
