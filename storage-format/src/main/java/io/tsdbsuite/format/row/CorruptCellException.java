package io.tsdbsuite.format.row;

/**
 * A cell breaks a rule of the format; the message names the qualifier, the rule and the value
 * found.
 */
public final class CorruptCellException extends RowException {
  private static final long serialVersionUID = 1L;

  /** Bytes of a qualifier shown in a message; a compacted qualifier can have 14 MB. */
  private static final int SHOWN = 32;

  private final CellProblem problem;

  CorruptCellException(CellProblem problem, byte[] q, int qOff, int qLen, String found) {
    super("cell " + hex(q, qOff, qLen) + ": " + problem.rule() + ", found " + found);
    this.problem = problem;
  }

  /** The rule broken. */
  public CellProblem problem() {
    return problem;
  }

  private static String hex(byte[] bytes, int off, int len) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < Math.min(len, SHOWN); i++) {
      hex.append(Character.forDigit(bytes[off + i] >> 4 & 0xf, 16));
      hex.append(Character.forDigit(bytes[off + i] & 0xf, 16));
    }
    if (len > SHOWN) {
      hex.append("... (").append(len).append(" bytes)");
    }
    return len == 0 ? "(no qualifier)" : hex.toString();
  }
}
