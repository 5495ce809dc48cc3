package io.tsdbsuite.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.system.RollupJob.Run;
import io.tsdbsuite.testkit.S3Throttle;
import io.tsdbsuite.testkit.ServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The nightly run, during the storm: snapshots, their export to S3, and rollup-job over the export,
 * with late data of the days before. What fails because of the storm is repeated, and a run that
 * failed outside is resumed from its report.
 */
final class ChaosNights {
  private static final int MOST_ATTEMPTS = 30;
  private static final String BUCKET = "chaos";

  /** In the job's report. */
  private static final String POINTS_READ = "/points/read";

  private final RollupJob batch = new RollupJob();
  private final S3Throttle s3;
  private final Consumer<String> log;
  private Path lastReport;
  private int attempts;
  private int nights;

  ChaosNights(S3Throttle s3, Consumer<String> log) throws IOException {
    this.s3 = s3;
    this.log = log;
  }

  private interface Step<T> {
    T run() throws IOException;
  }

  private <T> T repeated(String what, Step<T> step) {
    for (int attempt = 1; ; attempt++) {
      try {
        return step.run();
      } catch (IOException | ServerException e) {
        attempts++;
        log.accept(what + " failed: " + e.getMessage().lines().findFirst().orElse(""));
        if (attempt == MOST_ATTEMPTS) {
          throw new AssertionError(what + " failed " + attempt + " times", e);
        }
      }
    }
  }

  /** Rolls up a day, and late data of the days before. */
  void run(long day) {
    nights++;
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      if (rollUp(day)) {
        return;
      }
      attempts++;
      log.accept("night " + nights + ": no point of the day was stored yet, snapshots again");
    }
    throw new AssertionError("no point of the day was stored in " + MOST_ATTEMPTS + " attempts");
  }

  /**
   * Takes snapshots, exports them and rolls up a day.
   *
   * @return false when the storm kept all points of the day from the table: rollup-job refuses to
   *     emit nothing
   */
  private boolean rollUp(long day) {
    String name = repeated("snapshot", batch::snapshotRawData);
    String root = "s3a://" + BUCKET + "/" + name;
    for (String table : List.of("data", "uid")) {
      repeated(
          "export",
          () -> {
            batch.export(name + "-" + table, root, s3.s3aProperties());
            return true;
          });
    }
    List<String> options = new ArrayList<>();
    if (lastReport != null) {
      options.add("--since-report=" + lastReport);
      options.add("--changed-margin=0s");
    }
    Run run = null;
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      List<String> all = new ArrayList<>(options);
      if (run != null) {
        all.add("--resume=" + run.file());
      }
      String number = name + "-" + attempt;
      run = roll(root, name, number, day, all);
      log.accept("night " + nights + ", attempt " + attempt + ": exit code " + run.exitCode());
      if (run.exitCode() == ExitCode.DONE) {
        lastReport = run.file();
        addCoverage(run);
        return true;
      }
      if (run.exitCode() == ExitCode.BAD_INPUT && run.report().at(POINTS_READ).asLong() == 0) {
        assertThat(run.output()).contains("nothing was emitted");
        return false;
      }
      attempts++;
      assertThat(run.exitCode()).as(run.output()).isEqualTo(ExitCode.OUTSIDE);
    }
    throw new AssertionError("the night failed " + MOST_ATTEMPTS + " times: " + run.output());
  }

  /** In a storm the rollups may not be stored in time: then the night has no coverage. */
  private void addCoverage(Run run) {
    Run added;
    try {
      added = batch.addCoverage(run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    log.accept("night " + nights + ", coverage: exit code " + added.exitCode());
    assertThat(added.exitCode()).as(added.output()).isIn(ExitCode.DONE, ExitCode.OUTSIDE);
  }

  private Run roll(String root, String name, String number, long day, List<String> options) {
    try {
      return batch.rollExport(root, name, number, s3.s3aProperties(), day, day + 86_400, options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Number of nights that were rolled up. */
  int nights() {
    return nights;
  }

  /** Number of steps that failed and were repeated. */
  int repeatedSteps() {
    return attempts;
  }

  RollupJob batch() {
    return batch;
  }
}
