package io.tsdbsuite.nightly.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFilesTest {
  @TempDir private Path dir;

  private static void write(Path file, String key, String value) throws IOException {
    Files.createDirectories(file.resolveSibling(""));
    Files.writeString(
        file,
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(key, value));
  }

  @Test
  void theFilesOfBothDirectories() throws IOException {
    Path hadoop = dir.resolve("hadoop");
    Path hbase = dir.resolve("hbase");
    write(hadoop.resolve("core-site.xml"), "fs.defaultFS", "hdfs://first");
    write(hbase.resolve("core-site.xml"), "fs.defaultFS", "hdfs://second");
    write(hbase.resolve("hdfs-site.xml"), "dfs.nameservices", "ns1");
    write(hbase.resolve("hbase-site.xml"), "hbase.security.authentication", "kerberos");
    SiteFiles files =
        new SiteFiles(
            Map.of("HADOOP_CONF_DIR", hadoop.toString(), "HBASE_CONF_DIR", hbase.toString()));
    Configuration configuration = new Configuration(false);
    files.addHadoop(configuration);
    assertThat(configuration.get("fs.defaultFS")).isEqualTo("hdfs://first");
    assertThat(configuration.get("dfs.nameservices")).isEqualTo("ns1");
    assertThat(files.hbase())
        .containsExactlyEntriesOf(Map.of("hbase.security.authentication", "kerberos"));
    assertThat(new SiteFiles(Map.of()).hbase()).isEmpty();
  }

  @Test
  void anUnknownNameServiceIsNoDefect() {
    var path = new org.apache.hadoop.fs.Path("hdfs://no-such-name-service.invalid/hbase");
    assertThatThrownBy(() -> FileSystems.of(path, new Configuration()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HADOOP_CONF_DIR");
  }

  @Test
  void aMissingRightNeedsAPerson() {
    assertThat(
            FileSystems.failed("no snapshot", new AccessDeniedException("Insufficient")).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThat(FileSystems.failed("no snapshot", new IOException("timeout")).exitCode())
        .isEqualTo(ExitCode.OUTSIDE);
  }
}
