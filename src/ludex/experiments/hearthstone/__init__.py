"""The Nora study of Hearthstone, beside what was printed, and players that go beyond it."""
