"""Scripts that know parley."""
