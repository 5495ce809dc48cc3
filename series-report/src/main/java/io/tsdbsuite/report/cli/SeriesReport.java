package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.NativeText;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.ProgramVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code series-report}; each report is a subcommand. */
@Command(
    name = "series-report",
    mixinStandardHelpOptions = true,
    versionProvider = ProgramVersion.class,
    subcommands = {IdleCommand.class, StoppedCommand.class},
    description =
        """
        Lists series by last received time. Reads tsdb-meta and tsdb-uid of a running HBase or of \
        snapshots; never writes to them.

          series-report idle --tsd-config /etc/opentsdb/opentsdb.conf --days 90
          series-report stopped --tsd-config /etc/opentsdb/opentsdb.conf --group-by host
          series-report idle --root-dir s3a://backup/hbase --snapshot meta-1 --uid-snapshot uid-1
          series-report idle --help

        Last received is the cell timestamp of name:ts_ctr. It may be older than the last point by \
        the TTL of the plugin (tsd.meta.cache.ttl_seconds), and exists only for series that were \
        written while tracking was on.

        Times are UTC. DURATION is a number with s, m, h, d or w. At the end the books go to \
        standard error: rows read, listed, left out and skipped.
        """,
    footer =
        """

        Class path: TSD_CLASSPATH (or OPENTSDB_HOME) for the running HBase, HBASE_CLASSPATH (or \
        hbase or hadoop on the PATH) for snapshots. JAVA_HOME and JAVA_OPTS are used.

        Exit codes: 0 done; 1 a snapshot is corrupt or incomplete; 2 wrong use: options, class \
        path, snapshots that are missing or of another table, or names that tsdb-uid does not \
        have; 3 HBase, storage or the output failed, run again; 4 too little memory (the message \
        says so), or a defect of series-report.
        """)
public final class SeriesReport implements Runnable {
  private final Clock clock;
  private final OutputStream out;
  private final PrintStream err;

  @Spec
  @SuppressWarnings("NullAway.Init") // Picocli sets it.
  private CommandSpec spec;

  private SeriesReport(Clock clock, OutputStream out, PrintStream err) {
    this.clock = clock;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs the command.
   *
   * @param clock source of the current time
   * @param out receives the report
   * @param err receives messages and the books
   * @return the code of an {@link ExitCode}
   */
  public static int run(String[] args, Clock clock, OutputStream out, PrintStream err) {
    Problems problems = new Problems();
    NativeText.requireRead(problems, args);
    if (!problems.isEmpty()) {
      err.println("series-report: " + Problems.text(problems.all()));
      return ExitCode.USAGE.code();
    }
    CommandLine line = commandLine(new SeriesReport(clock, out, err));
    line.setOut(new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true));
    line.setErr(new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true));
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          err.println("series-report: a defect of series-report: " + e);
          e.printStackTrace(err);
          return ExitCode.DEFECT.code();
        });
    return line.execute(args);
  }

  /** Creates the parser of all reports, for the man page and shell completion. */
  public static CommandLine commandLine() {
    return commandLine(new SeriesReport(Clock.systemUTC(), System.out, System.err));
  }

  private static CommandLine commandLine(SeriesReport report) {
    CommandLine line = new CommandLine(report);
    line.addSubcommand(new HelpCommand());
    line.setUsageHelpWidth(100);
    for (CommandLine command : line.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().abbreviateSynopsis(true);
    }
    line.setUnmatchedOptionsAllowedAsOptionParameters(false);
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a report is required: idle or stopped");
  }

  Clock clock() {
    return clock;
  }

  OutputStream out() {
    return out;
  }

  void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  void say(String line) {
    err.println("series-report: " + line);
  }
}
