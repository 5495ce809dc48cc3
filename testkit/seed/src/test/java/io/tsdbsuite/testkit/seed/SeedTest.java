package io.tsdbsuite.testkit.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SeedTest {
  /** Random sources that differ in each run and cannot be reproduced. */
  private static final Pattern WITHOUT_SEED =
      Pattern.compile(
          "new (Splittable)?Random\\(\\d*L?\\)|ThreadLocalRandom\\.current|Math\\.random\\("
              + "|(?i:seed) = System\\.\\w+\\(|Random\\(System\\.");

  @Test
  void isThatOfTheBuild() {
    assertThat(System.getProperty("test.seed")).isEqualTo(Long.toString(Seed.VALUE));
    assertThat(Seed.random().nextLong()).isEqualTo(Seed.random().nextLong());
  }

  @Test
  void mustBeANumber() {
    assertThat(Seed.value("-7")).isEqualTo(-7);
    assertThatThrownBy(() -> Seed.value("today"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("-Dtest.seed must be an integer of 64 bits, found today");
  }

  @Test
  void noTestDrawsWithoutIt() throws IOException {
    Path suite = Path.of("../..").toRealPath();
    assertThat(suite.resolve("pom.xml")).exists();
    List<String> found = new ArrayList<>();
    int files = 0;
    for (Path source : sources(suite)) {
      files++;
      List<String> lines = Files.readAllLines(source);
      for (int i = 0; i < lines.size(); i++) {
        if (WITHOUT_SEED.matcher(lines.get(i)).find()) {
          found.add(suite.relativize(source) + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    assertThat(files).isGreaterThan(100);
    assertThat(found).isEmpty();
  }

  /** All test sources of the suite except this one. */
  private static List<Path> sources(Path suite) {
    try (Stream<Path> modules = Files.walk(suite, 2)) {
      return modules
          .map(module -> module.resolve("src/test/java"))
          .filter(Files::isDirectory)
          .flatMap(SeedTest::below)
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("SeedTest.java"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
