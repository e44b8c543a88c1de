"""Models of worlds with hidden information: the rules plus a belief over hidden facts."""
