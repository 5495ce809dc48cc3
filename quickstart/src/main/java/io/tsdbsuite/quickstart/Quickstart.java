package io.tsdbsuite.quickstart;

import io.tsdbsuite.job.ExitCode;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** The command line of the quickstart. */
public final class Quickstart {
  private Quickstart() {}

  /**
   * Runs the quickstart; exits with 0 if all results are equal, 1 if a result differs, 2 on wrong
   * usage.
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    QuickstartCommand options = new QuickstartCommand();
    CommandLine line = new CommandLine(options);
    line.setUnmatchedOptionsAllowedAsOptionParameters(false);
    List<String> problems = new ArrayList<>();
    try {
      line.parseArgs(args);
      problems.addAll(options.problems());
    } catch (CommandLine.ParameterException e) {
      problems.add(e.getMessage());
    }
    if (line.isUsageHelpRequested()) {
      line.usage(out);
      System.exit(ExitCode.DONE.code());
    }
    if (!problems.isEmpty()) {
      problems.forEach(problem -> System.err.println("quickstart: " + problem));
      System.err.println("quickstart: --help lists the options");
      System.exit(ExitCode.USAGE.code());
    }
    Path directory = Path.of("target", "quickstart").toAbsolutePath();
    Console console = new Console(out, System::nanoTime);
    QuickstartRun flow = new QuickstartRun(directory, console, options, Clock.systemUTC());
    System.exit(flow.run() ? ExitCode.DONE.code() : ExitCode.BAD_INPUT.code());
  }
}
