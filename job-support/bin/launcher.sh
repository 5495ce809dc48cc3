# Functions of the commands in bin/ directories; POSIX sh. A command sets
#   name  its name, for messages
#   here  the directory of its file
# and reads this file, which is beside it, in lib/ of an installation, or here in the source tree.
# shellcheck shell=sh
# shellcheck disable=SC2154 # name and here

# Cron and systemd set no locale. In the locale C the JVM replaces each character that ASCII lacks, in
# options, names of files and what it passes on to other programs: by ?, which fits every character.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX) export LC_ALL=C.UTF-8 ;;
  *) ;;
esac

# fail MESSAGE: ends with 2, which means wrong usage or configuration.
fail() {
  printf '%s: %s\n' "$name" "$1" >&2
  exit 2
}

# find_jar VARIABLE PATTERN: sets jar to the file that the environment variable names, or to the only
# file of the pattern beside the command, in lib/ of an installation, or where the build puts it.
find_jar() {
  eval "jar=\${$1:-}"
  if [ -z "$jar" ]; then
    for directory in "$here" "$here/../lib" "$here/../target"; do
      for file in "$directory"/$2; do
        [ -f "$file" ] || continue
        [ -z "$jar" ] || fail "$directory must have one $2, or $1 name a file, found: $jar, $file"
        jar=$file
      done
      [ -z "$jar" ] || break
    done
  fi
  [ -f "$jar" ] ||
    fail "$2 must be in lib/ beside bin/ or beside this command, or $1 name it, found: '$jar'"
}

# find_java: sets java to the command of JAVA_HOME, else of the PATH.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME must be a Java 17 or later, found no bin/java in: '$JAVA_HOME'"
  else
    java=$(command -v java) ||
      fail "Java 17 or later must be in JAVA_HOME or on the PATH, found neither"
  fi
  version=$("$java" -version 2>&1) ||
    fail "Java 17 or later must start, found that '$java -version' fails: $version"
  # One line of it is: openjdk version "17.0.9" 2023-10-17
  version=${version#*version \"}
  version=${version%%\"*}
  case ${version%%[!0-9]*} in
    ? | 1[0-6]) fail "Java 17 or later is required, found: $version ($java)" ;;
    *) ;;
  esac
}

# add_conf: sets class_path to the jar and the directories of core-site.xml, hdfs-site.xml and
# hbase-site.xml, HADOOP_CONF_DIR and HBASE_CONF_DIR.
add_conf() {
  class_path=$jar
  for conf in "${HADOOP_CONF_DIR:-}" "${HBASE_CONF_DIR:-}"; do
    [ -z "$conf" ] || class_path=$class_path:$conf
  done
}

# wants_help ARGUMENT...: whether the arguments only ask for the help or the version.
wants_help() {
  [ "${1:-}" != help ] || return 0
  for argument in "$@"; do
    case $argument in
      -h | --help | -V | --version) return 0 ;;
      *) ;;
    esac
  done
  return 1
}

# run_java CLASS_PATH CLASS OPTIONS [ARGUMENT...]: becomes the program. OPTIONS and JAVA_OPTS are
# options of the JVM, words.
run_java() {
  class_path=$1
  class=$2
  options=$3
  shift 3
  set -f
  # A JVM that cannot start ends with 1, which would mean bad input.
  # shellcheck disable=SC2086 # words
  "$java" $options ${JAVA_OPTS:-} -cp "$class_path" "$class" --version >/dev/null ||
    fail "Java 17 must start with JAVA_HOME, JAVA_OPTS and $jar, found the failure above"
  # shellcheck disable=SC2086 # words
  exec "$java" $options ${JAVA_OPTS:-} -cp "$class_path" "$class" "$@"
}

# submit CLASS [ARGUMENT...]: becomes spark-submit of the jar. The arguments before the first -- and
# SPARK_OPTIONS, words, are spark-submit's own options.
submit() {
  class=$1
  shift
  if [ -n "${SPARK_HOME:-}" ]; then
    spark_submit=$SPARK_HOME/bin/spark-submit
    [ -x "$spark_submit" ] ||
      fail "SPARK_HOME must be a Spark 3.5, found no bin/spark-submit in: '$SPARK_HOME'"
  else
    spark_submit=$(command -v spark-submit) ||
      fail "spark-submit of Spark 3.5 must be in SPARK_HOME or on the PATH, found neither; only --help,
  --version and 'help COMMAND' need no Spark"
  fi
  separated=false
  for argument in "$@"; do
    if [ "$argument" = -- ]; then
      separated=true
      break
    fi
  done
  if $separated; then
    # Each argument moves to the end, so that the order stays; class and jar replace the --.
    left=$#
    while [ "$left" -gt 0 ]; do
      argument=$1
      shift
      left=$((left - 1))
      if $separated && [ "$argument" = -- ]; then
        separated=false
        set -- "$@" --class "$class" "$jar"
      else
        set -- "$@" "$argument"
      fi
    done
  else
    set -- --class "$class" "$jar" "$@"
  fi
  set -f
  # shellcheck disable=SC2086 # words
  exec "$spark_submit" ${SPARK_OPTIONS:-} "$@"
}
