package io.tsdbsuite.quickstart;

import io.tsdbsuite.bulk.cli.BulkLoaderMain;
import io.tsdbsuite.job.ExitCode;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/** Runs bulk-loader's commands {@code load} and {@code verify} over exported history. */
final class BulkLoaderRun {
  private final Path tsdConfig;
  private final Console console;
  private final Clock clock;

  /**
   * @param tsdConfig the TSD's opentsdb.conf
   * @param console receives the progress
   * @param clock the current time
   */
  BulkLoaderRun(Path tsdConfig, Console console, Clock clock) {
    this.tsdConfig = tsdConfig;
    this.console = console;
    this.clock = clock;
  }

  /**
   * Loads and verifies. Both commands print their books.
   *
   * @param history directory with the input
   * @param work directory of bulk-loader's own files
   * @return whether every point is in the table
   */
  boolean load(Path history, Path work) {
    return run(
            "load",
            "--tsd-config=" + tsdConfig,
            "--mode=put",
            "--work-dir=" + work.resolve("load"),
            "--input=" + history)
        && run(
            "verify",
            "--tsd-config=" + tsdConfig,
            "--work-dir=" + work.resolve("verify"),
            "--input=" + history);
  }

  private boolean run(String... args) {
    console.step("bulk-loader %s", String.join(" ", List.of(args)));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    ExitCode code = new BulkLoaderMain(out, err, clock).run(args);
    if (code != ExitCode.DONE) {
      console.step("bulk-loader failed with exit code %d", code.code());
    }
    return code == ExitCode.DONE;
  }
}
