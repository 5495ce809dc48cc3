package io.tsdbsuite.rollup.error;

import io.tsdbsuite.hbase.StorageException;
import java.util.List;

/**
 * The job cannot go on. The message names the thing, the rule and the value found; {@link
 * #exitCode()} says what the caller may do next.
 */
public final class RollupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  private RollupException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Wrong usage or configuration, one line for each problem. */
  public static RollupException usage(List<String> problems) {
    return new RollupException(ExitCode.USAGE, String.join(System.lineSeparator(), problems), null);
  }

  /** Wrong usage or configuration. */
  public static RollupException usage(String problem) {
    return new RollupException(ExitCode.USAGE, problem, null);
  }

  /** Wrong usage or configuration, found by an exception. */
  public static RollupException usage(String problem, Throwable cause) {
    return new RollupException(ExitCode.USAGE, problem, cause);
  }

  /** The input cannot be rolled up as it is. */
  public static RollupException badInput(String problem, Throwable cause) {
    return new RollupException(ExitCode.BAD_INPUT, problem, cause);
  }

  /** An outside system (storage, Kafka, HBase, Spark) failed; the run can be repeated. */
  public static RollupException outside(String problem, Throwable cause) {
    return new RollupException(ExitCode.OUTSIDE, problem, cause);
  }

  /** A defect of this job: what must not be, and the exception that tells where. */
  public static RollupException defect(String problem, Throwable cause) {
    return new RollupException(ExitCode.DEFECT, problem, cause);
  }

  /** What ends the job when a snapshot cannot be read; the message stays. */
  public static RollupException of(StorageException failure) {
    ExitCode exitCode =
        switch (failure.kind()) {
          case CONFIGURATION -> ExitCode.USAGE;
          case BAD_INPUT -> ExitCode.BAD_INPUT;
          case UNAVAILABLE -> ExitCode.OUTSIDE;
        };
    return new RollupException(exitCode, failure.getMessage(), failure);
  }

  /**
   * The exception that ends the job because of another one, if that says itself what may be done
   * next; else null.
   */
  public static RollupException known(Throwable failure) {
    if (failure instanceof StorageException storage) {
      return of(storage);
    }
    return failure instanceof RollupException own ? own : null;
  }

  /** The exit status that this failure ends the process with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
