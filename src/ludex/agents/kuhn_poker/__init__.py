"""Experts that know kuhn poker."""
