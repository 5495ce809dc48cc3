#!/usr/bin/env bash
# Takes and exports the nightly snapshots of OpenTSDB's tables, then writes one object, the marker, to
# report that all are complete. Runs on a machine with HBase's and Hadoop's commands, as a user with
# permission to take snapshots; docs/aws.md.
set -euo pipefail

usage() {
  cat <<'TEXT'
export-snapshots.sh --root s3a://BUCKET/PREFIX [options]

Takes a snapshot of the data table and then of the UID table (so that every UID in the data has its
name), exports them with ExportSnapshot, and writes <root>/_EXPORTED/<date>.json last. That object
starts the rollup. A second run resumes: existing snapshots and exports stay as they are.

  --root URI                target: s3a://BUCKET/PREFIX, the same every night; existing HFiles are
                            not copied again
  --data-table NAME         (default tsdb)
  --uid-table NAME          (default tsdb-uid)
  --rollup-table NAME       a table of rollups, for tiers and VerifySample; after the UID table; repeatable
  --snapshot-pattern TEXT   names; {date} is yyyyMMdd (default {table}-{date})
  --date YYYY-MM-DD         the date in the names, UTC (default today)
  --mappers N               parallel copies (default 4)
  --bandwidth MB            MB a second for each mapper (default 0, no limit)
  --attempts N              attempts for each export, 1 to 10 (default 3)
  --retry-seconds N         wait between attempts (default 60)
  --overwrite               repeat existing exports
  -D KEY=VALUE              setting for ExportSnapshot and hadoop fs; repeatable; no secrets
  --marker aws|hadoop|none  command for the marker: aws s3api, hadoop fs, no marker (default aws)
  --delete-after DAYS       at the end, delete older HBase snapshots of this pattern, at least 7 with
                            tiers, whose proofs need them; without it none is ever deleted. Exports
                            are never deleted
  --dry-run                 only print the commands that change data
  --help

Exit codes: 0 done; 2 wrong usage or a command is missing; 3 HBase, Hadoop or S3 failed, run it again.
TEXT
}

say() { printf '%s export-snapshots.sh: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$1" >&2; }

usage_error() {
  say "$1"
  exit 2
}

fail() {
  say "$1"
  exit 3
}

root='' data_table=tsdb uid_table=tsdb-uid pattern='{table}-{date}' day=''
mappers=4 bandwidth=0 attempts=3 retry_seconds=60 overwrite='' marker=aws delete_after='' dry_run=''
settings=()
rollup_tables=()
problems=()

while (($#)); do
  case $1 in
    --help)
      usage
      exit 0
      ;;
    --overwrite)
      overwrite=yes
      shift
      ;;
    --dry-run)
      dry_run=yes
      shift
      ;;
    --root | --data-table | --uid-table | --rollup-table | --snapshot-pattern | --date | --mappers | --bandwidth | \
      --attempts | --retry-seconds | --marker | --delete-after | -D)
      (($# >= 2)) || usage_error "$1 needs a value; --help tells more"
      case $1 in
        --root) root=${2%/} ;;
        --data-table) data_table=$2 ;;
        --uid-table) uid_table=$2 ;;
        --rollup-table) rollup_tables+=("$2") ;;
        --snapshot-pattern) pattern=$2 ;;
        --date) day=$2 ;;
        --mappers) mappers=$2 ;;
        --bandwidth) bandwidth=$2 ;;
        --attempts) attempts=$2 ;;
        --retry-seconds) retry_seconds=$2 ;;
        --marker) marker=$2 ;;
        --delete-after) delete_after=$2 ;;
        -D)
          if [[ ! $2 =~ ^[A-Za-z0-9._-]+=. ]]; then
            # Does not print the text: it may be secret.
            problems+=('-D must be KEY=VALUE')
          elif [[ ${2%%=*} =~ (secret|password|access[._-]?key|session[._-]?token) ]]; then
            problems+=("-D ${2%%=*}: command lines are not secret, use a role or a credential provider")
          else
            settings+=("-D$2")
          fi
          ;;
      esac
      shift 2
      ;;
    *) usage_error "unknown option '$1'; --help lists them" ;;
  esac
done

# number OPTION VALUE MINIMUM MAXIMUM
number() {
  if [[ ! $2 =~ ^(0|[1-9][0-9]{0,6})$ ]] || (($2 < $3 || $2 > $4)); then
    problems+=("$1 must be a number from $3 to $4, found '$2'")
  fi
}
# Excludes Hadoop's glob characters.
[[ $root =~ ^s3a?://[a-z0-9][a-z0-9.-]+(/[A-Za-z0-9!_.()=+@-]+)+$ ]] ||
  problems+=("--root must be s3a://BUCKET/PREFIX, a prefix of letters, digits and !_.()=+@-, found '$root'")
tables=("$data_table" "$uid_table" ${rollup_tables[@]+"${rollup_tables[@]}"})
for i in "${!tables[@]}"; do
  table=${tables[i]}
  for other in "${tables[@]:0:i}"; do
    [[ $other != "$table" ]] ||
      problems+=("--data-table, --uid-table and --rollup-table must differ, found '$table' twice")
  done
  [[ $table =~ ^([A-Za-z0-9_]+:)?[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] ||
    problems+=("'$table' is not the name of an HBase table")
done
[[ $pattern =~ ^[A-Za-z0-9_.-]*\{(table\}[A-Za-z0-9_.-]*\{date|date\}[A-Za-z0-9_.-]*\{table)\}[A-Za-z0-9_.-]*$ ]] ||
  problems+=("--snapshot-pattern must have {table} and {date}, each once, found '$pattern'")
day=${day:-$(date -u +%Y-%m-%d)}
if [[ ! $day =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ || $(date -u -d "$day" +%Y-%m-%d 2>&1) != "$day" ]]; then
  problems+=("--date must be a date, YYYY-MM-DD, found '$day'")
fi
number --mappers "$mappers" 1 1000
number --bandwidth "$bandwidth" 0 100000
number --attempts "$attempts" 1 10
number --retry-seconds "$retry_seconds" 0 3600
[[ -z $delete_after ]] || number --delete-after "$delete_after" 1 3650
[[ $marker =~ ^(aws|hadoop|none)$ ]] || problems+=("--marker must be aws, hadoop or none, found '$marker'")
commands=(hbase hadoop)
[[ $marker != aws ]] || commands+=(aws)
for command in "${commands[@]}"; do
  command -v "$command" >/dev/null || problems+=("the command $command is not on PATH, which is '$PATH'")
done
if ((${#problems[@]})); then
  for problem in "${problems[@]}"; do say "$problem"; done
  exit 2
fi

root=s3a://${root#*://}
date=${day//-/}
# HBase allows no colon in a snapshot's name: the colon after a namespace becomes a hyphen.
name_of() {
  local name=${pattern//'{table}'/${1//:/-}}
  printf '%s' "${name//'{date}'/$2}"
}
data_snapshot=$(name_of "$data_table" "$date")
uid_snapshot=$(name_of "$uid_table" "$date")
names=()
for table in "${tables[@]}"; do
  name=$(name_of "$table" "$date")
  for i in "${!names[@]}"; do
    [[ ${names[i]} != "$name" ]] ||
      usage_error "tables '${tables[i]}' and '$table' would both have the snapshot $name"
  done
  names+=("$name")
done

run() {
  if [[ $dry_run ]]; then
    printf 'would run:'
    printf ' %q' "$@"
    printf '\n'
  else
    "$@"
  fi
}

work=$(mktemp -d) || fail 'no temporary directory could be made'
trap 'rm -rf "$work"' EXIT

# Names of HBase's snapshots, from lines: name | creation time | TTL (since HBase 2.3) | table. Other
# output lines have no such time.
snapshots() {
  hbase snapshot info -list-snapshots 2>"$work/errors" |
    awk -F'|' 'NF >= 3 && $2 ~ /^ *[0-9]+-[0-9]+-[0-9]+T[0-9:]+ *$/ {gsub(/^ +| +$/, "", $1); print $1}'
}

if there=$(snapshots); then
  cat "$work/errors" >&2
elif grep -qE 'FileNotFoundException: .*/\.hbase-snapshot/?['\''"]?( does not exist.?)?$' "$work/errors"; then
  # HBase creates the listed directory with the first snapshot.
  say 'HBase has no snapshots yet'
else
  cat "$work/errors" >&2
  fail 'hbase snapshot info -list-snapshots failed'
fi
has() { grep -qxF -- "$1" <<<"$there"; }
for snapshot in "${names[@]:1}"; do
  if has "$snapshot" && ! has "$data_snapshot"; then
    fail "snapshot $snapshot is there and $data_snapshot is not: the UID table must be taken after the data, rollup tables too; delete it and run again"
  fi
done

# exported_files SNAPSHOT: the two files of an exported snapshot.
exported_files() { printf '%s\n' "$root/.hbase-snapshot/$1/"{.snapshotinfo,data.manifest}; }

# Those files of the snapshots that are on S3. `hadoop fs` ends with 1 for an absent file and for an
# outage, and only its output distinguishes them: an outage mistaken for an absence would overwrite an
# export. One pattern, because S3A retries for minutes for each path when S3 is down.
on_s3() {
  local output pattern
  pattern="$root/.hbase-snapshot/{$(IFS=,; echo "${names[*]}")}/{.snapshotinfo,data.manifest}"
  if output=$(hadoop fs ${settings[@]+"${settings[@]}"} -ls -C "$pattern" 2>&1); then
    printf '%s\n' "$output"
  elif ! grep -qxF -- "ls: \`$pattern': No such file or directory" <<<"$output"; then
    printf '%s\n' "$output" >&2
    return 1
  fi
}

exported=''
if [[ ! $overwrite ]]; then
  exported=$(on_s3) ||
    fail "cannot tell what is exported below $root: S3 or hadoop fs failed; nothing was done"
  # Check before taking snapshots: afterwards the new and the exported one have the same name.
  for snapshot in "${names[@]}"; do
    if ! has "$snapshot" && exported_files "$snapshot" | grep -xF -e "$exported" >"$work/old"; then
      fail "$snapshot is exported, and HBase has no snapshot of this name: --overwrite takes a new one and replaces it"
    fi
  done
fi

take() {
  if has "$2"; then
    say "snapshot $2 is there"
  else
    say "taking snapshot $2 of table $1"
    run hbase snapshot create --table "$1" --name "$2" || fail "table $1: snapshot $2 failed"
  fi
}
for i in "${!tables[@]}"; do take "${tables[i]}" "${names[i]}"; done

export_one() {
  local snapshot=$1 attempt again=$overwrite missing
  mapfile -t missing < <(exported_files "$snapshot" | grep -vxF -e "$exported")
  case ${#missing[@]} in
    0)
      say "$snapshot is exported; --overwrite exports it again"
      return
      ;;
    1)
      say "$snapshot is exported in part, without ${missing[0]##*/}, so it is exported again"
      again=yes
      ;;
  esac
  for ((attempt = 1; ; attempt++)); do
    say "exporting $snapshot to $root, attempt $attempt of $attempts"
    # --no-checksum-verify: HDFS and S3A have different checksums, so a comparison always fails.
    # Lengths are compared, and the job verifies HBase's own checksum of every block.
    local command=(hbase org.apache.hadoop.hbase.snapshot.ExportSnapshot
      ${settings[@]+"${settings[@]}"} --snapshot "$snapshot" --copy-to "$root" --mappers "$mappers"
      --no-checksum-verify)
    ((bandwidth == 0)) || command+=(--bandwidth "$bandwidth")
    [[ ! $again ]] || command+=(--overwrite)
    local code=0
    run "${command[@]}" || code=$?
    ((code != 0)) || return 0
    say "export of $snapshot ended with code $code"
    ((attempt < attempts)) || fail "$snapshot was not exported in $attempts attempts; no marker was written"
    # Files of the failed attempt below .hbase-snapshot/.tmp would stop the next one.
    again=yes
    sleep "$retry_seconds"
  done
}
for snapshot in "${names[@]}"; do export_one "$snapshot"; done

bucket_and_prefix=${root#s3a://}
bucket=${bucket_and_prefix%%/*}
key=${bucket_and_prefix#*/}/_EXPORTED/$day.json
content="{\"v\":1,\"date\":\"$day\",\"dataSnapshot\":\"$data_snapshot\",\"uidSnapshot\":\"$uid_snapshot\"}"
case $marker in
  aws)
    printf '%s\n' "$content" >"$work/marker"
    run aws s3api put-object --bucket "$bucket" --key "$key" --body "$work/marker" \
      --content-type application/json || fail "the marker s3://$bucket/$key was not written"
    ;;
  hadoop)
    run hadoop fs ${settings[@]+"${settings[@]}"} -put -f - "s3a://$bucket/$key" <<<"$content" ||
      fail "the marker s3a://$bucket/$key was not written"
    ;;
  none) ;;
esac
[[ $marker == none ]] || say "marker s3://$bucket/$key: $content"

if [[ $delete_after ]]; then
  oldest=$(date -u -d "$day - $delete_after days" +%Y%m%d)
  old=()
  for table in "${tables[@]}"; do
    while IFS= read -r name; do
      [[ $name =~ (^|[^0-9])([0-9]{8})([^0-9]|$) ]] || continue
      found=${BASH_REMATCH[2]}
      # The whole name must match the pattern with this date.
      [[ $(name_of "$table" "$found") == "$name" && $found < $oldest ]] || continue
      old+=("$name")
    done <<<"$there"
  done
  if ((${#old[@]})); then
    say "snapshots to delete, older than $delete_after days: ${old[*]}"
    # One shell for all: a shell takes longer to start than to delete. It ends at the first failure.
    run hbase shell -n < <(printf "delete_snapshot '%s'\n" "${old[@]}") ||
      fail "not all of these snapshots were deleted: ${old[*]}"
  fi
fi
say 'done'
