package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No test gives a command, a process or a query of ours less than five minutes. */
class PatienceTest {
  private static final Path ROOT = Path.of("..");
  private static final long LEAST_SECONDS = 300;
  private static final Pattern JAVA =
      Pattern.compile(
          "\\b(?:waitFor|get|awaitTermination|orTimeout)\\((\\d+),"
              + " TimeUnit\\.(SECONDS|MINUTES)\\)");
  private static final Pattern PYTHON = Pattern.compile("\\btimeout=(\\d+)()");

  @Test
  void everyTimeOutIsGenerous() throws IOException {
    List<String> tooShort = new ArrayList<>();
    int found = look(ROOT.resolve("cloudformation/tests"), ".py", PYTHON, tooShort);
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        for (String sources : List.of("src/test", "src/main")) {
          boolean ours = sources.equals("src/test") || module.endsWith("testkit");
          if (ours && Files.isDirectory(module.resolve(sources))) {
            found += look(module.resolve(sources), ".java", JAVA, tooShort);
          }
        }
      }
    }
    assertThat(tooShort).isEmpty();
    assertThat(found).isGreaterThan(15);
  }

  private static int look(Path sources, String end, Pattern pattern, List<String> tooShort)
      throws IOException {
    int found = 0;
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith(end)).toList()) {
        Matcher matcher = pattern.matcher(Files.readString(file));
        while (matcher.find()) {
          found++;
          TimeUnit unit = matcher.group(2).equals("MINUTES") ? TimeUnit.MINUTES : TimeUnit.SECONDS;
          if (unit.toSeconds(Long.parseLong(matcher.group(1))) < LEAST_SECONDS) {
            tooShort.add(file + ": " + matcher.group());
          }
        }
      }
    }
    return found;
  }
}
