"""Tests at a terminal."""

import pytest
from terminal_player import Player


@pytest.fixture
def player():
    seated = []

    def sit_down(*words, **manner):
        seated.append(Player(*words, **manner))
        return seated[-1]

    yield sit_down
    for one in seated:
        one.close()
