"""rollup-aws prune: runs `rollup-job prune` as a job of EMR Serverless."""

import re
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Callable

from . import artifacts, errors, executions, reports
from . import stack as stacks
from .aws import Aws
from .errors import CommandError, ConfigurationError, OutsideError
from .settings import Settings, command

_ENDED = {"SUCCESS", "FAILED", "CANCELLED"}


@dataclass(frozen=True)
class Request:
    """What the command line of prune says."""

    keep: dict  # overrides the file's section prune
    delete: bool = False
    wait: bool = True
    poll_seconds: float = 30
    dry_run: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    sleep: Callable[[float], None] = time.sleep


def prune(aws: Aws, settings: Settings, request: Request) -> int:
    """Plans, or also deletes. Returns the exit code."""
    stack = stacks.deployed(aws, settings)
    missing = [name for name in ("ServerlessApplication", "PruneRole") if not stack.outputs.get(name)]
    if missing:
        raise ConfigurationError(
            f"stack {settings.stack} has no {' and no '.join(missing)}:"
            " set parameters.Prune to ON and deploy",
            hints=(command(settings, "deploy"),),
        )
    values = {**settings.prune, **request.keep}
    if values["keepDays"] + values["keepWeeks"] + values["keepMonths"] == 0:
        raise ConfigurationError(
            "--keep-days, --keep-weeks and --keep-months are 0, which would keep no night"
        )
    if request.delete:
        _no_night_runs(aws, settings, stack)
    started = re.sub("[-:]", "", request.now().strftime("%Y-%m-%dT%H:%M:%SZ")) + f"-{secrets.token_hex(2)}"
    report_key = f"reports/prune/{started}.json"
    arguments = _arguments(
        settings, values, f"s3a://{stack.output('LogBucket')}/{report_key}", request.delete
    )
    call = _call(settings, stack, _jar(aws, settings), arguments, f"prune-{started}")
    if request.dry_run:
        print("would run: " + aws.command("emr-serverless", "start-job-run", **call))
        return errors.DONE
    job = aws.call("emr-serverless", "start-job-run", **call)["jobRunId"]
    application = stack.output("ServerlessApplication")
    look = aws.command("emr-serverless", "get-job-run", application_id=application, job_run_id=job)
    print(f"started job {job}: {'deletes' if request.delete else 'plans only; --delete deletes'}", flush=True)
    if not request.wait:
        print(f"to look at it: {look}")
        return errors.DONE
    try:
        ended = _wait(aws, application, job, request)
    except KeyboardInterrupt:
        raise OutsideError("stopped waiting; the job goes on", hints=(look,)) from None
    return _result(aws, stack, ended, report_key)


def _no_night_runs(aws: Aws, settings: Settings, stack: stacks.Stack) -> None:
    """Raises OutsideError with the executions that run: a job fails if the night that it reads is deleted."""
    busy = executions.running(aws, stack.output("StateMachine"))
    if busy:
        raise OutsideError(
            *(f"execution {each['name']} is running" for each in busy),
            "no night was deleted: wait for the end",
            hints=tuple(command(settings, "run", "--follow", each["executionArn"]) for each in busy),
        )


def _arguments(settings: Settings, values: dict, report: str, delete: bool) -> list:
    return [
        *("prune", "--snapshot-root", settings.backup_root.replace("s3://", "s3a://", 1)),
        *("--table", settings["DataTable"], "--table", settings["UidTable"]),
        *(word for table in settings.rollup_tables for word in ("--table", table)),
        *("--snapshot-pattern", settings["SnapshotPattern"]),
        *("--keep-days", str(values["keepDays"]), "--keep-weeks", str(values["keepWeeks"])),
        *("--keep-months", str(values["keepMonths"]), "--grace", values["grace"]),
        *("--report", report),
        *(["--delete"] if delete else []),
    ]


def _call(settings: Settings, stack: stacks.Stack, jar: str, arguments: list, name: str) -> dict:
    """The options of start-job-run."""
    # One driver; prune has no Spark session, so no executors.
    spark = (
        "--class io.tsdbsuite.rollup.cli.RollupMain"
        " --conf spark.executor.instances=1 --conf spark.dynamicAllocation.enabled=false"
        f" --conf spark.hadoop.fs.s3a.endpoint.region={settings.region}"
        f" --conf spark.hadoop.fs.s3a.bucket.{settings['BackupBucket']}.endpoint.region="
        f"{settings.backup_region}"
    )
    return {
        "application_id": stack.output("ServerlessApplication"),
        "execution_role_arn": stack.output("PruneRole"),
        "name": name,
        "job_driver": {
            "sparkSubmit": {
                "entryPoint": jar,
                "entryPointArguments": arguments,
                "sparkSubmitParameters": spark,
            }
        },
        "tags": {**settings.run_tags, "opentsdb-rollup-stack": settings.stack},
        "configuration_overrides": {
            **_disks(settings, stack),
            "monitoringConfiguration": {
                "managedPersistenceMonitoringConfiguration": {"enabled": False},
                "s3MonitoringConfiguration": {"logUri": f"s3://{stack.output('LogBucket')}/emr/"},
            },
        },
    }


def _disks(settings: Settings, stack: stacks.Stack) -> dict:
    """With EncryptAll the disks as well, as of the nights' job runs."""
    if settings["EncryptAll"] != "ON":
        return {}
    return {"diskEncryptionConfiguration": {"encryptionKeyArn": stack.output("KeyArn")}}


def _jar(aws: Aws, settings: Settings) -> str:
    store = artifacts.Store(aws, settings)
    if any(line.split()[-1] == artifacts.JOB_JAR for line in (store.sums() or "").splitlines() if line):
        return store.uri(artifacts.JOB_JAR)
    raise ConfigurationError(
        f"{store.uri(artifacts.SUMS)} is missing, or lists no {artifacts.JOB_JAR}",
        hints=(command(settings, "upload"),),
    )


def _wait(aws: Aws, application: str, job: str, request: Request) -> dict:
    state = ""
    while True:
        found = aws.call("emr-serverless", "get-job-run", application_id=application, job_run_id=job)[
            "jobRun"
        ]
        if found["state"] != state:
            state = found["state"]
            print(f"job {job}: {state}", flush=True)
        if state in _ENDED:
            return found
        request.sleep(request.poll_seconds)


def _result(aws: Aws, stack: stacks.Stack, ended: dict, report_key: str) -> int:
    uri = f"s3://{stack.output('LogBucket')}/{report_key}"
    report = reports.read(aws, stack.output("LogBucket"), report_key)
    if report is None:
        raise OutsideError(
            f"job {ended['jobRunId']} ended with {ended['state']} and wrote no report:"
            f" {ended.get('stateDetails')}",
            hints=(f"aws s3 ls --recursive s3://{stack.output('LogBucket')}/emr/applications/",),
        )
    if not report:
        raise CommandError(f"{uri} is not a report of rollup-job")
    _print(report)
    print(f"report: {uri}")
    code = report.get("exitCode")
    if code is None or (code == errors.DONE and ended["state"] != "SUCCESS"):
        raise OutsideError(
            f"job {ended['jobRunId']} ended with {ended['state']}: {ended.get('stateDetails')}"
        )
    if code == errors.DONE and report.get("booksClose") is not True:
        raise CommandError(f"job {ended['jobRunId']} succeeded, and the books of its report do not close")
    return int(code)


def _print(report: dict) -> None:
    """The plan or the deletion, its books, and everything that the user should look at."""
    print(f"{report.get('outcome')}: {report.get('message')}")
    for night in report.get("nights", []):
        print(f"  {night.get('date')}  {night.get('state')}: {night.get('reason')}")
    for state, count in (report.get("hfiles") or {}).items():
        print(f"  HFiles {state}: {count.get('files')}, {count.get('bytes')} bytes")
    print(f"  books {'close' if report.get('booksClose') is True else 'do not close'}")
    unknown = report.get("unknown") or {}
    if unknown.get("count"):
        samples = [str(each) for each in unknown.get("samples") or []]
        more = [] if unknown["count"] == len(samples) else ["..."]
        print(f"  unknown files, which stay: {unknown['count']}: {', '.join(samples + more)}")
    for warning in report.get("warnings") or []:
        print(f"  warning: {warning}")
