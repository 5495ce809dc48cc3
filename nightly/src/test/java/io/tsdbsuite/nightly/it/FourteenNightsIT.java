package io.tsdbsuite.nightly.it;

import static io.tsdbsuite.nightly.it.NightlyCluster.nightAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.nightly.it.NightlyCluster.Run;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * 14 nights with exports and Kafka, and with failures. The runs in a JVM of their own have a
 * default time zone with summer time, which begins on the second day. At the end the rollups in
 * Kafka equal the TSD's answers from raw data, and no day is due.
 */
@Tag("slow")
class FourteenNightsIT {
  private static final LocalDate FIRST = LocalDate.parse("2026-03-07");
  private static final Duration LONG = Duration.ofMinutes(5);

  /** Exit code after {@code kill -9}. */
  private static final int KILLED = 128 + 9;

  private NightlyCluster cluster;
  private LocalDate day = FIRST.minusDays(1);

  /** A new day ends, with a late point in the day before. */
  private Instant next() {
    day = day.plusDays(1);
    cluster.putDay(day);
    if (day.isAfter(FIRST)) {
      cluster.putLate(day.minusDays(1));
    }
    return nightAfter(day);
  }

  private static void require(Run run, ExitCode code, String... told) {
    assertThat(run.exitCode()).as(run.toString()).isEqualTo(code);
    assertThat(run.out()).contains(told);
  }

  private String rolledUp(LocalDate one) {
    return one + ": rolled up from " + snapshot("tsdb-");
  }

  @Test
  void fourteenNights() throws Exception {
    cluster = NightlyCluster.start("fourteen-nights", FIRST, true);
    try (NightlyCluster closing = cluster) {
      Path exports = closing.export("");
      closing.set("snapshots.keep", "3");

      require(cluster.run(next()), ExitCode.DONE, rolledUp(day));
      noSnapshot();
      halfAnExport(exports);
      jobKilled();
      kafkaDown();
      skippedNight();
      twoAtATime();
      clockSetBack();
      clockSetForth();
      nightlyKilled(exports);
      assertThat(day).isEqualTo(FIRST.plusDays(13));

      Run last = cluster.run(nightAfter(day).plus(Duration.ofHours(1)));
      assertThat(last.out()).isEqualTo("rollup-nightly: exit code 0; no day is due\n");
      cluster.requireRollups(FIRST, day);
    }
  }

  private interface Reached {
    boolean by(Process run) throws Exception;
  }

  private void killWhen(Instant night, String step, Reached reached) throws Exception {
    Process run = cluster.start(night);
    Await.until(
        step,
        LONG,
        () -> {
          assertThat(run.isAlive())
              .as("%s: %s", step, Files.readString(cluster.dir().resolve("err.txt")))
              .isTrue();
          return reached.by(run);
        });
    assertThat(run.destroyForcibly().waitFor()).as(step).isEqualTo(KILLED);
  }

  /** Name of the snapshot of the night after the day. */
  private String snapshot(String prefix) {
    return prefix + day.plusDays(1).toString().replace("-", "");
  }

  /** HBase does not answer: the day waits, and the next night rolls up both. */
  private void noSnapshot() throws IOException {
    Instant night = next();
    Map<String, String> down =
        Map.of(
            "hbase-property.hbase.zookeeper.quorum",
            "localhost:" + FreePorts.next(),
            "hbase-property.hbase.client.operation.timeout",
            "3000",
            "hbase-property.hbase.client.meta.operation.timeout",
            "3000",
            "hbase-property.zookeeper.registry.async.get.timeout",
            "3000");
    require(
        cluster.run(night, down),
        ExitCode.OUTSIDE,
        day + ": no snapshot has been taken since " + day.plusDays(1) + "T01:00:00Z");
    LocalDate missed = day;
    require(cluster.run(next()), ExitCode.DONE, rolledUp(missed), rolledUp(day));
  }

  /** Everything is killed while HFiles are copied. */
  private void halfAnExport(Path exports) throws Exception {
    Instant night = next();
    Process run = cluster.start(night);
    String name = snapshot("tsdb-");
    Path half = exports.resolve(".hbase-snapshot/.tmp").resolve(name);
    Await.until("a half export", LONG, () -> Files.exists(half) || !run.isAlive());
    assertThat(run.isAlive()).isTrue();
    List<ProcessHandle> children = run.descendants().toList();
    run.destroyForcibly().waitFor();
    children.forEach(ProcessHandle::destroyForcibly);
    Run again = cluster.run(night);
    require(again, ExitCode.DONE, rolledUp(day), "exported " + name);
  }

  /** Spark's driver is killed; the run that waits for it lives. */
  private void jobKilled() throws Exception {
    Instant night = next();
    Process run = cluster.start(night);
    ProcessHandle driver =
        Await.value(
            "the driver",
            LONG,
            () -> {
              assertThat(run.isAlive()).isTrue();
              return driver(run);
            });
    driver.destroyForcibly();
    assertThat(run.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).isEqualTo(ExitCode.OUTSIDE.code());
    assertThat(cluster.dir().resolve("out.txt"))
        .content()
        .contains(day + ": rollup-job ended with status 137");
    require(cluster.run(night), ExitCode.DONE, day.toString());
  }

  private Optional<ProcessHandle> driver(Process run) {
    return run.descendants()
        .filter(
            one -> {
              try {
                String line =
                    Files.readString(
                        Path.of("/proc", Long.toString(one.pid()), "cmdline"),
                        StandardCharsets.ISO_8859_1);
                return line.contains("org.apache.spark.deploy.SparkSubmit")
                    && line.contains(day.toString());
              } catch (IOException e) {
                return false;
              }
            })
        .findFirst();
  }

  private void kafkaDown() throws IOException {
    Instant night = next();
    require(
        cluster.run(night, Map.of("kafka.bootstrap", "127.0.0.1:" + FreePorts.next())),
        ExitCode.OUTSIDE,
        day + ": rollup-job ended with status 3");
    require(cluster.run(night), ExitCode.DONE, rolledUp(day));
  }

  private void skippedNight() throws IOException {
    next();
    LocalDate missed = day;
    require(cluster.run(next()), ExitCode.DONE, rolledUp(missed), rolledUp(day));
  }

  private void twoAtATime() throws Exception {
    Instant night = next();
    Process run = cluster.start(night);
    Path lock = cluster.dir().resolve("state/lock");
    String id = Long.toString(run.pid());
    Await.until("the lock", LONG, () -> Files.readString(lock).equals(id));
    Run second = cluster.run(night);
    assertThat(second.exitCode()).isEqualTo(ExitCode.OUTSIDE);
    assertThat(second.out()).isEmpty();
    assertThat(second.err())
        .isEqualTo(
            "rollup-nightly: another rollup-nightly has the lock "
                + lock
                + ", process "
                + id
                + "\n");
    assertThat(run.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(run.exitValue()).isZero();
    assertThat(cluster.dir().resolve("out.txt")).content().contains(rolledUp(day));
  }

  /** A day back: its day is done, and the snapshot of the future is not read. */
  private void clockSetBack() throws IOException {
    Run run = cluster.run(nightAfter(day.minusDays(1)));
    assertThat(run.out()).isEqualTo("rollup-nightly: exit code 0; no day is due\n");
    require(cluster.run(next()), ExitCode.DONE, rolledUp(day));
  }

  /**
   * Two days ahead, after a new day: days without points end with exit code 1. Back at the right
   * time the snapshot and the reports of the future do not count. On the date of that snapshot its
   * name is taken: it lacks the day before, which the next night rolls up.
   */
  private void clockSetForth() throws IOException {
    Instant night = next();
    Run ahead = cluster.run(nightAfter(day.plusDays(2)));
    assertThat(ahead.exitCode()).as(ahead.toString()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ahead.out()).contains(day + ": rolled up", day.plusDays(1) + ": rollup-job ended");
    require(cluster.run(night), ExitCode.DONE, rolledUp(day));
    require(cluster.run(next()), ExitCode.DONE, rolledUp(day));
    require(cluster.run(next()), ExitCode.BAD_INPUT, day + ": rollup-job ended with status 1");
  }

  /** Killed in one step after the other; its children live on until the next run. */
  private void nightlyKilled(Path exports) throws Exception {
    Instant night = next();
    Path lock = cluster.dir().resolve("state/lock");
    killWhen(night, "the lock", run -> Files.readString(lock).equals(Long.toString(run.pid())));
    killWhen(night, "the snapshot", run -> cluster.snapshots().contains(snapshot("tsdb-uid-")));
    Path half = exports.resolve(".hbase-snapshot/.tmp").resolve(snapshot("tsdb-uid-"));
    killWhen(night, "half an export", run -> Files.exists(half));
    killWhen(night, "the driver", run -> driver(run).isPresent());
    Run rest = cluster.run(night);
    assertThat(rest.exitCode()).as(rest.toString()).isEqualTo(ExitCode.DONE);
    try (Stream<String> lines = Files.lines(cluster.dir().resolve("reports/" + day + ".json"))) {
      assertThat(lines.filter(line -> line.contains("\"outcome\"")).findFirst())
          .hasValueSatisfying(line -> assertThat(line).contains("done"));
    }
  }
}
