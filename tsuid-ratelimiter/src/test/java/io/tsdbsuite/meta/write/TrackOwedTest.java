package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mode track: a series that was due is written, or counted as lost, without a further point. */
class TrackOwedTest {
  private static final byte[] S = Series.of(1);
  private static final int DAY = 86_400;

  private static void onePointEach(Tracker t, int series) {
    for (int n = 0; n < series; n++) {
      t.points(Series.of(n), 1);
    }
  }

  @Test
  void moreSeriesThanTheCacheHoldsAreAllTracked() {
    int series = 12_000;
    Tracker t = new Tracker("max_size", "10000", "create_tsmeta", "true");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    onePointEach(t, series);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.table.answerAll();
    t.pass(200);
    assertThat(t.stat("evictions")).isPositive();
    assertThat(t.stat("size")).isLessThanOrEqualTo(10_000 + 10_000 / 16);
    assertThat(t.table.rows()).isEqualTo(series);
    for (int n = 0; n < series; n++) {
      assertThat(t.table.tsMetas(Series.of(n))).as("TSMeta of series %s", n).isEqualTo(1);
    }
    assertThat(t.stat("series.lost")).isZero();
  }

  @Test
  void whatFoundNoPlaceIsWrittenWithoutAnotherPoint() {
    Tracker t = new Tracker("max_rpcs_in_flight", "10");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    onePointEach(t, 100);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.table.answerAll();
    t.pass(200);
    assertThat(t.table.rows()).isEqualTo(100);
    assertThat(t.stat("writes")).as("once each").isEqualTo(100);
    t.pass(2 * 3600);
    assertThat(t.stat("writes")).as("no series had another point").isEqualTo(100);
    assertThat(t.stat("size")).as("and no series is remembered").isZero();
  }

  @Test
  void whatFailedIsWrittenWithoutAnotherPoint() {
    Tracker t = new Tracker("backoff_seconds", "1");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    onePointEach(t, 100);
    t.pass(20);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(200);
    assertThat(t.table.rows()).isEqualTo(100);
  }

  @Test
  void whatIsEvictedWhileHBaseIsAwayIsOwed() {
    Tracker t = new Tracker("max_size", "10", "max_owed_series", "50", "backoff_seconds", "1");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    onePointEach(t, 40);
    assertThat(t.stat("owed_series")).isPositive();
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(60);
    assertThat(t.table.rows()).isEqualTo(40);
    assertThat(t.stat("owed_series")).isZero();
    assertThat(t.stat("series.lost")).isZero();
  }

  @Test
  void whatIsMoreThanMayBeOwedIsLostAndCounted() {
    Tracker t = new Tracker("max_size", "10", "max_owed_series", "5", "backoff_seconds", "1");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    onePointEach(t, 100);
    assertThat(t.stat("owed_series")).isBetween(5L, 6L);
    assertThat(t.stat("series.lost")).isPositive();
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(60);
    t.close();
    assertThat(t.table.rows() + t.stat("series.lost")).isEqualTo(100);
  }

  @Test
  void aCloseWritesWhatIsOwed() {
    Tracker t = new Tracker("max_rpcs_in_flight", "10", "backoff_seconds", "3600");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    onePointEach(t, 50);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.close();
    assertThat(t.table.rows()).isEqualTo(50);
    assertThat(t.stat("series.lost")).isZero();
  }

  @Test
  void aCloseWithoutHBaseEndsAndSaysWhatIsLost() {
    Tracker t = new Tracker("shutdown_timeout_seconds", "5");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    onePointEach(t, 7);
    t.close();
    assertThat(t.stat("series.lost")).isEqualTo(7);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(60);
    assertThat(t.table.rows()).isZero();
  }

  @Test
  void afterACloseOnlySeriesThatAreDueAreWritten() {
    Tracker t = new Tracker("ttl_seconds", "600");
    t.points(S, 1);
    t.close();
    t.points(S, 4);
    assertThat(t.stat("writes")).as("it was written a moment ago").isEqualTo(1);
    t.points(Series.of(2), 1);
    assertThat(t.table.value(Series.of(2))).isEqualTo(1);
    t.clock.advance(1200);
    t.points(S, 4);
    assertThat(t.stat("writes")).isEqualTo(3);
  }

  @Test
  void aTsMetaWithoutRoomInTheRetryQueueIsStoredWithoutAnotherPoint() {
    Tracker t =
        new Tracker("create_tsmeta", "true", "max_owed_series", "0", "backoff_seconds", "2");
    t.table.tsMetas(() -> MemoryTable.Fate.REFUSED);
    t.points(S, 1);
    t.table.tsMetas(() -> MemoryTable.Fate.DONE);
    t.pass(100);
    assertThat(t.table.tsMetas(S)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 64, 66, 98, 120, 195})
  void aSeriesThatComesBackAfterMonthsIsDue(int days) {
    Tracker t = new Tracker();
    t.points(S, 1);
    // Others of its metric keep its block, of which it is too small a part to be made anew.
    for (int second = 0; second < days * DAY; second += 1200) {
      for (int n = 2; n < 12; n++) {
        t.points(Series.of(n), 1);
      }
      t.clock.advance(1200);
      t.tracker.tick();
    }
    long before = t.stat("writes");
    t.points(S, 1);
    assertThat(t.stat("writes") - before).as("writes after %s days", days).isEqualTo(1);
  }

  @Test
  void allAreTrackedWithWritersEvictionsExpiriesFailuresAndAClose() throws InterruptedException {
    long seed = Seed.VALUE;
    Tracker t =
        new Tracker(
            "max_size",
            "300",
            "ttl_seconds",
            "4",
            "max_rpcs_in_flight",
            "20",
            "backoff_seconds",
            "1");
    Random fate = new Random(seed);
    t.table.counters(
        () -> {
          int dice = fate.nextInt(10);
          return dice == 0
              ? MemoryTable.Fate.REFUSED
              : dice < 4 ? MemoryTable.Fate.LATE : MemoryTable.Fate.DONE;
        });
    int perThread = 3000;
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int first = thread * perThread;
      Random random = new Random(seed + thread);
      threads.add(
          new Thread(
              () -> {
                // A new series of this thread only, among points of series that all threads write.
                for (int n = 0; n < perThread; n++) {
                  t.tracker.increment(Series.of(2, first + n));
                  for (int others = 0; others < 5; others++) {
                    t.tracker.increment(Series.of(random.nextInt(20) + 3, random.nextInt(20)));
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    while (threads.stream().anyMatch(Thread::isAlive)) {
      t.pass(1);
      t.table.answerAll();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.table.answerAll();
    t.close();
    assertThat(t.stat("evictions")).as("the test is worth something").isPositive();
    assertThat(t.stat("failures")).isPositive();
    assertThat(t.stat("series.lost")).isZero();
    for (int n = 0; n < 4 * perThread; n++) {
      assertThat(t.table.value(Series.of(2, n))).as("series %s, seed %s", n, seed).isEqualTo(1);
    }
  }
}
