package io.tsdbsuite.rollup.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class WorkFailuresTest {
  @Test
  void aDeadTokenAndAMissingRightAreUsage() {
    JobException token =
        WorkFailures.of(
            new IOException("token (token for tsdb: HDFS_DELEGATION_TOKEN owner=tsdb) is expired"));
    assertThat(token.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(token).hasMessageContaining("a delegation token has expired");
    JobException right =
        WorkFailures.of(
            new UncheckedIOException(
                new org.apache.hadoop.security.AccessControlException(
                    "Permission denied: user=guest, access=READ, inode=\"/exports\"")));
    assertThat(right.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(right).hasMessageContaining("lacks a right");
  }

  @Test
  void whatMayPassIsOutside() {
    for (String text : new String[] {"Connection reset", "The provided token has expired. "}) {
      assertThat(WorkFailures.of(new IOException(text + "(Service: S3)")).exitCode())
          .as(text)
          .isEqualTo(ExitCode.OUTSIDE);
    }
  }
}
