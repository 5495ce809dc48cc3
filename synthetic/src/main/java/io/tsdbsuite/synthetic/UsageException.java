package io.tsdbsuite.synthetic;

import java.util.List;

/** Options that cannot be generated from. The message has one line for each problem. */
public final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** One problem. */
  public UsageException(String problem) {
    super(problem);
  }

  /** All problems. */
  public UsageException(List<String> problems) {
    this(String.join(System.lineSeparator(), problems));
  }
}
