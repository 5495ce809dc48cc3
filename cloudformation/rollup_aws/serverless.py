"""The application of EMR Serverless: its job runs, and its stop."""

from typing import Callable

from .aws import Aws
from .errors import AwsError, OutsideError

_ACTIVE_JOBS = ["SUBMITTED", "PENDING", "SCHEDULED", "RUNNING", "CANCELLING", "QUEUED"]
_STOP_POLLS = 60


def active_jobs(aws: Aws, application: str) -> list:
    """The job runs that have not ended. None if there is no such application."""
    try:
        found = aws.call("emr-serverless", "list-job-runs", application_id=application, states=_ACTIVE_JOBS)[
            "jobRuns"
        ]
    except AwsError as e:
        if e.absent:
            return []
        raise
    return [each for each in found if each["state"] in _ACTIVE_JOBS]


def stop(aws: Aws, application: str, sleep: Callable[[float], None]) -> None:
    """Stops an application that is started, and waits: only stopped ones can be changed or deleted.

    The next job run starts it again.
    """
    state = _state(aws, application)
    if state in ("STARTED", "STARTING"):
        try:
            aws.call("emr-serverless", "stop-application", application_id=application)
        except AwsError as e:
            if e.code in ("ValidationException", "ConflictException"):  # a job has begun
                raise OutsideError(
                    f"application {application} cannot be stopped now: {e.message}; repeat the command later"
                ) from None
            raise
        print(f"stopping application {application}, which was {state}", flush=True)
    for _ in range(_STOP_POLLS):
        state = _state(aws, application)
        if state not in ("STARTED", "STARTING", "STOPPING"):
            return
        sleep(5)
    raise OutsideError(f"application {application} is still {state} after 5 minutes; repeat the command")


def _state(aws: Aws, application: str) -> str:
    """The state; TERMINATED if there is no such application."""
    try:
        return aws.call("emr-serverless", "get-application", application_id=application)["application"][
            "state"
        ]
    except AwsError as e:
        if e.absent:
            return "TERMINATED"
        raise
