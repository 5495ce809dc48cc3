package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.job.UidSource;
import io.tsdbsuite.rollup.message.MessageFormat;
import io.tsdbsuite.rollup.sink.PartitionBy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options as they are written; {@link OptionsReader} checks them and gives them types. */
@Command(
    name = "rollup-job",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Rolls up hours of an OpenTSDB data table from an HBase snapshot.",
    description = {
      "Reads the HFiles of a snapshot where they are (S3, HDFS, local), never writes below the"
          + " snapshot root, and emits sum, min, max and count of each series and interval to Kafka"
          + " or as JSON lines, or writes them as HFiles, which 'rollup-job load' loads.",
      "",
      "  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar \\",
      "    --snapshot-root s3a://backup/hbase --data-snapshot tsdb-2026-11-20 \\",
      "    --uid-snapshot tsdb-uid-2026-11-20 --tsd-config opentsdb.conf \\",
      "    --day 2026-11-19 --hold-back 3h --kafka-bootstrap broker:9092 --topic rollups",
      "",
      "Another command: verify compares stored rollups with raw data; verify --help.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, and the books close",
      "1:bad input: more rows failed than --max-failed-rows allows, or the snapshot is corrupt",
      "2:wrong usage or configuration",
      "3:an outside system failed (storage, Kafka, HBase, Spark); run it again, or --resume it"
    })
final class RollupCommand {
  private static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot: s3a://, hdfs:// or file:///. Only ever"
              + " read.")
  String snapshotRoot;

  @Option(
      names = "--data-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the data table (tsdb).")
  String dataSnapshot;

  @Option(
      names = "--uid-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the UID table (tsdb-uid), taken after the data snapshot.")
  String uidSnapshot;

  @Option(
      names = "--uid-source",
      paramLabel = "snapshot|hbase",
      defaultValue = "snapshot",
      description =
          "Where UIDs get their names: --uid-snapshot, or the live HBase of --tsd-config"
              + " (tsd.storage.hbase.zk_quorum)."
              + DEFAULT)
  UidSource uidSource = UidSource.SNAPSHOT;

  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description =
          "HBase client property for --uid-source hbase and --sink hfile. Can be repeated.")
  Map<String, String> hbaseProperties = new LinkedHashMap<>();

  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The TSD's own opentsdb.conf: UID widths, salt, duplicate rules, rollup_config.json. Each"
              + " key that is read can be overridden by an option of its name, for example"
              + " --tsd.storage.salt.width=1.")
  Path tsdConfig;

  @Option(
      names = "--rollup-config",
      paramLabel = "FILE",
      description =
          "rollup_config.json. Default: the one that --tsd-config names (tsd.rollups.config).")
  String rollupConfig;

  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      split = ",",
      defaultValue = "1h",
      description =
          "Rollup intervals, as rollup_config.json writes them, all from one reading of the data:"
              + " each divides the hour, or is a day, for example 1m,10m,1h,1d. Can be repeated."
              + " With a day the window must be whole days, UTC."
              + DEFAULT)
  List<String> intervals = new ArrayList<>(List.of("1h"));

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First hour, inclusive: ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or seconds since the"
              + " epoch; UTC, on the hour.")
  String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last hour, exclusive; written like --from.")
  String to;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description = "Short form of --from and --to for one day, UTC: 2026-11-19.")
  String day;

  @Option(
      names = "--changed-since",
      paramLabel = "TIME",
      description =
          "Roll up also, whole, every hour before the window (with 1d, every day) of each series"
              + " that got a cell at TIME or later, or lost one, by HBase's timestamps. With --to"
              + " alone nothing but these. ISO-8601 or seconds since the epoch.")
  String changedSince;

  @Option(
      names = "--since-report",
      paramLabel = "REPORT",
      description =
          "The same since the snapshot of an earlier run was taken, by that run's report, less"
              + " --changed-margin.")
  String sinceReport;

  @Option(
      names = "--changed-margin",
      paramLabel = "DURATION",
      defaultValue = "5m",
      description =
          "By how much the clocks of HBase's servers may differ, for --since-report: 90s, 5m."
              + DEFAULT)
  String changedMargin = "5m";

  @Option(
      names = "--max-changed-rows",
      paramLabel = "N",
      defaultValue = "2000000",
      description =
          "Rows (with 1d, days of series) that may have changed; more end the run before anything"
              + " is emitted. The driver needs about 300 bytes for each."
              + DEFAULT)
  int maxChangedRows = 2_000_000;

  @Option(
      names = "--hold-back",
      paramLabel = "DURATION",
      description =
          "Refuse a window that ends less than this before now, because a TSD with split queries"
              + " still reads raw data there: 3h, 2d, or 0s to hold nothing back. It must be"
              + " shorter than the TSD's delaySla by the time between two runs and the time of one"
              + " run, else graphs have holes. Default: the delaySla of --interval in"
              + " rollup_config.json, the longest of several, or 0s.")
  String holdBack;

  @Option(
      names = "--metrics",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "Metrics to roll up: names with * and ?; a leading ! excludes, for example"
              + " 'sys.*,!sys.cpu.idle'. Can be repeated. Default: all.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--sink",
      paramLabel = "kafka|json|hfile",
      defaultValue = "kafka",
      description =
          "Where the rollups go: messages; lines; or HFiles of the rollup tables of this one"
              + " cluster, for 'rollup-job load'."
              + DEFAULT)
  SinkKind sink = SinkKind.KAFKA;

  @Option(names = "--kafka-bootstrap", paramLabel = "HOST:PORT,...", description = "Kafka brokers.")
  String kafkaBootstrap;

  @Option(names = "--topic", paramLabel = "TOPIC", description = "An existing Kafka topic.")
  String topic;

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
          "Java properties file with producer properties, for secrets; --kafka-property wins.")
  Path kafkaConfig;

  @Option(
      names = "--format",
      paramLabel = "aggregate|rollup",
      defaultValue = "rollup",
      description =
          "Kafka messages: rollup, one for each series and interval; aggregate, one for each"
              + " aggregator, as the stock consumers take them."
              + DEFAULT)
  MessageFormat format = MessageFormat.ROLLUP;

  @Option(
      names = "--partition-by",
      paramLabel = "series|metric",
      defaultValue = "series",
      description =
          "Kafka partition: hash of the series, or of the metric first and the series second, so"
              + " that a consumer can own whole metrics."
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
          "Limit for the whole job, shared among the tasks that can run at once; 0 is no limit."
              + DEFAULT)
  double maxMessagesPerSecond;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description =
          "Directory for --sink json; it must not exist or be empty. One line for each series and"
              + " interval. Valid once it has _SUCCESS; a run that was killed leaves _temporary and"
              + " no other file: make sure that it has ended, remove the directory, run again.")
  String output;

  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description =
          "Directory for --sink hfile, with its file system; best on the HDFS or in the bucket of"
              + " the HBase that is to load them. Each run makes one of its own in it, valid once"
              + " it has manifest.json.")
  String hfileDir;

  @Option(
      names = "--target-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "With --sink hfile: snapshot of the rollup table, below --snapshot-root, whose regions"
              + " and compression the files are made for; its data is not read. Default: the live"
              + " HBase of --tsd-config is asked.")
  List<String> targetSnapshots = new ArrayList<>();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Where the JSON report goes, which is kept up to date while the job runs: a local file,"
              + " or a URI with its scheme (with --deploy-mode cluster a URI: the driver's"
              + " directory goes with it). Default: the file of --resume; else"
              + " rollup-job-<window>-started-<time>.json in the current directory.")
  String report;

  @Option(
      names = "--resume",
      paramLabel = "REPORT",
      description =
          "Go on where a run ended that died or failed, by its report. Give the same options: what"
              + " differs and matters is refused. Partitions that it had finished are not read"
              + " again. For --sink kafka. Make sure that the run has ended.")
  String resume;

  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Rows that may fail before the run stops with exit code 1. A corrupt block of an HFile"
              + " counts once."
              + DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--partition-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "Compressed MiB in the window that one task reads, about; larger regions are divided."
              + DEFAULT)
  double partitionMebibytes = 256;

  @Option(
      names = "--dry-run",
      description =
          "Only plan: regions, HFiles, bytes, partitions, estimated output. Reads manifests and"
              + " indexes, no data.")
  boolean dryRun;

  /** Where rollups can go. */
  enum SinkKind {
    /** Messages to a topic. */
    KAFKA,
    /** JSON lines in files. */
    JSON,
    /** HFiles of the rollup tables. */
    HFILE
  }
}
