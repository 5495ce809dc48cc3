package io.tsdbsuite.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobExceptionTest {
  @Test
  void eachKindOfStorageFailureHasItsExitCode() {
    IOException cause = new IOException("broken");
    translates(StorageException.configuration("no such snapshot"), ExitCode.USAGE);
    translates(StorageException.configuration("not a path", cause), ExitCode.USAGE);
    translates(StorageException.badInput("truncated", cause), ExitCode.BAD_INPUT);
    translates(StorageException.unavailable("S3 does not answer", cause), ExitCode.OUTSIDE);
  }

  private static void translates(StorageException storage, ExitCode exitCode) {
    for (JobException failure : List.of(JobException.of(storage), JobException.known(storage))) {
      assertThat(failure.exitCode()).isEqualTo(exitCode);
      assertThat(failure).hasMessage(storage.getMessage()).hasCause(storage);
    }
  }

  /** Programs count the lines in the heading of their problems. */
  @Test
  void aProblemIsOneLine() {
    String denied = "denied:\n  user=tsdb\n\tat org.apache.hadoop.Server.run(Server.java:1)\n";
    assertThat(JobException.usage(denied, new IOException())).hasMessage("denied: user=tsdb");
    assertThat(JobException.usage(List.of("a\n", denied)).getMessage().lines())
        .containsExactly("a", "denied: user=tsdb");
  }

  @Test
  void anExceptionOfAJobStaysAsItIs() {
    JobException own = JobException.usage("wrong");
    assertThat(JobException.known(own)).isSameAs(own);
  }

  @Test
  void anyOtherExceptionIsUnknown() {
    IOException cause = new IOException("broken");
    assertThat(JobException.known(cause)).isNull();
  }
}
