package io.tsdbsuite.job;

import io.tsdbsuite.hbase.StorageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The job cannot go on. The message names the thing, the rule and the value found; {@link
 * #exitCode()} determines the caller's next step.
 */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  private JobException(ExitCode exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Wrong usage or configuration, one line for each problem. */
  public static JobException usage(List<String> problems) {
    List<String> lines = problems.stream().map(JobException::oneLine).toList();
    return new JobException(ExitCode.USAGE, String.join(System.lineSeparator(), lines), null);
  }

  /** A program counts the lines; a server's message may have its stack trace. */
  private static String oneLine(String problem) {
    return problem.replaceAll("\\R\\s+at [^\r\n]*", "").strip().replaceAll("\\s*\\R\\s*", " ");
  }

  /** Wrong usage or configuration. */
  public static JobException usage(String problem) {
    return usage(List.of(problem));
  }

  /** Wrong usage or configuration, found by an exception. */
  public static JobException usage(String problem, Throwable cause) {
    return new JobException(ExitCode.USAGE, oneLine(problem), cause);
  }

  /** The input cannot be processed as it is. */
  public static JobException badInput(String problem) {
    return new JobException(ExitCode.BAD_INPUT, problem, null);
  }

  /** The input cannot be processed as it is, found by an exception. */
  public static JobException badInput(String problem, Throwable cause) {
    return new JobException(ExitCode.BAD_INPUT, problem, cause);
  }

  /** An outside system (storage, Kafka, HBase, Spark, a disk) failed; the run can be repeated. */
  public static JobException outside(String problem) {
    return outside(problem, null);
  }

  /**
   * Like {@link #outside(String)}.
   *
   * @param cause null when no exception reported the failure
   */
  public static JobException outside(String problem, @Nullable Throwable cause) {
    return new JobException(ExitCode.OUTSIDE, problem, cause);
  }

  /**
   * A defect of the job.
   *
   * @param problem the whole message, with the name of the program
   * @param cause null when no exception found it
   */
  public static JobException defect(String problem, @Nullable Throwable cause) {
    return new JobException(ExitCode.DEFECT, problem, cause);
  }

  /** Translates the kind of a storage failure to an exit code; the message stays. */
  public static JobException of(StorageException failure) {
    ExitCode exitCode =
        switch (failure.kind()) {
          case CONFIGURATION -> ExitCode.USAGE;
          case BAD_INPUT -> ExitCode.BAD_INPUT;
          case UNAVAILABLE -> ExitCode.OUTSIDE;
        };
    return new JobException(exitCode, failure.getMessage(), failure);
  }

  /**
   * The job's exception for a failure that has an exit code or a {@link StorageException.Kind};
   * null for any other failure.
   */
  public static @Nullable JobException known(Throwable failure) {
    if (failure instanceof StorageException storage) {
      return of(storage);
    }
    return failure instanceof JobException own ? own : null;
  }

  /** One or more sentences, never null. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** The exit status that this failure ends the process with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
