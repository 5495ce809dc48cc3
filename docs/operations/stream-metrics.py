#!/usr/bin/env python3
"""Reads the metrics of stream-rollup from Flink's REST API: data points in the format of OpenTSDB's /api/put.

Each metric is the sum over the job's tasks, or the largest value. README.md in this folder
describes the usage, docs/stream-rollup.md the metrics.
"""

import argparse
import json
import math
import re
import socket
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PREFIX = "tsdbsuite.stream-rollup."
# Metrics of the job itself: all tasks of an operator have them, and their sum counts, but of LARGEST the
# largest value.
GROUP = "stream_rollup."
LARGEST = ("watermarkDelay", "unreadPartitions")
# Counts of the job's two operators. Flink has no metric of a task until the task has sent them for the first
# time, some seconds after the start of the task or of the JobManager.
ALWAYS = ("consumed", "closed")
# Metrics of Flink's Kafka source, by their names there. Tasks without a partition do not have them.
SOURCE = {
    "pendingRecords": ("pendingRecords", sum),
    "KafkaSourceReader.KafkaConsumer.records-lag-max": ("recordsLagMax", max),
}
# Metrics of the job as a whole.
JOB = (
    "running",
    "restarts",
    "checkpoint.age",
    "checkpoint.seconds",
    "checkpoint.bytes",
    "checkpoints.completed",
    "checkpoints.failed",
)
ID = re.compile(r"(\d+)\.(.+)")
NAME = re.compile(r"[A-Za-z0-9._/-]+")
TIMEOUT_SECONDS = 30
# Metrics in one request to Flink, whose names are a part of the URL.
METRICS_PER_REQUEST = 50
# A TSD without chunked requests accepts bodies up to 8 KiB.
POINTS_PER_REQUEST = 20


class MetricsError(Exception):
    """A problem that the user must fix, or that the next run may not have."""


def collect(get, name: str, now: float) -> tuple:
    """The job's metrics, and what is missing.

    get(path) is the answer of Flink's REST API; now is the time, seconds since the epoch.
    """
    running = [j for j in get("jobs/overview")["jobs"] if j["name"] == name and j["state"] == "RUNNING"]
    if len(running) > 1:
        raise MetricsError(f"one job must have the name {name}, found {len(running)} that run")
    if not running:
        return {"running": 0}, [f"no job {name} runs"]
    job = f"jobs/{running[0]['jid']}"
    values, missing = {"running": 1}, []
    values.update(of_checkpoints(get(f"{job}/checkpoints"), running[0]["start-time"] / 1000, now))
    restarts = numbers(get(f"{job}/metrics?get=numRestarts"))
    if restarts:
        values["restarts"] = restarts["numRestarts"]
    found = {}
    for vertex in get(job)["vertices"]:
        tasks = of_tasks(get, f"{job}/vertices/{vertex['id']}/metrics")
        for metric, by_task in tasks.items():
            if metric.startswith(GROUP) and len(by_task) < vertex["parallelism"]:
                missing.append(f"{metric} of {vertex['parallelism'] - len(by_task)} tasks")
            else:
                found.setdefault(metric, []).extend(by_task.values())
    for metric, each in found.items():
        short, combine = SOURCE.get(metric) or (metric.removeprefix(GROUP), sum)
        values[short] = (max if short in LARGEST else combine)(each)
    for count in ALWAYS:
        if count not in values and not any(each.startswith(f"{GROUP}{count} ") for each in missing):
            missing.append(f"{GROUP}{count} of all tasks")
    return values, missing


def of_checkpoints(answer: dict, started: float, now: float) -> dict:
    """The checkpoints' metrics; started is the start of the job, seconds since the epoch."""
    counts, latest = answer["counts"], answer["latest"].get("completed")
    since = latest["trigger_timestamp"] / 1000 if latest else started
    values = {
        "checkpoints.completed": counts["completed"],
        "checkpoints.failed": counts["failed"],
        # A checkpoint that began after the first request to Flink is newer than now.
        "checkpoint.age": max(0.0, now - since),
    }
    if latest:
        values["checkpoint.seconds"] = latest["end_to_end_duration"] / 1000
        values["checkpoint.bytes"] = latest["state_size"]
    return values


def of_tasks(get, path: str) -> dict:
    """The values of each metric that is wanted, by metric and task."""
    wanted = {}
    for metric in get(path):
        parts = ID.fullmatch(metric["id"])
        name = short_name(parts[2]) if parts else ""
        if name:
            wanted[metric["id"]] = (name, int(parts[1]))
    ids = sorted(wanted)
    found = {}
    for start in range(0, len(ids), METRICS_PER_REQUEST):
        some = ",".join(
            urllib.parse.quote(each, safe="") for each in ids[start : start + METRICS_PER_REQUEST]
        )
        for metric, value in numbers(get(f"{path}?get={some}")).items():
            name, task = wanted[metric]
            found.setdefault(name, {})[task] = value
    return found


def short_name(metric: str) -> str:
    """The metric without its operator; empty if it is not wanted."""
    operator, group, name = metric.rpartition("." + GROUP)
    if operator and "." not in name:
        return group[1:] + name
    return next((source for source in SOURCE if metric.endswith("." + source)), "")


def numbers(answer: list) -> dict:
    """The metrics that have a value."""
    values = {each["id"]: float(each["value"]) for each in answer}
    return {name: value for name, value in values.items() if math.isfinite(value)}


def points(values: dict, tags: dict, now: float) -> list:
    """The metrics as data points."""
    return [
        {
            "metric": PREFIX + name,
            "timestamp": int(now),
            "value": int(value) if value == int(value) else value,
            "tags": tags,
        }
        for name, value in sorted(values.items())
    ]


def answer_of(url: str, request) -> object:
    """The JSON that a server answers."""
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
            return json.load(response)
    except urllib.error.HTTPError as e:
        raise MetricsError(f"{url} answers {e.code}: {e.read(500).decode(errors='replace')}") from e
    except (OSError, ValueError) as e:
        raise MetricsError(f"{url} does not answer: {e}") from e


def put(url: str, data: list) -> None:
    """Sends the points to a TSD; all are stored, or it is a problem."""
    for start in range(0, len(data), POINTS_PER_REQUEST):
        some = data[start : start + POINTS_PER_REQUEST]
        request = urllib.request.Request(  # noqa: S310  # server() has checked the scheme
            url.rstrip("/") + "/api/put?sync&details",
            json.dumps(some).encode(),
            {"Content-Type": "application/json"},
        )
        stored = answer_of(f"the TSD {url}", request).get("success")
        if stored != len(some):
            raise MetricsError(f"the TSD {url} has stored {stored} of {len(some)} points")


def tag(text: str) -> tuple:
    key, equals, value = text.partition("=")
    if not equals or not NAME.fullmatch(key) or not NAME.fullmatch(value):
        raise argparse.ArgumentTypeError(f"must be KEY=VALUE of letters, digits, - _ . /, found: {text}")
    return key, value


def server(text: str) -> str:
    if not re.match(r"https?://", text):
        raise argparse.ArgumentTypeError(f"must begin with http:// or https://, found: {text}")
    return text


def version() -> str:
    """The version of the suite, from the file that installations have."""
    file = Path(__file__).resolve().parent.parent / "VERSION"
    return file.read_text(encoding="utf-8").split("\n")[0] if file.is_file() else "(not packaged)"


def main(args: list) -> int:
    name = Path(__file__).name
    parser = argparse.ArgumentParser(prog=name, description=__doc__.split("\n\n")[0])
    parser.add_argument("--version", action="version", version=f"{name} {version()}")
    parser.add_argument("url", type=server, help="Flink's REST API, http://jobmanager:8081")
    parser.add_argument("--job", default="stream-rollup", metavar="NAME", help="default: stream-rollup")
    parser.add_argument(
        "--tag", type=tag, action="append", metavar="KEY=VALUE", help="default: host=this host"
    )
    parser.add_argument(
        "--put", type=server, metavar="URL", help="send to a TSD, http://host:4242; default: print the JSON"
    )
    options = parser.parse_args(args)
    now = time.time()
    base = options.url.rstrip("/") + "/"
    try:
        values, missing = collect(lambda path: answer_of(base, base + path), options.job, now)
    except MetricsError as e:
        # A job that cannot be asked must not look as if it ran.
        values, missing = {"running": 0}, [str(e)]
    data = points(values, dict(options.tag or [("host", socket.gethostname())]), now)
    try:
        if options.put:
            put(options.put, data)
        else:
            print(json.dumps(data, indent=1))
    except MetricsError as e:
        missing.append(str(e))
    for problem in missing:
        print(f"stream-metrics.py: {problem}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
