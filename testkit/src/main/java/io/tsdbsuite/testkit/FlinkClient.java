package io.tsdbsuite.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Flink's own command line, as {@code bin/flink} starts it.
 *
 * @param kind its JVM
 * @param dir its working directory
 */
record FlinkClient(ServerKind kind, Path dir) {
  private static final String MAIN = "org.apache.flink.client.cli.CliFrontend";
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Runs a command and returns its exit code and output. */
  ToolRun run(List<String> arguments) {
    List<String> program = new ArrayList<>();
    program.add(MAIN);
    program.addAll(arguments);
    return ServerProcess.run(kind, dir, program, LIMIT);
  }

  /**
   * Runs a command and returns what a line of its output names.
   *
   * @param arguments the command and its arguments
   * @param line finds the line; group 1 is the result
   * @throws ServerException with the output when the command fails, or prints no such line
   */
  String run(List<String> arguments, Pattern line) {
    ToolRun run = run(arguments);
    Matcher matcher = line.matcher(run.output());
    if (run.exitCode() != 0 || !matcher.find()) {
      throw new ServerException(
          "flink %s ended with exit code %s:\n%s"
              .formatted(String.join(" ", arguments), run.exitCode(), run.output()));
    }
    return matcher.group(1).strip();
  }
}
