package io.tsdbsuite.rollup.day;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DayTableTest {
  private static final long PLENTY = 1L << 30;
  private static final int BUCKETS = 3;

  private final PointSummary summary = new PointSummary();

  private static byte[] bytes(String tags) {
    return tags.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static int find(DayTable table, String tags) {
    byte[] padded = bytes("x" + tags + "y");
    return table.find(padded, 1, padded.length - 2);
  }

  private static String tags(DayTable table, int series) {
    return new String(
        table.keys(),
        table.keyOffset(series),
        table.keyLength(series),
        StandardCharsets.ISO_8859_1);
  }

  private void add(DayTable table, int series, int bucket, double value) {
    table.load(series, bucket, summary);
    summary.add(value);
    table.save(series, bucket, summary);
  }

  private static List<String> names(Random random, int count) {
    Set<String> names = new HashSet<>();
    while (names.size() < count) {
      byte[] name = new byte[random.nextInt(20)];
      random.nextBytes(name);
      names.add(new String(name, StandardCharsets.ISO_8859_1));
    }
    return new ArrayList<>(names);
  }

  /** Day after day, large ones and small ones, hours with other series each. */
  @Test
  void sumsUpAsAMapOfSummariesDoes() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    DayTable table = new DayTable(BUCKETS, PLENTY);
    for (int day = 0; day < 30; day++) {
      List<String> series = names(random, 1 + random.nextInt(day % 5 == 0 ? 5000 : 50));
      Map<String, PointSummary[]> expected = new TreeMap<>();
      Set<String> failed = new HashSet<>();
      for (int hour = 0; hour < 4; hour++) {
        List<String> some =
            new ArrayList<>(series.subList(random.nextInt(series.size()), series.size()));
        Collections.sort(some);
        for (String name : some) {
          double value = random.nextDouble() - 0.5;
          int found = find(table, name);
          int bucket = random.nextInt(BUCKETS);
          add(table, found, bucket, value);
          expected.computeIfAbsent(name, n -> empty())[bucket].add(value);
          if (random.nextInt(50) == 0) {
            table.fail(found);
            failed.add(name);
          }
        }
      }
      String what = "seed " + seed + ", day " + day;
      assertThat(table.size()).as(what).isEqualTo(expected.size());
      List<String> order = new ArrayList<>();
      for (int found : table.inOrder()) {
        String name = tags(table, found);
        order.add(name);
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
          table.load(found, bucket, summary);
          assertThat(values(summary)).as(what).isEqualTo(values(expected.get(name)[bucket]));
        }
        assertThat(table.isFailed(found)).as(what).isEqualTo(failed.contains(name));
      }
      assertThat(order).as(what).containsExactlyElementsOf(expected.keySet());
      table.clear();
      assertThat(table.size()).isZero();
      assertThat(table.inOrder()).isEmpty();
    }
  }

  private static PointSummary[] empty() {
    return Stream.generate(PointSummary::new).limit(BUCKETS).toArray(PointSummary[]::new);
  }

  private static double[] values(PointSummary summary) {
    return new double[] {summary.sum(), summary.min(), summary.max(), summary.count()};
  }

  @Test
  void goesOnInASumFromLeftToRight() {
    DayTable table = new DayTable(BUCKETS, PLENTY);
    double[] points = {1e16, 1, 1, 1, -1e16, 0.1, -0.0, 3};
    PointSummary whole = new PointSummary();
    for (double point : points) {
      add(table, find(table, "a"), 1, point);
      add(table, find(table, "b"), 1, -point);
      add(table, find(table, "a"), 2, -point);
      whole.add(point);
    }
    table.load(find(table, "a"), 1, summary);
    assertThat(values(summary)).isEqualTo(values(whole));
  }

  /**
   * The documented bounds: 60 to 130 bytes for a series with two tags, 32 to 75 more for each
   * further bucket.
   */
  @ParameterizedTest
  @CsvSource({"1, 50, 150", "5, 180, 430", "36, 1100, 2800"})
  void takesNoMoreThanItMay(int buckets, int least, int most) {
    int allowed = 8 << 20;
    DayTable table = new DayTable(buckets, allowed);
    int series = 0;
    byte[] tags = new byte[12];
    while (true) {
      Arrays.fill(tags, 0, 4, (byte) 7);
      tags[9] = (byte) (series >> 16);
      tags[10] = (byte) (series >> 8);
      tags[11] = (byte) series;
      int found = table.find(tags, 0, tags.length);
      if (found == DayTable.FULL) {
        break;
      }
      assertThat(found).isEqualTo(series);
      series++;
    }
    assertThat(allowed / series).isBetween(least, most);
    assertThat(table.size()).isEqualTo(series);
    assertThat(table.inOrder()).hasSize(series);
    tags[9] = 0;
    tags[10] = 0;
    tags[11] = 5;
    assertThat(table.find(tags, 0, tags.length)).isEqualTo(5);
  }
}
