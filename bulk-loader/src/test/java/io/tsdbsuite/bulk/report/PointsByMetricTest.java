package io.tsdbsuite.bulk.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PointsByMetricTest {
  @Test
  void manyMetricsThatComeOnceAreExactInLittleMemory() {
    long seed = Seed.VALUE;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    PointsByMetric.Sorted sorted = new PointsByMetric.Sorted();
    TreeMap<String, Long> all = new TreeMap<>();
    long total = 0;
    int many = Seed.times(100_000, 1_000_000);
    for (int i = 0; i < many; i++) {
      String metric = "metric." + i;
      long points = 0;
      for (int series = random.nextInt(3); series >= 0; series--) {
        long more = random.nextInt(1, 1_000_000_000);
        sorted.add(metric + " host=" + series, more);
        points += more;
      }
      all.put(metric, points);
      total += points;
    }
    PointsByMetric sums = sorted.end();

    assertThat(sums.isExact()).isTrue();
    assertThat(sums.metrics()).isEqualTo(many);
    assertThat(sums.total()).isEqualTo(total);
    assertThat(sums.largest(20))
        .isEqualTo(
            all.entrySet().stream()
                .map(entry -> new PointsByMetric.Entry(entry.getKey(), entry.getValue()))
                .sorted(
                    Comparator.comparingLong(PointsByMetric.Entry::points)
                        .reversed()
                        .thenComparing(PointsByMetric.Entry::metric))
                .limit(20)
                .toList());
    assertThat(sums.largest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(PointsByMetric.MOST);
  }

  @Test
  void aNameThatBeginsAnotherIsAnotherMetric() {
    PointsByMetric.Sorted sorted = new PointsByMetric.Sorted();
    sorted.add("disk a=b", 1);
    sorted.add("disk a=c", 2);
    sorted.add("disk.used a=b", 4);
    sorted.add("d a=b", 8);
    assertThat(sorted.end().largest(9))
        .containsExactly(
            new PointsByMetric.Entry("d", 8),
            new PointsByMetric.Entry("disk.used", 4),
            new PointsByMetric.Entry("disk", 3));
  }

  @Test
  void unitsWithFewMetricsAreExactTogether() {
    PointsByMetric all = new PointsByMetric();
    for (int unit = 0; unit < 100; unit++) {
      PointsByMetric one = new PointsByMetric();
      for (int metric = 0; metric < 1500; metric++) {
        one.add("m" + metric, metric);
      }
      all.add(one);
    }
    assertThat(all.isExact()).isTrue();
    assertThat(all.metrics()).isEqualTo(1500);
    assertThat(all.largest(1)).isEqualTo(List.of(new PointsByMetric.Entry("m1499", 149_900)));
  }

  @Test
  void unitsWithTooManyMetricsSaySo() {
    PointsByMetric all = new PointsByMetric();
    long total = 0;
    for (int unit = 0; unit < 3; unit++) {
      PointsByMetric one = new PointsByMetric();
      for (int metric = 0; metric < 5000; metric++) {
        long points = metric == 77 ? 1_000_000 : 1 + metric % 5;
        one.add("m" + metric, points);
        total += points;
      }
      all.add(one);
    }
    assertThat(all.isExact()).isFalse();
    assertThat(all.metrics()).isEqualTo(-1);
    assertThat(all.total()).isEqualTo(total);
    assertThat(all.largest(1)).isEqualTo(List.of(new PointsByMetric.Entry("m77", 3_000_000)));
    assertThat(all.largest(Integer.MAX_VALUE)).hasSizeLessThanOrEqualTo(PointsByMetric.MOST);
  }
}
