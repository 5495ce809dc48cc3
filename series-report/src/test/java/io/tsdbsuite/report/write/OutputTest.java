package io.tsdbsuite.report.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
  @TempDir Path dir;

  @Test
  void theFileAppearsWhenItIsComplete() throws IOException {
    Path file = dir.resolve("report.csv");
    Files.writeString(file, "former");
    try (Output output = Output.to(file)) {
      output.writer().write("new");
      output.writer().flush();
      assertThat(file).hasContent("former");
      output.commit();
    }
    assertThat(file).hasContent("new");
    assertThat(dir).isDirectoryContaining(each -> each.equals(file));
    assertThat(dir.toFile().list()).hasSize(1);
  }

  @Test
  void aReportThatFailsLeavesNothing() throws IOException {
    try (Output output = Output.to(dir.resolve("report.csv"))) {
      output.writer().write("half");
    }
    assertThat(dir).isEmptyDirectory();
  }
}
