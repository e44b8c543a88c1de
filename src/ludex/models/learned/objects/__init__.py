"""What models of objects are made of: what an object senses, and what became of it."""
