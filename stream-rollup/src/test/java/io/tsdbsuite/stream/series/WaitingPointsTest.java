package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitingPointsTest {
  private static final int INTERVALS = 2;
  private static final int FLAGS = PointColumn.flags(true, true, 8);
  private static final long START = 1_700_000_000_000L;

  private final SeriesEntry entry = new SeriesEntry(INTERVALS);
  private final WaitingPoints points = new WaitingPoints(entry);
  private final TreeMap<Long, Long> model = new TreeMap<>();

  WaitingPointsTest() {
    entry.create(new byte[] {0, 1, 'm'}, 0);
  }

  private void put(long time, long bits) {
    if (points.seek(time)) {
      points.replace(FLAGS, bits);
    } else {
      points.insert(time, FLAGS, bits);
    }
    model.put(time, bits);
  }

  private void removeBefore(long time) {
    int count = 0;
    for (boolean found = points.first(); found && points.time() < time; found = points.next()) {
      count++;
    }
    points.removeBefore(count);
    model.headMap(time).clear();
  }

  private void check() {
    entry.wrap(entry.array());
    assertThat(entry.points()).isEqualTo(model.size());
    boolean found = points.first();
    for (Map.Entry<Long, Long> each : model.entrySet()) {
      assertThat(found).isTrue();
      assertThat(points.time()).isEqualTo(each.getKey());
      assertThat(points.bits()).isEqualTo(each.getValue());
      assertThat(points.flags()).isEqualTo(FLAGS);
      found = points.next();
    }
    assertThat(found).isFalse();
    assertThat(points.firstSecond()).isEqualTo(model.isEmpty() ? 0 : model.firstKey() / 1000);
  }

  @Test
  void agreesWithATreeMap() {
    Random random = Seed.random();
    long newest = START;
    for (int i = 0; i < 20_000; i++) {
      switch (random.nextInt(8)) {
        case 0 -> removeBefore(newest - random.nextInt(300_000));
        // A series pauses.
        case 1 -> newest += random.nextInt(50) == 0 ? random.nextInt(100_000_000) : 0;
        case 2 -> put(newest - random.nextInt(200_000), random.nextLong());
        case 3 -> {
          if (!model.isEmpty()) {
            put(random.nextBoolean() ? model.lastKey() : model.firstKey(), random.nextLong() >> 40);
          }
        }
        case 4 -> {
          if (!entry.isFull()) {
            entry.addRequest(random.nextInt(), 1, (byte) 1, 0);
          }
        }
        case 5 -> {
          if (entry.requests() > 0) {
            entry.removeRequest(random.nextInt(entry.requests()));
          }
        }
        default -> {
          newest += random.nextInt(20_000);
          put(newest, random.nextLong());
        }
      }
      if (i % 10 == 0) {
        check();
      }
      if (i % 1000 == 0) {
        entry.trim();
      }
    }
    removeBefore(Long.MAX_VALUE);
    check();
    assertThat(entry.used()).isEqualTo(entry.pointsStart());
  }

  @Test
  void timesStayShortInALongLife() {
    put(START, 1);
    put(START + 10_000, 1);
    int length = entry.used();
    for (long time = START + 20_000; time < START + 86_400_000; time += 10_000) {
      put(time, 1);
      removeBefore(time - 10_000);
      assertThat(entry.used()).isLessThanOrEqualTo(length + 2);
    }
    check();
  }

  /** Each byte is copied some times, however many points wait. */
  @Test
  void manyPointsAreNotManyCopies() {
    long copied = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] before = entry.array();
      assertThat(points.seek(START + i)).isFalse();
      points.insert(START + i, FLAGS, i);
      entry.trim();
      copied += entry.array() == before ? 0 : before.length;
    }
    assertThat(copied).isLessThan(20L * entry.used());
    // What the points took is given back.
    points.behindLast();
    points.removeBefore(100_000);
    entry.trim();
    assertThat(entry.array()).hasSizeLessThan(200);
  }

  @Test
  void cursorStaysWhileBucketsClose() {
    put(START, 7);
    put(START + 1, 8);
    points.first();
    points.next();
    entry.open(0, 3600);
    entry.close(0);
    entry.addRequest(3600, 1, (byte) 1, 7200);
    assertThat(points.bits()).isEqualTo(8);
    points.removeBefore(1);
    model.remove(START);
    check();
  }
}
