"""A stack that is deployed: whether somebody would learn that its nights fail."""

from .. import operation
from .. import stack as stacks
from ..settings import command
from . import OK, WARNING, Context, Finding


def notifications(context: Context) -> list:
    """Alarms, who receives them, and dead letters."""
    settings, aws = context.settings, context.aws
    stack = stacks.describe(aws, settings)
    if stack is None or not stack.outputs.get("Topic"):
        return []
    thing = "alarms"
    findings = []
    known = operation.alarms(aws, settings, stack)
    for each in known:
        if each["state"] == "ALARM":
            text = f"{each['name']} is in ALARM since {each['since']}: {each['reason']}"
            findings.append(Finding(WARNING, thing, text, (command(settings, "status"),)))
    if not known:
        text = f"none notifies {stack.outputs['Topic']}: deploy again, or somebody has deleted them"
        findings.append(Finding(WARNING, thing, text))
    receivers = operation.receivers(aws, stack)
    if receivers["pending"]:
        text = f"{', '.join(receivers['pending'])} has not confirmed the mail of SNS, and receives nothing"
        findings.append(Finding(WARNING, thing, text))
    if not receivers["confirmed"] and not receivers["pending"]:
        findings.append(Finding(WARNING, thing, "nobody receives them", (operation.subscribe(aws, stack),)))
    letters = operation.messages(aws, stack.output("DeadLetters"))
    if letters:
        text = f"{letters}: exports that started no night; DeadLettersAlarm in docs/aws-reference.md"
        findings.append(Finding(WARNING, "dead letters", text))
    return findings or [Finding(OK, thing, f"{len(known)}, received by {', '.join(receivers['confirmed'])}")]


def catch_up(context: Context) -> list:
    """What happens after more failed nights than CatchUpDays."""
    settings = context.settings
    days = settings["CatchUpDays"]
    text = (
        f"after more than {days} nights without success no night runs the oldest days: DaysGivenUpAlarm, and"
        " rollup-aws status names them"
    )
    if settings["LateData"] == "off":
        text += "; they stay without rollups"
    else:
        text += (
            "; until they are run, each night searches late data back to the day before them, and fails if"
            " that is more than --max-changed-rows"
        )
    return [Finding(OK, "CatchUpDays", text)]
