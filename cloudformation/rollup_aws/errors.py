"""Exit codes, and the errors that end a command. docs/rollup-job.md has the same codes."""

import re
from typing import Any

DONE = 0
BAD_INPUT = 1
CONFIGURATION = 2
OUTSIDE = 3
DEFECT = 4


def shown(value: Any) -> str:
    """A value for a message."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value)
    return text if len(text) <= 100 else text[:100] + "..."


class CommandError(Exception):
    """Ends a command; the texts are for the user, one for each problem."""

    code = DEFECT

    def __init__(self, *problems: str, hints: tuple = ()):
        super().__init__("; ".join(problems))
        self.problems = problems
        self.hints = hints


class ConfigurationError(CommandError):
    """The user must change the file, the command, or the account."""

    code = CONFIGURATION


class OutsideError(CommandError):
    """AWS or the network failed, or something is still in progress; the command can be repeated."""

    code = OUTSIDE


class BadInputError(CommandError):
    """The input is bad: of a run that ended, or an object on S3 without which nothing was started."""

    code = BAD_INPUT


class AwsError(Exception):
    """An answer of AWS, or a failure of the AWS CLI.

    code is AWS's own error code, or one of NO_CREDENTIALS, NO_CONNECTION, NO_ANSWER and FAILED, which are
    of the CLI itself.
    """

    NO_CREDENTIALS = "NoCredentials"
    NO_CONNECTION = "NoConnection"
    NO_ANSWER = "NoAnswer"  # something else than an answer of AWS, such as a page of a proxy
    FAILED = "Failed"
    DENIED = frozenset(
        [
            "AccessDenied",
            "AccessDeniedException",
            "UnauthorizedOperation",
            "AuthorizationError",
            "AuthorizationErrorException",
            "UnauthorizedException",
            "Client.UnauthorizedOperation",
            "NotAuthorized",
            "403",
            "Forbidden",
        ]
    )
    CREDENTIALS = frozenset(
        [
            "NoCredentials",
            "ExpiredToken",
            "ExpiredTokenException",
            "InvalidClientTokenId",
            "AuthFailure",
            "UnrecognizedClientException",
            "SignatureDoesNotMatch",
            "InvalidAccessKeyId",
            "RequestExpired",
        ]
    )
    TEMPORARY = frozenset(
        [
            "NoConnection",
            "NoAnswer",
            "Throttling",
            "ThrottlingException",
            "TooManyRequestsException",
            "RequestLimitExceeded",
            "SlowDown",
            "InternalError",
            "InternalFailure",
            "InternalServerError",
            "InternalServerException",
            "ServiceUnavailable",
            "ServiceUnavailableException",
            "ServiceException",
            "RequestTimeout",
        ]
    )
    UNSUPPORTED = frozenset(["UnsupportedCommand", "NotImplemented", "501", "UnknownOperationException"])

    def __init__(self, code: str, operation: str, message: str):
        super().__init__(f"{operation}: {code}: {message}")
        self.code = code
        self.operation = operation
        self.message = message

    @property
    def denied(self) -> bool:
        return self.code in self.DENIED

    @property
    def temporary(self) -> bool:
        """The same call may succeed later; AWS's code may be the status of HTTP."""
        status = re.fullmatch("5[0-9][0-9]", self.code) and self.code not in self.UNSUPPORTED
        # Services have names of their own: InternalServiceErrorException, EC2ThrottledException.
        named = re.search("Internal|Throttl|Unavailable", self.code)
        return self.code in self.TEMPORARY or bool(status or named)

    @property
    def absent(self) -> bool:
        """The thing that the call named does not exist."""
        return (
            self.code in ("404", "NoSuchEntity", "ResourceNotFoundException", "NotFoundException")
            or self.code.startswith("NoSuch")
            or "NotFound" in self.code
            or (self.code == "ValidationError" and "does not exist" in self.message)
        )

    def command_error(self) -> CommandError:
        """The same as an error of the whole command."""
        if self.code in self.CREDENTIALS:
            return ConfigurationError(
                f"AWS does not accept the credentials ({self.code}: {self.message})",
                hints=("aws sts get-caller-identity", "aws configure list"),
            )
        if self.denied:
            return ConfigurationError(
                f"these credentials may not call {self.operation} ({self.message}); ask for the permission"
            )
        if self.temporary:
            return OutsideError(
                f"AWS did not answer {self.operation} ({self.code}: {self.message}); repeat the command"
            )
        return ConfigurationError(f"AWS refused {self.operation}: {self.code}: {self.message}")
