"""What doctor looks at: each check returns findings, and changes nothing."""

from dataclasses import dataclass

from ..aws import Aws
from ..settings import Settings

OK = "ok"
PROBLEM = "PROBLEM"  # a deployment or a night would fail
WARNING = "warning"  # it works, or works later; the user decides
UNKNOWN = "unknown"  # these credentials, or this AWS CLI, cannot tell


@dataclass(frozen=True)
class Finding:
    """One thing and what is known about it; mend are commands."""

    level: str
    thing: str
    text: str
    mend: tuple = ()


@dataclass(frozen=True)
class Context:
    """What every check gets."""

    settings: Settings
    aws: Aws
    account: str
    principal: str  # ARN of the caller

    @property
    def partition(self) -> str:
        return self.principal.split(":")[1]
