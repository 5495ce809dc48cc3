"""The stacks, created on moto: the packaged pipeline with its nested stacks.

What moto's CloudFormation leaves out is listed here, and nothing else may be left out: those resources
are held by cfn-lint's schemas and by test_template.py only. It does not read the state machine's
definition (test_state_machine.py runs that), conditions of IAM are never enforced, and it leaves a null
where AWS::NoValue should remove an item of a list.
"""

import ast
import json
from fnmatch import fnmatchcase

import boto3
import pytest
from conftest import FOLDER, FORWARD, KINDS, OPTIONAL, REGION, ROOT, STACKS, create, load

from rollup_aws import environments
from rollup_aws.rules import Rules

NOT_MADE = {
    "AWS::CloudWatch::Alarm",
    "AWS::EC2::SecurityGroupEgress",
    "AWS::Events::EventBusPolicy",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Subscription",
    "AWS::SNS::TopicPolicy",
    "AWS::SQS::QueuePolicy",
}

pytestmark = [
    pytest.mark.usefixtures("aws", "packaged"),
    pytest.mark.filterwarnings("ignore:Tried to parse"),
]


def made(**others):
    """Physical by logical names, of all files."""
    return {
        logical: physical
        for resources in create(ROOT, **others).values()
        for logical, physical in resources.items()
    }


SECRET = f"arn:aws:secretsmanager:eu-west-1:{'0' * 12}:secret:AmazonMSK_rollup-abcdef"
MODES = {
    "MSK_IAM": {},
    "SASL_SCRAM": {"KafkaSecretArn": SECRET, "MskClusterArn": ""},
    "TLS": {"MskClusterArn": ""},
    "PLAINTEXT": {"MskClusterArn": "", "StartOn": "MANIFESTS", "NotificationEmail": "a@example.org"},
    "NONE": {"MskClusterArn": "", "KafkaBootstrap": "", "KafkaCidr": "", "HBaseCidr": "10.2.0.0/16"},
}


def check_nothing_is_left_out(files: dict) -> None:
    for file, there in files.items():
        left_out = {
            resource["Type"]
            for logical, resource in load(file)["Resources"].items()
            if logical not in there and "Condition" not in resource
        }
        assert left_out <= NOT_MADE, file


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_is_created(kind, mode):
    files = create(ROOT, ComputeKind=kind, KafkaSecurity=mode, **MODES[mode])
    other = "stacks/compute-emr.yaml" if kind == "SERVERLESS" else "stacks/compute-serverless.yaml"
    assert set(files) == {ROOT, *STACKS} - {other, *OPTIONAL}
    check_nothing_is_left_out(files)
    access = files["stacks/access.yaml"]
    assert ("Msk" in access) == (mode == "MSK_IAM")
    assert ("KafkaSecret" in access) == ("KafkaSecretArn" in MODES[mode])
    # moto attaches no policies to the roles of a template.
    compute = files[ROOT]["ComputeEmr" if kind == "EMR" else "ComputeServerless"]
    answer = boto3.client("cloudformation").describe_stacks(StackName=compute)["Stacks"][0]
    given = {item["ParameterKey"]: item["ParameterValue"] for item in answer["Parameters"]}
    assert given["JobAccess"] == access["JobAccess"]
    assert given["KafkaAccess"] == access.get("Msk", access.get("KafkaSecret", "none"))
    assert given["NodeGroup"] == files["stacks/network.yaml"]["NodeGroup"]


@pytest.mark.parametrize("prune", ["ON", "OFF"])
@pytest.mark.parametrize("kind", KINDS)
def test_outputs(kind, prune):
    create(ROOT, ComputeKind=kind, Prune=prune)
    stack = boto3.client("cloudformation").describe_stacks(StackName="rollups")["Stacks"][0]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    expected = {"StateMachine", "LogBucket", "KeyArn", "Topic", "Queue", "DeadLetters"}
    expected |= {"TriggerFunction", "NodeGroup"}
    if kind == "SERVERLESS" or prune == "ON":
        expected |= {"ServerlessApplication"}
    if kind == "SERVERLESS":
        expected |= {"JobRole"}
    if prune == "ON":
        expected |= {"PruneRole"}
    assert set(outputs) == expected
    # The functions know the state machine by its name, before there is one.
    assert outputs["StateMachine"].endswith(f":stateMachine:rollups-{kind.lower()}")
    assert environment("TriggerHandler")["STATE_MACHINE_ARN"] == outputs["StateMachine"]


def patterns(file, **others):
    there = made(**others)
    rule = boto3.client("events").describe_rule(Name=there["ExportRule"])
    pattern = json.loads(rule["EventPattern"])
    # lambda-trigger holds these against recorded events with AWS's own matcher.
    tested = FOLDER.parent / "lambda-trigger/src/test/resources/event-patterns" / file
    if tested.parent.parent.exists():
        assert pattern == json.loads(tested.read_text())
    assert pattern["source"] == ["aws.s3"]
    assert pattern["detail-type"] == ["Object Created"]
    assert pattern["detail"]["bucket"] == {"name": ["backup"]}
    return [key["wildcard"] for key in pattern["detail"]["object"]["key"]]


def test_rule_matches_markers():
    assert patterns("marker.json", StartOn="MARKER") == ["hbase/_EXPORTED/*.json"]


def test_rule_matches_manifests_and_never_tmp():
    keys = patterns("manifests.json", StartOn="MANIFESTS")
    assert keys == [
        "hbase/.hbase-snapshot/tsdb*/data.manifest",
        "hbase/.hbase-snapshot/tsdb*/.snapshotinfo",
        "hbase/.hbase-snapshot/tsdb-uid*/data.manifest",
        "hbase/.hbase-snapshot/tsdb-uid*/.snapshotinfo",
    ]
    # Every match begins with a table's name; ".tmp" is none.
    assert all(key.startswith("hbase/.hbase-snapshot/tsdb") for key in keys)


@pytest.mark.parametrize("start", ["MARKER", "MANIFESTS"])
def test_another_account_forwards_what_the_rule_matches(start):
    there = create(FORWARD, BackupBucket="backup", RollupAccountId="1" * 12, RollupRegion="eu-central-1")
    events = boto3.client("events")
    rule = there[FORWARD]["ExportRule"]
    sent = json.loads(events.describe_rule(Name=rule)["EventPattern"])["detail"]["object"]["key"]
    (target,) = events.list_targets_by_rule(Rule=rule)["Targets"]
    assert target["Arn"] == f"arn:aws:events:eu-central-1:{'1' * 12}:event-bus/default"
    assert target["RoleArn"].endswith(there[FORWARD]["ForwardRole"])
    boto3.client("cloudformation").delete_stack(StackName="rollups")
    for key in patterns(f"{start.lower()}.json", StartOn=start):
        name = key.replace("*", "20261121")
        assert any(fnmatchcase(name, each["wildcard"]) for each in sent), name


def test_another_account_may_have_a_role_of_its_own():
    role = f"arn:aws:iam::{'1' * 12}:role/ops/events"
    others = {"BackupBucket": "backup", "RollupAccountId": "2" * 12, "RollupRegion": "eu-central-1"}
    there = create(FORWARD, ForwardRoleArn=role, **others)
    assert "ForwardRole" not in there[FORWARD]
    (target,) = boto3.client("events").list_targets_by_rule(Rule=there[FORWARD]["ExportRule"])["Targets"]
    assert target["RoleArn"] == role


@pytest.mark.parametrize("account", ["", "1" * 12])
def test_another_account_may_put_events(account, caplog):
    create(ROOT, BackupAccountId=account)
    # moto knows no policies of event buses in templates, and says so when one is to be made.
    assert ("AWS::Events::EventBusPolicy" in caplog.text) == bool(account)


def test_tables_of_a_namespace():
    # The trigger knows tables as HBase does. Names of snapshots have no colon.
    tables = {"DataTable": "metrics:tsdb", "UidTable": "metrics:tsdb-uid"}
    assert patterns("namespace.json", StartOn="MANIFESTS", **tables) == [
        "hbase/.hbase-snapshot/metrics-tsdb*/data.manifest",
        "hbase/.hbase-snapshot/metrics-tsdb*/.snapshotinfo",
        "hbase/.hbase-snapshot/metrics-tsdb-uid*/data.manifest",
        "hbase/.hbase-snapshot/metrics-tsdb-uid*/.snapshotinfo",
    ]
    for handler in ("TriggerHandler", "PrepareHandler"):
        variables = environment(handler)
        assert (variables["DATA_TABLE"], variables["UID_TABLE"]) == tuple(tables.values())


def test_queue_has_a_dead_letter_queue():
    there = made(MaxReceiveCount="7")
    sqs = boto3.client("sqs")
    attributes = sqs.get_queue_attributes(QueueUrl=there["Queue"], AttributeNames=["All"])["Attributes"]
    assert attributes["VisibilityTimeout"] == "1800"
    redrive = json.loads(attributes["RedrivePolicy"])
    assert str(redrive["maxReceiveCount"]) == "7"
    letters = sqs.get_queue_attributes(QueueUrl=there["DeadLetters"], AttributeNames=["QueueArn"])
    assert redrive["deadLetterTargetArn"] == letters["Attributes"]["QueueArn"]
    (target,) = boto3.client("events").list_targets_by_rule(Rule=there["ExportRule"])["Targets"]
    assert target["Arn"] == attributes["QueueArn"]
    (source,) = boto3.client("lambda").list_event_source_mappings()["EventSourceMappings"]
    assert source["EventSourceArn"] == attributes["QueueArn"]


def environment(handler):
    client = boto3.client("lambda")
    (function,) = [
        function
        for function in client.list_functions()["Functions"]
        if function["Handler"] == f"io.tsdbsuite.trigger.{handler}"
    ]
    assert function["Runtime"] == "java21"
    # CloudFormation makes texts of numbers, moto does not.
    return {name: str(value) for name, value in function["Environment"]["Variables"].items()}


OPTIONS = {
    "ExtraJobOptions": '"--metrics","sys.*"',
    "ExtraSparkOptions": '"--conf","spark.executor.memoryOverhead=1g"',
    "Interval": "1m,1h",
    "DaysBeforeSnapshot": "2",
    "LateData": "off",
}
EXECUTORS = ("EXECUTOR_CORES", "EXECUTOR_MEMORY", "MAX_EXECUTORS", "DRIVER_CORES", "DRIVER_MEMORY")


def check_environment(kind: str, others: dict) -> tuple:
    """What Prepare gets of the job's options, Spark's options, and executors; all else is checked here."""
    there = made(ComputeKind=kind, **OPTIONS, **others)
    backup = {
        "ROOT": "s3://backup/hbase",
        "BACKUP_REGION": others.get("BackupRegion", "eu-west-1"),
        "DATA_TABLE": "tsdb",
        "UID_TABLE": "tsdb-uid",
        "SNAPSHOT_PATTERN": "{table}-{date}",
        "DAYS_BEFORE_SNAPSHOT": "2",
        "REPORT_ROOT": f"s3://{there['LogBucket']}/reports",
        "METRICS_NAMESPACE": "OpenTSDB/Rollup/rollups",
    }
    trigger = environment("TriggerHandler")
    assert trigger.pop("STATE_MACHINE_ARN") == there["StateMachine"]
    # What the run planner needs to tell which days are due, and which reports are the stack's own.
    options = ["--interval", "1m,1h", "--hold-back", "1h", "--metrics", "sys.*"]
    assert json.loads(trigger.pop("JOB_OPTIONS")) == options
    assert trigger == backup | {"CATCH_UP_DAYS": "3", "TOPIC": "rollups"}
    prepare = environment("PrepareHandler")
    options = json.loads(prepare.pop("JOB_OPTIONS"))
    assert options[options.index("--interval") + 1] == "1m,1h"
    assert options[-2:] == ["--metrics", "sys.*"]
    spark = json.loads(prepare.pop("SPARK_OPTIONS"))
    assert spark[-1] == "spark.executor.memoryOverhead=1g"
    executors = {name: prepare.pop(name) for name in EXECUTORS}
    config = prepare.pop("KAFKA_CONFIG")
    assert prepare == backup | {
        "COMPUTE_KIND": kind,
        "JOB_JAR": "s3://artifacts/rollup/1/rollup-job.jar",
        "KAFKA_BOOTSTRAP": "b-1.example.org:9098,b-2.example.org:9098",
        "TOPIC": "rollups",
        "LATE_DATA": "off",
        "TSD_CONFIG": "s3://artifacts/rollup/1/opentsdb.conf",
        "TIERS_POLICY": "/home/hadoop/rollup/tiers.json" if kind == "EMR" else "tiers.json",
        "PROOF_ROOT": f"s3://{there['LogBucket']}/proofs",
    }
    assert environment("NightCheckHandler") == backup | {"START_ON": "MARKER"}
    assert environment("ReportHandler") == {
        name: backup[name] for name in ("REPORT_ROOT", "METRICS_NAMESPACE")
    }
    return [*options[:4], config], spark, executors


def test_functions_get_what_they_read_for_emr():
    fleets = {"PrimaryInstanceTypes": "m7g.4xlarge", "TaskInstanceTypes": "r7g.4xlarge,m7g.4xlarge"}
    files, spark, executors = check_environment("EMR", {"TaskInstances": "6", **fleets})
    folder = "/home/hadoop/rollup/"
    assert files == [
        *("--tsd-config", f"{folder}opentsdb.conf", "--rollup-config", f"{folder}rollup_config.json"),
        f"{folder}kafka.properties",
    ]
    assert spark[:4] == ["--master", "yarn", "--deploy-mode", "client"]
    assert spark[4:6] == ["--jars", f"{folder}aws-msk-iam-auth.jar"]
    assert executors == dict(zip(EXECUTORS, ["16", "40g", "6", "16", "48g"]))
    assert environment("LostInstancesHandler") == {"METRICS_NAMESPACE": "OpenTSDB/Rollup/rollups"}


def test_functions_get_what_they_read_for_emr_serverless():
    region = {"BackupRegion": "eu-central-1"}
    files, spark, executors = check_environment(
        "SERVERLESS", {"WorkerSize": "8x32", "Workers": "5", **region}
    )
    # Spark brings them into the driver's directory.
    assert files == [
        *("--tsd-config", "opentsdb.conf", "--rollup-config", "rollup_config.json"),
        "kafka.properties",
    ]
    artifacts = "s3://artifacts/rollup/1"
    names = ("opentsdb.conf", "rollup_config.json", "kafka.properties")
    assert spark[:2] == ["--files", ",".join(f"{artifacts}/{name}" for name in names)]
    assert spark[2:4] == ["--jars", f"{artifacts}/aws-msk-iam-auth.jar"]
    assert "--master" not in spark
    assert executors == dict(zip(EXECUTORS, ["8", "29g", "5", "8", "29g"]))


@pytest.mark.parametrize("kind", KINDS)
def test_rollup_aws_measures_these_environments(kind):
    more = {"VerifySample": "1%", "RollupTables": "r-1h,packed-1h"}
    there = made(ComputeKind=kind, HBaseCidr="10.2.0.0/16", TiersTables="r-1h", **more, **OPTIONS)
    stack = boto3.client("cloudformation").describe_stacks(StackName="rollups")["Stacks"][0]
    rules = Rules.load()
    given = {each["ParameterKey"]: str(each["ParameterValue"]) for each in stack["Parameters"]}
    # moto writes lists as Python does; these have their defaults here.
    values = rules.complete({name: value for name, value in given.items() if not value.startswith("[")})
    found = environments.of(rules.stacks, values, "rollups", REGION)
    account = boto3.client("sts").get_caller_identity()["Account"]
    for function, variables in found.items():
        if function == "LostInstances" and kind != "EMR":
            continue
        expected = {
            name: value.replace(there["LogBucket"], environments.UNKNOWN).replace(account, "0" * 12)
            for name, value in environment(f"{function}Handler").items()
        }
        assert variables == expected, function
    assert {"Trigger", "Prepare", "Report", "LostInstances"} <= set(found)
    assert environments.problems(rules.stacks, values, "rollups", REGION) == []


@pytest.mark.parametrize("kind", KINDS)
def test_without_kafka_runs_write_hfiles(kind):
    there = made(ComputeKind=kind, KafkaSecurity="NONE", **MODES["NONE"], **OPTIONS)
    for handler in ("TriggerHandler", "PrepareHandler"):
        variables = environment(handler)
        assert not {"KAFKA_BOOTSTRAP", "KAFKA_CONFIG", "TOPIC"} & set(variables)
        assert json.loads(variables["JOB_OPTIONS"])[-6:] == [
            *("--sink", "hfile", "--hfile-dir", f"s3a://{there['LogBucket']}/hfiles"),
            *("--metrics", "sys.*"),
        ]
    spark = environment("PrepareHandler")["SPARK_OPTIONS"]
    assert "kafka" not in spark
    assert "--jars" not in json.loads(spark)


def test_jar_of_iam_is_for_iam_only():
    made(KafkaSecurity="TLS", MskClusterArn="")
    assert "--jars" not in json.loads(environment("PrepareHandler")["SPARK_OPTIONS"])


def command(**others):
    """JOB_OPTIONS and LATE_DATA."""
    made(**others)
    variables = environment("PrepareHandler")
    return json.loads(variables["JOB_OPTIONS"]), variables["LATE_DATA"]


def value(options, option):
    assert options.count(option) == 1
    return options[options.index(option) + 1]


def test_by_default_an_hour_is_held_back_and_late_data_searched():
    options, late_data = command()
    assert value(options, "--hold-back") == "1h"
    assert value(options, "--interval") == "1h"
    assert late_data == "on"


def test_the_planner_reads_the_tsds_configuration():
    made()
    config = environment("PrepareHandler")["TSD_CONFIG"]
    assert config == "s3://artifacts/rollup/1/opentsdb.conf"
    iam = boto3.client("iam")
    documents = [
        iam.get_role_policy(RoleName=role["RoleName"], PolicyName=policy)["PolicyDocument"]
        for role in iam.list_roles()["Roles"]
        for policy in iam.list_role_policies(RoleName=role["RoleName"])["PolicyNames"]
    ]
    # moto keeps some of them as the text of a dict.
    parsed = [ast.literal_eval(text) if isinstance(text, str) else text for text in documents]
    statements = [statement for document in parsed for statement in document["Statement"]]
    place = f"arn:aws:s3:::{config.removeprefix('s3://')}"
    allowed = [statement for statement in statements if statement["Resource"] == place]
    assert [statement["Action"] for statement in allowed] == ["s3:GetObject"]


def test_hold_back_and_late_data_are_the_parameters():
    options, late_data = command(HoldBack="90m", Interval="1h,10m", LateData="off")
    assert value(options, "--hold-back") == "90m"
    assert value(options, "--interval") == "1h,10m"
    assert late_data == "off"


@pytest.mark.parametrize(("cidr", "patience"), [("10.2.0.0/16", "45m"), ("", None)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_network_of_hbase_decides_whether_there_is_a_coverage(kind, cidr, patience):
    create(ROOT, ComputeKind=kind, HBaseCidr=cidr, CoveragePatience="45m")
    assert environment("PrepareHandler").get("COVERAGE_PATIENCE") == patience


@pytest.mark.parametrize("tables", ["tsdb-rollup-1h,ns:tsdb-rollup-1d", ""])
@pytest.mark.parametrize("kind", KINDS)
def test_the_rollup_tables_decide_whether_there_are_tiers(kind, tables):
    create(ROOT, ComputeKind=kind, HBaseCidr="10.2.0.0/16", TiersTables=tables)
    prepare = environment("PrepareHandler")
    assert prepare.get("TIERS_TABLES", "") == tables
    if kind == "SERVERLESS":
        # A file that --files names and that is not there would stop every job.
        files = value(json.loads(prepare["SPARK_OPTIONS"]), "--files")
        assert files.endswith(",s3://artifacts/rollup/1/tiers.json") == bool(tables)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("parameters", "variables"),
    [
        ({"RollupTables": "r-1h"}, (None, None)),
        ({"VerifySample": "1%", "RollupTables": "r-1h,packed-1h"}, ("1%", "r-1h,packed-1h")),
        ({"VerifySample": "0.01", "TiersTables": "r-1h", "HBaseCidr": "10.2.0.0/16"}, ("0.01", "r-1h")),
    ],
)
def test_a_sample_is_verified_in_the_exported_tables(kind, parameters, variables):
    create(ROOT, ComputeKind=kind, **parameters)
    prepare = environment("PrepareHandler")
    assert (prepare.get("VERIFY_SAMPLE"), prepare.get("ROLLUP_TABLES")) == variables


def test_msk_policy_is_for_one_topic():
    there = made(KafkaTopic="rollups-1h")
    iam = boto3.client("iam")
    version = iam.get_policy(PolicyArn=there["Msk"])["Policy"]["DefaultVersionId"]
    policy = iam.get_policy_version(PolicyArn=there["Msk"], VersionId=version)["PolicyVersion"]["Document"]
    cluster, topic = (statement["Resource"] for statement in policy["Statement"])
    assert cluster.endswith(":cluster/points/1b2c-3")
    assert topic.endswith(":topic/points/1b2c-3/rollups-1h")


def test_the_boundary_limits_every_role():
    boundary = f"arn:aws:iam::{'0' * 12}:policy/limits"
    create(ROOT, ComputeKind="EMR", Prune="ON", PermissionsBoundary=boundary)
    iam = boto3.client("iam")
    found = [iam.get_role(RoleName=role["RoleName"])["Role"] for role in iam.list_roles()["Roles"]]
    # Trigger, Prepare, Report, NightCheck, LostInstances; state machine, EMR, nodes; prune.
    assert len(found) == 9
    for role in found:
        assert role["PermissionsBoundary"]["PermissionsBoundaryArn"] == boundary, role["RoleName"]


NAMES = (
    *("trigger", "prepare", "report", "night-check", "lost-instances"),
    *("states", "job", "emr", "node", "prune", "prune-states"),
)
OWN = {
    "RolePath": "/ops/",
    "RolePrefix": "corp-",
    "KmsKeyArn": f"arn:aws:kms:eu-west-1:{'0' * 12}:key/own",
    "LogBucketName": "own-logs",
    "NodeGroupId": "sg-1",
    "ServiceGroupId": "sg-2",
}


@pytest.mark.parametrize("kind", KINDS)
def test_everything_of_ones_own(kind):
    """An account in which nobody may make roles, keys, groups and buckets."""
    iam, lambdas = boto3.client("iam"), boto3.client("lambda")
    trust = json.dumps({"Version": "2012-10-17", "Statement": []})
    for name in NAMES:
        iam.create_role(RoleName=f"corp-{name}", Path="/ops/", AssumeRolePolicyDocument=trust)
    before = len(iam.list_roles()["Roles"]), len(iam.list_policies(Scope="Local")["Policies"])
    files = create(ROOT, ComputeKind=kind, Prune="ON", FunctionsInVpc="ON", EncryptAll="ON", **OWN)
    assert not {"stacks/access.yaml", "stacks/network.yaml"} & set(files)
    after = len(iam.list_roles()["Roles"]), len(iam.list_policies(Scope="Local")["Policies"])
    assert before == after
    assert iam.list_instance_profiles()["InstanceProfiles"] == []
    assert boto3.client("kms").list_keys()["Keys"] == []
    assert [each["Name"] for each in boto3.client("s3").list_buckets()["Buckets"]] == ["artifacts"]
    for function in lambdas.list_functions()["Functions"]:
        assert ":role/ops/corp-" in function["Role"], function["Handler"]
        assert function["VpcConfig"]["SecurityGroupIds"] == ["sg-1"]
    stack = boto3.client("cloudformation").describe_stacks(StackName="rollups")["Stacks"][0]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]}
    assert (outputs["KeyArn"], outputs["LogBucket"]) == (OWN["KmsKeyArn"], "own-logs")
    assert outputs["NodeGroup"] == "sg-1"
    assert outputs["PruneRole"].endswith(":role/ops/corp-prune")
    assert environment("PrepareHandler")["REPORT_ROOT"] == "s3://own-logs/reports"


@pytest.mark.parametrize("kind", KINDS)
def test_optional_stacks_are_created(kind):
    others = {"Prune": "ON", "PruneSchedule": "cron(0 9 ? * MON *)", "NotificationEmail": "a@example.org"}
    files = create(ROOT, ComputeKind=kind, Dashboard="ON", **others)
    assert set(OPTIONAL) < set(files)
    check_nothing_is_left_out(files)
    events = boto3.client("events")
    rule = files["stacks/prune.yaml"]["Schedule"]
    assert events.describe_rule(Name=rule)["ScheduleExpression"] == "cron(0 9 ? * MON *)"
    (target,) = events.list_targets_by_rule(Rule=rule)["Targets"]
    assert target["Arn"].endswith(":stateMachine:rollups-prune")
    (dashboard,) = boto3.client("cloudwatch").list_dashboards()["DashboardEntries"]
    assert dashboard["DashboardName"] == "rollups"
