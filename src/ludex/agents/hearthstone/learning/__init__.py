"""Hearthstone players that learn: samples, forests, fitted Q iteration and matches."""
