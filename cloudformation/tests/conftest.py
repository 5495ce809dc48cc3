"""What the tests share: the templates as written and as packaged, and their resources on moto."""

import base64
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import boto3
import moto_additions  # noqa: F401  # for its effect on moto
import pytest
from cfnlint.decode import decode
from moto import mock_aws

FOLDER = Path(__file__).parent.parent
TARGET = FOLDER / "target"
PACKAGED = TARGET / "packaged"
ROOT = "rollup-pipeline.yaml"
STACKS = [
    f"stacks/{name}.yaml"
    for name in (
        *("storage", "access", "network", "trigger", "compute-emr", "compute-serverless"),
        *("prune", "dashboard", "alarms"),
    )
]
# Only with parameters that the tests set.
OPTIONAL = ["stacks/prune.yaml", "stacks/dashboard.yaml"]
FORWARD = "forward-events.yaml"
TEMPLATES = [ROOT, *STACKS, FORWARD]
KINDS = ["SERVERLESS", "EMR"]
REGION = "eu-west-1"


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
def packaged() -> Path:
    """The folder with what `aws cloudformation package` makes."""
    subprocess.run([sys.executable, FOLDER / "tests/package.py", PACKAGED], check=True, timeout=300)
    return PACKAGED


@pytest.fixture(scope="session")
def cloud(tmp_path_factory):
    """moto's server and the AWS CLI, for rollup-aws; a test resets it first."""
    from cloud import Cloud  # noqa: PLC0415  it needs this module

    cloud = Cloud(tmp_path_factory.mktemp("cloud"))
    cloud.start()
    yield cloud
    cloud.stop()


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
    } | others
    known = template["Parameters"]
    assert set(others) <= set(known)
    return [
        {"ParameterKey": name, "ParameterValue": value} for name, value in values.items() if name in known
    ]


def create(name: str, **others: str) -> dict:
    """Creates the stack of a template; the resources that moto made, of each file."""
    cloudformation = boto3.client("cloudformation")
    text = (FOLDER / name).read_text()
    if name == ROOT:
        text = (PACKAGED / ROOT).read_text()
        for file in (PACKAGED / "objects").rglob("*"):
            if file.is_file():
                key = str(file.relative_to(PACKAGED / "objects"))
                boto3.client("s3").put_object(Bucket="artifacts", Key=key, Body=file.read_bytes())
    cloudformation.create_stack(
        StackName="rollups",
        TemplateBody=text,
        Parameters=parameters(load(name), **others),
        Capabilities=["CAPABILITY_IAM"],
    )
    stack = cloudformation.describe_stacks(StackName="rollups")["Stacks"][0]
    assert stack["StackStatus"] == "CREATE_COMPLETE"
    made = {name: made_by("rollups")}
    if name == ROOT:
        sources = {
            logical: resource["Properties"]["TemplateURL"]
            for logical, resource in load(ROOT)["Resources"].items()
        }
        for logical, physical in made[ROOT].items():
            made[sources[logical]] = made_by(physical)
    return made


def made_by(stack: str) -> dict:
    """The physical by the logical names of a stack's resources."""
    answer = boto3.client("cloudformation").describe_stack_resources(StackName=stack)
    return {
        resource["LogicalResourceId"]: resource.get("PhysicalResourceId")
        for resource in answer["StackResources"]
        if "LogicalResourceId" in resource
    }


def evaluate(value, values: dict | None = None, conditions: tuple = ()):
    """A value of a template, with these parameters (another one, X, is the-X) and conditions that hold."""
    values = values or {}
    if isinstance(value, list):
        return [evaluate(each, values, conditions) for each in value]
    if not isinstance(value, dict):
        return value
    function = next(iter(value))
    if function != "Ref" and not function.startswith("Fn::"):
        return {name: evaluate(each, values, conditions) for name, each in value.items()}
    if function == "Fn::If":
        condition, if_true, if_false = value[function]
        return evaluate(if_true if condition in conditions else if_false, values, conditions)
    argument = evaluate(value[function], values, conditions)
    if function == "Fn::Sub":
        text, more = argument if isinstance(argument, list) else (argument, {})
        return re.sub(r"\$\{([^}]+)\}", lambda name: {**values, **more}.get(name[1], f"the-{name[1]}"), text)
    functions = {
        "Ref": lambda name: values.get(name, f"the-{name}"),
        "Fn::Base64": lambda text: base64.b64encode(text.encode()).decode(),
        "Fn::GetAtt": lambda names: f"the-{'.'.join(names)}",
        "Fn::Join": lambda pair: pair[0].join(pair[1]),
        "Fn::Select": lambda pair: pair[1][pair[0]],
        "Fn::Split": lambda pair: pair[1].split(pair[0]),
    }
    return functions[function](argument)


def definition(kind: str, templates: dict, packaged: Path, **values: str) -> dict:
    """The state machine that is deployed, with its substitutions put into the text as Step Functions does."""
    name = kind.lower()
    if kind == "PRUNE":
        machine = templates["stacks/prune.yaml"]["Resources"]["PruneMachine"]["Properties"]
    else:
        machine = templates[f"stacks/compute-{name}.yaml"]["Resources"]["StateMachine"]["Properties"]
    assert machine["DefinitionS3Location"] == f"../state-machine/{name}.asl.json"
    substitutions = {
        name: evaluate(value) if isinstance(value, dict) and "Fn::Base64" in value else f"the-{name}"
        for name, value in machine["DefinitionSubstitutions"].items()
    }
    services = {
        name: value["Fn::Sub"].replace("${AWS::Partition}", "aws")
        for name, value in machine["DefinitionSubstitutions"].items()
        if isinstance(value, dict) and str(value.get("Fn::Sub", "")).startswith("arn:")
    }
    substitutions |= services | values
    text = (packaged / f"state-machine/{name}.asl.json").read_text()
    used = set(re.findall(r"\$\{(\w+)\}", text))
    assert used == set(substitutions)
    for name, value in substitutions.items():
        text = text.replace("${" + name + "}", value)
    return json.loads(text)
