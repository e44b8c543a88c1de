"""What ensembles of models are made of."""
