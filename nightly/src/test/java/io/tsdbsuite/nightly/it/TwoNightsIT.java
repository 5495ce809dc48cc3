package io.tsdbsuite.nightly.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

/** Two nights from the live HBase to Kafka, the second with late data of the first. */
class TwoNightsIT {
  private static final LocalDate FIRST = LocalDate.parse("2026-03-07");

  @Test
  void twoNights() throws Exception {
    try (NightlyCluster cluster = NightlyCluster.start("two-nights", FIRST, true)) {
      Path metrics = Files.createDirectories(cluster.dir().resolve("metrics"));
      cluster
          .set("snapshots.keep", "1")
          .reportMetrics()
          .set("metrics.textfile-dir", metrics.toString());
      cluster.putDay(FIRST);
      Instant night = NightlyCluster.nightAfter(FIRST);
      Run plan = cluster.run(night, "--dry-run");
      assertThat(plan.exitCode()).as(plan.toString()).isEqualTo(ExitCode.DONE);
      assertThat(plan.out())
          .contains("snapshots: tsdb-20260308 and tsdb-uid-20260308 would be taken first")
          .containsPattern("2026-03-07: env .* --data-snapshot tsdb-20260308 ")
          .contains(
              "2026-03-07: rollup-job --dry-run accepts its options; the snapshots are not there"
                  + " yet");
      Run wrongOption =
          cluster.run(night, Map.of("job.options", "--partition-size 0"), "--dry-run");
      assertThat(wrongOption.exitCode()).as(wrongOption.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(wrongOption.err()).contains("--partition-size must be more than 0");
      Run wrongTopic = cluster.run(night, Map.of("kafka.topic", "no-such-topic"), "--dry-run");
      assertThat(wrongTopic.exitCode()).as(wrongTopic.toString()).isEqualTo(ExitCode.OUTSIDE);
      assertThat(wrongTopic.err()).contains("a run would end at once: ", "no-such-topic");
      cluster.ttl(Duration.ofDays(30));
      Run expired = cluster.run(night, Map.of("first-day", "2026-02-05"), "--dry-run");
      assertThat(expired.exitCode()).as(expired.toString()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(expired.out())
          .contains("2026-02-05: all its points have expired", "2026-02-07: its first points have")
          .contains("2026-02-08: rollup-job --dry-run accepts its options");
      cluster.ttl(Duration.ofSeconds(HConstants.FOREVER));
      assertThat(cluster.snapshots()).isEmpty();

      Run first = cluster.run(night);
      assertThat(first.exitCode()).as(first.toString()).isEqualTo(ExitCode.DONE);
      assertThat(first.out())
          .isEqualTo(
              "rollup-nightly: exit code 0; 2026-03-07: rolled up from tsdb-20260308; took"
                  + " tsdb-20260308 and tsdb-uid-20260308\n");
      cluster.requireRollups(FIRST, FIRST);
      assertThat(metrics.resolve("tsdbsuite-rollup-job.prom"))
          .content()
          .contains("tsdbsuite_rollup_job_rollups 72");
      assertThat(metrics.resolve("tsdbsuite-rollup-nightly.prom"))
          .content()
          .contains("tsdbsuite_rollup_nightly_exit_code 0")
          .contains("tsdbsuite_rollup_nightly_days_rolled_up 1");

      Run again = cluster.run(night.plus(Duration.ofHours(1)));
      assertThat(again.out()).isEqualTo("rollup-nightly: exit code 0; no day is due\n");

      Path other = Files.createDirectories(cluster.dir().resolve("other-hbase"));
      Run wrong = cluster.run(night, Map.of("hbase-root", other.toUri().toString()));
      assertThat(wrong.exitCode()).as(wrong.toString()).isEqualTo(ExitCode.USAGE);
      assertThat(wrong.out()).contains("hbase-root and tsd-config must be of one cluster");

      LocalDate second = FIRST.plusDays(1);
      cluster.putDay(second);
      cluster.putLate(FIRST);
      Run early = cluster.run(NightlyCluster.nightAfter(second).minus(Duration.ofMinutes(90)));
      assertThat(early.exitCode()).as(early.toString()).isEqualTo(ExitCode.DONE);
      assertThat(early.out())
          .isEqualTo(
              "rollup-nightly: exit code 0; no snapshot was taken: those of 2026-03-09 are taken"
                  + " from 2026-03-09T01:00:00Z on, because of the hold-back\n");
      Run planned = cluster.run(NightlyCluster.nightAfter(second), "--dry-run");
      assertThat(planned.exitCode()).as(planned.toString()).isEqualTo(ExitCode.DONE);
      assertThat(planned.out())
          .containsPattern("2026-03-08: env .* --since-report ")
          .contains("2026-03-08: rollup-job --dry-run accepts its options");
      // As a verification that was killed has left it.
      String owner = Files.readString(cluster.dir().resolve("state/owner")).substring(0, 8);
      cluster.snapshot("rollup-nightly-verify-" + owner + "-0-tsdb");
      // The job refuses the report of the first night, which has other keys.
      Run next =
          cluster.run(
              NightlyCluster.nightAfter(second),
              Map.of("job.options", "--tsd.storage.salt.buckets=7"));
      assertThat(next.exitCode()).as(next.toString()).isEqualTo(ExitCode.DONE);
      assertThat(next.out())
          .startsWith(
              "rollup-nightly: exit code 0; 2026-03-08: rolled up from tsdb-20260309 with late"
                  + " data, late data is searched by the snapshot time of 2026-03-07 only")
          .contains("--tsd.storage.salt.buckets differs from that day's; ");
      cluster.requireRollups(FIRST, second);
      assertThat(cluster.snapshots()).containsExactly("tsdb-20260309", "tsdb-uid-20260309");
    }
  }
}
