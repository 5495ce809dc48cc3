"""What moto's CloudFormation lacks for these templates: outputs of nested stacks, lists, EMR Serverless.

Importing the module adds it to moto, in this process.
"""

import os
import re

import yaml
from moto.cloudformation.models import Stack
from moto.cloudformation.parsing import ResourceMap
from moto.core.common_models import CloudFormationModel
from moto.emrserverless.models import emrserverless_backends


def _output(stack: Stack, attribute: str) -> str:
    """`!GetAtt Nested.Outputs.NAME`."""
    name = attribute.removeprefix("Outputs.")
    (value,) = [output.value for output in stack.output_map.values() if output and output.key == name]
    return value


Stack.get_cfn_attribute = _output
_create = Stack.create_from_cloudformation_json


def _create_with_texts(resource_name, cloudformation_json, account_id, region_name, **kwargs):
    """A nested stack gets texts, as from CloudFormation; moto hands numbers over."""
    properties = cloudformation_json["Properties"]
    properties["Parameters"] = {name: str(value) for name, value in properties["Parameters"].items()}
    return _create(resource_name, cloudformation_json, account_id, region_name, **kwargs)


Stack.create_from_cloudformation_json = staticmethod(_create_with_texts)
_load = ResourceMap.load_parameters


def _load_with_lists(self: ResourceMap) -> None:
    """The default of a list is a list; moto makes lists of given values only."""
    _load(self)
    for name, parameter in self._template.get("Parameters", {}).items():
        value = self.resolved_parameters[name]
        if parameter["Type"] == "CommaDelimitedList" and isinstance(value, str):
            self.resolved_parameters[name] = value.split(",")
    self._parsed_resources.update(self.resolved_parameters)


ResourceMap.load_parameters = _load_with_lists
_parse = Stack.parse_template


def _parse_fast(template: str) -> dict:
    """A packaged template has no short forms (!Ref): the parser in C does, at a tenth of the time."""
    if re.search("![A-Z]", template):
        return _parse(template)
    return yaml.load(template, Loader=yaml.CSafeLoader)


Stack.parse_template = staticmethod(_parse_fast)
# moto makes a volume for each image that it knows.
os.environ["MOTO_EC2_LOAD_DEFAULT_AMIS"] = "false"


class ServerlessApplication(CloudFormationModel):
    """AWS::EMRServerless::Application, made in moto's EMR Serverless."""

    __module__ = "moto.emrserverless.additions"  # moto takes the service from it

    def __init__(self, application: str, arn: str):
        self.application = application
        self.arn = arn

    @property
    def physical_resource_id(self) -> str:
        return self.application

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        return attr in ("Arn", "ApplicationId")

    def get_cfn_attribute(self, attribute_name: str) -> str:
        return {"Arn": self.arn, "ApplicationId": self.application}[attribute_name]

    @staticmethod
    def cloudformation_name_type() -> str:
        return "Name"

    @staticmethod
    def cloudformation_type() -> str:
        return "AWS::EMRServerless::Application"

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name, cloudformation_json, account_id, region_name, **_kwargs
    ):
        properties = cloudformation_json["Properties"]
        application = emrserverless_backends[account_id][region_name].create_application(
            name=properties.get("Name", resource_name),
            release_label=properties["ReleaseLabel"],
            application_type=properties["Type"],
            client_token=resource_name,
            initial_capacity=None,
            maximum_capacity=None,
            tags={tag["Key"]: tag["Value"] for tag in properties.get("Tags", [])},
            auto_start_configuration=properties.get("AutoStartConfiguration"),
            auto_stop_configuration=properties.get("AutoStopConfiguration"),
            network_configuration=properties.get("NetworkConfiguration"),
        )
        return cls(application.id, application.arn)

    @classmethod
    def delete_from_cloudformation_json(cls, resource_name, _cloudformation_json, account_id, region_name):
        emrserverless_backends[account_id][region_name].delete_application(resource_name)
