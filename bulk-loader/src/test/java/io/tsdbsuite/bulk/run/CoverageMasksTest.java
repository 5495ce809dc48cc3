package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.report.PointsByMetric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CoverageMasksTest {
  private static final String ALL = "*";

  private static PointsByMetric metrics(int howMany) {
    PointsByMetric metrics = new PointsByMetric();
    IntStream.range(0, howMany).forEach(i -> metrics.add("m" + i, 7));
    return metrics;
  }

  @Test
  void eachRunOfDaysOfAMetricIsAMask() {
    assertThat(CoverageMasks.masks(new TreeSet<>(Set.of("a", "b")), List.of(100, 101, 103)))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "mask/0008640000/a", "lost/*/0008812800",
                "mask/0008899200/a", "lost/*/0008985600",
                "mask/0008640000/b", "lost/*/0008812800",
                "mask/0008899200/b", "lost/*/0008985600"));
  }

  @Test
  void withTooManyTheDaysBetweenAreMaskedToo() {
    Set<String> names = CoverageMasks.names(metrics(CoverageMasks.MOST));
    assertThat(CoverageMasks.masks(names, List.of(0, 2)))
        .hasSize(CoverageMasks.MOST)
        .containsEntry("mask/0000000000/m7", "lost/*/0000259200");
  }

  @Test
  void withTooManyMetricsAllAreMasked() {
    assertThat(CoverageMasks.names(metrics(CoverageMasks.MOST))).hasSize(CoverageMasks.MOST);
    assertThat(CoverageMasks.names(metrics(CoverageMasks.MOST + 1))).containsExactly(ALL);
  }

  @Test
  void metricsThatABookOfManyTasksHasDroppedAreMasked() {
    PointsByMetric one = metrics(PointsByMetric.MOST + 1);
    PointsByMetric sum = new PointsByMetric();
    sum.add(one);
    assertThat(sum.largest(PointsByMetric.MOST)).hasSizeLessThan(PointsByMetric.MOST);
    assertThat(CoverageMasks.names(sum)).containsExactly(ALL);
  }

  @Test
  void aMetricWithoutMasksOfItsOwnHasThoseOfAll() {
    PointsByMetric metrics = metrics(2);
    metrics.add("x".repeat(513), 1);
    assertThat(CoverageMasks.names(metrics)).containsExactly(ALL);
  }

  @Test
  void masksAreWrittenBeforeTheFirstRowAndEveryTenSeconds() {
    List<Map<String, String>> written = new ArrayList<>();
    Instant[] now = {Instant.EPOCH};
    CoverageMasks masks = new CoverageMasks(Map.of("row", "column"), written::add, () -> now[0]);

    masks.renew();
    now[0] = Instant.ofEpochMilli(9_999);
    masks.renew();
    assertThat(written).containsExactly(Map.of("row", "column"));
    now[0] = Instant.ofEpochMilli(10_000);
    masks.renew();
    assertThat(written).hasSize(2);
    now[0] = Instant.ofEpochMilli(3_000);
    masks.renew();
    assertThat(written).as("the clock was set back").hasSize(3);
    masks.write();
    assertThat(written).hasSize(4);
  }
}
