package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.hbase.read.HBaseVersion;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.YarnDriver;
import io.tsdbsuite.message.write.MessageFormat;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.RunInput;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RunHistory;
import io.tsdbsuite.rollup.plan.DelaySla;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.rate.RateLimitPlugin;
import io.tsdbsuite.rollup.report.ReportTable;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.sink.JsonSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.sink.SinkFactory;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.ParseResult;

/** The command line: {@code spark-submit --class io.tsdbsuite.rollup.cli.RollupMain}. */
public final class RollupMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Console console;
  private final Clock clock;

  /**
   * @param out for the table and the help
   * @param err for messages
   */
  public RollupMain(PrintWriter out, PrintWriter err) {
    this(out, err, Clock.systemUTC());
  }

  /**
   * @param out for the table and the help
   * @param err for messages
   * @param clock the present, for the hold-back and the report
   */
  public RollupMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.console = new Console("rollup-job", out, err);
    this.clock = clock;
  }

  /** Runs the job and exits with its {@link ExitCode}. */
  public static void main(String[] args) {
    // An uncaught exception would end the JVM with code 1, which means bad input.
    int code = ExitCode.DEFECT.code();
    try {
      PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
      PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
      code = new RollupMain(out, err).run(args).code();
      out.flush();
      err.flush();
    } catch (Throwable e) {
      e.printStackTrace(System.err);
    }
    if (code != ExitCode.DONE.code() || !YarnDriver.isThis()) {
      System.exit(code);
    }
  }

  /** Runs the job. Never throws. */
  public ExitCode run(String... args) {
    return console.guard(() -> guarded(args));
  }

  private ExitCode guarded(String... args) {
    if (args.length > 0 && args[0].equals("load")) {
      return new LoadMain(out, err, clock).run(Arrays.copyOfRange(args, 1, args.length));
    }
    if (args.length > 0 && args[0].equals("verify")) {
      return new VerifyMain(out, err, clock).run(Arrays.copyOfRange(args, 1, args.length));
    }
    RollupCommand command = new RollupCommand();
    ParseResult parsed = console.parse(command, args);
    if (parsed == null) {
      return ExitCode.DONE;
    }
    OptionsReader reader = new OptionsReader(command, Console.overrides(parsed), clock);
    RollupOptions options = reader.read();
    return console.run(parsed, reader.problems(), () -> run(command, options, reader));
  }

  private ExitCode run(RollupCommand command, RollupOptions options, OptionsReader reader) {
    HBaseVersion.require();
    Reports reports = new Reports(command);
    RunIdentity identity = RunOptions.identity(command, options);
    EarlierRun local = reports.resumesLocal() ? reports.earlier(identity, null) : null;
    if (local != null && local.done()) {
      return done(local);
    }
    reader.warnings().forEach(console::warn);
    try (JavaSparkContext spark = spark(command.maxMessagesPerSecond > 0)) {
      S3RetryDefaults.apply(spark.hadoopConfiguration());
      if (command.dryRun) {
        lookAtTopic(command, reader);
        return plan(command, options, spark);
      }
      Configuration hadoop = spark.hadoopConfiguration();
      EarlierRun earlier = local == null ? reports.earlier(identity, hadoop) : local;
      if (earlier != null && earlier.done()) {
        return done(earlier);
      }
      boolean cluster = spark.getConf().get("spark.submit.deployMode", "client").equals("cluster");
      ReportFile file = reports.file(options, hadoop, clock.instant(), cluster, console::warn);
      Consumer<RollupReport> writer = file == null ? report -> {} : file::write;
      if (file != null) {
        out.println("report             " + file);
      }
      RunHistory history =
          earlier == null
              ? RunHistory.fresh(identity, writer)
              : RunHistory.resumed(identity, writer, earlier);
      SinkFactory sinks = sinks(command, reader, options, hadoop);
      RollupJob job =
          new RollupJob(spark, options, sinks, messagesPerInterval(command), history, clock);
      RollupReport report = job.run();
      show(report, file);
      String hfiles = report.output().get(HFileSinkFactory.OUTPUT);
      if (hfiles != null) {
        out.println("load it with       rollup-job load --hfile-dir " + hfiles);
      }
      writer.accept(report);
      return report.exitCode();
    }
  }

  private ExitCode done(EarlierRun earlier) {
    out.println(
        "rollup-job: "
            + earlier.report()
            + " is the report of a run that is done: nothing is left, nothing was read or written");
    return ExitCode.DONE;
  }

  static JavaSparkContext spark() {
    return spark(false);
  }

  // From Java 22 on the console is never null; a progress bar in a log file is harmless.
  @SuppressWarnings("SystemConsoleNull")
  private static JavaSparkContext spark(boolean rateLimited) {
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "rollup-job");
    if (!conf.contains("spark.master")) {
      throw JobException.usage(
          "no Spark master is set: run the job with spark-submit (--master local[2] for a try)");
    }
    // Kryo cannot instantiate Java records, and the serialised objects are small.
    conf.set("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    // By default Spark shows its progress bar only in its shells.
    conf.setIfMissing("spark.ui.showConsoleProgress", Boolean.toString(System.console() != null));
    if (rateLimited) {
      RateLimitPlugin.addTo(conf);
    }
    return SparkStart.of(conf);
  }

  private ExitCode plan(RollupCommand command, RollupOptions options, JavaSparkContext spark) {
    RunInput input = new RunInput(spark.hadoopConfiguration(), options);
    RollupPlan plan = input.plan(input.load());
    List<DelaySla> delaySla = input.delaySla(Duration.ZERO);
    out.print(
        ReportTable.of(
            plan,
            input.holdBack(),
            delaySla,
            messagesPerInterval(command),
            options.intervals().perRow()));
    delaySla.stream().filter(DelaySla::leavesHoles).map(DelaySla::warning).forEach(console::warn);
    out.println("dry run            no data was read, nothing was written");
    return ExitCode.DONE;
  }

  /** A dry run does not need the sink; it only warns about problems of the topic. */
  private void lookAtTopic(RollupCommand command, OptionsReader reader) {
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

  private void show(RollupReport report, ReportFile file) {
    console.print(ReportTable.of(report));
    if (report.exitCode() != ExitCode.DONE) {
      console.error(report.message());
    }
    if (report.isResumable() && file != null) {
      console.error(
          report.finished().size()
              + " partitions are finished; --resume "
              + file
              + " with the same options reads only the others");
    }
  }

  private static SinkFactory sinks(
      RollupCommand command, OptionsReader reader, RollupOptions options, Configuration hadoop) {
    return switch (command.sink) {
      case JSON -> new JsonSinkFactory(hadoop, command.output);
      case HFILE -> reader.hfiles(options, hadoop);
      case KAFKA -> new KafkaSinkFactory(reader.kafka());
    };
  }

  private static int messagesPerInterval(RollupCommand command) {
    if (command.sink == SinkKind.HFILE) {
      return HFileSinkFactory.CELLS_PER_INTERVAL;
    }
    boolean aggregate = command.sink == SinkKind.KAFKA && command.format == MessageFormat.AGGREGATE;
    return aggregate ? MessageFormat.AGGREGATE.encoder(0).messages() : 1;
  }
}
