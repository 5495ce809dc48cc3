"""The parameter file: one JSON object that describes one deployment."""

import json
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

from . import environments, secret_keys
from .errors import ConfigurationError
from .prune_rules import count_problem, grace_problem
from .rules import Rules

ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder of the suite, in which `make package` makes the jars."""

_KEYS = {
    "stack": str,
    "region": str,
    "profile": str,
    "tags": dict,
    "parameters": dict,
    "files": dict,
    "prune": dict,
    "secretKeys": list,
}
_KINDS = {str: "a text", dict: "an object", list: "a list"}
SUMS = "SHA256SUMS"
"""Written last, in the format of sha256sum: an upload with this object is complete."""

_TAGS_OF_STACK = ("Name", "opentsdb-rollup-stack", "for-use-with-amazon-emr-managed-policies")
_NO_KAFKA = "NONE"
_KAFKA_ONLY = ("--kafka-property", "--rollups-per-message", "--max-messages-per-second")
"""Options that the job takes with the sink kafka only; lambda-trigger's JobSettings has the same."""

_FILES = ("opentsdb.conf", "rollup_config.json")
_PRUNE = {"keepDays": 14, "keepWeeks": 8, "keepMonths": 12, "grace": "7d"}


@dataclass
class Settings:
    """The content of a parameter file that breaks no rule."""

    path: Path
    stack: str
    region: str
    parameters: dict  # of the template, complete with its defaults
    profile: Optional[str] = None
    tags: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)  # local paths by the name of the artifact
    prune: dict = field(default_factory=dict)
    secret_keys: Optional[list] = None  # names in the secret of Kafka; None: upload reads them

    def __getitem__(self, parameter: str) -> str:
        """The value of a parameter of the template; empty if the template does not have it."""
        return self.parameters.get(parameter, "")

    @property
    def serverless(self) -> bool:
        return self["ComputeKind"] != "EMR"

    @property
    def has_kafka(self) -> bool:
        """Whether runs send messages; otherwise they write HFiles, which HBase loads."""
        return self["KafkaSecurity"] != _NO_KAFKA

    @property
    def backup_region(self) -> str:
        return self["BackupRegion"] or self.region

    @property
    def backup_root(self) -> str:
        """The root of the exports, without a slash at its end."""
        return f"s3://{self['BackupBucket']}/{self['BackupPrefix']}"

    @property
    def artifact_root(self) -> str:
        return f"s3://{self['ArtifactBucket']}/{self['ArtifactPrefix']}"

    @property
    def subnets(self) -> list:
        return _list(self["SubnetIds"])

    @property
    def run_tags(self) -> dict:
        """The tags of clusters and job runs, without those that the stack gives them itself."""
        return {name: value for name, value in self.tags.items() if name not in _TAGS_OF_STACK}

    @property
    def kafka_ports(self) -> tuple:
        """The first and the last port of the brokers."""
        return _ports(self.parameters)

    @property
    def executors(self) -> int:
        """EMR Serverless: how many executors run beside the driver, by Workers and MaximumCapacity."""
        most = _most_workers(self.parameters)
        workers = int(self["Workers"])
        return workers if most is None else min(workers, most - 1)

    @property
    def rollup_tables(self) -> list:
        """The tables that are exported beside those of data and UIDs."""
        return self.types("RollupTables") or self.types("TiersTables")

    def types(self, parameter: str) -> list:
        return _list(self[parameter])


def _ports(values: dict) -> tuple:
    """KafkaPort and KafkaPortTo, which a template may lack; ValueError if they are no numbers."""
    first = int(values.get("KafkaPort", ""))
    return first, int(values.get("KafkaPortTo") or first)


def _most_workers(values: dict) -> Optional[int]:
    """How many workers of WorkerSize MaximumCapacity lets run at a time; None without such a limit."""
    if not values.get("MaximumCapacity"):
        return None
    sizes = zip(values["MaximumCapacity"].split("x"), values["WorkerSize"].split("x"))
    return min(int(most) // int(each) for most, each in sizes)


def _list(text: str) -> list:
    return [part.strip() for part in text.split(",") if part.strip()]


def load(path: Path, rules: Optional[Rules] = None) -> Settings:
    """Reads a parameter file. Raises ConfigurationError with all of its problems."""
    content = _read(path)
    problems = []
    for key in sorted(set(content) - set(_KEYS)):
        problems.append(f"{key}: unknown; the file has {', '.join(_KEYS)}")
    for key, kind in _KEYS.items():
        if key in content and not isinstance(content[key], kind):
            problems.append(f"{key}: must be {_KINDS[kind]}")
            content[key] = kind()
    for key in ("stack", "region"):
        if not content.get(key):
            problems.append(f"{key} is missing")
    stack, region = content.get("stack", ""), content.get("region", "")
    if stack and not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,59}", stack):
        problems.append(
            f"stack: '{stack}' must begin with a letter, and have letters, digits, hyphens; at most 60"
        )
    if region and not re.fullmatch(r"[a-z]{2}(-[a-z]+)+-\d", region):
        problems.append(f"region: '{region}' is not the name of a region, such as eu-west-1")
    tags, more = _tags(content.get("tags", {}))
    problems += more
    files, more = _files(content.get("files", {}), path)
    problems += more
    prune, more = _prune(content.get("prune", {}))
    problems += more
    values, more = _texts(content.get("parameters", {}), "parameters")
    problems += more
    rules = rules or Rules.load()
    problems += rules.problems(values)
    complete = rules.complete(values)
    problems += _across(complete, files)
    names = content.get("secretKeys")
    if names is not None:
        problems += _secret_keys(names, complete)
    if not problems:
        problems += environments.problems(rules.stacks, complete, stack, region)
    if problems:
        raise ConfigurationError(*(f"{path}: {problem}" for problem in problems))
    profile = content.get("profile") or None
    return Settings(path, stack, region, complete, profile, tags, files, prune, names)


def _read(path: Path) -> dict:
    def once(pairs: list) -> dict:
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ConfigurationError(f"{path}: {', '.join(twice)}: given twice")
        return dict(pairs)

    try:
        content = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=once)
    except OSError as e:
        raise ConfigurationError(f"{path}: cannot be read: {e.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path}: is not UTF-8") from None
    except json.JSONDecodeError as e:
        raise ConfigurationError(f"{path}: is not JSON, line {e.lineno}, column {e.colno}: {e.msg}") from None
    except RecursionError:
        raise ConfigurationError(f"{path}: is nested too deeply") from None
    except ValueError:  # of Python, whose integers have at most 4,300 digits
        raise ConfigurationError(f"{path}: has a number with too many digits") from None
    if not isinstance(content, dict):
        raise ConfigurationError(f"{path}: must be one JSON object")
    return content


def _texts(content: dict, where: str) -> tuple:
    values, problems = {}, []
    for name, value in content.items():
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            values[name] = ",".join(value)
        elif isinstance(value, str) or (isinstance(value, (int, float)) and not isinstance(value, bool)):
            values[name] = str(value)
        else:
            problems.append(f"{where}.{name}: must be a text, a number or a list of texts")
            values[name] = ""
    return values, problems


def _tags(content: dict) -> tuple:
    tags, problems = _texts(content, "tags")
    for name in tags:
        if not name.strip():
            problems.append(f"tags: the key '{name}' is empty")
        elif name.lower().startswith("aws:"):
            problems.append(f"tags.{name}: AWS reserves keys that begin with aws:")
        elif re.search(r'[=,"\\]', name + tags[name]):
            problems.append(f'tags.{name}: = , " and \\ cannot be in tags of clusters and job runs')
    return tags, problems


def _files(content: dict, path: Path) -> tuple:
    """Paths are relative to the parameter file."""
    files, problems = {}, []
    for name in dict.fromkeys((*_FILES, *content)):
        value = content.get(name, name)
        if not isinstance(value, str) or not value:
            problems.append(f"files.{name}: must be the path of a file")
            continue
        if not re.fullmatch(r"[A-Za-z0-9!_.()-]+", name):
            problems.append(f"files.{name}: is not the plain name of a file")
        if name == SUMS:
            problems.append(f"files.{name}: rollup-aws itself writes this one")
        file = path.parent / value
        try:
            if not file.is_file():
                problems.append(f"files.{name}: {file} is not a file")
        except OSError as e:
            problems.append(f"files.{name}: {file} cannot be read: {e.strerror}")
        files[name] = file
    return files, problems


def _prune(content: dict) -> tuple:
    problems = []
    for key in sorted(set(content) - set(_PRUNE)):
        problems.append(f"prune.{key}: unknown; prune has {', '.join(_PRUNE)}")
    values = {**_PRUNE, **{key: value for key, value in content.items() if key in _PRUNE}}
    for key in ("keepDays", "keepWeeks", "keepMonths"):
        if problem := count_problem(values[key]):
            problems.append(f"prune.{key}: {problem}")
    if problem := grace_problem(values["grace"]):
        problems.append(f"prune.grace: {problem}")
    if not problems and values["keepDays"] + values["keepWeeks"] + values["keepMonths"] == 0:
        problems.append("prune: keepDays, keepWeeks and keepMonths are 0, which would keep no night")
    return values, problems


def _secret_keys(names: list, values: dict) -> list:
    if not all(isinstance(each, str) for each in names):
        return ["secretKeys: must be a list of texts"]
    security = values.get("KafkaSecurity", "")
    if security not in secret_keys.KEYS or not values.get("KafkaSecretArn"):
        return ["secretKeys: must not be there without a secret of Kafka"]
    problem = secret_keys.problem(security, names)
    return [f"secretKeys: {problem}"] if problem else []


def _given(options: list, name: str) -> list:
    """The values of an option: --name=value or --name value."""
    values = [each[len(name) + 1 :] for each in options if each.startswith(f"{name}=")]
    return values + [value for each, value in zip(options, options[1:]) if each == name]


def _sink(values: dict, options: list) -> list:
    """Options that do not go with where the rollups go to."""
    where = "parameters.ExtraJobOptions: "
    names = {each.partition("=")[0] for each in options}
    if values.get("KafkaSecurity") == _NO_KAFKA:
        reasons = {
            **dict.fromkeys(("--sink", "--hfile-dir"), "KafkaSecurity NONE sets it"),
            **dict.fromkeys(_KAFKA_ONLY, "goes with Kafka, and KafkaSecurity is NONE"),
        }
        return [f"{where}{name}: {reason}" for name, reason in reasons.items() if name in names]
    return [
        f"{where}--sink {sink}: the pipeline writes to KafkaTopic only; with KafkaSecurity NONE to HFiles"
        for sink in _given(options, "--sink")
        if sink.lower() != "kafka"
    ]


def _across(values: dict, files: dict) -> list:
    """Rules between values, which the template cannot have."""
    problems = []
    brokers = [each for each in values.get("KafkaBootstrap", "").split(",") if re.search(":[0-9]+$", each)]
    try:
        first, last = _ports(values)
    except ValueError:
        first, last = 1, 65535  # the template's rules have told it
    if last < first:
        problems.append(f"parameters.KafkaPortTo: {last} is below KafkaPort {first}")
    others = [each for each in brokers if not first <= int(re.sub(".*:", "", each)[:6]) <= last]
    if others and last >= first:
        allowed = f"KafkaPort {first}, the only port" if first == last else f"the ports {first} to {last}"
        problems.append(
            f"parameters.KafkaBootstrap: {', '.join(others)}: not on {allowed} that the security group allows"
        )
    options = [each[1:-1] for each in re.findall('"[^"]*"', values.get("ExtraJobOptions", ""))]
    problems += _sink(values, options)
    if any(re.fullmatch("--allow-incomplete(=.*)?", each) for each in options):
        problems.append(
            "parameters.ExtraJobOptions: --allow-incomplete does not go with HoldBack, which can be 0s"
        )
    if values.get("TiersTables") and "tiers.json" not in files:
        problems.append("files.tiers.json is missing: TiersTables needs the policy")
    problems += [
        f"parameters.ExtraJobOptions: --coverage-table {table}: TiersTables needs tsdb-coverage, which has"
        " the floors"
        for table in _given(options, "--coverage-table")
        if values.get("TiersTables") and table != "tsdb-coverage"
    ]
    try:
        most = _most_workers(values)
    except (ValueError, ZeroDivisionError):
        most = None  # the template's rules have told it
    if most is not None and most < 2:
        problems.append(
            f"parameters.MaximumCapacity: {values['MaximumCapacity']} has no place for the driver and an"
            f" executor of WorkerSize {values['WorkerSize']}"
        )
    exported, proven = (set(values.get(f"{name}Tables", "").split(",")) for name in ("Rollup", "Tiers"))
    if exported != {""} and proven - exported - {""}:
        problems.append(
            f"parameters.RollupTables: lacks {', '.join(sorted(proven - exported))} of TiersTables: prune"
            " would not delete its snapshots"
        )
    zip_uri = values.get("InTransitCertificates", "")
    root = f"s3://{values.get('ArtifactBucket')}/{values.get('ArtifactPrefix')}/"
    if zip_uri and not zip_uri.startswith(root):
        problems.append(f"parameters.InTransitCertificates: '{zip_uri}' is not below {root}")
    elif zip_uri and zip_uri[len(root) :] not in files:
        problems.append(f"files.{zip_uri[len(root) :]} is missing: InTransitCertificates names it")
    return problems


def command(settings: Settings, name: str, *more: str) -> str:
    """A command of rollup-aws for the same parameter file, as a user would type it."""
    return shlex.join([program(), name, str(settings.path), *more])


def program() -> str:
    """This program as the user called it: by its name, if PATH finds it, else by the path."""
    name, called = "rollup-aws", sys.argv[0]
    found = shutil.which(name)
    if os.path.basename(called) != name or (found and os.path.samefile(found, called)):
        return name
    return called


def written(value: Any) -> str:
    """JSON in one line, for commands and inputs."""
    return json.dumps(value, separators=(",", ":"))
