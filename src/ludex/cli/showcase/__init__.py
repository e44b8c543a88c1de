"""`ludex showcase`: a film of a mind at work, a short table a world, pictures, and next steps."""
