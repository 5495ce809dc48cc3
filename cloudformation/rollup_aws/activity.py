"""What runs in a stack: executions of its state machine, clusters, job runs."""

from . import executions, serverless
from . import stack as stacks
from .aws import Aws
from .errors import OutsideError
from .settings import Settings, command


def require_none(aws: Aws, settings: Settings, stack: stacks.Stack, consequence: str) -> None:
    """Raises OutsideError with everything that runs, and with the consequence."""
    busy, hints = [], []
    machine = stack.outputs.get("StateMachine")
    for each in executions.running(aws, machine) if machine else []:
        busy.append(f"execution {each['name']} is running")
        hints.append(command(settings, "run", "--follow", each["executionArn"]))
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
