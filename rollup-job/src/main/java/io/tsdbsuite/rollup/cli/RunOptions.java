package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.uid.UidSource;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The options that determine the input, output and destination of a run, as text for comparison
 * with a resumed run. Rates, limits, credentials and the names of configuration files are excluded
 * and may change between two runs; the values read from those files may not.
 */
final class RunOptions {
  private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");

  private RunOptions() {}

  /** Returns the identity of a run with valid options. */
  static RunIdentity identity(RollupCommand command, RollupOptions options) {
    Map<String, String> all = new TreeMap<>();
    all.put("--snapshot-root", options.snapshotRoot().replaceAll("(?<=[^/:])/+$", ""));
    all.put("--data-snapshot", options.dataSnapshot());
    all.put("--uid-source", text(options.uids().source()));
    if (options.uids().source() == UidSource.SNAPSHOT) {
      all.put("--uid-snapshot", options.uids().snapshot());
    } else if (options.uids().source() == UidSource.HBASE) {
      put(all, options.uids().hbaseProperties(), "hbase.zookeeper.quorum");
      put(all, options.uids().hbaseProperties(), "zookeeper.znode.parent");
    }
    schema(all, options.schema());
    all.put("--interval", options.intervals().text());
    all.put("--from", Instant.ofEpochSecond(options.from()).toString());
    all.put("--to", Instant.ofEpochSecond(options.to()).toString());
    ChangedSince since = options.changedSince();
    if (since != null) {
      all.put("--changed-since", since.time().toString());
      ChangedSince.Earlier earlier = since.earlier();
      if (earlier != null) {
        all.put("--refresh-since", earlier.time().toString());
      }
    }
    all.put("--as-of", text(options.asOf()));
    if (options.mergesBuckets()) {
      all.put("--any-bucket", "true");
    }
    all.put("--metrics", String.join(",", command.choice.metrics));
    all.put("--partition-size", Double.toString(command.tasks.partitionMebibytes));
    sink(all, command);
    return new RunIdentity(ProgramVersion.of("rollup-job", RunOptions.class), all);
  }

  /** Adds the keys of a TSD that decide what stored rows mean. */
  static void schema(Map<String, String> all, StorageSchema schema) {
    schema.rowKeys().forEach((key, value) -> all.put("--" + key, value));
  }

  private static void sink(Map<String, String> all, RollupCommand command) {
    all.put("--sink", text(command.sink));
    if (command.sink == SinkKind.JSON) {
      all.put("--output", command.output);
      return;
    }
    if (command.sink == SinkKind.HFILE) {
      all.put("--hfile-dir", command.hfileDir);
      all.put("--target-snapshot", String.join(",", command.targetSnapshots));
      return;
    }
    // The order of the brokers is irrelevant.
    all.put(
        "--kafka-bootstrap",
        Arrays.stream(COMMA.split(Objects.requireNonNull(command.kafkaBootstrap).trim(), -1))
            .sorted()
            .collect(Collectors.joining(",")));
    all.put("--topic", command.topic);
    all.put("--format", text(command.format));
    all.put("--partition-by", text(command.partitionBy));
    all.put("--partitions-per-metric", Integer.toString(command.partitionsPerMetric));
  }

  private static void put(Map<String, String> all, Map<String, String> properties, String key) {
    String value = properties.get(key);
    if (value != null) {
      all.put("--hbase-property " + key, value);
    }
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
