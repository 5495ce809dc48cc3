#!/usr/bin/env bash
# Starts stream-rollup on an EMR 7.13 cluster with Flink, from its primary node: YARN application mode.
# docs/stream-rollup-deploy.md explains it. Change bucket, topics and sizes. Arguments are passed to
# Flink's command line, for example: -s s3://BUCKET/stream-rollup/savepoints/savepoint-1
set -euo pipefail
bucket=${BUCKET:?must be the bucket of the checkpoints}
files=/home/hadoop/stream-rollup

exec flink run-application -t yarn-application "$@" \
  -Dyarn.application.name=stream-rollup \
  -Dyarn.ship-files="$files/opentsdb.conf;$files/rollup_config.json;$files/kafka.properties;$files/ca.pem" \
  -Dhigh-availability.type=zookeeper \
  -Dhigh-availability.zookeeper.quorum="$(hostname -f):2181" \
  -Dhigh-availability.storageDir="s3://$bucket/stream-rollup/ha" \
  -Dyarn.application-attempts=10 \
  -Djobmanager.memory.process.size=2048m \
  -Dtaskmanager.memory.process.size=6144m \
  -Dtaskmanager.memory.managed.fraction=0.05 \
  -Denv.java.opts.taskmanager="-XX:+UseParallelGC -XX:+UseTransparentHugePages" \
  -Dtaskmanager.numberOfTaskSlots=4 \
  -c io.tsdbsuite.stream.cli.StreamMain \
  "$files/stream-rollup.jar" \
  --tsd-config=opentsdb.conf \
  --rollup-config=rollup_config.json \
  --interval=10m,1h,6h,1d \
  --kafka-config=kafka.properties \
  --input-topics=tsdb-points \
  --rollup-topic=tsdb-rollups \
  --parallelism=4 \
  --checkpoint-dir="s3://$bucket/stream-rollup/checkpoints"
