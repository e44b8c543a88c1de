"""What models of whole grids are made of."""
