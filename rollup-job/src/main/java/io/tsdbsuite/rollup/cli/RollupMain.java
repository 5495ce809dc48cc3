package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.job.RollupJob;
import io.tsdbsuite.rollup.job.RollupOptions;
import io.tsdbsuite.rollup.message.MessageFormat;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.ReportTable;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.sink.JsonSinkFactory;
import io.tsdbsuite.rollup.sink.KafkaSinkFactory;
import io.tsdbsuite.rollup.sink.SinkFactory;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    System.exit(code);
  }

  /** Runs the job. Never throws for anything that a user or an outside system does. */
  public ExitCode run(String... args) {
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
    reader.warnings().forEach(warning -> err.println("rollup-job: warning: " + warning));
    try (JavaSparkContext spark = spark()) {
      ReportFile report = ReportFile.of(command.report, spark.hadoopConfiguration());
      return command.dryRun
          ? plan(command, options, spark)
          : roll(command, options, reader, spark, report);
    } catch (RollupException e) {
      err.println("rollup-job: " + e.getMessage());
      return e.exitCode();
    } catch (RuntimeException | LinkageError e) {
      err.println("rollup-job: unexpected failure, please report it: " + e);
      e.printStackTrace(err);
      return ExitCode.OUTSIDE;
    }
  }

  private boolean helped(CommandLine line) {
    if (line.isUsageHelpRequested()) {
      line.usage(out);
    } else if (line.isVersionHelpRequested()) {
      line.printVersionHelp(out);
    }
    return line.isUsageHelpRequested() || line.isVersionHelpRequested();
  }

  private static CommandLine commandLine(RollupCommand command) {
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

  private static Map<String, String> overrides(ParseResult parsed) {
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
    err.println(
        problems.size() == 1
            ? "rollup-job: " + problems.get(0)
            : problems.stream()
                .collect(
                    Collectors.joining(
                        System.lineSeparator() + "  - ",
                        "rollup-job: "
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
  private static JavaSparkContext spark() {
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
    int intervals = (int) (3600 / options.interval().seconds());
    out.print(
        ReportTable.of(job.plan(), options.holdBack(), messagesPerInterval(command), intervals));
    out.println("dry run            no data was read, nothing was written");
    return ExitCode.DONE;
  }

  private ExitCode roll(
      RollupCommand command,
      RollupOptions options,
      OptionsReader reader,
      JavaSparkContext spark,
      ReportFile reportFile) {
    SinkFactory sinks = sinks(command, reader, spark.hadoopConfiguration());
    RollupReport report =
        new RollupJob(spark, options, sinks, messagesPerInterval(command), clock).run();
    out.print(ReportTable.of(report));
    out.flush();
    if (report.exitCode() != ExitCode.DONE) {
      err.println("rollup-job: " + report.message());
    }
    reportFile.write(ReportJson.write(report));
    return report.exitCode();
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
