package io.tsdbsuite.rollup.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.cli.RollupMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A run of {@code rollup-job load} in this JVM. */
final class LoadRun {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ExitCode exitCode;
  private final Path report;

  private LoadRun(List<String> args, Path report) {
    this.report = report;
    exitCode =
        new RollupMain(new PrintWriter(out, true), new PrintWriter(err, true))
            .run(args.toArray(String[]::new));
  }

  static LoadRun of(Path runDirectory, Path tsdConfig, String... more) {
    List<String> args = new ArrayList<>(arguments(runDirectory, tsdConfig));
    args.addAll(List.of(more));
    Path report = runDirectory.getParent().resolveSibling("load.json");
    args.add("--report=" + report);
    return new LoadRun(args, report);
  }

  static List<String> arguments(Path runDirectory, Path tsdConfig) {
    return List.of("load", "--hfile-dir=" + runDirectory.toUri(), "--tsd-config=" + tsdConfig);
  }

  /** Whether a job has made its directory. */
  static boolean hasRun(Path jobDirectory) {
    String[] runs = jobDirectory.resolve("hfiles").toFile().list();
    return runs != null && runs.length > 0;
  }

  /** The one directory that a job has made. */
  static Path runDirectory(Path jobDirectory) throws IOException {
    try (Stream<Path> runs = Files.list(jobDirectory.resolve("hfiles"))) {
      return runs.reduce(
              (a, b) -> {
                throw new AssertionError("more than one run: " + a + " and " + b);
              })
          .orElseThrow();
    }
  }

  ExitCode exitCode() {
    return exitCode;
  }

  String err() {
    return err.toString();
  }

  /** The report of the last load of this directory. */
  JsonNode reportJson() throws IOException {
    return new ObjectMapper().readTree(Files.readString(report, StandardCharsets.UTF_8));
  }

  String everything() {
    return out + System.lineSeparator() + err;
  }
}
