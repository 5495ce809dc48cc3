"""Properties of the templates that no linter knows."""

import base64
import json
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
    evaluate,
    load,
    resources,
)

TRIGGER = "stacks/trigger.yaml"
ALARMS = "stacks/alarms.yaml"
NETWORK = "stacks/network.yaml"
MACHINES = {
    "stacks/compute-emr.yaml": "StateMachine",
    "stacks/compute-serverless.yaml": "StateMachine",
    "stacks/prune.yaml": "PruneMachine",
}
IAM = ("AWS::IAM::Role", "AWS::IAM::ManagedPolicy", "AWS::IAM::InstanceProfile")


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
    assert {file.name.split(".")[0] for file in files} == {"emr", "serverless", "prune"}
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
    own = {"Fn::If": ["MakesKey", {"Fn::GetAtt": ["Key", "Arn"]}, {"Ref": "KmsKeyArn"}]}
    key = own if name == "stacks/storage.yaml" else {"Ref": "KeyArn"}
    with_all = {"Fn::If": ["EncryptsAll", key, {"Ref": "AWS::NoValue"}]}
    for properties in resources(template, "AWS::Lambda::Function").values():
        assert properties["KmsKeyArn"] == key
    for log, properties in resources(template, "AWS::Logs::LogGroup").items():
        assert properties["KmsKeyId"] == (with_all if log == "StateMachineLog" else key)
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


@pytest.mark.parametrize(("security", "expected"), [("MSK_IAM", 2), ("NONE", 1)])
def test_a_day_whose_hfiles_are_not_loaded_is_told(templates, security, expected):
    alarm = resources(templates[ALARMS], "AWS::CloudWatch::Alarm")["DaysUncoveredAlarm"]
    conditions = conditions_of(templates[ALARMS], KafkaSecurity=security)
    assert evaluate(alarm["Threshold"], {}, conditions) == expected


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
        "DaysUnverified",
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
    groups = [
        *resources(template, "AWS::EC2::SecurityGroup").values(),
        *resources(templates[NETWORK], "AWS::EC2::SecurityGroup").values(),
    ]
    assert len(groups) == 2
    for group in groups:
        assert {"Key": "for-use-with-amazon-emr-managed-policies", "Value": "true"} in group["Tags"]


@pytest.mark.parametrize("kind", KINDS)
def test_state_machine_has_no_timeout_of_its_own(kind, templates, packaged):
    machine = definition(kind, templates, packaged)
    assert "TimeoutSeconds" not in machine
    # All that is between a cluster's creation and its termination hands its errors on.
    guarded = {
        "EMR": [
            "Days",
            "Verify",
            "Tiers",
            "TellTiers",
            "LookAtCluster",
            "FindLost",
            "TerminateAfterFailure",
            "TerminateAfterSuccess",
        ],
        "SERVERLESS": ["Prepare", "Days", "Verify", "Tiers", "TellTiers"],
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


@pytest.mark.parametrize("name", [NETWORK])
def test_only_the_network_of_hbase_opens_its_ports(template):
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


def decoded(template: dict, substitution: str, conditions: tuple = (), **values: str):
    """The JSON that a state machine gets as Base64."""
    (machine,) = resources(template, "AWS::StepFunctions::StateMachine").values()
    text = evaluate(machine["DefinitionSubstitutions"][substitution], values, conditions)
    return json.loads(base64.b64decode(text))


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("tags", ["", "project=metrics,owner=data platform,cost:center=4/7,empty="])
def test_what_a_night_starts_has_the_tags_of_the_file(template, name, tags):
    # A service control policy that requires tags refuses a cluster without them.
    conditions = ("HasTags",) if tags else ()
    found = decoded(template, "Tags", conditions, Name="rollups", RunTags=tags)
    if isinstance(found, list):
        assert len({tag["Key"] for tag in found}) == len(found)
        found = {tag["Key"]: tag["Value"] for tag in found}
        # EMR hands them on to instances; its managed policy requires one.
        assert found.pop("Name") == "rollups"
        assert found.pop("for-use-with-amazon-emr-managed-policies") == "true"
    assert found.pop("opentsdb-rollup-stack") == "rollups"
    assert found == dict(tag.split("=") for tag in tags.split(",") if tag)
    assert template["Conditions"]["HasTags"] == {"Fn::Not": [{"Fn::Equals": [{"Ref": "RunTags"}, ""]}]}


@pytest.mark.parametrize("name", ["stacks/compute-serverless.yaml", "stacks/prune.yaml"])
def test_disks_of_workers_have_the_key_if_all_is_encrypted(template):
    plain = decoded(template, "Overrides", LogBucket="logs")
    # Else the log of every run would be kept by AWS, too.
    assert plain == {
        "MonitoringConfiguration": {
            "ManagedPersistenceMonitoringConfiguration": {"Enabled": False},
            "S3MonitoringConfiguration": {"LogUri": "s3://logs/emr/"},
        }
    }
    key = "arn:aws:kms:eu-west-1:1:key/k"
    encrypted = decoded(template, "Overrides", ("EncryptsAll",), LogBucket="logs", KeyArn=key)
    assert encrypted == {**plain, "DiskEncryptionConfiguration": {"EncryptionKeyArn": key}}


@pytest.mark.parametrize("name", MACHINES)
def test_the_state_machine_has_the_key_if_all_is_encrypted(template, name):
    machine = template["Resources"][MACHINES[name]]["Properties"]["EncryptionConfiguration"]
    assert evaluate(machine) == "the-AWS::NoValue"
    encrypted = evaluate(machine, {"KeyArn": "key"}, ("EncryptsAll",))
    assert (encrypted["Type"], encrypted["KmsKeyId"]) == ("CUSTOMER_MANAGED_KMS_KEY", "key")
    assert 60 <= encrypted["KmsDataKeyReusePeriodSeconds"] <= 900  # Step Functions' limits


def conditions_of(template: dict, **values: str) -> tuple:
    """The conditions that hold with these parameters, by name."""

    def holds(condition) -> bool:
        ((function, argument),) = condition.items()
        if function == "Condition":
            return holds(template["Conditions"][argument])
        if function == "Fn::Equals":
            first, second = evaluate(argument, values)
            return first == second
        parts = [holds(each) for each in argument]
        return {"Fn::Not": not parts[0], "Fn::And": all(parts), "Fn::Or": any(parts)}[function]

    return tuple(name for name, each in template["Conditions"].items() if holds(each))


def there(template: dict, **values: str) -> dict:
    """The resources that are made with these parameters."""
    held = conditions_of(template, **values) if "Conditions" in template else ()
    return {
        name: resource
        for name, resource in template["Resources"].items()
        if resource.get("Condition") in (None, *held)
    }


ON = {"Prune": "ON", "FunctionsInVpc": "ON", "PruneSchedule": "rate(7 days)", "RolePath": "/ops/"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STACKS)
def test_with_roles_of_ones_own_the_stack_makes_no_role_and_no_policy(templates, name, kind):
    nested = [
        stack["Properties"]["TemplateURL"]
        for stack in there(templates[ROOT], ComputeKind=kind, RolePrefix="corp-", **ON).values()
    ]
    if name not in nested:
        return
    made = there(templates[name], ComputeKind=kind, RolePrefix="corp-", **ON)
    assert not [each for each, resource in made.items() if resource["Type"] in IAM]


def test_roles_of_ones_own_have_documented_names(templates):
    values = {
        "RolePrefix": "corp-",
        "RolePath": "/ops/",
        "AWS::Partition": "aws",
        "AWS::AccountId": "1",
    }
    named = set()
    for name in STACKS:
        for text in re.findall(r'"arn:[^"]*\$\{RolePrefix\}[^"]*"', (FOLDER / name).read_text()):
            arn = evaluate({"Fn::Sub": text.strip('"')}, values)
            assert arn.startswith("arn:aws:iam::1:role/ops/corp-"), arn
            named.add(arn.removeprefix("arn:aws:iam::1:role/ops/corp-"))
    profile = templates["stacks/compute-emr.yaml"]["Resources"]["StateMachine"]["Properties"]
    assert evaluate(profile["DefinitionSubstitutions"]["NodeProfile"], values) == "corp-node"
    named.add("node")
    roles = [each for name in STACKS for each in resources(templates[name], "AWS::IAM::Role")]
    # That of the state machine is in both kinds of compute.
    assert len(named) == len(roles) - 1
    documented = (FOLDER.parent / "docs/aws-reference.md").read_text()
    assert [each for each in sorted(named) if f"| `{each}` |" not in documented] == []


@pytest.mark.parametrize("name", STACKS)
def test_every_role_and_policy_has_the_path(template):
    for kind in IAM:
        for each, properties in resources(template, kind).items():
            assert properties["Path"] == {"Ref": "RolePath"}, each


@pytest.mark.parametrize(
    ("values", "absent"),
    [
        ({"KmsKeyArn": "arn"}, {"Key"}),
        ({"LogBucketName": "logs"}, {"LogBucket", "LogBucketPolicy"}),
        ({"KmsKeyArn": "arn", "LogBucketName": "logs"}, {"Key", "LogBucket", "LogBucketPolicy"}),
        ({}, set()),
    ],
)
def test_what_is_given_is_not_made(templates, values, absent):
    template = templates["stacks/storage.yaml"]
    values = {"KmsKeyArn": "", "LogBucketName": "", "NotificationEmail": "a@b", **values}
    assert set(template["Resources"]) - set(there(template, **values)) == absent
    held = conditions_of(template, **values)
    outputs = {name: evaluate(output["Value"], values, held) for name, output in template["Outputs"].items()}
    assert outputs["KeyArn"] == (values["KmsKeyArn"] or "the-Key.Arn")
    assert outputs["LogBucket"] == (values["LogBucketName"] or "the-LogBucket")


def test_with_groups_of_ones_own_the_stack_makes_no_group_and_no_rule(templates):
    own = {"ComputeKind": "EMR", "NodeGroupId": "sg-1", "ServiceGroupId": "sg-2"}
    root = there(templates[ROOT], **own)
    assert "Network" not in root
    for name, resource in root.items():
        given = resource["Properties"]["Parameters"].get("NodeGroup")
        if given:
            assert evaluate(given, own, conditions_of(templates[ROOT], **own)) == "sg-1", name
    made = there(templates["stacks/compute-emr.yaml"], ServiceGroupId="sg-2")
    assert not [each for each, resource in made.items() if resource["Type"].startswith("AWS::EC2::")]


@pytest.mark.parametrize(
    ("cidrs", "expected"),
    [
        ("0.0.0.0/0", ["0.0.0.0/0"]),
        ("", []),
        ("10.0.0.0/16,10.1.0.0/16", ["10.0.0.0/16", "10.1.0.0/16"]),
        ("10.0.0.0/16,10.1.0.0/16,10.2.0.0/16,10.3.0.0/16", [f"10.{i}.0.0/16" for i in range(4)]),
    ],
)
def test_https_is_open_to_the_list_only(templates, cidrs, expected):
    pattern = templates[ROOT]["Parameters"]["HttpsCidrs"]["AllowedPattern"]
    assert re.fullmatch(pattern, cidrs)
    assert not re.fullmatch(pattern, cidrs + ",10.4.0.0/16,10.5.0.0/16,10.6.0.0/16,10.7.0.0/16")
    given = templates[ROOT]["Resources"]["Network"]["Properties"]["Parameters"]
    values = {name: str(evaluate(each, {"HttpsCidrs": cidrs})) for name, each in given.items()}
    values |= {"HttpsPrefixList": "pl-1", "DnsCidr": "10.9.0.2/32", "HBaseCidr": ""}
    rules = [
        evaluate(resource["Properties"], values)
        for resource in there(templates[NETWORK], **values).values()
        if resource["Type"] == "AWS::EC2::SecurityGroupEgress"
    ]
    assert [rule["CidrIp"] for rule in rules if rule["FromPort"] == 443 and "CidrIp" in rule] == expected
    assert [rule["DestinationPrefixListId"] for rule in rules if "CidrIp" not in rule] == ["pl-1"]
    # The VPC's own resolver needs no rule, one's own servers do, by both protocols.
    names = [(rule["CidrIp"], rule["IpProtocol"]) for rule in rules if rule["FromPort"] == 53]
    assert names == [("10.9.0.2/32", "tcp"), ("10.9.0.2/32", "udp")]
    (group,) = resources(templates[NETWORK], "AWS::EC2::SecurityGroup").values()
    # EC2 gives a group without any rule one for everything.
    assert group["SecurityGroupEgress"]


def test_without_kafka_no_egress_to_brokers(templates):
    (group,) = resources(templates[NETWORK], "AWS::EC2::SecurityGroup").values()
    values = {"KafkaPort": 9098, "KafkaPortTo": "", "KafkaCidr": "", "HBaseCidr": "10.2.0.0/16"}
    (rule,) = evaluate(group["SecurityGroupEgress"], values, conditions_of(templates[NETWORK], **values))
    # No host, in place of the rule for all hosts that EC2 would add; HBase has its own resource.
    assert rule["CidrIp"] == "127.0.0.1/32"
    assert "NodeToHBase" in there(templates[NETWORK], **values)


def test_hfiles_expire_after_the_nights_that_load_what_waits(templates):
    (bucket,) = resources(templates["stacks/storage.yaml"], "AWS::S3::Bucket").values()
    rules = {rule["Id"]: rule for rule in bucket["LifecycleConfiguration"]["Rules"]}
    assert (rules["hfiles"]["Prefix"], rules["hfiles"]["ExpirationInDays"]) == ("hfiles/", 14)
    task = FOLDER.parent / "lambda-trigger/src/main/java/io/tsdbsuite/trigger/PrepareTask.java"
    (days,) = re.findall(r"int HFILE_DAYS = (\d+);", task.read_text())
    catch_up = templates[ROOT]["Parameters"]["CatchUpDays"]["MaxValue"]
    assert int(days) >= catch_up + rules["hfiles"]["ExpirationInDays"]
    # Removed HFiles stay as versions, which the rule for all objects would keep for a month.
    assert rules["hfiles"]["NoncurrentVersionExpiration"] == {"NoncurrentDays": 1}


@pytest.mark.parametrize(("last", "expected"), [("", 14001), ("14003", "14003")])
def test_brokers_may_have_a_port_each(templates, last, expected):
    (group,) = resources(templates[NETWORK], "AWS::EC2::SecurityGroup").values()
    values = {"KafkaPort": 14001, "KafkaPortTo": last, "KafkaCidr": "10.1.0.0/16"}
    (rule,) = evaluate(group["SecurityGroupEgress"], values, conditions_of(templates[NETWORK], **values))
    assert (rule["FromPort"], rule["ToPort"], rule["CidrIp"]) == (14001, expected, "10.1.0.0/16")
    pattern = templates[ROOT]["Parameters"]["KafkaPortTo"]["AllowedPattern"]
    assert re.fullmatch(pattern, last)
    assert not re.fullmatch(pattern, "0")


@pytest.mark.parametrize("name", [TRIGGER])
def test_functions_are_in_the_vpc_only_if_they_shall(template):
    values = {"SubnetIds": "subnet-1,subnet-2", "NodeGroup": "sg-1"}
    for function, properties in resources(template, "AWS::Lambda::Function").items():
        assert evaluate(properties["VpcConfig"], values) == "the-AWS::NoValue", function
        assert evaluate(properties["VpcConfig"], values, ("InVpc",)) == {
            "SubnetIds": ["subnet-1", "subnet-2"],
            "SecurityGroupIds": ["sg-1"],
        }
    # Lambda makes their interfaces with the rights of the roles.
    for role, properties in resources(template, "AWS::IAM::Role").items():
        policies = properties["ManagedPolicyArns"]
        assert {"Ref": "UseVpc"} in policies["Fn::If"][1], role
        assert {"Ref": "UseVpc"} not in policies["Fn::If"][2], role
        assert policies["Fn::If"][0] == "InVpc"


def test_prune_on_schedule_is_nobodys_default(templates):
    root = templates[ROOT]
    assert root["Parameters"]["PruneSchedule"]["Default"] == ""
    defaults = {name: str(each["Default"]) for name, each in root["Parameters"].items() if "Default" in each}
    made = there(root, **defaults)
    assert not {"ScheduledPrune", "DashboardOfNights"} & set(made)
    pattern = root["Parameters"]["PruneSchedule"]["AllowedPattern"]
    for text in ("", "cron(0 9 ? * MON *)", "rate(7 days)"):
        assert re.fullmatch(pattern, text), text
    for text in ("0 9 * * *", "cron()", "at(2026-11-21T00:00:00)", "cron(0 9 * * ? *) "):
        assert not re.fullmatch(pattern, text), text


@pytest.mark.parametrize("tables", ["", "tsdb-rollup-1h,ns:tsdb-rollup-1d"])
def test_prune_on_schedule_prunes_as_the_command_does(templates, tables):
    """rollup_aws/prune.py has the same arguments."""
    values = {
        "BackupBucket": "backup",
        "BackupPrefix": "hbase",
        "DataTable": "tsdb",
        "UidTable": "tsdb-uid",
        "SnapshotPattern": "{table}-{date}",
        "RollupTables": tables,
    }
    words = decoded(templates["stacks/prune.yaml"], "Arguments", ("HasTables",) if tables else (), **values)
    more = [word for table in tables.split(",") if table for word in ("--table", table)]
    assert words == [
        *("prune", "--snapshot-root", "s3a://backup/hbase", "--table", "tsdb", "--table", "tsdb-uid"),
        *more,
        *("--snapshot-pattern", "{table}-{date}"),
    ]
    substitutions = templates["stacks/prune.yaml"]["Resources"]["PruneMachine"]["Properties"][
        "DefinitionSubstitutions"
    ]
    names = ("KeepDays", "KeepWeeks", "KeepMonths", "GraceHours")
    default = templates[ROOT]["Parameters"]["PruneKeep"]["Default"]
    kept = [evaluate(substitutions[name], {"PruneKeep": default}) for name in names]
    assert kept == ["14", "8", "12", "168"]


def test_the_dashboard_shows_metrics_that_there_are(templates):
    (dashboard,) = resources(templates["stacks/dashboard.yaml"], "AWS::CloudWatch::Dashboard").values()
    body = json.loads(evaluate(dashboard["DashboardBody"], {"Name": "rollups"}))
    documented = (FOLDER.parent / "docs/aws-reference.md").read_text()
    places = set()
    for widget in body["widgets"]:
        places.add((widget["x"], widget["y"]))
        assert widget["properties"]["region"] == "the-AWS::Region"
        for namespace, metric, *_ in widget["properties"]["metrics"]:
            assert namespace in ("AWS/States", "AWS/SQS", "OpenTSDB/Rollup/rollups")
            if namespace.startswith("OpenTSDB"):
                assert f"`{metric}`" in documented, metric
    assert len(places) == len(body["widgets"])


@pytest.mark.parametrize(("maximum", "expected"), [("", None), ("36x72", {"Cpu": "36", "Memory": "72"})])
def test_the_application_has_the_maximum_that_is_given(templates, maximum, expected):
    template = templates["stacks/compute-serverless.yaml"]
    values = {"MaximumCapacity": maximum}
    application = template["Resources"]["Application"]["Properties"]
    found = evaluate(application["MaximumCapacity"], values, conditions_of(template, **values))
    assert found == (expected or "the-AWS::NoValue")
    rule = templates[ROOT]["Parameters"]["MaximumCapacity"]
    assert rule["Default"] == ""
    assert re.fullmatch(rule["AllowedPattern"], maximum)
    for other in ("36", "36x", "0x72", "36x72GB"):
        assert not re.fullmatch(rule["AllowedPattern"], other), other


def test_a_budget_counts_what_has_the_tag_of_the_stack(templates):
    values = {"MonthlyBudget": "", "Name": "rollups", "NotificationEmail": "a@example.org"}
    assert "Budget" not in there(templates[ALARMS], **values)
    values["MonthlyBudget"] = "50"
    budget = evaluate(there(templates[ALARMS], **values)["Budget"]["Properties"], values)
    assert budget["Budget"] == {
        "BudgetType": "COST",
        "TimeUnit": "MONTHLY",
        "BudgetLimit": {"Amount": "50", "Unit": "USD"},
        "CostFilters": {"TagKeyValue": ["user:opentsdb-rollup-stack$rollups"]},
    }
    (notification,) = budget["NotificationsWithSubscribers"]
    assert notification["Subscribers"] == [{"SubscriptionType": "EMAIL", "Address": "a@example.org"}]
    application = templates["stacks/compute-serverless.yaml"]["Resources"]["Application"]["Properties"]
    assert {"Key": "opentsdb-rollup-stack", "Value": {"Ref": "Name"}} in application["Tags"]


@pytest.mark.parametrize("label", ["emr-7.14.0", "emr-spark-8.0.0"])
def test_releases(templates, label):
    pattern = templates[ROOT]["Parameters"]["ReleaseLabel"]["AllowedPattern"]
    assert re.fullmatch(pattern, label)
    for other in ("emr-6.15.0", "emr-8.0.0", "emr-spark-8.0-preview", "emr-spark-8.0.0-latest"):
        assert not re.fullmatch(pattern, other), other
