"""rollup-aws status: the days, what runs, what it cost, and what a person must do."""

import json
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, Callable, Optional

from . import errors, operation, reports, run
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, CommandError, ConfigurationError
from .settings import Settings, command

MAX_DAYS = 400
"""The default of ReportRetentionDays."""

_FAILURES = 10
"""Number of the newest executions that failed, whose causes are read."""

_JOB_RUNS = 300
_TEXT = 300
"""Characters of a cause or a message."""

_JOB = re.compile(r"(rollup|coverage|load|verify|tiers plan|tiers prove) (\d{4}-\d{2}-\d{2})")
"""The name that lambda-trigger gives to a job run."""

_BILLED = ("vCPUHour", "memoryGBHour", "storageGBHour")


@dataclass(frozen=True)
class Request:
    """What the command line of status says."""

    days: int = 14
    json: bool = False
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)


def status(aws: Aws, settings: Settings, request: Request) -> int:
    """Prints what is known. The exit code: 2 if a person must do something, 3 if AWS did not answer."""
    stack = stacks.describe(aws, settings)
    if stack is None or not stack.outputs.get("LogBucket"):
        raise ConfigurationError(
            f"stack {settings.stack} is not deployed in {settings.region}",
            hints=(command(settings, "deploy"),),
        )
    look = _Look(aws, settings, stack, request)
    found = look.all()
    if request.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)
    if found["problems"]:
        return errors.CONFIGURATION
    return errors.OUTSIDE if look.repeat else errors.DONE


class _Look:
    """One look at everything."""

    def __init__(self, aws: Aws, settings: Settings, stack: stacks.Stack, request: Request):
        self.aws = aws
        self.settings = settings
        self.stack = stack
        self.bucket = stack.output("LogBucket")
        self.now = request.now()
        self.unknown: list = []
        self.loads: Optional[dict] = None
        self.verified: dict = {}
        self.repeat = False  # whether a part is unknown because AWS did not answer
        self.before = int(settings["DaysBeforeSnapshot"])
        self.last = self.now.date() - timedelta(days=self.before)
        self.first = self.last - timedelta(days=request.days - 1)

    def all(self) -> dict:
        parts = {
            "alarms": lambda: operation.alarms(self.aws, self.settings, self.stack),
            "receivers": lambda: operation.receivers(self.aws, self.stack),
            "deadLetters": lambda: operation.messages(self.aws, self.stack.output("DeadLetters")),
            "exportsWaiting": lambda: operation.messages(self.aws, self.stack.output("Queue")),
            "executions": self.executions,
            "exported": self.exported,
            "reports": self.reports,
            "loads": lambda: self.commands("load", not self.settings.has_kafka),
            "verifications": lambda: self.commands("verify", bool(self.settings["VerifySample"])),
            "cost": self.cost,
        }
        with ThreadPoolExecutor(max_workers=6) as pool:
            values = dict(zip(parts, pool.map(lambda part: self.part(*part), parts.items())))
        executions = values.pop("executions") or []
        self.loads = values.pop("loads")
        self.verified = values.pop("verifications") or {}
        days = self.days(values.pop("reports"), values.pop("exported"), executions, values["cost"])
        found = {
            "v": 1,
            "stack": self.settings.stack,
            "region": self.settings.region,
            "state": self.stack.status,
            "at": self.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "days": days,
            "running": [each for each in executions if each["status"] == "RUNNING"],
            **values,
            "unknown": self.unknown,
        }
        return {**found, "problems": self.problems(found)}

    def part(self, name: str, look: Callable[[], Any]) -> Any:
        """What a look finds; None, with the reason in unknown, if AWS does not tell."""
        try:
            return look()
        except AwsError as e:
            self.unknown.append(f"{name}: {e.operation}: {e.code}: {e.message}")
            self.repeat = self.repeat or e.temporary
        except CommandError as e:
            self.unknown.append(f"{name}: {e}")
        return None

    def executions(self) -> list:
        """What runs, and the newest that have failed; of each its days and its error."""
        machine = self.stack.output("StateMachine")
        try:
            listed = self.aws.call(
                "stepfunctions", "list-executions", state_machine_arn=machine, max_items=200
            ).get("executions", [])
        except AwsError as e:
            if e.absent or e.code == "StateMachineDoesNotExist":
                return []
            raise
        chosen = [each for each in listed if each["status"] == "RUNNING"]
        chosen += [each for each in listed if each["status"] not in ("RUNNING", "SUCCEEDED")][:_FAILURES]
        return _parallel(self.execution, chosen)

    def execution(self, listed: dict) -> dict:
        described = self.aws.call("stepfunctions", "describe-execution", execution_arn=listed["executionArn"])
        try:
            days = json.loads(described["input"])["days"]
        except (ValueError, RecursionError, KeyError, TypeError):
            days = []  # started by hand
        error = ": ".join(each for each in (described.get("error"), described.get("cause")) if each)
        return {
            "execution": listed["executionArn"],
            "name": listed["name"],
            "status": listed["status"],
            "started": _written(described.get("startDate")),
            "days": [day for day in days if run.is_date(day)] if isinstance(days, list) else [],
            "error": error[:_TEXT],
        }

    def exported(self) -> list:
        """ISO dates of the exported nights."""
        prefix = self.settings["BackupPrefix"]
        if self.settings["StartOn"] == "MARKER":
            return run.marker_dates(run.names(self.aws, self.settings, f"{prefix}/_EXPORTED/"))
        return run.nights(self.settings, run.names(self.aws, self.settings, f"{prefix}/.hbase-snapshot/"))

    def reports(self) -> dict:
        """The reports by day: of the days since the first one that ever had a report, and of the last one."""
        known = reports.days(self.aws, self.bucket)
        first = max(str(self.first), known[0]) if known else str(self.last)
        count = max(0, (self.last - date.fromisoformat(first)).days)
        days = [str(self.last - timedelta(days=back)) for back in range(count, -1, -1)]
        present = set(known)
        found = _parallel(lambda day: self.report(day) if day in present else None, days)
        return dict(zip(days, found))

    def commands(self, name: str, is_run: bool) -> Optional[dict]:
        """The reports of a command by day; None if nights do not run it."""
        if not is_run:
            return None
        known = [day for day in reports.days(self.aws, self.bucket, f"{name}-") if day >= str(self.first)]
        return dict(zip(known, _parallel(lambda day: self.report(f"{name}-{day}"), known)))

    def report(self, key: str) -> Optional[dict]:
        return reports.read(self.aws, self.bucket, f"reports/{key}.json")

    def cost(self) -> Optional[dict]:
        """Resource utilization that AWS has billed: of job runs by day; of clusters, normalized hours."""
        since = f"{self.first + timedelta(days=self.before)}T00:00:00Z"
        if not self.settings.serverless:
            listed = self.aws.call("emr", "list-clusters", created_after=since).get("Clusters", [])
            return {
                "clusters": [
                    {
                        "id": each["Id"],
                        "state": each["Status"]["State"],
                        "normalizedInstanceHours": each.get("NormalizedInstanceHours"),
                    }
                    for each in listed
                    if each["Name"] == self.settings.stack
                ]
            }
        application = self.stack.output("ServerlessApplication")
        listed = self.aws.call(
            "emr-serverless", "list-job-runs", application_id=application, created_at_after=since
        ).get("jobRuns", [])
        named = [(_JOB.fullmatch(each.get("name") or ""), each["id"]) for each in listed]
        named = [(match[2], job) for match, job in named if match][:_JOB_RUNS]
        billed = _parallel(lambda each: self.billed(application, each[1]), named)
        days: dict = {}
        for (day, _), used in zip(named, billed):
            total = days.setdefault(day, {"jobRuns": 0, **dict.fromkeys(_BILLED, 0.0)})
            total["jobRuns"] += 1
            for name in _BILLED:
                total[name] = round(total[name] + float(used.get(name) or 0), 3)
        return {"days": days}

    def billed(self, application: str, job: str) -> dict:
        found = self.aws.call("emr-serverless", "get-job-run", application_id=application, job_run_id=job)
        return found["jobRun"].get("billedResourceUtilization") or {}

    def days(
        self, found: Optional[dict], exported: Optional[list], executions: list, cost: Optional[dict]
    ) -> Optional[list]:
        """The state of each day: done, running, failed, missing, waiting."""
        if found is None:
            return None
        billed = (cost or {}).get("days", {})
        days = []
        for day, report in found.items():
            state, reason = self.state(day, report, exported, executions)
            entry = {"day": day, "state": state, "reason": reason}
            if report:
                entry |= {
                    "rollups": report.get("rollups"),
                    "seconds": _seconds(report),
                    "rowsFailed": run.total((report.get("rows") or {}).get("failed")),
                }
            if day in billed:
                entry["billed"] = billed[day]
            if state == "done":
                entry |= self.after(day, report, executions)
            if state in ("failed", "missing") and exported:
                entry["next"] = self.next(day, exported)
            days.append(entry)
        return days

    def after(self, day: str, report: dict, executions: list) -> dict:
        """What the commands tell that follow the run of a day."""
        told = {}
        running = any(each["status"] == "RUNNING" and day in each["days"] for each in executions)
        if self.loads is not None and not running:
            told["load"] = run.loading(report, self.loads.get(day))[:_TEXT]
        if day in self.verified:
            told["verification"] = run.verification(report, self.verified[day])[:_TEXT]
        return told

    def state(  # noqa: PLR0911  one for each reason
        self, day: str, report: Optional[dict], exported: Optional[list], executions: list
    ) -> tuple:
        """The state of a day, and the reason."""
        why = "" if report is None else reports.why_not_done(report, day)
        for each in executions:
            if each["status"] == "RUNNING" and day in each["days"]:
                if report and not why and str(report.get("ended"))[:19] >= each["started"][:19]:
                    return "done", ""
                partitions = (report or {}).get("partitionsFinished")
                running = report and report.get("state") == "running" and partitions is not None
                return "running", f"{partitions} partitions finished" if running else each["name"]
        if report is not None and not why:
            return "done", ""
        failure = next((each for each in executions if day in each["days"] and each["error"]), None)
        if report is not None:
            return "failed", why[:_TEXT]
        if failure:
            return "failed", f"{failure['name']}: {failure['error']}"
        night = str(date.fromisoformat(day) + timedelta(days=self.before))
        if exported is None:
            return "missing", "no report"
        if night in exported:
            return "missing", f"night {night} is exported, and has no report: no execution, or it still waits"
        if night == str(self.now.date()):
            return "waiting", f"night {night} is not exported yet"
        return "missing", f"night {night} is not exported"

    def next(self, day: str, exported: list) -> str:
        """What runs a day: the next night, or a command."""
        own = date.fromisoformat(exported[-1]) - timedelta(days=self.before)
        if date.fromisoformat(day) > own - timedelta(days=int(self.settings["CatchUpDays"])):
            return "the next night"
        return command(self.settings, "run", "--day", day)

    def problems(self, found: dict) -> list:
        """What a person must look at; texts."""
        problems = []
        obstacle = stacks.obstacle(self.aws, self.settings, self.stack)
        if obstacle and self.stack.status != "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS":
            problems += obstacle.problems
        if found["alarms"] == []:
            problems.append("no alarm notifies the topic of the stack")
        for each in found["alarms"] or []:
            if each["state"] == "ALARM":
                problems.append(f"{each['name']} is in ALARM since {each['since']}: {each['reason'][:_TEXT]}")
        receivers = found["receivers"]
        if receivers is not None:
            problems += [f"{each} has not confirmed the mail of SNS" for each in receivers["pending"]]
            if not receivers["confirmed"]:
                problems.append(f"nobody receives alarms: {operation.subscribe(self.aws, self.stack)}")
        if found["deadLetters"]:
            problems.append(
                f"{found['deadLetters']} dead letters: exports that started no night; DeadLettersAlarm in"
                " docs/aws-reference.md"
            )
        for each in found["days"] or []:
            if each["state"] in ("failed", "missing"):
                then = f"; then: {each['next']}" if "next" in each else ""
                problems.append(f"{each['day']} {each['state']}: {each['reason']}{then}")
            for name, section in (("load", "hfiles"), ("verification", "verification")):
                if each.get(name, "").startswith("not"):
                    problems.append(f"{each['day']} {each[name]}; docs/aws-reference.md#{section}")
        return problems


def _parallel(look: Callable, items: Iterable) -> list:
    with ThreadPoolExecutor(max_workers=6) as pool:
        return list(pool.map(look, items))


def _written(value: Any) -> str:
    """A time of either version of the AWS CLI, as reports write it."""
    time = run.instant(value)
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") if time else ""


def _seconds(report: dict) -> Optional[int]:
    began, ended = run.instant(report.get("started")), run.instant(report.get("ended"))
    return round((ended - began).total_seconds()) if began and ended else None


def _print(found: dict) -> None:
    print(f"stack {found['stack']} in {found['region']}: {found['state']}")
    for each in found["days"] or []:
        print(f"{each['day']}  {each['state']:8}{_details(each)}")
    for each in found["running"]:
        print(f"running since {each['started']}: {each['name']}, days {', '.join(each['days'])}")
    if found["exportsWaiting"]:
        print(f"about {found['exportsWaiting']} messages about exports wait for their next check")
    clusters = (found["cost"] or {}).get("clusters", [])
    for each in clusters:
        print(f"cluster {each['id']}: {each['state']}, {each['normalizedInstanceHours']} normalized hours")
    if found["alarms"]:
        print(f"{len(found['alarms'])} alarms")
    if (found["receivers"] or {}).get("confirmed"):
        print(f"alarms go to {', '.join(found['receivers']['confirmed'])}")
    for each in found["problems"]:
        print(f"PROBLEM  {each}")
    for each in found["unknown"]:
        print(f"unknown  {each}")


def _details(day: dict) -> str:
    parts = [day["reason"]] if day["reason"] else []
    if day["state"] == "done":
        if day.get("seconds") is not None:
            parts.append(f"{-(-day['seconds'] // 60)} min")
        parts.append(f"{day.get('rollups') or 0} rollups")
        if day.get("rowsFailed"):
            parts.append(f"{day['rowsFailed']} rows failed")
        parts += [day[name] for name in ("load", "verification") if day.get(name)]
    if "billed" in day:
        billed = day["billed"]
        parts.append(
            f"billed {billed['vCPUHour']:g} vCPU hours, {billed['memoryGBHour']:g} GB hours of memory,"
            f" {billed['storageGBHour']:g} of storage"
        )
    return "  " + ", ".join(parts) if parts else ""
