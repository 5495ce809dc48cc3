package io.tsdbsuite.rollup.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
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

  @Test
  void aJobOnHBaseEndsOutsideOrWithoutARight() {
    JobException outside =
        Defects.ofHBase("tiers undo", new UncheckedIOException(new IOException("broken")));
    assertThat(outside.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(outside.getMessage()).startsWith("tiers undo did not succeed, run it again: ");
    assertThat(outside.getMessage()).contains("broken");
    JobException usage =
        Defects.ofHBase("tiers undo", new AccessDeniedException("Insufficient permissions"));
    assertThat(usage.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(usage.getMessage()).startsWith("tiers undo is not allowed: principal ");
    JobException scheme =
        Defects.ofHBase("tiers undo", new UnsupportedFileSystemException("No FileSystem for foo"));
    assertThat(scheme.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(scheme).hasMessageContaining("No FileSystem for foo");
    assertThat(Defects.ofHBase("tiers undo", new IllegalStateException("bug")).exitCode())
        .isEqualTo(ExitCode.DEFECT);
  }
}
