"""An account on moto's server, and a copy of the suite whose bin/rollup-aws works in it."""

import json
import logging
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Optional

import aws_cli
import boto3
import moto_additions  # noqa: F401  # for its effect on moto
from conftest import FOLDER, REGION
from moto import settings
from moto.cloudformation.models import CloudFormationBackend
from moto.emrserverless.models import EMRServerlessBackend
from moto.server import ThreadedMotoServer
from moto.stepfunctions.models import StateMachine

ACCOUNT = "123456789012"
SERVICE_ROLES = (
    "AWSServiceRoleForAmazonEMRServerless",
    "AWSServiceRoleForEMRCleanup",
    "AWSServiceRoleForEC2Spot",
)
REPORT = FOLDER.parent / "lambda-trigger/src/test/resources/report-done.json"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
_execute = CloudFormationBackend.execute_change_set


def _execute_with_outputs(self: CloudFormationBackend, change_set_name: str, stack_name=None) -> None:
    """moto keeps the outputs of the stack as it was before the change set."""
    _execute(self, change_set_name, stack_name)
    for change_set in self.change_sets.values():
        if change_set_name in (change_set.change_set_id, change_set.change_set_name):
            change_set.stack.template_dict = change_set.template_dict
            change_set.stack.output_map = change_set.stack._create_output_map()


CloudFormationBackend.execute_change_set = _execute_with_outputs


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
        # pyenv's python3 would put its own folder, with another aws, in front of this one.
        (self.bin / "python3").symlink_to(sys.executable)
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
        self.jar("rollup-job/target/rollup-job-1.2.3-spark.jar")
        self.jar("rollup-job/target/msk/aws-msk-iam-auth.jar")
        self.jar("lambda-trigger/target/lambda-trigger-1.2.3-lambda.jar")
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
            timeout=300,
            check=False,
        )

    def service_linked_role(self, name: str) -> None:
        self.cloud.client("iam").create_role(RoleName=name, AssumeRolePolicyDocument="{}")

    def account(self) -> None:
        """What a user has before the first deployment: buckets, a network, brokers; and roles."""
        values = self.content["parameters"]
        s3 = self.cloud.client("s3")
        here = {"LocationConstraint": REGION}
        for bucket in (values["BackupBucket"], values["ArtifactBucket"]):
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration=here)
        self.export("2026-11-21")
        for role in SERVICE_ROLES:
            self.service_linked_role(role)
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
            VpcEndpointType="Gateway",
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
        # moto's CloudFormation makes no alarms; the queues are empty.
        self.cloud.answer("cloudwatch describe-alarms", {"MetricAlarms": []})
        self.cloud.answer("sqs get-queue-attributes", {"Attributes": {}})
        self.write(VpcId=vpc, SubnetIds=subnets)

    def log_bucket(self) -> str:
        stacks = self.cloud.client("cloudformation").describe_stacks(StackName=self.content["stack"])[
            "Stacks"
        ]
        return next(each["OutputValue"] for each in stacks[0]["Outputs"] if each["OutputKey"] == "LogBucket")

    def report(self, key: str, **fields: object) -> None:
        """Writes a report as the job does: a real one of a day, with other fields."""
        content = {**json.loads(REPORT.read_text()), **fields}
        self.cloud.client("s3").put_object(
            Bucket=self.log_bucket(), Key=f"reports/{key}.json", Body=json.dumps(content).encode()
        )

    def mock_jobs(
        self, monkeypatch, status: str = "SUCCEEDED", prune: Optional[dict] = None, **fields: object
    ) -> None:
        """Executions and jobs end at once, with a report of each day and of each job.

        prune has further fields of the reports of jobs; they are read when a job starts.
        """
        start_execution, start_job = StateMachine.start_execution, EMRServerlessBackend.start_job_run

        def execute(machine, *positional, **named):
            execution = start_execution(machine, *positional, **named)
            for day in json.loads(execution.execution_input)["days"]:
                self.report(day, **fields)
            execution.status = status
            return execution

        def run_job(backend, **named):
            job = start_job(backend, **named)
            arguments = job.job_driver["sparkSubmit"]["entryPointArguments"]
            uri = arguments[arguments.index("--report") + 1]
            key = uri.partition("/reports/")[2].removesuffix(".json")
            words = " ".join(arguments)
            self.report(key, **{"report": "rollup-job prune", "message": words, **(prune or {})})
            job.state = "SUCCESS"
            return job

        monkeypatch.setattr(StateMachine, "start_execution", execute)
        monkeypatch.setattr(EMRServerlessBackend, "start_job_run", run_job)

    def export(self, date: str) -> None:
        """A night as export-snapshots.sh leaves it, as far as rollup-aws looks."""
        day = date.replace("-", "")
        marker = {"v": 1, "date": date, "dataSnapshot": f"tsdb-{day}", "uidSnapshot": f"tsdb-uid-{day}"}
        objects = {f"hbase/_EXPORTED/{date}.json": json.dumps(marker)}
        for snapshot in (f"tsdb-{day}", f"tsdb-uid-{day}"):
            for name in (".snapshotinfo", "data.manifest"):
                objects[f"hbase/.hbase-snapshot/{snapshot}/{name}"] = "m"
        s3 = self.cloud.client("s3")
        for key, body in objects.items():
            s3.put_object(Bucket=self.content["parameters"]["BackupBucket"], Key=key, Body=body.encode())
