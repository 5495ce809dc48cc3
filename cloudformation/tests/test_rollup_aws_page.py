"""docs/aws.md as a new user follows it: every command of the page, in its order, on moto."""

import os
import re
import shutil
import subprocess

import pytest
from cloud import Suite
from conftest import FOLDER, REGION
from test_export_snapshots import Night

PAGE = (FOLDER.parent / "docs" / "aws.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.filterwarnings("ignore")  # moto's, in the server


def blocks() -> list:
    """The heading and the text of each block of commands."""
    found, heading = [], ""
    for match in re.finditer(r"^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if match[1]:
            heading = match[1]
        elif match[2] == "sh":
            found.append((heading, match[3]))
    return found


@pytest.fixture
def user(tmp_path, cloud, monkeypatch):
    """The suite as cloned, an account as a user has it, and commands that are no part of either."""
    cloud.reset()
    (tmp_path / "user").mkdir()
    suite = Suite(tmp_path / "user", cloud)
    suite.account()
    suite.mock_jobs(monkeypatch)
    (tmp_path / "hbase").mkdir()
    night = Night(tmp_path / "hbase")
    for name in ("hbase", "hadoop"):
        shutil.copy(night.bin / name, cloud.bin)
    return suite


class Reader:
    """Runs the blocks of commands, each in the suite's folder."""

    def __init__(self, suite: Suite):
        self.suite = suite
        self.home = suite.folder / "suite"
        self.outputs: dict = {}
        jars = suite.folder / "jars"
        jars.mkdir()
        for module in ("rollup-job", "lambda-trigger"):
            (self.home / module).rename(jars / module)
        # make package, whose target is in the Makefile, makes the jars.
        assert re.search(r"^package:", (FOLDER.parent / "Makefile").read_text(), re.MULTILINE)
        make = suite.cloud.bin / "make"
        make.write_text(f'#!/bin/sh\n[ "$*" = package ] && cp -r {jars}/* .\n')
        make.chmod(0o755)
        shutil.copytree(FOLDER.parent / "docs/examples", self.home / "docs/examples")
        shutil.copy(suite.folder / "opentsdb.conf", self.home)
        shutil.copy(suite.folder / "rollup_config.json", self.home)

    def run(self, text: str, code: int = 0) -> str:
        done = subprocess.run(
            ["/bin/bash", "-euo", "pipefail", "-c", text],
            cwd=self.home,
            env=self.suite.cloud.environment(AWS_DEFAULT_REGION=REGION),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def edit(self, **parameters: object) -> None:
        self.suite.file = self.home / "night" / "night.json"
        self.suite.write(**parameters)


def test_every_command_of_the_page(user):  # noqa: PLR0915  the page is a sequence
    reader = Reader(user)
    commands = blocks()
    done = []

    def step(heading: str, code: int = 0) -> str:
        assert commands[0][0] == heading
        text = commands.pop(0)[1]
        done.append(text)
        return reader.run(text, code)

    step("Before you begin")
    reader.edit()
    # What doctor finds missing, its commands mend.
    user.cloud.client("iam").delete_role(RoleName="AWSServiceRoleForAmazonEMRServerless")
    events = user.cloud.answers / "s3api-get-bucket-notification-configuration"
    events.unlink()
    found = step("Deploying", code=2)
    assert "2 problems" in found
    for line in found.splitlines():
        if line.startswith("           aws "):
            reader.run(line)
    # moto gives another name to the role that the command makes.
    user.service_linked_role("AWSServiceRoleForAmazonEMRServerless")
    user.cloud.answer("s3api get-bucket-notification-configuration", {"EventBridgeConfiguration": {}})
    found = reader.run(done[-1])
    assert "0 problems, 0 warnings, 0 not checked" in found

    text = step("Deploying")
    assert "rollup-job.jar" in text
    assert "CREATE_COMPLETE" in text
    reader.outputs = dict(re.findall(r"^  (\w+) = (\S+)$", text, re.MULTILINE))
    # What remains to do is a command too.
    (brokers,) = re.findall(r"aws ec2 authorize-security-group-ingress .*", text)
    assert f"--group-id {user.brokers} " in brokers
    assert reader.outputs["NodeGroup"] in brokers
    reader.run(brokers)

    assert "ExportSnapshot" in step("Exporting the first night")
    books = (
        "2026-11-20: done, books close: 313 rows read, 9480 points, 333 rollups, 333 messages acknowledged"
    )
    text = step("Exporting the first night")
    assert books in text
    assert re.search(r"SUCCEEDED\n", text)
    assert books in step("Running a day again")
    text = step("Backfilling a month")
    assert "2026-10-01, 2026-10-02" in text
    assert "2026-10-31\n" in text

    reader.edit(Prune="ON")
    assert "'OFF' becomes 'ON'" in reader.run("cloudformation/bin/rollup-aws deploy night/night.json")
    text = step("Pruning the backup")
    plan, deletion = re.findall(r"^done: (prune .*)$", text, re.MULTILINE)
    assert "--delete" not in plan
    assert "--keep-days 14 " in deletion
    assert deletion.endswith("--delete")

    text = step("When it fails", code=2)
    assert "0 problems" in text
    # moto makes no alarms, of which status is the last to tell.
    assert "PROBLEM  no alarm notifies the topic of the stack" in text
    text = step("Removing it")
    assert "is deleted" in text
    assert reader.outputs["LogBucket"] in text
    assert not commands
    with pytest.raises(user.cloud.client("cloudformation").exceptions.ClientError):
        user.log_bucket()
    # Again: nothing to do.
    assert "nothing to delete" in reader.run(done[-1])


def test_options_and_parameters_of_the_page_exist():
    code = "".join(path.read_text() for path in (FOLDER / "rollup_aws").rglob("*.py"))
    for command in FOLDER.parent.glob("rollup-job/src/main/java/io/tsdbsuite/rollup/cli/Tiers*Command.java"):
        code += command.read_text()
    code += next(
        FOLDER.parent.glob("job-support/src/main/java/io/tsdbsuite/job/cli/TsdOptions.java")
    ).read_text()
    script = "".join((FOLDER / f"{name}.sh").read_text() for name in ("export-snapshots", "apply-tiers"))
    known = {"--overwrite", "--max-messages-per-second", "--allow-lost"}
    for option in set(re.findall(r"(?<![\w-])--[a-z][\w-]+", PAGE)) - known:
        assert f'"{option}"' in code or option in script
    template = (FOLDER / "rollup-pipeline.yaml").read_text()
    for name in ("HoldBack", "CatchUpDays", "ComputeKind", "BackupRegion", "NodeGroup", "Topic"):
        assert name in PAGE
        assert f"  {name}:" in template
    assert len(PAGE.splitlines()) < 238
    assert os.access(FOLDER / "bin" / "rollup-aws", os.X_OK)
