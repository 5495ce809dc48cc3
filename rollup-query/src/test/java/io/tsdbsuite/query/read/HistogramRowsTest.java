package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.Buckets;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.HistogramDataPoint;
import net.opentsdb.core.HistogramSeekableView;
import net.opentsdb.core.IllegalDataException;
import net.opentsdb.core.SimpleHistogram;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HistogramRowsTest {
  private static final StorageSchema SCHEMA = StorageSchema.defaults();
  private static final long HOUR = 3_600_000;
  private static final long BASE = 1_763_510_400_000L;
  private static final byte[] KEY =
      new RowKey(SCHEMA).encode(new byte[] {0, 0, 1}, BASE / 1000, new byte[] {0, 0, 1, 0, 0, 2});

  private TSDB tsdb;
  private HistogramCodecs codecs;
  private ScannedSeries series = new ScannedSeries(KEY, false);

  @BeforeEach
  void start() throws Exception {
    String config =
        "{\"io.tsdbsuite.histogram.SketchCodec\":7,"
            + "\"net.opentsdb.core.SimpleHistogramDecoder\":1}";
    Config conf = new Config(false);
    conf.overrideConfig("tsd.core.histograms.config", config);
    // It connects when it is first asked.
    tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), conf);
    tsdb.initializePlugins(false);
    codecs = HistogramCodecs.load(config);
  }

  /** However the times are cut, the sum is the same to the last bit. */
  @Test
  void theSketchesOfAllPartsAreTheSketchOfAllPoints() throws Exception {
    Random random = new Random(Seed.VALUE);
    Sketch all = new Sketch();
    List<KeyValue> row = new ArrayList<>();
    for (int second = 0; second < 3600; second += 1 + random.nextInt(20)) {
      double value = Math.exp(20 * random.nextDouble()) * (random.nextInt(3) - 1);
      all.add(value);
      row.add(point(second, value));
    }
    row.add(point(3599, Double.NaN));
    for (long width : new long[] {HOUR, 600_000, 60_000, 1000}) {
      series = new ScannedSeries(KEY, false);
      long cut = BASE + random.nextInt(3600) * 1000L;
      raw(TimeRanges.of(BASE, cut), width).read(row, series);
      ScannedSeries other = new ScannedSeries(KEY, false);
      raw(TimeRanges.of(cut, BASE + HOUR), width).read(row, other);
      if (other.histograms != null) {
        series.histograms.addAll(other.histograms);
      }
      Sketch sum = new Sketch();
      for (HistogramDataPoint part : histograms()) {
        byte[] bytes = part.getRawData(false);
        sum.add(bytes, 0, bytes.length);
      }
      assertThat(sum.bytes()).as(Seed.describe() + width).isEqualTo(all.bytes());
    }
  }

  /** As the rollups of the parts: the cells alone. */
  @Test
  void ofAPartWithHistogramCellsThePointsDoNotCount() {
    List<KeyValue> row =
        List.of(point(100, 5), point(700, 6), cell(300, 7, sketch(50)), cell(400, 7, sketch(60)));
    raw(TimeRanges.of(BASE, BASE + HOUR), 600_000).read(row, series);
    assertThat(histograms())
        .extracting(each -> each.timestamp() - BASE)
        .containsExactly(300_000L, 400_000L, 700_000L);
    assertThat(count()).isEqualTo(3);

    series = new ScannedSeries(KEY, false);
    raw(TimeRanges.of(BASE, BASE + HOUR), HOUR).read(row, series);
    assertThat(histograms()).hasSize(2);

    // Only what is of the piece.
    series = new ScannedSeries(KEY, false);
    raw(TimeRanges.of(BASE, BASE + 200_000), HOUR).read(row, series);
    assertThat(histograms()).extracting(each -> each.timestamp() - BASE).containsExactly(100_000L);
    assertThat(series.histograms.bound()).isEqualTo(10);
  }

  /** Of a calendar whose buckets depend on the first point, too. */
  @Test
  void noPartHasTimesOfTwoBuckets() {
    Map<String, Long> calendars = Map.of("7sc-sum", 1000L, "700msc-sum", 1L, "7mc-sum", 60_000L);
    calendars.forEach(
        (spec, width) ->
            assertThat(
                    HistogramReader.parts(new DownsamplingSpecification(spec), HOUR, null)
                        .applyAsLong(BASE + 2 * width - 1))
                .as(spec)
                .isEqualTo(BASE + 2 * width));
    DownsamplingSpecification spec = new DownsamplingSpecification("90m-sum");
    LongUnaryOperator parts = HistogramReader.parts(spec, HOUR, Buckets.every(90 * 60_000));
    assertThat(parts.applyAsLong(BASE + HOUR - 1)).isEqualTo(BASE + HOUR);
    assertThat(parts.applyAsLong(BASE + HOUR)).isEqualTo(BASE + 90 * 60_000);
  }

  @Test
  void aPartOfTooManyBinsIsSeveralSketches() {
    List<KeyValue> row = new ArrayList<>();
    for (int i = 0; i < 3600; i++) {
      row.add(point(i, Math.pow(1.03, i)));
      row.add(millis(i, -Math.pow(1.03, i)));
    }
    raw(TimeRanges.of(BASE, BASE + HOUR), HOUR).read(row, series);
    assertThat(histograms().size()).isGreaterThan(1);
    assertThat(count()).isEqualTo(7200);
  }

  @Test
  void whatCannotBeReadIsAnErrorAndNoHole() {
    TimeRanges hour = TimeRanges.of(BASE, BASE + HOUR);
    assertThatThrownBy(
            () -> raw(hour, HOUR).read(List.of(point(5, Double.POSITIVE_INFINITY)), series))
        .isInstanceOf(IllegalDataException.class)
        .hasMessageContaining("values must be finite");
    byte[] two = ByteBuffer.allocate(5).put((byte) 6).putInt(5000).array();
    KeyValue sameInstant = new KeyValue(KEY, TSDB.FAMILY(), two, BASE, value(7, sketch(1)));
    assertThatThrownBy(
            () -> raw(hour, HOUR).read(List.of(cell(5, 7, sketch(1)), sameInstant), series))
        .isInstanceOf(IllegalDataException.class)
        .hasMessageContaining("two at millisecond 5000");
    assertThatThrownBy(() -> raw(hour, HOUR).read(List.of(cell(5, 9, sketch(1))), series))
        .isInstanceOf(IllegalDataException.class)
        .hasMessageContaining("codec id 9");
    assertThatThrownBy(() -> stored(hour).read(List.of(cell(0, 7, new byte[] {1})), series))
        .isInstanceOf(IllegalDataException.class);
    assertThatThrownBy(() -> stored(hour).read(List.of(cell(5, 7, sketch(1))), series))
        .isInstanceOf(IllegalDataException.class)
        .hasMessageContaining("must begin at a multiple of 3600000 ms");
    // Cells outside of the piece are not decoded.
    stored(TimeRanges.of(BASE + HOUR, BASE + 2 * HOUR))
        .read(List.of(cell(5, 9, new byte[0])), series);
    assertThat(series.histograms == null || series.histograms.codecs().isEmpty()).isTrue();
  }

  @Test
  void nativeHistogramsStayAsTheyAre() {
    SimpleHistogram histogram = new SimpleHistogram(1);
    histogram.addBucket(1f, 2f, 5L);
    byte[] bytes = histogram.histogram(false);
    stored(TimeRanges.of(BASE, BASE + HOUR)).read(List.of(cell(0, 1, bytes)), series);
    assertThat(histograms()).extracting(each -> each.percentile(50)).containsExactly(1.5);
    assertThat(series.histograms.bound()).as("no sketch").isZero();
    assertThat(series.bytes()).as("heap").isGreaterThan(12L * bytes.length);
  }

  private HistogramRows raw(TimeRanges pieces, long width) {
    return HistogramRows.raw(
        tsdb, SCHEMA, codecs, pieces, time -> (time / width + 1) * width, false);
  }

  private HistogramRows stored(TimeRanges pieces) {
    return HistogramRows.stored(tsdb, SCHEMA, codecs, pieces, HOUR);
  }

  private List<HistogramDataPoint> histograms() {
    List<HistogramDataPoint> all = new ArrayList<>();
    if (series.histograms.finish(List.of())) {
      for (HistogramSeekableView view = series.histograms.iterator(); view.hasNext(); ) {
        all.add(view.next().clone());
      }
    }
    return all;
  }

  private long count() {
    Sketch sum = new Sketch();
    for (HistogramSeekableView view = series.histograms.iterator(); view.hasNext(); ) {
      byte[] bytes = view.next().getRawData(false);
      sum.add(bytes, 0, bytes.length);
    }
    return sum.count();
  }

  private static byte[] sketch(double value) {
    Sketch sketch = new Sketch();
    sketch.add(value);
    return sketch.bytes();
  }

  private static KeyValue cell(int second, int codec, byte[] bytes) {
    byte[] qualifier = ByteBuffer.allocate(3).put((byte) 6).putShort((short) second).array();
    return new KeyValue(KEY, TSDB.FAMILY(), qualifier, BASE, value(codec, bytes));
  }

  private static byte[] value(int codec, byte[] bytes) {
    return ByteBuffer.allocate(1 + bytes.length).put((byte) codec).put(bytes).array();
  }

  private static KeyValue point(int second, double value) {
    return new KeyValue(
        KEY, TSDB.FAMILY(), Qualifier.ofSeconds(second, true, 8), BASE, Values.encodeDouble(value));
  }

  private static KeyValue millis(int second, double value) {
    return new KeyValue(
        KEY,
        TSDB.FAMILY(),
        Qualifier.ofMillis(second * 1000 + 500, true, 8),
        BASE,
        Values.encodeDouble(value));
  }
}
