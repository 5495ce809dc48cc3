package io.tsdbsuite.rollup.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Rollups and the raw points of their series. */
class RawRollupsTest {
  /** 2025-11-18T00:00:00Z. */
  private static final int DAY = 1763424000;

  private static final StorageSchema SALTED =
      StorageSchema.from(
          TsdConfig.parse("")
              .with("tsd.storage.salt.width", "1")
              .with("tsd.storage.salt.buckets", "4"));

  private final TestRawTable data = new TestRawTable();

  /** A row in a salt bucket, right or not. */
  private static byte[] key(int bucket, int time) {
    return ByteBuffer.allocate(14)
        .put((byte) bucket)
        .put(new byte[] {0, 0, 7})
        .putInt(time)
        .put(new byte[] {0, 0, 1, 0, 0, 1})
        .array();
  }

  private boolean makes(long time, long seconds, double sum, double min, double max, double count)
      throws IOException {
    return new RawRollups(data.table(), SALTED, HistogramCodecs.NONE, DAY)
        .wrong(
            new RawRollups.Rollup(key(0, DAY), time, seconds, sum, min, max, count, Map.of(), null))
        .isEmpty();
  }

  @Test
  void aDayIsReadFromAllItsHoursAndSaltBuckets() throws IOException {
    data.put(key(3, DAY), 0, 1).put(key(0, DAY), 60, 2).put(key(1, DAY + 82800), 3599, 4);
    assertThat(makes(DAY, 86400, 7, 1, 4, 3)).isTrue();
    assertThat(data.gets()).isEqualTo(RawRollups.rows(SALTED, 86400)).isEqualTo(96);
    assertThat(makes(DAY, 86400, 7, 1, 4, 4)).isFalse();
    assertThat(makes(DAY, 86400, 7, 2, 4, 3)).isFalse();
    assertThat(makes(DAY, 86400, 7, 1, 3, 3)).isFalse();
    assertThat(makes(DAY, 86400, Math.nextUp(7.0), 1, 4, 3)).as("the last bit").isFalse();
  }

  @Test
  void minutesAreAPartOfAnHour() throws IOException {
    data.put(key(0, DAY), 599, 1).put(key(0, DAY), 600, 2).put(key(0, DAY), 1200, 4);
    assertThat(makes(DAY, 600, 1, 1, 1, 1)).isTrue();
    assertThat(makes(DAY + 600, 600, 2, 2, 2, 1)).isTrue();
    assertThat(makes(DAY + 1200, 600, 4, 4, 4, 1)).isTrue();
    assertThat(makes(DAY + 1800, 600, 0, 0, 0, 0)).as("no points").isFalse();
  }

  @Test
  void whatMayHaveExpiredProvesNothing() throws IOException {
    data.put(key(0, DAY - 3600), 0, 1);
    assertThat(makes(DAY - 3600, 3600, 1, 1, 1, 1)).isFalse();
    assertThat(makes(DAY - 3600, 7200, 1, 1, 1, 1)).isFalse();
    data.put(key(0, DAY + 7200), 0, 1);
    RawRollups.Rollup rollup =
        new RawRollups.Rollup(key(0, DAY), DAY + 7200, 3600, 1, 1, 1, 1, Map.of(), null);
    assertThat(new RawRollups(data.table(), SALTED, HistogramCodecs.NONE, DAY).wrong(rollup))
        .isEmpty();
    assertThat(new RawRollups(data.table(), SALTED, HistogramCodecs.NONE, DAY + 3600).wrong(rollup))
        .as("late points of its day are not masked any more")
        .isNotEmpty();
  }

  @Test
  void rowsThatATsdMayReadOtherwiseProveNothing() throws IOException {
    byte[] zero = {0, 0};
    data.put(key(0, DAY), 0, 1).put(key(1, DAY), zero, new byte[] {2}, 1);
    assertThat(makes(DAY, 3600, 1, 1, 1, 1)).as("two points of one time").isFalse();
    assertThat(makes(DAY, 3600, 2, 2, 2, 1)).isFalse();
    byte[] aFloat = {0, 0xb};
    byte[] nan = ByteBuffer.allocate(4).putFloat(Float.NaN).array();
    data.put(key(0, DAY + 3600), aFloat, nan, 1).put(key(0, DAY + 3600), 60, 3);
    assertThat(makes(DAY + 3600, 3600, 3, 3, 3, 1)).as("NaN").isFalse();
    data.put(key(0, DAY + 7200), 60, 3).put(key(0, DAY + 7200), zero, new byte[] {1, 2}, 1);
    assertThat(makes(DAY + 7200, 3600, 3, 3, 3, 1)).as("a corrupt cell").isFalse();
  }

  private Set<String> wrong(int time, Map<String, Double> further) throws IOException {
    double sum = time == DAY ? 107 : 7;
    return new RawRollups(data.table(), SALTED, HistogramCodecs.NONE, DAY)
        .wrong(new RawRollups.Rollup(key(0, DAY), time, 7200, sum, 1, sum - 7, 5, further, null));
  }

  @Test
  void furtherValuesAreThoseOfTheTsdToTheLastBit() throws IOException {
    data.put(key(3, DAY), 0, 4).put(key(0, DAY), 60, 1).put(key(1, DAY), 3599, 100);
    data.put(key(0, DAY + 3600), 10, 1).put(key(0, DAY + 3600), 20, 1);
    Map<String, Double> right =
        Map.of("first", 4.0, "last", 1.0, "p50", 1.0, "p75", 52.0, "p99", 100.0);
    assertThat(wrong(DAY, right)).isEmpty();
    for (String name : right.keySet()) {
      Map<String, Double> others = new HashMap<>(right);
      others.put(name, Math.nextUp(right.get(name)));
      assertThat(wrong(DAY, others)).containsExactly(name);
      others.put(name, Double.NaN);
      assertThat(wrong(DAY, others)).as("not there").containsExactly(name);
    }
    assertThat(wrong(DAY + 3600, right))
        .as("other points")
        .contains(SeenRollups.FOUR, "first", "p75", "p99");
    assertThat(wrong(DAY - 7200, right)).as("expired").hasSize(6);
  }

  private Set<String> wrong(int time, byte[] histogram) throws IOException {
    HistogramCodecs codecs =
        HistogramCodecs.load(
            "{\"%s\":43,\"%s\":42}".formatted(HistogramCodecs.SKETCH, HistogramCodecs.SIMPLE));
    return new RawRollups(data.table(), SALTED, codecs, DAY)
        .wrong(new RawRollups.Rollup(key(0, DAY), time, 7200, 3, 1, 2, 2, Map.of(), histogram));
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return ByteBuffer.allocate(1 + sketch.bytes().length)
        .put((byte) 43)
        .put(sketch.bytes())
        .array();
  }

  @Test
  void aSketchIsThatOfThePointsToTheLastBit() throws IOException {
    data.put(key(3, DAY), 0, 1).put(key(0, DAY + 3600), 60, 2);
    assertThat(wrong(DAY, sketch(1, 2))).isEmpty();
    assertThat(wrong(DAY, sketch(2, 1))).isEmpty();
    assertThat(wrong(DAY, sketch(1, 1))).containsExactly("histogram");
    assertThat(wrong(DAY, new byte[0])).as("not there").containsExactly("histogram");
    byte[] other = sketch(1, 2);
    other[0] = 44;
    assertThat(wrong(DAY, other)).as("another id").containsExactly("histogram");
    assertThat(wrong(DAY + 7200, sketch())).as("no points").contains("histogram");
  }

  /** In the table of raw data: the codec's id, then the bytes. */
  private void histogram(int bucket, int time, int offset, byte[] value) {
    data.put(key(bucket, time), HistogramColumn.of(offset), value, 1);
  }

  @Test
  void histogramsOfRawRowsAreSummedUp() throws IOException {
    histogram(0, DAY, 10, sketch(1, 5));
    histogram(2, DAY + 3600, 3599, sketch(7));
    histogram(0, DAY + 7200, 0, sketch(100));
    assertThat(wrong(DAY, sketch(1, 5, 7))).containsExactly(SeenRollups.FOUR);
    assertThat(wrong(DAY, sketch(1, 5, 7, 100))).contains("histogram");
  }

  /** A TSD reads them otherwise, or the sketch says nothing of the points. */
  @Test
  void histogramsThatARunDoesNotStoreProveNothing() throws IOException {
    data.put(key(3, DAY), 0, 1).put(key(0, DAY + 3600), 60, 2);
    histogram(0, DAY, 10, sketch(5));
    assertThat(wrong(DAY, sketch(5))).as("beside points").containsExactly("histogram");
    histogram(0, DAY + 7200, 10, sketch(5));
    histogram(1, DAY + 7200, 10, sketch(5));
    assertThat(wrong(DAY + 7200, sketch(5, 5))).as("one instant twice").contains("histogram");
    histogram(0, DAY + 14400, 10, new byte[] {43, 9});
    assertThat(wrong(DAY + 14400, sketch(5))).as("corrupt").contains("histogram");
    histogram(0, DAY + 21600, 10, new byte[] {7, 9});
    assertThat(wrong(DAY + 21600, sketch(5))).as("no codec").contains("histogram");
    byte[] nan = ByteBuffer.allocate(4).putFloat(Float.NaN).array();
    data.put(key(0, DAY + 25200), new byte[] {0, 0xb}, nan, 1).put(key(0, DAY + 25200), 60, 3);
    assertThat(wrong(DAY + 25200, sketch(3))).as("NaN").contains("histogram");
    histogram(0, DAY + 28800, 10, new byte[0]);
    data.put(key(3, DAY + 28800), 0, 1).put(key(0, DAY + 28800), 60, 2);
    assertThat(wrong(DAY + 28800, sketch(1, 2)))
        .as("the points are good")
        .containsExactly("histogram");
  }
}
