"""The reports of rollup-job in the stack's log bucket."""

import json
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
