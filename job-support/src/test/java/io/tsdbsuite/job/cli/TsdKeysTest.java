package io.tsdbsuite.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class TsdKeysTest {
  private static final String WIDTH = "tsd.storage.uid.width.metric";

  @TempDir Path directory;

  private final Problems problems = new Problems();

  @Command
  private static final class NoOptions {}

  @Test
  void eachKeyIsAnOption() {
    CommandLine line = new CommandLine(new NoOptions());
    List<String> keys = List.of(WIDTH, "tsd.storage.salt.width");
    TsdKeys.addTo(line.getCommandSpec(), keys);
    assertThat(TsdKeys.given(line.parseArgs("--" + WIDTH + "=4"), keys))
        .containsExactly(Map.entry(WIDTH, "4"));
  }

  @Test
  void optionsWinOverTheFile() throws IOException {
    Path file = Files.writeString(directory.resolve("opentsdb.conf"), WIDTH + " = 3\n");
    TsdConfig config = TsdKeys.config(file, Map.of(WIDTH, "4"), problems);
    assertThat(TsdKeys.schema(config, problems).metricWidth()).isEqualTo(4);
    assertThat(problems.isEmpty()).isTrue();
  }

  @Test
  void whatIsWrongWithTheFileIsAProblem() throws IOException {
    assertThat(TsdKeys.config(null, Map.of(), problems)).isNull();
    Path none = directory.resolve("none.conf");
    assertThat(TsdKeys.config(none, Map.of(), problems)).isNull();
    Path broken = Files.writeString(directory.resolve("broken.conf"), "a = \\uNONE\n");
    assertThat(TsdKeys.config(broken, Map.of(), problems)).isNull();
    Path wide = Files.writeString(directory.resolve("wide.conf"), WIDTH + " = 99\n");
    TsdConfig config = TsdKeys.config(wide, Map.of(), problems);
    assertThat(TsdKeys.schema(config, problems)).isNull();
    assertThat(TsdKeys.schema(null, problems)).isNull();

    assertThat(problems.all()).hasSize(4);
    assertThat(problems.all().get(0)).isEqualTo("--tsd-config is required");
    assertThat(problems.all().get(1))
        .isEqualTo("--tsd-config " + none + " cannot be read: there is no such file");
    assertThat(problems.all().get(2)).startsWith("--tsd-config " + broken + " cannot be read");
    assertThat(problems.all().get(3)).startsWith("--tsd-config: ").contains(WIDTH);
    assertThatThrownBy(problems::throwIfAny).isInstanceOf(JobException.class);
  }

  @Test
  void eachProblemIsToldOnce() {
    problems.add("a");
    problems.add("b");
    problems.add("a");
    assertThat(Problems.text(problems.all()).lines())
        .containsExactly("2 problems:", "  - a", "  - b");
    assertThat(Problems.text(List.of("a"))).isEqualTo("a");
  }
}
