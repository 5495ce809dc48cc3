package io.tsdbsuite.nightly.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  @Test
  void aDirectoryThatCannotBeMade() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "");
    for (Path state : List.of(file, file.resolve("state"))) {
      assertThatThrownBy(() -> RunLock.take(state))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
          .hasMessage(
              "state-dir must be a directory that can be made and written, found: "
                  + state
                  + ", but "
                  + file
                  + " is no directory");
    }
  }
}
