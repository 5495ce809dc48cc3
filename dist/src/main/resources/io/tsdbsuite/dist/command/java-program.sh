#!/bin/sh
# @NAME@ --help.
#
# @VARIABLE@  the jar (default: @JAR@ in lib/ or beside this script)
# HADOOP_CONF_DIR, HBASE_CONF_DIR
#             where core-site.xml, hdfs-site.xml and hbase-site.xml are (default: none)
# JAVA_HOME, JAVA_OPTS
set -eu
name=@NAME@
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
here=$(CDPATH='' cd "$(dirname "$self")" && pwd -P)
for launcher in "$here/launcher.sh" "$here/../lib/launcher.sh" "$here/../../job-support/bin/launcher.sh"; do
  [ ! -f "$launcher" ] || break
done
# shellcheck source=job-support/bin/launcher.sh
. "$launcher"

find_jar @VARIABLE@ '@JAR@'
find_java
add_conf
# HBase's client wants java.nio and java.lang open.
run_java "$class_path" @MAIN@ \
  "--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.lang=ALL-UNNAMED" "$@"
