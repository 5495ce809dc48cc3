"""Rules that rollup-aws has a second time in Python, to check them before anything starts: the values
with which the Java tests of the same rules run."""

import pytest
from conftest import FOLDER

from rollup_aws import prune_rules, run

SUITE = FOLDER.parent
GRACES = SUITE / "rollup-job/src/test/resources/graces.txt"
NAMES = SUITE / "storage-format/src/test/resources/snapshot-names.txt"


def lines(file) -> list:
    text = file.read_text(encoding="utf-8").splitlines()
    return [line for line in text if line and not line.startswith("#")]


@pytest.mark.parametrize("line", lines(GRACES))
def test_graces_of_prune(line):
    kind, _, grace = line.partition(" ")
    assert kind in ("valid", "refused")
    assert bool(prune_rules.grace_problem(grace)) == (kind == "refused")


@pytest.mark.parametrize("line", lines(NAMES))
def test_names_of_snapshots(line):
    pattern, table, name, day = [field.strip() for field in line.split("|")]
    settings = {"SnapshotPattern": pattern, "DataTable": table, "UidTable": "uid"}
    expected = [] if day == "-" else [day]
    # The night's other snapshot is there, whatever date the name may be taken for.
    others = [run.snapshot_name(settings, "uid", each) for each in ("2026-11-21", *expected)]
    assert run.nights(settings, [name, *others]) == expected
    if expected:
        assert run.snapshot_name(settings, table, day) == name
