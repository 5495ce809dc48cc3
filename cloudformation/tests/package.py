"""What `aws cloudformation package` makes of rollup-pipeline.yaml: the templates that are deployed.

Run as a script it writes them into a folder for cfn-lint and checkov: rollup-pipeline.yaml,
stacks/*.yaml, and the definitions of the state machines as state-machine/*.asl.json.
"""

import logging
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import boto3
import yaml
from moto.server import ThreadedMotoServer

FOLDER = Path(__file__).parent.parent
BUCKET, PREFIX = "artifacts", "rollup/1/templates"
REGION = "eu-west-1"


def package(target: Path) -> None:
    """Packages into an S3 of moto's, and fetches what arrived there."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    try:
        _, port = server.get_host_and_port()
        _package(target, f"http://127.0.0.1:{port}")
    finally:
        server.stop()


def _package(target: Path, endpoint: str) -> None:
    credentials = {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
    s3 = boto3.client("s3", region_name=REGION, endpoint_url=endpoint, **credentials)
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    shutil.rmtree(target, ignore_errors=True)
    for folder in ("objects", "stacks", "state-machine"):
        (target / folder).mkdir(parents=True)
    root = target / "rollup-pipeline.yaml"
    run = subprocess.run(
        [
            *(Path(sys.executable).parent / "aws", "cloudformation", "package"),
            *("--template-file", FOLDER / "rollup-pipeline.yaml", "--output-template-file", root),
            *("--s3-bucket", BUCKET, "--s3-prefix", PREFIX),
        ],
        env={
            "PATH": os.environ["PATH"],
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
            **{name.upper(): value for name, value in credentials.items()},
        },
        check=False,
        capture_output=True,
        text=True,
    )
    if run.returncode:
        sys.exit(f"package: {run.stdout}{run.stderr}")
    # The service reads templates from S3's own address.
    text = root.read_text().replace(endpoint, f"https://s3.{REGION}.amazonaws.com")
    root.write_text(text)
    for item in s3.list_objects_v2(Bucket=BUCKET)["Contents"]:
        file = target / "objects" / item["Key"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(s3.get_object(Bucket=BUCKET, Key=item["Key"])["Body"].read())
    written = (FOLDER / "rollup-pipeline.yaml").read_text()
    for name, key in locations(text).items():
        nested = (target / "objects" / key).read_text()
        source = source_of(written, name)
        (target / source).write_text(nested)
        for resource in yaml.safe_load(nested)["Resources"].values():
            place = resource.get("Properties", {}).get("DefinitionS3Location")
            if place:
                machine = Path(source).stem.removeprefix("compute-")
                shutil.copy(
                    target / "objects" / place["Key"], target / "state-machine" / f"{machine}.asl.json"
                )


def locations(text: str) -> dict:
    """The object of each nested stack of a packaged template."""
    return {
        name: resource["Properties"]["TemplateURL"].split(f"/{BUCKET}/")[1]
        for name, resource in yaml.safe_load(text)["Resources"].items()
        if resource["Type"] == "AWS::CloudFormation::Stack"
    }


def source_of(text: str, name: str) -> str:
    """The file that a nested stack has in the template as written."""
    return re.search(rf"\n  {name}:\n.*?TemplateURL: (\S+)", text, re.DOTALL)[1]


if __name__ == "__main__":
    package(Path(sys.argv[1]))
