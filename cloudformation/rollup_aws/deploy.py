"""rollup-aws deploy: the stack from the packaged templates."""

import hashlib
import json
import re
import tempfile
import time
from pathlib import Path
from typing import Optional

from . import activity, artifacts, endpoints, kafka_properties, serverless
from . import stack as stacks
from .aws import Aws
from .errors import AwsError, CommandError, ConfigurationError
from .prune_rules import hours
from .settings import ROOT, Settings, command

TEMPLATE = ROOT / "cloudformation" / "rollup-pipeline.yaml"
# The state machine adds to them, and prune takes no grace above 3650 days.
_MOST_NIGHTS = 999_999_999
_MOST_HOURS = 3650 * 24 - 72
_OF_APPLICATION = ("ReleaseLabel", "SubnetIds", "VpcId", "NodeGroupId")


def deploy(aws: Aws, settings: Settings, dry_run: bool, role_arn: Optional[str] = None) -> None:
    """Creates or updates the stack, waits for it, and tells what remains to do.

    role_arn: the role with whose rights CloudFormation works; None for those of the caller.
    """
    before = stacks.describe(aws, settings)
    if before is not None:
        problem = stacks.obstacle(aws, settings, before)
        if problem:
            raise problem
    store = artifacts.Store(aws, settings)
    sums = _sums(_uploaded(store, settings), settings)
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


def _uploaded(store: artifacts.Store, settings: Settings) -> str:
    """The text of SHA256SUMS. Raises ConfigurationError if it lacks an artifact."""
    text = store.sums()
    if text is None:
        raise ConfigurationError(
            f"{store.uri(artifacts.SUMS)} is missing: no upload to this folder is complete",
            hints=(command(settings, "upload"),),
        )
    names = {line.split()[-1] for line in text.splitlines() if line.strip()}
    needed = {artifacts.LAMBDA_JAR, artifacts.JOB_JAR, "prepare-node.sh", *settings.files}
    if settings["KafkaSecurity"] == "MSK_IAM":
        needed.add(artifacts.MSK_JAR)
    if settings.serverless:
        needed.add(kafka_properties.NAME)
    missing = sorted(needed - names)
    if missing:
        raise ConfigurationError(
            f"{store.uri(artifacts.SUMS)} does not list {', '.join(missing)}: upload again",
            hints=(command(settings, "upload"),),
        )
    _require_same_version(store, text, settings)
    return text


def _require_same_version(store: artifacts.Store, text: str, settings: Settings) -> None:
    """The templates give prepare-node.sh and the job the options of their own version. The job is compared
    if this machine has its jar.
    """
    script = "prepare-node.sh"
    here = {script: settings.files.get(script, TEMPLATE.parent / script)}
    _, _, jars = artifacts.jar_files(artifacts.JOB_JAR)
    if artifacts.JOB_JAR not in settings.files and len(jars) == 1:
        here[artifacts.JOB_JAR] = jars[0]
    problems = [
        f"{store.uri(name)} is of another version than the templates: set parameters.ArtifactPrefix to"
        " a new folder and upload again"
        for name, file in here.items()
        if f"{artifacts.sha256(file)}  {name}" not in text.splitlines()
    ]
    if problems:
        raise ConfigurationError(*problems, hints=(command(settings, "upload"),))


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
        f" exported night now: {command(settings, 'run')}"
    )
    print("What remains to do:")
    for number, step in enumerate(steps, 1):
        print(f"  {number}. {step}")


def _mail(aws: Aws, stack: stacks.Stack) -> list:
    topic = stack.outputs.get("Topic")
    if not topic:
        return []
    try:
        found = aws.call("sns", "list-subscriptions-by-topic", topic_arn=topic)["Subscriptions"]
    except AwsError:
        found = None
    if found is None:
        return [f"Check that the engineer on call receives the notifications of {topic}."]
    pending = [each["Endpoint"] for each in found if each["SubscriptionArn"] == "PendingConfirmation"]
    if pending:
        return [f"Confirm the mail that SNS has sent to {', '.join(pending)}."]
    if not found:
        subscribe = aws.command(
            "sns", "subscribe", topic_arn=topic, protocol="email", notification_endpoint="ADDRESS"
        )
        return [f"Nobody receives alarms: {subscribe}"]
    return []


def _brokers(aws: Aws, settings: Settings, stack: stacks.Stack) -> list:
    group = stack.outputs.get("NodeGroup")
    if not group:
        return []
    brokers = ["BROKERS_GROUP"]
    if settings["MskClusterArn"]:
        try:
            cluster = aws.call("kafka", "describe-cluster-v2", cluster_arn=settings["MskClusterArn"])[
                "ClusterInfo"
            ]
            brokers = broker_groups(cluster) or brokers
        except AwsError:
            pass  # the command below has the placeholder
    commands = []
    for each in brokers:
        if not _allowed(aws, settings, each, group):
            commands.append(endpoints.authorize(aws, each, int(settings["KafkaPort"]), group))
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
    return [
        f"Let ZooKeeper, the master and the region servers of HBase accept connections from"
        f" {stack.output('NodeGroup')}, and create the table tsdb-coverage (docs/coverage.md)."
    ]


def broker_groups(cluster: dict) -> list:
    """The security groups of the brokers of a cluster of MSK."""
    provisioned = cluster.get("Provisioned", {}).get("BrokerNodeGroupInfo", {}).get("SecurityGroups", [])
    configurations = cluster.get("Serverless", {}).get("VpcConfigs", [])
    return provisioned + [group for each in configurations for group in each.get("SecurityGroupIds", [])]


def _allowed(aws: Aws, settings: Settings, brokers: str, group: str) -> bool:
    if not brokers.startswith("sg-"):
        return False
    try:
        return endpoints.accepts(aws, [brokers], int(settings["KafkaPort"]), group, [])
    except AwsError:
        return False
