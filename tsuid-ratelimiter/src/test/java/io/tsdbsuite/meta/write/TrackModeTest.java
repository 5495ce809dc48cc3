package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrackModeTest {
  private static final byte[] S = Series.of(1);

  @Test
  void aNewSeriesGetsOneWriteAndThenOnePerTtl() {
    Tracker t = new Tracker("ttl_seconds", "60");
    t.points(S, 100);
    assertThat(t.table.value(S)).isEqualTo(1);
    assertThat(t.stat("new_series")).isEqualTo(1);
    long first = t.stat("writes");
    assertThat(first).isEqualTo(1);
    for (int n = 0; n < 600; n++) {
      t.points(S, 3);
      t.pass(1);
    }
    assertThat(t.stat("writes") - first).isEqualTo(10);
    assertThat(t.table.value(S)).isEqualTo(1);
  }

  @Test
  void aKnownSeriesWithTheValueOneTakesOneRpc() {
    Tracker t = new Tracker();
    t.table.put(S, MemoryTable.bytes(1));
    t.points(S, 1);
    assertThat(t.table.writes()).isEqualTo(1);
    assertThat(t.table.reads()).isZero();
    assertThat(t.stat("new_series")).isZero();
  }

  @Test
  void aCounterKeepsItsValueWhateverOthersDo() {
    Tracker t = new Tracker("ttl_seconds", "10");
    t.table.put(S, MemoryTable.bytes(41));
    t.points(S, 1);
    assertThat(t.table.value(S)).isEqualTo(41);
    assertThat(t.stat("writes")).isEqualTo(1);
    int[] races = new int[1];
    t.table.beforeRefresh(
        () -> {
          if (races[0]++ == 0) {
            t.table.put(S, MemoryTable.bytes(42));
          }
        });
    t.pass(11);
    t.points(S, 1);
    assertThat(t.table.value(S)).isEqualTo(42);
    assertThat(t.stat("writes")).isEqualTo(2);
    assertThat(t.stat("failures")).isZero();
  }

  @Test
  void aCounterThatOthersAlwaysChangeIsAFailureThatIsTriedAgain() {
    Tracker t = new Tracker("backoff_seconds", "5");
    t.table.put(S, MemoryTable.bytes(41));
    long[] value = {41};
    t.table.beforeRefresh(() -> t.table.put(S, MemoryTable.bytes(++value[0])));
    t.points(S, 1);
    assertThat(t.stat("failures")).isEqualTo(1);
    t.table.beforeRefresh(() -> {});
    t.pass(10);
    t.points(S, 1);
    assertThat(t.stat("writes")).isEqualTo(1);
    assertThat(t.table.value(S)).isEqualTo(value[0]);
  }

  @Test
  void aCellThatIsNoCounterStaysAndHarmsNoOther() {
    Tracker t = new Tracker();
    t.table.put(S, new byte[] {1, 2, 3});
    t.points(S, 5);
    assertThat(t.stat("failures")).isEqualTo(1);
    assertThat(t.stat("writes")).isZero();
    assertThat(t.stat("rpcs_in_flight_limit")).isEqualTo(1000);
    t.points(Series.of(2), 1);
    assertThat(t.stat("writes")).isEqualTo(1);
  }

  @Test
  void storesTheTsMetaOnceAndUntilItIsThere() {
    Tracker t = new Tracker("create_tsmeta", "true", "ttl_seconds", "600", "backoff_seconds", "2");
    t.table.tsMetas(() -> MemoryTable.Fate.REFUSED);
    t.points(S, 3);
    assertThat(t.stat("writes")).isEqualTo(1);
    assertThat(t.stat("failures")).isEqualTo(1);
    t.pass(20);
    assertThat(t.table.tsMetas(S)).isZero();
    t.table.tsMetas(() -> MemoryTable.Fate.DONE);
    t.pass(40);
    assertThat(t.table.tsMetas(S)).as("without a further point").isEqualTo(1);
    assertThat(t.stat("tsmeta.stored")).isEqualTo(1);
    assertThat(t.stat("owed_series")).isZero();
    for (int n = 0; n < 2000; n++) {
      t.points(S, 1);
      t.pass(1);
    }
    assertThat(t.stat("writes")).isBetween(4L, 5L);
    assertThat(t.table.tsMetas(S)).isEqualTo(1);
  }

  @Test
  void aTsMetaWithoutRoomInTheRetryQueueIsStoredWithTheNextPoint() {
    Tracker t =
        new Tracker("create_tsmeta", "true", "max_owed_series", "0", "backoff_seconds", "2");
    t.table.tsMetas(() -> MemoryTable.Fate.REFUSED);
    t.points(S, 1);
    t.table.tsMetas(() -> MemoryTable.Fate.DONE);
    t.pass(4);
    t.points(S, 1);
    assertThat(t.table.tsMetas(S)).isEqualTo(1);
    assertThat(t.table.value(S)).isEqualTo(1);
  }

  @Test
  void anHBaseThatIsAwayCostsNothingAndComesBackGently() {
    Tracker t = new Tracker("backoff_seconds", "2", "max_rpcs_in_flight", "10");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    for (int n = 0; n < 100; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.table.open()).isEqualTo(10);
    assertThat(t.stat("rpcs_in_flight")).isEqualTo(10);
    t.pass(5);
    assertThat(t.stat("flush_lag_seconds")).isEqualTo(5);
    t.table.counters(() -> MemoryTable.Fate.REFUSED);
    t.table.answerAll();
    assertThat(t.stat("rpcs_in_flight_limit")).isEqualTo(1);
    t.table.counters(() -> MemoryTable.Fate.LATE);
    t.pass(10);
    for (int n = 0; n < 100; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.table.open()).as("one tries").isEqualTo(1);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.table.answerAll();
    for (int n = 0; n < 100; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.table.rows()).isEqualTo(100);
    t.pass(200);
    assertThat(t.stat("flush_lag_seconds")).isZero();
  }

  @Test
  void aMissingAnswerDoesNotBlockWritesForever() {
    Tracker t =
        new Tracker(
            "max_rpcs_in_flight", "1", "answer_timeout_seconds", "30", "backoff_seconds", "2");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    t.points(S, 1);
    t.table.counters(() -> MemoryTable.Fate.DONE);
    t.points(Series.of(2), 1);
    assertThat(t.table.rows()).isZero();
    t.pass(40);
    assertThat(t.stat("overdue")).isEqualTo(1);
    assertThat(t.stat("rpcs_in_flight")).isZero();
    t.points(S, 1);
    t.points(Series.of(2), 1);
    assertThat(t.table.rows()).isEqualTo(2);
    t.table.answerAll();
    assertThat(t.stat("writes")).as("it is too late for the answer").isEqualTo(2);
  }

  @Test
  void whatIsWrongWithACallIsCountedAndNotThrown() {
    Tracker t = new Tracker();
    t.tracker.increment(null);
    assertThat(t.stat("errors")).isEqualTo(1);
  }

  @Test
  void aCloseWaitsForWhatIsOnItsWayButNotForEver() {
    Tracker t = new Tracker("shutdown_timeout_seconds", "5");
    t.table.counters(() -> MemoryTable.Fate.LATE);
    t.points(S, 1);
    t.close();
    assertThat(t.stat("rpcs_in_flight")).isEqualTo(1);
    t.points(S, 1);
    assertThat(t.stat("errors")).isZero();
  }
}
