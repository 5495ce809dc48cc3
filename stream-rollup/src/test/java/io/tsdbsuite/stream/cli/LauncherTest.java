package io.tsdbsuite.stream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The program on a class path without Flink. */
class LauncherTest {
  private static String run(String... args) throws Exception {
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> !each.contains("flink-"))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes,
                StreamMain.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("FLINK_HOME");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + output;
  }

  @Test
  void aWrongOptionIsNamedBeforeFlink() throws Exception {
    assertThat(run("--wrong"))
        .startsWith("2 stream-rollup: ")
        .containsSubsequence("--wrong", "FLINK_HOME must be the directory of Flink's distribution")
        .doesNotContain("Exception");
  }

  @Test
  void withoutFlinkOnlyTheHelpIsShown() throws Exception {
    assertThat(run()).startsWith("2 stream-rollup: FLINK_HOME must be the directory");
    assertThat(run("--help")).startsWith("0 ").contains("--checkpoint-dir");
  }
}
