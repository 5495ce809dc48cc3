package io.tsdbsuite.nightly.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {
  @TempDir private Path dir;

  @Test
  void oneAtATime() {
    Path state = dir.resolve("a/b");
    try (RunLock lock = RunLock.take(state)) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> RunLock.take(state))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
          .hasMessage(
              "another rollup-nightly has the lock "
                  + state.resolve("lock")
                  + ", process "
                  + ProcessHandle.current().pid());
    }
    RunLock.take(state).close();
  }
}
