"""What a stack will have: its nested stacks, types of resources, and the environments of Lambda's functions,
whose size AWS limits.

parameters.json has these as the nested templates write them, and what they take from the root.
"""

import json
import re
from typing import Any

LIMIT = 4096
"""Bytes of all variables as one JSON object: Lambda's error message has the string that it has measured."""

UNKNOWN = "x" * 63
"""In place of what only CloudFormation knows: the longest name of a bucket; no environment has more."""

_NOTHING = object()  # AWS::NoValue


def problems(stacks: dict, values: dict, stack: str, region: str) -> list:
    """What is too long; texts. `stacks` is the section Stacks of parameters.json, `values` all parameters."""
    found = []
    for function, variables in of(stacks, values, stack, region).items():
        size = len(json.dumps(variables, separators=(",", ":"), ensure_ascii=False).encode())
        if size > LIMIT:
            longest = max(values, key=lambda name: len(values[name]))
            found.append(
                f"parameters: the environment of the function {function} has {size} bytes, and Lambda takes"
                f" {LIMIT}: shorten {longest}, the longest one, by {size - LIMIT}; a quote counts twice"
            )
    return found


def of(stacks: dict, values: dict, stack: str, region: str) -> dict:
    """The variables of each function, by its logical name."""
    found = {}
    for nested, scope in _scopes(stacks, values, stack, region).values():
        for function, variables in nested["Functions"].items():
            values_of = {name: scope.value(each) for name, each in variables.items()}
            found[function] = {
                name: _text(value) for name, value in values_of.items() if value is not _NOTHING
            }
    return found


def types(stacks: dict, values: dict, stack: str, region: str) -> dict:
    """The types of the resources of each nested stack that there will be, by its logical name."""
    return {
        name: {
            kind
            for kind, conditions in nested["Types"].items()
            if any(not each or scope.holds(each) for each in conditions)
        }
        for name, (nested, scope) in _scopes(stacks, values, stack, region).items()
    }


def _scopes(stacks: dict, values: dict, stack: str, region: str) -> dict:
    """Each nested stack that there will be, and the values in it, by its logical name."""
    partition = "aws-cn" if region.startswith("cn-") else "aws"
    pseudo = {
        "AWS::StackName": stack,
        "AWS::Region": region,
        "AWS::AccountId": "0" * 12,
        "AWS::Partition": "aws-us-gov" if region.startswith("us-gov-") else partition,
        "AWS::URLSuffix": "amazonaws.com",
        "AWS::NoValue": _NOTHING,
    }
    found = {}
    for name, nested in stacks.items():
        root = _Scope({**values, **pseudo}, nested["RootConditions"], {})
        if nested["Condition"] and not root.holds(nested["Condition"]):
            continue
        given = {each: _text(root.value(value)) for each, value in nested["Given"].items()}
        found[name] = nested, _Scope({**pseudo, **given}, nested["Conditions"], nested["Mappings"])
    return found


def _text(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _items(value: Any) -> list:
    return value if isinstance(value, list) else str(value).split(",")


class _Scope:
    """CloudFormation's functions over the values of one template."""

    def __init__(self, values: dict, conditions: dict, mappings: dict):
        self._values = values
        self._conditions = conditions
        self._mappings = mappings

    def value(self, expression: Any) -> Any:  # noqa: PLR0911  one for each function
        if isinstance(expression, list):
            return [self.value(each) for each in expression]
        if not isinstance(expression, dict):
            return expression
        if len(expression) != 1:
            return UNKNOWN
        ((function, argument),) = expression.items()
        if function == "Ref":
            return self._values.get(argument, UNKNOWN)
        if function == "Fn::GetAtt":
            return UNKNOWN
        if function == "Condition":
            return self.holds(argument)
        if function == "Fn::If":
            name, yes, no = argument
            return self.value(yes if self.holds(name) else no)
        if function == "Fn::Sub":
            return self._sub(argument)
        if function not in _FUNCTIONS:
            return UNKNOWN
        return _FUNCTIONS[function](self, [self.value(each) for each in argument])

    def holds(self, condition: str) -> bool:
        return bool(self.value(self._conditions[condition]))

    def _sub(self, argument: Any) -> str:
        text, own = (argument, {}) if isinstance(argument, str) else argument
        names = {**self._values, **{name: self.value(each) for name, each in own.items()}}
        return re.sub(r"\$\{([^!}]+)\}", lambda match: _text(names.get(match[1], UNKNOWN)), text)

    def mapped(self, arguments: list) -> Any:
        table, first, second = arguments
        return self._mappings[table][first].get(second, "")


_FUNCTIONS = {
    "Fn::Equals": lambda _, each: str(each[0]) == str(each[1]),
    "Fn::Not": lambda _, each: not each[0],
    "Fn::And": lambda _, each: all(each),
    "Fn::Or": lambda _, each: any(each),
    "Fn::Join": lambda _, each: each[0].join(map(str, _items(each[1]))),
    "Fn::Split": lambda _, each: str(each[1]).split(each[0]),
    "Fn::Select": lambda _, each: _items(each[1])[int(each[0])],
    "Fn::FindInMap": _Scope.mapped,
}
