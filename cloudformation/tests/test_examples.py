"""docs/examples of stream-rollup: manifest, script and properties use what the program has."""

import json
import re
import shlex
import subprocess

import pytest
import yaml
from conftest import FOLDER

ROOT = FOLDER.parent
EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "stream-rollup-deploy.md").read_text(encoding="utf-8")
REQUIRED = {"--tsd-config", "--input-topics", "--rollup-topic", "--checkpoint-dir"}
MAIN = "io.tsdbsuite.stream.cli.StreamMain"


def options() -> dict:
    """Options of the command line, and whether each has a value."""
    found = {}
    for source in (
        "stream-rollup/src/main/java/io/tsdbsuite/stream/cli/StreamCommand.java",
        "job-support/src/main/java/io/tsdbsuite/job/cli/TsdOptions.java",
    ):
        text = (ROOT / source).read_text(encoding="utf-8")
        for body in re.findall(r"@Option\((.*?);\n", text, re.DOTALL):
            (name,) = re.findall(r'names = "(-[\w-]+)"', body)
            found[name] = "paramLabel" in body
    assert len(found) > 15
    return found


def check_arguments(arguments: list) -> None:
    names = [argument.partition("=")[0] for argument in arguments]
    known = options()
    for argument in arguments:
        name, equals, value = argument.partition("=")
        assert name in known, argument
        assert known[name] == bool(equals and value), argument
    assert len(names) == len(set(names))
    assert set(names) >= REQUIRED
    assert {"--kafka-bootstrap", "--kafka-config"} & set(names)


@pytest.fixture(scope="module")
def manifest() -> dict:
    documents = yaml.safe_load_all((EXAMPLES / "stream-rollup-kubernetes.yaml").read_text(encoding="utf-8"))
    return {document["kind"]: document for document in documents}


def test_the_manifest_starts_the_program(manifest):
    job = manifest["FlinkDeployment"]["spec"]["job"]
    check_arguments(job["args"])
    assert job["entryClass"] == MAIN
    assert (ROOT / "stream-rollup/src/main/java" / (MAIN.replace(".", "/") + ".java")).is_file()
    # The operator sets them.
    assert not [
        each for each in job["args"] if each.startswith(("--parallelism", "--from-checkpoint", "--local"))
    ]
    configuration = manifest["FlinkDeployment"]["spec"]["flinkConfiguration"]
    assert all(isinstance(value, str) for value in configuration.values())
    assert f"--checkpoint-dir={configuration['execution.checkpointing.dir']}" in job["args"]
    image = re.search(r"/opt/flink/usrlib/\S+\.jar", PAGE)
    assert job["jarURI"] == f"local://{image[0]}"


def test_the_manifest_names_the_plugin_of_its_image(manifest):
    (version,) = re.findall(
        r"<flink\.version>(1\..+)</flink\.version>", (ROOT / "pom.xml").read_text(encoding="utf-8")
    )
    text = (EXAMPLES / "stream-rollup-kubernetes.yaml").read_text(encoding="utf-8")
    # A tag without the last number moves on to an image without the plugin.
    assert re.findall(r"# FROM flink:(\S+)-java17", text) == [version]
    pod = manifest["FlinkDeployment"]["spec"]["podTemplate"]["spec"]
    (plugin,) = [each["value"] for each in pod["containers"][0]["env"]]
    assert plugin == f"flink-s3-fs-hadoop-{version}.jar"


def test_the_manifest_mounts_the_files_that_it_names(manifest):
    spec = manifest["FlinkDeployment"]["spec"]
    pod = spec["podTemplate"]["spec"]
    mounts = {mount["mountPath"]: mount["name"] for mount in pod["containers"][0]["volumeMounts"]}
    assert set(mounts.values()) == {volume["name"] for volume in pod["volumes"]}
    files = [arg.partition("=")[2] for arg in spec["job"]["args"] if re.match(r"--(tsd|kafka)-config=", arg)]
    assert {file.rpartition("/")[0] for file in files} == set(mounts)
    data = manifest["ConfigMap"]["data"]
    (volume,) = [volume for volume in pod["volumes"] if "configMap" in volume]
    assert volume["configMap"]["name"] == manifest["ConfigMap"]["metadata"]["name"]
    directory = next(path for path, name in mounts.items() if name == volume["name"])
    assert f"--tsd-config={directory}/opentsdb.conf" in spec["job"]["args"]
    (rollups,) = re.findall(r"^tsd\.rollups\.config = (\S+)$", data["opentsdb.conf"], re.MULTILINE)
    assert rollups == f"{directory}/rollup_config.json"
    configured = {each["interval"] for each in json.loads(data["rollup_config.json"])["intervals"]}
    (wanted,) = [arg.partition("=")[2] for arg in spec["job"]["args"] if arg.startswith("--interval=")]
    assert set(wanted.split(",")) <= configured


def test_the_script_starts_the_program(tmp_path):
    script = EXAMPLES / "stream-rollup-emr.sh"
    # What the script runs prints its arguments.
    for name, text in (("flink", 'printf "%s\\n" "$@"'), ("hostname", "echo primary")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o700)
    run = subprocess.run(
        [script, "-s", "s3://b/savepoint-1"],
        env={"BUCKET": "b", "PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    words = run.stdout.splitlines()
    jar = next(i for i, word in enumerate(words) if word.endswith(".jar"))
    check_arguments(words[jar + 1 :])
    assert words[:5] == ["run-application", "-t", "yarn-application", "-s", "s3://b/savepoint-1"]
    assert words[jar - 2 : jar] == ["-c", MAIN]
    (shipped,) = [word.partition("=")[2] for word in words if word.startswith("-Dyarn.ship-files=")]
    names = {file.rpartition("/")[2] for file in shipped.split(";")}
    for word in words[jar + 1 :]:
        option, _, value = word.partition("=")
        if option in ("--tsd-config", "--rollup-config", "--kafka-config"):
            assert value in names, word
    assert "--checkpoint-dir=s3://b/stream-rollup/checkpoints" in words


def test_the_properties_name_settings_of_kafka():
    lines = (EXAMPLES / "stream-rollup-kafka.properties").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    assert "bootstrap.servers" in settings
    for name in set(settings) - {"bootstrap.servers"}:
        assert name.startswith(("security.", "ssl.", "sasl.")), name
    assert shlex.split(settings["sasl.jaas.config"].rstrip(";"))[1] == "required"


def test_every_example_is_on_the_page():
    for file in EXAMPLES.glob("stream-rollup-*"):
        assert f"(examples/{file.name})" in PAGE


def test_options_on_the_page_exist():
    known = set(options()) | {"--drain", "--savepointPath"}
    for name in re.findall(r"(?<![\w-])--[a-z][\w-]+", PAGE):
        assert name in known, name
