"""The reports of rollup-job in the stack's log bucket."""

import json
import re
from datetime import date, timedelta
from typing import Any, Optional

from .aws import Aws
from .errors import AwsError, BadInputError

_KINDS = {
    "rows": dict,
    "points": dict,
    "messages": dict,
    "hfiles": dict,
    "unknown": dict,
    "nights": list,
    "warnings": list,
}


def read(aws: Aws, bucket: str, key: str) -> Optional[dict]:
    """A report; None if there is none, and empty if the object is not a report. Raises AwsError."""
    try:
        report = json.loads(aws.read(bucket, key))
    except AwsError as e:
        if e.absent:
            return None
        raise
    except (ValueError, RecursionError, BadInputError):
        return {}
    return report if _sound(report) else {}


def _sound(report: Any) -> bool:
    """Whether what this program looks at has the kinds that rollup-job writes."""
    if not isinstance(report, dict) or not isinstance(report.get("exitCode"), (int, type(None))):
        return False
    return all(isinstance(report.get(name), (kind, type(None))) for name, kind in _KINDS.items())


def days(aws: Aws, bucket: str, command: str = "") -> list:
    """ISO dates of the days that have a report, of their run or of a command, oldest first."""
    start = f"reports/{command}"
    listed = aws.call("s3api", "list-objects-v2", bucket=bucket, prefix=f"{start}2", delimiter="/")
    keys = [each["Key"] for each in listed.get("Contents", [])]
    found = [re.fullmatch(re.escape(start) + r"(\d{4}-\d{2}-\d{2})\.json", key) for key in keys]
    return sorted(match[1] for match in found if match)


def why_not_done(report: dict, day: str) -> str:
    """Why a report is not one of success of a day, as run-planner's JobReport decides; empty if it is.

    The functions also compare the options with those of the stack.
    """
    if not report or report.get("report") != "rollup-job":
        return "its report is not one of rollup-job"
    window = report.get("window") if isinstance(report.get("window"), dict) else {}
    until = date.fromisoformat(day) + timedelta(days=1)
    if (window.get("from"), window.get("to")) != (f"{day}T00:00:00Z", f"{until}T00:00:00Z"):
        return f"the window of its report is {window.get('from')} to {window.get('to')}"
    if report.get("state") == "running":
        return f"its run has ended without a result: {report.get('partitionsFinished')} partitions finished"
    if report.get("outcome") != "done" or report.get("exitCode") != 0:
        message = f": {report['message']}" if report.get("message") else ""
        return f"{report.get('outcome')}{message}"
    return "" if report.get("booksClose") is True else "its books do not close"
