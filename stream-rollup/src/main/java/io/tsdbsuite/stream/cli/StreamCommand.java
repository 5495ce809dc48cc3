package io.tsdbsuite.stream.cli;

import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.cli.IntervalsReader;
import io.tsdbsuite.job.cli.KafkaProperties;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramCommand;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.stream.series.StreamIntervals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.CommonClientConfigs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code stream-rollup}, and their checks that need neither Kafka nor Flink. */
@Command(
    name = "stream-rollup",
    header = "Rolls up points from Kafka some minutes after the end of each interval.",
    description =
        """
        Reads Metric messages, sums up each series in the order of time, and writes Rollup \
        messages, which kafka-ingest stores. What it cannot prove exact it does not write: it asks \
        for a repair instead (topic rollup-requests).

          flink run -c io.tsdbsuite.stream.cli.StreamMain stream-rollup.jar \\
            --tsd-config opentsdb.conf --interval 10m,1h,6h,1d \\
            --kafka-bootstrap broker:9092 --input-topics tsdb-points \\
            --rollup-topic tsdb-rollups --checkpoint-dir s3://backup/stream

        With --local the job runs in this process until it gets a SIGTERM; it then takes a \
        savepoint in --checkpoint-dir, from which --from-checkpoint continues.
        """,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:submitted; with --local: stopped, and the books close",
      "2:wrong usage or configuration, or a checkpoint that does not fit",
      "3:an outside system failed (Kafka, Flink, storage); start it again",
      "4:a defect of stream-rollup: please report it with its log"
    })
final class StreamCommand extends ProgramCommand {
  /** Seconds that are taken for milliseconds are of 1970. */
  private static final int FIRST_YEAR = 1971;

  /** Suffix for the description of an option with a default. */
  static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

  @Mixin TsdOptions tsd = new TsdOptions();

  @Option(
      names = "--interval",
      split = ",",
      paramLabel = "INTERVAL",
      defaultValue = "1h",
      description =
          "Intervals of rollup_config.json that divide the hour, or are whole hours that"
              + " divide the day, for example 10m,1h,6h,1d."
              + DEFAULT)
  List<String> intervals = new ArrayList<>();

  @Option(
      names = "--kafka-bootstrap",
      paramLabel = "HOST:PORT",
      description = "Kafka's brokers, comma-separated. Or bootstrap.servers in --kafka-config.")
  @Nullable String kafkaBootstrap;

  @Option(
      names = "--input-topics",
      split = ",",
      paramLabel = "TOPIC",
      description = "Topics of the points. Required.")
  List<String> inputTopics = new ArrayList<>();

  @Option(
      names = "--rollup-topic",
      paramLabel = "TOPIC",
      description = "Receives the rollups. Required.")
  @Nullable String rollupTopic;

  @Option(
      names = "--request-topic",
      paramLabel = "TOPIC",
      defaultValue = "rollup-requests",
      description = "Receives the requests to repair rollups." + DEFAULT)
  String requestTopic = "rollup-requests";

  @Option(
      names = "--watermark-topic",
      paramLabel = "TOPIC",
      defaultValue = "rollup-watermark",
      description = "Receives the time up to which each interval is complete." + DEFAULT)
  String watermarkTopic = "rollup-watermark";

  @Option(
      names = "--group",
      paramLabel = "NAME",
      defaultValue = "stream-rollup",
      description =
          "Consumer group to which each checkpoint commits its offsets. A job without a"
              + " checkpoint starts there."
              + DEFAULT)
  String group = "stream-rollup";

  @Option(
      names = "--start-from",
      paramLabel = "WHERE",
      defaultValue = "COMMITTED",
      description =
          "Where a job without a checkpoint starts: COMMITTED (the group's offsets, and the"
              + " beginning of partitions that have none; the end of all if the group has none),"
              + " EARLIEST or LATEST. Buckets that begin before are not written."
              + DEFAULT)
  StartFrom startFrom = StartFrom.COMMITTED;

  @Option(
      names = "--slack",
      paramLabel = "DURATION",
      defaultValue = "2m",
      description =
          "Time for which points of a series may come late and are put in order, for example 90s or"
              + " 2m; at most a third of each interval. Points that are older are repaired."
              + DEFAULT)
  String slack = "2m";

  @Option(
      names = "--spread",
      paramLabel = "DURATION",
      defaultValue = "40m",
      description =
          "Longest time over which the rollups of one interval are written after the slack, so that"
              + " the turn of the hour is no burst; the interval without the slack if that is less."
              + DEFAULT)
  String spread = "40m";

  @Option(
      names = "--idle-timeout",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "Time without a message after which a partition no longer holds back the others. Points"
              + " that it delivers later are repaired."
              + DEFAULT)
  String idleTimeout = "5m";

  @Option(
      names = "--earliest-year",
      paramLabel = "YEAR",
      defaultValue = "2010",
      description =
          "Kafka's record times before this year (UTC) are wrong, such as -1 or seconds: they count"
              + " as the time of arrival."
              + DEFAULT)
  int earliestYear = 2010;

  @Option(
      names = "--max-message-bytes",
      paramLabel = "BYTES",
      defaultValue = "16777216",
      description =
          "Larger messages are bad, after decompression. As maxMessageBytes of kafka-ingest: a"
              + " point that only one of both takes is missing in the rollup."
              + DEFAULT)
  int maxMessageBytes = MessageLimits.DEFAULT.maxBytes();

  @Option(
      names = "--max-message-elements",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Arrays of more elements are bad. As maxMessageElements of kafka-ingest." + DEFAULT)
  int maxMessageElements = MessageLimits.DEFAULT.maxElements();

  @Option(
      names = "--max-message-depth",
      paramLabel = "N",
      defaultValue = "500",
      description =
          "What is nested in more arrays and objects counts as null. As maxMessageDepth of"
              + " kafka-ingest."
              + DEFAULT)
  int maxMessageDepth = MessageLimits.DEFAULT.maxDepth();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Properties file for Kafka's clients: TLS, SASL, timeouts; also references to secrets in"
              + " files and AWS Secrets Manager.")
  @Nullable Path kafkaConfig;

  @Option(
      names = "--kafka-property",
      paramLabel = "KEY=VALUE",
      description = "One property for Kafka's clients; overrides --kafka-config. Repeatable.")
  Map<String, String> kafkaProperties = new LinkedHashMap<>();

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Number of parallel tasks. Default: Flink's (parallelism.default).")
  @Nullable Integer parallelism;

  @Option(
      names = "--checkpoint-dir",
      paramLabel = "URI",
      description =
          "Directory of the checkpoints: file:, hdfs: or s3:; a path without one is file:."
              + " Required.")
  @Nullable String checkpointDir;

  @Option(
      names = "--checkpoint-interval",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "Time between two checkpoints." + DEFAULT)
  String checkpointInterval = "1m";

  @Option(
      names = "--from-checkpoint",
      paramLabel = "URI",
      description =
          "Checkpoint or savepoint to start from: the directory with the file _metadata. Needs the"
              + " same --interval and --slack.")
  @Nullable String fromCheckpoint;

  @Option(
      names = "--state",
      paramLabel = "WHERE",
      defaultValue = "HEAP",
      description =
          "HEAP, or ROCKSDB on local disks: for more series than memory holds, at several times the"
              + " CPU."
              + DEFAULT)
  StateBackend state = StateBackend.HEAP;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description =
          "Any setting of Flink; overrides the options above. 'flink run -D' has the same effect."
              + " Repeatable.")
  Map<String, String> flink = new LinkedHashMap<>();

  @Option(names = "--local", description = "Run in this process instead of on a cluster.")
  boolean local;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "With --local: destination of the JSON report of the books at the end.")
  @Nullable Path report;

  @Option(
      names = "--dry-run",
      description =
          "Only plan: check options, topics, checkpoint and offsets, and print where the job would"
              + " start. Starts and writes nothing; whether --checkpoint-dir can be written is not"
              + " checked.")
  boolean dryRun;

  /**
   * Reads the intervals and their times.
   *
   * @param tsdKeys values that override keys of opentsdb.conf
   * @param problems receives the problems found
   * @return null if there are problems
   */
  @Nullable StreamIntervals intervals(Map<String, String> tsdKeys, Problems problems) {
    TsdFiles files = tsd.read(tsdKeys, null, problems);
    int slackSeconds = seconds("--slack", slack, problems);
    int spreadSeconds = seconds("--spread", spread, problems);
    if (files.rollups() == null) {
      return null;
    }
    List<RollupInterval> found = IntervalsReader.read(files.rollups(), intervals, problems);
    for (RollupInterval interval : found) {
      if (slackSeconds > interval.seconds() / 3) {
        problems.add(
            "--slack must be at most a third of each interval, found: %s with %s"
                .formatted(slack, interval.interval()));
      }
    }
    return problems.isEmpty()
        ? new StreamIntervals(
            found, slackSeconds, spreadSeconds, files.rollups().suite(), files.codecs())
        : null;
  }

  /** Checks the remaining options. */
  void check(Problems problems) {
    if (inputTopics.isEmpty()) {
      problems.add("--input-topics is required");
    }
    problems.require("--rollup-topic", rollupTopic);
    problems.require("--checkpoint-dir", checkpointDir);
    for (String output : outputTopics()) {
      if (inputTopics.contains(output)) {
        problems.add("--input-topics must not have a topic that is written, found: " + output);
      }
    }
    if (outputTopics().stream().distinct().count() < outputTopics().size()) {
      problems.add(
          "--rollup-topic, --request-topic and --watermark-topic must differ, found: "
              + String.join(", ", outputTopics()));
    }
    seconds("--idle-timeout", idleTimeout, problems);
    int year = Year.now(ZoneOffset.UTC).getValue();
    between(problems, "--earliest-year", earliestYear, FIRST_YEAR, year);
    between(
        problems,
        "--max-message-bytes",
        maxMessageBytes,
        MessageLimits.MIN_BYTES,
        MessageLimits.MAX_BYTES);
    between(problems, "--max-message-elements", maxMessageElements, 1, MessageLimits.MAX_ELEMENTS);
    between(
        problems,
        "--max-message-depth",
        maxMessageDepth,
        MessageLimits.MIN_DEPTH,
        MessageLimits.MAX_DEPTH);
    seconds("--checkpoint-interval", checkpointInterval, problems);
    if (parallelism != null) {
      problems.atLeast("--parallelism", parallelism, 1);
    }
    if (report != null) {
      Path parent = report.toAbsolutePath().getParent();
      if (parent == null || !Files.isDirectory(parent)) {
        problems.add("--report must be a file in a directory that exists, found: " + report);
      }
    }
    if (!local) {
      problems.refuse("--report", report, "goes with --local only");
    }
    if (!kafka(problems).containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      problems.add("--kafka-bootstrap is required, or bootstrap.servers in --kafka-config");
    }
  }

  private static void between(Problems problems, String option, int found, int min, int max) {
    if (found < min || found > max) {
      problems.add(option + " must be " + min + " to " + max + ", found: " + found);
    }
  }

  /** Bounds of a message of points; see {@link #check}. */
  MessageLimits limits() {
    return new MessageLimits(
        maxMessageBytes, maxMessageElements, maxMessageDepth, MessageLimits.DEFAULT.maxProblems());
  }

  /** The topics that the job writes. */
  List<String> outputTopics() {
    return List.of(Objects.requireNonNullElse(rollupTopic, ""), requestTopic, watermarkTopic);
  }

  /** The settings of Kafka's clients. */
  Map<String, String> kafka(Problems problems) {
    Map<String, String> settings = KafkaProperties.read(kafkaConfig, kafkaProperties, problems);
    if (kafkaBootstrap != null) {
      settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafkaBootstrap);
    }
    return settings;
  }

  /** Time without messages after which a partition is idle, ms; see {@link #check}. */
  long idleMillis() {
    return seconds("--idle-timeout", idleTimeout, new Problems()) * 1000L;
  }

  /** Times of messages before are wrong, ms since the epoch; see {@link #check}. */
  long earliestTime() {
    return Year.of(earliestYear).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
  }

  /** Seconds between two checkpoints; see {@link #check}. */
  int checkpointSeconds() {
    return seconds("--checkpoint-interval", checkpointInterval, new Problems());
  }

  /** A duration in seconds; 0 with a problem if it is none. */
  private static int seconds(String option, String value, Problems problems) {
    Duration duration = Duration.parse(value);
    if (duration == null || duration.seconds() > Integer.MAX_VALUE) {
      problems.add(option + " must be a duration such as 90s, 2m or 1h, found: " + value);
      return 0;
    }
    return (int) duration.seconds();
  }

  /** Where a job without a checkpoint starts. */
  enum StartFrom {
    /** The offsets of the group. */
    COMMITTED,
    /** The beginning of all partitions. */
    EARLIEST,
    /** The end of all partitions. */
    LATEST
  }

  /** Where the state is. */
  enum StateBackend {
    /** Java's heap. */
    HEAP,
    /** RocksDB. */
    ROCKSDB
  }
}
