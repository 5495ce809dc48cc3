"""The rules of the values of prune; rollup-job's PruneCommand has the same ones."""

import re
from typing import Any

from .errors import shown

MAX_COUNT = 2**31 - 1
"""The job reads counts as int."""

_LEAST_GRACE = 3600
_LARGEST_GRACE = 3650 * 86400
_SECONDS = {
    "s": 1,
    "m": 60,
    "h": 3600,
    "d": 86400,
    "w": 7 * 86400,
    "n": 30 * 86400,
    "y": 365 * 86400,
}


def count_problem(value: Any) -> str:
    """What is wrong with a count of nights, weeks or months to keep; empty if nothing is."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_COUNT:
        return f"{shown(value)} is not a whole number from 0 to {MAX_COUNT}"
    return ""


def grace_problem(value: Any) -> str:
    """What is wrong with a grace; empty if nothing is."""
    match = re.fullmatch("([0-9]{1,9})([smhdwnySMHDWNY])", value) if isinstance(value, str) else None
    seconds = int(match[1]) * _SECONDS[match[2].lower()] if match else 0
    if not _LEAST_GRACE <= seconds <= _LARGEST_GRACE:
        return f"{shown(value)} is not a duration such as 7d, from 1h to 3650d (units s m h d w n y)"
    return ""


def hours(grace: str) -> int:
    """A grace without a problem in hours, rounded up."""
    return -(-int(grace[:-1]) * _SECONDS[grace[-1].lower()] // 3600)
