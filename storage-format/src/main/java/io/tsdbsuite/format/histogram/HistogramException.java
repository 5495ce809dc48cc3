package io.tsdbsuite.format.histogram;

/**
 * A histogram cell cannot be merged with others. The error concerns its bucket alone; it has no
 * stack trace.
 */
public final class HistogramException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean unknownCodec;

  HistogramException(boolean unknownCodec, String message) {
    super(message, null, false, false);
    this.unknownCodec = unknownCodec;
  }

  /** Whether no codec is known for it; else its bytes break a rule. */
  public boolean isUnknownCodec() {
    return unknownCodec;
  }
}
