"""The alert rules for Prometheus, evaluated by Prometheus's own promtool over series of an hour and more.

promtool is the one on PATH, or that of Debian's package prometheus, which apt downloads and does not install.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from conftest import FOLDER

RULES = FOLDER.parent / "docs" / "operations" / "alerts" / "prometheus"
FLINK = "flink_taskmanager_job_task_operator_stream_rollup_"
TSD = '{instance="tsd:4242",group="g"}'
META = '{instance="tsd:4242"}'

# A sample a minute. "0x59 1x30": 0 for an hour, then 1 for 31 minutes. "_": no sample.
# For each rule: series that must fire it (or a list of such), series that must not, and the minute at which
# both are true.
CASES = {
    "loader-failed": (
        {"tsdbsuite_bulk_loader_exit_code": "0x9 1x30"},
        {"tsdbsuite_bulk_loader_exit_code": "0x40"},
        30,
    ),
    "ingest-dead-letters": (
        {'kafka_ingest_dead_letters_total{group="g",reason="not-json"}': "0x59 1x30"},
        {'kafka_ingest_dead_letters_total{group="g",reason="not-json"}': "7x90"},
        62,
    ),
    "ingest-lost-messages": (
        {"kafka_ingest_lost_messages_total" + TSD: "0x59 5x30"},
        {"kafka_ingest_lost_messages_total" + TSD: "5x90"},
        62,
    ),
    "ingest-lag": (
        {"kafka_ingest_lag_messages" + TSD: "9000x60 20000x60"},
        # As large, and as large an hour ago.
        {"kafka_ingest_lag_messages" + TSD: "20000x120"},
        85,
    ),
    "ingest-stands": (
        {"kafka_ingest_stalled_seconds" + TSD: "0x9 0+60x40"},
        {"kafka_ingest_stalled_seconds" + TSD: "0+30x20 0x40"},
        40,
    ),
    "ingest-not-ready": (
        {"kafka_ingest_ready" + TSD: "1x9 0x60"},
        # Ready once every ten minutes.
        {"kafka_ingest_ready" + TSD: "0x9 1 0x9 1 0x9 1 0x9 1 0x9 1 0x9 1"},
        60,
    ),
    "ingest-repairs-wait": (
        {"kafka_ingest_repairs_waiting" + TSD: "1x60"},
        {"kafka_ingest_repairs_waiting" + TSD: "1x9 0 1x9 0 1x9 0 1x9 0 1x9 0"},
        40,
    ),
    "ingest-storage-failures": (
        {"kafka_ingest_storage_failures_total" + TSD: "0+1x60"},
        # One outage, over after a minute.
        {"kafka_ingest_storage_failures_total" + TSD: "0x9 1x60"},
        40,
    ),
    "seh-lost": (
        {'kafka_ingest_seh_points_total{instance="tsd:4242",state="lost"}': "0x59 3x30"},
        {
            'kafka_ingest_seh_points_total{instance="tsd:4242",state="lost"}': "3x90",
            'kafka_ingest_seh_points_total{instance="tsd:4242",state="sent"}': "0+9x90",
        },
        62,
    ),
    "publisher-dropped": (
        {'kafka_ingest_publisher_points_total{instance="tsd:4242",state="dropped"}': "0x59 3x30"},
        {
            'kafka_ingest_publisher_points_total{instance="tsd:4242",state="dropped"}': "3x90",
            'kafka_ingest_publisher_points_total{instance="tsd:4242",state="sent"}': "0+9x90",
        },
        62,
    ),
    "rollup-no-success": (
        # Its last run of success ended at time 0, and a run failed since.
        {
            "tsdbsuite_rollup_job_ended_timestamp_seconds": "0x1440 86400x600",
            "tsdbsuite_rollup_job_exit_code": "0x1440 3x600",
        },
        {
            "tsdbsuite_rollup_job_ended_timestamp_seconds": "0x1440 86400x600",
            "tsdbsuite_rollup_job_exit_code": "0x2000",
        },
        1830,
    ),
    "rollup-books": (
        {"tsdbsuite_rollup_job_books_close": "0x60"},
        {"tsdbsuite_rollup_job_books_close": "1x60"},
        30,
    ),
    "rollup-rows-failed": (
        {"tsdbsuite_rollup_job_rows_failed_all": "2x60"},
        {"tsdbsuite_rollup_job_rows_failed_all": "0x60"},
        30,
    ),
    "hfile-load-failed": (
        {"tsdbsuite_rollup_job_load_exit_code": "3x60"},
        {"tsdbsuite_rollup_job_load_exit_code": "0x60"},
        30,
    ),
    "nightly-failed": (
        {"tsdbsuite_rollup_nightly_exit_code": "3x60"},
        {"tsdbsuite_rollup_nightly_exit_code": "0x60"},
        30,
    ),
    "nightly-not-covered": (
        {"tsdbsuite_rollup_nightly_days_not_covered": "2x60"},
        {"tsdbsuite_rollup_nightly_days_not_covered": "0x60"},
        30,
    ),
    "verify-findings": (
        {"tsdbsuite_rollup_job_verify_exit_code": "1x60"},
        {"tsdbsuite_rollup_job_verify_exit_code": "0x60"},
        30,
    ),
    "stream-stands": (
        {"flink_jobmanager_numRunningJobs": "1x9 0x60"},
        {"flink_jobmanager_numRunningJobs": "1x9 0x4 1x60"},
        30,
    ),
    "stream-lags": (
        {FLINK + "watermarkDelay": "1000000x60"},
        {FLINK + "watermarkDelay": "1000000x9 60000 1000000x9 60000 1000000x9 60000 1000000x30"},
        31,
    ),
    "stream-missed": (
        # The job started anew with what a checkpoint had: the counter begins above 0.
        {FLINK + "missed": "2x30 _x5 9x60"},
        {FLINK + "missed": "2x30 _x5 2x60"},
        40,
    ),
    "stream-checkpoint-old": (
        {
            "flink_jobmanager_job_numberOfCompletedCheckpoints": "0+1x30 31x60",
            "flink_jobmanager_job_runningTime": "0+60000x90",
        },
        {
            "flink_jobmanager_job_numberOfCompletedCheckpoints": "0+1x90",
            "flink_jobmanager_job_runningTime": "0+60000x90",
        },
        70,
    ),
    "stream-checkpoint-failures": (
        {"flink_jobmanager_job_numberOfFailedCheckpoints": "0x59 1x30"},
        {"flink_jobmanager_job_numberOfFailedCheckpoints": "4x90"},
        62,
    ),
    "stream-not-requested": (
        {FLINK + "notRequested": "2x30 _x5 9x60"},
        {FLINK + "notRequested": "2x30 _x5 2x60"},
        40,
    ),
    "stream-dirty": (
        {FLINK + "dirty": "0+20x240", FLINK + "closed": "0+100x240"},
        {FLINK + "dirty": "0+5x240", FLINK + "closed": "0+100x240"},
        200,
    ),
    "stream-repairs-behind": (
        [
            {FLINK + "requested": "0+120x240", "kafka_ingest_repairs_total" + TSD: "0+10x240"},
            # No group repairs.
            {FLINK + "requested": "0+120x240"},
        ],
        {FLINK + "requested": "0+120x240", "kafka_ingest_repairs_total" + TSD: "0+120x240"},
        200,
    ),
    "query-off": (
        {"rollup_query_on" + META: "0x30"},
        {"rollup_query_on" + META: "1x30"},
        20,
    ),
    "query-no-rollups": (
        {"rollup_query_rollups" + META: "0x40"},
        {"rollup_query_rollups" + META: "0x9 1 0x9 1 0x9 1 0x9"},
        30,
    ),
    "query-shadow-different": (
        {"rollup_query_shadow_different_total" + META: "0x59 1x30"},
        {"rollup_query_shadow_different_total" + META: "1x90"},
        62,
    ),
    "query-raw-share": (
        {
            'rollup_query_raw_cells_total{instance="tsd:4242",reason="r"}': "0+700000x140",
            'rollup_query_rollup_cells_total{instance="tsd:4242",interval="1h"}': "0+60000x140",
        },
        {
            'rollup_query_raw_cells_total{instance="tsd:4242",reason="r"}': "0+700000x140",
            'rollup_query_rollup_cells_total{instance="tsd:4242",interval="1h"}': "0+90000x140",
        },
        130,
    ),
    "query-failed": (
        {
            'rollup_query_queries_total{instance="tsd:4242",outcome="failed"}': "0+1x60",
            'rollup_query_queries_total{instance="tsd:4242",outcome="error"}': "0+2x60",
            'rollup_query_queries_total{instance="tsd:4242",outcome="answered"}': "0+2x60",
        },
        {
            'rollup_query_queries_total{instance="tsd:4242",outcome="failed"}': "0+2x60",
            'rollup_query_queries_total{instance="tsd:4242",outcome="error"}': "0+1x60",
            'rollup_query_queries_total{instance="tsd:4242",outcome="answered"}': "0+4x60",
        },
        40,
    ),
    "query-stopped": (
        {'rollup_query_queries_total{instance="tsd:4242",outcome="memory"}': "0+2x60"},
        {
            'rollup_query_queries_total{instance="tsd:4242",outcome="memory"}': "0x9 5x60",
            'rollup_query_queries_total{instance="tsd:4242",outcome="client_gone"}': "0+9x60",
        },
        50,
    ),
    "query-coverage-unread": (
        {"rollup_query_coverage_age_seconds" + META: "0+60x30"},
        {"rollup_query_coverage_age_seconds" + META: "0+60x9 5x20"},
        25,
    ),
    "query-coverage-old": (
        {'rollup_query_coverage_lag_seconds{instance="tsd:4242",interval="1h"}': "129500+60x60"},
        # Another TSD with the same coverage knows it already.
        {
            'rollup_query_coverage_lag_seconds{instance="tsd:4242",interval="1h"}': "129500+60x60",
            'rollup_query_coverage_lag_seconds{instance="b:4242",interval="1h"}': "20000+60x60",
        },
        50,
    ),
    "meta-points-lost": (
        {"meta_cache_points_lost_total" + META: "0x59 1x30"},
        {"meta_cache_points_lost_total" + META: "1x90"},
        62,
    ),
    "meta-series-lost": (
        {"meta_cache_series_lost_total" + META: "0x59 1x30"},
        {"meta_cache_series_lost_total" + META: "1x90"},
        62,
    ),
    "meta-flush-lag": (
        {"meta_cache_flush_lag_seconds" + META: "4000x60"},
        {"meta_cache_flush_lag_seconds" + META: "4000x9 10 4000x9 10 4000x9 10 4000x30"},
        31,
    ),
    "meta-failures": (
        {"meta_cache_failures_total" + META: "0+1x60"},
        {"meta_cache_failures_total" + META: "0x9 1x60"},
        40,
    ),
    "meta-evictions": (
        {"meta_cache_evictions_total" + META: "0+100x90", "meta_cache_size_series" + META: "10000x90"},
        {"meta_cache_evictions_total" + META: "0+10x90", "meta_cache_size_series" + META: "10000x90"},
        70,
    ),
    "meta-new-series": (
        {"meta_cache_new_series_suppressed_total" + META: "0+1x60"},
        {"meta_cache_new_series_suppressed_total" + META: "9x60"},
        40,
    ),
    "meta-errors": (
        {"meta_cache_errors_total" + META: "0x59 1x30"},
        {"meta_cache_errors_total" + META: "1x90"},
        62,
    ),
}


def promtool() -> str:
    """The program; skips the tests where it cannot be had."""
    found = shutil.which("promtool")
    if found:
        return found
    target = FOLDER / "target" / "promtool"
    program = target / "usr" / "bin" / "promtool"
    if not program.exists():
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for command in (
            ["apt-get", "download", "prometheus"],
            ["sh", "-c", "dpkg-deb --extract prometheus_*.deb ."],
        ):
            try:
                subprocess.run(command, cwd=target, check=True, capture_output=True, timeout=300)
            except (OSError, subprocess.SubprocessError) as error:
                pytest.skip(f"no promtool on PATH, and apt does not bring it: {error}")
    return str(program)


def rules() -> list:
    return [
        (rule["alert"], file)
        for file in sorted(RULES.glob("*.yaml"))
        for group in yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]
        for rule in group["rules"]
    ]


def test_each_rule_has_a_case():
    assert [name for name, _ in rules()] == sorted(CASES, key=[name for name, _ in rules()].index)


def suite(rule: str, file: Path, series: dict, minute: int, fires: bool) -> dict:
    """One of promtool's unit tests."""
    return {
        "rule_files": [str(file)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "name": rule,
                "interval": "1m",
                "input_series": [{"series": name, "values": values} for name, values in series.items()],
                "promql_expr_test": [
                    {
                        "expr": f'count(ALERTS{{alertname="{rule}",alertstate="firing"}})',
                        "eval_time": f"{minute}m",
                        "exp_samples": [{"labels": "{}", "value": 1}] if fires else [],
                    }
                ],
            }
        ],
    }


def test_rules_fire_only_when_they_should(tmp_path):
    program = promtool()
    files = []
    for rule, file in rules():
        fires, quiet, minute = CASES[rule]
        all_fires = fires if isinstance(fires, list) else [fires]
        for number, series in enumerate([quiet, *all_fires]):
            test = tmp_path / f"{rule}-{number}.yaml"
            test.write_text(yaml.safe_dump(suite(rule, file, series, minute, number > 0)))
            files.append(str(test))
    checked = subprocess.run(
        [program, "check", "rules", *sorted(map(str, RULES.glob("*.yaml")))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    done = subprocess.run([program, "test", "rules", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
