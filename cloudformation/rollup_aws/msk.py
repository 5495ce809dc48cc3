"""A cluster of MSK: its brokers, and the security groups that must let the job in."""

from typing import Optional

from .aws import Aws
from .settings import Settings

BROKERS = {
    "MSK_IAM": "BootstrapBrokerStringSaslIam",
    "SASL_SCRAM": "BootstrapBrokerStringSaslScram",
    "TLS": "BootstrapBrokerStringTls",
    "PLAINTEXT": "BootstrapBrokerString",
}
"""The field of get-bootstrap-brokers, by KafkaSecurity."""

VPC_BROKERS = {
    "MSK_IAM": "BootstrapBrokerStringVpcConnectivitySaslIam",
    "SASL_SCRAM": "BootstrapBrokerStringVpcConnectivitySaslScram",
    "TLS": "BootstrapBrokerStringVpcConnectivityTls",
}
"""The same for multi-VPC private connectivity, which gives each broker a port of its own."""


def by_vpc_connection(brokers: dict, settings: Settings) -> bool:
    """Whether the parameters name the brokers of other VPCs, by the answer of get-bootstrap-brokers."""
    own = brokers.get(VPC_BROKERS.get(settings["KafkaSecurity"], "")) or ""
    return bool(own) and set(settings["KafkaBootstrap"].split(",")) <= set(own.split(","))


def vpc_connection(aws: Aws, settings: Settings) -> Optional[dict]:
    """The managed VPC connection from VpcId to the cluster, as describe-vpc-connection answers; None without
    one. An available one wins.
    """
    found = [
        each
        for each in aws.call("kafka", "list-vpc-connections").get("VpcConnections", [])
        if each["TargetClusterArn"] == settings["MskClusterArn"] and each.get("VpcId") == settings["VpcId"]
    ]
    if not found:
        return None
    found.sort(key=lambda each: each.get("State") != "AVAILABLE")
    return aws.call("kafka", "describe-vpc-connection", arn=found[0]["VpcConnectionArn"])


def groups(aws: Aws, settings: Settings) -> list:
    """The security groups in front of the brokers; none if they are not known."""
    arn = settings["MskClusterArn"]
    if by_vpc_connection(aws.call("kafka", "get-bootstrap-brokers", cluster_arn=arn), settings):
        return (vpc_connection(aws, settings) or {}).get("SecurityGroups", [])
    cluster = aws.call("kafka", "describe-cluster-v2", cluster_arn=arn)["ClusterInfo"]
    provisioned = cluster.get("Provisioned", {}).get("BrokerNodeGroupInfo", {}).get("SecurityGroups", [])
    configurations = cluster.get("Serverless", {}).get("VpcConfigs", [])
    return provisioned + [group for each in configurations for group in each.get("SecurityGroupIds", [])]
