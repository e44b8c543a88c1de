"""What experts of several worlds share."""
