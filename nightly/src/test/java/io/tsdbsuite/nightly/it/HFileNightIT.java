package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HFiles: rolled up, loaded, and verified against snapshots of the rollup table. */
@Tag("slow")
class HFileNightIT {
  private static final LocalDate FIRST = LocalDate.parse("2026-03-07");

  @Test
  void loadedAndVerified() throws Exception {
    try (NightlyCluster cluster = NightlyCluster.start("hfile-night", FIRST, false)) {
      Path hfiles = cluster.dir().resolve("hfiles");
      cluster
          .set("job.options", "--sink hfile --hfile-dir " + hfiles.toUri())
          .set("verify.against", "snapshot")
          .set("verify.sample", "1")
          .set("verify.patience", "0s");
      cluster.putDay(FIRST);
      Run run = cluster.run(NightlyCluster.nightAfter(FIRST));
      assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.DONE);
      assertThat(run.out())
          .contains("2026-03-07: rolled up from tsdb-20260308, HFiles loaded, verified; ");
      assertThat(cluster.snapshots()).containsExactly("tsdb-20260308", "tsdb-uid-20260308");
      assertThat(cluster.dir().resolve("reports/verify-2026-03-07.json"))
          .content()
          .containsPattern("\"equal\" : 72\\b");

      LocalDate second = FIRST.plusDays(1);
      cluster.putDay(second);
      Run next = cluster.run(NightlyCluster.nightAfter(second));
      assertThat(next.exitCode()).as(next.toString()).isEqualTo(ExitCode.DONE);
      // As after a run that was killed between the job and the load.
      Path newest;
      try (Stream<Path> runs = Files.list(hfiles)) {
        newest = runs.sorted().skip(1).findFirst().orElseThrow();
      }
      Files.delete(newest.resolve("_loaded"));
      Run again = cluster.run(NightlyCluster.nightAfter(second));
      assertThat(again.exitCode()).as(again.toString()).isEqualTo(ExitCode.DONE);
      assertThat(again.out()).contains("2026-03-08: HFiles loaded");
    }
  }
}
