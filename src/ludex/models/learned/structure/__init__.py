"""Learns which variables depend on which: the structure of a Bayesian network, from data."""
