"""Films that are written as differences, and stay small."""

import re
from xml.etree import ElementTree

import pytest
from PIL import Image

import ludex
from ludex.arena.match.replay import replay
from ludex.arena.pictures import writing
from ludex.arena.pictures.film import Camera
from ludex.arena.pictures.svg_film import Picture, animated, leaves, placed, size_of
from ludex.arena.pictures.writing import WrittenFilm, thinned, write_frames, write_svg
from ludex.cli import main
from ludex.core.record import read_record

PARTS = re.compile(r"<(/?)([a-z]+)([^>]*?)(/?)>")
TIMES = re.compile(r'values="([^"]*)" keyTimes="([^"]*)"')


def filmed(world, agents, seed=1, minds=False):
    camera = Camera(minds=minds)
    ludex.play(world, agents, seed=seed, budget="9calls", watchers=[camera])
    return camera.pictures


def seen_at(film, share):
    """The leaves that a film shows after a share of its time, the lowest first."""
    found = []
    for part in re.split(
        r"(?=<g>|<g visibility=\"hidden\">)", film.partition("</defs>")[2] or film
    ):
        if not part.startswith("<g"):
            continue
        inner = part.partition(">")[2].partition("</g>")[0]
        is_seen = True
        if inner.startswith("<animate"):
            animation, _, inner = inner.partition("/>")
            values, times = (one.split(";") for one in TIMES.search(animation).groups())
            now = [value for value, at in zip(values, times, strict=True) if float(at) <= share]
            is_seen = now[-1] == "visible"
        if is_seen:
            found.append(inner)
    return "".join(found)


GAMES = [
    ("connect_four", ["uniform"] * 2),
    ("catan[seats=2,points=4]", ["uniform"] * 2),
    ("hearthstone", ["uniform"] * 2),
    ("vgdl/aliens", ["uniform"]),
]


@pytest.mark.parametrize(("world", "agents"), GAMES, ids=[world for world, _ in GAMES])
def test_every_picture_of_a_film_of_differences_is_the_drawing_it_was(world, agents):
    pictures = filmed(world, agents)[:150]
    size = size_of(pictures)
    film = animated(pictures, seconds=3.0)  # as long as the last one is shown
    ElementTree.fromstring(film)
    for index in range(0, len(pictures), 7):
        shown = seen_at(film, (index + 0.5) / len(pictures))
        wanted = leaves(placed(pictures[index], 0, 0, *size), {})
        assert shown == "".join(leaf.text for leaf in wanted)


def test_what_stays_the_same_is_written_once():
    drawing = '<svg viewBox="0 0 9 9"><circle r="3"/><text>{}</text></svg>'
    pictures = [Picture(drawing.format(word), word) for word in ("one", "two", "one")]
    film = animated(pictures)
    assert film.count("<circle") == 1
    assert film.count("<text>one</text>") == film.count("<text>two</text>") == 1
    ElementTree.fromstring(film)


def test_groups_that_are_one_picture_are_not_divided():
    faint = '<g opacity=".5"><rect/><rect/></g>'
    found = list(leaves(f'<svg><g fill="red"><rect/></g>{faint}<!-- no --></svg>', {}))
    assert [leaf.containers for leaf in found] == [("<svg>", '<g fill="red">'), ("<svg>",)]
    assert found[1].text == faint


def test_minds_are_filmed_as_differences_too():
    pictures = filmed("vgdl/zelda", ["flat_monte_carlo"], minds=True)[:40]
    film = animated(pictures)
    ElementTree.fromstring(film)
    assert len(film) < sum(len(one.svg) for one in pictures) / 4


def test_a_long_film_leaves_pictures_out_and_says_so(tmp_path, monkeypatch):
    pictures = filmed("catan[seats=2,points=4]", ["uniform"] * 2)
    monkeypatch.setattr(writing, "LARGEST", 150_000)
    written = write_svg(tmp_path / "film.svg", pictures)
    assert (tmp_path / "film.svg").stat().st_size <= 150_000
    assert 10 < written.shown < written.taken == len(pictures)
    assert "to stay below 0.15 MB" in written.note
    assert WrittenFilm(7, 7).note == ""


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_a_long_film_of_pixels_leaves_pictures_out_and_keeps_its_pace(tmp_path, monkeypatch, kind):
    camera = Camera(cell=8)
    ludex.play("vgdl/aliens", ["uniform"], seed=1, budget="9calls", watchers=[camera])
    monkeypatch.setattr(writing, "LARGEST", 60_000)
    path = tmp_path / f"film.{kind}"
    written = write_frames(path, camera.world, camera.frames, 8, 20)
    assert path.stat().st_size <= 60_000
    assert written.shown < written.taken == len(camera.frames)
    with Image.open(path) as film:
        assert film.n_frames == written.shown
        film.seek(1)
        film.load()
        every = -(-written.taken // written.shown)
        assert film.info["duration"] == pytest.approx(50 * every, abs=50)


def test_the_first_and_the_last_picture_stay():
    for every in range(1, 9):
        kept = thinned(range(20), every)
        assert (kept[0], kept[-1]) == (0, 19)


def test_the_command_notes_what_a_film_leaves_out(tmp_path, monkeypatch, capsys):
    file, film = tmp_path / "game.jsonl", tmp_path / "film.svg"
    monkeypatch.setattr(writing, "LARGEST", 100_000)
    assert main(["play", "catan[seats=2,points=4]", "--agents", "uniform,uniform", "--seed", "1",
                 "--budget", "9calls", "--record", str(file)]) == 0  # fmt: skip
    assert main(["replay", str(file), "--out", str(film)]) == 0
    assert re.search(r"the film shows \d+ of [\d,]+ pictures", capsys.readouterr().err)
    replay(read_record(file))
