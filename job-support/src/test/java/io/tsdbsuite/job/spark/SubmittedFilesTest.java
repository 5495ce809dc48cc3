package io.tsdbsuite.job.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubmittedFilesTest {
  private static final Path NAME = Path.of("submitted-rollup_config.json");

  @TempDir Path directory;

  private final Properties settings = new Properties();

  @ParameterizedTest
  @ValueSource(strings = {"spark.files", "spark.yarn.dist.files"})
  void submitted(String setting) throws IOException {
    Files.writeString(directory.resolve(NAME), "{}");
    settings.setProperty(setting, "s3://bucket/x.conf," + directory.resolve(NAME).toUri());
    Path local = SubmittedFiles.local(NAME, settings);
    assertThat(local).isAbsolute().hasContent("{}");
    assertThat(local.toString()).endsWith("-" + NAME);
    assertThat(Files.getPosixFilePermissions(local))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void withSettingsOfHadoop() {
    settings.setProperty("spark.files", "other://bucket/" + NAME);
    settings.setProperty("spark.hadoop.fs.other.impl", "no.such.Connector");
    assertThatThrownBy(() -> SubmittedFiles.local(NAME, settings))
        .hasMessageContaining("no.such.Connector");
  }

  @Test
  void othersStay() throws IOException {
    settings.setProperty("spark.files", directory.resolve("x-" + NAME).toUri().toString());
    assertThat(SubmittedFiles.local(NAME, settings)).isEqualTo(NAME);
    for (Path path : new Path[] {directory.resolve(NAME), Path.of("sub").resolve(NAME)}) {
      assertThat(SubmittedFiles.local(path, settings)).isEqualTo(path);
    }
    // It exists in the working directory of the tests.
    settings.setProperty("spark.files", "s3://bucket/pom.xml");
    assertThat(SubmittedFiles.local(Path.of("pom.xml"), settings)).isEqualTo(Path.of("pom.xml"));
    assertThat(SubmittedFiles.local(Path.of("pom.xml"))).isEqualTo(Path.of("pom.xml"));
  }

  @Test
  void gone() {
    settings.setProperty("spark.files", directory.resolve(NAME).toUri().toString());
    assertThatThrownBy(() -> SubmittedFiles.local(NAME, settings))
        .isInstanceOf(FileNotFoundException.class);
  }
}
