package io.tsdbsuite.nightly.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.nightly.report.Reports;
import io.tsdbsuite.planner.report.HFileRuns;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the rule that asks for them: HFiles wait until they are loaded. */
class HadoopDirectoriesTest {
  @TempDir private Path dir;

  private static JobReport load(int exitCode, String directory) {
    return Reports.of("{\"exitCode\":" + exitCode + ",\"hfileDir\":\"" + directory + "\"}");
  }

  @Test
  void untilTheyAreLoaded() throws IOException, HFileRuns.GoneException {
    HFileRuns runs = new HFileRuns(new HadoopDirectories(new Configuration(false)));
    Path run = Files.createDirectory(dir.resolve("run"));
    String directory = run.toUri().toString();
    JobReport report = Reports.of("{\"output\":{\"hfileDir\":\"" + directory + "\"}}");
    assertThat(runs.waiting(report, Optional.empty())).contains(directory);
    Files.createFile(run.resolve("_loaded"));
    assertThat(runs.waiting(report, Optional.empty())).isEmpty();

    Files.delete(run.resolve("_loaded"));
    Files.delete(run);
    assertThat(runs.waiting(report, Optional.of(load(0, directory)))).isEmpty();
    assertThat(runs.waiting(report, Optional.of(load(0, run.toString())))).isEmpty();
    requireGone(runs, report, Optional.empty());
    requireGone(runs, report, Optional.of(load(3, directory)));
    requireGone(runs, report, Optional.of(load(0, "")));
    requireGone(runs, report, Optional.of(load(0, dir.resolve("other").toUri().toString())));
  }

  private static void requireGone(HFileRuns runs, JobReport report, Optional<JobReport> load) {
    assertThatThrownBy(() -> runs.waiting(report, load))
        .isInstanceOf(HFileRuns.GoneException.class)
        .hasMessageStartingWith("the HFiles were not loaded and are gone: ");
  }
}
