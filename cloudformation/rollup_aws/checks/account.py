"""Region, roles, permissions, quotas, and what is left of earlier deployments."""

import re
from concurrent.futures import ThreadPoolExecutor
from typing import Optional

from .. import environments
from .. import stack as stacks
from ..errors import AwsError
from ..rules import Rules
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


# What CloudFormation calls for each type of the templates: actions, and the resources that they name. A new
# type needs an entry (test_rollup_aws_account.py). NAME is the stack's name, BUCKET the same in lower case.
ACTIONS = {
    "AWS::CloudFormation::Stack": (
        "cloudformation:CreateStack cloudformation:UpdateStack cloudformation:DeleteStack"
        " cloudformation:DescribeStacks",
        ["cloudformation:HERE:stack/NAME-{}-x/*"],  # for each nested stack
    ),
    "AWS::IAM::Role": (
        "iam:CreateRole iam:GetRole iam:DeleteRole iam:PassRole iam:PutRolePolicy iam:GetRolePolicy"
        " iam:DeleteRolePolicy iam:AttachRolePolicy iam:DetachRolePolicy",
        ["iam::ACCOUNT:role/NAME-x"],
    ),
    "AWS::IAM::ManagedPolicy": (
        "iam:CreatePolicy iam:GetPolicy iam:CreatePolicyVersion iam:ListPolicyVersions"
        " iam:DeletePolicyVersion iam:DeletePolicy",
        ["iam::ACCOUNT:policy/NAME-x"],
    ),
    "AWS::IAM::InstanceProfile": (
        "iam:CreateInstanceProfile iam:AddRoleToInstanceProfile iam:RemoveRoleFromInstanceProfile"
        " iam:DeleteInstanceProfile",
        ["iam::ACCOUNT:instance-profile/NAME-x"],
    ),
    "AWS::Lambda::Function": (
        "lambda:CreateFunction lambda:GetFunction lambda:UpdateFunctionCode"
        " lambda:UpdateFunctionConfiguration lambda:DeleteFunction",
        ["lambda:HERE:function:NAME-x"],
    ),
    "AWS::Lambda::EventSourceMapping": (
        "lambda:CreateEventSourceMapping lambda:GetEventSourceMapping lambda:UpdateEventSourceMapping"
        " lambda:DeleteEventSourceMapping",
        ["*"],
    ),
    "AWS::SQS::Queue": (
        "sqs:CreateQueue sqs:GetQueueAttributes sqs:SetQueueAttributes sqs:DeleteQueue",
        ["sqs:HERE:NAME-x"],
    ),
    "AWS::SQS::QueuePolicy": ("sqs:SetQueueAttributes", ["sqs:HERE:NAME-x"]),
    "AWS::SNS::Topic": (
        "sns:CreateTopic sns:GetTopicAttributes sns:SetTopicAttributes sns:DeleteTopic",
        ["sns:HERE:NAME-x"],
    ),
    "AWS::SNS::TopicPolicy": ("sns:SetTopicAttributes", ["sns:HERE:NAME-x"]),
    "AWS::SNS::Subscription": ("sns:Subscribe", ["sns:HERE:NAME-x"]),
    "AWS::Events::Rule": (
        "events:PutRule events:DescribeRule events:PutTargets events:RemoveTargets events:DeleteRule",
        ["events:HERE:rule/NAME-x"],
    ),
    "AWS::Events::EventBusPolicy": (
        "events:PutPermission events:RemovePermission",
        ["events:HERE:event-bus/default"],
    ),
    "AWS::KMS::Key": (
        "kms:CreateKey kms:DescribeKey kms:PutKeyPolicy kms:EnableKeyRotation kms:ScheduleKeyDeletion",
        ["*"],
    ),
    "AWS::Logs::LogGroup": (
        "logs:CreateLogGroup logs:PutRetentionPolicy logs:DeleteLogGroup logs:AssociateKmsKey",
        ["logs:HERE:log-group:/opentsdb-rollup/NAME", "logs:HERE:log-group:/aws/vendedlogs/states/NAME-x"],
    ),
    "AWS::S3::Bucket": (
        "s3:CreateBucket s3:PutLifecycleConfiguration s3:PutEncryptionConfiguration s3:PutBucketVersioning"
        " s3:PutBucketPublicAccessBlock s3:PutBucketOwnershipControls s3:DeleteBucket",
        ["s3:::BUCKET-x"],
    ),
    "AWS::S3::BucketPolicy": ("s3:PutBucketPolicy s3:GetBucketPolicy", ["s3:::BUCKET-x"]),
    "AWS::StepFunctions::StateMachine": (
        "states:CreateStateMachine states:DescribeStateMachine states:UpdateStateMachine"
        " states:DeleteStateMachine",
        ["states:HERE:stateMachine:NAME-x"],
    ),
    "AWS::CloudWatch::Alarm": (
        "cloudwatch:PutMetricAlarm cloudwatch:DescribeAlarms cloudwatch:DeleteAlarms",
        ["cloudwatch:HERE:alarm:NAME-x"],
    ),
    "AWS::EC2::SecurityGroup": (
        "ec2:CreateSecurityGroup ec2:DeleteSecurityGroup ec2:AuthorizeSecurityGroupEgress"
        " ec2:RevokeSecurityGroupEgress",
        ["ec2:HERE:security-group/*"],
    ),
    "AWS::EC2::SecurityGroupEgress": (
        "ec2:AuthorizeSecurityGroupEgress ec2:RevokeSecurityGroupEgress",
        ["ec2:HERE:security-group/*"],
    ),
    "AWS::EC2::SecurityGroupIngress": (
        "ec2:AuthorizeSecurityGroupIngress ec2:RevokeSecurityGroupIngress",
        ["ec2:HERE:security-group/*"],
    ),
    "AWS::EMRServerless::Application": (
        "emr-serverless:CreateApplication emr-serverless:GetApplication emr-serverless:UpdateApplication"
        " emr-serverless:DeleteApplication emr-serverless:StopApplication emr-serverless:ListJobRuns"
        " emr-serverless:TagResource ec2:CreateNetworkInterface",
        ["*"],
    ),
    "AWS::Lambda::Permission": (
        "lambda:AddPermission lambda:RemovePermission",
        ["lambda:HERE:function:NAME-x"],
    ),
    "AWS::Budgets::Budget": ("budgets:ModifyBudget budgets:ViewBudget", ["budgets::ACCOUNT:budget/*"]),
    "AWS::CloudWatch::Dashboard": (
        "cloudwatch:PutDashboard cloudwatch:DeleteDashboards",
        ["cloudwatch::ACCOUNT:dashboard/NAME"],
    ),
    "AWS::EMR::SecurityConfiguration": (
        "elasticmapreduce:CreateSecurityConfiguration elasticmapreduce:DescribeSecurityConfiguration"
        " elasticmapreduce:DeleteSecurityConfiguration",
        ["*"],
    ),
}
# CloudFormation gives the stack's tags to every resource that takes tags.
_TAGS = [
    ("AWS::IAM::Role", "iam:TagRole", "iam::ACCOUNT:role/NAME-x"),
    ("AWS::IAM::ManagedPolicy", "iam:TagPolicy", "iam::ACCOUNT:policy/NAME-x"),
    ("AWS::Lambda::Function", "lambda:TagResource", "lambda:HERE:function:NAME-x"),
    ("AWS::Lambda::EventSourceMapping", "lambda:TagResource", "lambda:HERE:event-source-mapping:x"),
    ("AWS::SQS::Queue", "sqs:TagQueue", "sqs:HERE:NAME-x"),
    ("AWS::SNS::Topic", "sns:TagResource", "sns:HERE:NAME-x"),
    ("AWS::Events::Rule", "events:TagResource", "events:HERE:rule/NAME-x"),
    ("AWS::KMS::Key", "kms:TagResource", "kms:HERE:key/x"),
    ("AWS::Logs::LogGroup", "logs:TagResource", "logs:HERE:log-group:/opentsdb-rollup/NAME"),
    ("AWS::S3::Bucket", "s3:PutBucketTagging", "s3:::BUCKET-x"),
    ("AWS::StepFunctions::StateMachine", "states:TagResource", "states:HERE:stateMachine:NAME-x"),
    ("AWS::CloudWatch::Alarm", "cloudwatch:TagResource", "cloudwatch:HERE:alarm:NAME-x"),
    ("AWS::EC2::SecurityGroup", "ec2:CreateTags", "ec2:HERE:security-group/x"),
    ("AWS::Budgets::Budget", "budgets:TagResource", "budgets::ACCOUNT:budget/*"),
]


def _own_roles(context: Context) -> dict:
    """The ARNs of the roles that the account brings, by their names in docs/aws-reference.md; none without
    RolePrefix.
    """
    settings = context.settings
    if not settings["RolePrefix"]:
        return {}
    names = ["trigger", "prepare", "report", "night-check", "states"]
    names += ["job"] if settings.serverless else ["lost-instances", "emr", "node"]
    if settings["Prune"] == "ON":
        names += ["prune", "prune-states"] if settings["PruneSchedule"] else ["prune"]
    root = f"arn:{context.partition}:iam::{context.account}:role{settings['RolePath']}"
    return {name: f"{root}{settings['RolePrefix']}{name}" for name in names}


def own_roles(context: Context) -> list:
    """Whether the roles of RolePrefix exist, in RolePath."""
    findings = []
    for arn in _own_roles(context).values():
        try:
            found = context.aws.call("iam", "get-role", role_name=arn.rpartition("/")[2])["Role"]["Arn"]
        except AwsError as e:
            if not e.absent:
                raise
            findings.append(Finding(PROBLEM, f"role {arn}", "does not exist; parameters.RolePrefix names it"))
            continue
        if found != arn:
            text = f"is {found}: another path than parameters.RolePath"
            findings.append(Finding(PROBLEM, f"role {arn}", text))
    if findings or not context.settings["RolePrefix"]:
        return findings
    return [Finding(OK, "roles of RolePrefix", "exist; what they allow was not compared with the template")]


def budget(context: Context) -> list:
    """Whether the account's bill knows the tag by which the budget counts."""
    if not context.settings["MonthlyBudget"]:
        return []
    tag = "opentsdb-rollup-stack"
    found = context.aws.call("ce", "list-cost-allocation-tags", tag_keys=[tag], status="Active")
    if found.get("CostAllocationTags"):
        return [Finding(OK, "MonthlyBudget", f"{tag} is an active cost allocation tag")]
    activate = context.aws.command(
        "ce",
        "update-cost-allocation-tags-status",
        cost_allocation_tags_status=f"TagKey={tag},Status=Active",
    )
    text = f"counts nothing until the cost allocation tag {tag} is active; AWS knows it a day after a night"
    return [Finding(WARNING, "MonthlyBudget", text, (activate,))]


def _actions(context: Context) -> list:
    """What upload, deploy, run and destroy call: (actions, resource)."""
    settings = context.settings
    name, bucket = settings.stack, settings["ArtifactBucket"]
    groups = [
        ("s3:ListBucket", f"s3:::{bucket}"),
        ("s3:GetObject s3:PutObject", f"s3:::{bucket}/{settings['ArtifactPrefix']}/x"),
        ("s3:GetObject", f"s3:::{settings['BackupBucket']}/{settings['BackupPrefix']}/x"),
        (
            "cloudformation:CreateChangeSet cloudformation:DescribeChangeSet cloudformation:ExecuteChangeSet"
            " cloudformation:DescribeStacks cloudformation:DescribeStackEvents cloudformation:DeleteStack"
            " cloudformation:CreateStack",
            "cloudformation:HERE:stack/NAME/*",
        ),
        ("states:StartExecution states:ListExecutions", "states:HERE:stateMachine:NAME-x"),
        ("states:DescribeExecution", "states:HERE:execution:NAME-x:x"),
    ]
    values = settings.parameters
    nested = environments.types(Rules.load().stacks, values, settings.stack, settings.region)
    there = {"AWS::CloudFormation::Stack"}.union(*nested.values())
    for kind, (actions, resources) in ACTIONS.items():
        for resource in resources if kind in there else []:
            for each in nested if "{}" in resource else [""]:
                groups.append((actions, resource.format(each)))
    if settings["PermissionsBoundary"] and "AWS::IAM::Role" in there:
        groups.append(("iam:PutRolePermissionsBoundary", "iam::ACCOUNT:role/NAME-x"))
    if settings.tags:
        groups += [(action, resource) for kind, action, resource in _TAGS if kind in there]
    here = {
        "HERE": f"{settings.region}:{context.account}",
        "ACCOUNT": context.account,
        "NAME": name,
        "BUCKET": name.lower(),  # CloudFormation writes names of buckets so
    }
    found: dict = {}
    for actions, resource in groups:
        for word, value in here.items():
            resource = re.sub(rf"\b{word}\b", value, resource)  # noqa: PLW2901
        arn = resource if resource == "*" else f"arn:{context.partition}:{resource}"
        known = found.setdefault(arn, [])
        known += [each for each in actions.split() if each not in known]
    for role, arn in _own_roles(context).items():
        if role not in ("job", "emr", "node"):  # which the state machine passes
            found[arn] = ["iam:PassRole"]
    return [(actions, arn) for arn, actions in found.items()]


def permissions(context: Context) -> list:
    """IAM's own simulation for the caller."""
    source = _source(context)
    if source is None:
        return [Finding(UNKNOWN, "permissions", f"IAM does not simulate {context.principal}")]
    groups = _actions(context)
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(lambda group: _simulated(context, source, *group), groups))
    denied, doubtful = [], []
    count = 0
    for (actions, resource), answer in zip(groups, answers):
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


def _simulated(context: Context, source: str, actions: list, resource: str) -> dict:
    return context.aws.call(
        "iam",
        "simulate-principal-policy",
        policy_source_arn=source,
        action_names=actions,
        resource_arns=[resource],
    )


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
        wanted = cores * (settings.executors + 1)
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
