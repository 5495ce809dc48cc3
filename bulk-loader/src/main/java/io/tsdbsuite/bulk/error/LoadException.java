package io.tsdbsuite.bulk.error;

import java.util.List;

/**
 * The load cannot go on. The message names the thing, the rule and the value found; {@link
 * #exitCode()} says what the caller may do next.
 */
public final class LoadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  private LoadException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Wrong usage or configuration, one line for each problem. */
  public static LoadException usage(List<String> problems) {
    return usage(String.join(System.lineSeparator(), problems));
  }

  /** Wrong usage or configuration. */
  public static LoadException usage(String problem) {
    return new LoadException(ExitCode.USAGE, problem, null);
  }

  /** The input cannot be loaded as it is. */
  public static LoadException badInput(String problem) {
    return new LoadException(ExitCode.BAD_INPUT, problem, null);
  }

  /** The input cannot be loaded as it is, found by an exception. */
  public static LoadException badInput(String problem, Throwable cause) {
    return new LoadException(ExitCode.BAD_INPUT, problem, cause);
  }

  /** An outside system (HBase, S3, a disk) failed; the load can be resumed. */
  public static LoadException outside(String problem, Throwable cause) {
    return new LoadException(ExitCode.OUTSIDE, problem, cause);
  }

  /** The exit status that this failure ends the process with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
