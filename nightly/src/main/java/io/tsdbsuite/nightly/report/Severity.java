package io.tsdbsuite.nightly.report;

import io.tsdbsuite.job.ExitCode;
import java.util.List;

/**
 * Which of several exit codes a run ends with. A defect and a wrong configuration need a person
 * before a repetition can help, so they win over an outside system that failed.
 */
final class Severity {
  private static final List<ExitCode> ASCENDING =
      List.of(ExitCode.DONE, ExitCode.BAD_INPUT, ExitCode.OUTSIDE, ExitCode.USAGE, ExitCode.DEFECT);

  private Severity() {}

  static ExitCode worse(ExitCode a, ExitCode b) {
    return ASCENDING.indexOf(a) >= ASCENDING.indexOf(b) ? a : b;
  }
}
