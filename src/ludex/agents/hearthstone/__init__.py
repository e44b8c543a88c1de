"""Agents for Hearthstone."""
