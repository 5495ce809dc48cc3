package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The raw options of {@code rollup-job}; {@link RollupOptionsReader} checks them. */
@Command(
    name = "rollup-job",
    subcommands = {
      LoadCommand.class,
      VerifyCommand.class,
      CoverageCommand.class,
      PruneCommand.class
    },
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Rolls up hours of an OpenTSDB data table from an HBase snapshot.",
    description =
        """
        Reads the HFiles of a snapshot in place (S3, HDFS, local), never writes below the snapshot \
        root, and emits sum, min, max and count of each series and interval to Kafka or as JSON \
        lines, or writes them as HFiles, which 'rollup-job load' loads.

          spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\
            --snapshot-root s3a://backup/hbase --data-snapshot tsdb-20261120 \\
            --uid-snapshot tsdb-uid-20261120 --tsd-config opentsdb.conf \\
            --day 2026-11-19 --kafka-bootstrap broker:9092 --topic rollups
        """,
    commandListHeading = "%nOther commands, each with its own --help:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, and the books close",
      "1:bad input: more failed than --max-failed-rows or --max-failed-blocks allows, nothing was"
          + " emitted though the table has data, the snapshot is corrupt, or rollups stay that are"
          + " known to be wrong (--allow-lost)",
      "2:wrong usage or configuration",
      "3:an outside system failed (storage, Kafka, HBase, Spark); run it again, or --resume it",
      "4:a defect of rollup-job: please report it with its log"
    })
final class RollupCommand {
  /** Suffix for the description of an option with a default. */
  static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

  @Mixin InputOptions input = new InputOptions();

  @Option(
      names = "--changed-since",
      paramLabel = "TIME",
      description =
          "Also roll up again every hour before the window (with an interval above 1h, every"
              + " day) of each series that got or lost a cell at TIME or later, by HBase's"
              + " timestamps. With --to alone, only these. ISO-8601 or seconds since the epoch.")
  @Nullable String changedSince;

  @Option(
      names = "--since-report",
      paramLabel = "REPORT",
      description =
          "As --changed-since, with the snapshot time of an earlier run, read from that"
              + " run's report, less --changed-margin; also every row in HFiles added since by"
              + " bulk load or flush. That run must have the same intervals, metrics and sink,"
              + " and its window must end at this window's start or later.")
  @Nullable String sinceReport;

  @Option(
      names = "--refresh-report",
      paramLabel = "REPORT",
      description =
          "With --since-report: also every row before the end of an earlier run's window that"
              + " has changed since that run's snapshot, so that the coverage as of that run is"
              + " refreshed, when the runs since have not done it. If they cannot all be found,"
              + " a warning.")
  @Nullable String refreshReport;

  @Option(
      names = "--changed-margin",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "Maximum clock difference of HBase's servers, for --since-report and --refresh-report:"
              + " 90s, 5m."
              + DEFAULT)
  String changedMargin = "5m";

  @Option(
      names = "--max-changed-rows",
      paramLabel = "N",
      defaultValue = "2000000",
      description =
          "Limit of changed rows (with an interval above 1h, of changed days of series); more"
              + " end the run before anything is emitted. The driver needs about 300 bytes for"
              + " each."
              + DEFAULT)
  int maxChangedRows = 2_000_000;

  @Option(
      names = "--allow-lost",
      description =
          "Continue with a warning if rows have lost their last point and this run"
              + " cannot take back their stored rollups (with --format aggregate, or if the"
              + " series has no name any more; default: exit code 1), or if bulk-loaded rows"
              + " cannot be identified (default: exit code 2).")
  boolean allowLost;

  @Mixin ChoiceOptions choice = new ChoiceOptions();

  @Option(
      names = "--as-of",
      paramLabel = "snapshot|now",
      defaultValue = "snapshot",
      description =
          "Timestamp of the rollups; of two rollups of one series and interval the"
              + " later one wins. snapshot: the creation time of the data snapshot; now: the"
              + " start of the run, which also replaces rollups stored or deleted manually"
              + " since the snapshot."
              + DEFAULT)
  AsOf asOf = AsOf.SNAPSHOT;

  @Option(
      names = "--sink",
      paramLabel = "kafka|json|hfile",
      defaultValue = "kafka",
      description =
          "Destination of the rollups: Kafka messages; JSON lines; or HFiles of this"
              + " cluster's rollup tables, for 'rollup-job load'."
              + DEFAULT)
  SinkKind sink = SinkKind.KAFKA;

  @Option(names = "--kafka-bootstrap", paramLabel = "HOST:PORT,...", description = "Kafka brokers.")
  @Nullable String kafkaBootstrap;

  @Option(names = "--topic", paramLabel = "TOPIC", description = "An existing Kafka topic.")
  @Nullable String topic;

  @Option(
      names = "--kafka-property",
      paramLabel = "K=V",
      description =
          "Property of the Kafka producer (TLS, SASL/SCRAM, MSK IAM, ...). Can be repeated. acks"
              + " and enable.idempotence cannot be weakened.")
  Map<String, String> kafkaProperties = new LinkedHashMap<>();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description =
          "Java properties file with producer properties, for secrets, or references to secrets in"
              + " files and AWS Secrets Manager; --kafka-property wins.")
  @Nullable Path kafkaConfig;

  @Option(
      names = "--format",
      paramLabel = "aggregate|rollup",
      defaultValue = "rollup",
      description =
          "Kafka messages: rollup, one for each series and interval; aggregate, one for"
              + " each aggregator, the format of the stock consumers."
              + DEFAULT)
  MessageFormat format = MessageFormat.ROLLUP;

  @Option(
      names = "--rollups-per-message",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --format rollup: maximum of rollups of one series in one Kafka message, 1 to 1000."
              + " Several are an array, which kafka-ingest reads and other consumers must support;"
              + " 24 suits a day of 1h."
              + DEFAULT)
  int rollupsPerMessage = 1;

  @Option(
      names = "--partition-by",
      paramLabel = "series|metric",
      defaultValue = "series",
      description =
          "Kafka partition: hash of the series, or of the metric first and the series"
              + " second, so that a consumer can own all series of a metric."
              + DEFAULT)
  PartitionBy partitionBy = PartitionBy.SERIES;

  @Option(
      names = "--partitions-per-metric",
      paramLabel = "N",
      defaultValue = "1",
      description = "Partitions that a metric spreads over, with --partition-by metric." + DEFAULT)
  int partitionsPerMetric = 1;

  @Option(
      names = "--max-messages-per-second",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit for the whole job, shared by all running tasks; 0 is no limit." + DEFAULT)
  double maxMessagesPerSecond;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Directory for --sink json; it must not exist or be empty. One line for each series and"
              + " interval. Valid once it has _SUCCESS; a run that was killed leaves _temporary and"
              + " no other file: make sure that it has ended, remove the directory, run again.")
  @Nullable String output;

  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description =
          "Directory for --sink hfile, with its file system; preferably on the HDFS or"
              + " in the bucket of the HBase that loads the files. Each run creates a"
              + " subdirectory, valid once it has manifest.json.")
  @Nullable String hfileDir;

  @Option(
      names = "--target-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "With --sink hfile: snapshot of the rollup table, below --snapshot-root, that"
              + " defines regions and compression of the files; its data is not read. Default:"
              + " query the live HBase of --tsd-config.")
  List<String> targetSnapshots = new ArrayList<>();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Destination of the JSON report, which is updated during the run: a local"
              + " file, or a URI with its scheme (with --deploy-mode cluster a URI, because"
              + " the driver's directory is removed). Default: the file of --resume; otherwise"
              + " rollup-job-<window>-started-<time>.json in the current directory.")
  @Nullable String report;

  @Option(
      names = "--resume",
      paramLabel = "REPORT",
      description =
          "Resume a crashed or failed run by its report. Give the same options:"
              + " relevant differences are refused. Finished partitions are not read again."
              + " For --sink kafka. Make sure that the earlier run has ended.")
  @Nullable String resume;

  @Mixin TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--dry-run",
      description =
          "Only plan: regions, HFiles, bytes, partitions, estimated output. Reads"
              + " manifests and indexes but no data, and checks the topic.")
  boolean dryRun;

  CommonOptions common() {
    return new CommonOptions(input, choice, tasks);
  }

  /** Destinations of rollups. */
  enum SinkKind {
    /** Messages to a topic. */
    KAFKA,
    /** JSON lines in files. */
    JSON,
    /** HFiles of the rollup tables. */
    HFILE
  }
}
