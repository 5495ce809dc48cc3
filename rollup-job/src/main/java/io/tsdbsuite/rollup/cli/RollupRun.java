package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.hbase.S3RetryDefaults;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RunHistory;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.ReportSections;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.sink.JsonSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;

/** Runs or plans {@code rollup-job}. */
final class RollupRun {
  private final RollupCommand command;
  private final RollupOptions options;
  private final RollupOptionsReader reader;
  private final Console console;
  private final Clock clock;

  private RollupRun(
      RollupCommand command,
      RollupOptions options,
      RollupOptionsReader reader,
      Invocation invocation) {
    this.command = command;
    this.options = options;
    this.reader = reader;
    this.console = invocation.console();
    this.clock = invocation.clock();
  }

  /** Runs if the options have no problems; otherwise prints all problems. */
  static ExitCode of(RollupCommand command, Invocation invocation) {
    RollupOptionsReader reader = new RollupOptionsReader(command, invocation);
    RollupOptions options = reader.read();
    return options == null
        ? invocation.console().refuse(invocation.problems())
        : new RollupRun(command, options, reader, invocation).run();
  }

  private ExitCode run() {
    HBaseVersion.require();
    if (command.dryRun) {
      return dryRun();
    }
    Reports reports = new Reports(command);
    RunIdentity identity = RunOptions.identity(command, options);
    EarlierRun local = reports.resumesLocal() ? reports.earlier(identity, null) : null;
    if (local != null && local.done()) {
      return done(local);
    }
    reader.warnings().forEach(console::warn);
    try (JavaSparkContext spark = SparkStart.start(command.maxMessagesPerSecond > 0)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      Configuration hadoop = spark.hadoopConfiguration();
      EarlierRun earlier = local == null ? reports.earlier(identity, hadoop) : local;
      if (earlier != null && earlier.done()) {
        return done(earlier);
      }
      boolean cluster = spark.getConf().get("spark.submit.deployMode", "client").equals("cluster");
      ReportFile file = reports.file(options, hadoop, clock.instant(), cluster, console::warn);
      Consumer<RollupReport> writer = file == null ? report -> {} : file::write;
      if (file != null) {
        console.println("report             " + file);
      }
      RunHistory history =
          earlier == null
              ? RunHistory.fresh(identity, writer)
              : RunHistory.resumed(identity, writer, earlier);
      RollupJob job =
          new RollupJob(spark, options, sinks(hadoop), messagesPerInterval(), history, clock);
      RollupReport report = job.run();
      show(report, file);
      String hfiles = report.output().get(HFileSinkFactory.OUTPUT);
      if (hfiles != null) {
        console.println("load it with       rollup-job load --hfile-dir " + hfiles);
      }
      writer.accept(report);
      return Objects.requireNonNull(report.exitCode(), "a run that has ended has an exit code");
    }
  }

  private ExitCode done(EarlierRun earlier) {
    console.println(
        "rollup-job: "
            + earlier.report()
            + " is the report of a run that is done: nothing is left, nothing was read or written");
    return ExitCode.DONE;
  }

  /** Needs no sink, whose options may be missing. */
  private ExitCode dryRun() {
    reader.warnings().forEach(console::warn);
    try (JavaSparkContext spark = SparkStart.start(command.maxMessagesPerSecond > 0)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      lookAtTopic();
      return plan(spark);
    }
  }

  private ExitCode plan(JavaSparkContext spark) {
    RunInput input = new RunInput(spark.hadoopConfiguration(), options);
    RollupPlan plan = input.plan(input.load());
    List<DelaySla> delaySla = input.delaySla(Duration.ZERO);
    console.print(
        ReportSections.plan(
            plan,
            input.holdBack(),
            delaySla,
            messagesPerInterval(),
            command.sink == SinkKind.KAFKA ? command.rollupsPerMessage : 1,
            options.intervals().perRow()));
    delaySla.stream().filter(DelaySla::leavesHoles).map(DelaySla::warning).forEach(console::warn);
    console.println("dry run            no data was read, nothing was written");
    return ExitCode.DONE;
  }

  /** A dry run does not need the sink; it only warns about problems of the topic. */
  private void lookAtTopic() {
    if (command.sink != SinkKind.KAFKA) {
      return;
    }
    KafkaSinkFactory kafka = new KafkaSinkFactory(reader.kafka());
    try {
      kafka.look();
      kafka.warnings().forEach(console::warn);
    } catch (SinkException e) {
      console.warn("a run would end at once: " + e.getMessage());
    }
  }

  private void show(RollupReport report, @Nullable ReportFile file) {
    console.print(ReportSections.of(report).table().toString());
    if (report.exitCode() != ExitCode.DONE) {
      console.error(report.message());
    }
    FinishedPartitions finished = report.finished();
    if (finished != null && report.isResumable() && file != null) {
      console.error(
          finished.size()
              + " partitions are finished; --resume "
              + file
              + " with the same options reads only the others");
    }
  }

  private SinkFactory sinks(Configuration hadoop) {
    return switch (command.sink) {
      case JSON -> new JsonSinkFactory(hadoop, Objects.requireNonNull(command.output));
      case HFILE -> reader.hfiles(options, hadoop);
      case KAFKA -> new KafkaSinkFactory(reader.kafka());
    };
  }

  private int messagesPerInterval() {
    if (command.sink == SinkKind.HFILE) {
      return HFileSinkFactory.CELLS_PER_INTERVAL;
    }
    boolean aggregate = command.sink == SinkKind.KAFKA && command.format == MessageFormat.AGGREGATE;
    return aggregate ? MessageFormat.AGGREGATE.encoder(0).messages() : 1;
  }
}
