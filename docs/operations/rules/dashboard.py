#!/usr/bin/env python3
"""Prints the dashboard for Prometheus: the panels of the one for OpenTSDB, with other queries."""

import importlib.util
import json
import re
import sys
from pathlib import Path

OPERATIONS = Path(__file__).resolve().parent.parent
SOURCE = OPERATIONS / "grafana-dashboard.json"
_DATA_SOURCE = {"type": "prometheus", "uid": "${prometheus}"}
_STREAM = "tsdbsuite.stream-rollup."
_TASKS = "flink_taskmanager_job_task_operator_"

# Names with a unit, and those of Flink that are no metrics of the job's own.
_NAMES = {
    "tsd.kafka-ingest.lag": "kafka_ingest_lag_messages",
    "tsd.meta.cache.hit_ratio": "meta_cache_hit_ratio_percent",
    "tsd.meta.cache.size": "meta_cache_size_series",
    "tsd.meta.cache.new_series.top": "meta_cache_new_series_top_series",
    _STREAM + "pendingRecords": _TASKS + "pendingRecords",
    _STREAM + "recordsLagMax": _TASKS + "KafkaSourceReader_KafkaConsumer_records_lag_max",
    _STREAM + "running": "flink_jobmanager_numRunningJobs",
    _STREAM + "checkpoint.bytes": "flink_jobmanager_job_lastCheckpointFullSize",
    _STREAM + "checkpoint.seconds": "flink_jobmanager_job_lastCheckpointDuration / 1000",
}
# Flink has no such metric.
_ABSENT = {_STREAM + "checkpoint.age"}


def text() -> str:
    """The dashboard, JSON."""
    dashboard = json.loads(SOURCE.read_text(encoding="utf-8"))
    dashboard["uid"] += "-prometheus"
    dashboard["title"] += " (Prometheus)"
    for variable in dashboard["templating"]["list"]:
        if variable["name"] == "opentsdb":
            variable.update(name="prometheus", label="Prometheus", query="prometheus")
    for panel in dashboard["panels"]:
        if panel.get("datasource", {}).get("type") == "opentsdb":
            panel["datasource"] = _DATA_SOURCE
            found = [each for each in panel["targets"] if each["metric"] not in _ABSENT]
            panel["targets"] = [_target(each) for each in found]
    return json.dumps(dashboard, indent=1, ensure_ascii=False) + "\n"


def _target(target: dict) -> dict:
    alias = re.sub(r"\$tag_(\w+)", r"{{\1}}", target.get("alias") or "")
    return {
        "refId": target["refId"],
        "datasource": _DATA_SOURCE,
        "expr": _expression(target),
        "legendFormat": alias or "__auto",
    }


def _expression(target: dict) -> str:
    metric = target["metric"]
    labels = [each["tagk"] for each in target["filters"] if each["groupBy"]]
    where = [f'{each["tagk"]}="{each["filter"]}"' for each in target["filters"] if not each["groupBy"]]
    rate = target["shouldComputeRate"]
    selector = _name(metric, rate) + ("{" + ",".join(where) + "}" if where else "")
    aggregator = target["aggregator"] + (f" by ({', '.join(labels)})" if labels else "")
    if rate and metric.startswith(_STREAM):
        # After a change of the parallelism a task may have the counts of another one.
        return f"rate({aggregator}({selector})[$__rate_interval:])"
    return f"{aggregator}(rate({selector}[$__rate_interval]))" if rate else f"{aggregator}({selector})"


def _name(metric: str, rate: bool) -> str:
    if metric in _NAMES:
        return _NAMES[metric]
    if metric.startswith(_STREAM):
        return _TASKS + "stream_rollup_" + metric.removeprefix(_STREAM)
    if metric.startswith("tsd."):
        name = re.sub(r"[.-]", "_", metric.removeprefix("tsd."))
        # Also a count that is shown as it is.
        return name + "_total" if rate or name.endswith("lost_messages") else name
    return _REPORTS.prometheus_name(metric)


def _reports() -> object:
    spec = importlib.util.spec_from_file_location("report_metrics", OPERATIONS / "report-metrics.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True  # nothing beside the documents
    spec.loader.exec_module(module)
    return module


_REPORTS = _reports()

if __name__ == "__main__":
    sys.stdout.buffer.write(text().encode())
