"""export-snapshots.sh with stubs of hbase, hadoop and aws; the real ExportSnapshot is lambda-trigger's."""

import json
import re
import shutil

import pytest
from commands import Commands

SCRIPT = "export-snapshots.sh"
ROOT = "s3a://backup/hbase"
MARKER = "aws s3api put-object --bucket backup --key hbase/_EXPORTED/2026-11-21.json"
EXPORTED = f"{ROOT}/.hbase-snapshot/tsdb-20261121"
EXPORT = "hbase org.apache.hadoop.hbase.snapshot.ExportSnapshot"


class Night(Commands):
    def __init__(self, folder):
        super().__init__(folder)
        self.snapshots = folder / "snapshots"
        self.snapshots.write_text("")
        self.exported = folder / "exported"
        self.exported.write_text("")
        self.failures = folder / "failures"
        self.failures.write_text("0")
        self.body = folder / "marker"
        # Lists as HBase's SnapshotInfo does; fails the first exports as often as told.
        self.stub(
            "hbase",
            f"""
case "$1 $2" in
  'snapshot info')
    printf '%-40s | %20s | %s\\n' SNAPSHOT 'CREATION TIME' 'TABLE NAME'
    while read -r name; do printf '%-40s | %20s | %s\\n' "$name" 2026-11-21T00:30:00 t; done <{self.snapshots}
    ;;
  'snapshot create') echo "$6" >>{self.snapshots} ;;
  'shell -n') cat >>"$LOG" ;;
  org*)
    left=$(<{self.failures})
    if ((left > 0)); then echo $((left - 1)) >{self.failures}; exit 1; fi
    ;;
  *) exit 99 ;;
esac""",
        )
        self.stub(
            "hadoop",
            f"""
shift
[[ $1 != -D* ]] || shift
case "$1" in
  -ls)
    [[ "$2" == -C ]] || exit 99
    eval "files=($3)"
    printf '%s\\n' "${{files[@]}}" | grep -xF -f {self.exported} && exit
    echo "ls: \\`$3': No such file or directory" >&2
    exit 1
    ;;
  -put) cat >{self.body} ;;
esac""",
        )
        self.stub("aws", f"""[[ $7 == --body ]] && cat "$8" >{self.body}""")

    def is_exported(self, *files):
        self.exported.write_text("".join(f"{EXPORTED}/{file}\n" for file in files))

    def export(self, *arguments):
        return self.run(SCRIPT, "--root", ROOT, "--date", "2026-11-21", "--retry-seconds", "0", *arguments)

    def changes(self):
        asked = ("hbase snapshot info", "-ls -C")
        return [call for call in self.calls() if not any(words in call for words in asked)]


@pytest.fixture
def night(tmp_path):
    return Night(tmp_path)


def test_data_then_uid_then_marker(night):
    run = night.export("--mappers", "8", "--bandwidth", "50")
    assert run.returncode == 0, run.stderr
    create_data, create_uid, data, uid, marker = night.changes()
    assert create_data == "hbase snapshot create --table tsdb --name tsdb-20261121"
    assert create_uid == "hbase snapshot create --table tsdb-uid --name tsdb-uid-20261121"
    assert data == (
        f"{EXPORT} --snapshot tsdb-20261121 --copy-to {ROOT} --mappers 8 --no-checksum-verify --bandwidth 50"
    )
    assert uid.startswith(f"{EXPORT} --snapshot tsdb-uid-20261121 ")
    assert marker.startswith(MARKER)
    assert json.loads(night.body.read_text()) == {
        "v": 1,
        "date": "2026-11-21",
        "dataSnapshot": "tsdb-20261121",
        "uidSnapshot": "tsdb-uid-20261121",
    }
    assert list(night.temporary.iterdir()) == []


def test_rollup_tables_come_after_the_others_and_before_the_marker(night):
    names = ["tsdb", "tsdb-uid", "ns:rollup-1h", "rollup-1d"]
    options = ["--rollup-table", "ns:rollup-1h", "--rollup-table", "rollup-1d"]
    assert night.export(*options).returncode == 0
    *changes, marker = night.changes()
    assert [change.split()[4] for change in changes[:4]] == names
    snapshots = [f"{name}-20261121" for name in ("tsdb", "tsdb-uid", "ns-rollup-1h", "rollup-1d")]
    assert [change.split()[6] for change in changes[:4]] == snapshots
    assert [change.split()[3] for change in changes[4:]] == snapshots
    assert marker.startswith(MARKER)
    # A rollup that is newer than the raw data would differ from them; an older one must not be taken for new.
    night.snapshots.write_text("rollup-1d-20261121\n")
    run = night.export(*options)
    assert run.returncode == 3
    assert "snapshot rollup-1d-20261121 is there and tsdb-20261121 is not" in run.stderr


def test_no_marker_after_the_last_attempt(night):
    night.failures.write_text("2")
    run = night.export("--attempts", "2")
    assert run.returncode == 3
    assert "tsdb-20261121 was not exported in 2 attempts; no marker" in run.stderr
    assert len([call for call in night.changes() if call.startswith(EXPORT)]) == 2
    assert not any(call.startswith("aws") for call in night.calls())


def test_only_what_failed_is_overwritten(night):
    night.failures.write_text("1")
    run = night.export()
    assert run.returncode == 0, run.stderr
    first, second, uid = [call for call in night.changes() if call.startswith(EXPORT)]
    assert "--overwrite" not in first
    assert second.endswith(" --overwrite")
    assert "--overwrite" not in uid


def test_a_second_run_goes_on(night):
    night.snapshots.write_text("tsdb-20261121\n")
    night.is_exported(".snapshotinfo", "data.manifest")
    run = night.export()
    assert run.returncode == 0, run.stderr
    create, uid, marker = night.changes()
    assert create.endswith("--name tsdb-uid-20261121")
    assert "--snapshot tsdb-uid-20261121 " in uid
    assert marker.startswith(MARKER)


def test_an_export_of_an_older_snapshot_is_not_taken_for_the_new_one(night):
    night.is_exported(".snapshotinfo", "data.manifest")
    run = night.export()
    assert run.returncode == 3
    assert "tsdb-20261121 is exported, and HBase has no snapshot of this name: --overwrite" in run.stderr
    assert night.changes() == []


@pytest.mark.parametrize("file", [".snapshotinfo", "data.manifest"])
def test_an_export_in_part_is_made_again(night, file):
    night.snapshots.write_text("tsdb-20261121\n")
    night.is_exported(file)
    run = night.export()
    assert run.returncode == 0, run.stderr
    assert "tsdb-20261121 is exported in part" in run.stderr
    assert [call.split()[3] for call in night.changes() if call.endswith("--overwrite")] == ["tsdb-20261121"]


def test_an_outage_is_not_an_absence(night):
    night.stub("hadoop", "echo 'ls: Connection refused' >&2; exit 1")
    run = night.export()
    assert run.returncode == 3
    assert "ls: Connection refused" in run.stderr
    assert f"cannot tell what is exported below {ROOT}: S3 or hadoop fs failed" in run.stderr
    assert night.changes() == []


def test_overwrite_exports_again(night):
    night.is_exported(".snapshotinfo", "data.manifest")
    assert night.export("--overwrite").returncode == 0
    assert [call.split()[3] for call in night.changes() if call.endswith("--overwrite")] == [
        "tsdb-20261121",
        "tsdb-uid-20261121",
    ]


def test_uid_snapshot_older_than_the_data_is_refused(night):
    night.snapshots.write_text("tsdb-uid-20261121\n")
    run = night.export()
    assert run.returncode == 3
    assert "UID table must be taken after the data" in run.stderr
    assert night.changes() == []


def test_a_snapshot_that_fails_ends_it(night):
    night.stub("hbase", 'case "$2" in create) exit 255 ;; esac')
    run = night.export()
    assert run.returncode == 3
    assert "table tsdb: snapshot tsdb-20261121 failed" in run.stderr
    assert len(night.changes()) == 1


def test_a_listing_that_fails_ends_it(night):
    broken = "FileNotFoundException: File hdfs://nn/hbase/.hbase-snapshot/broken/.snapshotinfo does not exist"
    night.stub("hbase", f"echo 'java.io.{broken}' >&2; exit 1")
    run = night.export()
    assert run.returncode == 3
    assert broken in run.stderr
    assert "list-snapshots failed" in run.stderr


def test_only_lines_of_snapshots_are_names(night):
    night.stub(
        "hbase",
        """[[ $2 != info ]] || cat <<'TEXT'
WARN | of | tsdb-20261121 | somebody
tsdb-20261121 | who | knows | tsdb
SNAPSHOT             | CREATION TIME        | TTL IN SEC           | TABLE NAME
tsdb-uid-20261120    |  2026-11-20T00:30:00 |                    0 | tsdb-uid
TEXT""",
    )
    assert night.export("--delete-after", "1").returncode == 0
    assert len([call for call in night.calls() if " create " in call]) == 2


@pytest.mark.parametrize(
    "message",
    [
        "File hdfs://nn:8020/hbase/.hbase-snapshot does not exist.",
        "File file:/hbase/.hbase-snapshot does not exist",
        "No such file or directory: s3a://bucket/hbase/.hbase-snapshot",
    ],
)
def test_the_first_snapshot_of_an_hbase(night, message):
    night.stub(
        "hbase", f"[[ $2 != info ]] || {{ echo 'java.io.FileNotFoundException: {message}' >&2; exit 1; }}"
    )
    run = night.export()
    assert run.returncode == 0, run.stderr
    assert "HBase has no snapshots yet" in run.stderr
    assert len(night.changes()) == 5


@pytest.mark.parametrize("command", ["hbase", "hadoop", "aws"])
def test_a_missing_command(night, command):
    (night.bin / command).unlink()
    for name in ("bash", "date", "env"):
        (night.bin / name).symlink_to(shutil.which(name))
    run = night.run(SCRIPT, "--root", ROOT, "--mappers", "0", path=night.bin)
    assert run.returncode == 2
    assert f"the command {command} is not on PATH" in run.stderr
    assert len(run.stderr.splitlines()) == 2
    assert night.calls() == []


def test_aws_is_needed_only_for_its_marker(night):
    (night.bin / "aws").unlink()
    assert night.export("--marker", "hadoop").returncode == 0


def test_a_marker_that_fails_ends_it(night):
    night.stub("aws", "exit 254")
    run = night.export()
    assert run.returncode == 3
    assert "the marker s3://backup/hbase/_EXPORTED/2026-11-21.json was not written" in run.stderr


def test_marker_by_hadoop(night):
    assert night.export("--marker", "hadoop").returncode == 0
    assert night.calls()[-1] == f"hadoop fs -put -f - {ROOT}/_EXPORTED/2026-11-21.json"
    assert json.loads(night.body.read_text())["date"] == "2026-11-21"


def test_settings_are_for_both(night):
    setting = "fs.s3a.endpoint=http://127.0.0.1:1"
    assert night.export("-D", setting, "--marker", "hadoop").returncode == 0
    assert (
        f"hadoop fs -D{setting} -ls -C {ROOT}/.hbase-snapshot/"
        "{tsdb-20261121,tsdb-uid-20261121}/{.snapshotinfo,data.manifest}" in night.calls()
    )
    assert night.calls()[-1].startswith(f"hadoop fs -D{setting} -put ")


def test_no_marker(night):
    assert night.export("--marker", "none").returncode == 0
    assert not night.body.exists()


OLD = """\
tsdb-20261101
tsdb-uid-20261101
tsdb-20261114
tsdb-20261113
tsdb-meta-20261101
tsdb-20261101-keep
mine
"""


def test_old_snapshots_are_deleted_only_if_told(night):
    night.snapshots.write_text(OLD)
    assert night.export().returncode == 0
    assert not any("delete_snapshot" in call for call in night.calls())


def test_old_snapshots_of_the_pattern_are_deleted_after_the_marker(night):
    night.snapshots.write_text(OLD)
    run = night.export("--delete-after", "7")
    assert run.returncode == 0, run.stderr
    calls = night.calls()
    deleted = [re.search(r"'(.*)'", call)[1] for call in calls if "delete_snapshot" in call]
    assert deleted == ["tsdb-20261101", "tsdb-20261113", "tsdb-uid-20261101"]
    assert calls.count("hbase shell -n") == 1
    marker = next(i for i, call in enumerate(calls) if call.startswith(MARKER))
    assert all(i > marker for i, call in enumerate(calls) if "delete_snapshot" in call)


def test_old_snapshots_of_rollup_tables_are_deleted_too(night):
    night.snapshots.write_text(OLD + "rollup-1h-20261101\nrollup-1h-20261120\n")
    assert night.export("--delete-after", "7", "--rollup-table", "rollup-1h").returncode == 0
    deleted = [re.search(r"'(.*)'", call)[1] for call in night.calls() if "delete_snapshot" in call]
    assert "rollup-1h-20261101" in deleted
    assert "rollup-1h-20261120" not in deleted


def test_nothing_is_deleted_after_a_failure(night):
    night.snapshots.write_text(OLD)
    night.failures.write_text("9")
    assert night.export("--delete-after", "7", "--attempts", "1").returncode == 3
    assert not any("delete_snapshot" in call for call in night.calls())


def test_dry_run_changes_nothing(night):
    night.snapshots.write_text(OLD)
    run = night.export("--dry-run", "--delete-after", "7", "-D", "fs.s3a.endpoint=http://127.0.0.1:1")
    assert run.returncode == 0, run.stderr
    assert night.changes() == []
    would = [line for line in run.stdout.splitlines() if line.startswith("would run:")]
    assert len(would) == 6
    assert "older than 7 days: tsdb-20261101 tsdb-20261113 tsdb-uid-20261101" in run.stderr
    assert " -Dfs.s3a.endpoint=http://127.0.0.1:1 --snapshot tsdb-20261121 " in would[2]


def test_names_of_a_namespace_and_another_pattern(night):
    run = night.export(
        "--data-table", "metrics:tsdb", "--uid-table", "metrics:uid", "--snapshot-pattern", "{table}.{date}.n"
    )
    assert run.returncode == 0, run.stderr
    assert night.changes()[0].endswith("--table metrics:tsdb --name metrics-tsdb.20261121.n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bogus"], "unknown option '--bogus'"),
        (["--root"], "--root needs a value"),
        (["--root", "hdfs://n/x"], "--root must be s3a://BUCKET/PREFIX, a prefix of"),
        (["--root", "s3a://b"], "!_.()=+@-, found 's3a://b'"),
        (["--root", "s3a://b/*"], "!_.()=+@-, found 's3a://b/*'"),
        (["--date", "2026-02-30"], "--date must be a date, YYYY-MM-DD, found '2026-02-30'"),
        (["--mappers", "0"], "--mappers must be a number from 1 to 1000, found '0'"),
        (["--attempts", "99"], "--attempts must be a number from 1 to 10, found '99'"),
        (["--delete-after", "-1"], "--delete-after must be a number from 1 to 3650, found '-1'"),
        (["--marker", "mail"], "--marker must be aws, hadoop or none, found 'mail'"),
        (["--snapshot-pattern", "{table}"], "--snapshot-pattern must have {table} and {date}"),
        (["--uid-table", "tsdb"], "must differ, found 'tsdb' twice"),
        (["--rollup-table", "tsdb"], "must differ, found 'tsdb' twice"),
        (["--rollup-table", "r 1"], "'r 1' is not the name of an HBase table"),
        (["--data-table", "a:b", "--uid-table", "a-b"], "'a:b' and 'a-b' would both have the snapshot a-b-"),
        (["--data-table", "a b"], "'a b' is not the name of an HBase table"),
        (["-D", "fs.s3a.secret.key=hidden"], "-D fs.s3a.secret.key: command lines are not secret"),
    ],
)
def test_usage(night, arguments, message):
    run = night.run(SCRIPT, "--root", ROOT, *arguments)
    assert run.returncode == 2
    assert message in run.stderr
    assert "hidden" not in run.stderr
    assert night.calls() == []


def test_all_problems_at_once(night):
    run = night.run(SCRIPT, "--mappers", "x", "--marker", "x")
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 3


def test_help(night):
    run = night.run(SCRIPT, "--help")
    assert run.returncode == 0
    assert "--no-checksum-verify" not in run.stdout
    assert "--delete-after DAYS" in run.stdout
