"""Checks values of parameters by the template's own rules, before CloudFormation does.

parameters.json has the sections Parameters and Rules of rollup-pipeline.yaml, and the environments of
functions, because Python's library cannot read YAML; bin/check --format writes it, and a test compares them.
"""

import json
import re
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("parameters.json")


class Rules:
    """The parameters of the template."""

    def __init__(self, template: dict):
        self.parameters = template["Parameters"]
        self.rules = template.get("Rules", {})
        root = {"RootConditions": template.get("Conditions", {})}
        self.stacks = {name: {**nested, **root} for name, nested in template.get("Stacks", {}).items()}

    @classmethod
    def load(cls) -> "Rules":
        return cls(json.loads(_FILE.read_text(encoding="utf-8")))

    def complete(self, values: dict) -> dict:
        """The values, and the template's default of every other parameter that has one."""
        defaults = {name: str(rule["Default"]) for name, rule in self.parameters.items() if "Default" in rule}
        return {**defaults, **values}

    def problems(self, values: dict) -> list:
        """What is wrong with the values that a file gives, all at once; texts."""
        found = []
        for name in sorted(set(values) - set(self.parameters)):
            found.append(f"parameters.{name}: the template has no such parameter{self._similar(name)}")
        for name, rule in self.parameters.items():
            if name in values:
                found.extend(self._value(name, rule, values[name]))
            elif "Default" not in rule:
                found.append(f"parameters.{name} is missing: {rule.get('Description', rule['Type'])}")
        if not found:
            found.extend(self._rules(self.complete(values)))
        return found

    def _similar(self, name: str) -> str:
        for known in self.parameters:
            if known.lower() == name.lower():
                return f"; did you mean {known}?"
        return ""

    def _value(self, name: str, rule: dict, value: str) -> list:
        parts = [value]
        kind = rule["Type"]
        if kind == "CommaDelimitedList" or kind.startswith("List<"):
            parts = [part.strip() for part in value.split(",")]
        problems = []
        for part in parts:
            problem = _broken(rule, kind, part)
            if problem:
                problems.append(f"parameters.{name}: '{part}' {problem}")
        return problems

    def _rules(self, values: dict) -> list:
        problems = []
        for rule in self.rules.values():
            if "RuleCondition" in rule and not _evaluate(rule["RuleCondition"], values):
                continue
            for each in rule["Assertions"]:
                if not _evaluate(each["Assert"], values):
                    problems.append(
                        "parameters: " + each.get("AssertDescription", json.dumps(each["Assert"]))
                    )
        return problems


def _broken(rule: dict, kind: str, value: str) -> str:  # noqa: PLR0911  one for each rule
    explanation = rule.get("ConstraintDescription") or rule.get("Description") or ""
    allowed = [str(each) for each in rule.get("AllowedValues", [])]
    if allowed and value not in allowed:
        return "is none of " + ", ".join(allowed)
    if kind == "Number":
        # Every number of the template counts something; CloudFormation itself takes decimals.
        if not re.fullmatch(r"-?[0-9]+", value):
            return "is not a whole number"
        low, high = rule.get("MinValue"), rule.get("MaxValue")
        if (low is not None and float(value) < float(low)) or (
            high is not None and float(value) > float(high)
        ):
            return f"is not from {low} to {high}"
    ids = re.search(r"AWS::EC2::(\w+)::Id", kind)
    if ids:
        prefix = {"VPC": "vpc", "Subnet": "subnet", "SecurityGroup": "sg"}.get(ids[1])
        if prefix and not re.fullmatch(prefix + "-[0-9a-f]+", value):
            return f"is not the id of a {ids[1]} ({prefix}-...)"
    pattern = rule.get("AllowedPattern")
    if pattern and not re.fullmatch(pattern, value):
        return f"does not match {pattern}" + (f" ({explanation})" if explanation else "")
    if len(value) < int(rule.get("MinLength", 0)) or len(value) > int(rule.get("MaxLength", 4096)):
        return f"has {len(value)} characters"
    return ""


def _evaluate(expression: Any, values: dict) -> Any:  # noqa: PLR0911  one for each function
    """A condition of the section Rules, in the functions that CloudFormation allows there."""
    if not isinstance(expression, dict):
        return expression
    ((function, argument),) = expression.items()
    if function == "Ref":
        return values.get(argument, "")
    arguments = [_evaluate(each, values) for each in argument]
    if function == "Fn::Equals":
        return str(arguments[0]) == str(arguments[1])
    if function == "Fn::Not":
        return not arguments[0]
    if function == "Fn::And":
        return all(arguments)
    if function == "Fn::Or":
        return any(arguments)
    if function == "Fn::Contains":
        return str(arguments[1]) in [str(each) for each in arguments[0]]
    raise ValueError(f"rules.py does not know {function}")
