"""Forward models learned from transitions."""
