"""What models of tile grids are made of."""
