"""Exit codes, and the errors that end a command. docs/rollup-job.md has the same codes."""

DONE = 0
BAD_INPUT = 1
CONFIGURATION = 2
OUTSIDE = 3
DEFECT = 4


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
    """The run ended, and its input was bad."""

    code = BAD_INPUT


class AwsError(Exception):
    """An answer of AWS, or a failure of the AWS CLI.

    code is AWS's own error code, or one of NO_CREDENTIALS, NO_CONNECTION and FAILED, which are of the
    CLI itself.
    """

    NO_CREDENTIALS = "NoCredentials"
    NO_CONNECTION = "NoConnection"
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
            "500",
            "502",
            "503",
            "504",
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
        if self.code in self.TEMPORARY:
            return OutsideError(
                f"AWS did not answer {self.operation} ({self.code}: {self.message}); repeat the command"
            )
        return ConfigurationError(f"AWS refused {self.operation}: {self.code}: {self.message}")
