package io.tsdbsuite.stream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import org.junit.jupiter.api.Test;

class FlinkFailuresTest {
  /** What a jar for Flink 1.20 gets from Flink 2. */
  @Test
  void anotherFlinkIsNoDefect() {
    JobException found =
        FlinkFailures.of(
            new RuntimeException(
                new NoClassDefFoundError(
                    "org/apache/flink/api/connector/sink2/TwoPhaseCommittingSink")));
    assertThat(found.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(found)
        .hasMessageContaining("the jar must be built for the Flink that runs it, found Flink ")
        .hasMessageContaining("TwoPhaseCommittingSink");
  }

  @Test
  void anotherMissingClassIsADefect() {
    assertThat(FlinkFailures.of(new NoClassDefFoundError("io/tsdbsuite/Gone")).exitCode())
        .isEqualTo(ExitCode.DEFECT);
  }
}
