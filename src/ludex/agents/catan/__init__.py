"""Players of catan."""
