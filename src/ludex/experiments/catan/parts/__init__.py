"""Parts of the experiments on Catan."""
