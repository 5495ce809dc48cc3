"""docs/operations: the dashboard, the alert rules and the metrics of reports."""

import functools
import importlib.util
import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import promql_parser
import pytest
import yaml
from conftest import FOLDER
from prometheus_client import parser

DOCS = FOLDER.parent / "docs"
OPERATIONS = DOCS / "operations"
STREAM = "tsdbsuite.stream-rollup."
REPORTS = ("rollup-job", "rollup-job-load", "rollup-job-verify", "rollup-nightly", "bulk-loader")


def script(file: str = "report-metrics.py"):
    name = re.sub(r"\W", "_", file[:-3])
    spec = importlib.util.spec_from_file_location(name, OPERATIONS / file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def documented(page: str, heading: str) -> set:
    """Names in the first columns of the tables below a heading."""
    text = (DOCS / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def stream_metrics() -> set:
    """The first column of stream-rollup's table of metrics."""
    text = (DOCS / "stream-rollup.md").read_text(encoding="utf-8").split("\n## Metrics\n")[1]
    rows = [line.split("|")[1] for line in text.split("\n## ")[0].splitlines() if line.startswith("| `")]
    # The table's header is the prefix.
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)} - {STREAM}


@pytest.fixture(scope="module")
def known() -> set:
    """Metrics of plugins and functions, by their pages."""
    names = {f"tsd.kafka-ingest.{name}" for name in documented("kafka-ingest.md", "Statistics")}
    names |= {f"tsd.meta.cache.{name}" for name in documented("tsuid-ratelimiter.md", "Statistics")}
    names |= {f"tsd.rollup_query.{name}" for name in documented("rollup-query.md", "Statistics")}
    names |= {STREAM + name for name in stream_metrics()}
    return names | documented("aws-reference.md", "Logs and metrics")


@pytest.fixture(scope="module")
def dashboard() -> dict:
    return json.loads((OPERATIONS / "grafana-dashboard.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rules() -> list:
    return [rule for group in groups().values() for rule in group["rules"]]


def groups() -> dict:
    """The groups of rules, by the file's name: one for each component."""
    found = {}
    for file in sorted((OPERATIONS / "alerts").glob("*.yaml")):
        (group,) = yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]
        assert group["name"] == file.stem
        found[file.stem] = group
    return found


# Beginnings of the metrics of each component.
METRICS = {
    "bulk-loader": ("tsdbsuite.bulk-loader.",),
    "kafka-ingest": ("tsd.kafka-ingest.",),
    "rollup-job": tuple(f"tsdbsuite.{report}." for report in REPORTS if report.startswith("rollup")),
    "rollup-query": ("tsd.rollup_query.",),
    # kafka-ingest carries out the repairs that the stream requests.
    "stream-rollup": ("tsdbsuite.stream-rollup.", "tsd.kafka-ingest."),
    "tsuid-ratelimiter": ("tsd.meta.",),
}


def test_a_part_that_does_not_run_pages_no_engineer():
    page = (OPERATIONS / "README.md").read_text(encoding="utf-8")
    assert set(groups()) == set(METRICS)
    for name, group in groups().items():
        silent = {rule["uid"] for rule in group["rules"] if rule["noDataState"] != "OK"}
        (row,) = re.findall(
            rf"^\| \[{name}\.yaml\]\(alerts/{name}\.yaml\) \|.*\| (.*) \|$", page, re.MULTILINE
        )
        assert set(re.findall(r"`(.+?)`", row)) == silent, name
        for rule in group["rules"]:
            # OpenTSDB answers a metric that was never stored with an error.
            assert rule["execErrState"] == ("Alerting" if rule["uid"] in silent else "OK"), rule["uid"]
            for query in rule["data"]:
                if query["datasourceUid"] != "__expr__":
                    assert query["model"]["metric"].startswith(METRICS[name]), rule["uid"]


def places() -> set:
    """Metrics of reports, by the fields that the classes which write them name."""
    root = FOLDER.parent
    keys = set()
    for module in ("job-support", "rollup-job", "nightly", "bulk-loader"):
        for source in (root / module / "src/main/java").rglob("*.java"):
            if source.parent.name in ("report", "verify", "load"):
                text = source.read_text(encoding="utf-8")
                keys |= set(re.findall(r'"([A-Za-z]+)"', text))
                # Some enums are written by their constants.
                keys |= {name.lower() for name in re.findall(r"^  ([A-Z_]+)[,;]", text, re.MULTILINE)}
    return keys | {"total", "seconds"}


def check(metric: str, known: set) -> None:
    """A report's metric must be made of its fields, any other must be documented."""
    for report in REPORTS:
        if metric.startswith(f"tsdbsuite.{report}."):
            assert set(metric.removeprefix(f"tsdbsuite.{report}.").split(".")) <= places(), metric
            return
    assert metric in known, metric


def test_metrics_of_the_dashboard_exist(dashboard, known):
    aws = {"AWS/States", "AWS/SQS"}
    targets = [target for panel in dashboard["panels"] for target in panel.get("targets", [])]
    assert len(targets) > 40
    for target in targets:
        if target.get("namespace") not in aws:
            check(target.get("metric") or target["metricName"], known)


def test_panels_are_apart(dashboard):
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids))
    taken = set()
    for panel in dashboard["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert place["x"] + place["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells


def test_data_sources_are_chosen_in_grafana(dashboard):
    variables = {variable["name"]: variable["query"] for variable in dashboard["templating"]["list"]}
    assert variables == {
        "opentsdb": "opentsdb",
        "cloudwatch": "cloudwatch",
        "stack": "opentsdb-rollup",
    }
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            kind = target["datasource"]["type"]
            assert target["datasource"]["uid"] == f"${{{kind}}}"


def test_metrics_of_the_rules_exist(rules, known):
    for rule in rules:
        for query in rule["data"]:
            if query["datasourceUid"] != "__expr__":
                assert query["datasourceUid"] == "${OPENTSDB_UID}"
                check(query["model"]["metric"], known)


def test_rules_are_whole(rules):
    uids = [rule["uid"] for rule in rules]
    assert len(uids) == len(set(uids))
    for rule in rules:
        steps = {query["refId"]: query["model"] for query in rule["data"]}
        condition = steps[rule["condition"]]
        assert set(re.findall(r"\$\$([A-Z])", condition["expression"])) < set(steps), rule["uid"]
        for model in steps.values():
            if model.get("type") == "reduce":
                assert model["expression"] in steps, rule["uid"]


def test_series_of_a_rule_have_the_same_tags(rules):
    """Grafana joins no series of two queries whose tags differ, except those of a single pair."""
    for rule in rules:
        models = [step["model"] for step in rule["data"] if step["datasourceUid"] != "__expr__"]
        # OpenTSDB answers a tag that has one value, grouped by or not.
        tags = [
            {(each["tagk"], each["filter"]) for each in model["filters"] if "|" not in each["filter"]}
            for model in models
        ]
        assert all(each == tags[0] for each in tags), rule["uid"]


def answer(model: dict, window: dict, series: dict, now: int) -> list:
    """What OpenTSDB answers to a rule's query over one series, in the order of time."""
    values = [series[time] for time in sorted(series) if now - window["from"] <= time <= now - window["to"]]
    if not model["shouldComputeRate"]:
        return values
    # Grafana drops the rates of a counter that has begun again. Only their sign matters here.
    return [max(0, value - before) for before, value in zip(values, values[1:])]


def fires(rule: dict, series: dict, now: int) -> bool:
    """Whether a rule over one metric fires, by queries, reductions and one expression, as Grafana does."""
    found = {}
    for step in rule["data"]:
        model = step["model"]
        if step["datasourceUid"] != "__expr__":
            found[step["refId"]] = answer(model, step["relativeTimeRange"], series, now)
        elif model["type"] == "reduce":
            values = found[model["expression"]]
            reduce = {"max": max, "last": lambda each: each[-1]}[model["reducer"]]
            found[step["refId"]] = reduce(values) if values else None
        else:
            names = re.findall(r"\$\$([A-Z])", model["expression"])
            if any(found[name] is None for name in names):
                return False  # no data; noDataState is OK
            text = model["expression"].replace("$$", "").replace("||", "or").replace("&&", "and")
            return bool(eval(text, {}, {name: found[name] for name in names}))  # noqa: S307
    raise AssertionError(rule["uid"])


MINUTE, HOUR, DAY = 60, 3600, 86_400


@pytest.mark.parametrize("uid", ["stream-missed", "stream-not-requested"])
@pytest.mark.parametrize("outage", [MINUTE, 2 * HOUR, 10 * DAY])
@pytest.mark.parametrize("before", [0, 5])
def test_a_count_that_grew_while_the_job_did_not_run_fires(rules, uid, outage, before):
    (rule,) = [rule for rule in rules if rule["uid"] == uid]
    assert rule["noDataState"] == "OK"
    stop = 20 * DAY
    start = stop + outage
    # The first value after the start has all that was lost, and the count stays there.
    series = dict.fromkeys(range(stop - HOUR, stop, MINUTE), before)
    series |= dict.fromkeys(range(start, start + HOUR, MINUTE), before + 7)
    fired = [
        time for time in range(stop - HOUR + 20 * MINUTE, start + HOUR, MINUTE) if fires(rule, series, time)
    ]
    assert fired
    # After the start at once, for as long as the rules look back.
    assert start <= fired[0] <= start + MINUTE
    assert start + 13 * MINUTE <= fired[-1] <= start + 16 * MINUTE


@pytest.mark.parametrize("uid", ["stream-missed", "stream-not-requested"])
def test_a_count_that_began_again_fires_when_it_grows(rules, uid):
    (rule,) = [rule for rule in rules if rule["uid"] == uid]
    start = 20 * DAY
    # A new job, without the state of the one before.
    series = dict.fromkeys(range(start - HOUR, start, MINUTE), 100)
    series |= dict.fromkeys(range(start, start + 5 * MINUTE, MINUTE), 0)
    series |= dict.fromkeys(range(start + 5 * MINUTE, start + HOUR, MINUTE), 3)
    fired = [time for time in range(start - 30 * MINUTE, start + HOUR, MINUTE) if fires(rule, series, time)]
    assert fired[0] == start + 5 * MINUTE
    assert fired[-1] <= start + 21 * MINUTE


def test_a_consumer_that_ends_by_errors_stands(rules):
    (rule,) = [rule for rule in rules if rule["uid"] == "ingest-stands"]
    (query,) = [step["model"] for step in rule["data"] if step["datasourceUid"] != "__expr__"]
    # Within a minute a collector finds it between two sessions, and then in one.
    assert query["downsampleAggregator"] == "max"
    series = {time: 0 if time % 120 else 5_000 for time in range(0, HOUR, MINUTE)}
    assert all(fires(rule, series, time) for time in range(20 * MINUTE, HOUR, MINUTE))


def test_the_rules_are_those_of_their_source():
    made = script("rules/generate.py").files()
    assert {path: path.read_text(encoding="utf-8") for path in made} == made
    assert set(made) == set((OPERATIONS / "alerts").glob("**/*.yaml"))


def prometheus_names() -> set:
    """Metrics of plugins, reports and Flink, by the sources and pages that name them."""
    names = set()
    for file, prefix in (
        ("kafka-ingest/src/main/java/io/tsdbsuite/ingest/IngestMetrics.java", "kafka_ingest_"),
        ("rollup-query/src/main/java/io/tsdbsuite/query/QueryMetrics.java", "rollup_query_"),
        ("tsuid-ratelimiter/src/main/java/io/tsdbsuite/meta/MetaCacheMetrics.java", "meta_cache_"),
    ):
        text = (FOLDER.parent / file).read_text(encoding="utf-8")
        for kind, name, unit in re.findall(r'(counter|gauge)\(\s*"([^"]+)",\s*(?:"([^" ]+)",\s*)?"', text):
            suffix = "_total" if kind == "counter" else f"_{unit}" if unit else ""
            names.add(prefix + name.replace(".", "_") + suffix)
    report = json.loads(
        (FOLDER.parent / "lambda-trigger/src/test/resources/report-done.json").read_text(encoding="utf-8")
    )
    report["days"]["notCovered"] = 0
    for kind in (
        "rollup-job",
        "rollup-job load",
        "rollup-job verify",
        "rollup-job coverage add",
        "rollup-nightly",
        "bulk-loader",
    ):
        text = script().exposition({**report, "report": kind}, {})
        names |= {family.name for family in parser.text_string_to_metric_families(text)}
    text = (DOCS / "stream-rollup.md").read_text(encoding="utf-8").split("\n## Metrics\n")[1]
    for name in re.findall(r"`(\.\.\._\w+|flink_\w+)`", text.split("\n## ")[0]):
        names.add(name.replace("...", "flink_taskmanager_job_task_operator"))
    return names


def test_rules_for_prometheus(rules):
    known = prometheus_names()
    found = []
    for file in sorted((OPERATIONS / "alerts" / "prometheus").glob("*.yaml")):
        (group,) = yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]
        assert group["name"] == file.stem
        for rule in group["rules"]:
            promql_parser.parse(rule["expr"])  # raises
            used = set(
                re.findall(r"\b(?:kafka_ingest|meta_cache|rollup_query|tsdbsuite|flink)_\w+", rule["expr"])
            )
            assert used, rule["alert"]
            assert used <= known, rule["alert"]
            grouped = set(re.findall(r"by \(([\w, ]+)\)", rule["expr"]))
            for label in re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"]):
                assert label == "instance" or all(label in each for each in grouped), rule["alert"]
            found.append((rule["alert"], rule["labels"]["severity"], rule.get("for", "0s")))
    assert found == [(rule["uid"], rule["labels"]["severity"], rule["for"]) for rule in rules]


def test_dashboard_for_prometheus(dashboard):
    other = json.loads(
        subprocess.run(
            [sys.executable, OPERATIONS / "rules/dashboard.py"], check=True, capture_output=True, timeout=300
        ).stdout
    )
    known = prometheus_names() | {
        script().prometheus_name(target["metric"])
        for panel in dashboard["panels"]
        for target in panel.get("targets", [])
        if target.get("metric", "").startswith("tsdbsuite.")  # test_metrics_of_the_dashboard_exist
    }
    assert [panel["title"] for panel in other["panels"]] == [panel["title"] for panel in dashboard["panels"]]
    assert other["uid"] != dashboard["uid"]
    assert "opentsdb}" not in json.dumps(other)
    count = 0
    for panel in other["panels"]:
        for target in panel.get("targets", []):
            if target["datasource"]["type"] == "prometheus":
                expression = target["expr"].replace("$__rate_interval", "5m")
                promql_parser.parse(expression)  # raises
                used = re.findall(
                    r"\b(?:kafka_ingest|meta_cache|rollup_query|tsdbsuite|flink)_\w+", expression
                )
                assert used, expression
                assert set(used) <= known, expression
                # A rate has a meaning for counters only; those of Flink are not marked.
                assert ("rate(" in expression) <= (used[0].endswith("_total") or "flink_" in used[0])
                assert panel["targets"]
                count += 1
    assert count > 60


def test_each_rule_has_its_place_in_the_runbook(rules):
    text = (OPERATIONS / "README.md").read_text(encoding="utf-8")
    entries = re.findall(r"^### (\S+)\n(Page|Ticket)\. ", text, re.MULTILINE)
    expected = [(rule["uid"], rule["labels"]["severity"].capitalize()) for rule in rules]
    assert sorted(entries) == sorted(expected)
    for rule in rules:
        assert rule["annotations"]["runbook_url"] == f"docs/operations/README.md#{rule['uid']}"


@functools.cache
def sources() -> str:
    """Production code of all modules."""
    files = sorted(FOLDER.parent.glob("*/src/main/java/**/*.java"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def names_in_code() -> set:
    """Words of the string literals: options, statistics, fields, reasons."""
    literals = " ".join(re.findall(r'"((?:[^"\\\n]|\\.)+)"', sources()))
    return set(re.findall(r"[\w-]+(?:\.[\w-]+)*", literals))


def reasons(enum: str) -> set:
    """Names of an enum's constants in messages, reports and documents: their first text."""
    (body,) = re.findall(
        rf"^public enum {enum}(?: implements [\w.]+)? {{\n(.*?);\n", sources(), re.MULTILINE | re.DOTALL
    )
    return set(re.findall(r'^  [A-Z_]+\((?:\d+, )?\s*"(\w+)"', body, re.MULTILINE))


def rows(page: str, *headers: str) -> set:
    """Names in the first columns of the tables below these headers."""
    text = (DOCS / page).read_text(encoding="utf-8")
    names = set()
    for header in headers:
        (table,) = re.findall(rf"^\| {header} \|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
        names |= {name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    return names


@pytest.mark.parametrize(
    ("enum", "page", "headers"),
    [
        ("Reason", "kafka-ingest.md", ("Reason",)),
        ("FailReason", "rollup-job.md", ("Failed", "Failed days")),
        ("SkipReason", "rollup-job.md", ("Skipped",)),
        ("RejectReason", "bulk-loader.md", ("Reason",)),
        ("RequestReason", "stream-rollup.md", ("Reason",)),
    ],
)
def test_pages_have_the_reasons_of_the_code(enum, page, headers):
    assert reasons(enum)
    assert rows(page, *headers) == reasons(enum)


def test_names_in_the_runbook_exist():
    text = (OPERATIONS / "README.md").read_text(encoding="utf-8").split("\n## Runbook\n")[1].split("\n## ")[0]
    exist = (
        names_in_code() | {"page", "ticket"} | {file.name for file in OPERATIONS.iterdir()} | stream_metrics()
    )
    for span in re.findall(r"`([^`]+)`", text):
        if span.startswith("GET /plugin/"):
            assert f'"{span.rsplit("/", 1)[1]}"' in sources(), span
        elif not span.startswith(
            (
                "kafka-console-consumer ",
                "kafka-transactions.sh ",
                "hbck",
                "hbase shell",
                "rollup-job coverage ",
            )
        ):
            for word in span.split():
                assert word in exist or word.isdigit(), span


def test_statistics_on_the_pages_exist(known):
    exist = names_in_code()
    for name in (
        known - {STREAM + each for each in stream_metrics()} - {"tsd.kafka-ingest.tsd.kafka-ingest."}
    ):  # the table's header
        short = re.sub(r"^tsd\.(kafka-ingest|meta\.cache|rollup_query)\.", "", name)
        assert exist & {short, name.removeprefix("tsd.")}, name


def test_metrics_of_the_stream_are_those_of_the_code():
    source = FOLDER.parent / "stream-rollup/src/main/java/io/tsdbsuite/stream/flink/Count.java"
    counts = set(re.findall(r'^  [A-Z_]+\(\d+, "(\w+)"', source.read_text(encoding="utf-8"), re.MULTILINE))
    module = script("stream-metrics.py")
    of_flink = {name for name, _ in module.SOURCE.values()}
    assert len(counts) > 15
    assert stream_metrics() == counts | of_flink | set(module.LARGEST) | set(module.JOB)
    for name in module.LARGEST:
        assert f'"{name}"' in sources(), name


def flink(parallelism: int = 2) -> dict:
    """Answers of Flink's REST API, of a job with one vertex."""
    path = "jobs/j/vertices/v/metrics"
    values = {
        "0.points.stream_rollup.consumed": "50",
        "1.points.stream_rollup.consumed": "60",
        "0.rollups.stream_rollup.closed": "5",
        "1.rollups.stream_rollup.closed": "6",
        "0.rollups.stream_rollup.emitted": "3",
        "1.rollups.stream_rollup.emitted": "4",
        "0.rollups.stream_rollup.watermarkDelay": "70",
        "1.rollups.stream_rollup.watermarkDelay": "90",
        # The second task has no partition.
        "0.Source__kafka.pendingRecords": "8",
        "0.Source__kafka.KafkaSourceReader.KafkaConsumer.records-lag-max": "NaN",
        "0.rollups.numRecordsIn": "77",
    }
    wanted = sorted(name for name in values if not name.endswith("numRecordsIn"))
    return {
        "jobs/overview": {
            "jobs": [
                {"jid": "old", "name": "stream-rollup", "state": "CANCELED", "start-time": 1000},
                {"jid": "j", "name": "stream-rollup", "state": "RUNNING", "start-time": 100_000},
            ]
        },
        "jobs/j": {"vertices": [{"id": "v", "parallelism": parallelism}]},
        "jobs/j/checkpoints": {"counts": {"completed": 5, "failed": 1}, "latest": {"completed": None}},
        "jobs/j/metrics?get=numRestarts": [{"id": "numRestarts", "value": "2"}],
        path: [{"id": name} for name in values],
        f"{path}?get={','.join(wanted)}": [{"id": name, "value": values[name]} for name in wanted],
    }


def test_metrics_of_the_stream_are_those_of_all_tasks():
    answers = flink()
    values, missing = script("stream-metrics.py").collect(answers.__getitem__, "stream-rollup", 160)
    assert not missing
    assert values == {
        "running": 1,
        "restarts": 2,
        "checkpoints.completed": 5,
        "checkpoints.failed": 1,
        "checkpoint.age": 60,
        "consumed": 110,
        "closed": 11,
        "emitted": 7,
        "watermarkDelay": 90,
        "pendingRecords": 8,
    }
    answers["jobs/j/checkpoints"]["latest"]["completed"] = {
        "trigger_timestamp": 150_000,
        "end_to_end_duration": 1500,
        "state_size": 1 << 40,
    }
    values, _ = script("stream-metrics.py").collect(answers.__getitem__, "stream-rollup", 160)
    assert (values["checkpoint.age"], values["checkpoint.seconds"]) == (10, 1.5)
    assert values["checkpoint.bytes"] == 1 << 40


def test_a_sum_over_a_part_of_the_tasks_is_not_sent():
    values, missing = script("stream-metrics.py").collect(flink(3).__getitem__, "stream-rollup", 160)
    assert "emitted" not in values
    assert "stream_rollup.emitted of 1 tasks" in missing
    assert not [problem for problem in missing if "all tasks" in problem]
    assert values["pendingRecords"] == 8


def test_counts_that_no_task_has_told_yet_are_missing():
    answers = flink()
    answers["jobs/j/vertices/v/metrics"] = []
    values, missing = script("stream-metrics.py").collect(answers.__getitem__, "stream-rollup", 160)
    assert values["running"] == 1
    assert missing == ["stream_rollup.consumed of all tasks", "stream_rollup.closed of all tasks"]


def test_a_job_that_does_not_run_is_told(capsys):
    module = script("stream-metrics.py")
    assert module.collect(flink().__getitem__, "other", 160) == ({"running": 0}, ["no job other runs"])
    twice = flink()
    twice["jobs/overview"]["jobs"][0]["state"] = "RUNNING"
    with pytest.raises(module.MetricsError, match="one job must have the name stream-rollup, found 2"):
        module.collect(twice.__getitem__, "stream-rollup", 160)
    # A port without a listener.
    assert module.main(["http://127.0.0.1:1", "--tag", "a=b"]) == 1
    captured = capsys.readouterr()
    assert "does not answer" in captured.err
    (point,) = json.loads(captured.out)
    assert (point["metric"], point["value"], point["tags"]) == (STREAM + "running", 0, {"a": "b"})


REPORT = {
    "report": "rollup-job",
    "v": 3,
    "state": "ended",
    "exitCode": 0,
    "message": "",
    "started": "2026-11-21T03:15:00.123456789Z",
    "ended": "2026-11-21T03:16:30.123456789Z",
    "input": {"files": 7},
    "booksClose": True,
    "rows": {"read": 10, "failed": {"corruptCell": 1, "malformedKey": 2}},
    "secondsByPhase": {"roll up": 1.5},
    "warnings": ["one"],
}


def test_numbers_of_a_report_are_metrics():
    data = script().points(REPORT, {"job": "nightly"})
    assert {point["timestamp"] for point in data} == {1795230990}
    assert all(point["tags"] == {"job": "nightly"} for point in data)
    prefix = "tsdbsuite.rollup-job."
    assert {point["metric"].removeprefix(prefix): point["value"] for point in data} == {
        "exitCode": 0,
        "booksClose": 1,
        "rows.read": 10,
        "rows.failed.corruptCell": 1,
        "rows.failed.malformedKey": 2,
        "rows.failed.total": 3,
        "secondsByPhase.roll-up": 1.5,
        "seconds": 90,
    }


FOR_PROMETHEUS = {
    "exit_code": 0,
    "books_close": 1,
    "rows_read": 10,
    "rows_failed_corrupt_cell": 1,
    "rows_failed_malformed_key": 2,
    "rows_failed_all": 3,
    "seconds_by_phase_roll_up": 1.5,
    "duration_seconds": 90,
    "ended_timestamp_seconds": 1795230990.123456,
}


def prometheus(text: str, labels: dict) -> dict:
    """Values by name, read by Prometheus's own client library."""
    found = {}
    for family in parser.text_string_to_metric_families(text):
        assert family.type == "gauge"
        assert family.documentation
        (sample,) = family.samples
        assert sample.labels == labels
        found[sample.name.removeprefix("tsdbsuite_rollup_job_")] = sample.value
    return found


def test_a_file_for_node_exporter(tmp_path, capsys):
    file, target = tmp_path / "report.json", tmp_path / "rollup.prom"
    file.write_text(json.dumps(REPORT))
    target.write_text("old")
    options = ["--textfile", str(target), "--tag", "cluster=main", "--tag", "env.name=a/b"]
    assert script().main([str(file), *options]) == 0
    assert prometheus(target.read_text(), {"cluster": "main", "env_name": "a/b"}) == FOR_PROMETHEUS
    assert sorted(each.name for each in tmp_path.iterdir()) == ["report.json", "rollup.prom"]
    # A report that is refused leaves the file of the run before.
    before = target.read_text()
    file.write_text(json.dumps({**REPORT, "state": "running"}))
    assert script().main([str(file), *options]) == 1
    assert target.read_text() == before
    assert script().main([str(file), "--textfile", str(tmp_path / "no" / "x.prom")]) == 1
    file.write_text(json.dumps({**REPORT, "rowsRead": 1, "rows": {"read": 2}}))
    capsys.readouterr()
    assert script().main([str(file), *options]) == 1
    assert "rowsRead and rows.read have the same name for Prometheus" in capsys.readouterr().err


def test_a_push_gateway(tmp_path, capsys):
    requests = []

    class Gateway(BaseHTTPRequestHandler):
        def do_PUT(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            requests.append((self.path, self.headers["Content-Type"], body))
            self.send_response(400 if "refused" in self.path else 200)
            self.end_headers()
            self.wfile.write(b"inconsistent")

        def log_message(self, *_):
            pass

    file = tmp_path / "report.json"
    file.write_text(json.dumps(REPORT))
    with ThreadingHTTPServer(("127.0.0.1", 0), Gateway) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        assert script().main([str(file), "--push", url, "--tag", "cluster=main"]) == 0
        assert script().main([str(file), "--push", url, "--tag", "cluster=refused"]) == 1
        assert "answers 400: inconsistent" in capsys.readouterr().err
        assert script().main([str(file), "--push", url, "--tag", "cluster=a/b"]) == 1
        assert "must have no slash, found: cluster=a/b" in capsys.readouterr().err
        server.shutdown()
    assert script().main([str(file), "--push", url]) == 1
    assert "does not answer" in capsys.readouterr().err
    path, kind, body = requests[0]
    assert path == "/metrics/job/rollup_job/cluster/main"
    assert kind == "text/plain; version=0.0.4"
    assert prometheus(body, {}) == FOR_PROMETHEUS


def test_a_report_of_prune():
    amounts = {"found": {"files": 9, "bytes": 90}, "failed": {"files": 1, "bytes": 10}}
    changed = {"report": "rollup-job prune", "keep": {"days": 3}, "graceSeconds": 7, "hfiles": amounts}
    names = {
        point["metric"].removeprefix("tsdbsuite.rollup-job-prune.")
        for point in script().points({**REPORT, **changed}, {})
    }
    assert {name for name in names if not name.startswith("rows")} == {
        *("exitCode", "booksClose", "seconds", "secondsByPhase.roll-up"),
        *("hfiles.found.files", "hfiles.found.bytes", "hfiles.failed.files", "hfiles.failed.bytes"),
    }


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"report": "other"}, "must be a report of"),
        ({"state": "running"}, "has not ended"),
        ({"ended": "now"}, "ended must be a time, found: 'now'"),
        ({"started": None}, "started must be a time, found: None"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, capsys, changed, message):
    file = tmp_path / "report.json"
    file.write_text(json.dumps({**REPORT, **changed}))
    assert script().main([str(file)]) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tag", "job"], "must be KEY=VALUE"),
        (["--put", "file:///etc/passwd"], "must begin with http:// or https://"),
        (["--send", "x"], "unrecognized arguments"),
        (["--textfile", "x.txt"], "must end with .prom"),
        (["--textfile", "x.prom", "--put", "http://tsd:4242"], "not allowed with"),
    ],
)
def test_wrong_options_are_refused(capsys, options, message):
    with pytest.raises(SystemExit) as e:
        script().main(["report.json", *options])
    assert e.value.code == 2
    assert message in capsys.readouterr().err
