"""The brokers: a cluster of MSK, and the secret."""

import ipaddress
import json

from .. import msk, secret_keys
from ..errors import AwsError
from . import OK, PROBLEM, UNKNOWN, WARNING, Context, Finding

_SECRET_FILE = "file://secret.json"


def cluster(context: Context) -> list:
    """State, security, brokers and network of the cluster of MSK."""
    settings, aws = context.settings, context.aws
    arn = settings["MskClusterArn"]
    if not arn:
        return []
    thing = "MSK cluster"
    try:
        found = aws.call("kafka", "describe-cluster-v2", cluster_arn=arn)["ClusterInfo"]
    except AwsError as e:
        if e.absent:
            look = aws.command("kafka", "list-clusters-v2")
            return [Finding(PROBLEM, thing, f"{arn} does not exist", (look,))]
        raise
    findings = []
    if found.get("State", "ACTIVE") not in (
        "ACTIVE",
        "UPDATING",
        "MAINTENANCE",
        "REBOOTING_BROKER",
        "HEALING",
    ):
        findings.append(Finding(PROBLEM, thing, f"{arn} is in state {found['State']}"))
    provisioned = found.get("Provisioned", {})
    sasl = provisioned.get("ClientAuthentication", {}).get("Sasl", {})
    enabled = {
        "MSK_IAM": sasl.get("Iam", {}).get("Enabled"),
        "SASL_SCRAM": sasl.get("Scram", {}).get("Enabled"),
    }
    security = settings["KafkaSecurity"]
    if provisioned and enabled.get(security, True) is not True:
        kind = {"MSK_IAM": "Iam", "SASL_SCRAM": "Scram"}[security]
        mend = aws.command(
            "kafka",
            "update-security",
            cluster_arn=arn,
            current_version=found.get("CurrentVersion", "VERSION"),
            client_authentication={"Sasl": {**sasl, kind: {"Enabled": True}}},
        )
        findings.append(Finding(PROBLEM, thing, f"{arn} does not accept {security}", (mend,)))
    inside = _network(context, provisioned.get("BrokerNodeGroupInfo", {}).get("ClientSubnets", []))
    try:
        brokers = aws.call("kafka", "get-bootstrap-brokers", cluster_arn=arn)
    except AwsError as e:
        text = f"not compared with the cluster's: {e.message}"
        return [*findings, *inside, Finding(UNKNOWN, "KafkaBootstrap", text)]
    if msk.by_vpc_connection(brokers, settings):
        findings += _connection(context)
        text = f"{arn} accepts {security} by a VPC connection at {settings['KafkaBootstrap']}"
        return findings or [Finding(OK, thing, text)]
    findings += inside
    own = brokers.get(msk.BROKERS[security], "")
    known = own.split(",") + (brokers.get(msk.VPC_BROKERS.get(security, "")) or "").split(",")
    known = ", ".join(each for each in known if each)
    if not known:
        findings.append(Finding(PROBLEM, thing, f"{arn} has no brokers for {security}"))
    elif not set(settings["KafkaBootstrap"].split(",")) <= set(own.split(",")):
        text = (
            f"{settings['KafkaBootstrap']} are not brokers of the cluster for {security}, which are {known}"
        )
        findings.append(Finding(PROBLEM, "KafkaBootstrap", text))
    return findings or [Finding(OK, thing, f"{arn} accepts {security} at {own}")]


def _connection(context: Context) -> list:
    """Multi-VPC private connectivity: the brokers are behind a managed connection of this VPC."""
    settings = context.settings
    thing = "MSK VPC connection"
    found = msk.vpc_connection(context.aws, settings)
    if found is None:
        text = f"{settings['VpcId']} has none to {settings['MskClusterArn']}: aws kafka create-vpc-connection"
        return [Finding(PROBLEM, thing, text)]
    findings = []
    if found.get("State") != "AVAILABLE":
        findings.append(Finding(PROBLEM, thing, f"{found['VpcConnectionArn']} is in state {found['State']}"))
    return findings + _network(context, found.get("Subnets", []))


def _network(context: Context, ids: list) -> list:
    if not ids:
        return []
    filters = [{"Name": "subnet-id", "Values": ids}]
    found = context.aws.call("ec2", "describe-subnets", filters=filters)["Subnets"]
    allowed = ipaddress.ip_network(context.settings["KafkaCidr"], strict=False)
    outside = [
        each["CidrBlock"] for each in found if not ipaddress.ip_network(each["CidrBlock"]).subnet_of(allowed)
    ]
    if not outside:
        return []
    text = (
        f"{context.settings['KafkaCidr']} does not contain the brokers' subnets {', '.join(sorted(outside))}"
    )
    return [Finding(PROBLEM, "KafkaCidr", text)]


def secret(context: Context) -> list:
    """The secret's existence, key and names; its values are never shown."""
    settings, aws = context.settings, context.aws
    arn = settings["KafkaSecretArn"]
    if not arn or settings["KafkaSecurity"] not in secret_keys.KEYS:
        return []
    thing = "KafkaSecretArn"
    region = arn.split(":")[3]
    try:
        described = aws.call("secretsmanager", "describe-secret", region=region, secret_id=arn)
    except AwsError as e:
        if e.absent:
            mend = aws.command(
                "secretsmanager", "create-secret", name="AmazonMSK_rollup", secret_string=_SECRET_FILE
            )
            return [Finding(PROBLEM, thing, f"{arn} does not exist", (mend,))]
        raise
    findings = []
    if described.get("DeletedDate"):
        mend = aws.command("secretsmanager", "restore-secret", region=region, secret_id=arn)
        return [Finding(PROBLEM, thing, f"{arn} is to be deleted", (mend,))]
    if described["ARN"] != arn:
        # AWS finds a secret without the suffix; the policy of the job's role does not.
        text = f"set parameters.{thing} to {described['ARN']}, with the suffix of AWS, or nights are denied"
        findings.append(Finding(PROBLEM, thing, text))
    findings += _key(context, described.get("KmsKeyId", ""), region)
    names = _names(context, arn, region)
    return findings if findings and names.level == OK else [*findings, names]


def _names(context: Context, arn: str, region: str) -> Finding:
    """The names in a secret, as the file gives them, or as they are."""
    settings, aws = context.settings, context.aws
    thing = "KafkaSecretArn"
    if settings.secret_keys is not None:
        names = ", ".join(settings.secret_keys) or "none"
        return Finding(OK, thing, f"exists; its keys, by secretKeys of the file: {names}")
    try:
        found = aws.call("secretsmanager", "get-secret-value", region=region, secret_id=arn)
    except AwsError as e:
        why = e.message
        if e.denied:
            why = "these credentials may not read it; secretKeys of the file can name them"
        return Finding(UNKNOWN, thing, f"its keys were not checked: {why}")
    problem = _content(settings["KafkaSecurity"], found.get("SecretString", ""))
    if not problem:
        return Finding(OK, thing, "has the keys that the job reads")
    mend = aws.command(
        "secretsmanager", "put-secret-value", region=region, secret_id=arn, secret_string=_SECRET_FILE
    )
    return Finding(PROBLEM, thing, problem, (mend,))


def _key(context: Context, key: str, region: str) -> list:
    """A secret's own key must be a parameter, or the job could not decrypt it."""
    given = context.settings["KafkaSecretKmsKeyArn"]
    if key in ("", "alias/aws/secretsmanager"):
        return []
    try:
        found = context.aws.call("kms", "describe-key", region=region, key_id=key)["KeyMetadata"]
    except AwsError as e:
        return [Finding(UNKNOWN if e.denied else PROBLEM, "KafkaSecretKmsKeyArn", f"key {key}: {e.message}")]
    if given == found["Arn"]:
        return []
    if found.get("KeyManager") == "AWS":
        return []
    text = f"the secret is encrypted with {found['Arn']}: set parameters.KafkaSecretKmsKeyArn to it"
    return [Finding(PROBLEM, "KafkaSecretKmsKeyArn", text)]


def _content(security: str, text: str) -> str:
    """What is wrong with a secret, without its values."""
    try:
        content = json.loads(text)
    except ValueError:
        return "is not JSON"
    if not isinstance(content, dict) or not all(isinstance(each, str) for each in content.values()):
        return "must be one JSON object of texts"
    empty = {name for name in secret_keys.KEYS[security][0] if not content.get(name)}
    return secret_keys.problem(security, set(content) - empty)


def public_brokers(context: Context) -> list:
    """A hint about brokers that anybody may read."""
    if context.settings["KafkaSecurity"] != "PLAINTEXT":
        return []
    return [
        Finding(
            WARNING, "KafkaSecurity", "PLAINTEXT does not encrypt the rollups on their way to the brokers"
        )
    ]
