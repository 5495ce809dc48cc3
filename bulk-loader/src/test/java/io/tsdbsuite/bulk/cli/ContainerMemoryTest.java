package io.tsdbsuite.bulk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heap that bin/bulk-loader chooses on a machine with 256 GiB of memory, in a container. */
class ContainerMemoryTest {
  /** A java that prints the options of its JVM. */
  private static final String JAVA =
      """
      #!/bin/sh
      [ "$1" != -version ] || echo 'openjdk version "17.0.9"'
      echo "$*"
      """;

  @TempDir private Path dir;

  /**
   * @param max the limit of cgroup v2, as the kernel writes it; empty without such a file
   * @param limit the same of cgroup v1
   */
  private String options(String max, String limit, String... arguments)
      throws IOException, InterruptedException {
    Files.writeString(dir.resolve("meminfo"), "MemTotal:       268435456 kB\nMemFree: 9 kB\n");
    Files.createDirectory(dir.resolve("memory"));
    if (!max.isEmpty()) {
      Files.writeString(dir.resolve("memory.max"), max + "\n");
    }
    if (!limit.isEmpty()) {
      Files.writeString(dir.resolve("memory/memory.limit_in_bytes"), limit + "\n");
    }
    Path script =
        Files.writeString(
            dir.resolve("bulk-loader"),
            Files.readString(Path.of("bin", "bulk-loader"))
                .replace("/proc/meminfo", dir.resolve("meminfo").toString())
                .replace("/sys/fs/cgroup", dir.toString()));
    Files.copy(Path.of("..", "job-support", "bin", "launcher.sh"), dir.resolve("launcher.sh"));
    Path java = Files.createDirectories(dir.resolve("home/bin")).resolve("java");
    Files.writeString(java, JAVA);
    assertThat(java.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of("sh", script.toString(), "load"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("JAVA_HOME", dir.resolve("home").toString());
    environment.put("BULK_LOADER_JAR", script.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out;
  }

  @ParameterizedTest
  @CsvSource({
    "'','',52429",
    "max,'',52429",
    "8589934592,'',1639",
    "'',9223372036854771712,52429",
    "'',8589934592,1639",
    "'',18446744073709551615,52429"
  })
  void aQuarterOfWhatIsThere(String max, String limit, int mebibytes) throws Exception {
    assertThat(options(max, limit)).startsWith("-Xmx" + mebibytes + "m ");
  }

  @Test
  void memoryThatIsGivenCounts() throws Exception {
    assertThat(options("8589934592", "", "--memory", "16g")).startsWith("-Xmx13108m ");
  }
}
