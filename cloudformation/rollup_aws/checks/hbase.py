"""The TSDs' HBase, which the coverage needs: opentsdb.conf names its ZooKeeper; and its rollup tables."""

import ipaddress
import json
import re
from typing import Optional

from .. import run
from ..errors import AwsError
from . import OK, PROBLEM, UNKNOWN, WARNING, Context, Finding

_KEY = "tsd.storage.hbase.zk_quorum"
_THING = "coverage"


def quorum(context: Context) -> list:
    """Whether the job's nodes may reach the ZooKeeper servers, as far as their names tell."""
    cidr = context.settings["HBaseCidr"]
    if not cidr:
        return [Finding(OK, _THING, "none, because HBaseCidr is empty: rollup-query will read raw data")]
    try:
        network = ipaddress.ip_network(cidr, strict=False)
    except ValueError:
        return [Finding(PROBLEM, "HBaseCidr", f"{cidr} is not a network, such as 10.2.0.0/16")]
    servers = _servers(context)
    if not servers:
        text = f"{_KEY} is not in opentsdb.conf, so the job would look for HBase on its own machine"
        return [Finding(PROBLEM, _THING, text)]
    wrong = [host for host in servers if _is_own(host)]
    outside = [host for host in servers if not _is_own(host) and not _inside(host, network)]
    findings = []
    if wrong:
        text = f"{_KEY} of opentsdb.conf names {', '.join(wrong)}, which is the job's own machine"
        findings.append(Finding(PROBLEM, _THING, text))
    if outside:
        findings.append(
            Finding(PROBLEM, "HBaseCidr", f"{cidr} does not contain {', '.join(outside)} of {_KEY}")
        )
    text = f"in the HBase of {', '.join(servers)}; the VPC must resolve the names of its servers"
    return findings or [Finding(OK, _THING, text)]


def hfiles(context: Context) -> list:
    """With HFiles instead of Kafka: what would end each run or each load, and what no check here can see."""
    if context.settings.has_kafka:
        return []
    thing = "HFiles"
    findings = []
    if _is_on(context, "hbase.security.auth.enable"):
        text = (
            "opentsdb.conf has hbase.security.auth.enable: the job has no Kerberos ticket, so it can neither"
            " ask HBase for its regions nor load"
        )
        findings.append(Finding(PROBLEM, thing, text))
    if _is_on(context, "tsd.rollups.tag_raw"):
        text = "opentsdb.conf has tsd.rollups.tag_raw: runs to HFiles refuse it"
        findings.append(Finding(PROBLEM, thing, text))
    options = context.settings["ExtraJobOptions"]
    if _needs_names(context) and not re.search('"--metrics[="]|"--uid-source(=|",")hbase"', options):
        text = (
            "suite of rollup_config.json chooses metrics by name, and runs to HFiles then read names from"
            ' HBase: add "--uid-source","hbase" to parameters.ExtraJobOptions'
        )
        findings.append(Finding(PROBLEM, thing, text))
    text = (
        "whether the region servers read the log bucket: docs/aws-reference.md, HFiles, has a command that"
        " tries it there"
    )
    return [*findings, Finding(UNKNOWN, thing, text)]


def tiers(context: Context) -> list:
    """What the nights cannot or do not do of the policy of tiers."""
    findings = []
    if not context.settings["TiersTables"]:
        return findings
    if _is_on(context, "hbase.security.auth.enable"):
        text = (
            "opentsdb.conf has hbase.security.auth.enable: the job has no Kerberos ticket, so it cannot read"
            " the coverage table, without which no raw data and no rollups are proven"
        )
        findings.append(Finding(PROBLEM, "TiersTables", text))
    lacking = sorted(_histogram_tables(context) - set(context.settings.types("TiersTables")))
    if lacking:
        text = (
            f"lacks {', '.join(lacking)}, histogram tables of rollup_config.json: tiers prove compares them;"
            " export them, too, by export-snapshots.sh --rollup-table"
        )
        findings.append(Finding(PROBLEM, "TiersTables", text))
    policy = context.settings.files["tiers.json"].read_text(encoding="utf-8", errors="replace")
    if re.search(r'"idle"\s*:', policy):
        text = (
            "has idle: the nights do not prove idle series, and apply-tiers.sh does not delete them; run"
            " rollup-job tiers prove --idle and tiers apply --idle by hand"
        )
        findings.append(Finding(WARNING, "tiers.json", text))
    return findings


def verification(context: Context) -> list:
    """Whether VerifySample compares the tables that verify needs, and whether they are exported."""
    settings, aws = context.settings, context.aws
    thing = "VerifySample"
    if not settings[thing]:
        return []
    given = settings.rollup_tables
    needed = sorted(map(str, _tables(context, settings.types("Interval"))))
    if needed and needed != sorted(given):
        text = (
            "verify refuses a table more or less than rollup_config.json has for Interval: set RollupTables"
            f" to {','.join(needed)}, and export these tables"
        )
        return [Finding(PROBLEM, thing, text)]
    try:
        snapshots = run.names(aws, settings, f"{settings['BackupPrefix']}/.hbase-snapshot/")
    except AwsError as e:
        if e.absent:
            return []  # the bucket's own check says so
        raise
    newest = run.dates(settings, snapshots, settings["DataTable"])[-1:]
    lacking = [
        name
        for day in newest
        for name in (run.snapshot_name(settings, table, day) for table in given)
        if name not in snapshots
    ]
    if lacking:
        text = f"the newest night, {newest[0]}, lacks {', '.join(lacking)}: nothing would be compared"
        return [Finding(PROBLEM, thing, text, (run.export_command(settings),))]
    text = f"compares {settings[thing]} of the series, for nearly the cost of the runs"
    return [Finding(OK, thing, text)]


def _tables(context: Context, intervals: list) -> set:
    """The tables of the rollups of intervals; none if the file is wrong, as the job says."""
    try:
        config = _rollup_config(context)
        plain = {each["table"] for each in config["intervals"] if each["interval"] in intervals}
        packed = config.get("suite", {}).get("packed", {})
        more = {table for interval, table in packed.items() if interval in intervals}
        return plain | more | _histogram_tables(context, intervals)
    except (ValueError, KeyError, AttributeError, TypeError):
        return set()


def _histogram_tables(context: Context, only: Optional[list] = None) -> set:
    """The tables of the intervals of suite.histograms; none if the file is wrong, as the job says."""
    try:
        suite = _suite(context)
        intervals = {each for entry in suite.get("histograms", []) for each in entry["intervals"].split(",")}
        return {suite["histogramTables"][each] for each in intervals if only is None or each in only}
    except (ValueError, KeyError, AttributeError, TypeError):
        return set()


def _rollup_config(context: Context) -> dict:
    text = context.settings.files["rollup_config.json"].read_text(encoding="utf-8", errors="replace")
    return json.loads(text)


def _needs_names(context: Context) -> bool:
    """Whether suite chooses metrics by their names; not if the file is wrong, as the job says."""
    try:
        suite = _suite(context)
        return bool(suite.get("values") or suite.get("histograms"))
    except (ValueError, AttributeError):
        return False


def _suite(context: Context) -> dict:
    return _rollup_config(context).get("suite", {})


def _is_on(context: Context, key: str) -> bool:
    pattern = rf"^[ \t]*{re.escape(key)}[ \t]*[=:][ \t]*true\b"
    return bool(re.search(pattern, _conf(context), re.M | re.I))


def _conf(context: Context) -> str:
    return context.settings.files["opentsdb.conf"].read_text(encoding="utf-8", errors="replace")


def _servers(context: Context) -> list:
    """The ZooKeeper servers without ports, as the job reads them: an option wins."""
    text = _conf(context)
    found = re.findall(rf"^[ \t]*{re.escape(_KEY)}[ \t]*[=:][ \t]*(\S.*?)[ \t]*$", text, re.MULTILINE)
    found += re.findall(rf'"--{re.escape(_KEY)}(?:=|",")([^"]+)"', context.settings["ExtraJobOptions"])
    servers = found[-1].split("/")[0] if found else ""
    return [re.sub(r":\d+$", "", each.strip()) for each in servers.split(",") if each.strip()]


def _is_own(host: str) -> bool:
    return host == "localhost" or host.startswith("127.")


def _inside(host: str, network: ipaddress.IPv4Network) -> bool:
    try:
        return ipaddress.ip_address(host) in network
    except ValueError:
        return True  # a name, which only the VPC can resolve
