"""The files below ArtifactBucket/ArtifactPrefix: which they are, and whether S3 has the same bytes."""

import atexit
import base64
import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from . import kafka_properties
from .aws import Aws
from .errors import AwsError, ConfigurationError
from .settings import ROOT, SUMS, Settings

JOB_JAR = "rollup-job.jar"
"""The job on S3; the folder ArtifactPrefix has the version."""

LAMBDA_JAR = "lambda-trigger.jar"
MSK_JAR = "aws-msk-iam-auth.jar"
_JARS = {
    JOB_JAR: ("rollup-job/target", "rollup-job-*-spark.jar"),
    LAMBDA_JAR: ("lambda-trigger/target", "lambda-trigger-*-lambda.jar"),
    MSK_JAR: ("rollup-job/target/msk", "aws-msk-iam-auth.jar"),
}
"""Directory and pattern below the folder of the build, by the name on S3."""


@dataclass(frozen=True)
class Artifact:
    """A local file and its name on S3."""

    name: str
    file: Path
    sha256: str  # hexadecimal

    @property
    def checksum(self) -> str:
        """SHA-256 as S3 writes it."""
        return of_s3(self.sha256)


def of_s3(sha256: str) -> str:
    """A hexadecimal digest as S3 writes it."""
    return base64.b64encode(bytes.fromhex(sha256)).decode()


def sha256(file: Path) -> str:
    """The hexadecimal digest of a file."""
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def jar_files(name: str, root: Path = ROOT) -> tuple:
    """The directory of a jar, its pattern there, and the files that fit: one if the build is complete.

    An installed suite has all jars in lib, a source tree has them where the build puts them.
    """
    directory, pattern = _JARS[name]
    lib = root / "lib"
    folder = lib if lib.is_dir() else root / directory
    return folder, pattern, sorted(folder.glob(pattern))


def local_files(aws: Aws, settings: Settings, root: Path = ROOT) -> dict:
    """Files by the name on S3. Raises ConfigurationError with all files that are missing."""
    files, problems = present_files(settings, root)
    if problems:
        raise ConfigurationError(*problems, hints=("make package",))
    return {**files, **made_files(aws, settings)}


def present_files(settings: Settings, root: Path = ROOT) -> tuple:
    """The files that this machine has, by the name on S3, and what is wrong with the others."""
    problems = []
    files = {}
    needed = [JOB_JAR, LAMBDA_JAR]
    if settings["KafkaSecurity"] == "MSK_IAM":
        needed.append(MSK_JAR)
    for name in needed:
        if name in settings.files:
            continue  # the parameter file names another one
        folder, pattern, found = jar_files(name, root)
        if not found:
            problems.append(f"{folder / pattern} is missing")
        elif len(found) > 1:
            problems.append(f"{folder} has several files {pattern}: {', '.join(f.name for f in found)}")
        else:
            files[name] = found[0]
    files["prepare-node.sh"] = root / "cloudformation" / "prepare-node.sh"
    files.update(settings.files)
    return files, problems


def made_files(aws: Aws, settings: Settings) -> dict:
    """The files that rollup-aws itself makes. Raises ConfigurationError if it may not read what they need."""
    name = kafka_properties.NAME
    if not settings.serverless or not settings.has_kafka or name in settings.files:
        return {}
    return {name: _temporary(name, kafka_properties.of_settings(aws, settings))}


def _temporary(name: str, text: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="rollup-aws-"))
    atexit.register(shutil.rmtree, folder, True)
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def local(aws: Aws, settings: Settings, root: Path = ROOT) -> list:
    """The artifacts of this machine, by name. Raises ConfigurationError with all that cannot be read."""
    return digests(local_files(aws, settings, root))


def digests(files: dict) -> list:
    """The artifacts of files, by name. Raises ConfigurationError with all that cannot be read."""
    found, problems = [], []
    for name, file in sorted(files.items()):
        try:
            found.append(Artifact(name, file, sha256(file)))
        except OSError as e:
            problems.append(f"{file}, the artifact {name}, cannot be read: {e.strerror}")
    if problems:
        raise ConfigurationError(*problems)
    return found


def sums(artifacts: list) -> str:
    """The text of SHA256SUMS."""
    return "".join(f"{each.sha256}  {each.name}\n" for each in artifacts)


class Store:
    """The artifacts on S3."""

    def __init__(self, aws: Aws, settings: Settings):
        self._aws = aws
        self._bucket = settings["ArtifactBucket"]
        self._prefix = settings["ArtifactPrefix"]
        self._key = settings["ArtifactKmsKeyArn"]

    def uri(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}/{name}"

    def checksums(self, names: Iterable) -> dict:
        """checksum() by name."""
        names = list(names)
        with ThreadPoolExecutor(max_workers=4) as pool:
            return dict(zip(names, pool.map(self.checksum, names)))

    def checksum(self, name: str) -> Optional[str]:
        """The object's SHA-256 as S3 keeps it; empty if it has none, None if there is no object."""
        try:
            head = self._aws.call(
                "s3api",
                "head-object",
                bucket=self._bucket,
                key=f"{self._prefix}/{name}",
                checksum_mode="ENABLED",
            )
        except AwsError as e:
            if e.absent:
                return None
            raise
        return head.get("ChecksumSHA256") or head.get("Metadata", {}).get("sha256", "")

    def put(self, artifact: Artifact) -> None:
        """Sends a file. S3 compares the checksum with the bytes that arrived, and keeps it."""
        self._aws.call(
            "s3api",
            "put-object",
            bucket=self._bucket,
            key=f"{self._prefix}/{artifact.name}",
            body=artifact.file,
            checksum_sha256=artifact.checksum,
            metadata={"sha256": artifact.checksum},
            server_side_encryption="aws:kms" if self._key else None,
            ssekms_key_id=self._key or None,
        )

    def put_text(self, name: str, text: str) -> None:
        """Sends a text as an object."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, name)
            file.write_text(text, encoding="utf-8")
            self.put(Artifact(name, file, sha256(file)))

    def sums(self) -> Optional[str]:
        """The text of SHA256SUMS; None if no upload is complete."""
        try:
            return self._aws.read(self._bucket, f"{self._prefix}/{SUMS}")
        except AwsError as e:
            if e.absent:
                return None
            raise
