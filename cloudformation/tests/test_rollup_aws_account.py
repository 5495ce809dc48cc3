"""rollup-aws in accounts that lack something, on moto."""

import json
import re
import threading
from datetime import date, datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cloud import ACCOUNT, Suite
from conftest import FOLDER, FORWARD, REGION
from moto.cloudformation.models import cloudformation_backends
from moto.stepfunctions.models import StateMachine

from rollup_aws import deploy, destroy, doctor, estimate, prune, reports, run, settings, stack, status
from rollup_aws.aws import Aws
from rollup_aws.checks import (
    OK,
    PROBLEM,
    UNKNOWN,
    WARNING,
    Context,
    account,
    hbase,
    kafka,
    network,
    operation,
    storage,
)
from rollup_aws.errors import BadInputError, CommandError, ConfigurationError, OutsideError

pytestmark = pytest.mark.filterwarnings("ignore")  # moto's, in the server
KEY = f"arn:aws:kms:{REGION}:{ACCOUNT}:key/own"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:AmazonMSK_rollup"
HFILES = {
    **dict.fromkeys(("KafkaBootstrap", "KafkaCidr", "MskClusterArn")),
    "KafkaSecurity": "NONE",
    "HBaseCidr": "10.2.0.0/16",
}
"""Parameters of a stack without Kafka."""


@pytest.fixture
def suite(tmp_path, cloud, monkeypatch):
    """An account that has everything, and this process in it."""
    cloud.reset()
    for name, value in cloud.environment().items():
        monkeypatch.setenv(name, value)
    suite = Suite(tmp_path, cloud)
    suite.account()
    return suite


def context(suite, **parameters) -> Context:
    suite.write(**parameters)
    loaded = settings.load(suite.file)
    return Context(loaded, Aws(loaded.region), ACCOUNT, f"arn:aws:iam::{ACCOUNT}:user/night")


def levels(findings):
    return [each.level for each in findings]


def only(findings, level=PROBLEM):
    (finding,) = [each for each in findings if each.level != OK]
    assert finding.level == level
    return finding


# ---- doctor ----


def test_buckets_that_do_not_exist(suite):
    of = context(suite, BackupBucket="nobody-has-it", ArtifactBucket="nobody-has-it-either")
    assert "does not exist; parameters.BackupBucket" in only(storage.backup_bucket(of)).text
    finding = only(storage.artifact_bucket(of))
    assert "LocationConstraint" in finding.mend[0]
    assert storage.exports(of) == []


def test_buckets_in_another_region(suite, cloud):
    s3 = cloud.client("s3", "us-east-1")
    s3.create_bucket(Bucket="far-backup")
    s3.create_bucket(Bucket="far-artifacts")
    of = context(suite, BackupBucket="far-backup", ArtifactBucket="far-artifacts")
    assert "set parameters.BackupRegion to us-east-1" in only(storage.backup_bucket(of)).text
    assert "Lambda takes jars only from its own region" in only(storage.artifact_bucket(of)).text
    of = context(suite, BackupRegion="us-east-1", BackupAccountId="999999999999")
    assert "see there that its policy and key" in only(storage.backup_bucket(of), UNKNOWN).text


def test_a_bucket_with_a_key_of_its_own(suite, cloud):
    arn = cloud.client("kms").create_key()["KeyMetadata"]["Arn"]
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": arn}}
    cloud.client("s3").put_bucket_encryption(
        Bucket="example-backup", ServerSideEncryptionConfiguration={"Rules": [rule]}
    )
    of = context(suite)
    assert "set parameters.BackupKmsKeyArn to this key" in only(storage.backup_bucket(of)).text
    of = context(suite, BackupKmsKeyArn=arn)
    assert set(levels(storage.backup_bucket(of))) == {OK}
    assert levels(storage.keys(of)) == [OK]
    cloud.client("kms").schedule_key_deletion(KeyId=arn.rpartition("/")[2], PendingWindowInDays=7)
    assert "cancel-key-deletion" in only(storage.keys(of)).mend[0]


def test_events_are_switched_on_without_replacing_others(suite, cloud):
    queue = f"arn:aws:sqs:{REGION}:{ACCOUNT}:other"
    others = {"QueueConfigurations": [{"Id": "x", "QueueArn": queue, "Events": ["s3:ObjectCreated:*"]}]}
    cloud.answer("s3api get-bucket-notification-configuration", others)
    finding = only(storage.backup_bucket(context(suite)))
    assert json.dumps(others["QueueConfigurations"], separators=(",", ":")) in finding.mend[0]
    assert '"EventBridgeConfiguration":{}' in finding.mend[0]


def test_a_lifecycle_rule_that_would_remove_hfiles(suite, cloud):
    def rules(**rule):
        rule = {"ID": "old", "Status": "Enabled", "Expiration": {"Days": 30}, **rule}
        cloud.client("s3").put_bucket_lifecycle_configuration(
            Bucket="example-backup", LifecycleConfiguration={"Rules": [rule]}
        )
        return storage.backup_bucket(context(suite))

    assert "'old' removes or moves HFiles" in only(rules(Filter={"Prefix": ""})).text
    assert "'old' removes or moves HFiles" in only(rules(Filter={"Prefix": "hbase/archive/data/"})).text
    assert set(levels(rules(Filter={"Prefix": "logs/"}))) == {OK}
    assert set(levels(rules(Filter={"Prefix": ""}, Status="Disabled"))) == {OK}


def test_exports(suite, cloud):
    assert levels(storage.exports(context(suite))) == [OK]
    finding = only(storage.exports(context(suite, BackupPrefix="other")), WARNING)
    assert finding.mend == ("export-snapshots.sh --root s3a://example-backup/other",)
    assert levels(storage.exports(context(suite, BackupPrefix="hbase", StartOn="MANIFESTS"))) == [OK]
    cloud.client("s3").delete_object(Bucket="example-backup", Key="hbase/_EXPORTED/2026-11-21.json")
    assert "set StartOn to MANIFESTS" in only(storage.exports(context(suite, StartOn="MARKER")), WARNING).text


@pytest.mark.parametrize("start", ["MARKER", "MANIFESTS"])
def test_half_an_export(suite, cloud, start):
    s3 = cloud.client("s3")
    folder = "hbase/.hbase-snapshot"

    def delete(*names):
        for name in names:
            s3.delete_object(Bucket="example-backup", Key=f"{folder}/{name}")

    def night():
        request = run.Request([])
        return run._start(of.aws, of.settings, stack.Stack("", outputs={"StateMachine": "m"}), request)

    of = context(suite, StartOn=start)
    # Today's export, which runs or has failed.
    s3.put_object(Bucket="example-backup", Key=f"{folder}/tsdb-20261122/data.manifest", Body=b"m")
    finding = only(storage.exports(of), WARNING)
    assert "has the data snapshot of 2026-11-22 without its UID snapshot" in finding.text
    assert finding.mend[0].endswith(" --date 2026-11-22 --overwrite")
    delete("tsdb-20261122/data.manifest")
    assert levels(storage.exports(of)) == [OK]
    assert night()[0] == ["2026-11-20"]
    # Otherwise the trigger or Prepare looks for them for 25 minutes and more.
    lacking = ".hbase-snapshot/tsdb-uid-20261121/.snapshotinfo"
    delete("tsdb-uid-20261121/.snapshotinfo")
    finding = only(storage.exports(of))
    assert f"the newest night, 2026-11-21, lacks {lacking}: half an export" in finding.text
    assert finding.mend[0].endswith(" --date 2026-11-21 --overwrite")
    with pytest.raises(BadInputError, match="are not complete, so the night would fail") as error:
        night()
    assert lacking in error.value.problems[0]
    assert error.value.hints == finding.mend
    # No UID snapshot at all, and no marker.
    delete("tsdb-uid-20261121/data.manifest")
    s3.delete_object(Bucket="example-backup", Key="hbase/_EXPORTED/2026-11-21.json")
    text = "has the data snapshot of 2026-11-21 without its UID snapshot: half an export"
    assert only(storage.exports(of), WARNING).text == text


def test_doctor_tells_a_damaged_marker(suite, cloud):
    key = "hbase/_EXPORTED/2026-11-21.json"
    cloud.client("s3").put_object(Bucket="example-backup", Key=key, Body=b"{}")
    (finding,) = doctor._run(storage.exports, context(suite))
    assert finding.level == PROBLEM
    assert f"{key}: date must be 2026-11-21, as in its name: None" in finding.text


def test_roles_for_emr(suite, cloud):
    iam = cloud.client("iam")
    iam.delete_role(RoleName="AWSServiceRoleForEC2Spot")
    assert set(levels(account.service_linked_roles(context(suite)))) == {OK}
    of = context(suite, ComputeKind="EMR")
    finding = only(account.service_linked_roles(of))
    assert "--aws-service-name spot.amazonaws.com" in finding.mend[0]
    of = context(suite, TaskMarket="ON_DEMAND", PermissionsBoundary=f"arn:aws:iam::{ACCOUNT}:policy/none")
    assert set(levels(account.service_linked_roles(of))) == {OK}
    assert "does not exist" in only(account.boundary(of)).text


def test_quotas(suite, cloud):
    cloud.answer("service-quotas get-service-quota", {"Quota": {"Value": 16.0}})
    finding = only(account.quotas(context(suite)), WARNING)
    assert "16, a night wants 36" in finding.text
    assert "--desired-value 36" in finding.mend[0]
    # A driver and one executor.
    assert only(account.quotas(context(suite, WorkerSize="8x32")), WARNING)
    # No more than the application lets run.
    assert set(levels(account.quotas(context(suite, WorkerSize="4x8", MaximumCapacity="16x32")))) == {OK}
    of = context(suite, WorkerSize="8x32", MaximumCapacity=None)
    cloud.answer("service-quotas get-service-quota", {"Quota": {"Value": 15.0}})
    assert "no night runs with less than 16" in only(account.quotas(of)).text
    cloud.answer("service-quotas get-service-quota", {"Quota": {"Value": 16.0}})
    of = context(suite, ComputeKind="EMR", TaskInstanceTypes="m6g.2xlarge,m6i.4xlarge")
    texts = [each.text for each in account.quotas(of) if each.level != OK]
    assert (
        "must have one size and one processor architecture, found [8, 16] vCPUs and arm64, x86_64" in texts[0]
    )
    assert [re.search(r"wants (\d+)", text)[1] for text in texts[1:]] == ["72", "64"]
    cloud.refuse("service-quotas get-service-quota", "AccessDeniedException", "no")
    assert set(levels(account.quotas(context(suite, ComputeKind="SERVERLESS")))) == {UNKNOWN}


def test_simulated_permissions(suite, cloud):
    denied = {"EvalActionName": "lambda:CreateFunction", "EvalDecision": "implicitDeny"}
    cloud.answer("iam simulate-principal-policy", {"EvaluationResults": [denied]})
    assert "user/night may not lambda:CreateFunction on " in only(account.permissions(context(suite))).text
    conditional = {**denied, "MissingContextValues": ["aws:RequestTag/x"]}
    cloud.answer("iam simulate-principal-policy", {"EvaluationResults": [conditional]})
    assert "depend on conditions" in only(account.permissions(context(suite)), UNKNOWN).text
    # Claims what was simulated, and no more.
    cloud.answer("iam simulate-principal-policy", {"EvaluationResults": []})
    of = context(suite)
    simulated = account._actions(of)
    count = sum(len(actions) for actions, _ in simulated)
    (allowed,) = account.permissions(of)
    assert f"allows arn:aws:iam::{ACCOUNT}:user/night {count} actions" in allowed.text
    assert "it knows no policies of buckets" in allowed.text
    actions = {each for group, _ in simulated for each in group}
    assert {
        "s3:PutBucketVersioning",
        "s3:PutEncryptionConfiguration",
        "ec2:CreateNetworkInterface",
    } <= actions
    for nested in ("Storage", "Trigger", "ComputeServerless", "Alarms"):
        stack_arn = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/opentsdb-rollup-{nested}-x/*"
        assert stack_arn in {resource for _, resource in simulated}
    # Each resource once.
    assert len({resource for _, resource in simulated}) == len(simulated)
    assert {"iam:TagRole", "kms:TagResource", "sns:Subscribe"} <= actions
    others = {"elasticmapreduce:CreateSecurityConfiguration", "iam:PutRolePermissionsBoundary"}
    assert not others & actions
    of.settings.tags.clear()
    of.settings.parameters["NotificationEmail"] = ""
    fewer = {each for group, _ in account._actions(of) for each in group}
    assert not {"iam:TagRole", "sns:Subscribe"} & fewer
    of.settings.parameters |= {"ComputeKind": "EMR", "PermissionsBoundary": "arn:aws:iam::1:policy/p"}
    more = {each for group, _ in account._actions(of) for each in group}
    assert others <= more
    assert "emr-serverless:CreateApplication" not in more


def test_an_account_that_brings_its_roles(suite, cloud):
    iam = cloud.client("iam")
    own = {"RolePath": "/ops/", "RolePrefix": "corp-", "KmsKeyArn": KEY, "LogBucketName": "own-logs"}
    of = context(suite, NodeGroupId="sg-1", PermissionsBoundary=f"arn:aws:iam::{ACCOUNT}:policy/p", **own)
    assert of.settings.tags

    def passed(of):
        root = f"arn:aws:iam::{ACCOUNT}:role/ops/corp-"
        return {arn.removeprefix(root) for actions, arn in account._actions(of) if "iam:PassRole" in actions}

    names = {"trigger", "prepare", "report", "night-check", "states"}
    assert passed(of) == names
    # Who may make no roles, keys, buckets and groups, needs no right to tag them.
    actions = {each for group, _ in account._actions(of) for each in group}
    making = {"iam:CreateRole", "iam:TagRole", "iam:TagPolicy", "iam:PutRolePermissionsBoundary"}
    making |= {"kms:CreateKey", "kms:TagResource", "s3:CreateBucket", "s3:PutBucketTagging", "ec2:CreateTags"}
    assert not making & actions
    assert "lambda:TagResource" in actions
    missing = [each.thing.rpartition("/")[2] for each in account.own_roles(of)]
    assert sorted(missing) == ["corp-job", *(f"corp-{name}" for name in sorted(names))]
    for name in missing[1:]:
        iam.create_role(RoleName=name, Path="/ops/", AssumeRolePolicyDocument="{}")
    iam.create_role(RoleName=missing[0], AssumeRolePolicyDocument="{}")
    assert "another path than parameters.RolePath" in only(account.own_roles(of)).text
    iam.delete_role(RoleName=missing[0])
    iam.create_role(RoleName=missing[0], Path="/ops/", AssumeRolePolicyDocument="{}")
    assert levels(account.own_roles(of)) == [OK]
    schedule = {"Prune": "ON", "PruneSchedule": "rate(7 days)", "NotificationEmail": "a@example.org"}
    of = context(suite, ComputeKind="EMR", ServiceGroupId="sg-2", **schedule)
    names |= {"lost-instances", "prune", "prune-states"}
    assert passed(of) == names
    assert set(account._own_roles(of)) == names | {"emr", "node"}
    stacks = "".join(file.read_text() for file in (FOLDER / "stacks").glob("*.yaml"))
    assert set(re.findall(r"\$\{RolePrefix\}([a-z-]+)", stacks)) == names | {"emr", "node", "job"}
    assert account.own_roles(context(suite, RolePrefix=None)) == []


def test_an_account_that_brings_its_groups_key_and_bucket(suite, cloud):
    assert network.groups(context(suite)) == storage.log_bucket(context(suite)) == []
    of = context(suite, NodeGroupId="sg-0", ServiceGroupId=suite.brokers, LogBucketName="own-logs")
    assert only(network.groups(of)).text == "sg-0 does not exist"
    assert "does not exist; parameters.LogBucketName" in only(storage.log_bucket(of)).text
    ec2, s3 = cloud.client("ec2"), cloud.client("s3")
    vpc = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    group = ec2.create_security_group(GroupName="other", Description="o", VpcId=vpc)["GroupId"]
    finding = only(network.groups(context(suite, NodeGroupId=group)))
    assert f"{group} is in {vpc}, not in {of.settings['VpcId']}" in finding.text
    assert set(levels(network.groups(context(suite, NodeGroupId=suite.brokers)))) == {OK}
    key = cloud.client("kms").create_key()["KeyMetadata"]["Arn"]
    s3.create_bucket(Bucket="own-logs", CreateBucketConfiguration={"LocationConstraint": REGION})
    of = context(suite, KmsKeyArn=key)
    assert set(levels(storage.log_bucket(of))) == {OK}
    assert levels(storage.keys(of)) == [OK]
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": key}}
    s3.put_bucket_encryption(Bucket="own-logs", ServerSideEncryptionConfiguration={"Rules": [rule]})
    assert set(levels(storage.log_bucket(of))) == {OK}
    finding = only(storage.log_bucket(context(suite, KmsKeyArn=KEY)))
    assert f"is encrypted with {key}: set parameters.KmsKeyArn to this key" in finding.text
    assert "does not exist" in only(storage.keys(context(suite))).text


def test_a_list_of_networks_that_leads_not_to_s3(suite):
    own = {"NodeGroupId": None, "HttpsCidrs": "10.0.0.0/16"}
    finding = only(network.groups(context(suite, **own)), WARNING)
    assert f"com.amazonaws.{REGION}.s3" in finding.mend[0]
    assert network.groups(context(suite, HttpsPrefixList="pl-1")) == []


def test_a_budget_needs_its_tag_on_the_bill(suite, cloud):
    assert account.budget(context(suite)) == []
    of = context(suite, MonthlyBudget=50)
    cloud.answer("ce list-cost-allocation-tags", {"CostAllocationTags": []})
    finding = only(account.budget(of), WARNING)
    assert finding.mend[0].endswith(
        " --cost-allocation-tags-status TagKey=opentsdb-rollup-stack,Status=Active --region eu-west-1"
    )
    tag = {"TagKey": "opentsdb-rollup-stack", "Type": "UserDefined", "Status": "Active"}
    cloud.answer("ce list-cost-allocation-tags", {"CostAllocationTags": [tag]})
    assert levels(account.budget(of)) == [OK]
    # In an account whose bill another one pays.
    text = "Failed to list Cost Allocation Tags: Linked account doesn't have access to cost allocation tags"
    cloud.refuse("ce list-cost-allocation-tags", "AccessDeniedException", text)
    (finding,) = doctor._run(account.budget, of)
    assert finding.level == UNKNOWN
    assert text in finding.text
    assert "budgets:ModifyBudget" in {each for group, _ in account._actions(of) for each in group}


def test_every_type_of_resource_has_its_actions(templates):
    types = {
        resource["Type"]
        for name, template in templates.items()
        if name != FORWARD  # which the other account deploys
        for resource in template["Resources"].values()
    }
    assert types <= set(account.ACTIONS)


def test_subnets(suite, cloud):
    ec2 = cloud.client("ec2")
    other = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    zone = f"{REGION}a"
    subnet = ec2.create_subnet(VpcId=other, CidrBlock="10.1.0.0/28", AvailabilityZone=zone)["Subnet"][
        "SubnetId"
    ]
    there = suite.content["parameters"]["SubnetIds"][0]
    of = context(suite, ComputeKind="EMR", SubnetIds=[there, subnet, "subnet-0"], TaskInstances=20)
    findings = network.subnets(of)
    text = "\n".join(f"{each.level} {each.thing}: {each.text}" for each in findings)
    assert "PROBLEM subnet subnet-0: does not exist" in text
    assert f"PROBLEM subnet {subnet}: is in {other}, not in" in text
    assert f"is in zone {zone} as" in text
    assert f"{WARNING} subnet {subnet}: has 11 free addresses, a night wants up to 22" in text
    # A primary and 11 core nodes: too few only if no other subnet has room.
    less = "has 11 free addresses, no night runs with less than 12"
    of = context(suite, SubnetIds=[subnet], CoreInstances=11)
    assert [each.level for each in network.subnets(of) if each.text == less] == [PROBLEM]
    of = context(suite, SubnetIds=[there, subnet])
    assert [each.level for each in network.subnets(of) if each.text == less] == [WARNING]
    of = context(suite, SubnetIds=[subnet], CoreInstances=10)
    assert "no night runs" not in str(network.subnets(of))
    assert text.count("lacks the tag") == 2
    assert any("create-tags" in command for each in findings for command in each.mend)
    assert "Key=for-use-with-amazon-emr-managed-policies,Value=true" in findings[-1].mend[0]


def test_routes(suite, cloud):
    ec2 = cloud.client("ec2")
    of = context(suite)
    assert levels(network.routes(of)) == [OK]
    (endpoint,) = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint["VpcEndpointId"]])
    findings = network.routes(context(suite, BackupRegion="eu-central-1"))
    texts = {each.text for each in findings}
    assert any("has no route to S3" in text for text in texts)
    assert any("endpoints do not reach the backup bucket in eu-central-1" in text for text in texts)
    assert "create-vpc-endpoint" in findings[0].mend[0]
    of = context(suite, ComputeKind="EMR", BackupRegion="")
    texts = {each.text for each in network.routes(of)}
    for service in ("elasticmapreduce", "kms"):
        assert any(f"has no route to {service}" in text for text in texts)
    # A public subnet.
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    vpc = suite.content["parameters"]["VpcId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc)
    tables = ec2.describe_route_tables(Filters=[{"Name": "vpc-id", "Values": [vpc]}])["RouteTables"]
    ec2.create_route(
        RouteTableId=tables[0]["RouteTableId"], DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway
    )
    assert all("is public" in each.text for each in network.routes(of))


def test_an_endpoint_that_lets_nobody_in(suite, cloud, monkeypatch):
    ec2 = cloud.client("ec2")
    secret = {"KafkaSecurity": "SASL_SCRAM", "MskClusterArn": None, "KafkaSecretArn": SECRET}
    of = context(suite, **secret)
    missing = [each for each in network.routes(of) if "has no route to secretsmanager" in each.text]
    # Not the default group, which lets in nobody; and not a new one, which lets in nobody either.
    make, admit, endpoint = missing[0].mend
    assert "create-security-group" in make
    assert "authorize-security-group-ingress --group-id GROUP " in admit
    assert '"FromPort":443,"ToPort":443,' in admit
    assert '"IpRanges":[{"CidrIp":"10.0.0.0/24"},{"CidrIp":"10.0.1.0/24"}]' in admit
    assert "--security-group-ids GROUP --private-dns-enabled " in endpoint
    vpc, subnets = of.settings["VpcId"], of.settings.subnets
    group = ec2.create_security_group(GroupName="endpoints", Description="e", VpcId=vpc)["GroupId"]
    ec2.create_vpc_endpoint(
        VpcEndpointType="Interface",
        VpcId=vpc,
        ServiceName=f"com.amazonaws.{REGION}.secretsmanager",
        SubnetIds=subnets,
        SecurityGroupIds=[group],
    )
    assert not [each for each in network.routes(of) if "secretsmanager" in each.text]
    there = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    (made,) = [each for each in there if each["VpcEndpointType"] == "Interface"]
    table = {"RouteTableId": "rtb-1", "Routes": []}
    for private in (True, False):
        found = network._routes_of(of, subnets[0], table, [{**made, "PrivateDnsEnabled": private}])
        assert [each.text for each in found if "secretsmanager" in each.text] == (
            [] if private else [missing[0].text]
        )
    assert "deploy will tell how" in only(network.endpoints(of), WARNING).text
    workers = ec2.create_security_group(GroupName="workers", Description="w", VpcId=vpc)["GroupId"]
    there = stack.Stack("CREATE_COMPLETE", outputs={"NodeGroup": workers})
    monkeypatch.setattr(stack, "describe", lambda *_: there)
    (command,) = only(network.endpoints(of)).mend
    (step,) = deploy._endpoints(of.aws, of.settings, there)
    assert step.endswith(command)
    assert f"--group-id {group}" in command
    permission = {"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443}
    pair = [{**permission, "UserIdGroupPairs": [{"GroupId": workers}]}]
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=pair)
    assert network.endpoints(of) == deploy._endpoints(of.aws, of.settings, there) == []
    ec2.revoke_security_group_ingress(GroupId=group, IpPermissions=pair)
    assert levels(network.endpoints(of)) == [PROBLEM]
    for cidr, closed in (("10.0.0.0/24", True), ("10.0.0.0/16", False)):
        ec2.authorize_security_group_ingress(
            GroupId=group, IpPermissions=[{**permission, "IpRanges": [{"CidrIp": cidr}]}]
        )
        assert bool(network.endpoints(of)) == closed
    # A service that nobody calls.
    assert network.endpoints(context(suite, KafkaSecurity="PLAINTEXT", KafkaSecretArn=None)) == []


def test_a_vpc_without_dns(suite, cloud):
    vpc = suite.content["parameters"]["VpcId"]
    cloud.client("ec2").modify_vpc_attribute(VpcId=vpc, EnableDnsSupport={"Value": False})
    assert "modify-vpc-attribute" in only(network.vpc(context(suite))).mend[0]
    assert "does not exist" in only(network.vpc(context(suite, VpcId="vpc-0"))).text


def test_brokers(suite, cloud):
    assert levels(kafka.cluster(context(suite))) == [OK]
    assert "are not brokers" in only(kafka.cluster(context(suite, KafkaBootstrap="b-9:9098"))).text
    assert "does not contain" in "".join(
        e.text for e in kafka.cluster(context(suite, KafkaCidr="10.9.0.0/16"))
    )
    suite.cluster["Provisioned"]["ClientAuthentication"]["Sasl"]["Iam"]["Enabled"] = False
    suite.cluster["State"] = "DELETING"
    cloud.answer("kafka describe-cluster-v2", {"ClusterInfo": suite.cluster})
    findings = kafka.cluster(context(suite))
    assert "is in state DELETING" in findings[0].text
    assert '"Iam":{"Enabled":true}' in findings[1].mend[0]


def test_brokers_behind_a_vpc_connection(suite, cloud):
    brokers = [f"b-{n}.scram.points.example.org:1400{n}" for n in (1, 2, 3)]
    answer = {
        "BootstrapBrokerStringSaslIam": "b-1.example.org:9098",
        "BootstrapBrokerStringVpcConnectivitySaslIam": ",".join(brokers),
    }
    cloud.answer("kafka get-bootstrap-brokers", answer)
    of = context(suite)
    assert brokers[0] in only(kafka.cluster(of)).text
    # As multi-VPC private connectivity names them: a port for each broker.
    of.settings.parameters |= {"KafkaBootstrap": ",".join(brokers), "KafkaPort": "14001"}
    of.settings.parameters["KafkaPortTo"] = "14003"
    vpc, cluster = of.settings["VpcId"], of.settings["MskClusterArn"]
    cloud.answer("kafka list-vpc-connections", {"VpcConnections": []})
    assert f"{vpc} has none to {cluster}" in only(kafka.cluster(of)).text
    connection = {"VpcConnectionArn": "arn:c", "TargetClusterArn": cluster, "VpcId": vpc, "State": "CREATING"}
    others = [{**connection, "TargetClusterArn": "arn:x"}, {**connection, "VpcId": "vpc-0"}]
    cloud.answer("kafka list-vpc-connections", {"VpcConnections": [*others, connection]})
    whole = {**connection, "Subnets": of.settings.subnets, "SecurityGroups": [suite.brokers]}
    cloud.answer("kafka describe-vpc-connection", whole)
    assert "arn:c is in state CREATING" in only(kafka.cluster(of)).text
    whole["State"] = "AVAILABLE"
    cloud.answer("kafka describe-vpc-connection", whole)
    (finding,) = kafka.cluster(of)
    assert (finding.level, "by a VPC connection at" in finding.text) == (OK, True)
    of.settings.parameters["KafkaCidr"] = "10.9.0.0/16"
    assert "does not contain the brokers' subnets" in only(kafka.cluster(of)).text
    # The connection's security group must let in all ports.
    ec2 = cloud.client("ec2")
    workers = ec2.create_security_group(GroupName="workers", Description="w", VpcId=vpc)["GroupId"]
    there = stack.Stack("CREATE_COMPLETE", outputs={"NodeGroup": workers})
    (step,) = deploy._brokers(of.aws, of.settings, there)
    assert f"--group-id {suite.brokers} " in step
    assert '"FromPort":14001,"ToPort":14003,' in step
    pair = {"IpProtocol": "tcp", "FromPort": 14001, "UserIdGroupPairs": [{"GroupId": workers}]}
    ec2.authorize_security_group_ingress(GroupId=suite.brokers, IpPermissions=[{**pair, "ToPort": 14001}])
    assert deploy._brokers(of.aws, of.settings, there) == [step]
    ec2.authorize_security_group_ingress(GroupId=suite.brokers, IpPermissions=[{**pair, "ToPort": 14003}])
    assert deploy._brokers(of.aws, of.settings, there) == []


def test_a_secret(suite, cloud):
    scram = {"KafkaSecurity": "SASL_SCRAM", "MskClusterArn": None, "KafkaSecretArn": SECRET}
    finding = only(kafka.secret(context(suite, **scram)))
    assert "create-secret" in finding.mend[0]
    client = cloud.client("secretsmanager")
    key = cloud.client("kms").create_key()["KeyMetadata"]["Arn"]
    arn = client.create_secret(Name="AmazonMSK_rollup", KmsKeyId=key, SecretString='{"username":"u"}')["ARN"]
    # Found, and denied at night.
    short = kafka.secret(context(suite))
    assert f"set parameters.KafkaSecretArn to {arn}, with the suffix" in short[0].text
    first, second = kafka.secret(context(suite, KafkaSecretArn=arn))
    assert "set parameters.KafkaSecretKmsKeyArn to it" in first.text
    assert second.text == "lacks password, which SASL_SCRAM needs"
    secret = {"username": "u", "password": "tellnobody"}
    of = context(suite, KafkaSecretKmsKeyArn=key)
    for content, text in (
        (json.dumps({**secret, "usrname": "u"}), "has usrname, which SASL_SCRAM does not know"),
        ('{"password":"tellnobody"', "is not JSON"),
        ('["tellnobody"]', "must be one JSON object of texts"),
    ):
        client.put_secret_value(SecretId=arn, SecretString=content)
        finding = only(kafka.secret(of))
        assert finding.text == text
        assert "tellnobody" not in str(finding)
    client.put_secret_value(SecretId=arn, SecretString=json.dumps(secret))
    assert levels(kafka.secret(of)) == [OK]
    cloud.refuse("secretsmanager get-secret-value", "AccessDeniedException", "no")
    assert "may not read it" in only(kafka.secret(of), UNKNOWN).text


def test_doctor_with_hardly_any_permission(suite, cloud):
    iam = cloud.client("iam")
    iam.create_user(UserName="night")
    policy = {"Effect": "Allow", "Action": ["sts:GetCallerIdentity", "ec2:*"], "Resource": "*"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [policy]})
    iam.put_user_policy(UserName="night", PolicyName="p", PolicyDocument=document)
    key = iam.create_access_key(UserName="night")["AccessKey"]
    user = {"AWS_ACCESS_KEY_ID": key["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": key["SecretAccessKey"]}
    cloud.enforce_policies()
    done = suite.run("doctor", "night.json", **user)
    assert done.returncode == 2, done.stderr
    assert (
        "PROBLEM  existing stack: these credentials may not call cloudformation describe-stacks"
        in done.stdout
    )
    assert "these credentials may not call iam get-role" in done.stdout
    assert "Traceback" not in done.stderr
    for command in ("upload", "deploy", "destroy"):
        done = suite.run(command, "night.json", **user)
        assert done.returncode == 2
        assert "these credentials may not call" in done.stderr
        assert "not authorized" in done.stderr or "Forbidden" in done.stderr or "Denied" in done.stderr


def test_credentials_and_connection(suite):
    nobody = {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_EC2_METADATA_DISABLED": "true"}
    done = suite.run("doctor", "night.json", **nobody)
    assert done.returncode == 2
    assert "AWS does not accept the credentials" in done.stderr
    assert "aws configure list" in done.stderr
    done = suite.run("deploy", "night.json", AWS_ENDPOINT_URL="http://127.0.0.1:1")
    assert done.returncode == 3
    assert "repeat the command" in done.stderr


def test_a_page_instead_of_an_answer(suite):
    # As a load balancer or a proxy sends it: one that is XML, and one that is not.
    class Handler(BaseHTTPRequestHandler):
        page = b""

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(500)
            self.send_header("Content-Length", str(len(self.page)))
            self.end_headers()
            self.wfile.write(self.page)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for page in (b"<!DOCTYPE html><html><body>x</body></html>", b"<!DOCTYPE html><html><p>x</html>"):
            Handler.page = page
            done = suite.run("run", "night.json", AWS_ENDPOINT_URL=f"http://127.0.0.1:{server.server_port}")
            assert done.returncode == 3, done.stderr
            assert "AWS did not answer cloudformation describe-stacks (NoAnswer: " in done.stderr
        server.shutdown()


# ---- upload ----


def test_upload(suite, cloud):
    s3 = cloud.client("s3")
    prefix = "rollup/0.1.0"

    def objects():
        listed = s3.list_objects_v2(Bucket="example-artifacts").get("Contents", [])
        return {each["Key"]: each["LastModified"] for each in listed}

    assert suite.run("upload", "night.json", "--dry-run").returncode == 0
    assert objects() == {}
    # An object that somebody copied by hand, with the same bytes.
    s3.put_object(Bucket="example-artifacts", Key=f"{prefix}/lambda-trigger.jar", Body=b"PK")
    done = suite.run("upload", "night.json")
    assert done.returncode == 2
    assert "lambda-trigger.jar has no SHA-256: rollup-aws did not write it" in done.stderr
    s3.delete_object(Bucket="example-artifacts", Key=f"{prefix}/lambda-trigger.jar")

    assert suite.run("upload", "night.json").returncode == 0
    before = objects()
    assert {key.removeprefix(prefix + "/") for key in before} == {
        *("SHA256SUMS", "aws-msk-iam-auth.jar", "kafka.properties", "lambda-trigger.jar", "opentsdb.conf"),
        *("prepare-node.sh", "rollup-job.jar", "rollup_config.json"),
    }
    done = suite.run("upload", "night.json")
    assert done.stdout.count("unchanged") == len(before) - 1
    assert objects() == before

    suite.jar("lambda-trigger/target/lambda-trigger-1.2.3-lambda.jar", "PK2")
    done = suite.run("upload", "night.json")
    assert done.returncode == 2
    assert "lambda-trigger.jar has other bytes than" in done.stderr
    assert "set parameters.ArtifactPrefix to a new folder" in done.stderr
    assert objects() == before
    suite.write(ArtifactPrefix="rollup/0.1.1")
    assert suite.run("upload", "night.json").returncode == 0


def test_upload_before_make_package(suite):
    for file in suite.folder.glob("suite/*/target/*.jar"):
        file.unlink()
    done = suite.run("upload", "night.json")
    assert done.returncode == 2
    assert "rollup-job-*-spark.jar is missing" in done.stderr
    assert "lambda-trigger-*-lambda.jar is missing" in done.stderr
    assert "  make package" in done.stderr


# ---- deploy ----


def stack_in(cloud, status):
    described = {"StackName": "opentsdb-rollup", "StackStatus": status}
    cloud.answer("cloudformation describe-stacks", {"Stacks": [described]})
    events = [
        {
            "LogicalResourceId": "Later",
            "ResourceStatus": "CREATE_FAILED",
            "ResourceStatusReason": "cancelled",
        },
        {
            "LogicalResourceId": "Trigger",
            "ResourceStatus": "CREATE_FAILED",
            "ResourceStatusReason": "User u is not authorized to perform lambda:CreateFunction",
        },
    ]
    cloud.answer("cloudformation describe-stack-events", {"StackEvents": events})


@pytest.mark.parametrize(
    ("status", "code", "way_out"),
    [
        ("ROLLBACK_COMPLETE", 2, "rollup-aws destroy"),
        ("ROLLBACK_FAILED", 2, "rollup-aws destroy"),
        ("DELETE_FAILED", 2, "rollup-aws destroy"),
        ("UPDATE_ROLLBACK_FAILED", 2, "continue-update-rollback"),
        ("UPDATE_ROLLBACK_IN_PROGRESS", 3, "wait stack-rollback-complete"),
        ("ROLLBACK_IN_PROGRESS", 3, "describe-stacks --stack-name opentsdb-rollup"),
        ("CREATE_IN_PROGRESS", 3, "wait stack-create-complete"),
        ("DELETE_IN_PROGRESS", 3, "wait stack-delete-complete"),
        ("UPDATE_COMPLETE", None, ""),
        ("UPDATE_ROLLBACK_COMPLETE", None, ""),
        ("REVIEW_IN_PROGRESS", None, ""),
    ],
)
def test_half_deployed_stacks(suite, cloud, status, code, way_out):
    stack_in(cloud, status)
    of = context(suite)
    problem = stack.obstacle(of.aws, of.settings, stack.describe(of.aws, of.settings))
    if code is None:
        assert problem is None
        return
    assert problem.code == code
    assert f"stack opentsdb-rollup is in state {status}" in problem.problems[0]
    assert ("Trigger: User u is not authorized" in problem.problems[0]) == (code == 2)
    assert "cancelled" not in problem.problems[0]
    assert way_out in problem.hints[0]


def test_a_half_deployed_stack_stops_every_command(suite, cloud):
    stack_in(cloud, "ROLLBACK_COMPLETE")
    for command in ("deploy", "run", "prune"):
        done = suite.run(command, "night.json")
        assert done.returncode == 2
        assert "is in state ROLLBACK_COMPLETE: Trigger: User u" in done.stderr
        # As the user called it, because PATH does not find it.
        program = suite.folder / "suite/cloudformation/bin/rollup-aws"
        assert f"\n  {program} destroy night.json --yes\n" in done.stderr
    stack_in(cloud, "REVIEW_IN_PROGRESS")
    done = suite.run("run", "night.json")
    assert done.returncode == 2
    assert "never executed" in done.stderr
    # A night would begin with one version and end with another.
    stack_in(cloud, "UPDATE_IN_PROGRESS")
    done = suite.run("run", "night.json")
    assert done.returncode == 3
    assert "wait until it ends" in done.stderr


def test_deploy_that_fails_names_the_resources(suite, cloud):
    assert suite.run("upload", "night.json").returncode == 0
    call = cloud.answers / "cloudformation-deploy"
    call.write_text(
        json.dumps({"code": 255, "stdout": "", "stderr": "\nFailed to create/update the stack. Run\n"})
    )
    stack_in(cloud, "UPDATE_ROLLBACK_COMPLETE")
    done = suite.run("deploy", "night.json")
    assert done.returncode == 2
    assert "Trigger: User u is not authorized to perform lambda:CreateFunction" in done.stderr
    assert "cancelled" not in done.stderr


def test_deploy_of_stale_artifacts(suite, cloud):
    assert suite.run("upload", "night.json").returncode == 0
    root = "s3://example-artifacts/rollup/0.1.0"

    def refused():
        done = suite.run("deploy", "night.json", "--dry-run")
        assert done.returncode == 2, done.stdout
        assert "set parameters.ArtifactPrefix to a new folder" in done.stderr
        assert "rollup-aws upload night.json\n" in done.stderr
        return done.stderr

    # Only the jar of the functions was built again; then the others, and the configuration edited.
    suite.jar("lambda-trigger/target/lambda-trigger-1.2.3-lambda.jar", "PK of another version")
    text = refused()
    assert f"{root}/lambda-trigger.jar has other bytes than " in text
    assert text.count("other bytes") == 1
    suite.jar("rollup-job/target/rollup-job-1.2.3-spark.jar", "PK of another version")
    suite.jar("rollup-job/target/msk/aws-msk-iam-auth.jar", "PK of another version")
    for name in ("opentsdb.conf", "rollup_config.json"):
        (suite.folder / name).write_text("# another one\n")
    text = refused()
    for name in ("rollup-job.jar", "aws-msk-iam-auth.jar", "opentsdb.conf", "rollup_config.json"):
        assert f"{root}/{name} has other bytes than " in text
    found = suite.run("doctor", "night.json").stdout
    (line,) = [each for each in found.splitlines() if "has other artifacts than this machine" in each]
    assert line.startswith(f"warning  {root}: ")
    for name in ("lambda-trigger.jar", "opentsdb.conf"):
        assert name in line
    # Without jars, as on a machine that only deploys, the configuration is still compared.
    for file in suite.folder.glob("suite/*/target/*.jar"):
        file.unlink()
    text = refused()
    assert "lambda-trigger.jar" not in text
    assert "opentsdb.conf has other bytes" in text


def test_deploy_of_artifacts_that_somebody_has_replaced(suite, cloud):
    assert suite.run("upload", "night.json").returncode == 0
    s3 = cloud.client("s3")
    s3.put_object(Bucket="example-artifacts", Key="rollup/0.1.0/opentsdb.conf", Body=b"x")
    s3.delete_object(Bucket="example-artifacts", Key="rollup/0.1.0/rollup-job.jar")
    done = suite.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 2, done.stdout
    assert "opentsdb.conf has other bytes than SHA256SUMS beside it lists" in done.stderr
    assert "rollup-job.jar is missing" in done.stderr
    s3.put_object(Bucket="example-artifacts", Key="rollup/0.1.0/SHA256SUMS", Body=b"PK rollup-job.jar\n")
    done = suite.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 2, done.stdout
    assert "SHA256SUMS is not in the format of sha256sum" in done.stderr


def test_who_deploys_need_not_read_the_secret(suite, cloud):
    client = cloud.client("secretsmanager")
    secret = json.dumps({"username": "u", "password": "tellnobody"})
    arn = client.create_secret(Name="AmazonMSK_rollup", SecretString=secret)["ARN"]
    suite.write(KafkaSecurity="SASL_SCRAM", MskClusterArn=None, KafkaSecretArn=arn)
    assert suite.run("upload", "night.json").returncode == 0
    cloud.refuse("secretsmanager get-secret-value", "AccessDeniedException", "no")
    # The names are not known: everything else is compared.
    done = suite.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "kafka.properties was not compared: the names in the secret" in done.stdout
    suite.write(ArtifactPrefix="rollup/0.1.1")
    done = suite.run("upload", "night.json")
    assert done.returncode == 2
    assert "or give these names as secretKeys in night.json" in done.stderr
    suite.content["secretKeys"] = ["username", "password"]
    suite.write()
    for command in (("upload", "night.json"), ("deploy", "night.json", "--dry-run")):
        done = suite.run(*command)
        assert done.returncode == 0, done.stderr
        assert "not compared" not in done.stdout
    s3 = cloud.client("s3")
    key = "rollup/0.1.1/kafka.properties"
    text = s3.get_object(Bucket="example-artifacts", Key=key)["Body"].read().decode()
    assert f"${{aws-secret:{arn}#password}}" in text
    assert "truststore" not in text
    (finding,) = kafka.secret(context(suite))
    assert (finding.level, finding.text) == (
        OK,
        "exists; its keys, by secretKeys of the file: username, password",
    )
    # Another list is another kafka.properties.
    suite.content["secretKeys"].append("truststore")
    suite.write()
    done = suite.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 2
    assert "kafka.properties has other bytes than" in done.stderr


def test_upload_from_an_installed_suite(suite, cloud):
    lib = suite.folder / "suite/lib"
    lib.mkdir()
    for jar in [*suite.folder.glob("suite/*/target/*.jar"), *suite.folder.glob("suite/*/target/*/*.jar")]:
        jar.rename(lib / jar.name)
    assert suite.run("upload", "night.json").returncode == 0
    assert suite.run("deploy", "night.json", "--dry-run").returncode == 0
    (lib / "rollup-job-1.2.4-spark.jar").write_text("PK")
    done = suite.run("upload", "night.json")
    assert done.returncode == 2
    assert "lib has several files rollup-job-*-spark.jar" in done.stderr


# ---- run, prune, destroy ----


@pytest.fixture
def deployed(suite):
    assert suite.run("upload", "night.json").returncode == 0
    done = suite.run("deploy", "night.json")
    assert done.returncode == 0, done.stderr
    return suite


def test_deploy_by_a_role_of_cloudformation(suite, cloud):
    """An account in which people have no rights of their own."""
    assert suite.run("upload", "night.json").returncode == 0
    role = f"arn:aws:iam::{'1' * 12}:role/ops/cloudformation"
    done = suite.run("deploy", "night.json", "--role-arn", role)
    assert done.returncode == 0, done.stderr
    stack = cloud.client("cloudformation").describe_stacks(StackName=suite.content["stack"])["Stacks"][0]
    # moto keeps the role, and does not tell it.
    (kept,) = [
        each.role_arn
        for each in cloudformation_backends[ACCOUNT][REGION].stacks.values()
        if each.name == suite.content["stack"]
    ]
    assert kept == role
    given = {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}
    assert given["RunTags"] == "project=metrics,owner=platform"
    assert given["PruneKeep"] == "14,8,12,168"


def test_deploy_into_a_locked_down_account(suite, cloud):
    """Who deploys may make no roles, keys, groups and buckets, and read no secret."""
    iam = cloud.client("iam")
    key = cloud.client("kms").create_key()["KeyMetadata"]["Arn"]
    here = {"LocationConstraint": REGION}
    cloud.client("s3").create_bucket(Bucket="own-logs", CreateBucketConfiguration=here)
    for name in ("trigger", "prepare", "report", "night-check", "states", "job"):
        iam.create_role(RoleName=f"corp-{name}", Path="/ops/", AssumeRolePolicyDocument="{}")
    forbidden = ["iam:Create*", "iam:Put*", "iam:Attach*", "kms:CreateKey", "s3:CreateBucket"]
    forbidden += ["ec2:CreateSecurityGroup", "secretsmanager:GetSecretValue"]
    statements = [
        {"Effect": "Allow", "Action": "*", "Resource": "*"},
        {"Effect": "Deny", "Action": forbidden, "Resource": "*"},
    ]
    document = json.dumps({"Version": "2012-10-17", "Statement": statements})
    iam.create_user(UserName="night")
    iam.put_user_policy(UserName="night", PolicyName="p", PolicyDocument=document)
    access = iam.create_access_key(UserName="night")["AccessKey"]
    user = {"AWS_ACCESS_KEY_ID": access["AccessKeyId"], "AWS_SECRET_ACCESS_KEY": access["SecretAccessKey"]}
    own = {"KmsKeyArn": key, "LogBucketName": "own-logs", "NodeGroupId": suite.brokers, "EncryptAll": "ON"}
    suite.write(RolePath="/ops/", RolePrefix="corp-", FunctionsInVpc="ON", **own)
    cloud.enforce_policies()
    done = suite.run("doctor", "night.json", **user)
    assert "PROBLEM  subnet" in done.stdout  # of the private subnets none leads to Step Functions
    assert done.stdout.count("PROBLEM") == 2
    assert "ok       roles of RolePrefix: exist" in done.stdout
    for command in ("upload", "deploy"):
        done = suite.run(command, "night.json", **user)
        assert done.returncode == 0, done.stderr
    for output, value in (("KeyArn", key), ("LogBucket", "own-logs"), ("NodeGroup", suite.brokers)):
        assert f"  {output} = {value}\n" in done.stdout
    assert f"  JobRole = arn:aws:iam::{ACCOUNT}:role/ops/corp-job\n" in done.stdout


def test_an_update_stops_the_idle_application(deployed, cloud, capsys):
    of = context(deployed)
    application = stack.describe(of.aws, of.settings).outputs["ServerlessApplication"]
    serverless = cloud.client("emr-serverless")

    def state():
        return serverless.get_application(applicationId=application)["application"]["state"]

    cloud.answer("cloudformation deploy", {})  # moto does not update nested stacks
    # An update that does not concern the application leaves it to the night.
    serverless.start_application(applicationId=application)
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": [{"id": "00f1", "state": "RUNNING"}]})
    deployed.write(HoldBack="2h")
    done = deployed.run("deploy", "night.json")
    assert done.returncode == 0, done.stderr
    assert state() == "STARTED"
    deployed.write(ReleaseLabel="emr-7.13.0")
    done = deployed.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 3
    assert "job 00f1 is in state RUNNING" in done.stderr
    assert "nothing was changed, because ReleaseLabel replaces" in done.stderr
    assert f"cancel-job-run --application-id {application} --job-run-id 00f1" in done.stderr
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": []})
    # Between two days of a night no job is active.
    night = {"name": "n", "executionArn": "arn:n"}
    cloud.answer("stepfunctions list-executions", {"executions": [night]})
    deployed.write(ComputeKind="EMR", ReleaseLabel="emr-7.14.0")
    done = deployed.run("deploy", "night.json")
    assert done.returncode == 3
    assert "execution n is running" in done.stderr
    assert "ComputeKind replaces" in done.stderr
    assert state() == "STARTED"
    cloud.answer("stepfunctions list-executions", {"executions": []})
    deployed.write(ComputeKind="SERVERLESS", ReleaseLabel="emr-7.13.0")
    cloud.refuse("emr-serverless stop-application", "ValidationException", "a job is running")
    done = deployed.run("deploy", "night.json")
    assert done.returncode == 3
    assert "cannot be stopped now: a job is running" in done.stderr
    (cloud.answers / "emr-serverless-stop-application").unlink()
    done = deployed.run("deploy", "night.json")
    assert done.returncode == 0, done.stderr
    assert f"stopping application {application}, which was STARTED" in done.stdout
    assert state() == "STOPPED"
    # Templates of another version than the artifacts.
    script = deployed.folder / "suite/cloudformation/prepare-node.sh"
    script.write_text(script.read_text() + "# another version\n")
    done = deployed.run("deploy", "night.json", "--dry-run")
    assert done.returncode == 2
    assert "prepare-node.sh has other bytes than" in done.stderr


def test_the_coverage_needs_hbase(suite):
    conf = suite.folder / "opentsdb.conf"
    none = hbase.quorum(context(suite))
    assert levels(none) == [OK]
    assert "HBaseCidr is empty" in none[0].text
    conf.write_text("#tsd.storage.hbase.zk_quorum = zk1\n")
    assert "is not in opentsdb.conf" in only(hbase.quorum(context(suite, HBaseCidr="10.2.0.0/16"))).text
    conf.write_text("tsd.storage.hbase.zk_quorum = zk1:2182, 10.2.0.7,zk3/chroot\n")
    found = hbase.quorum(context(suite))
    assert levels(found) == [OK]
    assert "HBase of zk1, 10.2.0.7, zk3;" in found[0].text
    conf.write_text("tsd.storage.hbase.zk_quorum=10.2.0.7:2181,10.3.0.7:2181\n")
    assert "10.2.0.0/16 does not contain 10.3.0.7" in only(hbase.quorum(context(suite))).text
    assert "is not a network" in only(hbase.quorum(context(suite, HBaseCidr="10.2.0.256/16"))).text
    conf.write_text("tsd.storage.hbase.zk_quorum = localhost\n")
    of = context(suite, HBaseCidr="10.2.0.0/16")
    assert "names localhost, which is the job's own machine" in only(hbase.quorum(of)).text
    of = context(suite, ExtraJobOptions='"--tsd.storage.hbase.zk_quorum=zk1"')
    assert levels(hbase.quorum(of)) == [OK]
    of = context(suite, ExtraJobOptions='"--tsd.storage.hbase.zk_quorum","zk1"')
    assert levels(hbase.quorum(of)) == [OK]


@pytest.mark.parametrize(
    ("look", "text"),
    [
        (None, "not covered: no look"),
        ({"started": "2026-11-21T01:00:00.5Z", "exitCode": 0}, "not covered: no look"),
        ({"started": "2026-11-21T01:00:02Z", "exitCode": 0, "coverage": {"windows": []}}, "covered"),
        (
            {
                "started": "2026-11-21T01:00:02Z",
                "exitCode": 0,
                "coverage": {"reason": "the run has failed rows"},
            },
            "not covered: the run has failed rows",
        ),
        (
            {"started": "2026-11-21T01:00:02Z", "exitCode": 3, "message": "7 are missing"},
            "not covered, the next execution looks again: 7 are missing",
        ),
    ],
)
def test_what_run_tells_of_the_coverage(look, text):
    assert run.coverage({"ended": "2026-11-21T01:00:01.123456Z"}, look).startswith(text)


def test_tiers_need_a_coverage_table_that_can_be_read(suite):
    assert hbase.tiers(context(suite)) == []
    policy = suite.folder / "tiers.json"
    policy.write_text('[{"match": "idle", "raw": "30d"}]')
    tables = {"TiersTables": "r-1h", "HBaseCidr": "10.2.0.0/16"}
    suite.content["files"] = {**suite.content.get("files", {}), "tiers.json": "tiers.json"}
    assert hbase.tiers(context(suite, **tables)) == []
    policy.write_text('[{"match": "app.*", "raw": "30d", "idle": "1y"}]')
    idle = only(hbase.tiers(context(suite)), WARNING)
    assert "the nights do not prove idle series, and apply-tiers.sh does not delete them" in idle.text
    policy.write_text("[]")
    (suite.folder / "opentsdb.conf").write_text("hbase.security.auth.enable = true\n")
    assert "cannot read the coverage table" in only(hbase.tiers(context(suite))).text


def test_tiers_need_the_histogram_tables(suite):
    (suite.folder / "tiers.json").write_text("[]")
    suite.content["files"] = {**suite.content.get("files", {}), "tiers.json": "tiers.json"}
    histograms = {
        "histograms": [
            {"metrics": "a.*", "intervals": "1h"},
            {"metrics": "b.*", "intervals": "1h,1d"},
        ],
        "histogramTables": {"1h": "h-1h", "6h": "h-6h", "1d": "ns:h-1d"},
    }
    config = suite.folder / "rollup_config.json"
    tables = {"TiersTables": "r-1h,r-1d", "HBaseCidr": "10.2.0.0/16"}
    config.write_text(json.dumps({"suite": histograms}))
    assert "lacks h-1h, ns:h-1d, histogram" in only(hbase.tiers(context(suite, **tables))).text
    tables["TiersTables"] += ",h-1h,ns:h-1d"
    assert hbase.tiers(context(suite, **tables)) == []
    tables["TiersTables"] = "r-1h,r-1d"
    for wrong in ("{", "[]", "{}", '{"suite": {"histograms": [1]}}', '{"suite": {"histograms": [{}]}}'):
        config.write_text(wrong)
        assert hbase.tiers(context(suite, **tables)) == []


def test_a_verification_needs_the_tables_of_the_intervals(suite, cloud):
    assert hbase.verification(context(suite)) == []
    config = {
        "intervals": [
            {"interval": "1m", "table": "tsdb"},
            {"interval": "1h", "table": "r-1h"},
            {"interval": "1d", "table": "ns:r-1d"},
        ],
        "suite": {
            "histograms": [{"metrics": "a.*", "intervals": "1h,1d"}],
            "histogramTables": {"1h": "h-1h", "1d": "h-1d"},
            "packed": {"1h": "packed-1h"},
        },
    }
    (suite.folder / "rollup_config.json").write_text(json.dumps(config))
    # The tables of tiers are one too few: proofs compare no packed rows.
    given = {"VerifySample": "1%", "TiersTables": "r-1h,h-1h", "HBaseCidr": "10.2.0.0/16"}
    suite.content["files"] = {**suite.content.get("files", {}), "tiers.json": "tiers.json"}
    (suite.folder / "tiers.json").write_text("[]")
    finding = only(hbase.verification(context(suite, **given)))
    assert "set RollupTables to h-1h,packed-1h,r-1h, and export these tables" in finding.text
    of = context(suite, RollupTables="r-1h,h-1h,packed-1h")
    finding = only(hbase.verification(of))
    assert finding.text.startswith("the newest night, 2026-11-21, lacks r-1h-20261121, h-1h-20261121, packed")
    assert finding.mend[0].endswith(" --rollup-table r-1h --rollup-table h-1h --rollup-table packed-1h")
    for table in ("r-1h", "h-1h", "packed-1h"):
        key = f"hbase/.hbase-snapshot/{table}-20261121/.snapshotinfo"
        cloud.client("s3").put_object(Bucket="example-backup", Key=key, Body=b"m")
    assert levels(hbase.verification(of)) == [OK]
    # Of a file that the job refuses the job tells what is wrong.
    (suite.folder / "rollup_config.json").write_text('{"intervals": [1]}')
    assert levels(hbase.verification(of)) == [OK]
    of = context(suite, Interval="1h,1d")
    (suite.folder / "rollup_config.json").write_text(json.dumps(config))
    assert "to h-1d,h-1h,ns:r-1d,packed-1h,r-1h, and" in only(hbase.verification(of)).text


def test_hfiles_need_a_job_that_may_ask_hbase(suite):
    assert hbase.hfiles(context(suite)) == []
    conf, config = suite.folder / "opentsdb.conf", suite.folder / "rollup_config.json"
    of = context(suite, **HFILES)
    # Nobody but a region server can tell whether it reads the bucket.
    assert "whether the region servers read the log bucket" in only(hbase.hfiles(of), UNKNOWN).text
    conf.write_text("hbase.security.auth.enable=true\ntsd.rollups.tag_raw = true\n")
    config.write_text('{"suite": {"values": [{"metrics": "a.*", "intervals": "1h"}]}}')
    kerberos, tag, names, unknown = hbase.hfiles(of)
    assert levels([kerberos, tag, names, unknown]) == [PROBLEM] * 3 + [UNKNOWN]
    assert "the job has no Kerberos ticket" in kerberos.text
    assert "tsd.rollups.tag_raw" in tag.text
    assert 'add "--uid-source","hbase" to parameters.ExtraJobOptions' in names.text
    conf.write_text("tsd.rollups.tag_raw = false\n")
    for options in ('"--uid-source","hbase"', '"--uid-source=hbase"', '"--metrics","a.*"'):
        assert levels(hbase.hfiles(context(suite, ExtraJobOptions=options))) == [UNKNOWN]
    config.write_text("{")
    assert levels(hbase.hfiles(context(suite, ExtraJobOptions=""))) == [UNKNOWN]


def test_without_kafka_no_artifact_and_no_step_is_about_brokers(suite, cloud):
    of = context(suite, **HFILES)
    for words in (["upload", "night.json"], ["deploy", "night.json", "--dry-run"]):
        done = suite.run(*words)
        assert done.returncode == 0, done.stderr
    stored = cloud.client("s3").get_object(Bucket="example-artifacts", Key="rollup/0.1.0/SHA256SUMS")
    sums = stored["Body"].read().decode()
    assert not any(name in sums for name in ("kafka.properties", "aws-msk-iam-auth.jar"))
    there = stack.Stack(
        "CREATE_COMPLETE", outputs={"NodeGroup": "sg-1", "LogBucket": "logs", "KeyArn": "arn:key"}
    )
    assert deploy._brokers(of.aws, of.settings, there) == []
    network_step, bucket_step = deploy._hbase(of.settings, there)
    assert "accept connections from sg-1" in network_step
    assert "read s3://logs/hfiles/ by S3A, with kms:Decrypt of arn:key" in bucket_step
    assert kafka.cluster(of) == kafka.secret(of) == kafka.public_brokers(of) == []


def test_what_run_tells_of_tiers():
    done = {"ended": "2026-11-21T01:00:01.123456Z"}
    look = {"started": "2026-11-21T01:00:00.5Z", "exitCode": 0}
    assert run.tiers(done, None) == run.tiers(done, look) == []
    look |= {"started": "2026-11-21T02:00:00Z", "days": {"planned": 9, "proven": 7, "refused": 0}}
    assert run.tiers(done, look) == ["tiers: 7 days proven, 0 refused"]
    look["days"]["waiting"] = 2
    assert run.tiers(done, look) == ["tiers: 7 days proven, 0 refused, 2 waiting"]
    look["days"] |= {"waiting": 0, "notReached": 3}
    assert run.tiers(done, look) == ["tiers: 7 days proven, 0 refused, 3 not reached"]
    look |= {"days": None, "message": "no snapshot", "warnings": ["1h cannot be proven"]}
    assert run.tiers(done, look) == [
        "tiers: 0 days proven, 0 refused: no snapshot",
        "tiers: 1h cannot be proven",
    ]


def requested(suite, capsys, **request):
    of = context(suite)
    try:
        code = run.run(of.aws, of.settings, run.Request(**request))
    finally:
        out = capsys.readouterr().out
    return code, out


def test_run_follows_the_night(deployed, capsys, monkeypatch):
    executions = []
    start = StateMachine.start_execution

    def start_execution(machine, *positional, **named):
        executions.append(start(machine, *positional, **named))
        return executions[-1]

    monkeypatch.setattr(StateMachine, "start_execution", start_execution)
    looks = []

    def sleep(seconds):
        # The night goes on while the command sleeps.
        looks.append(seconds)
        running = {"state": "running", "outcome": "running", "exitCode": None, "booksClose": False}
        if len(looks) < 3:
            deployed.report("2026-11-19", **running, partitionsFinished=len(looks))
        else:
            failed = {"exitCode": 1, "outcome": "bad_input", "message": "2 rows failed"}
            deployed.report("2026-11-19", **failed, ended="2199-01-01T00:00:00.123456789Z")
            executions[0].status, executions[0].error, executions[0].cause = "FAILED", "DaysFailed", "one day"

    now = datetime(2026, 11, 23, 9, 0, tzinfo=timezone.utc)
    code, out = requested(
        deployed, capsys, days=["2026-11-19"], again=True, poll_seconds=7, now=lambda: now, sleep=sleep
    )
    assert code == 1
    assert looks == [7, 7, 7]
    assert "2026-11-19: 1 partitions finished\n2026-11-19: 2 partitions finished\n" in out
    assert "FAILED\n" in out
    assert "2026-11-19: bad_input, books close: 313 rows read" in out
    assert "  2 rows failed\nerror DaysFailed: one day" in out
    (execution,) = executions
    assert execution.name.startswith("manual-2026-11-19-20261123T090000Z-")
    assert json.loads(execution.execution_input) == {
        "v": 1,
        "root": "s3://example-backup/hbase",
        "dataSnapshot": "tsdb-20261121",
        "uidSnapshot": "tsdb-uid-20261121",
        "days": ["2026-11-19"],
        "notBefore": "2026-11-23T09:00:00Z",
    }
    # To follow an execution that has ended prints its books again.
    code, again = requested(deployed, capsys, days=[], follow=execution.execution_arn)
    assert code == 1
    assert again.splitlines()[1:] == out.splitlines()[-4:]
    # The job wrote no report: that of a run before says nothing about this execution.
    deployed.report("2026-11-19", exitCode=2, outcome="usage", ended="2026-11-20T01:00:00.5Z")
    code, again = requested(deployed, capsys, days=[], follow=execution.execution_arn)
    assert code == 3
    assert "\n  this report is of an earlier run\nerror DaysFailed" in again
    executions[0].status = "RUNNING"
    of = context(deployed)
    with pytest.raises(OutsideError, match="nothing was deleted"):
        destroy.destroy(of.aws, of.settings, yes=True, dry_run=False)


def test_run_tells_what_its_night_has_verified(deployed, capsys, monkeypatch):
    deployed.mock_jobs(monkeypatch)
    # Of an earlier night, and of this one.
    for day, hour in (("2026-11-18", "2016-01-01T0"), ("2026-11-19", "2199-01-01T0")):
        deployed.report(day, window=window(day), ended=f"{hour}2:00:00Z")
        told = {"report": "rollup-job verify", "exitCode": 1, "message": "3 differ"}
        deployed.report(f"verify-{day}", **told, ended=f"{hour}3:00:00Z")
    code, out = requested(deployed, capsys, days=["2026-11-20"])
    assert (code, "differ" in out) == (0, False)
    deployed.write(VerifySample="1%", RollupTables="r-1h")
    code, out = requested(deployed, capsys, days=["2026-11-20"])
    # As for the execution, which succeeds.
    assert code == 0
    assert "\n2026-11-19: not verified: 3 differ\n" in out
    assert "2026-11-18" not in out


def test_a_damaged_marker_starts_nothing(suite, cloud):
    of = context(suite)
    marker = {"date": "2026-11-21", "dataSnapshot": "tsdb-20261121", "uidSnapshot": "tsdb-uid-20261121"}

    def night(content, day="2026-11-21"):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        key = f"hbase/_EXPORTED/{day}.json"
        cloud.client("s3").put_object(Bucket="example-backup", Key=key, Body=body)
        return run._start(
            of.aws, of.settings, stack.Stack("", outputs={"StateMachine": "m"}), run.Request([])
        )

    assert night(marker)[0] == ["2026-11-20"]
    night(b"{}", "2026-99-99")  # no date, so not the newest
    for content, text in (
        (b"\xff", "is not UTF-8"),
        (b"{", "it is not a JSON object"),
        (b"[" * 100_000, "it is not a JSON object"),
        ([marker], "it is not a JSON object"),
        ({**marker, "date": "2026-11-20"}, "date must be 2026-11-21, as in its name: '2026-11-20'"),
        ({**marker, "date": 20261121}, "date must be 2026-11-21, as in its name: 20261121"),
        ({**marker, "dataSnapshot": ""}, "dataSnapshot must be the name of a snapshot: ''"),
        ({**marker, "uidSnapshot": None}, "uidSnapshot must be the name of a snapshot: None"),
        ({**marker, "uidSnapshot": ["a"]}, "uidSnapshot must be the name of a snapshot: a list"),
    ):
        with pytest.raises(BadInputError) as error:
            night(content)
        (problem,) = error.value.problems
        assert problem.startswith("s3://example-backup/hbase/_EXPORTED/2026-11-21.json")
        assert problem.endswith(text)
    assert error.value.hints == ("export-snapshots.sh --root s3a://example-backup/hbase --date 2026-11-21",)


def window(day):
    until = date.fromisoformat(day) + timedelta(days=1)
    return {"interval": "1h", "from": f"{day}T00:00:00Z", "to": f"{until}T00:00:00Z"}


def looked(suite, capsys, now, **request):
    """The exit code of status, and what it has found."""
    of = context(suite)
    now = datetime.fromisoformat(now)
    code = status.status(of.aws, of.settings, status.Request(json=True, now=lambda: now, **request))
    return code, json.loads(capsys.readouterr().out)


def operated(suite, cloud, alarm="OK", subscription="arn:aws:sns:x", letters=0):
    """What moto's CloudFormation does not make: alarms, a subscription; and queues that tell a number."""
    topic = stack.describe(Aws(REGION), settings.load(suite.file)).outputs["Topic"]
    alarms = [
        {
            "AlarmName": "opentsdb-rollup-Alarms-1A2B-NoSuccessAlarm-3C4D",
            "StateValue": alarm,
            "StateReason": "no datapoints",
            "StateTransitionedTimestamp": "2026-11-22T07:00:00Z",
            "AlarmActions": [topic],
        },
        # Of another stack, whose name begins like this one's.
        {"AlarmName": "opentsdb-rollup-2-x", "StateValue": "ALARM", "AlarmActions": [topic + "2"]},
    ]
    cloud.answer("cloudwatch describe-alarms", {"MetricAlarms": alarms})
    subscription = {"Endpoint": "oncall@example.org", "SubscriptionArn": subscription}
    cloud.answer("sns list-subscriptions-by-topic", {"Subscriptions": [subscription]})
    cloud.answer("sqs get-queue-attributes", {"Attributes": {"ApproximateNumberOfMessages": str(letters)}})


def test_status_of_every_day(deployed, cloud, capsys, monkeypatch):
    executions = {}
    start = StateMachine.start_execution

    def start_execution(machine, *positional, **named):
        execution = start(machine, *positional, **named)
        executions[execution.name] = execution
        return execution

    monkeypatch.setattr(StateMachine, "start_execution", start_execution)
    machine = stack.describe(Aws(REGION), settings.load(deployed.file)).outputs["StateMachine"]
    for name, day in (("rollup-2026-11-21-a", "2026-11-20"), ("rollup-2026-11-22-b", "2026-11-21")):
        cloud.client("stepfunctions").start_execution(
            stateMachineArn=machine, name=name, input=json.dumps({"v": 1, "days": [day]})
        )
    failed = executions["rollup-2026-11-22-b"]
    failed.status, failed.error, failed.cause = "FAILED", "DaysFailed", "the job run was refused"
    deployed.export("2026-11-22")
    deployed.report("2026-11-17", window=window("2026-11-17"))
    bad = {"exitCode": 1, "outcome": "bad_input", "message": "2 rows failed"}
    deployed.report("2026-11-18", window=window("2026-11-18"), **bad)
    running = {"state": "running", "outcome": "running", "exitCode": None, "partitionsFinished": 7}
    deployed.report("2026-11-20", window=window("2026-11-20"), **running)
    runs = [{"id": str(n), "name": f"{kind} 2026-11-17"} for n, kind in enumerate(("rollup", "coverage"))]
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": [*runs, {"id": "9", "name": "prune-x"}]})
    used = {"vCPUHour": 1.25, "memoryGBHour": 2.5, "storageGBHour": 0.5}
    cloud.answer("emr-serverless get-job-run", {"jobRun": {"billedResourceUtilization": used}})
    operated(deployed, cloud, alarm="ALARM", subscription="PendingConfirmation", letters=2)

    code, found = looked(deployed, capsys, "2026-11-23T09:00:00+00:00")
    assert code == 2
    assert found["unknown"] == []
    # Before the first report there was no pipeline.
    days = {each["day"]: each for each in found["days"]}
    assert {day: each["state"] for day, each in days.items()} == {
        "2026-11-17": "done",
        "2026-11-18": "failed",
        "2026-11-19": "missing",
        "2026-11-20": "running",
        "2026-11-21": "failed",
        "2026-11-22": "waiting",
    }
    assert days["2026-11-17"] == {
        "day": "2026-11-17",
        "state": "done",
        "reason": "",
        "rollups": 333,
        "seconds": 3142,
        "rowsFailed": 2,
        "billed": {"jobRuns": 2, "vCPUHour": 2.5, "memoryGBHour": 5.0, "storageGBHour": 1.0},
    }
    assert {day: each["reason"] for day, each in days.items()} == {
        "2026-11-17": "",
        "2026-11-18": "bad_input: 2 rows failed",
        "2026-11-19": "night 2026-11-20 is not exported",
        "2026-11-20": "7 partitions finished",
        "2026-11-21": "rollup-2026-11-22-b: DaysFailed: the job run was refused",
        "2026-11-22": "night 2026-11-23 is not exported yet",
    }
    # CatchUpDays is 3, and the newest night is that of the 21st: the next one runs the 19th to the 22nd.
    assert days["2026-11-18"]["next"] == f"rollup-aws run {deployed.file} --day 2026-11-18"
    assert days["2026-11-19"]["next"] == days["2026-11-21"]["next"] == "the next night"
    assert [each["name"] for each in found["running"]] == ["rollup-2026-11-21-a"]
    assert [each["name"] for each in found["alarms"]] == ["NoSuccessAlarm"]
    problems = "\n".join(found["problems"])
    for text in (
        "NoSuccessAlarm is in ALARM since 2026-11-22T07:00:00Z: no datapoints",
        "oncall@example.org has not confirmed the mail of SNS",
        "nobody receives alarms: aws sns subscribe",
        "2 dead letters",
        f"2026-11-18 failed: bad_input: 2 rows failed; then: rollup-aws run {deployed.file} --day 2026-11-18",
        "2026-11-19 missing: night 2026-11-20 is not exported; then: the next night",
    ):
        assert text in problems
    assert "2026-11-20" not in problems.replace("night 2026-11-20", "")
    _, fewer = looked(deployed, capsys, "2026-11-23T09:00:00+00:00", days=2)
    assert fewer["days"] == found["days"][-2:]
    of = context(deployed)
    assert [each.level for each in operation.notifications(of)] == [WARNING] * 3
    now = datetime(2026, 11, 23, 9, 0, tzinfo=timezone.utc)
    assert status.status(of.aws, of.settings, status.Request(400, now=lambda: now)) == 2
    out = capsys.readouterr().out
    assert "\n2026-11-17  done      53 min, 333 rollups, 2 rows failed, billed 2.5 vCPU hours, 5 GB" in out
    assert "\n2026-11-20  running   7 partitions finished\n" in out
    assert "\nPROBLEM  NoSuccessAlarm is in ALARM" in out


def test_status_when_all_is_well_or_unknown(deployed, cloud, capsys):
    operated(deployed, cloud)
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": []})
    # Deployed, and no night yet.
    code, found = looked(deployed, capsys, "2026-11-20T09:00:00+00:00")
    assert code == 0
    assert [(each["day"], each["state"]) for each in found["days"]] == [("2026-11-19", "waiting")]
    deployed.report("2026-11-20", window=window("2026-11-20"))
    code, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert (code, found["problems"], found["unknown"]) == (0, [], [])
    assert [(each["day"], each["state"]) for each in found["days"]] == [("2026-11-20", "done")]
    (finding,) = operation.notifications(context(deployed))
    assert (finding.level, finding.text) == (OK, "1, received by oncall@example.org")
    # A report of another day, or of a run that lost rows, is no success.
    for report, reason in (
        ({}, "the window of its report is 2026-11-20T00:00:00Z to 2026-11-21T00:00:00Z"),
        ({"window": window("2026-11-21"), "booksClose": False}, "its books do not close"),
        ({"report": "other"}, "its report is not one of rollup-job"),
    ):
        deployed.report("2026-11-21", **report)
        code, found = looked(deployed, capsys, "2026-11-22T09:00:00+00:00", days=1)
        assert (code, found["days"][0]["reason"]) == (2, reason)
    # What these credentials may not see is told, and no problem of the nights.
    deployed.report("2026-11-21", window=window("2026-11-21"))
    cloud.refuse("cloudwatch describe-alarms", "AccessDeniedException", "no")
    code, found = looked(deployed, capsys, "2026-11-22T09:00:00+00:00")
    assert (code, found["alarms"], found["problems"]) == (0, None, [])
    assert found["unknown"] == ["alarms: cloudwatch describe-alarms: AccessDeniedException: no"]
    cloud.refuse("cloudwatch describe-alarms", "ThrottlingException", "slow")
    assert looked(deployed, capsys, "2026-11-22T09:00:00+00:00")[0] == 3


def test_status_tells_what_differs(deployed, cloud, capsys):
    operated(deployed, cloud)
    runs = [{"id": "1", "name": "rollup 2026-11-19"}, {"id": "2", "name": "verify 2026-11-19"}]
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": runs})
    cloud.answer("emr-serverless get-job-run", {"jobRun": {"billedResourceUtilization": {"vCPUHour": 1}}})
    ended = {"2026-11-18": "2026-11-19T02:00:00Z", "2026-11-19": "2026-11-20T02:00:00Z"}
    for day, time in ended.items():
        deployed.report(day, window=window(day), ended=time)
    deployed.report("2026-11-20", window=window("2026-11-20"))
    of = {"report": "rollup-job verify", "outcome": "bad_input", "exitCode": 1, "message": "3 differ"}
    deployed.report("verify-2026-11-18", **{**of, "exitCode": 0}, ended="2026-11-20T03:00:00Z")
    deployed.report("verify-2026-11-19", **of, ended="2026-11-21T03:00:00Z")
    # Older than the run of its day.
    deployed.report("verify-2026-11-20", **of, ended="2026-11-20T03:00:00Z")
    code, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert code == 0
    assert [each for each in found["days"] if "verification" in each] == []
    deployed.write(VerifySample="1%", RollupTables="r-1h")
    code, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert code == 2
    assert [each["verification"] for each in found["days"]] == ["verified", "not verified: 3 differ", ""]
    assert found["days"][1]["billed"]["jobRuns"] == 2
    problems = ["2026-11-19 not verified: 3 differ; docs/aws-reference.md#verification"]
    assert found["problems"] == problems


def test_status_tells_what_is_not_loaded(deployed, cloud, capsys):
    operated(deployed, cloud)
    cloud.answer("emr-serverless list-job-runs", {"jobRuns": []})
    days = ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]
    directories = {day: f"s3a://logs/hfiles/1-{day}" for day in days[1:]}
    deployed.report(days[0], window=window(days[0]))
    for day, directory in directories.items():
        deployed.report(day, window=window(day), output={"hfileDir": directory})
    deployed.report("load-2026-11-18", hfileDir=directories["2026-11-18"])
    failed = {"exitCode": 3, "outcome": "outside", "message": "HBase is away"}
    deployed.report("load-2026-11-19", hfileDir=directories["2026-11-19"], **failed)
    code, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert (code, [each for each in found["days"] if "load" in each]) == (0, [])
    deployed.write(**HFILES)
    code, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert code == 2
    away = "not loaded, the next execution loads it: HBase is away"
    missing = f"not loaded: no load of {directories['2026-11-20']} wrote a report, see its log"
    sent = "no HFiles, its rollups were sent to Kafka"
    assert [each["load"] for each in found["days"]] == [sent, "loaded and covered", away, missing]
    runbook = "docs/aws-reference.md#hfiles"
    problems = [f"2026-11-19 {away}; {runbook}", f"2026-11-20 {missing}; {runbook}"]
    assert found["problems"] == problems
    # While its execution runs, the load is still to come.
    machine = stack.describe(Aws(REGION), settings.load(deployed.file)).outputs["StateMachine"]
    content = json.dumps({"v": 1, "days": ["2026-11-20"]})
    cloud.client("stepfunctions").start_execution(stateMachineArn=machine, name="night", input=content)
    later = {"window": window("2026-11-20"), "output": {"hfileDir": directories["2026-11-20"]}}
    deployed.report("2026-11-20", ended="2999-01-01T00:00:00Z", **later)
    _, found = looked(deployed, capsys, "2026-11-21T09:00:00+00:00")
    assert found["days"][-1]["state"] == "done"
    assert "load" not in found["days"][-1]
    assert found["problems"] == problems[:1]


def test_estimate_from_an_export(suite, cloud, capsys, monkeypatch):
    done = suite.run("estimate", "night.json")
    assert done.returncode == 2
    assert "hbase/archive/data/default/tsdb/ has no HFiles: no night was exported" in done.stderr
    s3 = cloud.client("s3")
    for name, size in (("region/t/a", 1500), ("region/t/b", 500)):
        key = f"hbase/archive/data/default/tsdb/{name}"
        s3.put_object(Bucket="example-backup", Key=key, Body=b"x" * size)
    done = suite.run("estimate", "night.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "tsdb: 2 HFiles, 2 kB, of all nights",
        "time and cost: give --points-per-second, of all TSDs",
    ]
    # Two exports: what came with the second one.
    asked = []

    def objects(_aws, _settings, prefix):
        asked.append(prefix)
        if "_EXPORTED" in prefix:
            times = {"2026-11-19": "2026-11-19T03:00:00Z", "2026-11-21": "2026-11-21T03:00:00+00:00"}
            markers = [[f"{prefix}{day}.json", 9, time] for day, time in times.items()]
            return [*markers, [f"{prefix}x", 1, ""]]
        times = ("2026-11-18T03:00:00Z", "2026-11-19T02:00:00Z", "2026-11-20T23:00:00Z")
        return [[f"{prefix}r/t/{n}", 10**n, time] for n, time in enumerate(times)]

    monkeypatch.setattr(estimate, "_objects", objects)
    of = context(suite, DataTable="metrics:tsdb")
    assert estimate.estimate(of.aws, of.settings, estimate.Request(1e6, json=True)) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["export"] == {
        "hfiles": 3,
        "bytes": 111,
        "new": {"since": "2026-11-19", "days": 2, "hfiles": 1, "bytes": 100},
    }
    assert asked[0] == "hbase/archive/data/metrics/tsdb/"
    assert found["estimate"]["points"] == 86_400_000_000
    assert found["night"] is None


def test_estimate_from_a_night(deployed, capsys):
    deployed.report("2026-11-20", window=window("2026-11-20"))
    deployed.report("2026-11-21", window=window("2026-11-21"), exitCode=3, outcome="outside")
    of = context(deployed)
    assert estimate.estimate(of.aws, of.settings, estimate.Request(usd_per_vcpu_hour=0.1)) == 0
    night, billed, calculated = capsys.readouterr().out.splitlines()
    assert night == (
        "night of 2026-11-20: 137 kB of the day in 4 HFiles, of 256 kB in 4; 9,480 points, 52.4 min"
    )
    assert billed == "  what AWS has billed for it: rollup-aws status"
    # Three minutes of nine workers with four vCPUs.
    assert calculated == (
        "a day of 9,480 points, calculated: 3.0 min, 1.8 vCPU hours, USD 0.18 at 0.1 a vCPU hour"
    )


def test_status_without_a_stack(suite):
    done = suite.run("status", "night.json")
    assert done.returncode == 2
    assert "stack opentsdb-rollup is not deployed in eu-west-1" in done.stderr


def test_doctor_tells_what_an_outage_leaves(suite):
    (finding,) = operation.catch_up(context(suite, CatchUpDays=2))
    assert finding.level == OK
    assert "after more than 2 nights without success no night runs the oldest days" in finding.text
    assert "each night searches late data back to the day before them, and fails if" in finding.text
    (finding,) = operation.catch_up(context(suite, LateData="off"))
    assert finding.text.endswith("; they stay without rollups")
    assert operation.notifications(context(suite)) == []


def test_days_that_cannot_run(deployed, cloud, capsys):
    many = [f"2026-10-{day:02}" for day in range(1, 32)] + ["2026-11-21"]
    with pytest.raises(ConfigurationError) as error:
        requested(deployed, capsys, days=many)
    assert error.value.problems == (
        "32 days, at most 31 in one execution: start several, one after the other",
        "day 2026-11-21 had not ended when snapshot tsdb-20261121 was taken",
    )
    with pytest.raises(ConfigurationError, match=r"2026-11-22\.json: the night was not exported"):
        requested(deployed, capsys, days=[], snapshot="2026-11-22")
    with pytest.raises(ConfigurationError, match="there is no execution"):
        requested(deployed, capsys, days=[], follow=f"arn:aws:states:{REGION}:{ACCOUNT}:execution:a:b")
    of = context(deployed)
    machine = stack.describe(of.aws, of.settings).outputs["StateMachine"]
    for content in ("{}", "[]", '{"days": []}', '{"days": ["../x"]}', '{"days": "2026-11-20"}'):
        arn = cloud.client("stepfunctions").start_execution(stateMachineArn=machine, input=content)[
            "executionArn"
        ]
        with pytest.raises(ConfigurationError, match=f"{arn} is no night: its input has no days"):
            requested(deployed, capsys, days=[], follow=arn)
    code, out = requested(deployed, capsys, days=[], dry_run=True)
    assert code == 0
    assert out.startswith("would run: aws stepfunctions start-execution")


def test_prune_needs_its_role(deployed):
    done = deployed.run("prune", "night.json")
    assert done.returncode == 2
    assert "set parameters.Prune to ON and deploy" in done.stderr


def test_prune_tells_everything_of_its_report(suite, cloud, capsys, monkeypatch):
    suite.write(Prune="ON")
    for command in ("upload", "deploy"):
        done = suite.run(command, "night.json")
        assert done.returncode == 0, done.stderr
    of = context(suite)
    told: dict = {}
    suite.mock_jobs(monkeypatch, prune=told)

    def pruned(delete=False, **report):
        told.clear()
        told.update(report)
        try:
            return prune.prune(of.aws, of.settings, prune.Request({}, delete)), capsys.readouterr().out
        finally:
            capsys.readouterr()

    unknown = {"count": 3, "samples": ["hbase/a", "hbase/b"]}
    code, out = pruned(booksClose=True, warnings=["1 of 20 nights is complete"], unknown=unknown)
    assert code == 0
    assert "\n  books close\n  unknown files, which stay: 3: hbase/a, hbase/b, ...\n" in out
    assert "\n  warning: 1 of 20 nights is complete\nreport: s3://" in out
    code, out = pruned(booksClose=True, unknown={"count": 0, "samples": []}, warnings=[])
    assert code == 0
    assert "unknown" not in out
    assert "warning" not in out
    for closes in (False, None):
        with pytest.raises(CommandError, match="the books of its report do not close") as error:
            pruned(booksClose=closes)
        assert error.value.code == 4
    code, out = pruned(booksClose=False, exitCode=1, outcome="bad_input")
    assert code == 1
    assert "books do not close" in out
    with pytest.raises(CommandError, match="is not a report of rollup-job"):
        pruned(warnings="none")
    # A report that is no object, of a day.
    for content in ("[]", "{", '{"exitCode": "1"}'):
        cloud.client("s3").put_object(Bucket=suite.log_bucket(), Key="reports/2026-11-20.json", Body=content)
        report = reports.read(of.aws, suite.log_bucket(), "reports/2026-11-20.json")
        assert run.book("2026-11-20", report).endswith("is not a report of rollup-job")
    assert reports.read(of.aws, suite.log_bucket(), "reports/none.json") is None

    # While a night runs only a plan is made.
    arn = f"arn:aws:states:{REGION}:{ACCOUNT}:execution:m:night-7"
    running = {"name": "night-7", "executionArn": arn}
    cloud.answer("stepfunctions list-executions", {"executions": [running]})
    assert pruned()[0] == 0
    with pytest.raises(OutsideError) as error:
        pruned(delete=True)
    assert error.value.code == 3
    assert error.value.problems[0] == "execution night-7 is running"
    assert error.value.hints == (f"rollup-aws run {suite.file} --follow {arn}",)
    cloud.answer("stepfunctions list-executions", {"executions": []})
    assert pruned(delete=True)[0] == 0


def test_destroy_refuses_while_a_cluster_runs(deployed, cloud):
    cluster = {"Id": "j-1", "Name": "opentsdb-rollup", "Status": {"State": "RUNNING"}}
    cloud.answer("emr list-clusters", {"Clusters": [cluster, {**cluster, "Name": "another's"}]})
    done = deployed.run("destroy", "night.json", "--yes")
    assert done.returncode == 3
    assert "cluster j-1 is in state RUNNING" in done.stderr
    assert "aws emr terminate-clusters --cluster-ids j-1" in done.stderr
    cloud.answer("emr list-clusters", {"Clusters": []})
    done = deployed.run("destroy", "night.json", "--dry-run")
    assert done.returncode == 0
    assert "would delete stack opentsdb-rollup" in done.stdout
    assert deployed.log_bucket() in done.stdout
    done = deployed.run("destroy", "night.json")
    assert done.returncode == 2
    assert "give --yes" in done.stderr
