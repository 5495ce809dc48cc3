package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.rollup.cli.SinkOptions.SinkKind;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSource;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code rollup-job} itself; {@link RollupRun} has its work. */
@Command(
    name = "rollup-job",
    subcommands = {
      LoadCommand.class,
      VerifyCommand.class,
      CoverageCommand.class,
      PackCommand.class,
      PruneCommand.class,
      TiersCommand.class
    },
    header = "Rolls up hours of an OpenTSDB data table from an HBase snapshot.",
    description =
        """
        Reads the HFiles of a snapshot in place (S3, HDFS, local), never writes below the snapshot \
        root, and emits sum, min, max and count of each series and interval to Kafka or as JSON \
        lines, or writes them as HFiles, which 'rollup-job load' loads. Rollups of metrics that \
        suite.values of rollup_config.json selects also have percentiles, first and last; those of \
        suite.histograms have histograms.

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
      "4:too little memory (the message says so), or a defect of rollup-job: please report it with"
          + " its log"
    })
final class RollupCommand extends RollupMain.Action {
  /** Suffix for the description of an option with a default. */
  static final String DEFAULT = " Default: ${DEFAULT-VALUE}.";

  @Mixin InputOptions input = new InputOptions();

  @Mixin ChangedOptions changed = new ChangedOptions();

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

  @Mixin SinkOptions sink = new SinkOptions();

  @Option(
      names = "--coverage-table",
      paramLabel = "TABLE",
      description =
          "The coverage table in the live HBase of --tsd-config, which must exist: rows below its"
              + " floors of raw data are not rolled up, and their rollups not taken back. Default:"
              + " tsdb-coverage, if it exists, with --uid-source hbase, and with --sink hfile"
              + " without --target-snapshot; else none is read.")
  @Nullable String coverageTable;

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

  @Override
  ExitCode run(Invocation invocation) {
    CommonInput common = common(invocation);
    RollupOptions options = read(common, invocation.problems());
    return options == null
        ? invocation.refuse()
        : new RollupRun(this, common, options, invocation).run();
  }

  /** Reads the options that verify has too. */
  CommonInput common(Invocation invocation) {
    return CommonInput.read(
        input,
        choice,
        tasks,
        changed.isGiven(),
        sink.kind == SinkKind.JSON ? DefaultRollups.CONFIG : null,
        invocation);
  }

  /** Reads the other options; null if there are problems. */
  @Nullable RollupOptions read(CommonInput common, Problems problems) {
    ChangedSince since = changed.read(common, same(common), dryRun, problems);
    boolean hfiles = sink.kind == SinkKind.HFILE;
    UidSettings uids =
        input.uids(
            !choice.metrics.isEmpty(),
            common.intervals(),
            hfiles,
            hfiles || coverageTable != null,
            common.files().config(),
            problems);
    CoverageOptions.requireTableName(coverageTable, problems);
    if (readsFloors(uids)) {
      Map<String, String> unused = input.hbase.clientProperties(common.files().config(), problems);
    }
    sink.check(dryRun, problems);
    if (sink.kind == SinkKind.KAFKA
        && sink.kafka.format == MessageFormat.AGGREGATE
        && common.intervals() != null
        && !common.intervals().withHistograms().isEmpty()) {
      problems.add(
          ("--format must be rollup: aggregates have no histograms, which suite.histograms of"
                  + " rollup_config.json gives rollups of %s, found: aggregate")
              .formatted(RollupIntervals.text(common.intervals().withHistograms())));
    }
    switch (sink.kind) {
      case KAFKA -> {}
      case HFILE ->
          problems.refuse(
              "--resume",
              resume,
              KafkaOptions.ONLY
                  + ": files of --sink hfile are complete only once their own run has written them"
                  + " all; run the window again");
      case JSON ->
          problems.refuse(
              "--resume",
              resume,
              KafkaOptions.ONLY
                  + ": files of --sink json are valid only once their own run has committed them"
                  + " all; remove the directory and run the window again");
    }
    if (dryRun) {
      problems.refuse("--resume", resume, "does not go with --dry-run");
    }
    if (hfiles) {
      sink.hfile.check(common, problems);
    }
    return problems.isEmpty() ? common.options(uids, since, asOf) : null;
  }

  /** Whether the run reads the floors of raw data: it has a live HBase. */
  boolean readsFloors(UidSettings uids) {
    return coverageTable != null
        || uids.source() == UidSource.HBASE
        || (sink.kind == SinkKind.HFILE && sink.hfile.targetSnapshots.isEmpty());
  }

  /** The coverage table whose floors are read. */
  String floorTable() {
    return Objects.requireNonNullElse(coverageTable, CoverageRows.DEFAULT_TABLE);
  }

  /** The options that an earlier run must have had too, so that this one can follow it. */
  private Map<String, String> same(CommonInput common) {
    Map<String, String> same = new LinkedHashMap<>();
    if (common.files().schema() != null) {
      same.putAll(keys(common.files().schema()));
    }
    if (common.intervals() != null) {
      same.put("--interval", common.intervals().text());
    }
    same.put("--metrics", String.join(",", choice.metrics));
    same.put("--sink", SinkOptions.text(sink.kind));
    if (sink.kind == SinkKind.KAFKA && sink.kafka.topic != null) {
      same.put("--topic", sink.kafka.topic);
    }
    return same;
  }

  /** The keys of a TSD that decide what stored rows mean. */
  private static Map<String, String> keys(StorageSchema schema) {
    Map<String, String> keys = new TreeMap<>();
    schema.rowKeys().forEach((key, value) -> keys.put("--" + key, value));
    return keys;
  }

  /**
   * The options that determine the input, output and destination of a run, as text for comparison
   * with a resumed run. Rates, limits, credentials and the names of configuration files are
   * excluded and may change between two runs; the values read from those files may not.
   *
   * @param options valid
   */
  RunIdentity identity(RollupOptions options) {
    Map<String, String> all = new TreeMap<>();
    all.put("--snapshot-root", options.snapshotRoot().replaceAll("(?<=[^/:])/+$", ""));
    all.put("--data-snapshot", options.dataSnapshot());
    UidSettings uids = options.uids();
    all.put("--uid-source", SinkOptions.text(uids.source()));
    if (uids.source() == UidSource.SNAPSHOT) {
      all.put("--uid-snapshot", uids.snapshot());
    }
    for (String key : new String[] {"hbase.zookeeper.quorum", "zookeeper.znode.parent"}) {
      String value = uids.hbaseProperties().get(key);
      if (value != null) {
        all.put("--hbase-property " + key, value);
      }
    }
    all.putAll(keys(options.schema()));
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
    all.put("--as-of", SinkOptions.text(options.asOf()));
    if (options.mergesBuckets()) {
      all.put("--any-bucket", "true");
    }
    all.put("--metrics", String.join(",", choice.metrics));
    all.put("--partition-size", Double.toString(tasks.partitionMebibytes));
    if (!options.intervals().suite().text().isEmpty()) {
      all.put("suite", options.intervals().suite().text());
    }
    if (!options.intervals().withHistograms().isEmpty()) {
      // They decide what histogram cells are read as, and which bytes are written.
      all.put(StorageSchema.HISTOGRAMS_CONFIG, options.intervals().codecs().ids().toString());
    }
    sink.identity(all);
    return new RunIdentity(ProgramVersion.of("rollup-job", RollupCommand.class), all);
  }
}
