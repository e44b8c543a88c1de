"""Pieces that agents are made of; no agents themselves."""
