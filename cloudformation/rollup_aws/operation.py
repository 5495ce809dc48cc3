"""What a person must know of a deployed stack: its alarms, who receives them, messages of its queues."""

import re

from . import stack as stacks
from .aws import Aws
from .settings import Settings


def alarms(aws: Aws, settings: Settings, stack: stacks.Stack) -> list:
    """The alarms that notify the stack's topic, by name: name, state, since, reason."""
    topic = stack.output("Topic")
    found = aws.call("cloudwatch", "describe-alarms", alarm_name_prefix=f"{settings.stack}-")
    return sorted(
        (
            {
                "name": _short(each["AlarmName"]),
                "state": each["StateValue"],
                "since": str(each.get("StateTransitionedTimestamp") or each.get("StateUpdatedTimestamp", "")),
                "reason": each.get("StateReason", ""),
            }
            for each in found.get("MetricAlarms", [])
            if topic in each.get("AlarmActions", [])
        ),
        key=lambda each: each["name"],
    )


def _short(name: str) -> str:
    """The name in the template, of one that CloudFormation made: STACK-Alarms-1A2B-NoSuccessAlarm-3C4D."""
    made = re.search(r"-(\w+Alarm)-\w+$", name)
    return made[1] if made else name


def receivers(aws: Aws, stack: stacks.Stack) -> dict:
    """The subscriptions of the stack's topic: the confirmed and the pending endpoints."""
    topic = stack.output("Topic")
    found = aws.call("sns", "list-subscriptions-by-topic", topic_arn=topic)["Subscriptions"]
    confirmed = [each["Endpoint"] for each in found if each["SubscriptionArn"].startswith("arn:")]
    pending = [each["Endpoint"] for each in found if each["SubscriptionArn"] == "PendingConfirmation"]
    return {"confirmed": confirmed, "pending": pending}


def subscribe(aws: Aws, stack: stacks.Stack) -> str:
    """The command that subscribes a mail address to the topic."""
    return aws.command(
        "sns",
        "subscribe",
        topic_arn=stack.output("Topic"),
        protocol="email",
        notification_endpoint="ADDRESS",
    )


def messages(aws: Aws, queue: str) -> int:
    """About how many messages a queue has, those that are hidden until their next delivery too."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = aws.call("sqs", "get-queue-attributes", queue_url=queue, attribute_names=names)
    return sum(int(found.get("Attributes", {}).get(name, 0)) for name in names)
