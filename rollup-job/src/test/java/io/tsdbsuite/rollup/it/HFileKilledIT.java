package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs with {@code --sink hfile} and loads that are killed are run again. */
@Tag("slow")
class HFileKilledIT {
  private static final long FROM = SmallData.FROM;
  private static final long TO = SmallData.TO;
  private static final String[] INTERVALS = {"10m", "1h", "1d"};

  private static boolean hasAll(Path files) {
    String[] names = files.toFile().list();
    return names != null && names.length >= RollupStore.REGIONS;
  }

  @Test
  void killedJobsAndLoadsAreRunAgain() throws Exception {
    try (RollupStore store = RollupStore.start("hf-killed", INTERVALS)) {
      Path directory = TestFiles.directory("hfile");
      JobRun killed = store.job(directory, FROM, TO).with("--partition-size=0.001");
      try (ChildJob child = ChildJob.start(killed, directory)) {
        child.await("the directory of the run", () -> LoadRun.hasRun(directory));
      }
      LoadRun refused = LoadRun.of(LoadRun.runDirectory(directory), store.configFile());
      assertThat(refused.exitCode()).as(refused::everything).isEqualTo(ExitCode.USAGE);
      assertThat(refused.err()).contains("must be the directory of one run");

      Path again = TestFiles.directory("hfile");
      JobRun job = store.job(again, FROM, TO).run();
      assertThat(job.exitCode()).as(job::everything).isEqualTo(ExitCode.DONE);
      Path run = LoadRun.runDirectory(again);
      Path first = run.resolve(store.table("10m")).resolve("t");
      try (ChildJob child =
          ChildJob.start(
              LoadRun.arguments(run, store.configFile()), TestFiles.directory("hf-killed"))) {
        child.await("the first table's files are loaded", () -> !hasAll(first));
      }
      assertThat(run.resolve("_loading")).exists();
      assertThat(run.resolve("_loaded")).as("the mark of a whole load").doesNotExist();
      LoadRun load = LoadRun.of(run, store.configFile());
      assertThat(load.exitCode()).as(load::everything).isEqualTo(ExitCode.DONE);
      assertThat(load.reportJson().get("booksClose").booleanValue()).isTrue();
      for (String interval : INTERVALS) {
        assertThat(
                RollupDiff.of(
                    store.rawAnswers(interval, FROM, TO), store.answers(interval, FROM, TO)))
            .as(interval)
            .isEmpty();
      }
    }
  }
}
