"""Subnets, their routes and endpoints, and their free addresses."""

import json
from typing import Any, Optional

from .. import stack as stacks
from ..endpoints import PORT, admit, authorize, closed, services
from ..errors import AwsError
from . import OK, PROBLEM, WARNING, Context, Finding

_TAG = "for-use-with-amazon-emr-managed-policies"
_OUT = ("NatGatewayId", "TransitGatewayId", "NetworkInterfaceId", "VpcPeeringConnectionId", "InstanceId")


def subnets(context: Context) -> list:
    """Existence, VPC, zones, addresses, and EMR's tag."""
    settings, aws = context.settings, context.aws
    found, missing = _subnets(context)
    findings = [
        Finding(PROBLEM, f"subnet {each}", f"does not exist in {settings.region}") for each in missing
    ]
    wanted, least = _addresses(context), _least_addresses(context)
    room = any(each["AvailableIpAddressCount"] >= least for each in found)
    zones: dict = {}
    for subnet in found:
        name = f"subnet {subnet['SubnetId']}"
        if subnet["VpcId"] != settings["VpcId"]:
            text = f"is in {subnet['VpcId']}, not in {settings['VpcId']}, which parameters.VpcId names"
            findings.append(Finding(PROBLEM, name, text))
        other = zones.setdefault(subnet["AvailabilityZone"], subnet["SubnetId"])
        if other != subnet["SubnetId"]:
            text = f"is in zone {subnet['AvailabilityZone']} as {other} is; give one of each zone"
            findings.append(Finding(WARNING if settings.serverless else PROBLEM, name, text))
        free = subnet["AvailableIpAddressCount"]
        if free < least:
            text = f"has {free} free addresses, no night runs with less than {least}"
            # EMR chooses one that has room, and jobs of EMR Serverless use all.
            findings.append(Finding(WARNING if room else PROBLEM, name, text))
        elif free < wanted:
            text = f"has {free} free addresses, a night wants up to {wanted}"
            findings.append(Finding(WARNING, name, text))
        tags = {each["Key"]: each["Value"] for each in subnet.get("Tags", [])}
        if not settings.serverless and tags.get(_TAG) != "true":
            mend = aws.command(
                "ec2", "create-tags", resources=[subnet["SubnetId"]], tags=[f"Key={_TAG},Value=true"]
            )
            text = f"lacks the tag {_TAG} = true; EMR's managed policy starts nodes in tagged subnets only"
            findings.append(Finding(PROBLEM, name, text, (mend,)))
    if not findings:
        findings.append(Finding(OK, "subnets", f"{len(found)}, in zones {', '.join(sorted(zones))}"))
    return findings


def _addresses(context: Context) -> int:
    settings = context.settings
    if settings.serverless:
        return settings.executors + 1
    return int(settings["TaskInstances"]) + int(settings["CoreInstances"]) + 1


def _least_addresses(context: Context) -> int:
    """Of the driver and one executor; on EMR of the nodes without which no cluster starts."""
    return 2 if context.settings.serverless else int(context.settings["CoreInstances"]) + 1


def _subnets(context: Context) -> tuple:
    """The subnets that exist, and the ids of those that do not."""
    ids = context.settings.subnets
    # By a filter, so that one that is missing does not hide the others.
    filters = [{"Name": "subnet-id", "Values": ids}]
    found = context.aws.call("ec2", "describe-subnets", filters=filters)["Subnets"]
    there = {each["SubnetId"] for each in found}
    return found, [each for each in ids if each not in there]


def routes(context: Context) -> list:
    """Ways from the subnets to S3 and the other services."""
    settings, aws = context.settings, context.aws
    found, _ = _subnets(context)
    if not found:
        return []
    vpc = settings["VpcId"]
    of_vpc = [{"Name": "vpc-id", "Values": [vpc]}]
    tables = aws.call("ec2", "describe-route-tables", filters=of_vpc)["RouteTables"]
    endpoints = aws.call("ec2", "describe-vpc-endpoints", filters=of_vpc).get("VpcEndpoints", [])
    findings = []
    for subnet in found:
        table = _table(tables, subnet["SubnetId"])
        if table is not None:
            findings += _routes_of(context, subnet["SubnetId"], table, endpoints)
    findings += _policies(context, endpoints)
    return findings or [Finding(OK, "routes", "every subnet reaches S3 and the other services")]


def groups(context: Context) -> list:
    """Security groups that the account brings, or whether the stack's own one leads to S3."""
    settings, aws = context.settings, context.aws
    findings = []
    for parameter in ("NodeGroupId", "ServiceGroupId"):
        if not settings[parameter]:
            continue
        filters = [{"Name": "group-id", "Values": [settings[parameter]]}]
        found = aws.call("ec2", "describe-security-groups", filters=filters)["SecurityGroups"]
        if not found:
            findings.append(Finding(PROBLEM, parameter, f"{settings[parameter]} does not exist"))
        elif found[0]["VpcId"] != settings["VpcId"]:
            text = f"{settings[parameter]} is in {found[0]['VpcId']}, not in {settings['VpcId']}"
            findings.append(Finding(PROBLEM, parameter, text))
        else:
            findings.append(Finding(OK, parameter, settings[parameter]))
    everywhere = "0.0.0.0/0" in settings["HttpsCidrs"].split(",")
    if not settings["NodeGroupId"] and not settings["HttpsPrefixList"] and not everywhere:
        names = [{"Name": "prefix-list-name", "Values": [f"com.amazonaws.{settings.region}.s3"]}]
        text = "leads to S3 by an interface endpoint only; by a gateway endpoint set HttpsPrefixList to S3's"
        mend = aws.command("ec2", "describe-prefix-lists", filters=names)
        findings.append(Finding(WARNING, "HttpsCidrs", text, (mend,)))
    return findings


def _table(tables: list, subnet: str) -> Optional[dict]:
    main = None
    for table in tables:
        for association in table.get("Associations", []):
            if association.get("SubnetId") == subnet:
                return table
            if association.get("Main"):
                main = table
    return main


def _routes_of(context: Context, subnet: str, table: dict, endpoints: list) -> list:
    settings, aws = context.settings, context.aws
    name = f"subnet {subnet}"
    default = [each for each in table.get("Routes", []) if each.get("DestinationCidrBlock") == "0.0.0.0/0"]
    if any(each.get("GatewayId", "").startswith("igw-") for each in default):
        text = (
            f"is public: its route table {table['RouteTableId']} leads to an internet gateway, and"
            " the job's nodes"
            " have no public address. Give a private subnet"
        )
        return [Finding(PROBLEM, name, text)]
    out = any(each.get(key) for each in default for key in _OUT)
    available = {}
    for each in endpoints:
        # Without private DNS the name of the service leads past an interface endpoint.
        private = each.get("VpcEndpointType") != "Interface" or each.get("PrivateDnsEnabled", True)
        if each.get("State", "available").lower() == "available" and private:
            available.setdefault(each["ServiceName"].rpartition(".")[2], []).append(each)
    findings = []
    gateway = any(
        table["RouteTableId"] in each.get("RouteTableIds", []) or each.get("VpcEndpointType") == "Interface"
        for each in available.get("s3", [])
    )
    if not gateway:
        mend = aws.command(
            "ec2",
            "create-vpc-endpoint",
            vpc_id=settings["VpcId"],
            service_name=f"com.amazonaws.{settings.region}.s3",
            route_table_ids=[table["RouteTableId"]],
        )
        text = (
            "has no gateway endpoint of S3: all data go through the NAT gateway, which costs money by the GB"
        )
        if not out:
            text = "has no route to S3: neither a gateway endpoint nor a NAT gateway"
        findings.append(Finding(WARNING if out else PROBLEM, name, text, (mend,)))
    if out:
        return findings
    if settings.backup_region != settings.region:
        text = f"has no NAT gateway, and endpoints do not reach the backup bucket in {settings.backup_region}"
        findings.append(Finding(PROBLEM, name, text))
    for service in services(settings):
        if service not in available:
            text = f"has no route to {service}: neither an interface endpoint nor a NAT gateway"
            findings.append(Finding(PROBLEM, name, text, _endpoint(context, service)))
    return findings


def _endpoint(context: Context, service: str) -> tuple:
    """The commands that make an interface endpoint. By default it would have the VPC's default group, which
    lets in nobody but itself. GROUP is the answer of the first command.
    """
    settings, aws = context.settings, context.aws
    networks = sorted({each["CidrBlock"] for each in _subnets(context)[0]})
    return (
        aws.command(
            "ec2",
            "create-security-group",
            group_name=f"{settings.stack}-endpoints",
            description="interface endpoints",
            vpc_id=settings["VpcId"],
        ),
        admit(aws, "GROUP", PORT, IpRanges=[{"CidrIp": each} for each in networks]),
        aws.command(
            "ec2",
            "create-vpc-endpoint",
            vpc_id=settings["VpcId"],
            vpc_endpoint_type="Interface",
            service_name=f"com.amazonaws.{settings.region}.{service}",
            subnet_ids=settings.subnets,
            security_group_ids=["GROUP"],
            private_dns_enabled=True,
        ),
    )


def endpoints(context: Context) -> list:
    """Whether interface endpoints let the workers in."""
    settings, aws = context.settings, context.aws
    stack = stacks.describe(aws, settings)
    source = stack.outputs.get("NodeGroup", "") if stack else ""
    findings = []
    for endpoint, groups in closed(aws, settings, source).items():
        if source:
            text = f"its security group does not let in {source}, the job's workers, at port {PORT}"
            findings.append(
                Finding(PROBLEM, f"endpoint {endpoint}", text, (authorize(aws, groups[0], PORT, source),))
            )
        else:
            text = f"does not let in the subnets at port {PORT}; deploy will tell how to let in the job"
            findings.append(Finding(WARNING, f"endpoint {endpoint}", text))
    return findings


def _policies(context: Context, endpoints: list) -> list:
    findings = []
    for each in endpoints:
        gone = each.get("State", "available").lower() != "available"
        if not gone and each["ServiceName"].endswith(".s3") and not _allows_all(each.get("PolicyDocument")):
            text = (
                f"has a policy that restricts it; it must allow {context.settings['BackupBucket']},"
                f" {context.settings['ArtifactBucket']}, the stack's log bucket, and EMR's own buckets"
                " (docs/aws-reference.md)"
            )
            findings.append(Finding(WARNING, f"endpoint {each['VpcEndpointId']}", text))
    return findings


def _allows_all(document: Any) -> bool:
    if not document:
        return True
    try:
        policy = json.loads(document) if isinstance(document, str) else document
        return any(
            each.get("Effect") == "Allow" and each.get("Action") == "*" and each.get("Resource") == "*"
            for each in policy["Statement"]
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def vpc(context: Context) -> list:
    """The VPC, and DNS in it, without which interface endpoints and brokers have no names."""
    name = context.settings["VpcId"]
    try:
        context.aws.call("ec2", "describe-vpcs", vpc_ids=[name])
    except AwsError as e:
        if e.absent:
            return [Finding(PROBLEM, f"VPC {name}", f"does not exist in {context.settings.region}")]
        raise
    findings = []
    for attribute, key in (
        ("enableDnsSupport", "EnableDnsSupport"),
        ("enableDnsHostnames", "EnableDnsHostnames"),
    ):
        answer = context.aws.call("ec2", "describe-vpc-attribute", vpc_id=name, attribute=attribute)
        if not answer[key]["Value"]:
            option = "enable_dns_support" if "Support" in attribute else "enable_dns_hostnames"
            mend = context.aws.command(
                "ec2", "modify-vpc-attribute", vpc_id=name, **{option: {"Value": True}}
            )
            # Without host names only interface endpoints lack their names.
            level = PROBLEM if "Support" in attribute else WARNING
            findings.append(Finding(level, f"VPC {name}", f"{attribute} is off", (mend,)))
    return findings or [Finding(OK, f"VPC {name}", "exists, with DNS")]
