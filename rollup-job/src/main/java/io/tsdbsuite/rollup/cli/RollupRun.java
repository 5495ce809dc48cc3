package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.cli.SinkOptions.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.HFileSinkOptions;
import io.tsdbsuite.rollup.hfile.LiveTargets;
import io.tsdbsuite.rollup.hfile.SnapshotTargets;
import io.tsdbsuite.rollup.hfile.TargetSource;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RunHistory;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.plan.job.RegionJob;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.report.ReportSections;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.resume.RunReports;
import io.tsdbsuite.rollup.sink.JsonSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Runs or plans {@code rollup-job}. */
record RollupRun(
    RollupCommand command, CommonInput common, RollupOptions options, Invocation invocation) {
  private static final int RANDOM_DIGITS = 6;

  /** Runs or plans. */
  ExitCode run() {
    HBaseVersion.require();
    if (command.dryRun) {
      return dryRun();
    }
    RunReports reports = new RunReports(command.report, command.resume);
    RunIdentity identity = command.identity(options);
    EarlierRun local = reports.resumesLocal() ? reports.earlier(identity, null) : null;
    if (local != null && local.done()) {
      return done(local);
    }
    common.warnings().forEach(invocation::warn);
    try (JavaSparkContext spark = SparkStart.start(command.sink.kafka.maxMessagesPerSecond > 0)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      Configuration hadoop = spark.hadoopConfiguration();
      EarlierRun earlier = local == null ? reports.earlier(identity, hadoop) : local;
      if (earlier != null && earlier.done()) {
        return done(earlier);
      }
      boolean cluster = spark.getConf().get("spark.submit.deployMode", "client").equals("cluster");
      ReportFile file =
          reports.file(options, hadoop, invocation.clock().instant(), cluster, invocation::warn);
      Consumer<RollupReport> writer = file == null ? report -> {} : file::write;
      if (file != null) {
        invocation.println("report             " + file);
      }
      RunHistory history = new RunHistory(identity, earlier, writer);
      RollupJob job =
          new RollupJob(spark, options, sinks(hadoop), history, floors(), invocation.clock());
      RollupReport report = job.run();
      show(report, file);
      String hfiles = report.output().get(HFileSinkFactory.OUTPUT);
      if (hfiles != null) {
        invocation.println("load it with       rollup-job load --hfile-dir " + hfiles);
      }
      writer.accept(report);
      return Objects.requireNonNull(report.exitCode(), "a run that has ended has an exit code");
    }
  }

  private ExitCode done(EarlierRun earlier) {
    invocation.println(
        "rollup-job: "
            + earlier.report()
            + " is the report of a run that is done: nothing is left, nothing was read or written");
    return ExitCode.DONE;
  }

  /** Needs no sink, whose options may be missing. */
  private ExitCode dryRun() {
    common.warnings().forEach(invocation::warn);
    try (JavaSparkContext spark = SparkStart.start(command.sink.kafka.maxMessagesPerSecond > 0)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      lookAtTopic();
      return plan(spark);
    }
  }

  private ExitCode plan(JavaSparkContext spark) {
    RunInput input = new RunInput(spark.hadoopConfiguration(), options);
    Snapshot data = input.load();
    RollupPlan plan = input.plan(data, new RegionJob(spark, data)::plan);
    List<DelaySla> delaySla = input.delaySla(Duration.ZERO);
    invocation.print(
        ReportSections.plan(
            plan,
            input.holdBack(),
            delaySla,
            messagesPerInterval(),
            command.sink.kind == SinkKind.KAFKA ? command.sink.kafka.rollupsPerMessage : 1,
            options.intervals()));
    delaySla.stream()
        .filter(DelaySla::leavesHoles)
        .map(DelaySla::warning)
        .forEach(invocation::warn);
    invocation.println("dry run            no data was read, nothing was written");
    return ExitCode.DONE;
  }

  /** A dry run does not need the sink; it only warns about problems of the topic. */
  private void lookAtTopic() {
    if (command.sink.kind != SinkKind.KAFKA) {
      return;
    }
    Problems problems = new Problems();
    KafkaSinkOptions sink = kafka(problems);
    problems.addAll(sink.problems());
    problems.all().forEach(problem -> invocation.warn("a run would be refused: " + problem));
    if (!problems.isEmpty()) {
      return;
    }
    KafkaSinkFactory kafka = new KafkaSinkFactory(sink);
    try {
      kafka.check();
      kafka.warnings().forEach(invocation::warn);
    } catch (SinkException e) {
      invocation.warn("a run would end at once: " + e.getMessage());
    }
  }

  private void show(RollupReport report, @Nullable ReportFile file) {
    invocation.print(ReportSections.of(report).table().toString());
    if (report.exitCode() != ExitCode.DONE) {
      invocation.error(report.message());
    }
    FinishedPartitions finished = report.finished();
    if (finished != null && report.isResumable() && file != null) {
      invocation.error(
          ("%s partitions are finished; --resume %s with the same options reads only the"
                  + " others")
              .formatted(finished.size(), file));
    }
  }

  private SinkFactory sinks(Configuration hadoop) {
    return switch (command.sink.kind) {
      case JSON -> new JsonSinkFactory(hadoop, Objects.requireNonNull(command.sink.output));
      case HFILE -> hfiles(hadoop);
      case KAFKA -> new KafkaSinkFactory(kafka(invocation.problems()));
    };
  }

  private KafkaSinkOptions kafka(Problems problems) {
    return command.sink.kafka.read(options.intervals().suite().writesArrays(), problems);
  }

  private RollupJob.@Nullable FloorSource floors() {
    return command.readsFloors(options.uids())
        ? new RollupJob.FloorSource(
            CoverageOptions.of(
                command.floorTable(), common.files(), command.input.hbase, new Problems()),
            command.coverageTable != null)
        : null;
  }

  private HFileSinkFactory hfiles(Configuration hadoop) {
    HFileOptions hfile = command.sink.hfile;
    String random = UUID.randomUUID().toString().substring(0, RANDOM_DIGITS);
    HFileSinkOptions sink =
        new HFileSinkOptions(
            Objects.requireNonNull(hfile.dir),
            RunReports.SECOND.format(invocation.clock().instant()) + "_" + random,
            options.schema(),
            options.intervals().all(),
            Objects.requireNonNull(common.files().rollups()),
            common.files().codecs());
    TargetSource targets =
        hfile.targetSnapshots.isEmpty()
            ? new LiveTargets(
                HBaseClients.configuration(
                    hadoop,
                    command.input.hbase.clientProperties(common.files().config(), new Problems())))
            : new SnapshotTargets(hadoop, options.snapshotRoot(), hfile.targetSnapshots);
    return new HFileSinkFactory(sink, hadoop, targets);
  }

  /** Of a rollup without further aggregators. */
  private int messagesPerInterval() {
    if (command.sink.kind == SinkKind.HFILE) {
      return HFileSinkFactory.LEAST_CELLS;
    }
    boolean aggregate =
        command.sink.kind == SinkKind.KAFKA && command.sink.kafka.format == MessageFormat.AGGREGATE;
    return aggregate ? MessageFormat.AGGREGATE.encoder(0).messages(new RollupPoint()) : 1;
  }
}
