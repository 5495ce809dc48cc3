package io.tsdbsuite.bulk.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.report.PointsByMetric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

class CoverageMasksTest {
  private static final String ALL = "*";
  private static final long DAY = 86_400;

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

  /** The rollups of other series are all that is left of such a day. */
  @Test
  void daysThatTheTtlMayHaveTakenAreNotMasked() {
    List<Integer> days = List.of(90, 100, 101, 103);
    long now = 110 * DAY;
    assertThat(CoverageMasks.masked(days, HConstants.FOREVER, now)).isEqualTo(days);
    assertThat(CoverageMasks.masked(days, 10 * DAY, now)).containsExactly(101, 103);
    assertThat(CoverageMasks.masked(days, 10 * DAY + 1, now)).containsExactly(101, 103);
    assertThat(CoverageMasks.masked(days, 11 * DAY, now)).containsExactly(100, 101, 103);
    assertThat(CoverageMasks.masked(days, DAY, now)).isEmpty();
    assertThat(CoverageMasks.masks(Set.of("a"), List.of())).isEmpty();

    assertThat(CoverageMasks.warnings("cov", Set.of("a"), 2, 0))
        .singleElement()
        .asString()
        .startsWith("2 days of this load have no masks in table cov");
    assertThat(CoverageMasks.warnings("cov", Set.of("a"), 0, 2))
        .singleElement()
        .asString()
        .startsWith("queries read raw data of 1 metrics");
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
    CoverageMasks masks =
        new CoverageMasks(
            Map.of("row", "column"), () -> true, written::add, () -> now[0], time -> {});

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

  @Test
  void aTableThatIsMadeMeanwhileGetsThem() {
    List<Map<String, String>> written = new ArrayList<>();
    AtomicBoolean exists = new AtomicBoolean();
    CoverageMasks masks =
        new CoverageMasks(
            Map.of("row", "column"), exists::get, written::add, () -> Instant.EPOCH, time -> {});
    masks.renew();
    assertThat(written).isEmpty();
    exists.set(true);
    masks.close();
    assertThat(written).hasSize(1);
  }

  @Test
  void aLoadThatFailsIsMaskedAfterItIfItMayHaveWritten() {
    List<Map<String, String>> written = new ArrayList<>();
    List<Instant> times = new ArrayList<>();
    Consumer<Map<String, String>> sink =
        masks -> {
          written.add(masks);
          if (written.size() == 2) {
            throw new IllegalStateException("of the masks");
          }
        };
    CoverageMasks masks =
        new CoverageMasks(
            Map.of("row", "column"), () -> true, sink, () -> Instant.EPOCH, times::add);
    assertThatThrownBy(() -> failing(masks, () -> {})).hasMessage("of the load");
    assertThat(written).as("no row was written").isEmpty();
    assertThatThrownBy(() -> failing(masks, masks::renew))
        .hasMessage("of the load")
        .satisfies(
            e -> assertThat(e.getSuppressed()).singleElement().asString().contains("of the masks"));
    assertThat(written).hasSize(2);
    // A rollup must be proven as of more than a minute after the mask.
    assertThat(times).containsExactly(Instant.ofEpochSecond(61));
  }

  @Test
  void aSnapshotIsHiddenForAMinuteAfterTheLastMask() {
    List<Instant> times = new ArrayList<>();
    Instant[] now = {Instant.ofEpochMilli(1_001)};
    CoverageMasks masks =
        new CoverageMasks(
            Map.of("row", "column"),
            () -> true,
            // HBase may have written it at the end.
            written -> now[0] = now[0].plusMillis(998),
            () -> now[0],
            times::add);
    masks.write();
    masks.close();
    assertThat(times).containsExactly(Instant.ofEpochSecond(62), Instant.ofEpochSecond(63));
  }

  private static void failing(CoverageMasks masks, Runnable before) {
    try (masks) {
      before.run();
      throw new IllegalArgumentException("of the load");
    }
  }
}
