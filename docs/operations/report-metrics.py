#!/usr/bin/env python3
"""Converts a JSON report of the suite to metrics: data points for OpenTSDB, or Prometheus's text format.

Every number and boolean of the report is a metric, named by its JSON path: rows.failed.corruptCell of a
rollup-job report is tsdbsuite.rollup-job.rows.failed.corruptCell, for Prometheus
tsdbsuite_rollup_job_rows_failed_corrupt_cell; true is 1. The timestamp is the end of the run. README.md in
this folder describes the usage.
"""

import argparse
import json
import os
import re
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from pathlib import Path

PREFIX = "tsdbsuite."
REPORTS = (
    *("rollup-job", "rollup-job load", "rollup-job verify", "rollup-job prune"),
    *("rollup-job coverage add", "rollup-job tiers prove", "rollup-job tiers apply"),
    *("rollup-nightly", "bulk-loader"),
)
# Input of a run, and data for resuming it: not results.
LEFT_OUT = (
    *("v", "input", "output", "window", "resume", "resumed", "beforeResume", "cellTimestamp", "sample"),
    *("keep", "graceSeconds", "delete"),
)
NAME = re.compile(r"[A-Za-z0-9._/-]+")
# Objects with a number for each reason get a sum.
SUMMED = ("failed", "skipped", "rejected")
TIMEOUT_SECONDS = 30
# A TSD without chunked requests accepts bodies up to 8 KiB.
POINTS_PER_REQUEST = 20


class ReportError(Exception):
    """A problem that the user must fix."""


def seconds(report: dict, key: str) -> float:
    """The time in a field, seconds since the epoch."""
    value = report.get(key)
    try:
        # Python before 3.11 does not know Z, nor more than 6 digits of a second.
        text = re.sub(r"(\.\d{6})\d+", r"\1", value.replace("Z", "+00:00"))
        return datetime.fromisoformat(text).timestamp()
    except (AttributeError, TypeError, ValueError) as e:
        raise ReportError(f"{key} must be a time, found: {value!r}") from e


def leaves(tree: dict, place: str = ""):
    """Yields the numbers below an object, by their JSON path; skips lists, which hold samples and texts."""
    for key, value in tree.items():
        if not place and key in LEFT_OUT:
            continue
        if isinstance(value, dict):
            yield from leaves(value, f"{place}{key}.")
            if key in SUMMED and "bytes" not in value:
                yield f"{place}{key}.total", sum(value.values())
        elif isinstance(value, (bool, int, float)):
            yield f"{place}{key}", int(value) if isinstance(value, bool) else value


def numbers(report: dict) -> dict:
    """The numbers of a report that has ended, by their JSON path; seconds is the duration."""
    if not isinstance(report, dict) or report.get("report") not in REPORTS:
        raise ReportError(f"must be a report of {', '.join(REPORTS)}")
    if report.get("state") == "running":
        raise ReportError("the run has not ended")
    values = dict(leaves(report))
    values["seconds"] = seconds(report, "ended") - seconds(report, "started")
    return values


def points(report: dict, tags: dict) -> list:
    """The report as data points of OpenTSDB."""
    values = numbers(report)
    ended = seconds(report, "ended")
    prefix = PREFIX + report["report"].replace(" ", "-") + "."
    return [
        {"metric": prefix + place.replace(" ", "-"), "timestamp": int(ended), "value": value, "tags": tags}
        for place, value in sorted(values.items())
    ]


def exposition(report: dict, tags: dict) -> str:
    """The report in Prometheus's text format. Every metric is a gauge: it is of the newest run."""
    values = numbers(report)
    values["endedTimestampSeconds"] = seconds(report, "ended")
    prefix = PREFIX + report["report"] + "."
    lines, names = [], {}
    for place, value in sorted(values.items()):
        name = prometheus_name(prefix + place)
        if name in names:
            raise ReportError(f"{place} and {names[name]} have the same name for Prometheus, {name}")
        names[name] = place
        lines.append(f"# HELP {name} {place} of the newest report of {report['report']}.")
        lines.append(f"# TYPE {name} gauge")
        lines.append(f"{name}{labels(tags)} {value!r}")
    return "\n".join(lines) + "\n"


def prometheus_name(metric: str) -> str:
    """The name in Prometheus of a metric of OpenTSDB: by convention only counters end in _total."""
    name = re.sub("_total$", "_all", snake(metric))
    return name[: -len("seconds")] + "duration_seconds" if metric.endswith(".seconds") else name


def snake(text: str) -> str:
    """rollup-job.rows.notFinite as rollup_job_rows_not_finite."""
    apart = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text)
    return re.sub(r"[^A-Za-z0-9]+", "_", apart).strip("_").lower()


def labels(tags: dict) -> str:
    if not tags:
        return ""
    # A tag has no character that the format escapes.
    return "{" + ",".join(f'{label(key)}="{value}"' for key, value in sorted(tags.items())) + "}"


def label(key: str) -> str:
    name = snake(key)
    if not re.match("[a-z]", name):
        raise ReportError(f"the tag {key} must begin with a letter to be a label of Prometheus")
    return name


def write(path: str, text: str) -> None:
    """Replaces a file of node_exporter's textfile collector at once: it reads whenever it likes."""
    part = f"{path}.{os.getpid()}.part"
    try:
        Path(part).write_text(text, encoding="utf-8")
        os.replace(part, path)
    finally:
        Path(part).unlink(missing_ok=True)


def push(url: str, report: dict, tags: dict) -> None:
    """Replaces the group of this report in a push gateway."""
    group = {"job": snake(report["report"]), **{label(key): value for key, value in tags.items()}}
    # A value with a slash must be sent in base64; percent signs alone are not enough.
    unfit = [f"{key}={value}" for key, value in group.items() if "/" in value]
    if unfit:
        raise ReportError(f"a tag for a push gateway must have no slash, found: {', '.join(unfit)}")
    job = urllib.parse.quote(group.pop("job"))
    path = "".join(f"/{key}/{urllib.parse.quote(value)}" for key, value in sorted(group.items()))
    request = urllib.request.Request(  # noqa: S310  # tsd() has checked the scheme
        f"{url.rstrip('/')}/metrics/job/{job}{path}",
        exposition(report, {}).encode(),
        {"Content-Type": "text/plain; version=0.0.4"},
        method="PUT",
    )
    try:
        urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS).close()  # noqa: S310
    except urllib.error.HTTPError as e:
        told = e.read(500).decode(errors="replace")
        raise ReportError(f"the push gateway {url} answers {e.code}: {told}") from e
    except OSError as e:
        raise ReportError(f"the push gateway {url} does not answer: {e}") from e


def put(url: str, data: list) -> None:
    """Sends the points to a TSD; all are stored, or it is a problem."""
    for start in range(0, len(data), POINTS_PER_REQUEST):
        some = data[start : start + POINTS_PER_REQUEST]
        stored = post(url, some).get("success")
        if stored != len(some):
            raise ReportError(f"the TSD {url} has stored {stored} of {len(some)} points")


def post(url: str, data: list) -> dict:
    """One request, and the TSD's answer."""
    request = urllib.request.Request(  # noqa: S310  # tsd() has checked the scheme
        url.rstrip("/") + "/api/put?sync&details",
        json.dumps(data).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
            return json.load(response)
    except urllib.error.HTTPError as e:
        raise ReportError(f"the TSD {url} answers {e.code}: {e.read(500).decode(errors='replace')}") from e
    except (OSError, ValueError) as e:
        raise ReportError(f"the TSD {url} does not answer: {e}") from e


def tag(text: str) -> tuple:
    key, equals, value = text.partition("=")
    if not equals or not NAME.fullmatch(key) or not NAME.fullmatch(value):
        raise argparse.ArgumentTypeError(f"must be KEY=VALUE of letters, digits, - _ . /, found: {text}")
    return key, value


def tsd(text: str) -> str:
    if not re.match(r"https?://", text):
        raise argparse.ArgumentTypeError(f"must begin with http:// or https://, found: {text}")
    return text


def prom(text: str) -> str:
    if not text.endswith(".prom"):
        raise argparse.ArgumentTypeError(f"must end with .prom, or node_exporter ignores it, found: {text}")
    return text


def version() -> str:
    """The version of the suite, from the file that installations have."""
    file = Path(__file__).resolve().parent.parent / "VERSION"
    return file.read_text(encoding="utf-8").split("\n")[0] if file.is_file() else "(not packaged)"


def main(args: list) -> int:
    name = Path(__file__).name
    parser = argparse.ArgumentParser(prog=name, description=__doc__.split("\n\n")[0])
    parser.add_argument("--version", action="version", version=f"{name} {version()}")
    parser.add_argument(
        "report", help="JSON report of rollup-job, its load, verify or prune, rollup-nightly or bulk-loader"
    )
    parser.add_argument(
        "--tag",
        type=tag,
        action="append",
        metavar="KEY=VALUE",
        help="a tag or label; can be repeated (default: host=this host for OpenTSDB, none for Prometheus)",
    )
    target = parser.add_mutually_exclusive_group()
    target.add_argument(
        "--put",
        type=tsd,
        metavar="URL",
        help="send to a TSD, http://host:4242 (default: print the points as JSON)",
    )
    target.add_argument(
        "--textfile", type=prom, metavar="FILE", help="write a file for node_exporter's textfile collector"
    )
    target.add_argument(
        "--push", type=tsd, metavar="URL", help="send to a push gateway of Prometheus, http://host:9091"
    )
    options = parser.parse_args(args)
    try:
        with open(options.report, encoding="utf-8") as file:
            report = json.load(file)
        if options.textfile:
            write(options.textfile, exposition(report, dict(options.tag or [])))
        elif options.push:
            push(options.push, report, dict(options.tag or []))
        else:
            data = points(report, dict(options.tag or [("host", socket.gethostname())]))
            if options.put:
                put(options.put, data)
            else:
                print(json.dumps(data, indent=1))
    except (OSError, ValueError, ReportError) as e:
        print(f"report-metrics.py: {options.report}: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
