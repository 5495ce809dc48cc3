"""The backup bucket, the bucket of artifacts, the exports, and their keys."""

from typing import Optional

from .. import artifacts, run
from ..errors import AwsError, CommandError
from ..settings import Settings, command
from . import OK, PROBLEM, UNKNOWN, WARNING, Context, Finding

_NO_EVENTS = (
    "does not send its events to EventBridge, so no night would start. The command keeps the bucket's other"
    " notifications, which put-bucket-notification-configuration would otherwise replace"
)


def backup_bucket(context: Context) -> list:
    """Existence, region, encryption, events, and rules that would remove HFiles."""
    settings, aws = context.settings, context.aws
    bucket = settings["BackupBucket"]
    thing = f"bucket {bucket}"
    foreign = settings["BackupAccountId"] not in ("", context.account)
    findings, location = _location(context, bucket, "BackupBucket")
    if location is None:
        return findings
    if location != settings.backup_region:
        findings.append(
            Finding(
                PROBLEM,
                thing,
                f"is in {location}, not in {settings.backup_region}: set parameters.BackupRegion to"
                f" {location}, and"
                f" forward the bucket's events to {settings.region}",
            )
        )
    where = {"region": location, "bucket": bucket}
    if foreign:
        findings.append(
            Finding(
                UNKNOWN,
                thing,
                f"is of account {settings['BackupAccountId']}: see there that its policy and key"
                " allow this account's"
                " roles to read, and that a rule forwards its events to this account's default bus",
            )
        )
        return findings
    findings += _encryption(context, bucket, location, "BackupKmsKeyArn")
    notifications = aws.call("s3api", "get-bucket-notification-configuration", **where)
    if "EventBridgeConfiguration" in notifications:
        findings.append(Finding(OK, thing, "sends its events to EventBridge"))
    else:
        configuration = {
            name: value
            for name, value in notifications.items()
            if name.endswith(("Configurations", "Configuration"))
        }
        mend = aws.command(
            "s3api",
            "put-bucket-notification-configuration",
            notification_configuration={**configuration, "EventBridgeConfiguration": {}},
            **where,
        )
        findings.append(Finding(PROBLEM, thing, _NO_EVENTS, (mend,)))
    return findings + _lifecycle(context, where)


def artifact_bucket(context: Context) -> list:
    """Existence, region, encryption."""
    settings = context.settings
    bucket = settings["ArtifactBucket"]
    findings, location = _location(context, bucket, "ArtifactBucket")
    if location is None:
        return findings
    if location != settings.region:
        text = f"is in {location}; Lambda takes jars only from its own region, {settings.region}"
        findings.append(
            Finding(PROBLEM, f"bucket {bucket}", text, (_create(context, bucket + "-" + settings.region),))
        )
        return findings
    return findings + _encryption(context, bucket, location, "ArtifactKmsKeyArn")


def log_bucket(context: Context) -> list:
    """Existence, region, encryption of a bucket that the account brings."""
    settings = context.settings
    bucket = settings["LogBucketName"]
    if not bucket:
        return []
    findings, location = _location(context, bucket, "LogBucketName")
    if location is None:
        return findings
    if location != settings.region:
        return [Finding(PROBLEM, f"bucket {bucket}", f"is in {location}, and the stack in {settings.region}")]
    # With S3's own keys KmsKeyArn is for the rest.
    encryption = _encryption(context, bucket, location, "KmsKeyArn")
    return findings + [each for each in encryption if each.level != WARNING]


def _create(context: Context, bucket: str) -> str:
    region = context.settings.region
    constraint = None if region == "us-east-1" else {"LocationConstraint": region}
    return context.aws.command(
        "s3api", "create-bucket", bucket=bucket, create_bucket_configuration=constraint
    )


def _location(context: Context, bucket: str, parameter: str) -> tuple:
    """Findings, and the bucket's region or None."""
    thing = f"bucket {bucket}"
    try:
        answer = context.aws.call("s3api", "get-bucket-location", bucket=bucket)
    except AwsError as e:
        if e.absent:
            mend = (_create(context, bucket),) if parameter == "ArtifactBucket" else ()
            return [Finding(PROBLEM, thing, f"does not exist; parameters.{parameter} names it", mend)], None
        if e.denied:
            text = f"these credentials may not look at it, or it is of another account ({e.message})"
            foreign = parameter == "BackupBucket" and context.settings["BackupAccountId"]
            return [Finding(UNKNOWN if foreign else PROBLEM, thing, text)], None
        raise
    location = answer.get("LocationConstraint") or "us-east-1"
    location = {"EU": "eu-west-1"}.get(location, location)
    return [Finding(OK, thing, f"exists, in {location}")], location


def _encryption(context: Context, bucket: str, location: str, parameter: str) -> list:
    thing = f"bucket {bucket}"
    given = context.settings[parameter]
    key = None
    try:
        answer = context.aws.call("s3api", "get-bucket-encryption", region=location, bucket=bucket)
        for rule in answer["ServerSideEncryptionConfiguration"]["Rules"]:
            default = rule.get("ApplyServerSideEncryptionByDefault", {})
            if default.get("SSEAlgorithm", "").startswith("aws:kms"):
                key = default.get("KMSMasterKeyID", "alias/aws/s3")
    except AwsError as e:
        if e.code != "ServerSideEncryptionConfigurationNotFoundError":
            raise
    if key is None:
        if given:
            text = (
                f"is encrypted with S3's own keys, and parameters.{parameter} names a key; older"
                " objects may need it"
            )
            return [Finding(WARNING, thing, text)]
        return [Finding(OK, thing, "is encrypted with S3's own keys")]
    found = _key(context, key, location)
    if found is None:
        return [Finding(PROBLEM, f"key {key}", f"does not exist, and bucket {bucket} is encrypted with it")]
    arn = found["Arn"]
    if given != arn:
        text = f"is encrypted with {arn}: set parameters.{parameter} to this key"
        return [Finding(PROBLEM, thing, text)]
    return [Finding(OK, thing, f"is encrypted with {arn}")]


def _lifecycle(context: Context, where: dict) -> list:
    try:
        rules = context.aws.call("s3api", "get-bucket-lifecycle-configuration", **where).get("Rules", [])
    except AwsError as e:
        if e.absent:
            return []
        raise
    archive = context.settings["BackupPrefix"] + "/archive/"
    findings = []
    for rule in rules:
        if rule.get("Status") != "Enabled" or not ("Expiration" in rule or "Transitions" in rule):
            continue
        scope = rule.get("Filter", {})
        prefix = rule.get("Prefix") or scope.get("Prefix") or scope.get("And", {}).get("Prefix") or ""
        by_tag = "Tag" in scope or "Tags" in scope.get("And", {})
        expires = set(rule.get("Expiration", {})) & {"Days", "Date"} or rule.get("Transitions")
        if expires and not by_tag and (archive.startswith(prefix) or prefix.startswith(archive)):
            text = (
                f"lifecycle rule '{rule.get('ID', prefix)}' removes or moves HFiles that newer"
                " nights share; use"
                " rollup-aws prune instead"
            )
            look = context.aws.command("s3api", "get-bucket-lifecycle-configuration", **where)
            findings.append(Finding(PROBLEM, f"bucket {where['bucket']}", text, (look,)))
    return findings


def exports(context: Context) -> list:
    """Whether a night was exported, and the newest one whole, as far as names tell."""
    settings, aws = context.settings, context.aws
    thing = settings.backup_root
    try:
        snapshots = run.names(aws, settings, f"{settings['BackupPrefix']}/.hbase-snapshot/")
        nights = run.nights(settings, snapshots)
        markers = run.names(aws, settings, f"{settings['BackupPrefix']}/_EXPORTED/")
    except AwsError as e:
        if e.absent:
            return []  # the bucket's own check says so
        raise
    marks = settings["StartOn"] == "MARKER"
    exported = run.marker_dates(markers) if marks else nights
    data = run.dates(settings, snapshots, settings["DataTable"])
    again = run.export_command(settings)
    if not exported:
        return [Finding(WARNING, thing, _none(settings, snapshots, nights, data), (again,))]
    newest = exported[-1]
    night = run.marked(aws, settings, newest) if marks else run.named(settings, newest)
    lacking = run.missing(aws, settings, night)
    findings = []
    if lacking:
        text = f"the newest night, {newest}, lacks {', '.join(lacking)}: half an export, whose night fails"
        findings.append(Finding(PROBLEM, thing, text, (f"{again} --date {newest} --overwrite",)))
    if data and data[-1] > newest:
        lack = f"its {'marker' if data[-1] in nights else 'UID snapshot'}"
        text = f"has the data snapshot of {data[-1]} without {lack}: an export that still runs, or has failed"
        findings.append(Finding(WARNING, thing, text, (f"{again} --date {data[-1]} --overwrite",)))
    what = "markers" if marks else "nights with both snapshots"
    return findings or [Finding(OK, thing, f"has {len(exported)} {what}, the newest {newest}")]


def _none(settings: Settings, snapshots: list, nights: list, data: list) -> str:
    """Why no night was exported."""
    if data and not nights:
        return f"has the data snapshot of {data[-1]} without its UID snapshot: half an export"
    if settings["StartOn"] == "MARKER":
        if nights:
            return (
                f"has snapshots of {nights[-1]} and no marker below _EXPORTED/: set StartOn to"
                " MANIFESTS, or export"
            )
        return "has no exported night yet, or parameters.BackupPrefix is wrong"
    others = f"; there are {', '.join(snapshots[:3])}" if snapshots else ""
    pattern = settings["SnapshotPattern"]
    return f"has no night with snapshots of both tables by SnapshotPattern {pattern}{others}"


def keys(context: Context) -> list:
    """Every key that a parameter names."""
    settings = context.settings
    findings = []
    for parameter in ("BackupKmsKeyArn", "ArtifactKmsKeyArn", "KafkaSecretKmsKeyArn", "KmsKeyArn"):
        arn = settings[parameter]
        if not arn:
            continue
        region = arn.split(":")[3]
        expected = settings.backup_region if parameter == "BackupKmsKeyArn" else settings.region
        found = _key(context, arn, region)
        if found is None:
            findings.append(Finding(PROBLEM, parameter, f"{arn} does not exist"))
        elif found.get("KeyState") != "Enabled":
            mend = context.aws.command("kms", "enable-key", region=region, key_id=arn)
            if found.get("KeyState") == "PendingDeletion":
                mend = context.aws.command("kms", "cancel-key-deletion", region=region, key_id=arn)
            findings.append(
                Finding(PROBLEM, parameter, f"{arn} is in state {found.get('KeyState')}", (mend,))
            )
        elif region != expected:
            findings.append(Finding(PROBLEM, parameter, f"{arn} is not in {expected}"))
        else:
            findings.append(Finding(OK, parameter, f"{arn} is enabled"))
    return findings


def _key(context: Context, key: str, region: str) -> Optional[dict]:
    try:
        return context.aws.call("kms", "describe-key", region=region, key_id=key)["KeyMetadata"]
    except AwsError as e:
        if e.absent:
            return None
        raise


def uploaded(context: Context) -> list:
    """Local files, and whether the folder of artifacts may take them."""
    settings = context.settings
    store = artifacts.Store(context.aws, settings)
    try:
        files = artifacts.local(context.aws, settings)
    except CommandError as e:
        return [Finding(PROBLEM, "artifacts", text, tuple(e.hints)) for text in e.problems]
    try:
        text = store.sums()
    except AwsError as e:
        if e.absent or e.denied:
            return []  # the bucket's own check says so
        raise
    upload = (command(settings, "upload"),)
    if text is None:
        return [Finding(OK, settings.artifact_root, "is new; upload fills it", upload)]
    here = artifacts.sums(files)
    if text == here:
        return [Finding(OK, settings.artifact_root, "has the artifacts of this machine")]
    there = set(text.splitlines())
    others = [line.split()[-1] for line in here.splitlines() if line not in there]
    return [
        Finding(
            WARNING,
            settings.artifact_root,
            f"has other artifacts than this machine ({', '.join(others) or 'more of them'}), which upload and"
            " deploy refuse: to deploy these set parameters.ArtifactPrefix to a new folder",
        )
    ]
