package io.tsdbsuite.query.plan;

/** Rollups may have been removed while they were read: what was read must not be answered. */
public final class NoLongerProvenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoLongerProvenException(String reason) {
    super(reason);
  }
}
