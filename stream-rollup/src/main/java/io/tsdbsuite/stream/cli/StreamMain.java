package io.tsdbsuite.stream.cli;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.CommandTree;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * The command line: {@code flink run -c io.tsdbsuite.stream.cli.StreamMain}. It loads classes of
 * Flink only to run the job, so that the help needs none.
 */
public final class StreamMain {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Clock clock;

  /**
   * Creates the program.
   *
   * @param out for the help, the job's id and the books
   * @param err for messages
   * @param clock the present; must be serializable
   */
  public StreamMain(PrintWriter out, PrintWriter err, Clock clock) {
    this.out = out;
    this.err = err;
    this.clock = clock;
  }

  /**
   * Runs the command. Exits with its {@link ExitCode}, but not after a submission: with Flink's
   * application mode this JVM is the job manager.
   */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    ExitCode code = new StreamMain(out, err, Clock.systemUTC()).run(args);
    if (code != ExitCode.DONE) {
      System.exit(code.code());
    }
  }

  private static boolean hasFlink() {
    String flink = "org/apache/flink/configuration/Configuration.class";
    return StreamMain.class.getClassLoader().getResource(flink) != null;
  }

  /** Runs the command. Never throws. */
  public ExitCode run(String... args) {
    try {
      Problems problems = new Problems();
      Optional<ParseResult> parsed = CommandTree.parse(CommandLines.create(), out, problems, args);
      if (parsed.isEmpty()) {
        return ExitCode.DONE;
      }
      if (!hasFlink()) {
        problems.add(
            "FLINK_HOME must be the directory of Flink's distribution, found: '%s'"
                .formatted(Objects.requireNonNullElse(System.getenv("FLINK_HOME"), "")));
        err.println("stream-rollup: " + Problems.text(problems.all()));
        return ExitCode.USAGE;
      }
      StreamCommand command = (StreamCommand) parsed.get().commandSpec().userObject();
      Map<String, String> tsdKeys = TsdKeys.given(parsed.get(), StorageSchema.KEYS);
      return new StreamRun(command, out, err, clock, problems).run(tsdKeys);
    } catch (Throwable e) {
      JobException failure = FlinkFailures.of(e);
      err.println("stream-rollup: " + failure.getMessage());
      if (failure.exitCode() == ExitCode.DEFECT) {
        e.printStackTrace(err);
      }
      return failure.exitCode();
    }
  }
}
