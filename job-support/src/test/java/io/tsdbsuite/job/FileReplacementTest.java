package io.tsdbsuite.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReplacementTest {
  @TempDir Path dir;

  @Test
  void replacesAFileAndLeavesNoOther() throws IOException {
    Path file = Files.writeString(dir.resolve("report.json"), "the old one, which is longer");
    FileReplacement.write(file, "Zürich");
    assertThat(file).hasContent("Zürich");
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(file);
    }
  }

  /** A job that is being stopped still writes its report. */
  @Test
  void anInterruptedThreadWrites() throws IOException {
    Path file = dir.resolve("report.json");
    Thread.currentThread().interrupt();
    try {
      FileReplacement.write(file, "stopped");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(file).hasContent("stopped");
  }

  @Test
  void aMissingDirectoryIsNamed() {
    Path file = dir.resolve("none/report.json");
    assertThatThrownBy(() -> FileReplacement.write(file, ""))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aMissingPartIsAnErrorAndTheFileStays() throws IOException {
    Path file = Files.writeString(dir.resolve("report.json"), "the former one");
    assertThatThrownBy(() -> FileReplacement.replace(dir.resolve("none.part"), file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.part");
    assertThat(file).hasContent("the former one");
  }
}
