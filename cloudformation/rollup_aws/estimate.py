"""rollup-aws estimate: what a night reads, how long it takes and what it costs, from the user's own data.

The calculation is that of docs/aws-reference.md, "Cost and time of a night", which has no measurement on AWS.
"""

import json
from dataclasses import dataclass
from datetime import date
from typing import Optional

from . import errors, reports, run
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, ConfigurationError
from .settings import Settings

POINTS_PER_VCPU = 6_900_000
"""Points a second, calculated from the test machine."""

START_MINUTES = {"SERVERLESS": 3, "EMR": 12}
USD_PER_VCPU_HOUR = {"SERVERLESS": 0.0514, "EMR": 0.05}
_SIZES = {"large": 2, "xlarge": 4, "2xlarge": 8, "4xlarge": 16, "8xlarge": 32}
_REPORTS = 14
"""Number of the newest reports among which one of success is looked for."""


@dataclass(frozen=True)
class Request:
    """What the command line of estimate says."""

    points_per_second: Optional[float] = None
    usd_per_vcpu_hour: Optional[float] = None
    json: bool = False


def estimate(aws: Aws, settings: Settings, request: Request) -> int:
    """Prints what a night's report tells, or else the export; with a number of points also time and cost."""
    stack = stacks.describe(aws, settings)
    measured = _measured(aws, stack) if stack and stack.outputs.get("LogBucket") else None
    exported = None if measured else _exported(aws, settings)
    points = (measured or {}).get("points")
    if request.points_per_second:
        points = request.points_per_second * 86400
    found = {
        "v": 1,
        "night": measured,
        "export": exported,
        "estimate": _calculated(settings, request, points) if points else None,
    }
    if request.json:
        print(json.dumps(found, indent=1))
    else:
        _print(settings, found)
    return errors.DONE


def _measured(aws: Aws, stack: stacks.Stack) -> Optional[dict]:
    """The newest night that has succeeded, by its report."""
    bucket = stack.output("LogBucket")
    for day in reversed(reports.days(aws, bucket)[-_REPORTS:]):
        report = reports.read(aws, bucket, f"reports/{day}.json")
        if report and not reports.why_not_done(report, day):
            plan = report.get("plan") if isinstance(report.get("plan"), dict) else {}
            began, ended = run.instant(report.get("started")), run.instant(report.get("ended"))
            return {
                "day": day,
                "hfiles": plan.get("files"),
                "hfilesInWindow": plan.get("filesInWindow"),
                "bytes": plan.get("fileBytes"),
                "windowBytes": plan.get("windowBytes"),
                "points": run.total((report.get("points") or {}).get("read")),
                "rollups": report.get("rollups"),
                "minutes": round((ended - began).total_seconds() / 60, 1) if began and ended else None,
            }
    return None


def _exported(aws: Aws, settings: Settings) -> dict:
    """The HFiles of the data table on S3: of all nights, and those that came with the newest one."""
    namespace, _, table = settings["DataTable"].rpartition(":")
    folder = f"{settings['BackupPrefix']}/archive/data/{namespace or 'default'}/{table}/"
    hfiles = _objects(aws, settings, folder)
    if not hfiles:
        raise ConfigurationError(
            f"s3://{settings['BackupBucket']}/{folder} has no HFiles: no night was exported",
            hints=(run.export_command(settings),),
        )
    markers = _objects(aws, settings, f"{settings['BackupPrefix']}/_EXPORTED/")
    named = {key.rpartition("/")[2]: time for key, _, time in markers}
    nights = run.marker_dates(list(named))
    found = {"hfiles": len(hfiles), "bytes": sum(size for _, size, _ in hfiles)}
    if len(nights) > 1:
        since = run.instant(named[f"{nights[-2]}.json"])
        new = [size for _, size, time in hfiles if run.instant(time) > since]
        days = (date.fromisoformat(nights[-1]) - date.fromisoformat(nights[-2])).days
        found["new"] = {"since": nights[-2], "days": days, "hfiles": len(new), "bytes": sum(new)}
    return found


def _objects(aws: Aws, settings: Settings, prefix: str) -> list:
    """Key, size and time of the objects below a prefix of the backup."""
    try:
        listed = aws.call(
            "s3api",
            "list-objects-v2",
            region=settings.backup_region,
            bucket=settings["BackupBucket"],
            prefix=prefix,
            query="Contents[].[Key,Size,LastModified]",
        )
    except AwsError as e:
        raise e.command_error() from None
    return listed or []


def _calculated(settings: Settings, request: Request, points: float) -> dict:
    """Time and cost of a day with so many points."""
    compute = settings["ComputeKind"]
    if settings.serverless:
        cores = int(settings["WorkerSize"].partition("x")[0])
        working = cores * settings.executors
        billed = working + cores
    else:
        primary, core, task = (
            _SIZES[settings.types(f"{kind}InstanceTypes")[0].partition(".")[2]]
            for kind in ("Primary", "Core", "Task")
        )
        working = task * int(settings["TaskInstances"])
        billed = primary + core * int(settings["CoreInstances"]) + working
    minutes = START_MINUTES[compute] + points / (POINTS_PER_VCPU * working) / 60
    hours = billed * minutes / 60
    price = request.usd_per_vcpu_hour or USD_PER_VCPU_HOUR[compute]
    return {
        "points": round(points),
        "minutes": round(minutes, 1),
        "vCPUHours": round(hours, 2),
        "usdPerVcpuHour": price,
        "usd": round(hours * price, 2),
    }


def _print(settings: Settings, found: dict) -> None:
    night, exported, guess = found["night"], found["export"], found["estimate"]
    if night:
        print(
            f"night of {night['day']}: {_size(night['windowBytes'])} of the day in {night['hfilesInWindow']}"
            f" HFiles, of {_size(night['bytes'])} in {night['hfiles']}; {night['points']:,} points,"
            f" {night['minutes']} min"
        )
        print("  what AWS has billed for it: rollup-aws status")
    if exported:
        table = settings["DataTable"]
        print(f"{table}: {exported['hfiles']} HFiles, {_size(exported['bytes'])}, of all nights")
        new = exported.get("new")
        if new:
            print(
                f"  {new['hfiles']} of them, {_size(new['bytes'])}, came since the export of {new['since']},"
                f" {new['days']} days before: new points, and what HBase has compacted"
            )
    if guess:
        print(
            f"a day of {guess['points']:,} points, calculated: {guess['minutes']} min,"
            f" {guess['vCPUHours']:g} vCPU hours,"
            f" USD {guess['usd']:.2f} at {guess['usdPerVcpuHour']:g} a vCPU hour"
        )
    else:
        print("time and cost: give --points-per-second, of all TSDs")


def _size(count: Optional[int]) -> str:
    """Bytes, in units of 1,000."""
    value = float(count or 0)
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if value < 1000:
            return f"{value:.3g} {unit}"
        value /= 1000
    return f"{value:,.3g} PB"
