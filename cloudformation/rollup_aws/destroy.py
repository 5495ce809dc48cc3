"""rollup-aws destroy: deletes the stack, unless it works."""

import time

from . import serverless
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, ConfigurationError, OutsideError
from .settings import Settings


def destroy(aws: Aws, settings: Settings, yes: bool, dry_run: bool) -> None:
    """Deletes the stack and says what stays. Refuses while a night, a cluster or a job runs."""
    stack = stacks.describe(aws, settings)
    if stack is None:
        print(f"stack {settings.stack} does not exist in {settings.region}: nothing to delete")
        return
    if stack.status.endswith("_IN_PROGRESS") and stack.status != "REVIEW_IN_PROGRESS":
        problem = stacks.obstacle(aws, settings, stack)
        if problem:
            raise problem
    _idle(aws, settings, stack)
    if stack.termination_protection:
        raise ConfigurationError(
            f"stack {settings.stack} has termination protection",
            hints=(
                aws.command(
                    "cloudformation",
                    "update-termination-protection",
                    stack_name=settings.stack,
                    no_enable_termination_protection=True,
                ),
            ),
        )
    if dry_run:
        print(f"would delete stack {settings.stack} in {settings.region}; state {stack.status}")
        _stays(settings, stack)
        return
    if not yes:
        raise ConfigurationError(
            f"destroy deletes stack {settings.stack} in {settings.region}; give --yes, or --dry-run"
            " to see more"
        )
    application = stack.outputs.get("ServerlessApplication")
    if application:
        serverless.stop(aws, application, time.sleep)
    aws.call("cloudformation", "delete-stack", stack_name=settings.stack)
    try:
        aws.text("cloudformation", "wait stack-delete-complete", stack_name=settings.stack)
    except AwsError as e:
        after = stacks.describe(aws, settings)
        problem = stacks.obstacle(aws, settings, after) if after else None
        if problem or after:
            raise (problem or e.command_error()) from None
    print(f"stack {settings.stack} is deleted")
    _stays(settings, stack)


def _idle(aws: Aws, settings: Settings, stack: stacks.Stack) -> None:
    """Raises OutsideError with everything that runs."""
    busy, hints = [], []
    machine = stack.outputs.get("StateMachine")
    if machine:
        running = _or_none(
            aws, "stepfunctions", "list-executions", state_machine_arn=machine, status_filter="RUNNING"
        )
        for each in running.get("executions", []):
            busy.append(f"execution {each['name']} is running")
            hints.append(f"rollup-aws run {settings.path} --follow {each['executionArn']}")
    clusters = aws.call("emr", "list-clusters", active=True).get("Clusters", [])
    for each in clusters:
        if each["Name"] == settings.stack:
            busy.append(f"cluster {each['Id']} is in state {each['Status']['State']}")
            hints.append(aws.command("emr", "terminate-clusters", cluster_ids=[each["Id"]]))
    application = stack.outputs.get("ServerlessApplication")
    if application:
        for each in serverless.active_jobs(aws, application):
            busy.append(f"job {each['id']} is in state {each['state']}")
            hints.append(serverless.cancel(aws, application, each))
    if busy:
        raise OutsideError(*busy, "nothing was deleted: wait for the end, or stop it", hints=tuple(hints))


def _or_none(aws: Aws, service: str, operation: str, **options: object) -> dict:
    """A half deleted stack may have lost the thing."""
    try:
        return aws.call(service, operation, **options)
    except AwsError as e:
        if e.absent or e.code == "StateMachineDoesNotExist":
            return {}
        raise


def _stays(settings: Settings, stack: stacks.Stack) -> None:
    print("What stays:")
    if stack.outputs.get("LogBucket"):
        print(f"  s3://{stack.outputs['LogBucket']}: reports and logs, and the KMS key that encrypts them")
    print(f"  {settings.artifact_root}: the artifacts")
    print(f"  {settings.backup_root}: the backup, its notifications, and all exported nights")
    print("  the rules of the brokers' security group, service-linked roles, the secret of Kafka")
