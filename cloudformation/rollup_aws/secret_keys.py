"""The names in the secret of Kafka."""

from collections.abc import Collection

KEYS = {
    "SASL_SCRAM": ({"username", "password"}, {"truststore"}),
    "TLS": (set(), {"truststore", "certificateChain", "privateKey"}),
}
"""Required and optional names, by the KafkaSecurity that reads a secret."""


def problem(security: str, names: Collection) -> str:
    """What is wrong with the names; empty if nothing is."""
    required, optional = KEYS[security]
    missing = sorted(required - set(names))
    unknown = sorted(set(names) - required - optional)
    if missing:
        return f"lacks {', '.join(missing)}, which {security} needs"
    if unknown:
        return f"has {', '.join(unknown)}, which {security} does not know"
    if ("certificateChain" in names) != ("privateKey" in names):
        return "has only one of certificateChain and privateKey"
    return ""
