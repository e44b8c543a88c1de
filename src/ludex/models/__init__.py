"""What may be imagined: the rules, what was learned from play, what is believed."""
