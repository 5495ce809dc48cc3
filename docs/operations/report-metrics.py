#!/usr/bin/env python3
"""Converts a JSON report of the suite to metrics: data points in the format of OpenTSDB's /api/put.

Every number and boolean of the report is a metric, named by its JSON path: rows.failed.corruptCell of a
rollup-job report is tsdbsuite.rollup-job.rows.failed.corruptCell; true is 1. The timestamp is
the end of the run. README.md in this folder describes the usage.
"""

import argparse
import json
import re
import socket
import sys
import urllib.error
import urllib.request
from datetime import datetime

PREFIX = "tsdbsuite."
REPORTS = ("rollup-job", "rollup-job load", "rollup-job verify", "bulk-loader")
# Input of a run, and data for resuming it: not results.
LEFT_OUT = ("v", "input", "output", "window", "resume", "resumed", "beforeResume", "cellTimestamp", "sample")
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
            if key in SUMMED:
                yield f"{place}{key}.total", sum(value.values())
        elif isinstance(value, (bool, int, float)):
            yield f"{place}{key}", int(value) if isinstance(value, bool) else value


def points(report: dict, tags: dict) -> list:
    """The report as data points."""
    if not isinstance(report, dict) or report.get("report") not in REPORTS:
        raise ReportError(f"must be a report of {', '.join(REPORTS)}")
    if report.get("state") == "running":
        raise ReportError("the run has not ended")
    ended = seconds(report, "ended")
    values = dict(leaves(report))
    values["seconds"] = ended - seconds(report, "started")
    prefix = PREFIX + report["report"].replace(" ", "-") + "."
    return [
        {"metric": prefix + place.replace(" ", "-"), "timestamp": int(ended), "value": value, "tags": tags}
        for place, value in sorted(values.items())
    ]


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


def main(args: list) -> int:
    parser = argparse.ArgumentParser(prog="report-metrics.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("report", help="JSON report of rollup-job, its load or verify, or bulk-loader")
    parser.add_argument(
        "--tag", type=tag, action="append", metavar="KEY=VALUE", help="default: host=this host"
    )
    parser.add_argument(
        "--put", type=tsd, metavar="URL", help="send to a TSD, http://host:4242; default: print the JSON"
    )
    options = parser.parse_args(args)
    try:
        with open(options.report, encoding="utf-8") as file:
            report = json.load(file)
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
