"""rollup-aws destroy: deletes the stack, unless it works."""

import time

from . import activity, serverless
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, ConfigurationError
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
    activity.require_none(aws, settings, stack, "nothing was deleted")
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


def _stays(settings: Settings, stack: stacks.Stack) -> None:
    print("What stays:")
    if stack.outputs.get("LogBucket"):
        print(f"  s3://{stack.outputs['LogBucket']}: reports and logs, and the KMS key that encrypts them")
    print(f"  {settings.artifact_root}: the artifacts")
    print(f"  {settings.backup_root}: the backup, its notifications, and all exported nights")
    print("  the rules of the brokers' security group, service-linked roles, the secret of Kafka")
