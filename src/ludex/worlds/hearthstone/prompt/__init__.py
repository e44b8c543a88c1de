"""How people at the prompt name what they do, look at cards, and are told why not."""
