"""The pipeline of AWS Data Pipeline, created on moto from the template as it is."""

import boto3
import pytest
from conftest import (
    DATA_PIPELINE,
    aws,  # noqa: F401  # a fixture
    create,
    load,
    resources,
)

pytestmark = [
    pytest.mark.usefixtures("aws"),
    pytest.mark.filterwarnings("ignore:Tried to parse"),
]


def test_data_pipeline_takes_what_the_trigger_gives():
    iam = boto3.client("iam")
    for name in ("DataPipelineDefaultRole", "DataPipelineDefaultResourceRole"):
        iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")
    there = create(DATA_PIPELINE, TaskSpotPrice="0.25")[DATA_PIPELINE]
    (function,) = boto3.client("lambda").list_functions()["Functions"]
    environment = function["Environment"]["Variables"]
    assert environment["PIPELINE_ID"] == there["Pipeline"]
    assert environment["TARGET"] == "data-pipeline"
    client = boto3.client("datapipeline")
    (pipeline,) = client.list_pipelines()["pipelineIdList"]
    objects = {
        item["id"]: item["fields"]
        for item in client.get_pipeline_definition(pipelineId=pipeline["id"])["pipelineObjects"]
    }
    fields = {
        name: {field["key"]: field.get("stringValue", field.get("refValue")) for field in item}
        for name, item in objects.items()
    }
    assert fields["Default"]["scheduleType"] == "ondemand"
    assert fields["RollupJob"]["step"] == "#{myStep}"
    assert fields["RollupCluster"]["taskInstanceBidPrice"] == "0.25"
    references = {field["refValue"] for item in objects.values() for field in item if "refValue" in field}
    assert references <= set(objects)
    (properties,) = resources(load(DATA_PIPELINE), "AWS::DataPipeline::Pipeline").values()
    assert properties["Activate"] is False
    assert [parameter["Id"] for parameter in properties["ParameterObjects"]] == [
        "myRoot",
        "myDataSnapshot",
        "myUidSnapshot",
        "mySnapshotTime",
        "myDay",
        "myReport",
        "myStep",
    ]
