package io.tsdbsuite.bulk.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappingFileTest {
  @TempDir private Path dir;
  private final List<String> problems = new ArrayList<>();
  private final Map<String, NameMapping.Entry> metrics = new TreeMap<>();
  private final Map<String, NameMapping.Entry> tagKeys = new TreeMap<>();

  private void read(String text) throws IOException {
    Path file = Files.writeString(dir.resolve("names"), text);
    new MappingFile(file, "", problems::add).read(metrics, tagKeys);
  }

  @Test
  void lines() throws IOException {
    read(
        """
        \ufeff# comment
        metric node:load1   node.load.1

          metric\t"disk used %" disk.used # of the disk
        metric "quote \\" and \\\\" q
        tag hostname host
        tag # host
        """
            .replace("tag # host", "tag \"#\" number"));
    assertThat(problems).isEmpty();
    assertThat(metrics)
        .containsOnlyKeys("node:load1", "disk used %", "quote \" and \\")
        .containsEntry(
            "node:load1", new NameMapping.Entry("node.load.1", dir.resolve("names") + ":2"));
    assertThat(tagKeys).containsOnlyKeys("hostname", "#");
  }

  /** They took a frame of the stack for each character. */
  @Test
  void namesMayBeLong() throws IOException {
    String name = "x\\\"".repeat(100_000);
    read("metric \"" + name + "\" a\n");
    assertThat(problems).isEmpty();
    assertThat(metrics).containsOnlyKeys(name.replace("\\", ""));
  }

  @Test
  void badLinesAreNamed() throws IOException {
    read("metric a\nmetrics a b\nmetric a b c\nmetric a b:c\nmetric a d\ntag \"a b\n");
    assertThat(problems).hasSize(6);
    assertThat(problems.get(0)).contains("names:1: a line must be metric or tag, old name");
    assertThat(problems.get(1)).contains("names:2: a line must begin with metric or tag");
    assertThat(problems.get(3)).contains("names:4: ").contains("found ':'");
    assertThat(problems.get(4)).contains("names:5: 'a' must have one new name");
  }

  @Test
  void aFileThatIsNotThere() {
    assertThatThrownBy(
            () -> new MappingFile(dir.resolve("none"), "", problems::add).read(metrics, tagKeys))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("--names: ")
        .hasMessageContaining("none");
  }

  @Test
  void twoOldNamesForOneNewName() {
    NameMapping mapping =
        new NameMapping(
            "f",
            Map.of("a", new NameMapping.Entry("x", "1"), "b", new NameMapping.Entry("x", "2")),
            Map.of());
    assertThat(mapping.merged()).hasSize(1);
    assertThat(mapping.merged().get(0)).contains("'a' and 'b' for x");
    assertThat(NameMapping.NONE.fingerprint()).isNotEqualTo(mapping.fingerprint());
  }
}
