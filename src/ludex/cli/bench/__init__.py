"""`ludex bench`: the command, and the tables it shows."""
