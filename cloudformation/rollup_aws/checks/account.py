"""Region, roles, permissions, quotas, and what is left of earlier deployments."""

import re
from typing import Optional

from .. import stack as stacks
from ..errors import AwsError
from . import OK, PROBLEM, UNKNOWN, WARNING, Context, Finding

_ROLES = {
    "SERVERLESS": {"AWSServiceRoleForAmazonEMRServerless": "ops.emr-serverless.amazonaws.com"},
    "EMR": {"AWSServiceRoleForEMRCleanup": "elasticmapreduce.amazonaws.com"},
    "SPOT": {"AWSServiceRoleForEC2Spot": "spot.amazonaws.com"},
}


def service_linked_roles(context: Context) -> list:
    """Roles that the services need once for an account."""
    settings, aws = context.settings, context.aws
    needed = dict(_ROLES["SERVERLESS"] if settings.serverless or settings["Prune"] == "ON" else {})
    if not settings.serverless:
        needed.update(_ROLES["EMR"])
        if settings["TaskMarket"] == "SPOT":
            needed.update(_ROLES["SPOT"])
    findings = []
    for role, service in needed.items():
        try:
            aws.call("iam", "get-role", role_name=role)
            findings.append(Finding(OK, f"role {role}", "exists"))
        except AwsError as e:
            if not e.absent:
                raise
            create = aws.command("iam", "create-service-linked-role", aws_service_name=service)
            findings.append(
                Finding(
                    PROBLEM,
                    f"role {role}",
                    f"is missing; {service} works by this service-linked role",
                    (create,),
                )
            )
    return findings


def boundary(context: Context) -> list:
    """The policy of PermissionsBoundary."""
    arn = context.settings["PermissionsBoundary"]
    if not arn:
        return []
    try:
        context.aws.call("iam", "get-policy", policy_arn=arn)
    except AwsError as e:
        if not e.absent:
            raise
        return [Finding(PROBLEM, "PermissionsBoundary", f"{arn} does not exist")]
    return [Finding(OK, "PermissionsBoundary", arn)]


def release(context: Context) -> list:
    """EMR's release in this region."""
    label = context.settings["ReleaseLabel"]
    found = context.aws.call("emr", "list-release-labels", filters={"Prefix": label}).get("ReleaseLabels", [])
    if label in found:
        return [Finding(OK, "ReleaseLabel", f"{label} is offered in {context.settings.region}")]
    return [
        Finding(
            PROBLEM,
            "ReleaseLabel",
            f"{label} is not offered in {context.settings.region}",
            (context.aws.command("emr", "list-release-labels", filters={"Prefix": "emr-7"}),),
        )
    ]


def existing_stack(context: Context) -> list:
    """The state of a stack of this name."""
    settings = context.settings
    stack = stacks.describe(context.aws, settings)
    if stack is None:
        return [Finding(OK, f"stack {settings.stack}", "does not exist yet")]
    problem = stacks.obstacle(context.aws, settings, stack)
    if problem is None:
        return [Finding(OK, f"stack {settings.stack}", f"is in state {stack.status}; deploy updates it")]
    return [Finding(PROBLEM, f"stack {settings.stack}", "; ".join(problem.problems), tuple(problem.hints))]


# ---- permissions ----


def _actions(context: Context) -> list:
    """What upload, deploy, run and destroy call: (actions, resource)."""
    settings = context.settings
    arn = f"arn:{context.partition}"
    here = f"{settings.region}:{context.account}"
    name = settings.stack
    bucket = settings["ArtifactBucket"]
    groups = [
        ("s3:ListBucket", f"{arn}:s3:::{bucket}"),
        ("s3:GetObject s3:PutObject", f"{arn}:s3:::{bucket}/{settings['ArtifactPrefix']}/x"),
        ("s3:GetObject", f"{arn}:s3:::{settings['BackupBucket']}/{settings['BackupPrefix']}/x"),
        (
            "cloudformation:CreateChangeSet cloudformation:DescribeChangeSet cloudformation:ExecuteChangeSet"
            " cloudformation:DescribeStacks cloudformation:DescribeStackEvents cloudformation:DeleteStack"
            " cloudformation:CreateStack",
            f"{arn}:cloudformation:{here}:stack/{name}/*",
        ),
        # Nested stacks have names of their own.
        (
            "cloudformation:CreateStack cloudformation:UpdateStack cloudformation:DeleteStack"
            " cloudformation:DescribeStacks",
            f"{arn}:cloudformation:{here}:stack/{name}-Storage-x/*",
        ),
        (
            "iam:CreateRole iam:GetRole iam:DeleteRole iam:PassRole iam:PutRolePolicy iam:AttachRolePolicy",
            f"{arn}:iam::{context.account}:role/{name}-x",
        ),
        ("iam:CreatePolicy", f"{arn}:iam::{context.account}:policy/{name}-x"),
        ("lambda:CreateFunction", f"{arn}:lambda:{here}:function:{name}-x"),
        ("lambda:CreateEventSourceMapping", "*"),
        ("sqs:CreateQueue sqs:SetQueueAttributes", f"{arn}:sqs:{here}:{name}-x"),
        ("sns:CreateTopic sns:SetTopicAttributes", f"{arn}:sns:{here}:{name}-x"),
        ("events:PutRule events:PutTargets", f"{arn}:events:{here}:rule/{name}-x"),
        ("kms:CreateKey", "*"),
        (
            "logs:CreateLogGroup logs:PutRetentionPolicy",
            f"{arn}:logs:{here}:log-group:/opentsdb-rollup/{name}",
        ),
        (
            "s3:CreateBucket s3:PutBucketPolicy s3:PutLifecycleConfiguration s3:PutEncryptionConfiguration"
            " s3:PutBucketVersioning s3:PutBucketPublicAccessBlock s3:PutBucketOwnershipControls",
            f"{arn}:s3:::{name}-x",
        ),
        (
            "states:CreateStateMachine states:StartExecution states:ListExecutions",
            f"{arn}:states:{here}:stateMachine:{name}-x",
        ),
        ("cloudwatch:PutMetricAlarm", f"{arn}:cloudwatch:{here}:alarm:{name}-x"),
        ("ec2:CreateSecurityGroup ec2:AuthorizeSecurityGroupEgress", f"{arn}:ec2:{here}:security-group/*"),
    ]
    if settings.serverless or settings["Prune"] == "ON":
        groups.append(
            (
                "emr-serverless:CreateApplication emr-serverless:GetApplication"
                " emr-serverless:StopApplication emr-serverless:ListJobRuns emr-serverless:TagResource"
                " ec2:CreateNetworkInterface",
                "*",
            )
        )
    if not settings.serverless:
        groups.append(("elasticmapreduce:CreateSecurityConfiguration iam:CreateInstanceProfile", "*"))
    if settings.tags:
        groups += [
            ("iam:TagRole", f"{arn}:iam::{context.account}:role/{name}-x"),
            ("lambda:TagResource", f"{arn}:lambda:{here}:function:{name}-x"),
            ("sqs:TagQueue", f"{arn}:sqs:{here}:{name}-x"),
            ("sns:TagResource", f"{arn}:sns:{here}:{name}-x"),
            ("kms:TagResource", f"{arn}:kms:{here}:key/x"),
            ("logs:TagResource", f"{arn}:logs:{here}:log-group:/opentsdb-rollup/{name}"),
            ("s3:PutBucketTagging", f"{arn}:s3:::{name}-x"),
            ("states:TagResource", f"{arn}:states:{here}:stateMachine:{name}-x"),
            ("ec2:CreateTags", f"{arn}:ec2:{here}:security-group/x"),
        ]
    return [(actions.split(), resource) for actions, resource in groups]


def permissions(context: Context) -> list:
    """IAM's own simulation for the caller."""
    source = _source(context)
    if source is None:
        return [Finding(UNKNOWN, "permissions", f"IAM does not simulate {context.principal}")]
    denied, doubtful = [], []
    count = 0
    for actions, resource in _actions(context):
        answer = context.aws.call(
            "iam",
            "simulate-principal-policy",
            policy_source_arn=source,
            action_names=actions,
            resource_arns=[resource],
        )
        count += len(actions)
        for each in answer["EvaluationResults"]:
            if each["EvalDecision"] != "allowed":
                conditional = each.get("MissingContextValues")
                (doubtful if conditional else denied).append(f"{each['EvalActionName']} on {resource}")
    findings = []
    if denied:
        findings.append(Finding(PROBLEM, "permissions", f"{source} may not " + ", ".join(denied)))
    if doubtful:
        findings.append(Finding(UNKNOWN, "permissions", "depend on conditions: " + ", ".join(doubtful)))
    text = f"IAM's simulation allows {source} {count} actions that upload, deploy and run need"
    return findings or [
        Finding(OK, "permissions", text + "; it knows no policies of buckets, keys and endpoints")
    ]


def _source(context: Context) -> Optional[str]:
    """The user or role that IAM can simulate; None for the account's root and federated users."""
    arn = context.principal
    if re.search(r":user/", arn):
        return arn
    assumed = re.search(r":assumed-role/([^/]+)/", arn)
    if assumed:
        return context.aws.call("iam", "get-role", role_name=assumed[1])["Role"]["Arn"]
    return None


# ---- quotas ----

_ON_DEMAND = ("ec2", "L-1216C47A", "vCPUs of running on-demand instances (A, C, D, H, I, M, R, T, Z)")
_SPOT = ("ec2", "L-34B43A08", "vCPUs of spot instances (A, C, D, H, I, M, R, T, Z)")
_SERVERLESS = ("emr-serverless", "L-D05C8A75", "concurrent vCPUs of EMR Serverless")


def quotas(context: Context) -> list:
    """vCPUs that the account may use at a time, and what a night wants."""
    settings = context.settings
    findings = []
    if settings.serverless:
        cores = int(settings["WorkerSize"].split("x")[0] or 0)
        wanted = cores * (int(settings["Workers"]) + 1)
        findings.append(_quota(context, _SERVERLESS, wanted, 2 * cores, "Workers"))
        return findings
    sizes = {}
    kinds = ("Primary", "Core", "Task")
    wanted = sorted({each for kind in kinds for each in settings.types(f"{kind}InstanceTypes")})
    answer = context.aws.call("ec2", "describe-instance-types", instance_types=wanted)
    found = {each["InstanceType"]: each for each in answer["InstanceTypes"]}
    for kind in kinds:
        types = [found[each] for each in settings.types(f"{kind}InstanceTypes") if each in found]
        vcpus = {each["VCpuInfo"]["DefaultVCpus"] for each in types}
        machines = {tuple(each["ProcessorInfo"]["SupportedArchitectures"]) for each in types}
        sizes[kind] = max(vcpus, default=0)
        if len(vcpus) > 1 or len(machines) > 1:
            findings.append(
                Finding(
                    PROBLEM,
                    f"{kind}InstanceTypes",
                    f"must have one size and one processor architecture, found {sorted(vcpus)} vCPUs and"
                    f" {', '.join(sorted(name for machine in machines for name in machine))}",
                )
            )
    tasks = sizes["Task"] * int(settings["TaskInstances"])
    fixed = sizes["Primary"] + sizes["Core"] * int(settings["CoreInstances"])
    spot = settings["TaskMarket"] == "SPOT"
    # Without spot capacity task nodes are on demand after 15 minutes.
    least = fixed + (0 if spot else sizes["Task"])
    findings.append(_quota(context, _ON_DEMAND, fixed + tasks, least, "TaskInstances"))
    if spot:
        findings.append(_quota(context, _SPOT, tasks, 0, "TaskInstances"))
    return findings


def _quota(context: Context, quota: tuple, wanted: int, least: int, parameter: str) -> Finding:
    """A night with less than wanted takes longer; none runs with less than least: driver and one executor."""
    service, code, text = quota
    thing = f"quota {code}"
    try:
        found = context.aws.call("service-quotas", "get-service-quota", service_code=service, quota_code=code)
    except AwsError as e:
        return Finding(UNKNOWN, thing, f"{text}: {e.message}; a night wants {wanted}")
    value = int(found["Quota"]["Value"])
    if value >= wanted:
        return Finding(OK, thing, f"{text}: {value}, a night wants {wanted}")
    request = context.aws.command(
        "service-quotas",
        "request-service-quota-increase",
        service_code=service,
        quota_code=code,
        desired_value=wanted,
    )
    if value < least:
        return Finding(PROBLEM, thing, f"{text}: {value}, no night runs with less than {least}", (request,))
    return Finding(
        WARNING, thing, f"{text}: {value}, a night wants {wanted}; or lower {parameter}", (request,)
    )
