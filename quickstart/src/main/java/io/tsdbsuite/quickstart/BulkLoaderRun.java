package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.job.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Runs bulk-loader's commands {@code load} and {@code verify} over exported history.
 *
 * @param history directory with the input
 * @param work directory of bulk-loader's own files
 */
record BulkLoaderRun(Environment run, Path history, Path work) {
  /**
   * Loads the history. Prints the books.
   *
   * @return whether every point was written
   */
  boolean load() {
    return run(
        List.of(
            "load",
            "--tsd-config=" + run.tsdConfig(),
            "--mode=hfile",
            "--hfile-dir=" + work.resolve("hfiles"),
            "--work-dir=" + work.resolve("load"),
            "--input=" + history));
  }

  /**
   * Waits until a snapshot may be taken: queries do not use rollups of one that is taken within a
   * minute after the load.
   *
   * @throws IOException when the report of the load cannot be read
   */
  void awaitSnapshot() throws IOException, InterruptedException {
    JsonNode report = new ObjectMapper().readTree(work.resolve("load/report.json").toFile());
    Instant from = Instant.parse(report.path("snapshotFrom").asText());
    Duration left = Duration.between(run.clock().instant(), from);
    if (!left.isNegative()) {
      run.step("waits until %s, before which no snapshot shows what was loaded", from);
      Thread.sleep(left.toMillis());
    }
  }

  /**
   * Compares the points of a month and of the month before it with the table.
   *
   * @param time a second of the month, since the epoch
   * @return whether all of them are in the table
   */
  boolean verify(long time) {
    YearMonth month = YearMonth.from(Instant.ofEpochSecond(time).atOffset(ZoneOffset.UTC));
    return run(
        List.of(
            "verify",
            "--tsd-config=" + run.tsdConfig(),
            "--work-dir=" + work.resolve("verify"),
            "--input=" + history,
            "--include=*-" + month.minusMonths(1) + "-*",
            "--include=*-" + month + "-*"));
  }

  private boolean run(List<String> args) {
    run.step("bulk-loader %s", String.join(" ", args));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    ExitCode code = new BulkLoaderMain(out, err, run.clock()).run(args.toArray(String[]::new));
    if (code != ExitCode.DONE) {
      run.step("bulk-loader failed with exit code %d", code.code());
    }
    return code == ExitCode.DONE;
  }
}
