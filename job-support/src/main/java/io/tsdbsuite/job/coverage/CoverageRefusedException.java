package io.tsdbsuite.job.coverage;

/** The coverage table holds what this version must not change. */
public final class CoverageRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  CoverageRefusedException(String message) {
    super(message);
  }
}
