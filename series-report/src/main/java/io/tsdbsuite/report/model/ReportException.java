package io.tsdbsuite.report.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Ends the report: the problems in words for the operator, and whether the options are at fault.
 */
public final class ReportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean wrongUse;

  @SuppressWarnings("serial") // One of the JDK's serializable lists.
  private final List<String> problems;

  private ReportException(boolean wrongUse, List<String> problems, Throwable cause) {
    super(String.join("; ", problems), cause);
    this.wrongUse = wrongUse;
    this.problems = Collections.unmodifiableList(problems);
  }

  /** The options are wrong. */
  public static ReportException wrongUse(List<String> problems) {
    return new ReportException(true, problems, null);
  }

  /** An option is wrong. */
  public static ReportException wrongUse(String problem) {
    return wrongUse(Arrays.asList(problem));
  }

  /**
   * Something outside has failed.
   *
   * @param cause may be null
   */
  public static ReportException failed(String problem, Throwable cause) {
    return new ReportException(false, Arrays.asList(problem), cause);
  }

  /** Whether other options would do. */
  public boolean isWrongUse() {
    return wrongUse;
  }

  /** All problems, one line each. */
  public List<String> problems() {
    return problems;
  }
}
