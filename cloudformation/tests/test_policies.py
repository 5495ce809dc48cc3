"""The policies: no wildcard without a reason beside it, no PassRole without a service."""

import re

import pytest
from conftest import FOLDER, FORWARD, ROOT, TEMPLATES, resources

# The root has only nested stacks, and some have no policy. Another account gets no wildcard and no boundary.
WITHOUT = (ROOT, FORWARD, *(f"stacks/{name}.yaml" for name in ("alarms", "dashboard", "network")))
WITH_POLICIES = [name for name in TEMPLATES if name not in WITHOUT]

COMMENT = re.compile(r"#.*\bwildcard: \S")


def statements(value, where=()):
    """All policy statements, with the way to them."""
    if isinstance(value, dict):
        if "Effect" in value:
            yield where, value
        else:
            for key, item in value.items():
                yield from statements(item, (*where, key))
    elif isinstance(value, list):
        for item in value:
            yield from statements(item, where)


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def test_a_policy_is_of_one_queue(templates):
    """SQS refuses others; moto makes no such policy."""
    found = 0
    for template in templates.values():
        for policy in resources(template, "AWS::SQS::QueuePolicy").values():
            (queue,) = policy["Queues"]
            for _, statement in statements(policy):
                assert isinstance(statement["Resource"], dict)
                assert queue["Ref"] in str(statement["Resource"])
            found += 1
    assert found == 2


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_every_wildcard_has_its_reason(templates, name):
    lines = (FOLDER / name).read_text().splitlines()
    found = set()
    for where, statement in statements(templates[name]["Resources"]):
        for text in texts(statement):
            if "*" in text:
                found.add((where[0], text))
    assert found
    for resource, text in found:
        start = lines.index(f"  {resource}:")
        end = next((i for i in range(start + 1, len(lines)) if re.match(r"  \w|\w", lines[i])), len(lines))
        places = [i for i in range(start, end) if text in re.sub(r"#.*", "", lines[i])]
        assert places, (resource, text)
        for place in places:
            # On the line itself, or above the value or the list that it is in.
            above = place
            while not COMMENT.search(lines[above]) and (
                lines[above].lstrip().startswith("- !Sub") and above > start
            ):
                above -= 1
            near = lines[max(start, above - 1) : place + 1]
            assert any(COMMENT.search(line) for line in near), f"{resource}: {text}: no reason"


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_only_denials_are_for_all_actions(templates, name):
    for where, statement in statements(templates[name]["Resources"]):
        if statement["Effect"] == "Allow" and where[0] != "Key":
            for text in texts(statement["Action"]):
                assert "*" not in text, where
            assert statement.get("Principal") != "*", where
        elif statement.get("Principal") == {"AWS": "*"}:
            # One role, of which the account may not have heard yet.
            assert list(texts(statement["Condition"]["StringEquals"]["aws:PrincipalArn"])), where


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_a_role_is_passed_by_name_and_to_one_service(templates, name):
    for where, statement in statements(templates[name]["Resources"]):
        if "iam:PassRole" in texts(statement.get("Action")):
            assert "*" not in "".join(texts(statement["Resource"])), where
            assert "iam:PassedToService" in statement["Condition"]["StringEquals"], where


def reads_backup_only(statement) -> bool:
    return not any("BackupBucket" in text for text in texts(statement["Resource"])) or set(
        texts(statement["Action"])
    ) <= {"s3:GetObject", "s3:ListBucket"}


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_no_role_writes_to_the_backup(templates, name):
    for where, statement in statements(templates[name]["Resources"]):
        if statement["Effect"] == "Allow" and "Resource" in statement and where[0] != "PruneRole":
            assert reads_backup_only(statement), where


def test_prune_may_delete_snapshots_and_write_nothing(templates):
    role = templates["stacks/compute-serverless.yaml"]["Resources"]["PruneRole"]
    assert role["Condition"] == "MakesPruneRole"
    (deletes,) = role["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]
    assert deletes["Action"] == "s3:DeleteObject"
    folders = {"/.hbase-snapshot/*", "/archive/*", "/_EXPORTED/*"}
    assert {text.split("${BackupPrefix}")[1] for text in texts(deletes["Resource"])} == folders


def test_the_job_may_delete_proofs_and_hfiles_and_nothing_else(templates):
    policies = templates["stacks/access.yaml"]["Resources"]["JobAccess"]["Properties"]["PolicyDocument"]
    deletes = [each for each in policies["Statement"] if "s3:DeleteObject" in texts(each["Action"])]
    assert [list(texts(each["Resource"])) for each in deletes] == [
        [
            f"arn:${{AWS::Partition}}:s3:::${{LogBucket}}/{name}"
            for name in ("proofs", "proofs/*", "hfiles", "hfiles/*")
        ]
    ]


def test_the_planner_sees_which_hfiles_are_loaded_and_reads_none(templates):
    role = templates["stacks/trigger.yaml"]["Resources"]["PrepareRole"]
    found = {
        text.split("${LogBucket}")[1]: statement["Action"]
        for _, statement in statements(role)
        for text in texts(statement.get("Resource", ""))
        if "${LogBucket}" in text
    }
    assert found == {"/hfiles/*/_loaded": "s3:GetObject", "": "s3:ListBucket"}


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_services_act_for_this_account_only(templates, name):
    for where, statement in statements(templates[name]["Resources"]):
        principal = statement.get("Principal")
        service = "".join(texts(principal.get("Service", ""))) if isinstance(principal, dict) else ""
        # AWS documents no such condition for Lambda and EC2; a log's key is bound to the logs of the stack,
        # or by the service's encryption context to this account.
        if statement["Effect"] == "Deny" or not service or service.startswith(("lambda", "ec2", "logs")):
            continue
        if service.startswith("delivery.logs"):
            assert "kms:EncryptionContext:SourceArn" in statement["Condition"]["StringEquals"], where
            continue
        assert "aws:SourceAccount" in statement["Condition"]["StringEquals"], where


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_the_boundary_is_for_every_role(templates, name):
    for role, properties in resources(templates[name], "AWS::IAM::Role").items():
        boundary = properties["PermissionsBoundary"]["Fn::If"]
        assert boundary == ["HasBoundary", {"Ref": "PermissionsBoundary"}, {"Ref": "AWS::NoValue"}], role


@pytest.mark.parametrize("name", WITH_POLICIES)
def test_an_absent_object_is_no_forbidden_one(templates, name):
    # S3 answers 403 instead of 404 to who may not list, and asks that without a prefix.
    for where, statement in statements(templates[name]["Resources"]):
        if "s3:ListBucket" in texts(statement.get("Action")):
            assert list(statement["Condition"]) == ["StringLikeIfExists"], where


def test_every_bucket_can_be_listed_by_who_reads_it(templates):
    count = {
        name: sum(
            "s3:ListBucket" in texts(statement.get("Action"))
            for _, statement in statements(templates[name]["Resources"])
        )
        for name in TEMPLATES
    }
    # The job reads three buckets, and so do the functions: Prepare reads opentsdb.conf, and lists HFiles.
    assert count["stacks/access.yaml"] == 3
    assert count["stacks/trigger.yaml"] == 4


def test_who_reads_artifacts_may_use_their_key(templates):
    key = {"Fn::If": ["HasArtifactKey", {"Ref": "ArtifactKmsKeyArn"}, {"Ref": "KeyArn"}]}
    role = templates["stacks/trigger.yaml"]["Resources"]["PrepareRole"]["Properties"]
    (policy,) = role["Policies"]
    found = [
        statement["Resource"]
        for statement in policy["PolicyDocument"]["Statement"]
        if statement["Action"] == "kms:Decrypt"
    ]
    assert found == [key]
