"""The stack in CloudFormation: its state, its outputs, and why it failed."""

from dataclasses import dataclass, field
from typing import Optional

from .aws import Aws
from .errors import AwsError, CommandError, ConfigurationError, OutsideError
from .settings import Settings, command

# REVIEW_IN_PROGRESS is a change set without a stack: the next one replaces it.
_SOUND = {"CREATE_COMPLETE", "UPDATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"}


@dataclass
class Stack:
    """A stack as CloudFormation describes it."""

    status: str
    reason: str = ""
    outputs: dict = field(default_factory=dict)
    parameters: dict = field(default_factory=dict)
    termination_protection: bool = False

    def output(self, name: str) -> str:
        """An output that every version of the template since rollup-aws has."""
        if name not in self.outputs:
            raise ConfigurationError(
                f"the stack has no output {name}: it was not deployed by this version of rollup-aws;"
                " deploy it"
            )
        return self.outputs[name]


def describe(aws: Aws, settings: Settings) -> Optional[Stack]:
    """The stack, or None if there is none."""
    try:
        answer = aws.call("cloudformation", "describe-stacks", stack_name=settings.stack)
    except AwsError as e:
        if e.absent:
            return None
        raise
    found = [each for each in answer["Stacks"] if each["StackStatus"] != "DELETE_COMPLETE"]
    if not found:
        return None
    stack = found[0]
    return Stack(
        stack["StackStatus"],
        stack.get("StackStatusReason", ""),
        {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])},
        {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])},
        stack.get("EnableTerminationProtection", False),
    )


def deployed(aws: Aws, settings: Settings) -> Stack:
    """The stack, which must be there and complete. Raises ConfigurationError or OutsideError."""
    stack = describe(aws, settings)
    if stack is None:
        raise ConfigurationError(
            f"stack {settings.stack} does not exist in {settings.region}",
            hints=(command(settings, "deploy"),),
        )
    if stack.status == "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS":
        return stack  # what it has now is complete
    problem = obstacle(aws, settings, stack)
    if problem:
        raise problem
    if stack.status == "REVIEW_IN_PROGRESS":
        raise ConfigurationError(
            f"stack {settings.stack} has no resources yet: a change set was made, and never executed",
            hints=(command(settings, "deploy"),),
        )
    return stack


def obstacle(aws: Aws, settings: Settings, stack: Stack) -> Optional[CommandError]:
    """What prevents an update of the stack, with the way out; None if nothing does."""
    status = stack.status
    name = f"stack {settings.stack} is in state {status}"
    destroy = command(settings, "destroy", "--yes")
    deploy = command(settings, "deploy")
    if status in _SOUND:
        return None
    if status.endswith("_IN_PROGRESS"):
        kind = {"CREATE": "create", "DELETE": "delete", "UPDATE": "update"}.get(status.split("_")[0])
        if "ROLLBACK" in status:
            kind = "rollback" if kind else None
        name_of = {"stack_name": settings.stack}
        if kind is None:  # no waiter of the AWS CLI ends in ROLLBACK_COMPLETE
            hint = aws.command("cloudformation", "describe-stacks", **name_of, query="Stacks[0].StackStatus")
        else:
            hint = aws.command("cloudformation", f"wait stack-{kind}-complete", **name_of)
        return OutsideError(f"{name}: wait until it ends", hints=(hint,))
    causes = reasons(aws, settings.stack)
    why = ": " + "; ".join(causes) if causes else ""
    if status in ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED"):
        return ConfigurationError(
            f"{name}{why}. The first creation failed; CloudFormation cannot update such a stack. Mend the"
            " cause, delete the stack, deploy again",
            hints=(destroy, deploy),
        )
    if status == "DELETE_FAILED":
        return ConfigurationError(
            f"{name}{why}. Delete the stack again; if a security group remains, revoke the rules that"
            " name other groups first",
            hints=(destroy,),
        )
    if status == "UPDATE_ROLLBACK_FAILED":
        return ConfigurationError(
            f"{name}{why}. The update failed, and its rollback too. Mend the cause, continue the rollback"
            " (--resources-to-skip leaves out what cannot be mended), then deploy again",
            hints=(
                aws.command("cloudformation", "continue-update-rollback", stack_name=settings.stack),
                deploy,
            ),
        )
    return None


def reasons(aws: Aws, stack: str, depth: int = 2) -> list:
    """Why the last operation failed: the first failed resources, in nested stacks too."""
    try:
        events = aws.call("cloudformation", "describe-stack-events", stack_name=stack, max_items=200)
    except AwsError:
        return []
    found = []
    for event in events.get("StackEvents", []):  # newest first
        if event.get("ResourceType") == "AWS::CloudFormation::Stack" and event.get(
            "PhysicalResourceId"
        ) == event.get("StackId"):
            started = event["ResourceStatus"] in (
                "CREATE_IN_PROGRESS",
                "UPDATE_IN_PROGRESS",
                "DELETE_IN_PROGRESS",
            )
            if started:
                break
            continue
        if not event.get("ResourceStatus", "").endswith("_FAILED"):
            continue
        reason = event.get("ResourceStatusReason", "no reason given")
        if "cancelled" in reason.lower():
            continue
        if event.get("ResourceType") == "AWS::CloudFormation::Stack" and depth:
            inner = reasons(aws, event["PhysicalResourceId"], depth - 1)
            if inner:
                found = inner + found
                continue
        found.insert(0, f"{event['LogicalResourceId']}: {reason}")
    return found[:5]
