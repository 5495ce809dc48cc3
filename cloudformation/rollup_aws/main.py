"""The command line of rollup-aws."""

import argparse
import os
import re
import sys
import traceback
from datetime import date, timedelta
from pathlib import Path
from typing import Optional

from . import deploy, destroy, doctor, errors, estimate, prune, run, settings, status, upload
from .aws import Aws
from .errors import AwsError, CommandError, ConfigurationError
from .prune_rules import count_problem, grace_problem

CODES = """exit codes:
  0  done
  1  bad input: of the job, whose report counts it, or a damaged marker of an export
  2  wrong usage, parameter file, or something in the account that you must change
  3  AWS or the network failed, or something is still running: repeat the command
  4  too little memory of the job, or a defect of rollup-aws or of the job
"""

_MAX_POLL_SECONDS = 86400

# These change nothing.
_LOOKS = ("doctor", "status", "estimate")

_COMMANDS = {
    "doctor": (
        "checks the parameter file and the account, and tells all problems at once; changes nothing",
        "rollup-aws doctor night.json",
    ),
    "upload": (
        "sends jars, scripts and configuration to ArtifactBucket, with checksums; never replaces other bytes",
        "rollup-aws upload night.json",
    ),
    "deploy": (
        "creates or updates the stack, waits for it, and tells what remains to do",
        "rollup-aws deploy night.json",
    ),
    "run": (
        "runs the newest exported night, or given days, follows the execution, and prints the books",
        "rollup-aws run night.json --from 2026-10-01 --to 2026-10-31",
    ),
    "status": (
        "tells which days are done, missing or running, what was billed, and which alarms fire",
        "rollup-aws status night.json",
    ),
    "estimate": (
        "tells what a night reads, how long it takes and what it costs, from its report or from the export",
        "rollup-aws estimate night.json --points-per-second 1000000",
    ),
    "prune": (
        "plans which exported nights to remove from the backup; with --delete removes them",
        "rollup-aws prune night.json --keep-days 14",
    ),
    "destroy": (
        "deletes the stack and says what stays; refuses while something runs",
        "rollup-aws destroy night.json --yes",
    ),
}


def _parser() -> argparse.ArgumentParser:
    kind = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="rollup-aws",
        formatter_class=kind,
        description="example: rollup-aws doctor night.json\n\n"
        "Deploys and operates the nightly rollups on AWS, by the AWS CLI and one parameter file\n"
        "(cloudformation/params/example.json). docs/aws.md has the steps.",
        epilog=CODES,
    )
    parser.add_argument("--version", action="version", version=f"rollup-aws {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (text, example) in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=text,
            formatter_class=kind,
            description=f"example: {example}\n\n{name} {text}.",
            epilog=CODES,
        )
        command.add_argument("file", type=Path, metavar="FILE", help="the parameter file, JSON")
        _options(name, command)
    return parser


def _version() -> str:
    """The version of the suite, from the file that installations have."""
    file = settings.ROOT / "VERSION"
    return file.read_text(encoding="utf-8").split("\n")[0] if file.is_file() else "(not packaged)"


def _options(name: str, command: argparse.ArgumentParser) -> None:
    if name not in _LOOKS:
        command.add_argument(
            "--dry-run", action="store_true", help="shows what would be done, and changes nothing"
        )
    if name == "deploy":
        command.add_argument(
            "--role-arn",
            type=_role,
            metavar="ARN",
            help="role with whose rights CloudFormation works; it keeps it for later updates and destroy",
        )
    if name == "run":
        command.add_argument(
            "--day",
            action="append",
            type=_day,
            default=[],
            metavar="DATE",
            help="a day to roll up, UTC; repeatable",
        )
        command.add_argument(
            "--from", dest="first", type=_day, metavar="DATE", help="the first day, with --to"
        )
        command.add_argument("--to", dest="last", type=_day, metavar="DATE", help="the last day, inclusive")
        command.add_argument(
            "--snapshot", type=_day, metavar="DATE", help="the snapshots of this date (default: the newest)"
        )
        command.add_argument("--again", action="store_true", help="also runs days that are done")
        command.add_argument(
            "--follow", type=_execution, metavar="ARN", help="starts nothing, and follows this execution"
        )
    if name == "status":
        command.add_argument(
            "--days", type=_days_back, default=14, metavar="N", help="number of the last days (default 14)"
        )
    if name == "estimate":
        command.add_argument(
            "--points-per-second",
            type=_positive,
            metavar="N",
            help="of all TSDs (default: of the newest night's report)",
        )
        command.add_argument(
            "--usd-per-vcpu-hour",
            type=_positive,
            metavar="USD",
            help="with the memory of a vCPU (default: of a cheaper region)",
        )
    if name in ("status", "estimate"):
        command.add_argument("--json", action="store_true", help="one JSON object")
    if name == "prune":
        command.add_argument(
            "--keep-days", type=_count, metavar="N", help="nights to keep (default: of the file)"
        )
        command.add_argument("--keep-weeks", type=_count, metavar="N", help="weeks whose last night to keep")
        command.add_argument(
            "--keep-months", type=_count, metavar="N", help="months whose last night to keep"
        )
        command.add_argument(
            "--grace", type=_grace, metavar="DURATION", help="age of files to remove, as 7d; 1h or more"
        )
        command.add_argument("--delete", action="store_true", help="deletes; without it the job only plans")
    if name in ("run", "prune"):
        command.add_argument("--no-wait", action="store_true", help="ends when it has started")
        command.add_argument(
            "--poll-seconds",
            type=_seconds,
            default=30,
            metavar="S",
            help="time between two looks (default 30)",
        )
    if name == "destroy":
        command.add_argument("--yes", action="store_true", help="deletes without another question")


def _day(text: str) -> str:
    try:
        return str(date.fromisoformat(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a date, YYYY-MM-DD") from None


def _execution(text: str) -> str:
    if not re.fullmatch(r"arn:[a-z-]+:states:[a-z0-9-]+:[0-9]{12}:execution:[^:\s]+:[^:\s]+", text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not the ARN of an execution, arn:aws:states:REGION:ACCOUNT:execution:MACHINE:NAME"
        )
    return text


def _role(text: str) -> str:
    if not re.fullmatch(r"arn:[a-z-]+:iam::[0-9]{12}:role/[^\s:]+", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not the ARN of a role, arn:aws:iam::ACCOUNT:role/NAME")
    return text


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= _MAX_POLL_SECONDS:  # also false for nan
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0, at most {_MAX_POLL_SECONDS}")
    return seconds


def _count(text: str) -> int:
    count = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else text
    if problem := count_problem(count):
        raise argparse.ArgumentTypeError(problem)
    return int(count)


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number <= 1e12:  # also false for nan
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0, at most 1e12")
    return number


def _days_back(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= status.MAX_DAYS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to {status.MAX_DAYS}")
    return int(text)


def _grace(text: str) -> str:
    if problem := grace_problem(text):
        raise argparse.ArgumentTypeError(problem)
    return text


def _days(options: argparse.Namespace) -> list:
    """The days of run, in order, each once. Raises ConfigurationError."""
    others = (options.day, options.first, options.last, options.snapshot, options.again)
    if options.follow is not None and any(others):
        raise ConfigurationError("--follow starts nothing, so it takes no days, --snapshot or --again")
    if bool(options.first) != bool(options.last):
        raise ConfigurationError("--from and --to need each other")
    days = set(options.day)
    if options.first:
        first, last = date.fromisoformat(options.first), date.fromisoformat(options.last)
        if last < first:
            raise ConfigurationError(f"--to {last} is before --from {first}")
        days |= {str(first + timedelta(days=n)) for n in range((last - first).days + 1)}
    return sorted(days)


def _execute(options: argparse.Namespace) -> int:
    if options.command == "doctor":
        return doctor.doctor(options.file)
    days = _days(options) if options.command == "run" else []
    loaded = settings.load(options.file)
    aws = Aws(loaded.region, loaded.profile)
    aws.require()
    if options.command == "run":
        return run.run(
            aws,
            loaded,
            run.Request(
                days,
                options.snapshot,
                options.again,
                options.follow,
                not options.no_wait,
                options.poll_seconds,
                options.dry_run,
            ),
        )
    if options.command == "status":
        return status.status(aws, loaded, status.Request(options.days, options.json))
    if options.command == "estimate":
        request = estimate.Request(options.points_per_second, options.usd_per_vcpu_hour, options.json)
        return estimate.estimate(aws, loaded, request)
    if options.command == "prune":
        given = {
            "keepDays": options.keep_days,
            "keepWeeks": options.keep_weeks,
            "keepMonths": options.keep_months,
            "grace": options.grace,
        }
        keep = {name: value for name, value in given.items() if value is not None}
        return prune.prune(
            aws,
            loaded,
            prune.Request(keep, options.delete, not options.no_wait, options.poll_seconds, options.dry_run),
        )
    if options.command == "upload":
        upload.upload(aws, loaded, options.dry_run)
    elif options.command == "deploy":
        deploy.deploy(aws, loaded, options.dry_run, options.role_arn)
    else:
        destroy.destroy(aws, loaded, options.yes, options.dry_run)
    return errors.DONE


def main(arguments: Optional[list] = None) -> int:
    """Runs a command. The exit code; errors go to standard error."""
    options = _parser().parse_args(arguments)
    code = errors.DONE
    try:
        code = _run(options)
        if sys.stdout is not None:  # started with a closed one
            sys.stdout.flush()
    except BrokenPipeError:
        # A reader such as head has ended. Python would complain once more at its own end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print("rollup-aws: standard output was closed; what has started goes on", file=sys.stderr)
        return code or errors.OUTSIDE
    return code


def _run(options: argparse.Namespace) -> int:
    try:
        return _execute(options)
    except AwsError as e:
        return _tell(e.command_error())
    except CommandError as e:
        return _tell(e)
    except KeyboardInterrupt:
        print("rollup-aws: interrupted", file=sys.stderr)
        return errors.OUTSIDE
    except BrokenPipeError:
        raise
    except Exception:
        traceback.print_exc()
        print("rollup-aws: a defect; please report it with the lines above", file=sys.stderr)
        return errors.DEFECT


def _tell(error: CommandError) -> int:
    for problem in error.problems:
        print(f"rollup-aws: {problem}", file=sys.stderr)
    for hint in error.hints:
        print(f"  {hint}", file=sys.stderr)
    return error.code
