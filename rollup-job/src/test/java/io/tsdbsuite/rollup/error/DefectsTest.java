package io.tsdbsuite.rollup.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DefectsTest {
  @Test
  void aKnownFailureIsNoDefect() {
    JobException own = JobException.usage("wrong");
    assertThat(Defects.of(own)).isSameAs(own);
    StorageException storage = StorageException.badInput("truncated", null);
    assertThat(Defects.of(storage).exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(Defects.of(storage)).hasMessage("truncated");
  }

  @Test
  void anyOtherFailureIsOne() {
    assertThat(Defects.of(new IOException("broken")).exitCode()).isEqualTo(ExitCode.DEFECT);
  }
}
