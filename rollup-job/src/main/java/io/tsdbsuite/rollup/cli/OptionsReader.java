package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.job.ChangedSince;
import io.tsdbsuite.rollup.job.RollupOptions;
import io.tsdbsuite.rollup.job.UidSource;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;

/**
 * Checks the options and the files that they name, and collects every problem before it gives up.
 */
final class OptionsReader {
  private static final long DAY = 86400;
  private static final long MEBIBYTE = 1L << 20;

  private final RollupCommand command;
  private final Map<String, String> schemaOverrides;
  private final Clock clock;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private TsdConfig tsdConfig;
  private RollupConfig rollups;

  /**
   * @param schemaOverrides values for keys of opentsdb.conf that win over the file's
   * @param clock the present, which the split point depends on
   */
  OptionsReader(RollupCommand command, Map<String, String> schemaOverrides, Clock clock) {
    this.command = command;
    this.schemaOverrides = schemaOverrides;
    this.clock = clock;
  }

  /** Every problem found so far, one line each. */
  List<String> problems() {
    return problems;
  }

  /** What is allowed but dangerous. */
  List<String> warnings() {
    return warnings;
  }

  /** rollup_config.json, which {@link #read} has read; null when it could not. */
  RollupConfig rollupConfig() {
    return rollups;
  }

  /** The job's options; null when there are problems. */
  RollupOptions read() {
    require("--snapshot-root", command.input.snapshotRoot);
    require("--data-snapshot", command.input.dataSnapshot);
    require("--tsd-config", command.input.tsd.config);
    atLeast("--max-failed-rows", command.tasks.maxFailedRows, 0);
    if (!(command.tasks.partitionMebibytes > 0)) {
      problems.add("--partition-size must be more than 0, found: " + command.tasks.partitionMebibytes);
    }
    if (!(command.maxMessagesPerSecond >= 0)) {
      problems.add(
          "--max-messages-per-second must be 0 or more, found: " + command.maxMessagesPerSecond);
    }
    long[] window = window();
    TsdConfig config = tsdConfig();
    tsdConfig = config;
    StorageSchema schema = config == null ? null : schema(config);
    RollupIntervals intervals = schema == null ? null : intervals(schema);
    wholeDays(intervals, window);
    HoldBack holdBack = holdBack(intervals, window);
    ChangedSince changed = new ChangedOptions(command, problems).read(schema);
    Map<String, String> hbase = uidSource(config);
    sink(intervals);
    resume();
    if (!problems.isEmpty()) {
      return null;
    }
    return new RollupOptions(
        command.input.snapshotRoot,
        command.input.dataSnapshot,
        wantedUids(),
        wantedUids() == UidSource.SNAPSHOT ? command.input.uidSnapshot : null,
        hbase,
        schema,
        intervals,
        window[0],
        window[1],
        holdBack,
        MetricPatterns.of(command.choice.metrics),
        command.tasks.maxFailedRows,
        Math.max(1, Math.round(command.tasks.partitionMebibytes * MEBIBYTE)),
        changed);
  }

  /** The Kafka sink's options; only for {@link SinkKind#KAFKA}. */
  KafkaSinkOptions kafka() {
    Map<String, String> properties = new LinkedHashMap<>();
    if (command.kafkaConfig != null) {
      Properties file = new Properties();
      try (Reader reader = Files.newBufferedReader(command.kafkaConfig, StandardCharsets.UTF_8)) {
        file.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        problems.add(unreadable("--kafka-config", command.kafkaConfig, e));
      }
      file.stringPropertyNames().forEach(key -> properties.put(key, file.getProperty(key)));
    }
    properties.putAll(command.kafkaProperties);
    return new KafkaSinkOptions(command.kafkaBootstrap, command.topic)
        .withProperties(properties)
        .withFormat(command.format)
        .withPartitionBy(command.partitionBy, command.partitionsPerMetric)
        .withMessagesPerSecondPerTask(command.maxMessagesPerSecond);
  }

  private void require(String option, Object value) {
    if (value == null) {
      problems.add(option + " is required");
    }
  }

  private void atLeast(String option, long value, long least) {
    if (value < least) {
      problems.add(option + " must be " + least + " or more, found: " + value);
    }
  }

  private void refuse(String option, Object value, String reason) {
    if (value != null) {
      problems.add(option + " " + reason + ", found: " + value);
    }
  }

  private long[] window() {
    if (command.input.day != null) {
      refuse("--from", command.input.from, "does not go with --day");
      refuse("--to", command.input.to, "does not go with --day");
      Long day = tried(() -> HourParser.day("--day", command.input.day));
      return day == null ? null : new long[] {day, day + DAY};
    }
    boolean changedOnly =
        command.input.from == null && (command.changedSince != null || command.sinceReport != null);
    if (changedOnly && command.input.to != null) {
      Long to = tried(() -> HourParser.hour("--to", command.input.to));
      return to == null ? null : new long[] {to, to};
    }
    if (command.input.from == null || command.input.to == null) {
      problems.add("a window is required: --from and --to, or --day");
      return null;
    }
    Long from = tried(() -> HourParser.hour("--from", command.input.from));
    Long to = tried(() -> HourParser.hour("--to", command.input.to));
    if (from == null || to == null) {
      return null;
    }
    if (from >= to) {
      problems.add("--from must be before --to, found: " + command.input.from + " and " + command.input.to);
      return null;
    }
    return new long[] {from, to};
  }

  /** A value that may be refused with an exception whose message is the problem. */
  @FunctionalInterface
  private interface Parse<T> {
    T parse();
  }

  private <T> T tried(Parse<T> parse) {
    try {
      return parse.parse();
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
      return null;
    }
  }

  private TsdConfig tsdConfig() {
    if (command.input.tsd.config == null) {
      return null;
    }
    try {
      TsdConfig config = TsdConfig.load(command.input.tsd.config);
      for (Map.Entry<String, String> override : schemaOverrides.entrySet()) {
        config = config.with(override.getKey(), override.getValue());
      }
      return config;
    } catch (IOException | IllegalArgumentException e) {
      problems.add(unreadable("--tsd-config", command.input.tsd.config, e));
      return null;
    }
  }

  private static String unreadable(String option, Path file, Exception e) {
    String why = e instanceof NoSuchFileException ? "there is no such file" : e.toString();
    return option + " " + file + " cannot be read: " + why;
  }

  private StorageSchema schema(TsdConfig config) {
    try {
      return StorageSchema.from(config);
    } catch (SchemaException e) {
      e.problems().forEach(problem -> problems.add("--tsd-config: " + problem));
      return null;
    }
  }

  private RollupIntervals intervals(StorageSchema schema) {
    String location = command.input.tsd.rollups != null ? command.input.tsd.rollups : schema.rollupConfig();
    if (location == null) {
      problems.add(
          "a rollup configuration is required: --rollup-config, or tsd.rollups.config in"
              + " --tsd-config");
      return null;
    }
    try {
      RollupConfig config = RollupConfig.load(location);
      rollups = config;
      config.warnings().forEach(warning -> warnings.add("rollup configuration: " + warning));
      for (String aggregator : List.of("sum", "count", "min", "max")) {
        if (config.aggregatorId(aggregator) == null) {
          problems.add(
              "rollup configuration: aggregationIds must have '"
                  + aggregator
                  + "', else no TSD can store that value");
        }
      }
      return new IntervalsReader(config, problems).read(command.input.intervals);
    } catch (SchemaException e) {
      e.problems().forEach(problem -> problems.add("rollup configuration: " + problem));
    } catch (NoSuchFileException e) {
      problems.add("rollup configuration " + location + " cannot be read: there is no such file");
    } catch (IOException e) {
      problems.add("rollup configuration " + location + " cannot be read: " + e.getMessage());
    }
    return null;
  }

  /** A day's rollup is made of all of its hours, so none may be outside the window. */
  private void wholeDays(RollupIntervals intervals, long[] window) {
    if (intervals == null || !intervals.hasDay() || window == null) {
      return;
    }
    if (window[0] % DAY != 0 || window[1] % DAY != 0) {
      problems.add(
          "--interval "
              + intervals.ofDay().interval()
              + " needs whole days: --from and --to must be midnight, UTC, found: "
              + Instant.ofEpochSecond(window[0])
              + " and "
              + Instant.ofEpochSecond(window[1]));
    }
  }

  /** Null when it is not known; a window that it does not allow is a problem. */
  private HoldBack holdBack(RollupIntervals intervals, long[] window) {
    Long seconds =
        command.choice.holdBack != null
            ? tried(() -> HoldBack.parse("--hold-back", command.choice.holdBack))
            : intervals == null ? null : (Long) intervals.latest().delaySlaSeconds();
    if (seconds == null) {
      return null;
    }
    HoldBack holdBack = HoldBack.of(seconds, clock);
    if (window != null && !holdBack.allows(window[1])) {
      problems.add(tooNew(intervals, window, holdBack));
    }
    return holdBack;
  }

  private String tooNew(RollupIntervals intervals, long[] window, HoldBack holdBack) {
    String source =
        command.choice.holdBack == null ? ", the delaySla of " + intervals.latest().interval() : "";
    boolean days = intervals != null && intervals.hasDay();
    LocalDate newestDay = LocalDate.ofInstant(holdBack.newestDay(), ZoneOffset.UTC);
    return "the window "
        + Instant.ofEpochSecond(window[0])
        + " to "
        + Instant.ofEpochSecond(window[1])
        + " ends after the split point "
        + holdBack.splitPoint()
        + " (now less --hold-back "
        + holdBack.text()
        + source
        + "), where TSDs still read raw data; the newest allowed now is --to "
        + holdBack.newestEnd(days ? ChronoUnit.DAYS : ChronoUnit.HOURS)
        + " or --day "
        + newestDay
        + "; a smaller --hold-back allows more, --hold-back 0s everything"
        + " (docs/delayed-rollups.md)";
  }

  /** Files have UIDs, so that names are needed only to choose metrics. */
  private UidSource wantedUids() {
    return command.sink == SinkKind.HFILE && command.choice.metrics.isEmpty()
        ? UidSource.NONE
        : command.input.uidSource;
  }

  private Map<String, String> uidSource(TsdConfig config) {
    UidSource wanted = wantedUids();
    if (wanted == UidSource.NONE) {
      if (command.sink != SinkKind.HFILE) {
        problems.add("--uid-source must be snapshot or hbase: --sink hfile alone needs no names");
      } else if (!command.choice.metrics.isEmpty()) {
        problems.add("--metrics needs names: --uid-source must be snapshot or hbase");
      }
      refuse(
          "--uid-snapshot", command.input.uidSnapshot, "is not read by --sink hfile without --metrics");
      return Map.of();
    }
    if (wanted == UidSource.SNAPSHOT) {
      require("--uid-snapshot", command.input.uidSnapshot);
      if (!command.input.hbase.properties.isEmpty() && command.sink != SinkKind.HFILE) {
        problems.add("--hbase-property goes with --uid-source hbase and --sink hfile only");
      }
      return Map.of();
    }
    refuse("--uid-snapshot", command.input.uidSnapshot, "does not go with --uid-source hbase");
    return HBaseClient.properties(config, command.input.hbase.properties, problems);
  }

  private void resume() {
    if (command.sink == SinkKind.HFILE) {
      refuse(
          "--resume",
          command.resume,
          "goes with --sink kafka only: files of --sink hfile are complete only once their own run"
              + " has written them all; run the window again");
    }
    if (command.sink == SinkKind.JSON) {
      refuse(
          "--resume",
          command.resume,
          "goes with --sink kafka only: files of --sink json are valid only once their own run has"
              + " committed them all; remove the directory and run the window again");
    }
    if (command.dryRun) {
      refuse("--resume", command.resume, "does not go with --dry-run");
    }
  }

  /** The HFile sink; only for {@link SinkKind#HFILE}, once {@link #read} found no problem. */
  HFileSinkFactory hfiles(RollupOptions options, Configuration hadoop) {
    return new HFileOptions(command, tsdConfig).sinks(options, rollups, hadoop, clock.instant());
  }

  private void sink(RollupIntervals intervals) {
    if (command.sink != SinkKind.HFILE) {
      refuse("--hfile-dir", command.hfileDir, "goes with --sink hfile only");
      if (!command.targetSnapshots.isEmpty()) {
        problems.add("--target-snapshot goes with --sink hfile only");
      }
    }
    if (command.sink != SinkKind.JSON) {
      refuse("--output", command.output, "goes with --sink json only");
    }
    if (command.sink != SinkKind.KAFKA) {
      noKafka();
      if (command.sink == SinkKind.JSON) {
        require("--output", command.output);
      } else {
        problems.addAll(new HFileOptions(command, tsdConfig).problems(intervals));
      }
      return;
    }
    if (command.partitionsPerMetric != 1 && command.partitionBy != PartitionBy.METRIC) {
      problems.add("--partitions-per-metric goes with --partition-by metric only");
    }
    if (!command.dryRun) {
      problems.addAll(kafka().problems());
    }
  }

  private void noKafka() {
    refuse("--kafka-bootstrap", command.kafkaBootstrap, "goes with --sink kafka only");
    refuse("--topic", command.topic, "goes with --sink kafka only");
    refuse("--kafka-config", command.kafkaConfig, "goes with --sink kafka only");
    if (!command.kafkaProperties.isEmpty()) {
      problems.add("--kafka-property goes with --sink kafka only");
    }
    if (command.maxMessagesPerSecond > 0) {
      problems.add("--max-messages-per-second goes with --sink kafka only");
    }
  }
}
