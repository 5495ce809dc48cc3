package io.tsdbsuite.format.row;

/**
 * A cell breaks a rule of the format; the message names the qualifier, the rule and the value
 * found.
 */
public final class CorruptCellException extends RowException {
  private static final long serialVersionUID = 1L;

  private final CellProblem problem;

  CorruptCellException(CellProblem problem, byte[] q, int qOff, int qLen, String found) {
    super("cell " + hex(q, qOff, qLen) + ": " + problem.rule() + ", found " + found);
    this.problem = problem;
  }

  /** The rule broken. */
  public CellProblem problem() {
    return problem;
  }
}
