"""Properties of the templates that no linter knows."""

import re

import pytest
from conftest import (
    FOLDER,
    FORWARD,
    KINDS,
    ROOT,
    STACKS,
    TEMPLATES,
    definition,
    load,
    resources,
)

TRIGGER = "stacks/trigger.yaml"
ALARMS = "stacks/alarms.yaml"


@pytest.fixture(params=TEMPLATES)
def name(request):
    return request.param


@pytest.fixture
def template(templates, name):
    return templates[name]


@pytest.fixture
def text(name):
    return (FOLDER / name).read_text()


def test_lines_can_be_read(text):
    assert max(map(len, text.splitlines())) <= 125


def test_lines_of_the_state_machines_can_be_read():
    files = list((FOLDER / "state-machine").glob("*.json"))
    assert len(files) == len(KINDS)
    for file in files:
        assert max(map(len, file.read_text().splitlines())) <= 170, file


def test_names_no_account_no_region_and_one_partition_only_by_reference(text):
    assert not re.search(r"\b\d{12}\b", text)
    assert not re.search(r"\b(us|eu|ap|sa|ca|cn)-[a-z]+-\d\b", text)
    assert "arn:aws:" not in text
    assert not re.search(r"\b(vpc|subnet|sg|key|ami)-[0-9a-f]{8,}", text)


@pytest.mark.parametrize("name", [TRIGGER])
def test_names_the_jobs_jar_as_upload_does(text):
    # Without a version: the trigger resumes a run only if its own version began it.
    assert re.findall(r"/(rollup-job[^/\"]*\.jar)", text) == ["rollup-job.jar"]


def test_has_no_null(template):
    # CloudFormation refuses null anywhere.
    def nulls(value):
        if isinstance(value, dict):
            return any(map(nulls, value.values()))
        return any(map(nulls, value)) if isinstance(value, list) else value is None

    assert not nulls(template)


@pytest.mark.parametrize("name", [ROOT, FORWARD])
def test_every_parameter_is_in_one_group(template):
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    grouped = [parameter for group in groups for parameter in group["Parameters"]]
    assert sorted(grouped) == sorted(template["Parameters"])
    assert all(group["Label"]["default"] for group in groups)


@pytest.mark.parametrize("name", [ROOT, FORWARD])
def test_every_parameter_is_constrained(template):
    for name, parameter in template["Parameters"].items():
        bounds = {"AllowedPattern", "AllowedValues", "MinValue"} & set(parameter)
        assert bounds or parameter["Type"].startswith(("AWS::", "List<")), name


def test_a_nested_stack_gets_all_its_parameters_and_no_other(templates):
    nested = templates[ROOT]["Resources"].values()
    assert sorted(stack["Properties"]["TemplateURL"] for stack in nested) == sorted(STACKS)
    for stack in nested:
        given = stack["Properties"]["Parameters"]
        wanted = templates[stack["Properties"]["TemplateURL"]]["Parameters"]
        assert list(given) == list(wanted)
        # All decisions are the root's.
        assert not [name for name, parameter in wanted.items() if "Default" in parameter]


@pytest.mark.parametrize("name", [ROOT])
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
            assert resource["DeletionPolicy"] == "RetainExceptOnCreate", name
            assert resource["UpdateReplacePolicy"] == "Retain", name


@pytest.mark.parametrize("name", [TRIGGER])
def test_a_message_is_hidden_as_long_as_the_trigger_may_take(template):
    trigger = template["Resources"]["Trigger"]["Properties"]
    queue = template["Resources"]["Queue"]["Properties"]
    source = template["Resources"]["TriggerSource"]["Properties"]
    assert queue["VisibilityTimeout"] >= 2 * trigger["Timeout"]
    assert trigger["Timeout"] == 900
    # So Lambda never has more batches than it runs.
    assert source["ScalingConfig"] == {"MaximumConcurrency": 2}
    assert source["FunctionResponseTypes"] == ["ReportBatchItemFailures"]


def test_everything_is_encrypted_with_the_stacks_key(template, name):
    key = {"Fn::GetAtt": ["Key", "Arn"]} if name == "stacks/storage.yaml" else {"Ref": "KeyArn"}
    for properties in resources(template, "AWS::Lambda::Function").values():
        assert properties["KmsKeyArn"] == key
    for log, properties in resources(template, "AWS::Logs::LogGroup").items():
        assert properties.get("KmsKeyId") == (None if log == "StateMachineLog" else key)
        assert properties["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    for properties in resources(template, "AWS::SNS::Topic").values():
        assert properties["KmsMasterKeyId"] == key


@pytest.mark.parametrize("name", [ALARMS])
def test_every_alarm_has_a_notification(template):
    alarms = resources(template, "AWS::CloudWatch::Alarm")
    assert {"DeadLettersAlarm", "NoSuccessAlarm"} <= set(alarms)
    for properties in alarms.values():
        assert properties["AlarmActions"] == [{"Ref": "Topic"}]
        assert properties["AlarmDescription"].endswith("Runbook in docs/aws-reference.md.")


@pytest.mark.parametrize("name", [ALARMS])
def test_no_success_for_30_hours_is_an_alarm(template):
    alarm = template["Resources"]["NoSuccessAlarm"]["Properties"]
    assert alarm["Period"] * alarm["EvaluationPeriods"] == 30 * 3600
    assert alarm["Period"] * alarm["EvaluationPeriods"] <= 7 * 86_400  # CloudWatch's limit
    assert alarm["TreatMissingData"] == "breaching"
    assert (alarm["Statistic"], alarm["Threshold"]) == ("Sum", 1)
    assert alarm["ComparisonOperator"] == "LessThanThreshold"
    assert "DatapointsToAlarm" not in alarm  # so all 30


@pytest.mark.parametrize("name", [ALARMS])
def test_each_day_without_a_night_is_told(templates, template):
    # An alarm acts on changes only. This one is of a metric of one minute a day, and missing data end it.
    alarm = template["Resources"]["NightMissingAlarm"]["Properties"]
    assert alarm["Period"] * alarm["EvaluationPeriods"] < 3600
    assert alarm["TreatMissingData"] == "notBreaching"
    assert alarm["MetricName"] == "DaysMissing"
    rule = templates[TRIGGER]["Resources"]["NightRule"]["Properties"]
    assert rule["ScheduleExpression"] == "cron(0 6 * * ? *)"
    assert [target["Arn"] for target in rule["Targets"]] == [{"Fn::GetAtt": ["NightCheck", "Arn"]}]
    permission = templates[TRIGGER]["Resources"]["NightPermission"]["Properties"]
    assert permission["SourceArn"] == {"Fn::GetAtt": ["NightRule", "Arn"]}
    assert permission["FunctionName"] == {"Ref": "NightCheck"}
    # It tells of a trigger that does not work, and of a bucket without events.
    assert rule.get("State", "ENABLED") == "ENABLED"
    assert "EventPattern" not in rule


@pytest.mark.parametrize("name", [ALARMS])
def test_an_export_that_stays_half_is_told_once(templates, template):
    # The trigger looks, and counts, again when the queue shows it the message again.
    alarm = template["Resources"]["HalfExportAlarm"]["Properties"]
    trigger = templates[TRIGGER]["Resources"]
    timeout = trigger["Trigger"]["Properties"]["Timeout"]
    assert alarm["Period"] > trigger["Queue"]["Properties"]["VisibilityTimeout"] + timeout


def test_every_function_has_an_alarm(templates):
    functions = set(resources(templates[TRIGGER], "AWS::Lambda::Function"))
    alarms = resources(templates[ALARMS], "AWS::CloudWatch::Alarm").values()
    watched = {
        alarm["Dimensions"][0]["Value"]["Ref"].removesuffix("Name")
        for alarm in alarms
        if alarm["Namespace"] == "AWS/Lambda"
    }
    assert watched == functions


def test_alarms_of_metrics_read_the_namespace_of_the_functions(templates):
    namespace = {"Fn::Sub": "OpenTSDB/Rollup/${Name}"}
    functions = resources(templates[TRIGGER], "AWS::Lambda::Function").values()
    for function in functions:
        assert function["Environment"]["Variables"]["METRICS_NAMESPACE"] == namespace
    documented = (FOLDER.parent / "docs/aws-reference.md").read_text()
    own = [
        alarm["MetricName"]
        for alarm in resources(templates[ALARMS], "AWS::CloudWatch::Alarm").values()
        if alarm["Namespace"] == namespace
    ]
    assert sorted(own) == [
        "DaysGivenUp",
        "DaysMissing",
        "DaysUncovered",
        "Errors",
        "HalfExports",
        "LateDataLimited",
        "RowsFailed",
    ]
    for metric in own:
        assert f"`{metric}`" in documented


def test_one_executor_fits_a_node_or_a_worker(templates):
    sizes = templates[TRIGGER]["Mappings"]["Spark"]
    root = templates[ROOT]["Parameters"]
    workers = root["WorkerSize"]["AllowedValues"]
    (nodes,) = {
        re.search(r"\((.+)\)$", root[f"{fleet}InstanceTypes"]["AllowedPattern"])[1]
        for fleet in ("Primary", "Core", "Task")
    }
    assert set(sizes) == set(workers) | set(nodes.split("|"))
    for size, values in sizes.items():
        heap = int(values["Memory"].removesuffix("g")) * 1024
        # Spark's spark.executor.memoryOverhead.
        container = heap + max(384, heap // 10)
        if size in workers:
            cores, memory = map(int, size.split("x"))
            assert values["Cores"] == cores
            # EMR Serverless has workers with so much memory for so many cores.
            assert 2 * cores <= memory <= 8 * cores
            assert memory * 1024 * 0.9 <= container <= memory * 1024
            assert values["DriverMemory"] == values["Memory"]
        else:
            # YARN has three quarters of 4 GB a core; an application master of 896 MB may be on the node too.
            assert container + 896 <= values["Cores"] * 4 * 1024 * 3 // 4
            driver = int(values["DriverMemory"].removesuffix("g"))
            assert driver <= values["Cores"] * 4 * 3 / 4


def test_cluster(templates):
    template = templates["stacks/compute-emr.yaml"]
    configuration = template["Resources"]["SecurityConfiguration"]["Properties"]["SecurityConfiguration"]
    metadata = configuration["InstanceMetadataServiceConfiguration"]
    assert metadata == {"MinimumInstanceMetadataServiceVersion": 2, "HttpPutResponseHopLimit": 1}
    encryption = configuration["EncryptionConfiguration"]
    assert encryption["EnableAtRestEncryption"] is True
    assert encryption["AtRestEncryptionConfiguration"]["LocalDiskEncryptionConfiguration"][
        "EnableEbsEncryption"
    ]
    for group in resources(template, "AWS::EC2::SecurityGroup").values():
        assert {"Key": "for-use-with-amazon-emr-managed-policies", "Value": "true"} in group["Tags"]


@pytest.mark.parametrize("kind", KINDS)
def test_state_machine_has_no_timeout_of_its_own(kind, templates, packaged):
    machine = definition(kind, templates, packaged)
    assert "TimeoutSeconds" not in machine
    # All that is between a cluster's creation and its termination hands its errors on.
    guarded = {
        "EMR": [
            "Days",
            "Tiers",
            "TellTiers",
            "LookAtCluster",
            "FindLost",
            "TerminateAfterFailure",
            "TerminateAfterSuccess",
        ],
        "SERVERLESS": ["Prepare", "Days", "Tiers", "TellTiers"],
    }
    for name in guarded[kind]:
        assert machine["States"][name]["Catch"][-1]["ErrorEquals"] == ["States.ALL"]


def test_a_job_run_ends_itself_before_the_state_machine_gives_it_up(templates):
    template = templates["stacks/compute-serverless.yaml"]
    hours = template["Mappings"]["Hours"]
    scheduler = template["Resources"]["Application"]["Properties"]["SchedulerConfiguration"]
    assert scheduler["MaxConcurrentRuns"] == 1
    assert 15 <= scheduler["QueueTimeoutMinutes"] <= 720  # EMR Serverless's limits
    assert [int(each) for each in hours] == templates[ROOT]["Parameters"]["StepTimeoutHours"]["AllowedValues"]
    assert list(hours) == list(templates["stacks/compute-emr.yaml"]["Mappings"]["Hours"])
    for hour, values in hours.items():
        assert values["Minutes"] == int(hour) * 60
        assert values["Seconds"] == (scheduler["QueueTimeoutMinutes"] + values["Minutes"] + 10) * 60


@pytest.mark.parametrize("kind", ["emr", "serverless"])
def test_only_the_network_of_hbase_opens_its_ports(templates, kind):
    template = templates[f"stacks/compute-{kind}.yaml"]
    rule = template["Resources"]["NodeToHBase"]
    assert rule["Condition"] == "Covers"
    assert rule["Properties"]["CidrIp"] == {"Ref": "HBaseCidr"}
    assert rule["Properties"]["GroupId"] == {"Fn::GetAtt": ["NodeGroup", "GroupId"]}
    assert template["Conditions"]["Covers"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "HBaseCidr"}, ""]}]}


def test_the_look_for_rollups_ends_before_its_job(templates):
    parameters = templates[ROOT]["Parameters"]
    hours = min(parameters["StepTimeoutHours"]["AllowedValues"])
    pattern = parameters["CoveragePatience"]["AllowedPattern"]
    assert [minutes for minutes in (1, 30, 99) if not re.fullmatch(pattern, f"{minutes}m")] == []
    assert not any(re.fullmatch(pattern, text) for text in (f"{hours * 60}m", "0m", "1h", ""))


def test_security_groups_open_no_door_to_the_world(template):
    for properties in resources(template, "AWS::EC2::SecurityGroupIngress").values():
        assert "CidrIp" not in properties
    for properties in resources(template, "AWS::EC2::SecurityGroup").values():
        assert "SecurityGroupIngress" not in properties


@pytest.mark.parametrize("name", [ROOT])
def test_plaintext_is_nobodys_default(template):
    assert template["Parameters"]["KafkaSecurity"]["Default"] == "MSK_IAM"


def test_packaging_changes_only_the_places_of_files(packaged):
    for name in (ROOT, *STACKS):
        written, made = load(name), load(str(packaged / name))
        for template in (written, made):
            for resource in template["Resources"].values():
                for place in ("TemplateURL", "DefinitionS3Location"):
                    resource.get("Properties", {}).pop(place, None)
        assert made == written, name
