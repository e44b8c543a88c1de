"""Structure learning of Bayesian networks: which variables depend on which."""
