"""rollup-aws doctor: every check, and all problems at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Callable

from . import errors, settings
from .aws import Aws
from .checks import (
    OK,
    PROBLEM,
    UNKNOWN,
    WARNING,
    Context,
    Finding,
    account,
    hbase,
    kafka,
    network,
    operation,
    storage,
)
from .errors import AwsError, CommandError

_CHECKS: tuple = (
    account.existing_stack,
    account.permissions,
    account.service_linked_roles,
    account.boundary,
    account.own_roles,
    account.budget,
    account.release,
    account.quotas,
    storage.backup_bucket,
    storage.exports,
    storage.artifact_bucket,
    storage.log_bucket,
    storage.uploaded,
    storage.keys,
    network.vpc,
    network.groups,
    network.subnets,
    network.routes,
    network.endpoints,
    kafka.cluster,
    kafka.secret,
    kafka.public_brokers,
    hbase.quorum,
    hbase.hfiles,
    hbase.tiers,
    hbase.verification,
    operation.catch_up,
    operation.notifications,
)
# Without these, deploy and upload would fail for the same reason.
_ESSENTIAL = {account.existing_stack, storage.artifact_bucket, storage.uploaded}

_NO_ANSWER = "AWS did not answer"


def doctor(path: Path) -> int:
    """Checks the parameter file and then the account; prints what it found. The exit code."""
    loaded = settings.load(path)
    print(f"ok       {path}: the parameters keep the template's rules")
    aws = Aws(loaded.region, loaded.profile)
    aws.require()
    try:
        identity = aws.call("sts", "get-caller-identity")
    except AwsError as e:
        raise e.command_error() from None
    print(f"ok       credentials: {identity['Arn']}, account {identity['Account']}")
    context = Context(loaded, aws, identity["Account"], identity["Arn"])
    # The calls wait for the network most of their time.
    with ThreadPoolExecutor(max_workers=6) as pool:
        results = list(pool.map(lambda check: _run(check, context), _CHECKS))
    findings = [finding for found in results for finding in found]
    for finding in findings:
        print(f"{finding.level:8} {finding.thing}: {finding.text}")
        for command in finding.mend:
            print(f"           {command}")
    count = {
        level: sum(each.level == level for each in findings) for level in (OK, PROBLEM, WARNING, UNKNOWN)
    }
    print(
        f"{count[PROBLEM]} problems, {count[WARNING]} warnings, {count[UNKNOWN]} not checked, {count[OK]} ok"
    )
    if count[PROBLEM]:
        return errors.CONFIGURATION
    if any(each.text.startswith(_NO_ANSWER) for each in findings):
        print("AWS did not answer everything: repeat doctor")
        return errors.OUTSIDE
    return errors.DONE


def _run(check: Callable[[Context], list], context: Context) -> list:
    try:
        return check(context)
    except AwsError as e:
        thing = check.__name__.replace("_", " ")
        if e.temporary:
            return [Finding(UNKNOWN, thing, f"{_NO_ANSWER} {e.operation}: {e.code}: {e.message}")]
        if e.denied:
            level = PROBLEM if check in _ESSENTIAL else UNKNOWN
            return [Finding(level, thing, f"these credentials may not call {e.operation}: {e.message}")]
        refused = e.code.startswith("Invalid") or e.code == "ValidationException"
        return [Finding(PROBLEM if refused else UNKNOWN, thing, f"{e.operation}: {e.code}: {e.message}")]
    except CommandError as e:
        return [
            Finding(PROBLEM, check.__name__.replace("_", " "), text, tuple(e.hints)) for text in e.problems
        ]
