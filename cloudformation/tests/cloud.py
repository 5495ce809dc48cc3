"""An account on moto's server, and a copy of the suite whose bin/rollup-aws works in it."""

import json
import logging
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

import aws_cli
import boto3
from conftest import FOLDER, REGION
from moto import settings
from moto.server import ThreadedMotoServer

ACCOUNT = "123456789012"
SERVICE_ROLES = (
    "AWSServiceRoleForAmazonEMRServerless",
    "AWSServiceRoleForEMRCleanup",
    "AWSServiceRoleForEC2Spot",
)
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


class Cloud:
    """moto's server, and the AWS CLI's; start() once, reset() for each test."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.answers = folder / "answers"
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._cli = None

    def start(self) -> None:
        socket = self.folder / "aws"
        aws_cli.command(self.bin / "aws", socket, self.answers)
        (self.folder / "config").write_text("[default]\ns3 =\n  addressing_style = path\n")
        self._cli = subprocess.Popen([sys.executable, aws_cli.__file__, str(socket)])
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server.start()
        # By this name moto also finds templates of nested stacks.
        self.endpoint = f"http://localhost:{self._server.get_host_and_port()[1]}"
        while not socket.exists():
            assert self._cli.poll() is None

    def stop(self) -> None:
        self._cli.kill()
        self._cli.wait()
        self._server.stop()

    def reset(self) -> None:
        shutil.rmtree(self.answers, ignore_errors=True)
        self.answers.mkdir()
        request = urllib.request.Request(f"{self.endpoint}/moto-api/reset", b"", method="POST")  # noqa: S310
        urllib.request.urlopen(request).close()  # noqa: S310
        settings.INITIAL_NO_AUTH_ACTION_COUNT = float("inf")

    def answer(self, call: str, content: object) -> None:
        """What the AWS CLI answers to a call that moto does not have."""
        self._answer(call, 0, json.dumps(content), "")

    def refuse(self, call: str, code: str, message: str) -> None:
        """An error that AWS answers to a call."""
        operation = "".join(word.capitalize() for word in call.split()[1].split("-"))
        text = f"\nAn error occurred ({code}) when calling the {operation} operation: {message}\n"
        self._answer(call, 255, "", text)

    def _answer(self, call: str, code: int, stdout: str, stderr: str) -> None:
        text = json.dumps({"code": code, "stdout": stdout, "stderr": stderr})
        (self.answers / call.replace(" ", "-")).write_text(text)

    def enforce_policies(self) -> None:
        """From now on moto decides by IAM's policies."""
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0

    def client(self, service: str, region: str = REGION):
        return boto3.client(
            service,
            region_name=region,
            endpoint_url=self.endpoint,
            aws_access_key_id="test",
            aws_secret_access_key="test",  # noqa: S106
        )

    def environment(self, **others: str) -> dict:
        return {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_CONFIG_FILE": str(self.folder / "config"),
            "AWS_MAX_ATTEMPTS": "1",
            **CREDENTIALS,
            **others,
        }


class Suite:
    """A copy of the suite's folder after `make package`, and a user's parameter file beside it."""

    def __init__(self, folder: Path, cloud: Cloud):
        self.cloud = cloud
        self.folder = folder
        copy = folder / "suite" / "cloudformation"
        left_out = shutil.ignore_patterns("target", "tests", "__pycache__", "node_modules")
        shutil.copytree(FOLDER, copy, ignore=left_out)
        self.jar("rollup-job/target/rollup-job-0.1.0-SNAPSHOT-spark.jar")
        self.jar("rollup-job/target/msk/aws-msk-iam-auth.jar")
        self.jar("lambda-trigger/target/lambda-trigger-0.1.0-SNAPSHOT-lambda.jar")
        for name in ("opentsdb.conf", "rollup_config.json"):
            (folder / name).write_text(f"# {name}\n")
        self.content = json.loads((copy / "params" / "example.json").read_text())
        self.file = folder / "night.json"
        self.write()

    def jar(self, path: str, text: str = "PK") -> None:
        file = self.folder / "suite" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def write(self, **parameters: object) -> None:
        """Writes the parameter file; None removes a parameter."""
        self.content["parameters"].update(parameters)
        values = self.content["parameters"]
        self.content["parameters"] = {name: value for name, value in values.items() if value is not None}
        self.file.write_text(json.dumps(self.content, indent=1))

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess:
        """rollup-aws with these words; the second one is the parameter file unless it is an option."""
        return subprocess.run(
            [sys.executable, self.folder / "suite/cloudformation/bin/rollup-aws", *words],
            cwd=self.folder,
            env=self.cloud.environment(**environment),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def account(self) -> None:
        """What a user has before the first deployment: buckets, a network, brokers; and roles."""
        values = self.content["parameters"]
        s3 = self.cloud.client("s3")
        here = {"LocationConstraint": REGION}
        for bucket in (values["BackupBucket"], values["ArtifactBucket"]):
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=here)
        self.export("2026-11-21")
        iam = self.cloud.client("iam")
        for role in SERVICE_ROLES:
            iam.create_role(RoleName=role, AssumeRolePolicyDocument="{}")
        ec2 = self.cloud.client("ec2")
        vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        ec2.modify_vpc_attribute(VpcId=vpc, EnableDnsHostnames={"Value": True})
        subnets = [
            ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.0.{i}.0/24", AvailabilityZone=REGION + "ab"[i])[
                "Subnet"
            ]["SubnetId"]
            for i in (0, 1)
        ]
        tables = ec2.describe_route_tables(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["RouteTables"]
        ec2.create_vpc_endpoint(
            VpcId=vpc,
            ServiceName=f"com.amazonaws.{REGION}.s3",
            RouteTableIds=[each["RouteTableId"] for each in tables],
        )
        self.brokers = ec2.create_security_group(GroupName="brokers", Description="b", VpcId=vpc)["GroupId"]
        # As MSK answers; moto's clusters have no state, security and brokers.
        self.cluster = {
            "ClusterArn": values["MskClusterArn"],
            "State": "ACTIVE",
            "CurrentVersion": "K3AEGXETSR30VB",
            "Provisioned": {
                "BrokerNodeGroupInfo": {"ClientSubnets": subnets, "SecurityGroups": [self.brokers]},
                "ClientAuthentication": {"Sasl": {"Iam": {"Enabled": True}, "Scram": {"Enabled": False}}},
            },
        }
        self.cloud.answer("kafka describe-cluster-v2", {"ClusterInfo": self.cluster})
        # moto does not keep EventBridge's configuration.
        self.cloud.answer("s3api get-bucket-notification-configuration", {"EventBridgeConfiguration": {}})
        brokers = self.content["parameters"]["KafkaBootstrap"]
        self.cloud.answer("kafka get-bootstrap-brokers", {"BootstrapBrokerStringSaslIam": ",".join(brokers)})
        self.cloud.answer("emr list-release-labels", {"ReleaseLabels": ["emr-7.14.0"]})
        self.cloud.answer("service-quotas get-service-quota", {"Quota": {"Value": 200.0}})
        self.cloud.answer("iam simulate-principal-policy", {"EvaluationResults": []})
        self.write(VpcId=vpc, SubnetIds=subnets)

    def export(self, date: str) -> None:
        """A night as export-snapshots.sh leaves it, as far as rollup-aws looks."""
        day = date.replace("-", "")
        marker = {"v": 1, "date": date, "dataSnapshot": f"tsdb-{day}", "uidSnapshot": f"tsdb-uid-{day}"}
        objects = {f"hbase/_EXPORTED/{date}.json": json.dumps(marker)}
        for snapshot in (f"tsdb-{day}", f"tsdb-uid-{day}"):
            objects[f"hbase/.hbase-snapshot/{snapshot}/data.manifest"] = "m"
        s3 = self.cloud.client("s3")
        for key, body in objects.items():
            s3.put_object(Bucket=self.content["parameters"]["BackupBucket"], Key=key, Body=body.encode())
