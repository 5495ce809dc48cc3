"""Calls the AWS CLI, version 1 or 2. Nothing else of the package starts a process or a request."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Optional

from .errors import AwsError, BadInputError, ConfigurationError

# "(reached max retries: 4)" may follow the error's code.
_ANSWER = re.compile(
    r"An error occurred \((?P<code>[^)]*)\) when calling the (?P<operation>\w+) operation"
    r"(?: \([^)]*\))?: ?(?P<message>.*)",
    re.DOTALL,
)
_CREDENTIALS = re.compile(
    r"Unable to locate credentials|Partial credentials|config profile .* could not be found"
    r"|Error loading SSO Token|Token has expired|session has expired|aws login",
    re.IGNORECASE,
)
_CONNECTION = re.compile(
    r"Could not connect to the endpoint|Connect(ion)? (timeout|timed out|was closed)|Read timeout"
    r"|Failed to connect|SSL validation failed|Connection reset|Name or service not known",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"Unable to parse response")
_UNKNOWN = re.compile(r"Invalid choice|Found invalid choice|Unknown options", re.IGNORECASE)


def _words(options: dict) -> list:
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("--" + name.rstrip("_").replace("_", "-"))
        if value is True:
            continue
        if isinstance(value, dict) or (
            isinstance(value, (list, tuple)) and any(isinstance(item, (dict, list)) for item in value)
        ):
            words.append(json.dumps(value, separators=(",", ":")))
        elif isinstance(value, (list, tuple)):
            words.extend(str(item) for item in value)
        else:
            words.append(str(value))
    return words


class Aws:
    """The AWS CLI for one region and profile."""

    def __init__(self, region: str, profile: Optional[str] = None, program: str = "aws"):
        self.region = region
        self.profile = profile
        self.program = program

    def require(self) -> None:
        """Fails if the AWS CLI is not there."""
        if shutil.which(self.program) is None:
            raise ConfigurationError(
                "the AWS CLI is missing: no program 'aws' on PATH",
                hints=("python3 -m pip install --user awscli",),
            )

    def words(self, service: str, operation: str, region: Optional[str] = None, **options: Any) -> list:
        """The arguments of a call without the program; option names have _ for -."""
        return [service, *operation.split(), *_words(options), *self._where(region)]

    def _where(self, region: Optional[str]) -> list:
        words = ["--region", region or self.region]
        return words + (["--profile", self.profile] if self.profile else [])

    def command(self, service: str, operation: str, region: Optional[str] = None, **options: Any) -> str:
        """The call as a user would type it."""
        return shlex.join(["aws", *self.words(service, operation, region, **options)])

    def call(self, service: str, operation: str, region: Optional[str] = None, **options: Any) -> Any:
        """Calls an operation; its answer, {} if it has none. Raises AwsError."""
        text = self.text(service, operation, region, output="json", **options)
        try:
            return json.loads(text) if text.strip() else {}
        except ValueError:
            # Without the text: it may be secret.
            raise AwsError(
                AwsError.FAILED, f"{service} {operation}", "the AWS CLI answered no JSON"
            ) from None

    def read(self, bucket: str, key: str, region: Optional[str] = None) -> str:
        """The text of an object of S3. Raises AwsError, or BadInputError if it is not UTF-8."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "object")
            self._run(
                "s3api get-object",
                ["s3api", "get-object", "--bucket", bucket, "--key", key, str(file), *self._where(region)],
            )
            try:
                return file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                raise BadInputError(f"s3://{bucket}/{key} is not UTF-8") from None

    def text(self, service: str, operation: str, region: Optional[str] = None, **options: Any) -> str:
        """Calls an operation; what the CLI prints."""
        return self._run(f"{service} {operation}", self.words(service, operation, region, **options))

    def _run(self, name: str, words: list) -> str:
        # No pager of version 2. Retries of both versions are alike.
        environment = {**os.environ, "AWS_PAGER": "", "AWS_CLI_AUTO_PROMPT": "off"}
        environment.setdefault("AWS_RETRY_MODE", "standard")
        try:
            done = subprocess.run(
                [self.program, *words],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        except FileNotFoundError:
            raise ConfigurationError(
                "the AWS CLI is missing: no program 'aws' on PATH",
                hints=("python3 -m pip install --user awscli",),
            ) from None
        if done.returncode != 0:
            raise _error(name, done.stderr.strip())
        return done.stdout


def _error(name: str, stderr: str) -> AwsError:
    answer = _ANSWER.search(stderr)
    if answer:
        message = " ".join(answer["message"].split())
        if answer["code"] in ("", "Unknown"):  # the AWS CLI found no code of AWS in the answer
            return AwsError(AwsError.NO_ANSWER, name, message or "the answer is not one of AWS")
        return AwsError(answer["code"], name, message)
    last = " ".join(stderr.rsplit("\n\n", maxsplit=1)[-1].split())[-600:]
    for pattern, code in (
        (_CREDENTIALS, AwsError.NO_CREDENTIALS),
        (_CONNECTION, AwsError.NO_CONNECTION),
        (_FOREIGN, AwsError.NO_ANSWER),
    ):
        if pattern.search(stderr):
            return AwsError(code, name, last)
    if _UNKNOWN.search(stderr):
        return AwsError("UnsupportedCommand", name, "this version of the AWS CLI does not have it; update it")
    return AwsError(AwsError.FAILED, name, last)
