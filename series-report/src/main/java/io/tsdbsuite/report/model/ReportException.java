package io.tsdbsuite.report.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Ends the report with problems for the operator and the exit code's class: wrong use or failure.
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

  /** Wrong use: the options, with all their problems. */
  public static ReportException wrongUse(List<String> problems) {
    return new ReportException(true, problems, null);
  }

  /** Wrong use: one problem of an option. */
  public static ReportException wrongUse(String problem) {
    return wrongUse(Arrays.asList(problem));
  }

  /**
   * HBase, storage or the output has failed.
   *
   * @param cause may be null
   */
  public static ReportException failed(String problem, Throwable cause) {
    return new ReportException(false, Arrays.asList(problem), cause);
  }

  /** Whether the cause is wrong use, which other options correct. */
  public boolean isWrongUse() {
    return wrongUse;
  }

  /** All problems, one line each. */
  public List<String> problems() {
    return problems;
  }
}
