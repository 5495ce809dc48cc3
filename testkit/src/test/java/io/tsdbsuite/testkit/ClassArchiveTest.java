package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  @TempDir Path dir;
  private Path jar;

  @BeforeEach
  void copyAJar() throws Exception {
    Path assertj =
        Path.of(
            assertThat("").getClass().getProtectionDomain().getCodeSource().getLocation().toURI());
    jar = Files.copy(assertj, dir.resolve("library.jar"));
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(3600)));
  }

  @Test
  void theSecondStartMakesTheArchiveAndTheThirdUsesIt() throws Exception {
    assertThat(java(flags())).isZero();
    assertThat(files(".classes")).hasSize(1);
    assertThat(flags()).as("the first may still start").isEmpty();
    calm();

    List<String> second = flags();
    assertThat(second).anyMatch(flag -> flag.startsWith("-XX:SharedArchiveFile="));
    assertThat(files(".jsa")).hasSize(1);
    assertThat(files("")).as("no list is left").hasSize(2);

    List<String> third = new ArrayList<>(flags());
    assertThat(third).isEqualTo(second);
    // Ends with an error when the archive is not of this class path.
    third.add("-Xshare:on");
    assertThat(java(third)).isZero();
  }

  @Test
  void aNewerJarMakesItAgain() throws Exception {
    java(flags());
    calm();
    flags();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  @Test
  void aListIsUsedOnlyOnceAndAFailureLeavesNothing() throws Exception {
    java(flags());
    Path list = files(".classes").get(0);
    Files.writeString(list, "@no-such-line\n", StandardCharsets.UTF_8);
    calm();
    assertThat(flags()).isEmpty();
    assertThat(files(".classes")).isEmpty();
    assertThat(files(".jsa")).isEmpty();
    assertThat(files(".tmp")).isEmpty();
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  @Test
  void aDirectoryInTheClassPathHasNone() {
    ClassArchive archive = new ClassArchive(dir.resolve("archives"), JAVA, jar + ":" + dir);
    assertThat(archive.flags()).isEmpty();
  }

  /** As if the first JVM had started a minute ago. */
  private void calm() throws IOException {
    for (Path list : files(".classes")) {
      Files.setLastModifiedTime(list, FileTime.from(Instant.now().minusSeconds(60)));
    }
  }

  private List<String> flags() {
    return new ClassArchive(dir.resolve("archives"), JAVA, jar.toString()).flags();
  }

  private int java(List<String> flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(JAVA.toString(), "-XX:+UseSerialGC"));
    command.addAll(flags);
    command.addAll(List.of("-cp", jar.toString(), "-version"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(dir.resolve("java.log").toFile())
        .start()
        .waitFor();
  }

  private List<Path> files(String suffix) throws IOException {
    try (Stream<Path> found = Files.list(dir.resolve("archives"))) {
      return found.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }
}
