package io.tsdbsuite.nightly.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
  @TempDir private Path dir;

  /** Two machines with one name of the directory, and one HBase. */
  @Test
  void eachDirectoryHasItsOwnNumber() throws IOException {
    Path state = Files.createDirectory(dir.resolve("state"));
    String first = StateDirectory.owner(state, "a");
    assertThat(first).matches("[0-9a-f]{8}");
    assertThat(StateDirectory.owner(state, "a")).isEqualTo(first);
    Path moved = Files.move(state, dir.resolve("moved"));
    assertThat(StateDirectory.owner(moved, "a")).isEqualTo(first);
    Files.createDirectory(state);
    assertThat(StateDirectory.owner(state, "a")).isNotEqualTo(first);
    Files.writeString(state.resolve("owner"), "");
    assertThatThrownBy(() -> StateDirectory.owner(state, "a"))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageStartingWith(state.resolve("owner") + " must have 8 hexadecimal digits");
  }

  /** From an image or a backup. */
  @Test
  void aCopyOnAnotherMachineGetsANewNumber() throws IOException {
    Path owner = dir.resolve("owner");
    // As earlier versions wrote it.
    Files.writeString(owner, "0123abcd");
    assertThat(StateDirectory.owner(dir, "a")).isEqualTo("0123abcd");
    String copy = StateDirectory.owner(dir, "b");
    assertThat(copy).matches("[0-9a-f]{8}").isNotEqualTo("0123abcd");
    assertThat(StateDirectory.owner(dir, "b")).isEqualTo(copy);
    assertThat(owner).hasContent(copy + " b");
  }

  @Test
  void aFileOfAnotherUser() throws IOException {
    Path lock = Files.writeString(dir.resolve("lock"), "");
    StateDirectory.requireWritable(dir);
    assertThat(lock.toFile().setWritable(false)).isTrue();
    assumeFalse(Files.isWritable(lock), "this user may write everything");
    assertThatThrownBy(() -> StateDirectory.requireWritable(dir))
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("but " + lock + " cannot be written");
  }
}
