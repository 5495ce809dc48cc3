package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RollupOptions;
import io.tsdbsuite.rollup.job.RunHistory;
import io.tsdbsuite.rollup.message.MessageFormat;
import io.tsdbsuite.rollup.report.ReportTable;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.resume.EarlierRun;
import io.tsdbsuite.rollup.sink.JsonSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.SinkFactory;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The command line: {@code spark-submit --class io.tsdbsuite.rollup.cli.RollupMain}. */
public final class RollupMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  /**
   * @param out for the table and the help
   * @param err for messages
   */
  public RollupMain(PrintWriter out, PrintWriter err) {
    this(out, err, Clock.systemUTC());
  }

  /**
   * @param clock the present, for the split point and the report
   */
  RollupMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /** Runs the job and exits with its {@link ExitCode}. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = new RollupMain(out, err).run(args).code();
    out.flush();
    err.flush();
    if (code != ExitCode.DONE.code() || !isYarnsDriver()) {
      System.exit(code);
    }
  }

  /** Whether YARN runs this driver: it takes any exit by itself, also with 0, for a failure. */
  private static boolean isYarnsDriver() {
    return "yarn".equals(System.getProperty("spark.master"))
        && "cluster".equals(System.getProperty("spark.submit.deployMode"));
  }

  /** Runs the job. Never throws for anything that a user or an outside system does. */
  public ExitCode run(String... args) {
    if (args.length > 0 && args[0].equals("verify")) {
      return new VerifyMain(out, err, clock).run(Arrays.copyOfRange(args, 1, args.length));
    }
    RollupCommand command = new RollupCommand();
    CommandLine line = commandLine(command);
    ParseResult parsed = line.parseArgs(args);
    if (helped(line)) {
      return ExitCode.DONE;
    }
    OptionsReader reader = new OptionsReader(command, overrides(parsed), clock);
    RollupOptions options = reader.read();
    List<String> problems =
        Stream.concat(
                parsed.errors().stream().map(Exception::getMessage), reader.problems().stream())
            .distinct()
            .toList();
    if (!problems.isEmpty()) {
      return refuse(problems);
    }
    try {
      return run(command, options, reader);
    } catch (RollupException e) {
      err.println("rollup-job: " + e.getMessage());
      return e.exitCode();
    } catch (RuntimeException | LinkageError e) {
      err.println("rollup-job: unexpected failure, please report it: " + e);
      e.printStackTrace(err);
      return ExitCode.OUTSIDE;
    }
  }

  private ExitCode run(RollupCommand command, RollupOptions options, OptionsReader reader) {
    Reports reports = new Reports(command);
    RunIdentity identity = RunOptions.identity(command, options);
    EarlierRun local = reports.resumesLocal() ? reports.earlier(identity, null) : null;
    if (local != null && local.done()) {
      return done(local);
    }
    reader.warnings().forEach(this::warn);
    try (JavaSparkContext spark = spark()) {
      StoragePatience.apply(spark.hadoopConfiguration());
      if (command.dryRun) {
        return plan(command, options, spark);
      }
      Configuration hadoop = spark.hadoopConfiguration();
      EarlierRun earlier = local == null ? reports.earlier(identity, hadoop) : local;
      if (earlier != null && earlier.done()) {
        return done(earlier);
      }
      boolean cluster = spark.getConf().get("spark.submit.deployMode", "client").equals("cluster");
      ReportFile file = reports.file(options, hadoop, clock.instant(), cluster, this::warn);
      Consumer<RollupReport> writer = file == null ? report -> {} : file::write;
      if (file != null) {
        out.println("report             " + file);
      }
      RunHistory history =
          earlier == null
              ? RunHistory.fresh(identity, writer)
              : RunHistory.resumed(identity, writer, earlier);
      SinkFactory sinks = sinks(command, reader, hadoop);
      RollupJob job =
          new RollupJob(spark, options, sinks, messagesPerInterval(command), history, clock);
      RollupReport report = job.run();
      show(report, file);
      writer.accept(report);
      return report.exitCode();
    }
  }

  private void warn(String warning) {
    err.println("rollup-job: warning: " + warning);
  }

  private ExitCode done(EarlierRun earlier) {
    out.println(
        "rollup-job: "
            + earlier.report()
            + " is the report of a run that is done: nothing is left, nothing was read or written");
    return ExitCode.DONE;
  }

  private boolean helped(CommandLine line) {
    if (line.isUsageHelpRequested()) {
      line.usage(out);
    } else if (line.isVersionHelpRequested()) {
      line.printVersionHelp(out);
    }
    return line.isUsageHelpRequested() || line.isVersionHelpRequested();
  }

  /** With an option for each key of opentsdb.conf that is read. */
  static CommandLine commandLine(Object command) {
    CommandLine line = new CommandLine(command);
    for (String key : StorageSchema.KEYS) {
      line.getCommandSpec()
          .addOption(
              OptionSpec.builder("--" + key)
                  .type(String.class)
                  .paramLabel("VALUE")
                  .hidden(true)
                  .build());
    }
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.getCommandSpec().parser().collectErrors(true);
    return line;
  }

  /** The keys of opentsdb.conf that were given as options. */
  static Map<String, String> overrides(ParseResult parsed) {
    Map<String, String> overrides = new LinkedHashMap<>();
    for (String key : StorageSchema.KEYS) {
      String value = parsed.matchedOptionValue("--" + key, null);
      if (value != null) {
        overrides.put(key, value);
      }
    }
    return overrides;
  }

  private ExitCode refuse(List<String> problems) {
    return refuse("rollup-job", problems, err);
  }

  /** Tells all problems with options of a command. */
  static ExitCode refuse(String command, List<String> problems, PrintWriter err) {
    err.println(
        problems.size() == 1
            ? command + ": " + problems.get(0)
            : problems.stream()
                .collect(
                    Collectors.joining(
                        System.lineSeparator() + "  - ",
                        command
                            + ": "
                            + problems.size()
                            + " problems:"
                            + System.lineSeparator()
                            + "  - ",
                        "")));
    err.println("Nothing was read or written. --help lists the options.");
    return ExitCode.USAGE;
  }

  // From Java 22 on the console is never null; the bar in a log file does no harm there.
  @SuppressWarnings("SystemConsoleNull")
  static JavaSparkContext spark() {
    SparkConf conf = new SparkConf().setIfMissing("spark.app.name", "rollup-job");
    if (!conf.contains("spark.master")) {
      throw RollupException.usage(
          "no Spark master is set: run the job with spark-submit (--master local[2] for a try)");
    }
    // Kryo cannot make Java's records, and what is serialised here is small.
    conf.set("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    // Spark shows its progress bar in its shells only, unless asked.
    conf.setIfMissing("spark.ui.showConsoleProgress", Boolean.toString(System.console() != null));
    return new JavaSparkContext(conf);
  }

  private ExitCode plan(RollupCommand command, RollupOptions options, JavaSparkContext spark) {
    RollupJob job = new RollupJob(spark, options, null, 1, clock);
    out.print(
        ReportTable.of(
            job.plan(),
            options.holdBack(),
            messagesPerInterval(command),
            options.intervals().perRow()));
    out.println("dry run            no data was read, nothing was written");
    return ExitCode.DONE;
  }

  private void show(RollupReport report, ReportFile file) {
    out.print(ReportTable.of(report));
    out.flush();
    if (report.exitCode() != ExitCode.DONE) {
      err.println("rollup-job: " + report.message());
    }
    if (report.isResumable() && file != null) {
      err.println(
          "rollup-job: "
              + report.finished().size()
              + " partitions are finished; --resume "
              + file
              + " with the same options reads only the others");
    }
  }

  private static SinkFactory sinks(
      RollupCommand command, OptionsReader reader, Configuration hadoop) {
    return command.sink == SinkKind.JSON
        ? new JsonSinkFactory(hadoop, command.output)
        : new KafkaSinkFactory(reader.kafka());
  }

  private static int messagesPerInterval(RollupCommand command) {
    boolean aggregate = command.sink == SinkKind.KAFKA && command.format == MessageFormat.AGGREGATE;
    return aggregate ? MessageFormat.AGGREGATE.encoder().messages() : 1;
  }
}
