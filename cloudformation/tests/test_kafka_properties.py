"""kafka.properties of EMR Serverless has the settings that prepare-node.sh writes on a cluster's node."""

import pytest
from test_prepare_node import ARN, KEY, PEM, Node

from rollup_aws import kafka_properties

SECRETS = [
    ("MSK_IAM", {}),
    ("SASL_SCRAM", {"username": "rollup", "password": "p-1"}),
    ("SASL_SCRAM", {"username": "rollup", "password": "p-1", "truststore": PEM}),
    ("TLS", {}),
    ("TLS", {"truststore": PEM}),
    ("TLS", {"truststore": PEM, "certificateChain": PEM, "privateKey": KEY}),
    ("PLAINTEXT", {}),
]


@pytest.mark.parametrize(("security", "secret"), SECRETS)
def test_settings_are_those_of_a_node(tmp_path, security, secret):
    node = Node(tmp_path)
    run = node.prepare(security, secret or None)
    assert run.returncode == 0, run.stderr
    text = kafka_properties.text(security, ARN if secret else "", list(secret))
    for value in secret.values():
        assert value not in text
    # As the job resolves them; none of these values needs an escape.
    settings = dict(line.split("=", 1) for line in text.splitlines())
    for name, setting in settings.items():
        for key, value in secret.items():
            setting = setting.replace(f"${{aws-secret:{ARN}#{key}}}", value)  # noqa: PLW2901
        settings[name] = setting
    assert settings == node.properties()


def test_a_secret_without_use_is_not_named():
    assert "aws-secret" not in kafka_properties.text("PLAINTEXT", ARN, [])
