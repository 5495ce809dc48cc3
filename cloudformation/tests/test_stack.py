"""The stacks, created on moto from the files as they are.

What moto's CloudFormation leaves out is listed here, and nothing else may be left out: those resources
are held by cfn-lint's schemas and by test_template.py only. It also drops a state machine that is
given as an object (test_state_machine.py runs that), conditions of IAM are never enforced, and it
leaves a null where AWS::NoValue should remove an item of a list.
"""

import json

import boto3
import pytest
from conftest import FOLDER, TEMPLATES, create, load, resources

NOT_MADE = {
    "AWS::CloudWatch::Alarm",
    "AWS::EC2::SecurityGroupEgress",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Subscription",
    "AWS::SNS::TopicPolicy",
    "AWS::SQS::QueuePolicy",
}

pytestmark = [
    pytest.mark.usefixtures("aws"),
    pytest.mark.filterwarnings("ignore:Tried to parse"),
]


def made(name, **others):
    return {
        resource["LogicalResourceId"]: resource.get("PhysicalResourceId")
        for resource in create(name, **others)
        if "LogicalResourceId" in resource
    }


def roles():
    iam = boto3.client("iam")
    for name in ("DataPipelineDefaultRole", "DataPipelineDefaultResourceRole"):
        iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")


SECRET = f"arn:aws:secretsmanager:eu-west-1:{'0' * 12}:secret:AmazonMSK_rollup-abcdef"
MODES = {
    "MSK_IAM": {},
    "SASL_SCRAM": {"KafkaSecretArn": SECRET, "MskClusterArn": ""},
    "TLS": {"MskClusterArn": ""},
    "PLAINTEXT": {"MskClusterArn": "", "StartOn": "MANIFESTS", "NotificationEmail": "a@example.org"},
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TEMPLATES)
def test_is_created(name, mode):
    roles()
    others = dict(MODES[mode], KafkaSecurity=mode)
    if name == "rollup-data-pipeline.yaml":
        others["TaskSpotPrice"] = "0.25"
    there = made(name, **others)
    template = load(name)
    left_out = {
        resource["Type"]
        for logical, resource in template["Resources"].items()
        if logical not in there and "Condition" not in resource
    }
    assert left_out <= NOT_MADE
    assert ("Msk" in there) == (mode == "MSK_IAM")
    assert ("KafkaSecret" in there) == ("KafkaSecretArn" in others)


HANDLERS_WITH_TABLES = {
    "rollup-pipeline.yaml": ["TriggerHandler", "PrepareHandler"],
    "rollup-data-pipeline.yaml": ["TriggerHandler"],
}


def patterns(file, name="rollup-pipeline.yaml", **others):
    there = made(name, **others)
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


@pytest.mark.parametrize("name", TEMPLATES)
def test_tables_of_a_namespace(name):
    # The trigger knows tables as HBase does. Names of snapshots have no colon.
    roles()
    tables = {"DataTable": "metrics:tsdb", "UidTable": "metrics:tsdb-uid"}
    assert patterns("namespace.json", name, StartOn="MANIFESTS", **tables) == [
        "hbase/.hbase-snapshot/metrics-tsdb*/data.manifest",
        "hbase/.hbase-snapshot/metrics-tsdb*/.snapshotinfo",
        "hbase/.hbase-snapshot/metrics-tsdb-uid*/data.manifest",
        "hbase/.hbase-snapshot/metrics-tsdb-uid*/.snapshotinfo",
    ]
    for handler in HANDLERS_WITH_TABLES[name]:
        variables = environment(handler)
        assert (variables["DATA_TABLE"], variables["UID_TABLE"]) == tuple(tables.values())


def test_queue_has_a_dead_letter_queue():
    there = made("rollup-pipeline.yaml", MaxReceiveCount="7")
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


def test_functions_get_what_they_read():
    there = made(
        "rollup-pipeline.yaml",
        ExtraJobOptions='"--metrics","sys.*"',
        ExtraSparkOptions='"--conf","spark.executor.memory=4g"',
        Interval="1m,1h",
        DaysBeforeSnapshot="2",
        LateData="off",
    )
    backup = {
        "ROOT": "s3://backup/hbase",
        "DATA_TABLE": "tsdb",
        "UID_TABLE": "tsdb-uid",
        "SNAPSHOT_PATTERN": "{table}-{date}",
        "DAYS_BEFORE_SNAPSHOT": "2",
        "REPORT_ROOT": f"s3://{there['LogBucket']}/reports",
        "METRICS_NAMESPACE": "OpenTSDB/Rollup",
    }
    trigger = environment("TriggerHandler")
    assert trigger.pop("STATE_MACHINE_ARN") == there["StateMachine"]
    assert trigger == backup | {"TARGET": "step-functions", "CATCH_UP_DAYS": "3"}
    prepare = environment("PrepareHandler")
    options = json.loads(prepare.pop("JOB_OPTIONS"))
    assert options[options.index("--interval") + 1] == "1m,1h"
    assert options[-2:] == ["--metrics", "sys.*"]
    spark = json.loads(prepare.pop("SPARK_OPTIONS"))
    assert spark[:4] == ["--master", "yarn", "--deploy-mode", "client"]
    assert spark[4:6] == ["--jars", "/home/hadoop/rollup/aws-msk-iam-auth.jar"]
    assert spark[-1] == "spark.executor.memory=4g"
    assert prepare == backup | {
        "JOB_JAR": "s3://artifacts/rollup/1/rollup-job-0.1.0-SNAPSHOT-spark.jar",
        "KAFKA_BOOTSTRAP": "b-1.example.org:9098,b-2.example.org:9098",
        "TOPIC": "rollups",
        "KAFKA_CONFIG": "/home/hadoop/rollup/kafka.properties",
        "LATE_DATA": "off",
    }
    assert environment("ReportHandler") == {
        name: backup[name] for name in ("REPORT_ROOT", "METRICS_NAMESPACE")
    }


# Of each template the function that makes the job's command.
PLANNERS = {"rollup-pipeline.yaml": "PrepareHandler", "rollup-data-pipeline.yaml": "TriggerHandler"}
assert set(PLANNERS) == set(TEMPLATES)


def command(name, **others):
    """JOB_OPTIONS and LATE_DATA."""
    roles()
    made(name, **others)
    variables = environment(PLANNERS[name])
    return json.loads(variables["JOB_OPTIONS"]), variables["LATE_DATA"]


def value(options, option):
    assert options.count(option) == 1
    return options[options.index(option) + 1]


@pytest.mark.parametrize("name", TEMPLATES)
def test_by_default_an_hour_is_held_back_and_late_data_searched(name):
    options, late_data = command(name)
    assert value(options, "--hold-back") == "1h"
    assert value(options, "--interval") == "1h"
    assert late_data == "on"


@pytest.mark.parametrize("name", TEMPLATES)
def test_hold_back_and_late_data_are_the_parameters(name):
    options, late_data = command(name, HoldBack="90m", Interval="1h,10m", LateData="off")
    assert value(options, "--hold-back") == "90m"
    assert value(options, "--interval") == "1h,10m"
    assert late_data == "off"


def test_msk_policy_is_for_one_topic():
    made("rollup-pipeline.yaml", KafkaTopic="rollups-1h")
    iam = boto3.client("iam")
    (role,) = [role for role in iam.list_roles()["Roles"] if "NodeRole" in role["RoleName"]]
    policy = iam.get_role_policy(RoleName=role["RoleName"], PolicyName="Msk")["PolicyDocument"]
    cluster, topic = (statement["Resource"] for statement in policy["Statement"])
    assert cluster.endswith(":cluster/points/1b2c-3")
    assert topic.endswith(":topic/points/1b2c-3/rollups-1h")


def test_data_pipeline_takes_what_the_trigger_gives():
    roles()
    there = made("rollup-data-pipeline.yaml", TaskSpotPrice="0.25")
    assert environment("TriggerHandler")["PIPELINE_ID"] == there["Pipeline"]
    assert environment("TriggerHandler")["TARGET"] == "data-pipeline"
    client = boto3.client("datapipeline")
    (pipeline,) = client.list_pipelines()["pipelineIdList"]
    objects = {
        item["id"]: item["fields"]
        for item in client.get_pipeline_definition(pipelineId=pipeline["id"])["pipelineObjects"]
    }
    fields = {
        name: {field["key"]: field.get("stringValue", field.get("refValue")) for field in item}
        for name, item in objects.items()
    }
    assert fields["Default"]["scheduleType"] == "ondemand"
    assert fields["RollupJob"]["step"] == "#{myStep}"
    assert fields["RollupCluster"]["taskInstanceBidPrice"] == "0.25"
    references = {field["refValue"] for item in objects.values() for field in item if "refValue" in field}
    assert references <= set(objects)
    (properties,) = resources(load("rollup-data-pipeline.yaml"), "AWS::DataPipeline::Pipeline").values()
    assert properties["Activate"] is False
    assert [parameter["Id"] for parameter in properties["ParameterObjects"]] == [
        "myRoot",
        "myDataSnapshot",
        "myUidSnapshot",
        "mySnapshotTime",
        "myDay",
        "myReport",
        "myStep",
    ]
