package io.tsdbsuite.rollup.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.resume.EarlierRunReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
  @TempDir Path directory;

  private static RollupReport report(ExitCode exitCode) {
    return TestReports.report(exitCode, null, TestReports.identity(), null, null);
  }

  private void replacesWhole(String name) throws Exception {
    ReportFile file = ReportFile.of(name, new Configuration());
    file.check("--report");
    file.write(report(null));
    assertThat(Files.readString(directory.resolve("r.json"))).contains("\"running\"");
    file.write(report(ExitCode.DONE));
    assertThat(file.read("--resume", in -> EarlierRunReader.read(name, in)).done()).isTrue();
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

  /** As S3's: whatever is written until the stream is closed replaces the object. */
  public static final class ObjectStore extends RawLocalFileSystem {
    /** For Hadoop. */
    public ObjectStore() {}

    @Override
    public String getScheme() {
      return "s3like";
    }

    @Override
    public URI getUri() {
      return URI.create("s3like:///");
    }

    @Override
    protected void checkPath(org.apache.hadoop.fs.Path path) {}

    @Override
    public boolean hasPathCapability(org.apache.hadoop.fs.Path path, String capability) {
      return false;
    }
  }

  /** A report that cannot be made must not take the place of one that is good. */
  @Test
  void anExceptionLeavesTheReportOfBefore() throws Exception {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.s3like.impl", ObjectStore.class.getName());
    String name = "s3like://" + directory.resolve("r.json");
    for (ReportFile file :
        List.of(
            ReportFile.of(name, hadoop),
            ReportFile.of(directory.resolve("r.json").toString(), null))) {
      file.write(report(ExitCode.DONE));
      String before = Files.readString(directory.resolve("r.json"));
      assertThatThrownBy(
              () ->
                  file.write(
                      stream -> {
                        stream.write(new byte[1 << 20]);
                        throw new IllegalStateException("no more");
                      }))
          .hasMessage("no more");
      assertThat(Files.readString(directory.resolve("r.json"))).isEqualTo(before);
    }
  }

  @Test
  void theDirectoryMustBeThere() {
    ReportFile file = ReportFile.of(directory.resolve("no/r.json").toString(), null);
    assertThatThrownBy(() -> file.check("--report"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--report must be a file in a directory that exists");
  }

  @Test
  void aMissingFileIsNamed() {
    for (String name :
        new String[] {
          directory.resolve("r.json").toString(), directory.resolve("r.json").toUri().toString()
        }) {
      ReportFile file = ReportFile.of(name, new Configuration());
      assertThatThrownBy(() -> file.bytes("--resume"))
          .hasMessage("--resume " + name + ": there is no such file");
    }
  }
}
