"""`ludex list`: what is here, in a screen, by kind, and part by part."""
