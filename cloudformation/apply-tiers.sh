#!/usr/bin/env bash
# Deletes the data of the days that the pipeline on AWS has proven: rollup-job tiers apply for each table,
# day and entry of the policy, raw data first, then the narrower rollups first, of each the oldest day first.
# Runs before export-snapshots.sh on a machine that reaches HBase; docs/aws.md.
set -euo pipefail

usage() {
  cat <<'TEXT'
apply-tiers.sh --proofs s3://BUCKET/proofs --copy DIR OPTIONS

Copies the proofs to a local directory, and runs rollup-job tiers apply with OPTIONS for each table,
day and entry of the policy with a proof of the last 7 days: raw data, then rollups, the narrowest
first. One that is refused (1, 2) does not stop the others; any other failure ends it. A deletion
that has failed or was killed goes on later, with a proof of any age, until it ends with 0: it has a
file PROOF.begun in the copy; remove it after rollup-job tiers undo. Idle series (idle in the
policy) stay: rollup-job tiers apply --idle, by hand.

  --proofs URI  the proofs of the pipeline: s3://LOGBUCKET/proofs
  --copy DIR    directory of the copy, always the same; used for nothing else
  OPTIONS       of tiers apply, without --proofs, --table, --day, --from, --to, --match, --idle,
                --coverage-table: --policy, --snapshot-root, --hfile-dir, --tsd-config, ...,
                also --dry-run
  --help

Exit codes: those of tiers apply (docs/tiers.md): 0 all days are deleted, or there is none; 1 a day
may not go; 2 wrong usage, a command is missing, or the policy has changed since a proof; 3 HBase or
storage failed, run it again.
TEXT
}

say() { printf 'apply-tiers.sh: %s\n' "$1" >&2; }

fail() {
  say "$2"
  exit "$1"
}

proofs='' copy='' policy='' dry=0
options=()
while (($#)); do
  case $1 in
    --help)
      usage
      exit 0
      ;;
    --proofs | --copy)
      (($# >= 2)) || fail 2 "$1 needs a value; --help tells more"
      if [[ $1 == --proofs ]]; then proofs=${2%/}; else copy=$2; fi
      shift 2
      ;;
    --table | --table=* | --day | --day=* | --from | --from=* | --to | --to=* | --match | --match=*)
      fail 2 "$1 must not be given: the proofs tell the tables, days and entries"
      ;;
    --idle)
      fail 2 "$1 must not be given: its proofs are not made by the nights; run rollup-job tiers apply --idle"
      ;;
    --coverage-table | --coverage-table=*)
      fail 2 "$1 must not be given: the floors that the nights read are in tsdb-coverage"
      ;;
    *)
      [[ $1 != --policy ]] || policy=${2-}
      [[ $1 != --policy=* ]] || policy=${1#*=}
      [[ $1 != --dry-run ]] || dry=1
      options+=("$1")
      shift
      ;;
  esac
done
[[ $proofs =~ ^s3://[a-z0-9][a-z0-9.-]+/.+ ]] || fail 2 "--proofs must be s3://BUCKET/PREFIX, found '$proofs'"
[[ -n $copy ]] || fail 2 '--copy must be a directory, found none'
for command in aws rollup-job; do
  command -v "$command" >/dev/null || fail 2 "the command $command is not on PATH, which is '$PATH'"
done

# A policy that cannot be read is refused by rollup-job.
if [[ -f $policy ]] && grep -qE '"idle"[[:space:]]*:' "$policy"; then
  say "$policy has idle: the nights do not prove idle series, and this script does not delete them"
fi
mkdir -p "$copy" || fail 2 "--copy $copy cannot be made"
# Proofs that were withdrawn go here, too; --delete removes nothing that is excluded. Those of a rollup
# table begin with its interval, such as 1h.
aws s3 sync --only-show-errors --delete --exclude '*' --include 'raw-*.json' --include '[0-9]*.json' \
  "$proofs" "$copy" || fail 3 "$proofs was not copied; nothing was deleted"

# A proof is void 7 days after its snapshot, and those of days that are deleted are not made again.
oldest=$(date -u -d '7 days ago' +%Y-%m-%d)
# As rollup-job writes it; a policy allows no other character that JSON escapes.
match='"match" : "(([^"\]|\\")*)"'
# Of the intervals that rollup-job makes, which divide the hour or the day.
declare -A seconds=([s]=1 [m]=60 [h]=3600 [d]=86400)
failed=0
todo=()
# By table, day and entry: the mark of a deletion that may have begun. sync leaves it.
declare -A marks=()
shopt -s nullglob
for mark in "$copy"/*.json.begun; do
  if [[ ! -f ${mark%.begun} ]]; then
    say "$mark must have its proof, which $proofs does not have: its deletion was not ended; remove $mark if nothing was deleted, or after tiers undo"
    failed=1
  fi
done
for file in "$copy"/{raw,[0-9]*}-*.json; do
  if [[ ! ${file##*/} =~ ^(raw|([1-9][0-9]{0,5})([smhd]))-([0-9]{4}-[0-9]{2}-[0-9]{2})- ]]; then
    say "$file must be named by a table and a day, such as 1h-2026-10-27-...: it was left out"
    failed=1
    continue
  fi
  table=${BASH_REMATCH[1]} day=${BASH_REMATCH[4]} width=0
  [[ $table == raw ]] || width=$((BASH_REMATCH[2] * seconds[${BASH_REMATCH[3]}]))
  text=$(<"$file")
  [[ -e $file.begun ]] || {
    [[ $text =~ \"provenAt\"\ :\ \"([0-9]{4}-[0-9]{2}-[0-9]{2}) ]] && [[ ! ${BASH_REMATCH[1]} < $oldest ]]
  } || continue
  if [[ $text =~ $match ]]; then
    each="$table $day ${BASH_REMATCH[1]//\\\"/\"}"
    todo+=("$width $each")
    [[ -n ${marks[$each]-} && -e ${marks[$each]} ]] || marks[$each]=$file.begun
  else
    say "$file must have the match of an entry of the policy, without a backslash: its day was not deleted"
    failed=1
  fi
done
if ((!${#todo[@]})); then
  say "no proof of the last 7 days in $proofs: nothing to delete"
  exit "$failed"
fi
# A refused day must not hold back other entries: a call for each.
readarray -t todo < <(printf '%s\n' "${todo[@]}" | LC_ALL=C sort -u -k1,1n -k2)
for each in "${todo[@]}"; do
  each=${each#* }
  entry=${each#* * }
  day=${each%" $entry"}
  code=0
  mark=${marks[$each]} began=''
  [[ ! -e $mark ]] || began=1
  # Before the call, so that it stays if this script is killed, too.
  ((dry)) || : >"$mark" || fail 2 "$mark cannot be written"
  rollup-job tiers apply --proofs "$copy" --table "${day% *}" --day "${day#* }" --match="$entry" "${options[@]}" ||
    code=$?
  case $code in
    0) ((dry)) || rm -f "$mark" ;;
    1 | 2)
      # What is refused has not begun, but by an earlier call.
      ((dry)) || [[ -n $began ]] || rm -f "$mark"
      # 2 may be of one entry, too: the policy has changed since the proof.
      say "tiers apply of $each ended with $code: it was not deleted"
      ((code < failed)) || failed=$code
      ;;
    *) fail "$code" "tiers apply of $each ended with $code; what follows was not looked at" ;;
  esac
done
exit "$failed"
