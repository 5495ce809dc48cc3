"""rollup-aws upload: artifacts to S3, with checksums."""

from . import artifacts
from .aws import Aws
from .errors import ConfigurationError, OutsideError
from .settings import Settings

RULE = (
    "Lambda and running nights use the objects of a folder, so an object never changes: set"
    " parameters.ArtifactPrefix to a new folder, such as one with the version, and upload again"
)


def upload(aws: Aws, settings: Settings, dry_run: bool) -> None:
    """Sends what S3 does not have; refuses to replace an object by other bytes."""
    files = artifacts.local(aws, settings)
    store = artifacts.Store(aws, settings)
    there = store.checksums(each.name for each in files)
    changed = [each for each in files if there[each.name] not in (None, each.checksum)]
    if changed:
        raise ConfigurationError(
            *(
                f"{store.uri(each.name)} has other bytes than {each.file}"
                if there[each.name]
                else f"{store.uri(each.name)} has no SHA-256: rollup-aws did not write it"
                for each in changed
            ),
            RULE,
        )
    text = artifacts.sums(files)
    complete = store.sums()
    if complete is not None and _foreign(complete, text):
        raise ConfigurationError(
            f"{store.uri(artifacts.SUMS)} lists other files: {', '.join(_foreign(complete, text))}", RULE
        )
    for each in files:
        size = each.file.stat().st_size
        if there[each.name]:
            print(f"unchanged  {store.uri(each.name)}")
        elif dry_run:
            print(f"would send {store.uri(each.name)}  {size} bytes of {each.file}")
        else:
            store.put(each)
            _verify(store, each)
            print(f"sent       {store.uri(each.name)}  {size} bytes, sha256 {each.sha256}")
    if complete == text:
        return
    if dry_run:
        print(f"would send {store.uri(artifacts.SUMS)}")
        return
    store.put_text(artifacts.SUMS, text)
    print(f"sent       {store.uri(artifacts.SUMS)}")


def _foreign(there: str, here: str) -> list:
    """Names that SHA256SUMS has, and this upload has not, or with another sum."""
    lines = set(here.splitlines())
    return [line.split()[-1] for line in there.splitlines() if line.strip() and line not in lines]


def _verify(store: artifacts.Store, artifact: artifacts.Artifact) -> None:
    arrived = store.checksum(artifact.name)
    if arrived != artifact.checksum:
        raise OutsideError(
            f"{store.uri(artifact.name)}: S3 has the SHA-256 {arrived or 'of no object'},"
            f" the file has {artifact.checksum}; repeat the upload"
        )
