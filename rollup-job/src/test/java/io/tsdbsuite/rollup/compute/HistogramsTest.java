package io.tsdbsuite.rollup.compute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.message.write.RollupValues;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.Count;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.MetricRows;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.sink.RollupSink;
import io.tsdbsuite.rollup.sink.SinkException;
import io.tsdbsuite.rollup.uid.UidNames;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Histograms of rows of some days, through {@link RowRoller}, against a simple model. */
class HistogramsTest {
  private static final int HOUR = 3600;
  private static final int DAY = 24 * HOUR;
  private static final int START = 20_000 * DAY;
  private static final int NAMELESS = 9;
  private static final byte SKETCH = 7;
  private static final byte SIMPLE = 1;
  private static final byte OTHER = 2;
  private static final byte UNKNOWN = 3;

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4, "p50": 10},
           "intervals": [
            {"table": "t", "preAggregationTable": "p", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "10m", "rowSpan": "1d"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d"},
            {"table": "t3", "preAggregationTable": "p3", "interval": "1d", "rowSpan": "1n"},
            {"table": "t4", "preAggregationTable": "p4", "interval": "6h", "rowSpan": "1n"}],
           "suite": {
            "values": [{"metrics": "m1", "intervals": "1h", "aggregators": "p50"}],
            "histograms": [
             {"metrics": "m2", "intervals": "1h"},
             {"metrics": "m3", "intervals": "1d"},
             {"metrics": "!m4", "intervals": "10m,1h,6h,1d"}],
            "histogramTables": {"10m": "h1", "1h": "h2", "6h": "h4", "1d": "h3"}}}
          """);

  private record Emitted(int metric, String interval, long time) {}

  private final Map<Emitted, RollupValues> emitted = new HashMap<>();
  private Books books = new Books();
  private final RollupSink sink = new Log();
  private RowRoller roller = roller(1 << 24, "10m", "1h", "6h", "1d");

  private static RowRoller roller(long dayBytes, String... intervals) {
    List<RollupInterval> some = Stream.of(intervals).map(CONFIG::interval).toList();
    UidNames names =
        (kind, uid, out) -> {
          out.set((kind.qualifier().charAt(0) + "" + uid).getBytes(StandardCharsets.ISO_8859_1));
          return uid != NAMELESS;
        };
    try {
      HistogramCodecs codecs =
          HistogramCodecs.load(
              "{\"%s\": %s, \"%s\": %s, \"com.example.Codec\": %s}"
                  .formatted(
                      HistogramCodecs.SKETCH, SKETCH, HistogramCodecs.SIMPLE, SIMPLE, OTHER));
      return new RowRoller(
          StorageSchema.defaults(),
          new RollupIntervals(some, CONFIG.suite(), codecs),
          names,
          false,
          dayBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Log extends EmitOnlySink {
    @Override
    public void emit(RollupPoint point) {
      RollupValues values = new RollupValues();
      values.set(point.rollup());
      assertThat(values.isFinite()).isTrue();
      int metric = point.rowArray()[point.rowOffset() + 2];
      Emitted key = new Emitted(metric, point.interval(), point.timestamp() - START);
      // Tests look at those of the first host.
      if (point.rowArray()[point.rowOffset() + 12] == 1) {
        assertThat(emitted.put(key, values)).isNull();
      }
    }
  }

  private static byte[] row(int metric, int time, int host) {
    return ByteBuffer.allocate(3 + 4 + 6)
        .put(2, (byte) metric)
        .putInt(3, START + time)
        .put(9, (byte) 1)
        .putShort(11, (short) host)
        .array();
  }

  private void begin(byte[] row) throws SinkException {
    boolean entered = false;
    while (!entered) {
      entered = roller.enter(row, 0, row.length, sink, books);
    }
    roller.restart();
  }

  private void end(byte[] row, boolean takeBack) throws SinkException {
    roller.roll(row, 0, row.length, takeBack, null, sink, books);
  }

  private void points(double... values) {
    for (int i = 0; i < values.length; i++) {
      point(i, values[i]);
    }
  }

  private void point(int second, double value) {
    byte[] qualifier = ByteBuffer.allocate(2).putShort((short) ((second << 4) | 0xf)).array();
    roller.cell(qualifier, 0, 2, ByteBuffer.allocate(8).putDouble(value).array(), 0, 8, 1);
  }

  private void cell(int second, byte codec, byte[] payload) {
    byte[] value = ByteBuffer.allocate(1 + payload.length).put(codec).put(payload).array();
    byte[] qualifier = {6, (byte) (second >> 8), (byte) second};
    roller.cell(qualifier, 0, 3, value, 0, value.length, 1);
  }

  /** One bucket with a count below 128. */
  private static byte[] simple(int from, int count) {
    return ByteBuffer.allocate(2 + 4 + 4 + 3)
        .putShort((short) 1)
        .putFloat(from)
        .putFloat(from + 10)
        .put((byte) count)
        .put((byte) 0)
        .put((byte) 0)
        .array();
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return sketch.bytes();
  }

  private void finish() throws SinkException {
    boolean more = true;
    while (more) {
      more = roller.finish(sink, books);
    }
    assertThat(books.close()).as("%s", books.samples()).isTrue();
  }

  private RollupValues rollup(int metric, String interval, int time) {
    return Objects.requireNonNull(emitted.get(new Emitted(metric, interval, time)));
  }

  /** What a bucket has. */
  private static final class Model {
    private final List<Double> points = new ArrayList<>();
    private final List<byte[]> cells = new ArrayList<>();

    byte[] histogram() {
      if (cells.isEmpty()) {
        return sketch(points.stream().mapToDouble(Double::doubleValue).toArray());
      }
      HistogramMerger merger = Objects.requireNonNull(HistogramMerger.of(HistogramCodecs.SIMPLE));
      cells.forEach(each -> merger.add(each, 0, each.length));
      return merger.bytes();
    }
  }

  private static boolean has(int metric, String interval) {
    return switch (metric) {
      case 2 -> interval.equals("1h");
      case 3 -> interval.equals("1d");
      case 4, NAMELESS -> false;
      default -> true;
    };
  }

  /**
   * Rows with points, with histogram cells, and with both, of metrics with all intervals or some.
   */
  @Test
  void histogramsAreThoseOfAllOfTheirBucket() throws Exception {
    Random random = Seed.random();
    Map<Emitted, Model> model = new HashMap<>();
    int rows = 0;
    int alone = 0;
    for (int metric : new int[] {1, 2, 3, 4, 5, 6}) {
      for (int hour = 0; hour < 48; hour++) {
        int kind = random.nextInt(5);
        if (kind == 0) {
          continue;
        }
        rows++;
        byte[] row = row(metric, hour * HOUR, 1);
        begin(row);
        boolean cells = kind > 2 || metric == 6;
        for (int second = random.nextInt(60); second < HOUR; second += 1 + random.nextInt(300)) {
          double value = random.nextInt(20) == 0 ? Double.NaN : random.nextGaussian() * 100;
          int from = 10 * random.nextInt(5);
          int count = 1 + random.nextInt(100);
          boolean both = cells && metric != 6 && random.nextBoolean();
          if (!cells || both) {
            point(second, value);
          }
          if (cells) {
            cell(second, SIMPLE, simple(from, count));
          }
          int time = hour * HOUR + second;
          for (RollupInterval interval : CONFIG.intervals()) {
            String name = interval.interval();
            if (name.equals("1s")) {
              continue;
            }
            long begin = time - time % interval.seconds();
            boolean selected = has(metric, name);
            boolean point = (!cells || both) && !Double.isNaN(value);
            if (point || (cells && selected)) {
              Model bucket =
                  model.computeIfAbsent(new Emitted(metric, name, begin), any -> new Model());
              if (point) {
                bucket.points.add(value);
              }
              if (cells && selected) {
                bucket.cells.add(simple(from, count));
              }
            }
          }
        }
        end(row, false);
      }
    }
    finish();
    assertThat(books.rowsFailed()).isZero();
    assertThat(books.count(Count.ROWS_READ)).isEqualTo(rows);
    assertThat(emitted.keySet()).containsExactlyInAnyOrderElementsOf(model.keySet());
    Map<String, Long> levels = new TreeMap<>();
    Map<String, Long> histogramsAlone = new TreeMap<>();
    long mixed = 0;
    for (Map.Entry<Emitted, Model> each : model.entrySet()) {
      Emitted key = each.getKey();
      Model bucket = each.getValue();
      RollupValues values = emitted.get(key);
      assertThat(values.count()).as("%s", key).isEqualTo(bucket.points.size());
      boolean p50 = key.metric() == 1 && key.interval().equals("1h") && values.hasValues();
      assertThat(values.names()).isEqualTo(p50 ? List.of("p50") : List.of());
      if (p50) {
        levels.merge("1h.p50", 1L, Long::sum);
      }
      if (!has(key.metric(), key.interval())) {
        assertThat(values.codec()).isNull();
        continue;
      }
      levels.merge(key.interval() + ".histogram", 1L, Long::sum);
      assertThat(values.codec())
          .isEqualTo(bucket.cells.isEmpty() ? HistogramCodecs.SKETCH : HistogramCodecs.SIMPLE);
      assertThat(values.histogram()).as("%s", key).isEqualTo(bucket.histogram());
      if (bucket.points.isEmpty()) {
        histogramsAlone.merge(key.interval(), 1L, Long::sum);
        alone++;
      } else if (!bucket.cells.isEmpty()) {
        mixed++;
      }
    }
    assertThat(alone).isPositive();
    assertThat(books.furtherRollups()).isEqualTo(levels);
    assertThat(books.histogramsAlone()).isEqualTo(histogramsAlone);
    assertThat(BooksJson.read(BooksJson.counts(books)).histogramsAlone())
        .isEqualTo(books.histogramsAlone());
    assertThat(books.copy().histogramsAlone()).isEqualTo(books.histogramsAlone());
    assertThat(books.count(Count.HISTOGRAMS_MIXED)).isEqualTo(mixed).isPositive();
    assertThat(books.count(Count.HISTOGRAMS_TOO_WIDE)).isZero();
    assertThat(books.oddHistograms())
        .extracting(RunProof.OddMetric::uid)
        .isSubsetOf(1L, 2L, 3L, 5L)
        .isNotEmpty();
    assertThat(books.oddMetrics()).allMatch(each -> each.uid() != 6);
  }

  @Test
  void aRowOfHistogramsAloneIsEmittedIfItsMetricIsSelected() throws Exception {
    for (int metric : new int[] {2, 4, NAMELESS}) {
      byte[] row = row(metric, HOUR, 1);
      begin(row);
      cell(5, SIMPLE, simple(0, 3));
      end(row, false);
    }
    finish();
    RollupValues only = rollup(2, "1h", HOUR);
    assertThat(only.hasValues()).isFalse();
    assertThat(only.histogram()).isEqualTo(simple(0, 3));
    assertThat(emitted).hasSize(1);
    assertThat(books.count(Count.ROWS_EMITTED)).isEqualTo(1);
    assertThat(books.skipped(SkipReason.ANNOTATION_OR_HISTOGRAM)).isEqualTo(2);
    assertThat(books.count(Count.HISTOGRAMS)).isEqualTo(3);
    // A load may know the name, and claim its histograms.
    assertThat(books.oddMetrics())
        .containsExactly(new RunProof.OddMetric(NAMELESS, START + HOUR, START + 2 * HOUR));
  }

  /** A level of its own leaves the metric out; the four values are proven. */
  @Test
  void whatIsTooWideIsCounted() throws Exception {
    byte[] row = row(2, 0, 1);
    begin(row);
    for (int i = 0; i < 3600; i++) {
      point(i, (i % 2 == 0 ? 1 : -1) * Math.pow(1.5, i / 2 - 900));
    }
    end(row, false);
    for (int half = 0; half < 2; half++) {
      byte[] hour = row(5, DAY + half * HOUR, 1);
      begin(hour);
      for (int i = 0; i < 3600; i++) {
        point(i, (half == 0 ? 1 : -1) * Math.pow(1.2, i - 1800));
      }
      end(hour, false);
    }
    finish();
    assertThat(rollup(2, "1h", 0).codec()).isEqualTo(HistogramCodecs.SKETCH);
    assertThat(rollup(5, "1h", DAY).codec()).isEqualTo(HistogramCodecs.SKETCH);
    assertThat(rollup(5, "1d", DAY).codec()).isNull();
    assertThat(rollup(5, "1d", DAY).count()).isEqualTo(7200);
    assertThat(books.furtherRollups())
        .containsEntry("1h.histogram", 3L)
        .containsOnlyKeys("10m.histogram", "1h.histogram");
    assertThat(books.count(Count.HISTOGRAMS_TOO_WIDE)).isEqualTo(2);
    assertThat(books.oddHistograms())
        .containsExactly(new RunProof.OddMetric(5, START + DAY, START + 2 * DAY));
    assertThat(books.oddMetrics()).isEmpty();
  }

  /** An earlier run may have stored what points have made that are gone. */
  @Test
  void aChangedDayWithoutPointsThatIsTooWideIsTakenBack() throws Exception {
    for (boolean changed : new boolean[] {false, true}) {
      if (changed) {
        roller.takeBackDays();
        emitted.clear();
      }
      for (int half = 0; half < 2; half++) {
        byte[] row = row(5, DAY + half * HOUR, 1);
        begin(row);
        double[] values = new double[3600];
        for (int i = 0; i < values.length; i++) {
          values[i] = (half == 0 ? 1 : -1) * Math.pow(1.2, i - 1800);
        }
        cell(5, SKETCH, sketch(values));
        end(row, false);
      }
      finish();
      assertThat(emitted).hasSize(changed ? 6 : 4);
      assertThat(books.count(Count.ROLLUPS_TAKEN_BACK)).isEqualTo(changed ? 2 : 0);
      assertThat(books.rollups()).containsOnlyKeys("10m", "1h");
    }
    assertThat(rollup(5, "6h", DAY).isDeletion()).isTrue();
    assertThat(rollup(5, "1d", DAY).isDeletion()).isTrue();
  }

  private @Nullable FailReason failure(byte codec, byte[] payload, int metric)
      throws SinkException {
    byte[] row = row(metric, 0, 1);
    begin(row);
    points(1, 2);
    if (codec != OTHER) {
      cell(60, SIMPLE, simple(0, 3));
    }
    cell(70, codec, payload);
    long failed = books.rowsFailed();
    end(row, false);
    if (books.rowsFailed() == failed) {
      return null;
    }
    return Stream.of(FailReason.values())
        .filter(reason -> books.failed(reason) > 0)
        .filter(reason -> !reason.isOfDay())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aCellOfACodecWithoutIdOrMergerFailsItsRow() throws Exception {
    assertThat(failure(UNKNOWN, simple(0, 1), 2)).isEqualTo(FailReason.UNKNOWN_CODEC);
    assertThat(failure(OTHER, simple(0, 1), 3)).isEqualTo(FailReason.UNKNOWN_CODEC);
    finish();
    assertThat(emitted).isEmpty();
    assertThat(books.failed(FailReason.UNKNOWN_CODEC)).isEqualTo(2);
    assertThat(books.failed(FailReason.INCOMPLETE_DAY)).isEqualTo(2);
    assertThat(books.samples().get(FailReason.UNKNOWN_CODEC))
        .anyMatch(text -> text.endsWith("histogram codec 3 must be in tsd.core.histograms.config"))
        .anyMatch(text -> text.contains("com.example.Codec"));
  }

  @Test
  void corruptCellsAndTwoCodecsFailTheirRow() throws Exception {
    assertThat(failure(SKETCH, sketch(1), 2)).isEqualTo(FailReason.CORRUPT_CELL);
    assertThat(failure(SIMPLE, new byte[] {0}, 3)).isEqualTo(FailReason.CORRUPT_CELL);
    byte[] row = row(5, 0, 1);
    begin(row);
    cell(5, SIMPLE, simple(0, 3));
    byte[] millis = {6, 0, 0, 5000 >> 8, (byte) 5000};
    roller.cell(millis, 0, 5, new byte[] {SIMPLE, 0, 0, 0, 0}, 0, 5, 1);
    end(row, false);
    finish();
    assertThat(books.failed(FailReason.CORRUPT_CELL)).isEqualTo(3);
    assertThat(emitted).isEmpty();
  }

  /** They are only counted, as by a TSD that is not asked for percentiles. */
  @Test
  void cellsOfOtherMetricsAreNotLookedAt() throws Exception {
    assertThat(failure(UNKNOWN, new byte[0], 4)).isNull();
    finish();
    roller = roller(1 << 24, "10m", "1h");
    assertThat(failure(UNKNOWN, new byte[0], 3)).isNull();
    finish();
    assertThat(emitted).hasSize(4 + 2);
    assertThat(books.count(Count.HISTOGRAMS)).isEqualTo(4);
  }

  @Test
  void twoCodecsInTheHoursOfADayFailTheDay() throws Exception {
    for (int hour = 0; hour < 3; hour++) {
      byte[] row = row(5, hour * HOUR, 1);
      begin(row);
      cell(5, hour == 1 ? SKETCH : SIMPLE, hour == 1 ? sketch(1) : simple(0, 3));
      end(row, false);
    }
    finish();
    assertThat(books.rowsFailed()).isZero();
    assertThat(books.failed(FailReason.FAILED_DAY)).isEqualTo(1);
    assertThat(books.samples().get(FailReason.FAILED_DAY).get(0))
        .contains("the histograms of a bucket must have one codec");
    assertThat(emitted.keySet()).extracting(Emitted::interval).containsOnly("10m", "1h");
  }

  /** {@code tiers apply} adds up the cells of a row as a whole. */
  @Test
  void aRowWithTwoCodecsInDifferentBucketsIsEmittedAndStays() throws Exception {
    books = new Books(new MetricRows(null));
    roller = roller(1 << 24, "10m");
    for (int host = 1; host < 3; host++) {
      byte[] row = row(5, 0, host);
      begin(row);
      cell(5, SIMPLE, simple(0, 3));
      cell(605, host == 1 ? SKETCH : SIMPLE, host == 1 ? sketch(1) : simple(0, 3));
      end(row, false);
    }
    finish();
    assertThat(emitted).hasSize(2);
    assertThat(books.rollups()).isEqualTo(Map.of("10m", 4L));
    MetricRows rows = Objects.requireNonNull(books.metricRows());
    assertThat(rows.kept(MetricRows.Kept.HISTOGRAMS)).isEqualTo(1);
    assertThat(Objects.requireNonNull(rows.metrics().get(5L)).rows()).isEqualTo(1);
  }

  /** Buckets with nothing are taken back, those with cells alone are not. */
  @Test
  void aBucketWithoutPointsAndCellsIsTakenBack() throws Exception {
    roller = roller(1 << 24, "10m");
    byte[] row = row(5, 0, 1);
    begin(row);
    point(0, 1);
    cell(605, SIMPLE, simple(0, 3));
    end(row, true);
    finish();
    assertThat(emitted).hasSize(6);
    assertThat(rollup(5, "10m", 0).hasValues()).isTrue();
    assertThat(rollup(5, "10m", 600).isDeletion()).isFalse();
    for (int time = 1200; time < HOUR; time += 600) {
      assertThat(rollup(5, "10m", time).isDeletion()).isTrue();
    }
    assertThat(books.count(Count.ROLLUPS_TAKEN_BACK)).isEqualTo(4);
    assertThat(books.rollups()).isEqualTo(Map.of("10m", 2L));
  }

  @Test
  void moreHistogramsThanThereIsMemoryForIsSaid() {
    roller = roller(1 << 20, "1d");
    assertThatThrownBy(
            () -> {
              for (int host = 1; host < 3000; host++) {
                byte[] row = row(3, 0, host);
                begin(row);
                for (int i = 0; i < 300; i++) {
                  point(i, Math.pow(1.3, i));
                }
                end(row, false);
              }
            })
        .isInstanceOf(JobException.class)
        .hasMessageMatching(
            "metric UID 000003 \\(m3\\) has at least \\d+ series on 2024-10-04: suite.histograms of"
                + " rollup_config.json gives it histograms of 1d, for which the histograms of the"
                + " day are kept, and these need more than the 1 MiB that a task may take for"
                + " them; .*");
  }

  /** On the day on which clients change their codec each series has such a reason. */
  @Test
  void reasonsWhyHistogramsHaveNoSumTakeMemory() throws Exception {
    roller = roller(1 << 20, "1d");
    for (int hour = 0; hour < 2; hour++) {
      cells(hour * HOUR, SIMPLE, simple(0, 3));
    }
    cells(DAY, SIMPLE, simple(0, 3));
    assertThatThrownBy(() -> cells(DAY + HOUR, SKETCH, sketch(1)))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("need more than the 1 MiB that a task may take");
  }

  private void cells(int time, byte codec, byte[] payload) throws SinkException {
    for (int host = 0; host < 3000; host++) {
      // None that the sink takes for the first host.
      byte[] row = row(3, time, 2 * host);
      begin(row);
      cell(5, codec, payload);
      end(row, false);
    }
  }

  /** What a metric has taken is free for the next one; hours are merged, not collected. */
  @Test
  void theMemoryOfADayIsThatOfOneHour() throws Exception {
    roller = roller(1 << 18, "1d");
    for (int day = 0; day < 3; day++) {
      for (int hour = 0; hour < 24; hour++) {
        for (int host = 1; host < 100; host++) {
          byte[] row = row(3, day * DAY + hour * HOUR, host);
          begin(row);
          for (int i = 0; i < 200; i++) {
            point(i, Math.pow(1.3, i));
          }
          end(row, false);
        }
        emitted.clear();
      }
    }
    emitted.clear();
    assertThat(books.daysFailed()).isZero();
  }
}
