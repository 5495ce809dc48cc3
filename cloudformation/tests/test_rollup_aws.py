"""rollup-aws without an account: the parameter file, the command line, and the AWS CLI's errors."""

import argparse
import ast
import dataclasses
import json
import os
import re
import subprocess
import sys

import parameters
import pytest
from conftest import FOLDER

from rollup_aws import (
    artifacts,
    aws,
    deploy,
    endpoints,
    estimate,
    main,
    prune,
    prune_rules,
    run,
    settings,
    stack,
)
from rollup_aws.errors import AwsError, ConfigurationError

PROGRAM = FOLDER / "bin" / "rollup-aws"
EXECUTION = "arn:aws:states:eu-west-1:123456789012:execution:night:manual-1"
COMMANDS = ["doctor", "upload", "deploy", "run", "status", "estimate", "prune", "destroy"]
EXAMPLE = json.loads((FOLDER / "params" / "example.json").read_text())
HFILES = {
    **dict.fromkeys(("KafkaBootstrap", "KafkaCidr", "MskClusterArn")),
    "KafkaSecurity": "NONE",
    "HBaseCidr": "10.2.0.0/16",
}
"""Parameters of a stack without Kafka."""


def rollup_aws(*words, **environment):
    return subprocess.run(
        [sys.executable, PROGRAM, *words],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def write(tmp_path):
    """Writes a parameter file like the example, with changes; its path."""
    for name in ("opentsdb.conf", "rollup_config.json"):
        (tmp_path / name).write_text("")

    def written(content=None, **changes):
        content = content or {**EXAMPLE, "parameters": {**EXAMPLE["parameters"], **changes}}
        content["parameters"] = {
            name: value for name, value in content["parameters"].items() if value is not None
        }
        file = tmp_path / "night.json"
        file.write_text(json.dumps(content))
        return file

    return written


def problems(file):
    with pytest.raises(ConfigurationError) as error:
        settings.load(file)
    return [each.removeprefix(f"{file}: ") for each in error.value.problems]


def test_the_rules_are_the_templates():
    assert parameters.FILE.read_text() == parameters.text(), "run bin/check --format"


def test_python_3_9_and_its_library_are_enough():
    files = [PROGRAM, *(FOLDER / "rollup_aws").rglob("*.py")]
    assert len(files) > 15
    for file in files:
        tree = ast.parse(file.read_text(), feature_version=(3, 9))
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for name in names:
                package = name.partition(".")[0]
                assert package in sys.stdlib_module_names | {"rollup_aws"}, (file, name)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_begins_with_an_example(command):
    done = rollup_aws(command, "--help")
    assert done.returncode == 0
    usage, _, rest = done.stdout.partition("\n\n")
    assert usage.startswith(f"usage: rollup-aws {command}")
    assert rest.startswith(f"example: rollup-aws {command} night.json")
    assert "exit codes:" in rest
    assert ("--dry-run" in rest) == (command not in ("doctor", "status", "estimate"))


def test_wrong_command_lines_end_with_2(write):
    file = write()
    for words, text in (
        ([], "the following arguments are required: COMMAND"),
        (["deply", file], "invalid choice: 'deply'"),
        (["deploy"], "the following arguments are required: FILE"),
        (["deploy", file, "--fast"], "unrecognized arguments: --fast"),
        (["run", file, "--day", "yesterday"], "'yesterday' is not a date"),
        (["run", file, "--from", "2026-11-20"], "--from and --to need each other"),
        (["run", file, "--from", "2026-11-20", "--to", "2026-11-19"], "--to 2026-11-19 is before"),
        (["run", file, "--follow", EXECUTION, "--again"], "--follow starts nothing"),
        (["run", file, "--follow", ""], "'' is not the ARN of an execution"),
        (["run", file, "--follow", EXECUTION.rpartition(":")[0]], "is not the ARN of an execution"),
        (["run", file, "--poll-seconds", "-1"], "'-1' is not a number above 0"),
        (["prune", file, "--poll-seconds", "nan"], "'nan' is not a number above 0"),
        (["deploy", file, "--role-arn", "deployer"], "'deployer' is not the ARN of a role"),
        (["prune", file, "--keep-days", "-1"], "--keep-days"),
        (["prune", file, "--keep-days", "999999999999"], "is not a whole number from 0 to 2147483647"),
        (["status", file, "--days", "0"], "'0' is not a number from 1 to 400"),
        (["status", file, "--days", "401"], "'401' is not a number from 1 to 400"),
        (["estimate", file, "--points-per-second", "0"], "'0' is not a number above 0, at most 1e12"),
        (["estimate", file, "--usd-per-vcpu-hour", "nan"], "'nan' is not a number above 0"),
        (["prune", file, "--grace", "a week"], "'a week' is not a duration"),
        (["prune", file, "--grace", "1m"], "'1m' is not a duration such as 7d, from 1h to 3650d"),
    ):
        done = rollup_aws(*words)
        assert done.returncode == 2, words
        assert text in done.stderr


def test_seconds_between_two_looks():
    for text in ("0", "-1", "nan", "inf", "-inf", "1e300", "86401", "soon", ""):
        with pytest.raises(argparse.ArgumentTypeError, match="is not a number above 0, at most 86400"):
            main._seconds(text)
    assert [main._seconds(text) for text in ("0.5", "30", "86400")] == [0.5, 30, 86400]


def test_the_example_is_valid(write):
    loaded = settings.load(write())
    assert loaded["ComputeKind"] == "SERVERLESS"  # a default of the template
    assert loaded["KafkaPort"] == "9098"
    assert loaded.subnets == EXAMPLE["parameters"]["SubnetIds"]
    assert loaded.backup_root == "s3://example-backup/hbase"


def test_all_problems_at_once(write):
    file = write(
        {
            "stack": "1st",
            "region": "Ireland",
            "Tags": {},
            "tags": {"owner": None},
            "files": {"rollup_config.json": "none.json"},
            "prune": {"keepDays": -1, "keepYears": 3, "grace": "a week"},
            "parameters": {
                **EXAMPLE["parameters"],
                "BackupBucket": "Example_Backup",
                "backupPrefix": "hbase",
                "CatchUpDays": 32,
                "Workers": 8.0,
                "KafkaPort": "9098.5",
                "StepTimeoutHours": 6.0,
                "LateData": "yes",
                "VpcId": "vpc",
                "SubnetIds": ["subnet-1", "sub-2"],
                "Interval": True,
                "ArtifactBucket": None,
            },
        }
    )
    found = "\n".join(problems(file))
    for text in (
        "Tags: unknown; the file has stack, region",
        "stack: '1st' must begin with a letter",
        "region: 'Ireland' is not the name of a region",
        "tags.owner: must be a text",
        "files.rollup_config.json: ",
        "prune.keepYears: unknown",
        "prune.keepDays: -1 is not a whole number from 0 to 2147483647",
        "prune.grace: 'a week'",
        "parameters.BackupBucket: 'Example_Backup' does not match",
        "parameters.backupPrefix: the template has no such parameter; did you mean BackupPrefix?",
        "parameters.CatchUpDays: '32' is not from 0 to 31",
        "parameters.Workers: '8.0' is not a whole number",
        "parameters.KafkaPort: '9098.5' is not a whole number",
        "parameters.StepTimeoutHours: '6.0' is none of 2, 6, 12, 24",
        "parameters.LateData: 'yes' is none of on, off",
        "parameters.VpcId: 'vpc' is not the id of a VPC",
        "parameters.SubnetIds: 'sub-2' is not the id of a Subnet",
        "parameters.Interval: must be a text",
        "parameters.ArtifactBucket is missing: Bucket of the artifacts",
    ):
        assert text in found
    assert "subnet-1'" not in found
    done = rollup_aws("deploy", file)
    assert done.returncode == 2
    assert done.stderr.count(str(file)) >= 16


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"MskClusterArn": None}, "parameters: KafkaSecurity MSK_IAM needs MskClusterArn"),
        ({"KafkaSecurity": "SASL_SCRAM"}, "parameters: KafkaSecurity SASL_SCRAM needs KafkaSecretArn"),
        ({"TiersTables": "r-1h"}, "parameters: TiersTables needs HBaseCidr, for the coverage"),
        (
            {"TiersTables": "r-1h", "HBaseCidr": "10.2.0.0/16", "StartOn": "MANIFESTS"},
            "parameters: TiersTables needs StartOn MARKER, which comes after the exports",
        ),
        ({"TiersTables": "r-1h,"}, "parameters.TiersTables: 'r-1h,' does not match"),
        (
            {"TiersTables": ["r-1h", "ns:r-1d"], "HBaseCidr": "10.2.0.0/16"},
            "files.tiers.json is missing: TiersTables needs the policy",
        ),
        (
            {
                "TiersTables": "r-1h",
                "HBaseCidr": "10.2.0.0/16",
                "ExtraJobOptions": '"--coverage-table","other"',
            },
            "ExtraJobOptions: --coverage-table other: TiersTables needs tsdb-coverage, which has the floors",
        ),
        ({"VerifySample": "1%"}, "parameters: VerifySample needs RollupTables, or TiersTables"),
        (
            {"VerifySample": "1%", "RollupTables": "r-1h", "StartOn": "MANIFESTS"},
            "parameters: VerifySample needs StartOn MARKER, which comes after the exports",
        ),
        ({"VerifySample": "0%"}, "parameters.VerifySample: '0%' does not match"),
        ({"VerifySample": "1.5"}, "parameters.VerifySample: '1.5' does not match"),
        (
            {"RollupTables": "r-1h", "TiersTables": "r-1h,r-1d", "HBaseCidr": "10.2.0.0/16"},
            "parameters.RollupTables: lacks r-1d of TiersTables: prune would not delete its snapshots",
        ),
        ({"KafkaBootstrap": None}, "parameters: KafkaBootstrap is missing; only KafkaSecurity NONE has no"),
        ({"KafkaCidr": None}, "parameters: KafkaCidr is missing; only KafkaSecurity NONE has no brokers"),
        (
            {**HFILES, "HBaseCidr": None},
            "parameters: KafkaSecurity NONE needs HBaseCidr, the HBase that loads the HFiles",
        ),
        (
            {**HFILES, "ExtraJobOptions": '"--hfile-dir=hdfs://nn/rollups"'},
            "ExtraJobOptions: --hfile-dir: KafkaSecurity NONE sets it",
        ),
        (
            {**HFILES, "ExtraJobOptions": '"--max-messages-per-second","100"'},
            "ExtraJobOptions: --max-messages-per-second: goes with Kafka, and KafkaSecurity is NONE",
        ),
        ({"KafkaPort": 9096}, "b-1.example.org:9098, b-2.example.org:9098: not on KafkaPort 9096"),
        (
            {"ExtraJobOptions": '"--sink","hfile","--hfile-dir","s3a://b/c"'},
            "ExtraJobOptions: --sink hfile: the pipeline writes to KafkaTopic only",
        ),
        ({"ExtraJobOptions": '"--sink=json"'}, "ExtraJobOptions: --sink json: the pipeline"),
        ({"MonthlyBudget": 50, "NotificationEmail": ""}, "parameters: MonthlyBudget needs NotificationEmail"),
        ({"MonthlyBudget": 0.5}, "parameters.MonthlyBudget: '0.5' does not match"),
        (
            {"MaximumCapacity": "16x31", "WorkerSize": "8x16"},
            "MaximumCapacity: 16x31 has no place for the driver and an executor of WorkerSize 8x16",
        ),
        ({"MaximumCapacity": "16x32", "WorkerSize": "8x0"}, "parameters.WorkerSize: '8x0' is none of"),
        (
            {"ExtraJobOptions": '"--allow-incomplete"'},
            "ExtraJobOptions: --allow-incomplete does not go with HoldBack, which can be 0s",
        ),
        (
            {"InTransitCertificates": "s3://other/tls.zip"},
            "is not below s3://example-artifacts/rollup/0.1.0/",
        ),
        (
            {"InTransitCertificates": "s3://example-artifacts/rollup/0.1.0/tls.zip"},
            "files.tls.zip is missing: InTransitCertificates names it",
        ),
    ],
)
def test_rules_between_values(write, changes, text):
    assert text in "\n".join(problems(write(**changes)))


@pytest.mark.parametrize("sample", ["1", "0.01", ".5", "1%", "99.5%", "0.25%", "100%"])
def test_shares_of_the_series(write, sample):
    loaded = settings.load(write(VerifySample=sample, RollupTables=["r-1h", "ns:h-1h"]))
    assert loaded.rollup_tables == ["r-1h", "ns:h-1h"]


def test_without_kafka_there_are_no_brokers(write):
    loaded = settings.load(write(**HFILES))
    assert not loaded.has_kafka
    secret = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:AmazonMSK_x-a1b2c3"
    assert problems(write(KafkaSecurity="NONE", KafkaSecretArn=secret)) == [
        "parameters: KafkaSecurity NONE needs HBaseCidr, the HBase that loads the HFiles",
        *(
            f"parameters: KafkaSecurity NONE has no brokers, so {name} must be empty"
            for name in ("KafkaBootstrap", "KafkaCidr", "MskClusterArn", "KafkaSecretArn")
        ),
    ]
    java = FOLDER.parent / "lambda-trigger/src/main/java/io/tsdbsuite/trigger/config/JobSettings.java"
    (options,) = re.findall(r"KAFKA_ONLY =\s+List\.of\(([^)]+)\)", java.read_text())
    assert tuple(re.findall('"([^"]+)"', options)) == settings._KAFKA_ONLY


@pytest.mark.parametrize(
    ("load", "text"),
    [
        (None, "not loaded: no load of s3a://logs/hfiles/1-a wrote a report"),
        ({"exitCode": 0, "hfileDir": "s3a://b"}, "not loaded: no load of s3a://logs/hfiles/1-a "),
        ({"exitCode": 0, "hfileDir": "s3a://logs/hfiles/1-a"}, "loaded and covered"),
        (
            {"exitCode": 0, "hfileDir": "s3a://logs/hfiles/1-a", "coverage": {"reason": "no table"}},
            "loaded, not covered: no table",
        ),
        (
            {"exitCode": 3, "hfileDir": "s3a://logs/hfiles/1-a", "message": "HBase is away"},
            "not loaded, the next execution loads it: HBase is away",
        ),
    ],
)
def test_what_run_tells_of_a_load(load, text):
    assert run.loading({"output": {"hfileDir": "s3a://logs/hfiles/1-a"}}, load).startswith(text)
    # A day of the time before KafkaSecurity was NONE.
    assert run.loading({"output": {}}, load) == "no HFiles, its rollups were sent to Kafka"


def test_the_environment_of_a_function_is_limited(write):
    def options(size):
        return '"--metrics","' + "m" * (size - 14) + '"'

    # CloudFormation would take them, and roll back when Lambda refuses.
    (problem,) = problems(write(ExtraJobOptions=options(3253)))
    assert "the environment of the function Prepare has " in problem
    over = int(problem.partition("the longest one, by ")[2].partition(";")[0])
    assert "shorten ExtraJobOptions, " in problem
    assert len(problems(write(ExtraJobOptions=options(3253 - over + 1)))) == 1
    settings.load(write(ExtraJobOptions=options(3253 - over)))
    # A character is as many bytes as in UTF-8, a quote two.
    assert len(problems(write(ExtraJobOptions=options(3253 - over - 1).replace("m", "é", 2)))) == 1
    quotes = ",".join(['"a"'] * 700)
    trigger, prepare = problems(write(ExtraJobOptions=quotes))
    assert "the function Trigger has" in trigger
    assert "the function Prepare has" in prepare


def test_the_estimate_is_that_of_the_documented_table(write):
    page = (FOLDER.parent / "docs" / "aws-reference.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| ([\d.]+) million \| (\d+) \| \d+ min, (\d+) min \| ([\d.]+) \| (\d+) \| \d+ min, (\d+) min"
        r" \| ([\d.]+) \|",
        page,
        re.MULTILINE,
    )
    assert len(rows) == 3
    for millions, workers, minutes, usd, tasks, cluster_minutes, cluster_usd in rows:
        request = estimate.Request(float(millions) * 1e6)
        for changes, expected in (
            ({"Workers": workers}, (minutes, usd)),
            ({"ComputeKind": "EMR", "TaskInstances": tasks}, (cluster_minutes, cluster_usd)),
        ):
            found = estimate._calculated(
                settings.load(write(**changes)), request, request.points_per_second * 86400
            )
            assert found["minutes"] == pytest.approx(float(expected[0]), abs=0.6)
            assert found["usd"] == pytest.approx(float(expected[1]), rel=0.1)
    assert estimate._size(5_600_000_000) == "5.6 GB"


@pytest.mark.parametrize(
    ("maximum", "executors"), [("", 8), ("400x800", 8), ("36x72", 8), ("36x71", 7), ("8x16", 1)]
)
def test_a_night_has_no_more_executors_than_the_application(write, maximum, executors):
    loaded = settings.load(write(MaximumCapacity=maximum))
    assert loaded.executors == executors
    # Ten minutes' work of these executors, and the start.
    found = estimate._calculated(loaded, estimate.Request(), 6_900_000 * 4 * 60 * 10 * executors)
    assert found["minutes"] == 13
    assert found["vCPUHours"] == pytest.approx(4 * (executors + 1) * 13 / 60, abs=0.01)


def test_what_the_application_must_be_stopped_for(write):
    loaded = settings.load(write(MaximumCapacity="36x72", Workers=9, MonthlyBudget=50))
    before = {**loaded.parameters, "MaximumCapacity": "", "Workers": "8", "MonthlyBudget": ""}
    assert deploy._of_application(stack.Stack("", parameters=before), loaded) == ["MaximumCapacity"]


def test_brokers_with_a_port_each():
    values = {"KafkaBootstrap": "b-1:14001,b-2:14002,b-3:14003", "KafkaPort": "14001"}
    assert settings._across({**values, "KafkaPortTo": "14003"}, {}) == []
    (problem,) = settings._across({**values, "KafkaPortTo": "14002"}, {})
    assert "KafkaBootstrap: b-3:14003: not on the ports 14001 to 14002 that" in problem
    (problem,) = settings._across({**values, "KafkaPortTo": "9098"}, {})
    assert problem == "parameters.KafkaPortTo: 9098 is below KafkaPort 14001"
    # What the template's rules tell is no defect here.
    others = {"KafkaBootstrap": "b-1,b-2:,b-3:x,b-4:" + "8" * 5000, "KafkaPort": "9" * 5000}
    assert len(settings._across(others, {})) == 1
    (problem,) = settings._across(values, {})
    assert "b-2:14002, b-3:14003: not on KafkaPort 14001, the only port that" in problem


@pytest.mark.parametrize(
    ("security", "names", "problem"),
    [
        ("SASL_SCRAM", ["username", "password", "truststore"], ""),
        ("TLS", [], ""),
        ("SASL_SCRAM", ["username"], "secretKeys: lacks password, which SASL_SCRAM needs"),
        ("TLS", ["trustStore"], "secretKeys: has trustStore, which TLS does not know"),
        ("TLS", ["privateKey"], "secretKeys: has only one of certificateChain and privateKey"),
        ("TLS", [1], "secretKeys: must be a list of texts"),
        ("TLS", "truststore", "secretKeys: must be a list"),
        ("PLAINTEXT", [], "secretKeys: must not be there without a secret of Kafka"),
    ],
)
def test_names_in_the_secret(write, security, names, problem):
    arn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:AmazonMSK_rollup-a1b2c3"
    values = {"KafkaSecurity": security, "KafkaSecretArn": arn}
    file = write({**EXAMPLE, "secretKeys": names, "parameters": {**EXAMPLE["parameters"], **values}})
    if problem:
        assert problems(file) == [problem]
    else:
        assert settings.load(file).secret_keys == names


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not JSON, line 1, column 2"),
        ("[]", "must be one JSON object"),
        ('{"stack": "a", "stack": "b"}', "stack: given twice"),
        ('{"stack": 1}', "stack: must be a text"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"stack": ' + "[" * 100_000, "is nested too deeply"),
        ('{"parameters": {"Workers": ' + "8" * 5000 + "}}", "has a number with too many digits"),
        ('{"tags": {"": "a", " ": "a", "AWS:x": "b"}}', "tags: the key '' is empty"),
        ('{"tags": {"AWS:x": "b"}}', "tags.AWS:x: AWS reserves keys that begin with aws:"),
        ('{"tags": {"a": "b,c"}}', 'tags.a: = , " and \\ cannot be in tags of clusters and job runs'),
        ('{"files": {"SHA256SUMS": "sums"}}', "files.SHA256SUMS: rollup-aws itself writes this one"),
        ('{"files": {"opentsdb.conf": "' + "a" * 5000 + '"}}', "cannot be read: File name too long"),
    ],
)
def test_files_that_are_no_parameter_file(tmp_path, text, problem):
    file = tmp_path / "night.json"
    file.write_text(text)
    assert problem in "\n".join(problems(file))


def test_no_depth_of_a_parameter_file_is_a_defect(tmp_path):
    # Also not the depths that are just not too deep for the reader.
    file = tmp_path / "night.json"
    for depth in range(100, 1100, 50):
        nested = "[" * depth + "]" * depth
        file.write_text(f'{{"prune": {{"keepDays": {nested}, "grace": {nested}}}, "parameters": {nested}}}')
        assert problems(file)


def test_a_path_in_a_command_is_quoted(write, tmp_path):
    loaded = dataclasses.replace(settings.load(write()), path=tmp_path / "my night.json")
    assert settings.command(loaded, "run", "--follow", "arn:x") == (
        f"rollup-aws run '{tmp_path}/my night.json' --follow arn:x"
    )


def test_artifacts_that_cannot_be_read(write, tmp_path, monkeypatch):
    loaded = settings.load(write())
    monkeypatch.setattr(artifacts, "local_files", lambda *_: {"a.jar": tmp_path, "b.jar": tmp_path / "none"})
    with pytest.raises(ConfigurationError) as error:
        artifacts.local(None, loaded)
    assert error.value.problems == (
        f"{tmp_path}, the artifact a.jar, cannot be read: Is a directory",
        f"{tmp_path}/none, the artifact b.jar, cannot be read: No such file or directory",
    )


def test_a_file_that_is_not_there(tmp_path):
    assert "cannot be read" in problems(tmp_path / "none.json")[0]


def test_prune_keeps_a_night(write):
    file = write({**EXAMPLE, "prune": {"keepDays": 0, "keepWeeks": 0, "keepMonths": 0}})
    assert "would keep no night" in problems(file)[0]


def test_prune_knows_all_tables_of_a_night(write, tmp_path):
    (tmp_path / "tiers.json").write_text("[]")
    changes = {"TiersTables": ["r-1h", "ns:r-1d"], "HBaseCidr": "10.2.0.0/16"}
    file = write(**changes)
    content = json.loads(file.read_text())
    content["files"]["tiers.json"] = "tiers.json"
    packed = json.loads(json.dumps(content))
    packed["parameters"]["RollupTables"] = "r-1h,ns:r-1d,packed-1h"
    for given, tables in (
        (EXAMPLE, []),
        (content, ["r-1h", "ns:r-1d"]),
        (packed, ["r-1h", "ns:r-1d", "packed-1h"]),
    ):
        loaded = settings.load(write(given))
        arguments = prune._arguments(loaded, loaded.prune, "s3a://logs/report", delete=False)
        found = [value for name, value in zip(arguments, arguments[1:]) if name == "--table"]
        assert found == ["tsdb", "tsdb-uid", *tables]


def test_prune_has_the_limits_of_the_job(write):
    # The same rule for the file and for the options; test_shared_rules.py has the job's own values.
    for grace in ("3599s", "7 d"):
        file = write({**EXAMPLE, "prune": {"grace": grace}})
        text = f"'{grace}' is not a duration such as 7d, from 1h to 3650d"
        assert text in problems(file)[0]
        with pytest.raises(argparse.ArgumentTypeError, match=text):
            main._grace(grace)
    for grace in ("3600s", "1y"):
        assert settings.load(write({**EXAMPLE, "prune": {"grace": grace}})).prune["grace"] == grace
        assert main._grace(grace) == grace
    for count in (-1, 2**31, 999999999999, 1.5, True, "7", None, [], "9" * 5000):
        assert (
            "is not a whole number from 0 to 2147483647"
            in (problems(write({**EXAMPLE, "prune": {"keepDays": count}}))[0])
        )
    for count in ("-1", str(2**31), "999999999999", "1.5", "", "٣", "9" * 5000):
        with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number from 0 to 2147483647"):
            main._count(count)
    assert settings.load(write({**EXAMPLE, "prune": {"keepDays": 2**31 - 1}})).prune["keepDays"] == 2**31 - 1
    assert main._count("2147483647") == 2**31 - 1
    source = FOLDER.parent / "rollup-job/src/main/java/io/tsdbsuite/rollup/cli/PruneCommand.java"
    assert f"LEAST_GRACE = {prune_rules._LEAST_GRACE};" in source.read_text()


def test_without_the_aws_cli(write, tmp_path):
    for command in COMMANDS:
        done = rollup_aws(command, write(), PATH=str(tmp_path))
        assert done.returncode == 2
        assert "the AWS CLI is missing" in done.stderr


@pytest.mark.parametrize("buffered", [True, False])
def test_a_reader_that_has_ended_is_no_defect(write, tmp_path, buffered):
    file = write()
    # doctor prints a line before it finds that there is no AWS CLI.
    environment = {"PATH": str(tmp_path), **({} if buffered else {"PYTHONUNBUFFERED": "1"})}
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            [sys.executable, PROGRAM, "doctor", file],
            env=environment,
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == (2 if buffered else 3), done.stderr
    assert "rollup-aws: standard output was closed" in done.stderr
    for text in ("defect", "Traceback", "Exception ignored"):
        assert text not in done.stderr


def test_a_closed_standard_output_is_no_defect(write, tmp_path):
    program = f'"{sys.executable}" "{PROGRAM}" doctor "{write()}" >&-'
    done = subprocess.run(
        ["/bin/sh", "-c", program],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    assert "the AWS CLI is missing" in done.stderr


def test_commands_name_the_program_as_it_was_called(write, tmp_path, monkeypatch):
    loaded = settings.load(write())
    deploy = f"deploy {loaded.path}"
    monkeypatch.setattr(sys, "argv", [str(PROGRAM), "doctor"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert settings.command(loaded, "deploy") == f"{PROGRAM} {deploy}"
    (tmp_path / "rollup-aws").symlink_to(PROGRAM)  # as packages install it
    assert settings.command(loaded, "deploy") == f"rollup-aws {deploy}"
    monkeypatch.setattr(sys, "argv", ["cloudformation/bin/rollup-aws", "doctor"])
    monkeypatch.chdir(FOLDER.parent)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert settings.command(loaded, "deploy") == f"cloudformation/bin/rollup-aws {deploy}"


@pytest.mark.parametrize(
    ("stderr", "code", "exit_code"),
    [
        (
            "\nAn error occurred (404) when calling the HeadObject operation: Not Found\n",
            "404",
            2,
        ),
        (
            "aws: [ERROR]: An error occurred (AccessDenied) when calling the GetRole operation"
            " (reached max retries: 2): User: u is not authorized\n\nAdditional error details:\n"
            "Type: Sender\n",
            "AccessDenied",
            2,
        ),
        ("\nAn error occurred (SlowDown) when calling the PutObject operation: slow\n", "SlowDown", 3),
        ('\nCould not connect to the endpoint URL: "https://s3/"\n', AwsError.NO_CONNECTION, 3),
        ("\nUnable to locate credentials. You can configure them\n", AwsError.NO_CREDENTIALS, 2),
        ("\nThe config profile (night) could not be found\n", AwsError.NO_CREDENTIALS, 2),
        (
            "aws: error: argument operation: Invalid choice, valid choices are:\na | b\n",
            "UnsupportedCommand",
            2,
        ),
        ("\nAn error occurred (520) when calling the GetRole operation: \n", "520", 3),
        (
            "\nAn error occurred (InternalServiceErrorException) when calling the X operation: x\n",
            "InternalServiceErrorException",
            3,
        ),
        (
            "\nAn error occurred (EC2ThrottledException) when calling the X operation: x\n",
            "EC2ThrottledException",
            3,
        ),
        ("\nAn error occurred (501) when calling the GetRole operation: \n", "501", 2),
        (
            "\nAn error occurred () when calling the ListObjectsV2 operation: \n",
            AwsError.NO_ANSWER,
            3,
        ),
        (
            "\nUnable to parse response (not well-formed: line 1, column 2), invalid XML received. Further"
            " retries may succeed:\nb'<!DOCTYPE html><p>502'\n",
            AwsError.NO_ANSWER,
            3,
        ),
        ("\nsomething else\n", AwsError.FAILED, 2),
    ],
)
def test_errors_of_both_versions_of_the_aws_cli(stderr, code, exit_code):
    error = aws._error("s3api head-object", stderr)
    assert error.code == code
    assert error.command_error().code == exit_code


def test_a_call_as_a_user_would_type_it():
    cli = aws.Aws("eu-west-1", "night")
    assert cli.command("ec2", "create-tags", resources=["a", "b"], tags=["Key=x,Value=y z"]) == (
        "aws ec2 create-tags --resources a b --tags 'Key=x,Value=y z' --region eu-west-1 --profile night"
    )
    assert cli.command("kms", "x", empty=None, on=True, off=False, json={"a": [1]}) == (
        "aws kms x --on --json '{\"a\":[1]}' --region eu-west-1 --profile night"
    )


def test_nights_by_the_pattern_of_their_names(write):
    changes = {"DataTable": "m:tsdb", "UidTable": "m:uid", "SnapshotPattern": "{table}-{date}-x"}
    loaded = settings.load(write(**changes, RollupTables="r-1h"))
    assert run.snapshot_name(loaded, "m:tsdb", "2026-11-21") == "m-tsdb-20261121-x"
    names = [
        "m-tsdb-20261120-x",
        "m-uid-20261120-x",
        "m-tsdb-20261121-x",
        "m-tsdb-20261119",
        "m-uid-20261119",
    ]
    assert run.nights(loaded, names) == ["2026-11-20"]
    assert run.export_command(loaded) == (
        "export-snapshots.sh --root s3a://example-backup/hbase --data-table m:tsdb --uid-table m:uid"
        " --snapshot-pattern '{table}-{date}-x' --rollup-table r-1h"
    )


def test_what_the_sections_of_the_file_make_of_parameters(write):
    tags = {"project": "metrics", "Name": "nights", "opentsdb-rollup-stack": "other"}
    content = {**EXAMPLE, "tags": tags, "prune": {"keepDays": 2**31 - 1, "keepWeeks": 1, "grace": "90m"}}
    loaded = settings.load(write(content))
    # The stack's own tags are the stack's; the state machine reads numbers, and adds to them.
    assert deploy._of_sections(loaded) == {"RunTags": "project=metrics", "PruneKeep": "999999999,1,12,2"}
    assert [prune_rules.hours(text) for text in ("1h", "7d", "3601s", "1W")] == [1, 168, 2, 168]
    example = deploy._of_sections(settings.load(write(EXAMPLE)))
    assert example == {"RunTags": "project=metrics,owner=platform", "PruneKeep": "14,8,12,168"}
    pattern = json.loads(parameters.text())["Parameters"]["RunTags"]["AllowedPattern"]
    assert re.fullmatch(pattern, example["RunTags"])


def test_what_runs_by_hand_has_the_tags_and_disks_of_a_night(write):
    class Deployed:
        @staticmethod
        def output(name):
            return f"the-{name}"

    loaded = settings.load(write())
    call = prune._call(loaded, Deployed, "s3://a/rollup-job.jar", ["prune"], "prune-1")
    assert call["tags"] == {**EXAMPLE["tags"], "opentsdb-rollup-stack": EXAMPLE["stack"]}
    assert "diskEncryptionConfiguration" not in call["configuration_overrides"]
    loaded = settings.load(write(EncryptAll="ON"))
    call = prune._call(loaded, Deployed, "s3://a/rollup-job.jar", ["prune"], "prune-1")
    disks = call["configuration_overrides"]["diskEncryptionConfiguration"]
    assert disks == {"encryptionKeyArn": "the-KeyArn"}


def test_functions_in_the_vpc_need_a_way_to_step_functions(write):
    assert endpoints.services(settings.load(write())) == []
    assert endpoints.services(settings.load(write(FunctionsInVpc="ON"))) == ["states"]
    emr = settings.load(write(FunctionsInVpc="ON", ComputeKind="EMR"))
    assert endpoints.services(emr) == ["elasticmapreduce", "kms", "states"]
