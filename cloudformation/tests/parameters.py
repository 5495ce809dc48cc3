"""rollup_aws/parameters.json: what rollup-aws checks values by. The sections Parameters, Rules and Conditions
of rollup-pipeline.yaml, and of its nested templates the types of resources and the environments of functions.

Run as a script it writes the file; test_rollup_aws.py compares the two.
"""

import json

from conftest import FOLDER, load

FILE = FOLDER / "rollup_aws" / "parameters.json"


def text() -> str:
    template = load("rollup-pipeline.yaml")
    content = {name: template[name] for name in ("Parameters", "Rules")}
    content["Conditions"] = template.get("Conditions", {})
    content["Stacks"] = stacks(template)
    # A line for each entry of a section: the file is generated, and still to be compared by eye.
    sections = [
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(key)}: {json.dumps(entry)}" for key, entry in entries.items())
        + "\n}"
        for name, entries in content.items()
    ]
    return "{\n" + ",\n".join(sections) + "\n}\n"


def stacks(root: dict) -> dict:
    """Of each nested stack its types with their conditions, the environments of its functions, and what the
    values in these come from.
    """
    found = {}
    for name, resource in root["Resources"].items():
        nested = load(resource["Properties"]["TemplateURL"])
        functions = {
            logical: each["Properties"]["Environment"]["Variables"]
            for logical, each in nested["Resources"].items()
            if each["Type"] == "AWS::Lambda::Function" and "Environment" in each["Properties"]
        }
        types: dict = {}
        for each in nested["Resources"].values():
            types.setdefault(each["Type"], set()).add(each.get("Condition", ""))
        found[name] = {
            "Condition": resource.get("Condition", ""),
            "Given": resource["Properties"].get("Parameters", {}),
            "Conditions": nested.get("Conditions", {}),
            "Mappings": nested.get("Mappings", {}) if functions else {},
            "Types": {kind: sorted(conditions) for kind, conditions in sorted(types.items())},
            "Functions": functions,
        }
    return found


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
