#!/usr/bin/env bash
# Bootstrap action of the rollup clusters. On the primary node, where the job's driver runs, it puts
# opentsdb.conf, rollup_config.json and Kafka's properties into one directory that only the user
# hadoop can read; on other nodes it is a no-op. It never prints a secret or passes one as an argument
# of a command.
set -euo pipefail
umask 077

usage() {
  cat <<'TEXT'
prepare-node.sh --artifacts s3://BUCKET/PREFIX --kafka-security MODE [options]

  --artifacts URI          folder with opentsdb.conf, rollup_config.json and, for MSK_IAM,
                           aws-msk-iam-auth.jar
  --artifacts-region NAME  region of their bucket (default: the AWS CLI's)
  --kafka-security MODE    MSK_IAM, SASL_SCRAM, TLS or PLAINTEXT; NONE: no properties of Kafka
  --kafka-secret ARN       secret in Secrets Manager, or none (the default)
                             SASL_SCRAM  {"username": "...", "password": "..."}, and
                                         optionally "truststore" as with TLS
                             TLS         all optional, PEM: {"truststore": "...",
                                         "certificateChain": "...", "privateKey": "..."}
                           truststore: authorities of the brokers' certificates; default: those of
                           the JDK. privateKey: PKCS #8, not encrypted (BEGIN PRIVATE KEY).
                           The region of the request is the ARN's
  --sums SHA256            SHA-256 of the artifact SHA256SUMS, which has the checksums of this script,
                           the job's jar and all files here; none (the default) checks nothing
  --tiers-policy NAME      artifact with the policy of tiers, or none (the default)
  --directory DIR          target directory (default /home/hadoop/rollup)
  --instance-file FILE     EMR's description of the node (default /mnt/var/lib/info/instance.json)
  --help

Exit codes: 0 done; 2 wrong usage, secret or checksum; any other comes from the AWS CLI.
TEXT
}

fail() {
  printf 'prepare-node.sh: %s\n' "$1" >&2
  exit 2
}

artifacts='' artifacts_region='' security='' secret=none sums=none tiers_policy=none
directory=/home/hadoop/rollup
instance_file=/mnt/var/lib/info/instance.json
while (($#)); do
  case $1 in
    --help)
      usage
      exit 0
      ;;
    --artifacts | --artifacts-region | --kafka-security | --kafka-secret | --sums | --tiers-policy | --directory | \
      --instance-file)
      (($# >= 2)) || fail "$1 needs a value"
      case $1 in
        --artifacts) artifacts=${2%/} ;;
        --artifacts-region) artifacts_region=$2 ;;
        --kafka-security) security=$2 ;;
        --kafka-secret) secret=$2 ;;
        --sums) sums=$2 ;;
        --tiers-policy) tiers_policy=$2 ;;
        --directory) directory=$2 ;;
        --instance-file) instance_file=$2 ;;
      esac
      shift 2
      ;;
    *) fail "unknown option '$1'; --help lists them" ;;
  esac
done
[[ $artifacts == s3://?*/?* ]] || fail "--artifacts must be s3://BUCKET/PREFIX, found '$artifacts'"
case $security in
  MSK_IAM | TLS | PLAINTEXT) ;;
  NONE) [[ $secret == none ]] || fail '--kafka-security NONE has no --kafka-secret' ;;
  SASL_SCRAM) [[ $secret != none ]] || fail '--kafka-security SASL_SCRAM needs --kafka-secret' ;;
  *) fail "--kafka-security must be MSK_IAM, SASL_SCRAM, TLS, PLAINTEXT or NONE, found '$security'" ;;
esac

[[ -z $artifacts_region || $artifacts_region =~ ^[a-z]{2}(-[a-z]+)+-[0-9]$ ]] ||
  fail "--artifacts-region must be the name of a region, found '$artifacts_region'"
region=''
if [[ $secret != none ]]; then
  [[ $secret =~ ^arn:[a-z-]+:secretsmanager:([a-z0-9-]+):[0-9]+:secret:.+$ ]] ||
    fail "--kafka-secret must be the ARN of a secret in Secrets Manager, found '$secret'"
  region=${BASH_REMATCH[1]}
fi
[[ $sums == none || $sums =~ ^[0-9a-f]{64}$ ]] ||
  fail "--sums must be a SHA-256, 64 hexadecimal digits, found '$sums'"

primary=$(python3 -c 'import json, sys; print(bool(json.load(open(sys.argv[1]))["isMaster"]))' \
  "$instance_file" 2>/dev/null) ||
  fail "$instance_file, of EMR, must be JSON with isMaster; it is not there, or does not tell whether this is the primary node"
if [[ $primary != True ]]; then
  echo 'prepare-node.sh: not the primary node, nothing to do'
  exit 0
fi

fetch() {
  aws s3 cp --only-show-errors ${artifacts_region:+--region "$artifacts_region"} "$artifacts/$1" "$2"
}

# check NAME FILE: the file is the artifact that SHA256SUMS names.
check() {
  [[ $sums == none ]] && return
  local expected
  expected=$(awk -v name="$1" '$2 == name { print $1 }' "$listed")
  [[ -n $expected ]] || fail "$artifacts/SHA256SUMS does not have $1; repeat the upload"
  sha256sum --check --status <<<"$expected  $2" ||
    fail "$artifacts/$1 is not the file of SHA256SUMS; repeat the upload below another prefix"
}

if [[ $sums != none ]]; then
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  listed=$temporary/SHA256SUMS
  fetch SHA256SUMS "$listed"
  sha256sum --check --status <<<"$sums  $listed" ||
    fail "$artifacts/SHA256SUMS does not have the SHA-256 $sums; deploy the artifacts that were uploaded"
  check prepare-node.sh "$0"
  jar=rollup-job.jar
  fetch "$jar" "$temporary/$jar"
  check "$jar" "$temporary/$jar"
  rm "$temporary/$jar"
fi

mkdir -p "$directory"
chmod 700 "$directory"
files=(opentsdb.conf rollup_config.json)
[[ $security == MSK_IAM ]] && files+=(aws-msk-iam-auth.jar)
[[ $tiers_policy == none ]] || files+=("$tiers_policy")
for file in "${files[@]}"; do
  fetch "$file" "$directory/$file"
  check "$file" "$directory/$file"
done

secret_json() {
  if [[ $secret == none ]]; then
    echo '{}'
  else
    aws secretsmanager get-secret-value --region "$region" --secret-id "$secret" \
      --query SecretString --output text
  fi
}

# The program is an argument, because standard input carries the secret. pipefail fails the script if
# the AWS CLI fails; the properties file gets its name when it is complete.
# shellcheck disable=SC2016  # the shell must not expand it
program='
import json, os, re, sys

mode, target = sys.argv[1:]


def fail(message):
    # Never print the text itself: it is secret.
    print("prepare-node.sh: the secret of Kafka " + message, file=sys.stderr)
    sys.exit(2)


text = sys.stdin.read()
if not text.strip():
    fail("did not come: the AWS CLI says above why")
try:
    secret = json.loads(text)
except ValueError:
    fail("is not JSON")
if not isinstance(secret, dict) or any(type(value) is not str for value in secret.values()):
    fail("must be one JSON object of texts")
scram = {"username", "password"}
pem = {"truststore": "CERTIFICATE", "certificateChain": "CERTIFICATE", "privateKey": "PRIVATE KEY"}
known = {"SASL_SCRAM": scram | {"truststore"}, "TLS": set(pem)}
unknown = sorted(set(secret) - known.get(mode, set()))
if unknown:
    fail("must not have " + ", ".join(unknown) + " with " + mode)
if ("certificateChain" in secret) != ("privateKey" in secret):
    fail("must have both of certificateChain and privateKey, or none")
for name, label in pem.items():
    # As Kafka reads it: line ends may be blanks, but not a backslash and an n.
    block = "-----BEGIN %s-----\\s[A-Za-z0-9+/=\\s]+-----END %s-----" % (label, label)
    if name in secret and not re.search(block, secret[name]):
        fail("must have PEM in " + name + ": -----BEGIN " + label + "-----, lines of base64, -----END " + label + "-----")


def jaas(value):
    # A line end would end the quoted text.
    text = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r")
    return "\"" + text + "\""


properties = {}
if mode == "MSK_IAM":
    properties["security.protocol"] = "SASL_SSL"
    properties["sasl.mechanism"] = "AWS_MSK_IAM"
    properties["sasl.jaas.config"] = "software.amazon.msk.auth.iam.IAMLoginModule required;"
    properties["sasl.client.callback.handler.class"] = "software.amazon.msk.auth.iam.IAMClientCallbackHandler"
elif mode == "SASL_SCRAM":
    missing = sorted(name for name in scram if not secret.get(name))
    if missing:
        fail("lacks " + ", ".join(missing))
    properties["security.protocol"] = "SASL_SSL"
    properties["sasl.mechanism"] = "SCRAM-SHA-512"
    properties["sasl.jaas.config"] = (
        "org.apache.kafka.common.security.scram.ScramLoginModule required username="
        + jaas(secret["username"]) + " password=" + jaas(secret["password"]) + ";"
    )
elif mode == "TLS":
    properties["security.protocol"] = "SSL"
    if "privateKey" in secret:
        properties["ssl.keystore.type"] = "PEM"
        properties["ssl.keystore.certificate.chain"] = secret["certificateChain"]
        properties["ssl.keystore.key"] = secret["privateKey"]
else:
    properties["security.protocol"] = "PLAINTEXT"
if "truststore" in secret:
    properties["ssl.truststore.type"] = "PEM"
    properties["ssl.truststore.certificates"] = secret["truststore"]


def escape(value):
    # As java.util.Properties reads it: ISO-8859-1 with \uXXXX for the rest.
    text = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    units = text.encode("utf-16-be")
    codes = [units[i] << 8 | units[i + 1] for i in range(0, len(units), 2)]
    text = "".join(chr(c) if 32 <= c < 127 else "\\u%04x" % c for c in codes)
    return "\\" + text if text.startswith(" ") else text


part = target + ".part"
with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
    os.fchmod(file.fileno(), 0o600)
    for name, value in properties.items():
        file.write(name + "=" + escape(value) + "\n")
os.replace(part, target)
'
if [[ $security != NONE ]]; then
  secret_json | python3 -c "$program" "$security" "$directory/kafka.properties"
fi
echo "prepare-node.sh: wrote $directory"
