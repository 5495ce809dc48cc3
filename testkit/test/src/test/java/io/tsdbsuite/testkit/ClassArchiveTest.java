package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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
    List<String> first = flags();
    assertThat(java(first)).isZero();
    assertThat(flags()).as("the first still starts").isEmpty();
    ClassArchive.started(first, true);
    assertThat(files(".classes")).hasSize(1);

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
  void aJvmThatDoesNotServeLeavesNoList() throws Exception {
    List<String> first = flags();
    java(first);
    ClassArchive.started(first, false);
    assertThat(files("")).isEmpty();
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  @Test
  void filesOfAKilledBuildGo() throws Exception {
    flags();
    Path archives = dir.resolve("archives");
    String name = new ClassArchive(archives, JAVA, jar.toString()).name();
    for (String end : List.of("-1.starting", "-2.classes.taken", "-3.tmp")) {
      Path file = Files.createFile(archives.resolve(name + end));
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(1200)));
    }
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
    assertThat(files("")).isEmpty();
  }

  @Test
  void aNewerJarMakesItAgain() throws Exception {
    list();
    flags();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  @Test
  void aListIsUsedOnlyOnceAndAFailureLeavesNothing() throws Exception {
    list();
    Path list = files(".classes").get(0);
    Files.writeString(list, "@no-such-line\n", StandardCharsets.UTF_8);
    assertThat(flags()).isEmpty();
    assertThat(files(".classes")).isEmpty();
    assertThat(files(".jsa")).isEmpty();
    assertThat(files(".tmp")).isEmpty();
    assertThat(flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  /** HotSpot crashes when it archives some classes: each start would crash it again. */
  @Test
  void aCrashIsNotRepeated() throws Exception {
    list();
    Path crashing =
        Files.writeString(
            dir.resolve("java"),
            """
            #!/bin/sh
            for flag; do
              case $flag in -XX:ErrorFile=*) echo crash >>"${flag#*=}" ;; esac
            done
            kill -ABRT $$
            """);
    Files.setPosixFilePermissions(crashing, PosixFilePermissions.fromString("rwx------"));
    Path archives = dir.resolve("archives");
    ClassArchive archive = new ClassArchive(archives, crashing, jar.toString());
    Path list = archives.resolve(archive.name() + "-1.classes");
    Path crash = archives.resolve(archive.name() + ".crash");
    Files.move(files(".classes").get(0), list);
    assertThat(archive.flags()).isEmpty();
    assertThat(crash).hasContent("crash");
    assertThat(archive.flags()).as("no list of classes either").isEmpty();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(archive.flags()).anyMatch(flag -> flag.startsWith("-XX:DumpLoadedClassList="));
  }

  @Test
  void aDirectoryInTheClassPathHasNone() {
    ClassArchive archive = new ClassArchive(dir.resolve("archives"), JAVA, jar + ":" + dir);
    assertThat(archive.flags()).isEmpty();
  }

  /** Runs the first JVM. */
  private void list() throws Exception {
    List<String> first = flags();
    java(first);
    ClassArchive.started(first, true);
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
