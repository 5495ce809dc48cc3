"""rollup-aws deploy: the stack from the packaged templates."""

import contextlib
import hashlib
import json
import re
import tempfile
import time
from pathlib import Path
from typing import Optional

from . import activity, artifacts, endpoints, kafka_properties, msk, operation, serverless
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, CommandError, ConfigurationError
from .prune_rules import hours
from .settings import ROOT, Settings, command
from .upload import RULE

TEMPLATE = ROOT / "cloudformation" / "rollup-pipeline.yaml"
# The state machine adds to them, and prune takes no grace above 3650 days.
_MOST_NIGHTS = 999_999_999
_MOST_HOURS = 3650 * 24 - 72
_OF_APPLICATION = ("ReleaseLabel", "SubnetIds", "VpcId", "NodeGroupId", "MaximumCapacity")


def deploy(aws: Aws, settings: Settings, dry_run: bool, role_arn: Optional[str] = None) -> None:
    """Creates or updates the stack, waits for it, and tells what remains to do.

    role_arn: the role with whose rights CloudFormation works; None for those of the caller.
    """
    before = stacks.describe(aws, settings)
    if before is not None:
        problem = stacks.obstacle(aws, settings, before)
        if problem:
            raise problem
    sums = _sums(_uploaded(aws, settings), settings)
    values = {**settings.parameters, **_of_sections(settings), **sums}
    _compare(before, values, settings)
    changes = _of_application(before, settings) if before else []
    if changes:
        activity.require_none(
            aws,
            settings,
            before,
            f"nothing was changed, because {', '.join(changes)} replaces or removes what they use",
        )
    if dry_run:
        print("dry run: nothing was changed")
        return
    application = before.outputs.get("ServerlessApplication") if changes else None
    if application:
        serverless.stop(aws, application, time.sleep)
    with tempfile.TemporaryDirectory() as folder:
        packaged = Path(folder, "packaged.json")
        aws.text(
            "cloudformation",
            "package",
            template_file=TEMPLATE,
            s3_bucket=settings["ArtifactBucket"],
            s3_prefix=f"{settings['ArtifactPrefix']}/templates",
            kms_key_id=settings["ArtifactKmsKeyArn"] or None,
            output_template_file=packaged,
            use_json=True,
        )
        # The AWS CLI indents it, and sends no template of more than 51,200 bytes.
        packaged.write_text(json.dumps(json.loads(packaged.read_text(encoding="utf-8"))), encoding="utf-8")
        print(f"deploying stack {settings.stack} in {settings.region}; the first time takes some minutes")
        try:
            aws.text(
                "cloudformation",
                "deploy",
                stack_name=settings.stack,
                template_file=packaged,
                capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
                no_fail_on_empty_changeset=True,
                role_arn=role_arn,
                # All of them, so that the file decides and not an earlier deployment.
                parameter_overrides=[f"{name}={value}" for name, value in values.items()],
                tags=[f"{name}={value}" for name, value in settings.tags.items()] or None,
            )
        except AwsError as e:
            raise _failure(aws, settings, e) from None
    after = stacks.deployed(aws, settings)
    print(f"stack {settings.stack}: {after.status}")
    for name, value in sorted(after.outputs.items()):
        print(f"  {name} = {value}")
    _remaining(aws, settings, after)


def _of_sections(settings: Settings) -> dict:
    """The parameters that the sections tags and prune of the file decide."""
    counts = [min(settings.prune[name], _MOST_NIGHTS) for name in ("keepDays", "keepWeeks", "keepMonths")]
    grace = min(hours(settings.prune["grace"]), _MOST_HOURS)
    return {
        "RunTags": ",".join(f"{name}={value}" for name, value in settings.run_tags.items()),
        "PruneKeep": ",".join(str(each) for each in (*counts, grace)),
    }


def _of_application(before: stacks.Stack, settings: Settings) -> list:
    """The parameters whose change AWS refuses while the application of EMR Serverless is started, or that
    replace state machine and roles.
    """
    names = ["ComputeKind", *_OF_APPLICATION]
    if not settings.serverless:
        names.append("Prune")  # which then decides whether there is an application
    return [
        name
        for name in names
        if name in before.parameters and _words(before.parameters[name]) != _words(settings[name])
    ]


def _words(value: str) -> list:
    """The names in a list, however it is written."""
    return re.findall(r"[\w.-]+", value)


def _sums(text: str, settings: Settings) -> dict:
    """The checksum of SHA256SUMS, by which the nodes of a cluster verify what they load."""
    if settings.parameters.get("ArtifactSums") != "":
        return {}  # the file gives one, or this template has no such parameter
    return {"ArtifactSums": hashlib.sha256(text.encode()).hexdigest()}


def _uploaded(aws: Aws, settings: Settings) -> str:
    """The text of SHA256SUMS. Raises ConfigurationError if it lacks an artifact, or if its artifacts are not
    those of this machine.
    """
    store = artifacts.Store(aws, settings)
    text = store.sums()
    if text is None:
        raise ConfigurationError(
            f"{store.uri(artifacts.SUMS)} is missing: no upload to this folder is complete",
            hints=(command(settings, "upload"),),
        )
    lines = [re.fullmatch("([0-9a-f]{64})  (.+)", line) for line in text.splitlines()]
    if not all(lines):
        raise ConfigurationError(f"{store.uri(artifacts.SUMS)} is not in the format of sha256sum", RULE)
    listed = {line[2]: line[1] for line in lines}
    needed = {artifacts.LAMBDA_JAR, artifacts.JOB_JAR, "prepare-node.sh", *settings.files}
    if settings["KafkaSecurity"] == "MSK_IAM":
        needed.add(artifacts.MSK_JAR)
    if settings.serverless and settings.has_kafka:
        needed.add(kafka_properties.NAME)
    missing = sorted(needed - set(listed))
    if missing:
        raise ConfigurationError(
            f"{store.uri(artifacts.SUMS)} does not list {', '.join(missing)}: upload again",
            hints=(command(settings, "upload"),),
        )
    problems = [*_stale(aws, settings, store, listed), *_replaced(store, listed)]
    if problems:
        raise ConfigurationError(*problems, RULE, hints=(command(settings, "upload"),))
    return text


def _stale(aws: Aws, settings: Settings, store: artifacts.Store, listed: dict) -> list:
    """Artifacts that differ from the files of this machine: a night would run the former jars with the
    templates of this version, or the former configuration. A jar is compared if this machine has it.
    """
    files, _ = artifacts.present_files(settings)
    try:
        files.update(artifacts.made_files(aws, settings))
    except ConfigurationError as e:
        print(f"{kafka_properties.NAME} was not compared: {e.problems[0]}")
    return [
        f"{store.uri(each.name)} has other bytes than {each.file}"
        for each in artifacts.digests(files)
        if listed.get(each.name, each.sha256) != each.sha256
    ]


def _replaced(store: artifacts.Store, listed: dict) -> list:
    """Objects that are not those of the list, because somebody has replaced or deleted them."""
    problems = []
    for name, there in store.checksums(listed).items():
        if there is None:
            problems.append(f"{store.uri(name)} is missing")
        elif there != artifacts.of_s3(listed[name]):
            problems.append(f"{store.uri(name)} has other bytes than {artifacts.SUMS} beside it lists")
    return problems


def _compare(before: Optional[stacks.Stack], values: dict, settings: Settings) -> None:
    if before is None or not before.parameters:
        print(f"stack {settings.stack} is new")
        return
    for name, value in sorted(values.items()):
        old = before.parameters.get(name)
        if old is None:
            print(f"  {name}: new, '{value}'")
        elif old != value:
            print(f"  {name}: '{old}' becomes '{value}'")


def _failure(aws: Aws, settings: Settings, error: AwsError) -> CommandError:
    """The resources that failed say more than the AWS CLI's last line."""
    if error.code != AwsError.FAILED:
        return error.command_error()
    if "changeset" in error.message:  # nothing has been changed, so there are no events
        return ConfigurationError(error.message)
    causes = stacks.reasons(aws, settings.stack)
    after = stacks.describe(aws, settings)
    way_out = stacks.obstacle(aws, settings, after) if after else None
    if way_out:
        return way_out
    return ConfigurationError(
        *(causes or [f"CloudFormation did not deploy stack {settings.stack}: {error.message}"]),
        hints=(command(settings, "deploy"),),
    )


def _remaining(aws: Aws, settings: Settings, stack: stacks.Stack) -> None:
    steps = [
        *_mail(aws, stack),
        *_brokers(aws, settings, stack),
        *_endpoints(aws, settings, stack),
        *_hbase(settings, stack),
    ]
    steps.append(
        "An alarm NoSuccess may fire until the first night has succeeded. To run the newest"
        f" exported night now: {command(settings, 'run')}. To see days, alarms and who receives them:"
        f" {command(settings, 'status')}"
    )
    print("What remains to do:")
    for number, step in enumerate(steps, 1):
        print(f"  {number}. {step}")


def _mail(aws: Aws, stack: stacks.Stack) -> list:
    topic = stack.outputs.get("Topic")
    if not topic:
        return []
    try:
        found = operation.receivers(aws, stack)
    except AwsError:
        return [f"Check that the engineer on call receives the notifications of {topic}."]
    if found["pending"]:
        return [f"Confirm the mail that SNS has sent to {', '.join(found['pending'])}."]
    if not found["confirmed"]:
        return [f"Nobody receives alarms: {operation.subscribe(aws, stack)}"]
    return []


def _brokers(aws: Aws, settings: Settings, stack: stacks.Stack) -> list:
    group = stack.outputs.get("NodeGroup")
    if not group or not settings.has_kafka:
        return []
    brokers = []
    if settings["MskClusterArn"]:
        with contextlib.suppress(AwsError):  # the command below has the placeholder
            brokers = msk.groups(aws, settings)
    first, last = settings.kafka_ports
    commands = [
        endpoints.authorize(aws, each, first, group, last)
        for each in brokers or ["BROKERS_GROUP"]
        if not _allowed(aws, settings, each, group)
    ]
    if not commands:
        return []
    return ["Let the brokers accept connections from the job's security group: " + "; ".join(commands)]


def _endpoints(aws: Aws, settings: Settings, stack: stacks.Stack) -> list:
    group = stack.outputs.get("NodeGroup", "")
    try:
        closed = endpoints.closed(aws, settings, group)
    except AwsError:
        return []  # doctor tells that it may not look
    return [
        f"Let endpoint {endpoint} accept connections from the job's security group: "
        + endpoints.authorize(aws, groups[0], endpoints.PORT, group)
        for endpoint, groups in closed.items()
    ]


def _hbase(settings: Settings, stack: stacks.Stack) -> list:
    if not settings["HBaseCidr"]:
        return []
    steps = [
        f"Let ZooKeeper, the master and the region servers of HBase accept connections from"
        f" {stack.output('NodeGroup')}, and create the table tsdb-coverage (docs/coverage.md)."
    ]
    if not settings.has_kafka:
        steps.append(
            f"Let the region servers read s3://{stack.output('LogBucket')}/hfiles/ by S3A, with kms:Decrypt"
            f" of {stack.output('KeyArn')}; docs/aws-reference.md, HFiles, has a command that tries it."
        )
    return steps


def _allowed(aws: Aws, settings: Settings, brokers: str, group: str) -> bool:
    if not brokers.startswith("sg-"):
        return False
    try:
        return all(endpoints.accepts(aws, [brokers], port, group, []) for port in settings.kafka_ports)
    except AwsError:
        return False
