"""apply-tiers.sh with stubs of aws and rollup-job; the real apply is rollup-job's."""

import json
import re
from datetime import datetime, timedelta, timezone

import pytest
from commands import Commands

SCRIPT = "apply-tiers.sh"
PROOFS = "s3://logs/proofs"
HASH = "0123456789ab"
OPTIONS = ("--policy", "tiers.json", "--hfile-dir", "hdfs:///tiers")


class Apply(Commands):
    def __init__(self, folder):
        super().__init__(folder)
        self.proofs = folder / "proofs"
        self.proofs.mkdir()
        self.copy = folder / "a copy"
        self.stub("aws", f'cp {self.proofs}/* "${{@: -1}}"')
        self.stub("rollup-job", f'[[ "$*" != *"$(<{folder}/fails)"* ]] || exit $(<{folder}/code)')
        self.fails = folder / "fails"
        self.fails.write_text("no day")
        self.code = folder / "code"
        self.code.write_text("3")

    def proof(self, day, days_ago, name="", match="app.*"):
        proven = datetime.now(timezone.utc) - timedelta(days=days_ago)
        text = (
            f'{{\n  "proof" : 1,\n  "policy" : {{\n    "entry" : 1,\n    "match" : {json.dumps(match)},\n'
            f'    "metrics" : [ "x" ]\n  }},\n  "provenAt" : "{proven:%Y-%m-%dT%H:%M:%SZ}",\n'
            '  "sha256" : "0"\n}\n'
        )
        (self.proofs / (name or f"raw-{day}-{HASH}.json")).write_text(text)

    def apply(self, *options):
        return self.run(SCRIPT, "--proofs", PROOFS, "--copy", str(self.copy), *options)

    def days(self):
        return [call.split("--day ")[1].split()[0] for call in self.calls() if call.startswith("rollup-job")]

    def tables(self):
        return [re.sub(".*--table (.*) --day (\\S*) .*", r"\1 \2", call) for call in self.calls()[1:]]

    def entries(self):
        return [call.split("--day ")[1].split(" --policy")[0] for call in self.calls()[1:]]


@pytest.fixture
def apply(tmp_path):
    return Apply(tmp_path)


def test_days_with_a_proof_the_oldest_first(apply):
    apply.proof("2026-10-28", 0)
    apply.proof("2026-10-27", 0)
    # Of another entry, and of a night when nobody applied.
    apply.proof("2026-10-27", 6, "raw-2026-10-27-aaaaaaaaaaaa.json")
    apply.proof("2026-09-30", 6)
    # Deleted long ago: an entry that keeps longer may still need the proof.
    apply.proof("2026-09-01", 9)
    apply.proof("2026-10-26", 0, f"verify-raw-2026-10-26-{HASH}.json")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 0, run.stderr
    sync, *calls = apply.calls()
    # Without the filters --delete would remove the files of a directory that was given by mistake.
    assert sync == (
        "aws s3 sync --only-show-errors --delete --exclude * --include raw-*.json --include [0-9]*.json"
        f" {PROOFS} {apply.copy}"
    )
    assert calls[0] == (
        f"rollup-job tiers apply --proofs {apply.copy} --table raw --day 2026-09-30 --match=app.*"
        f" {' '.join(OPTIONS)}"
    )
    assert apply.days() == ["2026-09-30", "2026-10-27", "2026-10-28"]
    assert (apply.copy / f"raw-2026-09-01-{HASH}.json").exists()


def test_rollup_tables_follow_the_raw_data_the_narrowest_first(apply):
    for table, day in (
        ("1d", "2020-01-01"),
        ("12h", "2021-01-01"),
        ("2h", "2022-01-01"),
        ("90m", "2023-01-01"),
        ("1h", "2025-10-02"),
        ("1h", "2025-10-01"),
        ("raw", "2026-10-27"),
    ):
        apply.proof(day, 1, f"{table}-{day}-{HASH}.json")
    # Of comparisons, and of idle series.
    for name in ("verify-1h-2025-10-01", "idle-1h-2025-10-01", "idle-raw-2025-10-01"):
        apply.proof("", 0, f"{name}-{HASH}.json")
    # Rows of 1h are refused: those of 90m go nevertheless, if their floors let them.
    apply.fails.write_text("--table 1h --day 2025-10-01")
    apply.code.write_text("1")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 1
    assert (
        run.stderr == "apply-tiers.sh: tiers apply of 1h 2025-10-01 app.* ended with 1: it was not deleted\n"
    )
    assert apply.tables() == [
        "raw 2026-10-27",
        "1h 2025-10-01",
        "1h 2025-10-02",
        "90m 2023-01-01",
        "2h 2022-01-01",
        "12h 2021-01-01",
        "1d 2020-01-01",
    ]


def test_a_proof_of_an_unknown_table(apply):
    apply.proof("2025-10-01", 1, f"1x-2025-10-01-{HASH}.json")
    apply.proof("2026-10-27", 1)
    run = apply.apply(*OPTIONS)
    assert run.returncode == 1
    assert f"{apply.copy}/1x-2025-10-01-{HASH}.json must be named by a table and a day" in run.stderr
    assert apply.tables() == ["raw 2026-10-27"]


@pytest.mark.parametrize("form", ["--policy={}", "--policy {}"])
def test_idle_series_are_left_and_said(apply, tmp_path, form):
    apply.proof("2026-09-01", 30)
    policy = tmp_path / "tiers.json"
    policy.write_text('[{"match": "idle", "raw": "30d"}]')
    assert "idle series" not in apply.apply(*form.format(policy).split()).stderr
    policy.write_text('[{"match": "app.*", "raw": "30d", "idle" : "1y"}]')
    run = apply.apply(*form.format(policy).split())
    assert run.returncode == 0
    assert (
        f"apply-tiers.sh: {policy} has idle: the nights do not prove idle series, and this script does not"
        " delete them\n" in run.stderr
    )


def test_a_day_that_may_not_go_is_left(apply):
    for day in ("2026-10-26", "2026-10-27", "2026-10-28"):
        apply.proof(day, 1)
    apply.fails.write_text("2026-10-27")
    apply.code.write_text("1")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 1
    assert (
        run.stderr == "apply-tiers.sh: tiers apply of raw 2026-10-27 app.* ended with 1: it was not deleted\n"
    )
    assert apply.days() == ["2026-10-26", "2026-10-27", "2026-10-28"]


def test_a_refused_entry_holds_back_no_other(apply):
    for day in ("2026-10-27", "2026-10-28"):
        apply.proof(day, 1, f"raw-{day}-aaaaaaaaaaaa.json", "web.*")
        apply.proof(day, 1, f"raw-{day}-bbbbbbbbbbbb.json", 'a "q" ?')
    # The policy has changed since: rollup-job refuses the match with 2.
    apply.fails.write_text("--match=a")
    apply.code.write_text("2")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 2
    assert run.stderr.splitlines() == [
        f'apply-tiers.sh: tiers apply of raw {day} a "q" ? ended with 2: it was not deleted'
        for day in ("2026-10-27", "2026-10-28")
    ]
    assert apply.entries() == [
        '2026-10-27 --match=a "q" ?',
        "2026-10-27 --match=web.*",
        '2026-10-28 --match=a "q" ?',
        "2026-10-28 --match=web.*",
    ]


@pytest.mark.parametrize("codes", ["1 2", "2 1"])
def test_wrong_usage_counts_more_than_a_refused_day(apply, codes):
    for day in ("2026-10-27", "2026-10-28"):
        apply.proof(day, 1)
    first, second = codes.split()
    apply.stub("rollup-job", f'[[ "$*" == *2026-10-27* ]] && exit {first}; exit {second}')
    assert apply.apply(*OPTIONS).returncode == 2


def test_a_proof_whose_match_no_policy_can_have(apply):
    apply.proof("2026-10-27", 1, match="a\\b")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 1
    assert (
        f"{apply.copy}/raw-2026-10-27-{HASH}.json must have the match of an entry of the policy,"
        " without a backslash: its day was not deleted" in run.stderr
    )
    apply.proof("2026-10-28", 1)
    assert apply.apply(*OPTIONS).returncode == 1
    assert apply.days() == ["2026-10-28"]


@pytest.mark.parametrize("code", [3, 4, 137])
def test_another_failure_ends_it(apply, code):
    for day in ("2026-10-26", "2026-10-27", "2026-10-28"):
        apply.proof(day, 1)
    apply.fails.write_text("2026-10-27")
    apply.code.write_text(str(code))
    run = apply.apply(*OPTIONS)
    assert run.returncode == code
    assert run.stderr == (
        f"apply-tiers.sh: tiers apply of raw 2026-10-27 app.* ended with {code}; what follows was not looked"
        " at\n"
    )
    assert apply.days() == ["2026-10-26", "2026-10-27"]


# The last one kills the script, too.
@pytest.mark.parametrize("end", ["exit 3", "exit 137", "kill -9 $PPID"])
def test_what_has_begun_is_ended_at_any_age(apply, end):
    for day in ("2026-10-26", "2026-10-27"):
        apply.proof(day, 1)
    apply.stub("rollup-job", f'[[ "$*" != *2026-10-27* ]] || {end}')
    assert apply.apply(*OPTIONS).returncode != 0
    mark = apply.copy / f"raw-2026-10-27-{HASH}.json.begun"
    assert list(apply.copy.glob("*.begun")) == [mark]
    for day in ("2026-10-26", "2026-10-27"):
        apply.proof(day, 8)
    apply.stub("rollup-job", "exit 0")
    assert apply.apply(*OPTIONS, "--dry-run").returncode == 0
    # Such as a snapshot that is gone: not deleted, and not forgotten.
    apply.stub("rollup-job", "exit 1")
    assert apply.apply(*OPTIONS).returncode == 1
    assert mark.exists()
    apply.stub("rollup-job", "exit 0")
    assert apply.apply(*OPTIONS).returncode == 0
    assert apply.days() == ["2026-10-26", *4 * ["2026-10-27"]]
    assert not mark.exists()
    assert "nothing to delete" in apply.apply(*OPTIONS).stderr


@pytest.mark.parametrize("options", [[], ["--dry-run"]])
@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_what_has_not_begun_has_no_mark(apply, code, options):
    apply.proof("2026-10-27", 1)
    apply.stub("rollup-job", f"exit {code}")
    assert apply.apply(*OPTIONS, *options).returncode == code
    assert len(list(apply.copy.glob("*.begun"))) == (code == 3 and not options)


def test_what_has_begun_needs_its_proof(apply):
    apply.copy.mkdir()
    mark = apply.copy / f"raw-2026-10-27-{HASH}.json.begun"
    mark.write_text("")
    apply.proof("2026-10-28", 1)
    run = apply.apply(*OPTIONS)
    assert run.returncode == 1
    assert f"{mark} must have its proof, which {PROOFS} does not have" in run.stderr
    assert apply.days() == ["2026-10-28"]
    assert mark.exists()


def test_without_a_proof_there_is_nothing_to_do(apply):
    apply.proof("2026-09-01", 30)
    run = apply.apply(*OPTIONS)
    assert run.returncode == 0
    assert run.stderr == f"apply-tiers.sh: no proof of the last 7 days in {PROOFS}: nothing to delete\n"
    assert apply.days() == []


def test_proofs_that_do_not_come_delete_nothing(apply):
    apply.copy.mkdir()
    (apply.copy / f"raw-2026-10-27-{HASH}.json").write_text('"provenAt" : "9999-01-01T00:00:00Z"')
    apply.stub("aws", "exit 1")
    run = apply.apply(*OPTIONS)
    assert run.returncode == 3
    assert f"{PROOFS} was not copied; nothing was deleted" in run.stderr
    assert apply.days() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--proofs", "logs/proofs"], "--proofs must be s3://BUCKET/PREFIX, found 'logs/proofs'"),
        (["--copy", ""], "--copy must be a directory, found none"),
        (["--copy"], "--copy needs a value"),
        (["--day", "2026-10-27"], "--day must not be given: the proofs tell the tables, days and entries"),
        (["--match", "app.*"], "--match must not be given: the proofs tell the tables, days and entries"),
        (["--table=1h"], "--table=1h must not be given: the proofs tell the tables, days and entries"),
        (["--idle"], "--idle must not be given: its proofs are not made by the nights"),
        (["--coverage-table=x"], "--coverage-table=x must not be given: the floors that the nights read"),
        (["--from=2026-10-27"], "--from=2026-10-27 must not be given"),
    ],
)
def test_usage(apply, options, message):
    run = apply.apply(*options)
    assert run.returncode == 2
    assert message in run.stderr
    assert apply.calls() == []


def test_help(apply):
    run = apply.run(SCRIPT, "--help")
    assert run.returncode == 0
    assert run.stdout.startswith("apply-tiers.sh --proofs s3://BUCKET/proofs --copy DIR OPTIONS\n")
