"""prepare-node.sh with a stub of the AWS CLI."""

import json
import re
import stat
from hashlib import sha256

import pytest
from commands import Commands
from conftest import FOLDER

SCRIPT = "prepare-node.sh"
ARN = f"arn:aws:secretsmanager:eu-central-1:{'0' * 12}:secret:kafka"
PASSWORD = 'p"a\\ss w\u00f6rd=;#\U0001f600\n\r'


class Node(Commands):
    def __init__(self, folder):
        super().__init__(folder)
        self.directory = folder / "rollup"
        self.instance = folder / "instance.json"
        self.instance.write_text('{"isMaster": true}')
        self.secret = folder / "secret.json"
        self.artifacts = folder / "artifacts"
        self.artifacts.mkdir()
        self.stub(
            "aws",
            f"""
case "$1" in
  s3)
    set -- "${{@: -2}}"
    artifact={self.artifacts}/${{1##*/}}
    if [[ -f $artifact ]]; then cp "$artifact" "$2"; else echo content >"$2"; fi
    ;;
  secretsmanager) cat {self.secret} ;;
esac""",
        )

    def prepare(self, mode, secret=None, *arguments):
        if secret is not None:
            self.secret.write_text(secret if isinstance(secret, str) else json.dumps(secret))
            arguments = (*arguments, "--kafka-secret", ARN)
        return self.run(
            SCRIPT,
            *("--artifacts", "s3://artifacts/rollup/1", "--kafka-security", mode),
            *("--directory", str(self.directory), "--instance-file", str(self.instance), *arguments),
        )

    def sums(self, **others):
        """SHA256SUMS of the artifacts, with other entries by name; its own checksum."""
        contents = {
            "prepare-node.sh": (FOLDER / SCRIPT).read_bytes(),
            "rollup-job.jar": b"content\n",
            "opentsdb.conf": b"content\n",
            "rollup_config.json": b"content\n",
        }
        entries = {name: sha256(content).hexdigest() for name, content in contents.items()} | others
        text = "".join(f"{value}  {name}\n" for name, value in entries.items() if value)
        (self.artifacts / "SHA256SUMS").write_text(text)
        return sha256(text.encode()).hexdigest()

    def properties(self):
        """As java.util.Properties reads them."""
        lines = (self.directory / "kafka.properties").read_text("ascii").splitlines()
        return dict(map(unescape, line.split("=", 1)) for line in lines)


def unescape(text):
    def one(match):
        character = match[1]
        if character[0] == "u":
            return chr(int(character[1:], 16))
        return {"n": "\n", "r": "\r", "t": "\t"}.get(character, character)

    text = re.sub(r"\\(u[0-9a-f]{4}|.)", one, text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


@pytest.fixture
def node(tmp_path):
    return Node(tmp_path)


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_scram_secret_is_in_the_file_and_nowhere_else(node):
    run = node.prepare("SASL_SCRAM", {"username": "rollup", "password": PASSWORD})
    assert run.returncode == 0, run.stderr
    escaped = PASSWORD.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    assert node.properties() == {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required"
        f' username="rollup" password="{escaped}";',
    }
    assert mode_of(node.directory) == 0o700
    assert mode_of(node.directory / "kafka.properties") == 0o600
    assert mode_of(node.directory / "opentsdb.conf") == 0o600
    told = run.stdout + run.stderr + "".join(node.calls())
    assert "rollup required" not in told
    assert 'p"a' not in told
    assert sorted(file.name for file in node.directory.iterdir()) == [
        "kafka.properties",
        "opentsdb.conf",
        "rollup_config.json",
    ]


def test_msk_iam_has_no_secret(node):
    run = node.prepare("MSK_IAM")
    assert run.returncode == 0, run.stderr
    assert node.properties()["sasl.mechanism"] == "AWS_MSK_IAM"
    assert (node.directory / "aws-msk-iam-auth.jar").exists()
    assert not any("secretsmanager" in call for call in node.calls())


PEM = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n"
KEY = PEM.replace("CERTIFICATE", "PRIVATE KEY")


def test_scram_with_authorities_of_ones_own(node):
    run = node.prepare("SASL_SCRAM", {"username": "u", "password": "p", "truststore": PEM})
    assert run.returncode == 0, run.stderr
    properties = node.properties()
    assert properties["security.protocol"] == "SASL_SSL"
    assert properties["ssl.truststore.type"] == "PEM"
    assert properties["ssl.truststore.certificates"] == PEM


def test_pem_whose_line_ends_became_blanks(node):
    """So does the form of the console of Secrets Manager; Kafka reads it."""
    line = PEM.replace("\n", " ")
    assert node.prepare("TLS", {"truststore": line}).returncode == 0
    assert node.properties()["ssl.truststore.certificates"] == line


def test_tls_with_the_jdks_authorities(node):
    assert node.prepare("TLS").returncode == 0
    assert node.properties() == {"security.protocol": "SSL"}


def test_tls_with_pem(node):
    run = node.prepare("TLS", {"truststore": PEM, "certificateChain": PEM, "privateKey": KEY})
    assert run.returncode == 0, run.stderr
    assert node.properties() == {
        "security.protocol": "SSL",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.certificates": PEM,
        "ssl.keystore.type": "PEM",
        "ssl.keystore.certificate.chain": PEM,
        "ssl.keystore.key": KEY,
    }


def test_plaintext(node):
    assert node.prepare("PLAINTEXT").returncode == 0
    assert node.properties() == {"security.protocol": "PLAINTEXT"}


def test_without_kafka_there_are_no_properties(node):
    assert node.prepare("NONE").returncode == 0
    assert {each.name for each in node.directory.iterdir()} == {"opentsdb.conf", "rollup_config.json"}
    done = node.prepare("NONE", {})
    assert done.returncode == 2
    assert "--kafka-security NONE has no --kafka-secret" in done.stderr


def test_the_secret_is_asked_for_in_its_region(node):
    assert node.prepare("SASL_SCRAM", {"username": "u", "password": "p"}).returncode == 0
    (call,) = [call for call in node.calls() if "secretsmanager" in call]
    assert f"--region eu-central-1 --secret-id {ARN} " in call


def test_checked_artifacts(node):
    run = node.prepare("TLS", None, "--sums", node.sums())
    assert run.returncode == 0, run.stderr
    # The job's jar is fetched only to be checked.
    assert [call.split()[4].rsplit("/", 1)[1] for call in node.calls()] == [
        "SHA256SUMS",
        "rollup-job.jar",
        "opentsdb.conf",
        "rollup_config.json",
    ]
    assert not list(node.temporary.iterdir())


def test_the_policy_of_tiers_is_an_artifact(node):
    policy = sha256(b"content\n").hexdigest()
    run = node.prepare(
        "TLS", None, "--tiers-policy", "tiers.json", "--sums", node.sums(**{"tiers.json": policy})
    )
    assert run.returncode == 0, run.stderr
    assert (node.directory / "tiers.json").read_text() == "content\n"
    run = node.prepare("TLS", None, "--tiers-policy", "tiers.json", "--sums", node.sums())
    assert run.returncode == 2
    assert "SHA256SUMS does not have tiers.json" in run.stderr
    (node.directory / "tiers.json").unlink()
    assert node.prepare("TLS", None, "--tiers-policy", "none", "--sums", node.sums()).returncode == 0
    assert not (node.directory / "tiers.json").exists()


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"opentsdb.conf": "0" * 64}, "rollup/1/opentsdb.conf is not the file of SHA256SUMS"),
        ({"rollup_config.json": ""}, "SHA256SUMS does not have rollup_config.json"),
        ({"rollup-job.jar": "0" * 64}, "rollup-job.jar is not the file of SHA256SUMS"),
        ({"rollup-job.jar": ""}, "SHA256SUMS does not have rollup-job.jar"),
        ({"prepare-node.sh": "0" * 64}, "prepare-node.sh is not the file of SHA256SUMS"),
    ],
)
def test_artifacts_that_are_not_those_of_the_upload(node, others, message):
    run = node.prepare("TLS", None, "--sums", node.sums(**others))
    assert run.returncode == 2
    assert message in run.stderr
    assert not (node.directory / "kafka.properties").exists()


def test_checksums_of_another_upload(node):
    node.sums()
    run = node.prepare("TLS", None, "--sums", "0" * 64)
    assert run.returncode == 2
    assert f"SHA256SUMS does not have the SHA-256 {'0' * 64}" in run.stderr


def test_other_nodes_get_nothing(node):
    node.instance.write_text('{"isMaster": false}')
    assert node.prepare("MSK_IAM").returncode == 0
    assert node.calls() == []
    assert not node.directory.exists()


@pytest.mark.parametrize(
    ("mode", "secret", "message"),
    [
        ("SASL_SCRAM", "hidden", "is not JSON"),
        ("SASL_SCRAM", "[]", "must be one JSON object of texts"),
        ("SASL_SCRAM", {"username": "u", "password": 5}, "must be one JSON object of texts"),
        ("SASL_SCRAM", {"username": "hidden"}, "lacks password"),
        ("SASL_SCRAM", {"username": "u", "password": "hidden", "host": "x"}, "must not have host"),
        ("TLS", {"privateKey": "hidden"}, "both of certificateChain and privateKey"),
        ("TLS", {"truststore": ""}, "must have PEM in truststore: -----BEGIN CERTIFICATE-----"),
        ("TLS", {"truststore": "hidden" + PEM.replace("\n", "\\n")}, "must have PEM in truststore"),
        ("TLS", {"certificateChain": "hidden", "privateKey": KEY}, "PEM in certificateChain"),
        (
            "TLS",
            {
                "certificateChain": PEM,
                "privateKey": "hidden" + KEY.replace("PRIVATE KEY", "RSA PRIVATE KEY"),
            },
            "must have PEM in privateKey: -----BEGIN PRIVATE KEY-----",
        ),
        (
            "SASL_SCRAM",
            {"username": "u", "password": "hidden", "truststore": "/etc/ca.pem"},
            "must have PEM in truststore",
        ),
        (
            "SASL_SCRAM",
            {"username": "u", "password": "hidden", "privateKey": KEY},
            "must not have privateKey with SASL_SCRAM",
        ),
    ],
)
def test_bad_secrets_are_named_and_not_shown(node, mode, secret, message):
    run = node.prepare(mode, secret)
    assert run.returncode == 2
    assert message in run.stderr
    assert "hidden" not in run.stdout + run.stderr
    assert not (node.directory / "kafka.properties").exists()


def test_a_secret_that_does_not_come(node):
    node.stub("aws", '[[ $1 == s3 ]] && echo >"$5"')
    run = node.prepare("SASL_SCRAM", {"username": "u", "password": "p"})
    assert run.returncode == 2
    assert "did not come" in run.stderr


def test_an_artifact_that_is_missing_ends_it(node):
    node.stub("aws", "exit 1")
    assert node.prepare("MSK_IAM").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bogus"], "unknown option '--bogus'"),
        (["--artifacts"], "--artifacts needs a value"),
        ([], "--artifacts must be s3://BUCKET/PREFIX, found ''"),
        (["--artifacts", "s3://a/b", "--kafka-security", "SSL"], "found 'SSL'"),
        (["--artifacts", "s3://a/b", "--kafka-security", "SASL_SCRAM"], "needs --kafka-secret"),
        (
            ["--artifacts", "s3://a/b", "--kafka-security", "TLS", "--kafka-secret", "kafka"],
            "--kafka-secret must be the ARN of a secret in Secrets Manager, found 'kafka'",
        ),
        (
            ["--artifacts", "s3://a/b", "--kafka-security", "TLS", "--sums", "1a"],
            "--sums must be a SHA-256, 64 hexadecimal digits, found '1a'",
        ),
        (
            ["--artifacts", "s3://a/b", "--kafka-security", "TLS", "--instance-file", "/no"],
            "does not tell whether this is the primary node",
        ),
    ],
)
def test_usage(node, arguments, message):
    run = node.run(SCRIPT, *arguments)
    assert run.returncode == 2
    assert message in run.stderr


def test_help(node):
    run = node.run(SCRIPT, "--help")
    assert run.returncode == 0
    assert "--kafka-secret ARN" in run.stdout
