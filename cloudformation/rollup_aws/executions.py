"""The executions of the stack's state machine."""

from .aws import Aws
from .errors import AwsError


def running(aws: Aws, machine: str) -> list:
    """The executions that have not ended, as AWS lists them; none if there is no such state machine."""
    try:
        found = aws.call(
            "stepfunctions", "list-executions", state_machine_arn=machine, status_filter="RUNNING"
        )
    except AwsError as e:
        if e.absent or e.code == "StateMachineDoesNotExist":
            return []
        raise
    return found.get("executions", [])
