"""rollup-aws run: starts a night, follows it, prints the books of its reports."""

import json
import re
import secrets
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, Callable, Optional

from . import errors, reports
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, BadInputError, ConfigurationError, OutsideError
from .settings import Settings, command, written

MAX_DAYS = 31
"""The state of an execution holds the commands of all days; Step Functions limits it to 256 KiB."""

_VERIFIED_DAYS = 7
"""A night verifies days of the last 7: lambda-trigger's PrepareTask."""


@dataclass(frozen=True)
class Request:
    """What the command line of run says."""

    days: list  # ISO dates; empty for the newest night's
    snapshot: Optional[str] = None  # ISO date; None for the newest
    again: bool = False
    follow: Optional[str] = None  # ARN of an execution to follow instead of a new one
    wait: bool = True
    poll_seconds: float = 30
    dry_run: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    sleep: Callable[[float], None] = time.sleep


def run(aws: Aws, settings: Settings, request: Request) -> int:
    """Starts an execution, or follows the one that the request names. Returns the exit code."""
    stack = stacks.deployed(aws, settings)
    execution = request.follow
    if execution is not None:
        days = _days(aws, execution)
    else:
        days, call = _start(aws, settings, stack, request)
        if request.dry_run:
            print("would run: " + aws.command("stepfunctions", "start-execution", **call))
            return errors.DONE
        execution = aws.call("stepfunctions", "start-execution", **call)["executionArn"]
        print(f"started execution {execution} for {', '.join(days)}", flush=True)
    follow = command(settings, "run", "--follow", execution)
    if not request.wait:
        print(f"to follow it: {follow}")
        return errors.DONE
    try:
        ended = _wait(aws, stack, execution, days, request)
    except KeyboardInterrupt:
        raise OutsideError("stopped following; the execution goes on", hints=(follow,)) from None
    return _books(aws, settings, stack, ended, days)


def _start(aws: Aws, settings: Settings, stack: stacks.Stack, request: Request) -> tuple:
    """The days, and the options of start-execution."""
    night = _night(aws, settings, request.snapshot)
    days = request.days or [str(night["date"] - timedelta(days=int(settings["DaysBeforeSnapshot"])))]
    _check(days, night)
    lacking = missing(aws, settings, night)
    if lacking:
        raise BadInputError(
            f"the snapshots of {night['date']} are not complete, so the night would fail: without"
            f" {', '.join(lacking)}",
            hints=(f"{export_command(settings)} --date {night['date']} --overwrite",),
        )
    started = request.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    content = {
        "v": 1,
        "root": settings.backup_root,
        "dataSnapshot": night["dataSnapshot"],
        "uidSnapshot": night["uidSnapshot"],
        "days": days,
        **({"notBefore": started} if request.again else {}),
    }
    return days, {
        "state_machine_arn": stack.output("StateMachine"),
        # Step Functions reserves a name for 90 days.
        "name": f"manual-{days[0]}-{re.sub('[-:]', '', started)}-{secrets.token_hex(2)}",
        "input": written(content),
    }


def _check(days: list, night: dict) -> None:
    problems = []
    if len(days) > MAX_DAYS:
        problems.append(
            f"{len(days)} days, at most {MAX_DAYS} in one execution: start several, one after the other"
        )
    for day in days:
        # The snapshot is taken on its date or later; the job checks the time.
        if date.fromisoformat(day) >= night["date"]:
            problems.append(f"day {day} had not ended when snapshot {night['dataSnapshot']} was taken")
    if problems:
        raise ConfigurationError(*problems)


def _night(aws: Aws, settings: Settings, snapshot: Optional[str]) -> dict:
    """The snapshots of a date, or of the newest: from the marker, or from the pattern and the names."""
    if settings["StartOn"] == "MARKER":
        keys = names(aws, settings, f"{settings['BackupPrefix']}/_EXPORTED/")
        days = marker_dates(keys)
        day = snapshot or (days[-1] if days else None)
        if day is None or day not in days:
            raise ConfigurationError(
                f"no marker {settings.backup_root}/_EXPORTED/{day or 'DATE'}.json:"
                " the night was not exported",
                hints=(export_command(settings) + (f" --date {day}" if day else ""),),
            )
        return marked(aws, settings, day)
    days = nights(settings, names(aws, settings, f"{settings['BackupPrefix']}/.hbase-snapshot/"))
    day = snapshot or (max(days) if days else None)
    if day is None or day not in days:
        raise ConfigurationError(
            f"{settings.backup_root}/.hbase-snapshot/ has no pair of snapshots {day or ''}".rstrip(),
            hints=(export_command(settings),),
        )
    return named(settings, day)


def marker_dates(keys: list) -> list:
    """ISO dates of markers, oldest first, by their names."""
    return sorted(key[:-5] for key in keys if key.endswith(".json") and is_date(key[:-5]))


def named(settings: Settings, day: str) -> dict:
    """The night of an ISO date by the names of its snapshots, without a marker."""
    return {
        "date": date.fromisoformat(day),
        "dataSnapshot": snapshot_name(settings, settings["DataTable"], day),
        "uidSnapshot": snapshot_name(settings, settings["UidTable"], day),
    }


def missing(aws: Aws, settings: Settings, night: dict) -> list:
    """The files of a night's snapshots that are not there; HFiles are the trigger's concern."""
    lacking = []
    for snapshot in (night["dataSnapshot"], night["uidSnapshot"]):
        folder = f".hbase-snapshot/{snapshot}/"
        there = names(aws, settings, f"{settings['BackupPrefix']}/{folder}")
        lacking += [folder + name for name in (".snapshotinfo", "data.manifest") if name not in there]
    return lacking


def marked(aws: Aws, settings: Settings, day: str) -> dict:
    """The night of a marker, by its ISO date. Raises BadInputError with the first thing that is wrong with
    it.
    """
    key = f"{settings['BackupPrefix']}/_EXPORTED/{day}.json"
    name = f"s3://{settings['BackupBucket']}/{key}"
    hint = (f"{export_command(settings)} --date {day}",)
    text = aws.read(settings["BackupBucket"], key, settings.backup_region)
    try:
        marker = json.loads(text)
    except (ValueError, RecursionError):
        marker = None
    if not isinstance(marker, dict):
        raise BadInputError(
            f"{name} is no marker of export-snapshots.sh: it is not a JSON object", hints=hint
        )
    if marker.get("date") != day:
        raise BadInputError(
            f"{name}: date must be {day}, as in its name: {errors.shown(marker.get('date'))}", hints=hint
        )
    night = {"date": date.fromisoformat(day)}
    for field in ("dataSnapshot", "uidSnapshot"):
        value = marker.get(field)
        if not isinstance(value, str) or not value.strip():
            raise BadInputError(
                f"{name}: {field} must be the name of a snapshot: {errors.shown(value)}", hints=hint
            )
        night[field] = value
    return night


def names(aws: Aws, settings: Settings, prefix: str) -> list:
    """The names right below a prefix of the backup bucket, without a slash at the end."""
    listed = aws.call(
        "s3api",
        "list-objects-v2",
        region=settings.backup_region,
        bucket=settings["BackupBucket"],
        prefix=prefix,
        delimiter="/",
    )
    keys = [each["Key"] for each in listed.get("Contents", [])]
    keys += [each["Prefix"] for each in listed.get("CommonPrefixes", [])]
    return [key[len(prefix) :].rstrip("/") for key in keys]


def snapshot_name(settings: Settings, table: str, day: str) -> str:
    """The name that SnapshotPattern gives for a table and an ISO date."""
    name = settings["SnapshotPattern"].replace("{table}", table.replace(":", "-"))
    return name.replace("{date}", day.replace("-", ""))


def nights(settings: Settings, snapshots: list) -> list:
    """ISO dates of which both tables have a snapshot, oldest first."""
    uid = settings["UidTable"]
    days = dates(settings, snapshots, settings["DataTable"])
    return [day for day in days if snapshot_name(settings, uid, day) in snapshots]


def dates(settings: Settings, snapshots: list, table: str) -> list:
    """ISO dates of a table's snapshots, oldest first."""
    start, end = snapshot_name(settings, table, "{date}").split("{date}")
    found = []
    for name in snapshots:
        match = re.fullmatch(re.escape(start) + r"(\d{4})(\d{2})(\d{2})" + re.escape(end), name)
        if match and is_date("-".join(match.groups())):
            found.append("-".join(match.groups()))
    return sorted(found)


def export_command(settings: Settings) -> str:
    """The exporter's command, to be run on the side of HBase."""
    root = settings.backup_root.replace("s3://", "s3a://", 1)
    more = ""
    if (settings["DataTable"], settings["UidTable"]) != ("tsdb", "tsdb-uid"):
        more = f" --data-table {settings['DataTable']} --uid-table {settings['UidTable']}"
    if settings["SnapshotPattern"] != "{table}-{date}":
        more += f" --snapshot-pattern '{settings['SnapshotPattern']}'"
    more += "".join(f" --rollup-table {table}" for table in settings.rollup_tables)
    return f"export-snapshots.sh --root {root}{more}"


def _describe(aws: Aws, execution: str) -> dict:
    try:
        return aws.call("stepfunctions", "describe-execution", execution_arn=execution)
    except AwsError as e:
        if e.code.endswith("DoesNotExist") or e.code == "InvalidArn":
            raise ConfigurationError(f"--follow: there is no execution {execution}") from None
        raise


def _days(aws: Aws, execution: str) -> list:
    """The days of an execution that another command or the trigger started."""
    try:
        days = json.loads(_describe(aws, execution)["input"])["days"]
        if isinstance(days, list) and days and all(is_date(day) for day in days):
            return days
    except (ValueError, RecursionError, KeyError, TypeError):
        pass  # the error below
    raise ConfigurationError(f"--follow: {execution} is no night: its input has no days")


def is_date(value: object) -> bool:
    """Whether a value is an ISO date with hyphens, such as 2026-11-21."""
    try:
        return isinstance(value, str) and str(date.fromisoformat(value)) == value
    except ValueError:
        return False


def _wait(aws: Aws, stack: stacks.Stack, execution: str, days: list, request: Request) -> dict:
    shown: dict = {}
    while True:
        found = _describe(aws, execution)
        if found["status"] != "RUNNING":
            return found
        for day in days:
            report = reports.read(aws, stack.output("LogBucket"), f"reports/{day}.json")
            if report and report.get("state") == "running":
                progress = f"{report.get('partitionsFinished')} partitions finished"
                if shown.get(day) != progress:
                    shown[day] = progress
                    print(f"{day}: {progress}", flush=True)
        request.sleep(request.poll_seconds)


def _books(aws: Aws, settings: Settings, stack: stacks.Stack, ended: dict, days: list) -> int:
    status = ended["status"]
    print(f"execution {ended['executionArn']}: {status}")
    codes = []
    for day in days:
        report = reports.read(aws, stack.output("LogBucket"), f"reports/{day}.json")
        print(book(day, report))
        if settings["HBaseCidr"] and report and report.get("exitCode") == errors.DONE:
            kind, told = ("coverage", coverage) if settings.has_kafka else ("load", loading)
            look = reports.read(aws, stack.output("LogBucket"), f"reports/{kind}-{day}.json")
            print(f"  {told(report, look)}")
            look = reports.read(aws, stack.output("LogBucket"), f"reports/tiers-{day}.json")
            for line in tiers(report, look) if settings["TiersTables"] else ():
                print(f"  {line}")
        code = (report or {}).get("exitCode")
        if status != "SUCCEEDED" and report and _is_earlier(report, ended):
            print("  this report is of an earlier run")
            code = None
        codes.append(errors.OUTSIDE if code is None else int(code))
    for line in _verified(aws, settings, stack, ended):
        print(line)
    if status == "SUCCEEDED":
        if any(codes):
            raise errors.CommandError("the execution succeeded, and a report does not say so")
        return errors.DONE
    print(f"error {ended.get('error', 'unknown')}: {ended.get('cause', 'no cause given')}")
    print(f"The meaning of errors: docs/aws-reference.md. Reports: s3://{stack.output('LogBucket')}/reports/")
    # A defect first, then what the user must change, then bad input; otherwise the run can be repeated.
    for code in (errors.DEFECT, errors.CONFIGURATION, errors.BAD_INPUT):
        if code in codes:
            return code
    refused = re.search(
        "AccessDenied|Unauthorized|ValidationException", f"{ended.get('error')} {ended.get('cause')}"
    )
    return errors.CONFIGURATION if refused else errors.OUTSIDE


def _verified(aws: Aws, settings: Settings, stack: stacks.Stack, execution: dict) -> list:
    """Lines about the earlier days that an execution has verified."""
    if not settings["VerifySample"]:
        return []
    bucket, lines = stack.output("LogBucket"), []
    for day in reports.days(aws, bucket, "verify-")[-_VERIFIED_DAYS:]:
        look = reports.read(aws, bucket, f"reports/verify-{day}.json")
        report = reports.read(aws, bucket, f"reports/{day}.json")
        if look and report and not _is_earlier(look, execution):
            lines.append(f"{day}: {verification(report, look) or 'run again since its verification'}")
    return lines


def _is_earlier(report: dict, execution: dict) -> bool:
    """Whether a report was written before an execution began."""
    wrote, began = instant(report.get("ended") or report.get("updated")), instant(execution.get("startDate"))
    return wrote is not None and began is not None and wrote < began


def instant(value: Any) -> Optional[datetime]:
    """A time of a report or of the AWS CLI, whose first version has seconds; None for anything else."""
    try:
        if isinstance(value, (int, float)):
            return datetime.fromtimestamp(int(value), timezone.utc)
        found = datetime.fromisoformat(re.sub(r"\.[0-9]+", "", str(value)).replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def book(day: str, report: Optional[dict]) -> str:
    """One line, or two, about a day's report."""
    if report is None:
        return f"{day}: no report"
    if not report:
        return f"{day}: reports/{day}.json is not a report of rollup-job"
    rows, points, messages = (report.get(name) or {} for name in ("rows", "points", "messages"))
    books = "books close" if report.get("booksClose") else "books do not close"
    text = (
        f"{day}: {report.get('outcome')}, {books}: {rows.get('read', 0)} rows read,"
        f" {points.get('read', 0)} points, {report.get('rollups', 0)} rollups,"
        f" {messages.get('acknowledged', 0)} messages acknowledged, {total(rows.get('failed'))} rows failed"
    )
    if report.get("outcome") != "done" and report.get("message"):
        text += f"\n  {report['message']}"
    return text


def coverage(run_report: dict, look: Optional[dict]) -> str:
    """Whether the rollups of a day that is done are covered, by the report of coverage add."""
    # In whole seconds: fractions have different lengths.
    if not look or str(look.get("started"))[:19] < str(run_report.get("ended"))[:19]:
        return "not covered: no look at its rollups wrote a report, see its log"
    if look.get("exitCode") != errors.DONE:
        return f"not covered, the next execution looks again: {look.get('message')}"
    found = look.get("coverage")
    reason = found.get("reason") if isinstance(found, dict) else None
    return f"not covered: {reason}" if reason else "covered"


def verification(run_report: dict, look: Optional[dict]) -> str:
    """Whether the rollups of a day that is done equal its raw data, by the report of verify; empty if it has
    none since its run.
    """
    if not look or str(look.get("ended"))[:19] < str(run_report.get("ended"))[:19]:
        return ""
    return "verified" if look.get("exitCode") == errors.DONE else f"not verified: {look.get('message')}"


def loading(run_report: dict, load: Optional[dict]) -> str:
    """Whether the HFiles of a day that is done are in HBase, by the report of their load."""
    output = run_report.get("output") if isinstance(run_report.get("output"), dict) else {}
    directory = output.get("hfileDir")
    if not directory:
        return "no HFiles, its rollups were sent to Kafka"
    if not load or load.get("hfileDir") != directory:
        return f"not loaded: no load of {directory} wrote a report, see its log"
    if load.get("exitCode") != errors.DONE:
        return f"not loaded, the next execution loads it: {load.get('message')}"
    found = load.get("coverage")
    reason = found.get("reason") if isinstance(found, dict) else None
    return f"loaded, not covered: {reason}" if reason else "loaded and covered"


def tiers(run_report: dict, look: Optional[dict]) -> list:
    """Lines about what tiers prove has done after the run of a day; none if it did not follow it."""
    if not look or str(look.get("started"))[:19] < str(run_report.get("ended"))[:19]:
        return []
    days = look.get("days") if isinstance(look.get("days"), dict) else {}
    found = f"tiers: {total(days.get('proven'))} days proven, {total(days.get('refused'))} refused"
    if total(days.get("waiting")):
        found += f", {total(days['waiting'])} waiting"
    if total(days.get("notReached")):
        found += f", {total(days['notReached'])} not reached"
    message = f": {look['message']}" if look.get("message") else ""
    return [found + message, *(f"tiers: {warning}" for warning in look.get("warnings") or ())]


def total(value: object) -> int:
    """The sum of counts, which may be given by reason."""
    if isinstance(value, dict):
        return sum(total(each) for each in value.values())
    return int(value) if isinstance(value, (int, float)) else 0
