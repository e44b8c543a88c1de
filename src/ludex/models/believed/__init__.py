"""Models of worlds with hidden facts, completed by a belief."""
