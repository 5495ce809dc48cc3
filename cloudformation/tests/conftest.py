"""What the tests share: the templates as written, and their resources on moto."""

import json
import os
import re
from pathlib import Path

import boto3
import pytest
from cfnlint.decode import decode
from moto import mock_aws

FOLDER = Path(__file__).parent.parent
TARGET = FOLDER / "target"
TEMPLATES = ["rollup-pipeline.yaml", "rollup-data-pipeline.yaml"]
REGION = "eu-west-1"  # one that has Data Pipeline


def load(name: str) -> dict:
    """The template with its short forms (!Ref) written out (Ref)."""
    template, problems = decode(str(FOLDER / name))
    assert not problems
    return json.loads(json.dumps(template))


def resources(template: dict, kind: str) -> dict:
    """Properties by logical name, of one type."""
    return {
        name: resource["Properties"]
        for name, resource in template["Resources"].items()
        if resource["Type"] == kind
    }


@pytest.fixture(scope="session")
def templates() -> dict:
    return {name: load(name) for name in TEMPLATES}


@pytest.fixture(scope="session")
def pipeline(templates) -> dict:
    return templates["rollup-pipeline.yaml"]


@pytest.fixture
def aws(monkeypatch):
    """An account of moto's, with the bucket of the artifacts."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with mock_aws():
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="artifacts", CreateBucketConfiguration={"LocationConstraint": REGION})
        s3.put_object(Bucket="artifacts", Key="rollup/1/lambda-trigger.jar", Body=b"PK")
        yield


def parameters(template: dict, **others: str) -> list:
    """Values for the parameters without a default, and others."""
    ec2 = boto3.client("ec2")
    vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    subnets = [ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{i}.0/24")["Subnet"]["SubnetId"] for i in (1, 2)]
    values = {
        "BackupBucket": "backup",
        "ArtifactBucket": "artifacts",
        "ArtifactPrefix": "rollup/1",
        "KafkaBootstrap": "b-1.example.org:9098,b-2.example.org:9098",
        "KafkaCidr": "10.1.0.0/16",
        "MskClusterArn": f"arn:aws:kafka:{REGION}:{'0' * 12}:cluster/points/1b2c-3",
        "VpcId": vpc,
        "SubnetIds": ",".join(subnets),
        "SubnetId": subnets[0],
    } | others
    known = template["Parameters"]
    assert set(others) <= set(known)
    return [
        {"ParameterKey": name, "ParameterValue": value} for name, value in values.items() if name in known
    ]


def create(name: str, **others: str) -> list:
    """Creates the stack from the file as it is; the resources that moto made."""
    cloudformation = boto3.client("cloudformation")
    text = (FOLDER / name).read_text()
    cloudformation.create_stack(
        StackName="rollups",
        TemplateBody=text,
        Parameters=parameters(load(name), **others),
        Capabilities=["CAPABILITY_IAM"],
    )
    stack = cloudformation.describe_stacks(StackName="rollups")["Stacks"][0]
    assert stack["StackStatus"] == "CREATE_COMPLETE"
    return cloudformation.describe_stack_resources(StackName="rollups")["StackResources"]


def choose(value):
    """The first branch of every condition."""
    if isinstance(value, dict):
        if set(value) == {"Fn::If"}:
            return choose(value["Fn::If"][1])
        return {key: choose(item) for key, item in value.items()}
    return [choose(item) for item in value] if isinstance(value, list) else value


def definition(template: dict, **values: str) -> dict:
    """The state machine with its substitutions, as CloudFormation puts them into the text."""
    machine = template["Resources"]["StateMachine"]["Properties"]
    substitutions = {name: f"the-{name}" for name in machine["DefinitionSubstitutions"]}
    services = {
        name: value["Fn::Sub"].replace("${AWS::Partition}", "aws")
        for name, value in machine["DefinitionSubstitutions"].items()
        if isinstance(value, dict) and str(value.get("Fn::Sub", "")).startswith("arn:")
    }
    substitutions |= services | values
    text = json.dumps(choose(machine["Definition"]))
    used = set(re.findall(r"\$\{(\w+)\}", text))
    assert used == set(substitutions)
    for name, value in substitutions.items():
        text = text.replace("${" + name + "}", value)
    return json.loads(text)
