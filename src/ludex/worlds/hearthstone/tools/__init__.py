"""Tools for cards: replay of recorded scenarios, and tests of new cards."""
