"""The artifact kafka.properties: Kafka's settings for EMR Serverless, with references to the secret.

The job resolves the references (docs/rollup-job.md), so the file has no secret. prepare-node.sh writes the
same settings on the nodes of a cluster, from the same secret, with its values.
"""

import json
from collections.abc import Collection

from .aws import Aws
from .errors import AwsError, ConfigurationError
from .settings import Settings

NAME = "kafka.properties"


def of_settings(aws: Aws, settings: Settings) -> str:
    """The file for a parameter file. Raises ConfigurationError if the names in the secret cannot be read."""
    security, arn = settings["KafkaSecurity"], settings["KafkaSecretArn"]
    if not arn or security not in ("SASL_SCRAM", "TLS"):
        return text(security, "", ())
    if settings.secret_keys is not None:
        return text(security, arn, settings.secret_keys)
    try:
        region = arn.split(":")[3]
        secret = aws.call("secretsmanager", "get-secret-value", region=region, secret_id=arn)
        keys = json.loads(secret["SecretString"]).keys()
    except AwsError as e:
        if not (e.denied or e.absent):
            raise
        raise _unreadable(settings, arn, e.message) from None
    except (AttributeError, KeyError, ValueError):
        raise _unreadable(settings, arn, "it must be a JSON object") from None
    return text(security, arn, keys)


def _unreadable(settings: Settings, arn: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"the names in the secret {arn}, to which {NAME} refers, cannot be read: {why}",
        f"or give these names as secretKeys in {settings.path}: docs/aws-reference.md",
    )


def text(security: str, arn: str, keys: Collection) -> str:
    """The file for a KafkaSecurity. `keys` are the names in the secret of `arn`, both empty without one."""
    lines = list(_settings(security, arn, frozenset(keys)))
    return "".join(f"{name}={value}\n" for name, value in lines)


def _settings(security: str, arn: str, keys: frozenset):
    def secret(key: str) -> str:
        return f"${{aws-secret:{arn}#{key}}}"

    if security == "MSK_IAM":
        yield "security.protocol", "SASL_SSL"
        yield "sasl.mechanism", "AWS_MSK_IAM"
        yield "sasl.jaas.config", "software.amazon.msk.auth.iam.IAMLoginModule required;"
        yield "sasl.client.callback.handler.class", "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
    elif security == "SASL_SCRAM":
        yield "security.protocol", "SASL_SSL"
        yield "sasl.mechanism", "SCRAM-SHA-512"
        module = "org.apache.kafka.common.security.scram.ScramLoginModule"
        yield (
            "sasl.jaas.config",
            f'{module} required username="{secret("username")}" password="{secret("password")}";',
        )
    elif security == "TLS":
        yield "security.protocol", "SSL"
        if "privateKey" in keys:
            yield "ssl.keystore.type", "PEM"
            yield "ssl.keystore.certificate.chain", secret("certificateChain")
            yield "ssl.keystore.key", secret("privateKey")
    else:
        yield "security.protocol", "PLAINTEXT"
    if "truststore" in keys:
        yield "ssl.truststore.type", "PEM"
        yield "ssl.truststore.certificates", secret("truststore")
