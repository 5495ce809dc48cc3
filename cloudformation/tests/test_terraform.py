"""The Terraform module: its outputs are the template's, and it asks for what the template needs."""

import json

import hcl2
import pytest
from conftest import FOLDER, ROOT

MODULE = FOLDER / "terraform"


@pytest.fixture(scope="module")
def module() -> dict:
    blocks = {}
    for file in sorted(MODULE.glob("*.tf")):
        with file.open() as text:
            for kind, items in hcl2.load(text).items():
                blocks.setdefault(kind, []).extend(items)
    # The parser keeps quotes around texts.
    return json.loads(json.dumps(blocks).replace('\\"', ""))


def named(blocks: list) -> dict:
    return {name: body for block in blocks for name, body in block.items()}


def test_outputs_are_those_of_the_template(module, templates):
    outputs = named(module["output"])
    values = [output["value"] for output in outputs.values()]
    for name in templates[ROOT]["Outputs"]:
        reference = f"lookup(aws_cloudformation_stack.rollup.outputs, {name}, null)"
        assert sum(reference in value for value in values) == 1, name
    assert len(values) == len(templates[ROOT]["Outputs"])
    assert all(output["description"] for output in outputs.values())


def test_every_variable_is_used_and_described(module):
    variables = named(module["variable"])
    assert set(variables) == {"name", "template_file", "parameters", "tags"}
    text = (MODULE / "main.tf").read_text()
    for name, variable in variables.items():
        assert f"var.{name}" in text
        assert variable["description"]


def test_the_stack_gets_the_capability_that_it_needs(module):
    (stack,) = (named(each.values())["rollup"] for each in module["resource"])
    assert stack["capabilities"] == ["CAPABILITY_IAM"]


def test_a_template_that_is_not_packaged_is_seen(packaged):
    assert "TemplateURL: stacks/" in (FOLDER / ROOT).read_text()
    made = packaged / ROOT
    assert "TemplateURL: stacks/" not in made.read_text()
    # A template that comes with the request.
    assert made.stat().st_size < 51_200
