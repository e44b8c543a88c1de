"""The page of claims: made from the tables of the other pages, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludex.cli.app import main
from ludex.core.errors import LudexError
from ludex.experiments.claims import MARK, as_markdown, read_claims
from ludex.experiments.survey import Reading, Survey
from ludex.experiments.survey import as_markdown as tables_of_survey

PAGES = Path(__file__).parents[3] / "docs" / "results"
ORDER = """# Searches

## Which wins (X-1, 2026-11-19)

<!-- X-1 small -->
| arm | budget | printed % | measured % | 95 % interval | levels | matches |
|---|---|--:|--:|--:|--:|--:|
| a | 9calls | - | 40.0 | 20.0 .. 60.0 | 20 | 40 |

| claim | measured % | 95 % interval | levels | would decide | verdict |
|---|--:|--:|--:|--:|---|
| a wins most (worst: a over b) | 10.0 | 5.0 .. 15.0 | 20 | decided | holds |
| b wins more than c | -3.0 | -8.0 .. -1.0 | 20 | decided | contradicted |
| ours: c is quick | 1.0 | -1.0 .. 3.0 | 20 | 90 levels, 360 matches | undecided |

80 matches, 3 CPU-minutes of agents.
<!-- end of X-1 small -->
"""
OLDER = """## Before (X-2, 2026-11-16)

<!-- X-2 tiny -->
| arm | budget | printed % | measured % | 95 % interval | games |
|---|---|--:|--:|--:|--:|
| a | 9calls | - | 40.0 | 20.0 .. 60.0 | 12 |

| claim | measured % | 95 % interval | verdict |
|---|--:|--:|---|
| a wins more | 10.0 | 5.0 .. 15.0 | holds |
<!-- end of X-2 tiny -->
"""


class Trees(Survey):
    id, title, source, deviations = "X-3", "", "", ()

    def parts(self, scale):
        return {}


def write(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text)
    return folder


def survey_page(scale, readings):
    text = tables_of_survey(Trees(), readings)
    head = "## Trees (2026-11-18)\n\nAbout two CPU-minutes.\n\n"
    return f"{head}<!-- X-3 {scale} -->\n{text}\n<!-- end of X-3 {scale} -->\n"


def test_the_page_of_claims_agrees_with_the_tables_that_it_is_made_from():
    text = (PAGES / "claims.md").read_text()
    _, _, rest = text.partition(f"<!-- {MARK} -->\n")
    assert rest.partition(f"<!-- end of {MARK} -->")[0].strip() == as_markdown(read_claims(PAGES))


def test_a_claim_has_its_levels_date_and_cost(tmp_path):
    best, second = read_claims(write(tmp_path, searches=ORDER))
    assert (best.claim, best.standing) == ("a wins most (worst: a over b)", "holds")
    assert (best.measured, best.interval, best.pairs) == ("10.0 %", "5.0 .. 15.0", "20 levels")
    assert (best.date, best.cost) == ("2026-11-19", "3 CPU-minutes")
    assert second.standing == "does not hold"


def test_what_was_judged_match_by_match_does_not_count_as_holding(tmp_path):
    [claim] = read_claims(write(tmp_path, before=OLDER))
    assert (claim.standing, claim.pairs) == ("held by matches", "12 matches")


def test_printed_numbers_of_like_tables_are_one_claim(tmp_path):
    readings = [
        Reading("tree, cross 1", "accuracy", 0.9, 0.89),
        Reading("tree, cross 2", "accuracy", 0.9, 0.5, interval=(0.4, 0.6), cases=30),
        Reading("tree, cross 2", "speed", 9.0, 1.0, compared=False),
        Reading("sum(a, b)", "accuracy", 0.9, 0.91),
        Reading("sum(a, c)", "accuracy", 0.9, 0.8, interval=(0.6, 0.95), cases=8),
    ]
    tree, first, second = read_claims(write(tmp_path, trees=survey_page("small", readings)))
    assert tree.claim == "tree: 2 printed numbers, 1 met, 1 off; shown: accuracy"
    assert (tree.measured, tree.interval, tree.pairs) == ("0.5", "0.4 .. 0.6", "30 cases")
    assert tree.standing == "does not hold"
    assert tree.cost == "two CPU-minutes"
    assert (first.standing, second.standing) == ("holds", "open")


def test_of_several_scales_the_largest_counts(tmp_path):
    pages = {
        scale: survey_page(scale, [Reading("T", "x", 1.0, measured)])
        for scale, measured in (("tiny", 5.0), ("full", 1.0), ("small", 5.0))
    }
    [claim] = read_claims(write(tmp_path, **pages))
    assert (claim.scale, claim.standing) == ("full", "holds")


def test_the_command_writes_the_page(tmp_path, capsys):
    write(tmp_path, searches=ORDER, claims=f"# All\n\n<!-- {MARK} -->\n<!-- end of {MARK} -->\n")
    page = str(tmp_path / "claims.md")
    assert main(["reproduce", "--claims", str(tmp_path), "--page", page, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["claims"]) == 2
    assert "**1 hold:** X-1 (1)" in Path(page).read_text()
    assert main(["reproduce"]) == 2
    assert "give the ID of an experiment" in capsys.readouterr().err


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(LudexError, match="has no page with the tables of an experiment"):
        read_claims(tmp_path)
