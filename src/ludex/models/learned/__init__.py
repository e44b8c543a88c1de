"""Models learned from transitions."""
