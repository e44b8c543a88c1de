"""Processes of the arena: workers, and agents that run in processes of their own."""
