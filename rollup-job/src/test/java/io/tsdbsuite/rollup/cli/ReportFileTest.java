package io.tsdbsuite.rollup.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.error.ExitCode;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.report.RollupReport;
import io.tsdbsuite.rollup.report.TestReports;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
  @TempDir Path directory;

  private static RollupReport report(ExitCode exitCode) {
    return TestReports.report(exitCode, null, TestReports.identity(), null, null);
  }

  private void replacesWhole(String name) throws Exception {
    ReportFile file = ReportFile.of(name, new Configuration());
    file.check();
    file.write(report(null));
    assertThat(Files.readString(directory.resolve("r.json"))).contains("\"running\"");
    file.write(report(ExitCode.DONE));
    assertThat(file.read().done()).isTrue();
    try (var files = Files.list(directory)) {
      assertThat(files.map(f -> f.getFileName().toString()).filter(f -> !f.endsWith(".crc")))
          .containsExactly("r.json");
    }
  }

  @Test
  void aLocalFileIsReplacedWhole() throws Exception {
    replacesWhole(directory.resolve("r.json").toString());
  }

  @Test
  void aFileOfHadoopIsReplacedWhole() throws Exception {
    replacesWhole(directory.resolve("r.json").toUri().toString());
  }

  @Test
  void theDirectoryMustBeThere() {
    ReportFile file = ReportFile.of(directory.resolve("no/r.json").toString(), null);
    assertThatThrownBy(file::check)
        .isInstanceOf(RollupException.class)
        .hasMessageContaining("--report must be a file in a directory that exists");
  }

  @Test
  void aMissingFileIsNamed() {
    for (String name :
        new String[] {
          directory.resolve("r.json").toString(), directory.resolve("r.json").toUri().toString()
        }) {
      ReportFile file = ReportFile.of(name, new Configuration());
      assertThatThrownBy(file::read).hasMessage("--resume " + name + ": there is no such file");
    }
  }
}
