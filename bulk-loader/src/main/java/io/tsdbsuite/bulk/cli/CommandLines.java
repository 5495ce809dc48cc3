package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.ProgramCommand;
import io.tsdbsuite.job.cli.TsdKeys;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The parser of all commands, for a run, the man pages and shell completion. It is not in the main
 * class, whose public methods the JVM resolves before it can report a missing library.
 */
public final class CommandLines {
  private CommandLines() {}

  /** Creates the parser. */
  public static CommandLine create() {
    CommandLine line = CommandTree.of(new Top());
    line.getSubcommands()
        .values()
        .forEach(command -> TsdKeys.addTo(command.getCommandSpec(), TsdOptions.KEYS));
    return line;
  }

  @Command(
      name = "bulk-loader",
      header = "Loads history into OpenTSDB 2.4, an hour of a series in one cell.",
      description =
          """

            bulk-loader plan   --tsd-config opentsdb.conf --input history/*.gz
            bulk-loader load   --tsd-config opentsdb.conf --mode put --input history/*.gz
            bulk-loader resume --work-dir DIR        after a kill or a failure
            bulk-loader verify --tsd-config opentsdb.conf --input history/*.gz
            spark-submit bulk-loader-VERSION-all.jar spark-load ...    on a cluster
            bulk-loader report-page --report DIR/report.json           plots of a load

          'bulk-loader COMMAND --help' lists the options of a command.
          """,
      subcommands = {
        LoadCommand.class,
        ResumeCommand.class,
        VerifyCommand.class,
        PlanCommand.class,
        GenerateCommand.class,
        SparkLoadCommand.class,
        ReportPageCommand.class
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:done, and the books close",
        "1:bad input: more rejected points than --max-rejected, conflicting values, or a difference"
            + " found by verify",
        "2:wrong usage or configuration",
        "3:an outside system failed (HBase, S3, a disk); resume, or run spark-load again",
        "4:too little memory (the message says so), or a defect of bulk-loader: an unexpected"
            + " exception, or books that do not close; please report it, with the stack trace"
      })
  private static final class Top extends ProgramCommand {}
}
