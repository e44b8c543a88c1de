"""Foreign interfaces: Gymnasium and PettingZoo."""
