package io.tsdbsuite.nightly.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildrenTest {
  @TempDir private Path dir;

  @Test
  void statusAndOutput() throws IOException {
    Children children = new Children(dir);
    assertThat(children.run("step", List.of("sh", "-c", "echo out; echo err >&2; exit 7")).status())
        .isEqualTo(7);
    assertThat(Files.readString(children.log("step"))).contains("out\n", "err\n");
    assertThat(children.run("step", List.of("sh", "-c", "kill -9 $$")).status()).isEqualTo(128 + 9);
    assertThat(Files.readString(children.log("step"))).isEmpty();
    assertThatThrownBy(() -> children.run("step", List.of("no-such-command")))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("no-such-command");
  }

  /** The mark is on the command line, whatever the program; a grandchild has none. */
  @Test
  void orphansOfThisDirectoryAreEnded() throws Exception {
    Children children = new Children(dir);
    Process orphan = start(children.mark());
    Process other = start(new Children(Files.createDirectory(dir.resolve("other"))).mark());
    // As a grep for the mark.
    Process reader = new ProcessBuilder("tail", "-f", "/dev/null", children.mark()).start();
    Process shell = new ProcessBuilder("sh", "-c", "sleep 600; true", children.mark()).start();
    try {
      Await.until(
          "its child", Duration.ofSeconds(30), () -> orphan.descendants().findAny().isPresent());
      ProcessHandle grandchild = orphan.descendants().findAny().orElseThrow();
      assertThat(children.endOrphans()).contains(orphan.pid(), grandchild.pid());
      // Process and ProcessHandle learn of an end at different times.
      assertThat(orphan.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(grandchild.isAlive()).isFalse();
      assertThat(other.isAlive()).isTrue();
      assertThat(reader.isAlive()).isTrue();
      assertThat(shell.isAlive()).isTrue();
      assertThat(children.endOrphans()).isEmpty();
    } finally {
      reader.destroyForcibly();
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
      orphan.descendants().forEach(ProcessHandle::destroyForcibly);
      orphan.destroyForcibly();
      other.descendants().forEach(ProcessHandle::destroyForcibly);
      other.destroyForcibly();
    }
  }

  /** The directory was renamed, or is configured by another path. */
  @Test
  void orphansOfAMovedDirectoryAreEnded() throws Exception {
    Path before = Files.createDirectory(dir.resolve("before"));
    Process orphan = start(new Children(before).mark());
    try {
      Path after = Files.move(before, dir.resolve("after"));
      Path link = Files.createSymbolicLink(dir.resolve("link"), after);
      assertThat(new Children(link).endOrphans()).contains(orphan.pid());
      assertThat(orphan.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      orphan.descendants().forEach(ProcessHandle::destroyForcibly);
      orphan.destroyForcibly();
    }
  }

  private static Process start(String mark) throws IOException {
    return new ProcessBuilder("sh", "-c", "sleep 600; true", "sh", "--conf", mark).start();
  }
}
