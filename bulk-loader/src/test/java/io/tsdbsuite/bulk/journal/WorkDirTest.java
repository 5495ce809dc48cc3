package io.tsdbsuite.bulk.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirTest {
  @TempDir Path parent;

  private Path directory() {
    return parent.resolve("work");
  }

  private static void run(WorkDir work, String name) throws IOException {
    Files.writeString(work.runs().resolve(name), name);
  }

  @Test
  void goesOnWhereItWas() throws IOException {
    try (WorkDir work = WorkDir.create(directory())) {
      assertThat(work.before().started()).isEmpty();
      work.journal().append(Events.started());
      run(work, "u0-s0.run");
      run(work, "u0-s0.series");
      work.journal().append(Events.spilled("u0-s0.run", 0, 0, false));
      run(work, "u0-s1.run");
      run(work, "u0-s2.run.tmp");
      run(work, "u0-s0.run.tmp");
    }
    Files.writeString(directory().resolve("journal"), "{\"n\":3,", StandardOpenOption.APPEND);
    try (WorkDir work = WorkDir.resume(directory())) {
      assertThat(work.before().runs()).containsExactly("u0-s0.run");
      assertThat(work.runs().resolve("u0-s0.run")).exists();
      assertThat(work.runs().resolve("u0-s0.series")).exists();
      assertThat(work.runs()).isDirectoryNotContaining("glob:**.tmp");
      assertThat(work.runs().resolve("u0-s1.run")).doesNotExist();
      run(work, "u0-s1.run");
      work.journal().append(Events.spilled("u0-s1.run", 0, 1, true));
    }
    try (WorkDir work = WorkDir.resume(directory())) {
      assertThat(work.before().runs()).containsExactly("u0-s0.run", "u0-s1.run");
      work.journal().append(new JournalEvent.Finished(3));
    }
    WorkDir.resume(directory()).close();
    Files.delete(directory().resolve("runs/u0-s1.run"));
    assertThatThrownBy(() -> WorkDir.resume(directory()))
        .hasMessageStartingWith("a run that the journal names is missing:")
        .hasMessageContaining("u0-s1.run");
  }

  @Test
  void isNotTakenFromALoadThatIsNotDone() {
    try (WorkDir work = WorkDir.create(directory())) {
      work.journal().append(Events.started());
    }
    assertThatThrownBy(() -> WorkDir.create(directory()))
        .hasMessageContaining("is of a load that is not done: resume it");
    try (WorkDir work = WorkDir.resume(directory())) {
      work.journal().append(new JournalEvent.Finished(0));
    }
    assertThatThrownBy(() -> WorkDir.resume(directory()))
        .hasMessageContaining("has nothing to resume: it ended with exit code 0");
    try (WorkDir work = WorkDir.create(directory())) {
      assertThat(work.before().started()).isEmpty();
    }
    assertThatThrownBy(() -> WorkDir.resume(directory()))
        .hasMessageContaining("was stopped before it began");
  }

  @Test
  void isClearedForANewLoad() throws IOException {
    try (WorkDir work = WorkDir.create(directory())) {
      work.journal().append(Events.started());
      run(work, "u0-s0.run");
      Files.writeString(work.rejected(), "# x");
      work.journal().append(new JournalEvent.Finished(1));
    }
    try (WorkDir work = WorkDir.create(directory())) {
      assertThat(work.runs()).isEmptyDirectory();
      assertThat(work.rejected()).doesNotExist();
    }
  }

  @Test
  void isForOneProcess() {
    WorkDir first = WorkDir.create(directory());
    assertThatThrownBy(() -> WorkDir.create(directory()))
        .hasMessageContaining("another process works in the work directory");
    first.journal().append(Events.started());
    assertThatThrownBy(() -> WorkDir.resume(directory()))
        .hasMessageContaining("another process works in the work directory");
    first.close();
    WorkDir.resume(directory()).close();
  }

  @Test
  void refusesADirectoryWithOtherFiles() throws IOException {
    Files.createDirectories(directory());
    Files.writeString(directory().resolve("thesis.doc"), "x");
    assertThatThrownBy(() -> WorkDir.create(directory()))
        .hasMessageContaining("must be empty, or of an earlier load")
        .hasMessageContaining("thesis.doc");
    assertThat(directory().resolve("thesis.doc")).exists();
    assertThatThrownBy(() -> WorkDir.resume(directory()))
        .hasMessage("there is no load to resume in " + directory());
    Path file = Files.writeString(parent.resolve("file"), "x");
    assertThatThrownBy(() -> WorkDir.create(file))
        .hasMessageContaining("must be a directory, found " + file);
  }
}
