package io.tsdbsuite.stream.cli;

import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.cli.IntervalsReader;
import io.tsdbsuite.job.cli.KafkaProperties;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;

/** Checks the options of {@code stream-rollup} that need neither Kafka nor Flink. */
final class StreamOptionsReader {
  /** Seconds that are taken for milliseconds are of 1970. */
  private static final int FIRST_YEAR = 1971;

  private final StreamCommand command;
  private final Problems problems;

  /**
   * @param problems receives the problems found
   */
  StreamOptionsReader(StreamCommand command, Problems problems) {
    this.command = command;
    this.problems = problems;
  }

  /**
   * Reads the intervals and their times.
   *
   * @param tsdKeys values that override keys of opentsdb.conf
   * @return null if there are problems
   */
  @Nullable StreamIntervals intervals(Map<String, String> tsdKeys) {
    TsdFiles files = command.tsd.read(tsdKeys, null, problems);
    int slack = seconds("--slack", command.slack);
    int spread = seconds("--spread", command.spread);
    if (files.rollups() == null) {
      return null;
    }
    List<RollupInterval> found = IntervalsReader.read(files.rollups(), command.intervals, problems);
    for (RollupInterval interval : found) {
      if (slack > interval.seconds() / 3) {
        problems.add(
            "--slack must be at most a third of each interval, found: "
                + command.slack
                + " with "
                + interval.interval());
      }
    }
    return problems.isEmpty() ? new StreamIntervals(found, slack, spread) : null;
  }

  /** Checks the remaining options. */
  void check() {
    if (command.inputTopics.isEmpty()) {
      problems.add("--input-topics is required");
    }
    problems.require("--rollup-topic", command.rollupTopic);
    problems.require("--checkpoint-dir", command.checkpointDir);
    for (String output : outputTopics()) {
      if (command.inputTopics.contains(output)) {
        problems.add("--input-topics must not have a topic that is written, found: " + output);
      }
    }
    if (outputTopics().stream().distinct().count() < outputTopics().size()) {
      problems.add(
          "--rollup-topic, --request-topic and --watermark-topic must differ, found: "
              + String.join(", ", outputTopics()));
    }
    seconds("--idle-timeout", command.idleTimeout);
    int year = Year.now(ZoneOffset.UTC).getValue();
    between("--earliest-year", command.earliestYear, FIRST_YEAR, year);
    between(
        "--max-message-bytes",
        command.maxMessageBytes,
        MessageLimits.MIN_BYTES,
        MessageLimits.MAX_BYTES);
    between("--max-message-elements", command.maxMessageElements, 1, MessageLimits.MAX_ELEMENTS);
    between(
        "--max-message-depth",
        command.maxMessageDepth,
        MessageLimits.MIN_DEPTH,
        MessageLimits.MAX_DEPTH);
    seconds("--checkpoint-interval", command.checkpointInterval);
    if (command.parallelism != null) {
      problems.atLeast("--parallelism", command.parallelism, 1);
    }
    if (command.report != null) {
      Path parent = command.report.toAbsolutePath().getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        problems.add(
            "--report must be a file in a directory that exists, found: " + command.report);
      }
    }
    if (!command.local) {
      problems.refuse("--report", command.report, "goes with --local only");
    }
    if (!kafka().containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      problems.add("--kafka-bootstrap is required, or bootstrap.servers in --kafka-config");
    }
  }

  private void between(String option, int found, int min, int max) {
    if (found < min || found > max) {
      problems.add(option + " must be " + min + " to " + max + ", found: " + found);
    }
  }

  /** Bounds of a message of points; see {@link #check}. */
  MessageLimits limits() {
    return new MessageLimits(
        command.maxMessageBytes,
        command.maxMessageElements,
        command.maxMessageDepth,
        MessageLimits.DEFAULT.maxProblems());
  }

  /** The topics that the job writes. */
  List<String> outputTopics() {
    return List.of(
        Objects.requireNonNullElse(command.rollupTopic, ""),
        command.requestTopic,
        command.watermarkTopic);
  }

  /** The settings of Kafka's clients. */
  Map<String, String> kafka() {
    Map<String, String> settings =
        KafkaProperties.read(command.kafkaConfig, command.kafkaProperties, problems);
    if (command.kafkaBootstrap != null) {
      settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, command.kafkaBootstrap);
    }
    return settings;
  }

  /** Time without messages after which a partition is idle, ms; see {@link #check}. */
  long idleMillis() {
    return seconds("--idle-timeout", command.idleTimeout) * 1000L;
  }

  /** Times of messages before are wrong, ms since the epoch; see {@link #check}. */
  long earliestTime() {
    return Year.of(command.earliestYear)
        .atDay(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant()
        .toEpochMilli();
  }

  /** A duration in seconds; 0 with a problem if it is none. */
  int seconds(String option, String value) {
    Duration duration = Duration.parse(value);
    if (duration == null || duration.seconds() > Integer.MAX_VALUE) {
      problems.add(option + " must be a duration such as 90s, 2m or 1h, found: " + value);
      return 0;
    }
    return (int) duration.seconds();
  }
}
