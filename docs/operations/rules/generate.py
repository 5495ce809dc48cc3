#!/usr/bin/env python3
"""Makes the alert rules of Grafana and of Prometheus from the files beside this script; needs PyYAML."""

import re
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ALERTS = HERE.parent / "alerts"
GRAFANA = """\
# Alert rules of {name} for Grafana's provisioning (provisioning/alerting/). OPENTSDB_UID in Grafana's
# environment is the uid of the OpenTSDB data source; Grafana reads $$ as $ here. README.md in the folder
# above has the runbook, by the rules' uids. Made by rules/generate.py.
"""
PROMETHEUS = """\
# Alert rules of {name} for Prometheus (rule_files). README.md in the folder operations has the runbook, by
# the rules' names. Made by rules/generate.py.
"""


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as blocks."""


def _text(dumper: yaml.Dumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def files() -> dict:
    """The text of each file to make, by its path."""
    made = {}
    for source in sorted(HERE.glob("*.yaml")):
        content = yaml.safe_load(source.read_text(encoding="utf-8"))
        name = source.stem
        made[ALERTS / source.name] = GRAFANA.format(name=name) + _dump(_grafana(name, content))
        made[ALERTS / "prometheus" / source.name] = PROMETHEUS.format(name=name) + _dump(
            _prometheus(name, content)
        )
    return made


def _dump(content: dict) -> str:
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, width=110, allow_unicode=True)


def _runbook(rule: dict) -> str:
    return f"docs/operations/README.md#{rule['uid']}"


# ---- Grafana, over OpenTSDB ----


def _grafana(name: str, content: dict) -> dict:
    group = {
        "orgId": 1,
        "name": name,
        "folder": "OpenTSDB suite",
        "interval": content["interval"],
        "rules": [_grafana_rule(rule) for rule in content["rules"]],
    }
    return {"apiVersion": 1, "groups": [group]}


def _grafana_rule(rule: dict) -> dict:
    data = []
    for ref, query in rule["opentsdb"].items():
        if ref != "when":
            data += [_query(ref, query), _expression(ref, _reduction(ref, query))]
    condition = {"refId": "C", "type": "math", "expression": rule["opentsdb"]["when"].replace("$", "$$")}
    summary = rule["summary"].replace("{value}", "{{ $$values.A.Value }}")
    return {
        "uid": rule["uid"],
        "title": rule["title"],
        "condition": "C",
        "for": rule.get("for", "0s"),
        "noDataState": "Alerting" if rule.get("firesWithoutData") else "OK",
        # OpenTSDB refuses a query of a metric that it has never stored: that of a part that does not run.
        "execErrState": "Alerting" if rule.get("firesWithoutData") else "OK",
        "labels": {"severity": rule["severity"], "suite": "opentsdb"},
        "annotations": {
            "summary": re.sub(r"(?<!\{)\{(\w+)\}", r"{{ $$labels.\1 }}", summary),
            "runbook_url": _runbook(rule),
        },
        "data": [*data, _expression("C", condition)],
    }


def _query(ref: str, query: dict) -> dict:
    interval, downsample = query["downsample"].split("-")
    filters = [_filter(tag, "wildcard", "*", True) for tag in query.get("by", [])]
    filters += [_filter(tag, "literal_or", text, False) for tag, text in query.get("where", {}).items()]
    rate = query.get("rate", False)
    model = {
        "refId": ref + "Q",
        "metric": query["metric"],
        "aggregator": query["aggregator"],
        "downsampleInterval": interval,
        "downsampleAggregator": downsample,
        "downsampleFillPolicy": "none",
        "shouldComputeRate": rate,
        "filters": filters,
    }
    if rate:
        model |= {"isCounter": True, "counterResetValue": "0"}
    return {
        "refId": ref + "Q",
        "relativeTimeRange": {"from": query["from"], "to": query.get("to", 0)},
        "datasourceUid": "${OPENTSDB_UID}",
        "model": model,
    }


def _filter(tag: str, kind: str, text: str, group: bool) -> dict:
    return {"tagk": tag, "type": kind, "filter": text, "groupBy": group}


def _reduction(ref: str, query: dict) -> dict:
    return {
        "refId": ref,
        "type": "reduce",
        "expression": ref + "Q",
        "reducer": query["reduce"],
        "settings": {"mode": "dropNN"},
    }


def _expression(ref: str, model: dict) -> dict:
    return {"refId": ref, "datasourceUid": "__expr__", "model": model}


# ---- Prometheus ----


def _prometheus(name: str, content: dict) -> dict:
    rules = [_prometheus_rule(rule) for rule in content["rules"]]
    return {"groups": [{"name": name, "interval": content["interval"], "rules": rules}]}


def _prometheus_rule(rule: dict) -> dict:
    made = {"alert": rule["uid"], "expr": rule["prometheus"].strip()}
    if "for" in rule:
        made["for"] = rule["for"]
    # Prometheus gives a target the label instance; in OpenTSDB it is the tag host.
    labels = re.sub(r"\{(\w+)\}", r"{{ $labels.\1 }}", rule["summary"].replace("{host}", "{instance}"))
    made["labels"] = {"severity": rule["severity"], "suite": "opentsdb"}
    made["annotations"] = {
        "summary": f"{rule['title']}: {labels}".replace("{{ $labels.value }}", "{{ $value }}"),
        "runbook_url": _runbook(rule),
    }
    return made


def main() -> int:
    (ALERTS / "prometheus").mkdir(exist_ok=True)
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
