package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NewSeriesTest {
  private static final int HOUR = 3600;

  @Test
  void theGuardLetsSoManyNewSeriesPassPerHour() {
    Tracker t = new Tracker("max_new_series_per_hour", "10", "ttl_seconds", "600");
    for (int n = 0; n < 20; n++) {
      t.table.put(Series.of(n), MemoryTable.bytes(n));
    }
    for (int n = 0; n < 70; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.table.rows()).isEqualTo(30);
    assertThat(t.stat("writes")).as("those that exist are tracked").isEqualTo(30);
    assertThat(t.stat("new_series")).isEqualTo(10);
    assertThat(t.stat("new_series.suppressed")).isEqualTo(40);
    t.pass(100);
    for (int n = 0; n < 70; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.stat("new_series.suppressed")).as("they are left alone").isEqualTo(40);
    t.clock.advance(HOUR + 300);
    for (int n = 0; n < 70; n++) {
      t.points(Series.of(n), 1);
    }
    assertThat(t.table.rows()).isEqualTo(40);
  }

  @Test
  void pointsOfSuppressedSeriesWaitInTheCache() {
    Tracker t = new Tracker("mode", "count", "max_new_series_per_hour", "1", "ttl_seconds", "600");
    t.points(Series.of(1), 1);
    t.points(Series.of(2), 5);
    assertThat(t.table.rows()).isEqualTo(1);
    t.pass(HOUR + 300 + 150);
    assertThat(t.table.value(Series.of(2))).as("the next hour has a place").isEqualTo(5);
    t.points(Series.of(3), 7);
    t.close();
    assertThat(t.table.value(Series.of(3))).isEqualTo(-1);
    assertThat(t.stat("points.suppressed")).isEqualTo(7);
    assertThat(t.stat("points.lost")).isZero();
    assertThat(t.stat("points")).isEqualTo(13);
    assertThat(t.stat("points.written")).isEqualTo(6);
  }

  @Test
  void namesTheMetricsWithMostNewSeriesOfThisHourAndTheLast() {
    Tracker t = new Tracker();
    for (int metric = 1; metric <= 7; metric++) {
      for (int n = 0; n < metric; n++) {
        t.points(Series.of(metric, n), 1);
      }
    }
    t.pass(1);
    assertThat(t.stats())
        .containsEntry("meta.cache.new_series.top metric=metric-7", 7L)
        .containsEntry("meta.cache.new_series.top metric=metric-3", 3L)
        .doesNotContainKey("meta.cache.new_series.top metric=metric-2");
    t.clock.advance(HOUR);
    t.pass(1);
    t.points(Series.of(2, 100), 1);
    t.pass(1);
    assertThat(t.stat("new_series.top metric=metric-7")).isEqualTo(7);
    t.clock.advance(HOUR);
    t.pass(1);
    assertThat(t.stats())
        .doesNotContainKey("meta.cache.new_series.top metric=metric-7")
        .containsEntry("meta.cache.new_series.top metric=metric-2", 1L);
    t.clock.advance(3 * HOUR);
    t.pass(1);
    assertThat(t.stats().keySet()).noneMatch(name -> name.contains("new_series.top"));
  }
}
