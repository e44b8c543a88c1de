"""Surveys: measured part by part, and gone on with."""

import pytest

from ludex.core.errors import LudexError
from ludex.experiments.collection import Collection
from ludex.experiments.survey import Reading, Survey, as_markdown, measure


class Three(Survey):
    """Counts its calls, and may be interrupted in the second part."""

    id = "THREE"
    title = "?"
    source = "none"
    deviations = ("it measures nothing",)

    def __init__(self, interrupted=False):
        self.interrupted = interrupted
        self.measured = []

    def part(self, name):
        if name == "b" and self.interrupted:
            raise KeyboardInterrupt
        self.measured.append(name)
        return [Reading(name, "one", 2.0, 3.0)]

    def parts(self, scale):
        return {name: lambda name=name: self.part(name) for name in "abc"}


def test_an_interrupted_survey_goes_on_with_the_part_it_was_in(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        measure(Three(interrupted=True), "tiny", tmp_path)
    again = Three()
    readings = measure(again, "tiny", tmp_path)
    assert again.measured == ["b", "c"]
    assert [reading.experiment for reading in readings] == ["a", "b", "c"]


def test_scales_are_kept_apart(tmp_path):
    measure(Three(), "tiny", tmp_path)
    small = Three()
    measure(small, "small", tmp_path)
    assert small.measured == ["a", "b", "c"]


def test_progress_is_told_before_each_part(tmp_path):
    told = []
    measure(Three(), "tiny", tmp_path, progress=lambda *facts: told.append(facts))
    assert told == [("a", 0, 3), ("b", 1, 3), ("c", 2, 3)]


def test_a_survey_of_another_version_is_refused_unless_mixed(tmp_path):
    measure(Three(), "tiny", tmp_path)
    kept = tmp_path / "three-tiny.json"
    kept.write_text(kept.read_text().replace('"ludex": "', '"ludex": "9.'))
    with pytest.raises(LudexError, match="has changed since"):
        measure(Three(), "tiny", tmp_path)
    assert len(measure(Three(), "tiny", tmp_path, mixed=True)) == 3


@pytest.mark.parametrize(
    "text", ["", "[]", '{"ludex": "1"}', '{"ludex": "1", "parts": {"a": [3]}}']
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, text):
    (tmp_path / "three-tiny.json").write_text(text)
    with pytest.raises(LudexError, match=r"cannot read .*three-tiny.json"):
        measure(Three(), "tiny", tmp_path)


def test_differences_are_relative_to_the_printed_number():
    assert Reading("E", "x", 2.0, 3.0).texts == ("E", "x", "2", "3", "+50 %", "off", "")


def test_a_number_that_was_never_printed_has_no_difference():
    row = as_markdown(Three(), [Reading("E", "x", None, 3.0, "new")]).splitlines()[2]
    assert row == "| E | x | - | 3 | - | - | new |"


def test_a_survey_that_was_begun_with_other_games_is_refused(tmp_path):
    first, second = Three(), Three()
    first.collection, second.collection = Collection("mine", {}), Collection("yours", {})
    measure(first, "tiny", tmp_path)
    with pytest.raises(LudexError, match="was begun with mine, and not with yours"):
        measure(second, "tiny", tmp_path)


def test_there_is_no_difference_to_a_printed_zero():
    assert Reading("a", "wins", 0.0, 0.5).difference is None
    assert Reading("a", "wins", 0.5, 0.25).difference == -0.5
