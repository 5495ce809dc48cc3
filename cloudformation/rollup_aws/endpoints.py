"""Interface endpoints of the VPC, and whether their security groups let the job's workers in."""

import ipaddress
from typing import Optional

from .aws import Aws
from .settings import Settings

PORT = 443


def services(settings: Settings) -> list:
    """Services besides S3 that nodes call, and functions in the VPC."""
    found = ["secretsmanager"] if settings["KafkaSecretArn"] else []
    if settings["FunctionsInVpc"] == "ON":
        found.append("states")
    return found if settings.serverless else ["elasticmapreduce", "kms", *found]


def closed(aws: Aws, settings: Settings, source: str) -> dict:
    """Groups by the endpoint of a service that refuses the workers: none of its groups lets them in.

    `source` is the security group of the workers, empty before the first deploy. An endpoint has the names of
    its service in the whole VPC, so that a NAT gateway does not help.
    """
    of_vpc = [{"Name": "vpc-id", "Values": [settings["VpcId"]]}]
    subnets = [{"Name": "subnet-id", "Values": settings.subnets}]
    cidrs = [each["CidrBlock"] for each in aws.call("ec2", "describe-subnets", filters=subnets)["Subnets"]]
    found = {}
    for each in aws.call("ec2", "describe-vpc-endpoints", filters=of_vpc).get("VpcEndpoints", []):
        groups = [group["GroupId"] for group in each.get("Groups", [])]
        service = each["ServiceName"].rpartition(".")[2]
        if service in services(settings) and groups and not accepts(aws, groups, PORT, source, cidrs):
            found[f"{each['VpcEndpointId']} of {service}"] = groups
    return found


def accepts(aws: Aws, groups: list, port: int, source: str, cidrs: list) -> bool:
    """Whether security groups together let in another group, or each of these networks, at a port."""
    found = aws.call("ec2", "describe-security-groups", group_ids=groups)["SecurityGroups"]
    rules = [
        rule
        for each in found
        for rule in each.get("IpPermissions", [])
        if rule["IpProtocol"] == "-1"
        or (rule["IpProtocol"] == "tcp" and rule.get("FromPort", 0) <= port <= rule.get("ToPort", 65535))
    ]
    if any(pair.get("GroupId") == source for rule in rules for pair in rule.get("UserIdGroupPairs", [])):
        return True
    open_to = [ipaddress.ip_network(each["CidrIp"]) for rule in rules for each in rule.get("IpRanges", [])]
    return bool(cidrs) and all(
        any(ipaddress.ip_network(cidr).subnet_of(network) for network in open_to) for cidr in cidrs
    )


def authorize(aws: Aws, group: str, port: int, source: str, last: Optional[int] = None) -> str:
    """The command that lets a security group into another one at a port, or from it to a last one."""
    return admit(aws, group, port, last, UserIdGroupPairs=[{"GroupId": source}])


def admit(aws: Aws, group: str, port: int, last: Optional[int] = None, **sources: list) -> str:
    """The command that lets sources, in EC2's words, into a security group."""
    permission = {"IpProtocol": "tcp", "FromPort": port, "ToPort": last or port, **sources}
    return aws.command("ec2", "authorize-security-group-ingress", group_id=group, ip_permissions=[permission])
