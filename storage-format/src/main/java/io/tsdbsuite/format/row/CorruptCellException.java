package io.tsdbsuite.format.row;

/** A cell whose bytes break a rule of the format; names qualifier, rule and value found. */
public final class CorruptCellException extends RowException {
  private static final long serialVersionUID = 1L;

  /** Longest part of a qualifier in a message, bytes; a compacted one can have 14 MB. */
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
