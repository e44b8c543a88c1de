"""Players that know Hearthstone."""
