package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import io.tsdbsuite.testkit.PrometheusScrape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * HFiles: rolled up, loaded, and verified, first against snapshots of the rollup table and of that
 * of sketches, then against the TSD. The later nights read exports, which are pruned, and push
 * their metrics.
 */
@Tag("slow")
class HFileNightIT {
  private static final LocalDate FIRST = LocalDate.parse("2026-03-07");

  private NightlyCluster cluster;

  private Run done(LocalDate day) throws IOException {
    Run run = cluster.run(NightlyCluster.nightAfter(day));
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.DONE);
    return run;
  }

  @Test
  void loadedAndVerified() throws Exception {
    cluster = NightlyCluster.startWithSketches("hfile-night", FIRST);
    try (NightlyCluster closing = cluster;
        PushedGroups groups = new PushedGroups()) {
      Path hfiles = closing.dir().resolve("hfiles");
      closing
          .set("job.options", "--sink hfile --hfile-dir " + hfiles.toUri())
          .set("verify.against", "snapshot")
          .set("verify.sample", "1")
          .set("verify.patience", "0s");
      closing.putDay(FIRST);
      assertThat(done(FIRST).out())
          .contains("2026-03-07: rolled up from tsdb-20260308, HFiles loaded, verified; ");
      assertThat(closing.snapshots()).containsExactly("tsdb-20260308", "tsdb-uid-20260308");
      // Rollups and sketches; a TSD is asked for rollups alone.
      requireVerified(FIRST, 144);
      assertThat(closing.stack().hbase().cells(NightlyCluster.HISTOGRAM_TABLE)).hasSize(72);
      loadKilled(hfiles);
      Path exports = closing.export("--keep-days 1 --grace 1h");
      closing
          .set("verify.against", "tsd")
          .set("verify.tsd", "http://127.0.0.1:" + closing.stack().tsd().port())
          .reportMetrics()
          .set("metrics.push", groups.url());
      exported(exports, groups);
    }
  }

  /** As after a run that was killed between the job and the load. */
  private void loadKilled(Path hfiles) throws IOException {
    LocalDate second = FIRST.plusDays(1);
    cluster.putDay(second);
    done(second);
    Path newest;
    try (Stream<Path> runs = Files.list(hfiles)) {
      newest = runs.sorted().skip(1).findFirst().orElseThrow();
    }
    Files.delete(newest.resolve("_loaded"));
    assertThat(done(second).out()).contains("2026-03-08: HFiles loaded");
  }

  private void exported(Path exports, PushedGroups groups) throws Exception {
    LocalDate third = FIRST.plusDays(2);
    cluster.putDay(third);
    assertThat(done(third).out())
        .contains("2026-03-09: rolled up from tsdb-20260310", ", HFiles loaded, verified; ")
        .contains("pruned the exports");
    requireVerified(third, 72);
    assertThat(names(exports)).contains("tsdb-20260310", "tsdb-uid-20260310");
    assertThat(values(groups, "rollup_nightly"))
        .containsEntry("tsdbsuite_rollup_nightly_exit_code", 0.0)
        .containsEntry("tsdbsuite_rollup_nightly_days_rolled_up", 1.0);
    assertThat(values(groups, "rollup_job").get("tsdbsuite_rollup_job_rollups"))
        .isGreaterThanOrEqualTo(72);
    assertThat(values(groups, "rollup_job_load")).isNotEmpty();
    assertThat(values(groups, "rollup_job_verify")).isNotEmpty();

    age(exports);
    LocalDate fourth = FIRST.plusDays(3);
    cluster.putDay(fourth);
    assertThat(done(fourth).out()).contains("pruned the exports");
    assertThat(names(exports))
        .contains("tsdb-20260311", "tsdb-uid-20260311")
        .doesNotContain("tsdb-20260310", "tsdb-uid-20260310");
    assertThat(values(groups, "rollup_job_prune"))
        .containsEntry("tsdbsuite_rollup_job_prune_exit_code", 0.0);
  }

  private void requireVerified(LocalDate day, int equal) {
    assertThat(cluster.dir().resolve("reports/verify-" + day + ".json"))
        .content()
        .containsPattern("\"equal\" : " + equal + "\\b");
  }

  private static Map<String, Double> values(PushedGroups groups, String job) throws Exception {
    return PrometheusScrape.of(groups.group(job)).stream()
        .collect(Collectors.toMap(PrometheusScrape.Sample::name, PrometheusScrape.Sample::value));
  }

  private static List<String> names(Path exports) throws IOException {
    try (Stream<Path> snapshots = Files.list(exports.resolve(".hbase-snapshot"))) {
      return snapshots.map(one -> one.getFileName().toString()).toList();
    }
  }

  /** Makes all files older than {@code --grace}. */
  private static void age(Path exports) throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    try (Stream<Path> all = Files.walk(exports)) {
      for (Path one : all.toList()) {
        Files.setLastModifiedTime(one, old);
      }
    }
  }
}
