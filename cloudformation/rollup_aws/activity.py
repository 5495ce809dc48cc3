"""What runs in a stack: executions of its state machine, clusters, job runs."""

from . import serverless
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, OutsideError
from .settings import Settings


def require_none(aws: Aws, settings: Settings, stack: stacks.Stack, consequence: str) -> None:
    """Raises OutsideError with everything that runs, and with the consequence."""
    busy, hints = [], []
    machine = stack.outputs.get("StateMachine")
    for each in executions(aws, machine) if machine else []:
        busy.append(f"execution {each['name']} is running")
        hints.append(f"rollup-aws run {settings.path} --follow {each['executionArn']}")
    for each in aws.call("emr", "list-clusters", active=True).get("Clusters", []):
        if each["Name"] == settings.stack:
            busy.append(f"cluster {each['Id']} is in state {each['Status']['State']}")
            hints.append(aws.command("emr", "terminate-clusters", cluster_ids=[each["Id"]]))
    application = stack.outputs.get("ServerlessApplication")
    for each in serverless.active_jobs(aws, application) if application else []:
        busy.append(f"job {each['id']} is in state {each['state']}")
        hints.append(
            aws.command("emr-serverless", "cancel-job-run", application_id=application, job_run_id=each["id"])
        )
    if busy:
        raise OutsideError(*busy, f"{consequence}: wait for the end, or stop it", hints=tuple(hints))


def executions(aws: Aws, machine: str) -> list:
    """The running executions of a state machine; none if a half deleted stack has lost it."""
    try:
        found = aws.call(
            "stepfunctions", "list-executions", state_machine_arn=machine, status_filter="RUNNING"
        )
    except AwsError as e:
        if e.absent or e.code == "StateMachineDoesNotExist":
            return []
        raise
    return found.get("executions", [])
