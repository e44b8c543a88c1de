"""Agents for Settlers of Catan."""
