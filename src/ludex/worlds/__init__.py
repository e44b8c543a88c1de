"""What is played: one folder per world; worlds never import each other."""
