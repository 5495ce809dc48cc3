package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CountModeTest {
  private static final byte[] S = Series.of(1);

  private static void assertBooksClose(Tracker t) {
    assertThat(
            t.stat("points.written")
                + t.stat("points.suppressed")
                + t.stat("points.lost")
                + t.stat("points.in_flight"))
        .as("%s", t.stats())
        .isEqualTo(t.stat("points"));
    assertThat(t.stat("points.owed")).isZero();
  }

  @Test
  void countsOnTopOfWhatIsThere() {
    Tracker t = new Tracker("mode", "count", "ttl_seconds", "60");
    t.table.put(S, MemoryTable.bytes(41));
    t.points(S, 100);
    assertThat(t.table.value(S)).isEqualTo(42);
    t.pass(180);
    assertThat(t.table.value(S)).as("the sweep flushes an idle series").isEqualTo(141);
    t.points(S, 5);
    t.close();
    assertThat(t.table.value(S)).isEqualTo(146);
    assertThat(t.stat("new_series")).isZero();
    assertBooksClose(t);
  }

  @Test
  void aTsMetaThatFailsAddsNoPointTwice() {
    Tracker t = new Tracker("mode", "count", "create_tsmeta", "true", "ttl_seconds", "600");
    t.table.tsMetas(() -> MemoryTable.Fate.REFUSED);
    t.points(S, 10);
    t.pass(60);
    t.table.tsMetas(() -> MemoryTable.Fate.DONE);
    t.pass(400);
    t.points(S, 5);
    t.close();
    assertThat(t.table.value(S)).isEqualTo(15);
    assertThat(t.table.tsMetas(S)).isEqualTo(1);
    assertBooksClose(t);
  }

  @Test
  void pointsOfSeriesThatAreEvictedWhileHBaseIsAwayAreOwed() {
    Tracker t =
        new Tracker(
            "mode", "count", "max_size", "10", "max_owed_series", "50", "backoff_seconds", "1");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    for (int n = 0; n < 40; n++) {
      t.points(Series.of(n), 3);
    }
    assertThat(t.stat("points.owed")).isPositive();
    assertThat(t.stat("points.lost")).isZero();
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(60);
    t.close();
    for (int n = 0; n < 40; n++) {
      assertThat(t.table.value(Series.of(n))).as("series %s", n).isEqualTo(3);
    }
    assertBooksClose(t);
  }

  @Test
  void whatIsMoreThanMayBeOwedIsLostAndCounted() {
    Tracker t =
        new Tracker(
            "mode", "count", "max_size", "10", "max_owed_series", "5", "backoff_seconds", "1");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    for (int n = 0; n < 100; n++) {
      t.points(Series.of(n), 3);
    }
    assertThat(t.stat("owed_series")).isBetween(5L, 6L);
    assertThat(t.stat("points.lost")).isPositive();
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.pass(60);
    t.close();
    assertBooksClose(t);
    long sum = 0;
    for (int n = 0; n < 100; n++) {
      sum += Math.max(0, t.table.value(Series.of(n)));
    }
    assertThat(sum).isEqualTo(t.stat("points.written"));
  }

  @Test
  void anAnswerThatComesLateCountsOnce() {
    Tracker t =
        new Tracker("mode", "count", "max_rpcs_in_flight", "1", "answer_timeout_seconds", "5");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    t.points(S, 3);
    t.pass(40);
    t.points(Series.of(2), 1);
    assertThat(t.table.open()).as("another one may try").isEqualTo(2);
    t.pass(400);
    assertThat(t.stat("points.ambiguous")).as("HBase may be away for long").isZero();
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.table.answerAll();
    t.close();
    assertThat(t.table.value(S)).isEqualTo(3);
    assertBooksClose(t);
  }

  @Test
  void anAnswerThatNeverComesIsGivenUpWhenHBaseAnswersOthers() {
    Tracker t = new Tracker("mode", "count", "answer_timeout_seconds", "5", "ttl_seconds", "10");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    t.points(S, 1);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    for (int n = 0; n < 100; n++) {
      t.points(Series.of(2), 1);
      t.points(S, 1);
      t.pass(1);
    }
    t.close();
    assertThat(t.stat("points.ambiguous")).isEqualTo(1);
    assertThat(t.table.value(S)).isEqualTo(101);
    assertBooksClose(t);
  }

  @Test
  void aCloseWithoutHBaseEndsAndSaysWhatIsLost() {
    Tracker t = new Tracker("mode", "count", "shutdown_timeout_seconds", "5");
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    t.points(S, 7);
    t.points(Series.of(2), 8);
    t.close();
    assertThat(t.stat("points.lost")).isEqualTo(15);
    assertBooksClose(t);
  }

  @Test
  void pointsThatComeWhileAndAfterItIsClosedAreWritten() {
    Tracker t = new Tracker("mode", "count");
    t.points(S, 1);
    t.close();
    t.close();
    t.points(S, 4);
    t.points(Series.of(2), 1);
    assertThat(t.table.value(S)).isEqualTo(5);
    assertThat(t.table.value(Series.of(2))).isEqualTo(1);
    assertBooksClose(t);
  }

  @Test
  void countsExactlyWithWritersEvictionsExpiriesFailuresAndAClose() throws InterruptedException {
    long seed = Seed.VALUE;
    Tracker t =
        new Tracker(
            "mode",
            "count",
            "max_size",
            "300",
            "ttl_seconds",
            "4",
            "max_rpcs_in_flight",
            "20",
            "backoff_seconds",
            "1",
            // The test's clock runs ahead of threads that wait for a processor.
            "answer_timeout_seconds",
            "86400");
    Random fate = new Random(seed);
    t.table.counters(
        () -> {
          int dice = fate.nextInt(10);
          return dice == 0
              ? MemoryTable.Fate.REFUSED
              : dice < 4 ? MemoryTable.Fate.LATE : MemoryTable.Fate.DONE;
        });
    int series = 1000;
    int perThread = 50_000;
    long[] expected = new long[series];
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      Random random = new Random(seed + thread);
      threads.add(
          new Thread(
              () -> {
                long[] mine = new long[series];
                for (int n = 0; n < perThread; n++) {
                  int each = Math.min(random.nextInt(series), random.nextInt(series));
                  t.tracker.increment(Series.of(each % 20, each));
                  mine[each]++;
                }
                synchronized (expected) {
                  for (int n = 0; n < series; n++) {
                    expected[n] += mine[n];
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
    assertThat(t.stat("points.ambiguous")).isZero();
    for (int n = 0; n < series; n++) {
      assertThat(Math.max(0, t.table.value(Series.of(n % 20, n))))
          .as("series %s, seed %s, %s", n, seed, t.stats())
          .isEqualTo(expected[n]);
    }
    assertBooksClose(t);
  }
}
