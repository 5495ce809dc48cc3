package io.tsdbsuite.rollup.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RollupExceptionTest {
  @Test
  void eachKindOfStorageFailureHasItsExitCode() {
    IOException cause = new IOException("broken");
    translates(StorageException.configuration("no such snapshot"), ExitCode.USAGE);
    translates(StorageException.configuration("not a path", cause), ExitCode.USAGE);
    translates(StorageException.badInput("truncated", cause), ExitCode.BAD_INPUT);
    translates(StorageException.unavailable("S3 does not answer", cause), ExitCode.OUTSIDE);
  }

  private static void translates(StorageException storage, ExitCode exitCode) {
    for (RollupException failure :
        List.of(RollupException.of(storage), RollupException.known(storage), Defects.of(storage))) {
      assertThat(failure.exitCode()).isEqualTo(exitCode);
      assertThat(failure).hasMessage(storage.getMessage()).hasCause(storage);
    }
  }

  @Test
  void anExceptionOfTheJobStaysAsItIs() {
    RollupException own = RollupException.usage("wrong");
    assertThat(RollupException.known(own)).isSameAs(own);
    assertThat(Defects.of(own)).isSameAs(own);
  }

  @Test
  void anyOtherExceptionIsUnknown() {
    IOException cause = new IOException("broken");
    assertThat(RollupException.known(cause)).isNull();
    assertThat(Defects.of(cause).exitCode()).isEqualTo(ExitCode.DEFECT);
  }
}
