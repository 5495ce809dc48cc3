"""Properties of the templates that no linter knows."""

import re

import pytest
from conftest import FOLDER, TEMPLATES, resources


@pytest.fixture(params=TEMPLATES)
def name(request):
    return request.param


@pytest.fixture
def template(templates, name):
    return templates[name]


@pytest.fixture
def text(name):
    return (FOLDER / name).read_text()


def test_deploys_without_a_bucket(text):
    # The limit of a template that comes with the request.
    assert len(text.encode()) < 51_200


def test_names_no_account_no_region_and_one_partition_only_by_reference(text):
    assert not re.search(r"\b\d{12}\b", text)
    assert not re.search(r"\b(us|eu|ap|sa|ca|cn)-[a-z]+-\d\b", text)
    assert "arn:aws:" not in text
    assert not re.search(r"\b(vpc|subnet|sg|key|ami)-[0-9a-f]{8,}", text)


def test_names_the_jobs_jar_of_this_version(text):
    # The trigger resumes a run only with the version that began it, and reads that from the name.
    version = re.search(r"<version>(.+?)</version>", (FOLDER.parent / "pom.xml").read_text())[1]
    assert re.findall(r"/rollup-job-(.+?)-spark\.jar", text) == [version]


def test_has_no_null(template):
    # CloudFormation refuses null anywhere.
    def nulls(value):
        if isinstance(value, dict):
            return any(map(nulls, value.values()))
        return any(map(nulls, value)) if isinstance(value, list) else value is None

    assert not nulls(template)


def test_every_parameter_is_in_one_group(template):
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    grouped = [parameter for group in groups for parameter in group["Parameters"]]
    assert sorted(grouped) == sorted(template["Parameters"])
    assert all(group["Label"]["default"] for group in groups)


def test_every_parameter_is_constrained(template):
    for name, parameter in template["Parameters"].items():
        bounds = {"AllowedPattern", "AllowedValues", "MinValue"} & set(parameter)
        assert bounds or parameter["Type"].startswith(("AWS::", "List<", "CommaDelimited")), name


@pytest.mark.parametrize("parameter", ["DataTable", "UidTable"])
def test_tables_are_named_as_hbase_names_them(template, parameter):
    # CloudFormation holds a pattern against the whole value; moto holds none.
    pattern = template["Parameters"][parameter]["AllowedPattern"]
    for table in ("tsdb", "tsdb-uid", "metrics:tsdb", "my_metrics:tsdb.v2"):
        assert re.fullmatch(pattern, table), table
    # A namespace has letters, digits and underscores only.
    for table in ("", ":tsdb", "metrics:", "my-metrics:tsdb", "a:b:c", "metrics:-tsdb", ".tmp", "ts db"):
        assert not re.fullmatch(pattern, table), table


def test_data_stay_when_the_stack_goes(template):
    for name, resource in template["Resources"].items():
        if resource["Type"] in ("AWS::S3::Bucket", "AWS::KMS::Key"):
            assert resource["DeletionPolicy"] == "Retain", name
            assert resource["UpdateReplacePolicy"] == "Retain", name


def test_a_message_is_hidden_as_long_as_the_trigger_may_take(template):
    trigger = template["Resources"]["Trigger"]["Properties"]
    queue = template["Resources"]["Queue"]["Properties"]
    assert queue["VisibilityTimeout"] >= 6 * trigger["Timeout"]
    source = template["Resources"]["TriggerSource"]["Properties"]
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_everything_is_encrypted_with_the_stacks_key(template):
    key = {"Fn::GetAtt": ["Key", "Arn"]}
    for properties in resources(template, "AWS::Lambda::Function").values():
        assert properties["KmsKeyArn"] == key
    for name, properties in resources(template, "AWS::Logs::LogGroup").items():
        assert properties.get("KmsKeyId") == (None if name == "StateMachineLog" else key)
        assert properties["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    for properties in resources(template, "AWS::SNS::Topic").values():
        assert properties["KmsMasterKeyId"] == key


def test_every_alarm_has_a_notification(template):
    alarms = resources(template, "AWS::CloudWatch::Alarm")
    assert {"DeadLettersAlarm", "NoSuccessAlarm"} <= set(alarms)
    for properties in alarms.values():
        assert properties["AlarmActions"] == [{"Ref": "Topic"}]
        assert "docs/aws.md" in properties["AlarmDescription"]


def test_no_success_for_26_hours_is_an_alarm(template):
    alarm = template["Resources"]["NoSuccessAlarm"]["Properties"]
    assert alarm["Period"] * alarm["EvaluationPeriods"] == 26 * 3600
    assert alarm["Period"] * alarm["EvaluationPeriods"] <= 7 * 86_400  # CloudWatch's limit
    assert alarm["TreatMissingData"] == "breaching"
    assert (alarm["Statistic"], alarm["Threshold"]) == ("Sum", 1)
    assert alarm["ComparisonOperator"] == "LessThanThreshold"
    assert "DatapointsToAlarm" not in alarm  # so all 26


def test_cluster(pipeline):
    configuration = pipeline["Resources"]["SecurityConfiguration"]["Properties"]["SecurityConfiguration"]
    metadata = configuration["InstanceMetadataServiceConfiguration"]
    assert metadata == {"MinimumInstanceMetadataServiceVersion": 2, "HttpPutResponseHopLimit": 1}
    encryption = configuration["EncryptionConfiguration"]
    assert encryption["EnableAtRestEncryption"] is True
    assert encryption["AtRestEncryptionConfiguration"]["LocalDiskEncryptionConfiguration"][
        "EnableEbsEncryption"
    ]
    for group in resources(pipeline, "AWS::EC2::SecurityGroup").values():
        assert {"Key": "for-use-with-amazon-emr-managed-policies", "Value": "true"} in group["Tags"]


def test_state_machine_has_no_timeout_of_its_own(pipeline):
    definition = pipeline["Resources"]["StateMachine"]["Properties"]["Definition"]
    assert "TimeoutSeconds" not in definition
    # All that is between a cluster's creation and its termination hands its errors on.
    for name in ("Days", "LookAtCluster", "FindLost", "TerminateAfterFailure", "TerminateAfterSuccess"):
        assert definition["States"][name]["Catch"][-1]["ErrorEquals"] == ["States.ALL"]


def test_security_groups_open_no_door_to_the_world(template):
    for properties in resources(template, "AWS::EC2::SecurityGroupIngress").values():
        assert "CidrIp" not in properties
    for properties in resources(template, "AWS::EC2::SecurityGroup").values():
        assert "SecurityGroupIngress" not in properties


def test_plaintext_is_nobodys_default(template):
    assert template["Parameters"]["KafkaSecurity"]["Default"] == "MSK_IAM"
