package io.tsdbsuite.bulk.error;

import java.io.UncheckedIOException;
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

  /**
   * A defect of the loader: neither other input nor another try is known to help.
   *
   * @param what what was found, without advice
   */
  public static LoadException defect(String what, Throwable cause) {
    return new LoadException(
        ExitCode.DEFECT, "a defect of bulk-loader, please report it: " + what, cause);
  }

  /**
   * What a failure of any kind means for the load: one that is known stays as it is, a failure of a
   * disk or a network is outside, and the rest is a defect.
   */
  public static LoadException of(Throwable failure) {
    if (failure instanceof LoadException known) {
      return known;
    }
    if (failure instanceof UncheckedIOException unchecked) {
      return outside(unchecked.getCause().toString(), failure);
    }
    if (failure instanceof OutOfMemoryError) {
      return defect(failure + " (more --memory, or fewer --threads, may avoid it)", failure);
    }
    return defect(failure.toString(), failure);
  }

  /** The exit status that this failure ends the process with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
