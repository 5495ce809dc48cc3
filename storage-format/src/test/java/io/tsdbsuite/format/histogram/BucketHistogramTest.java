package io.tsdbsuite.format.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Codecs of users: HistogramContractTest of storage-contract. */
class BucketHistogramTest {
  private static final double[] POINTS = {1, Double.NaN, 2, 3, 4};

  private final BucketHistogram bucket;
  private final RowHistograms row = new RowHistograms();
  private final RowMerger merger = new RowMerger(StorageSchema.from(TsdConfig.parse("")));

  BucketHistogramTest() throws Exception {
    bucket =
        new BucketHistogram(
            HistogramCodecs.load(
                "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42,"
                    + "\"io.tsdbsuite.histogram.SketchCodec\": 43, \"com.example.Codec\": 44}"));
    merger.receive(row);
  }

  private static byte[] sketch(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return sketch.bytes();
  }

  /** Cells of a row, one a second. */
  private void row(String... values) throws Exception {
    merger.reset();
    for (int second = 0; second < values.length; second++) {
      byte[] q = {6, 0, (byte) second};
      byte[] v = Hex.bytes(values[second]);
      merger.add(q, 0, q.length, v, 0, v.length, 1);
    }
    row.sort();
  }

  private void addRow() throws Exception {
    for (int i = 0; i < row.size(); i++) {
      bucket.addCell(row, i);
    }
  }

  private HistogramException refused() {
    HistogramException e = catchThrowableOfType(HistogramException.class, this::addRow);
    assertThat(e.getStackTrace()).isEmpty();
    return e;
  }

  @Test
  void ofPointsASketch() {
    assertThat(bucket.isEmpty()).isTrue();
    bucket.addPoints(POINTS, 1, 2);
    assertThat(bucket.isEmpty()).as("NaN alone").isTrue();
    bucket.addPoints(POINTS, 1, 4);
    bucket.addPoints(POINTS, 4, 5);
    assertThat(bucket.isEmpty() || bucket.isMixed()).isFalse();
    assertThat(bucket.codec()).isEqualTo("io.tsdbsuite.histogram.SketchCodec");
    assertThat(bucket.bytes()).isEqualTo(sketch(2, 3, 4));
    bucket.clear();
    assertThat(bucket.isEmpty()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bucket.addPoints(new double[] {Double.POSITIVE_INFINITY}, 0, 1));
  }

  @Test
  void ofCellsTheirSum() throws Exception {
    row("2b" + Hex.of(sketch(1, 2)), "2b" + Hex.of(sketch(3)));
    addRow();
    assertThat(bucket.isEmpty() || bucket.isMixed()).isFalse();
    assertThat(bucket.codec()).isEqualTo("io.tsdbsuite.histogram.SketchCodec");
    assertThat(bucket.bytes()).isEqualTo(sketch(3, 1, 2));

    bucket.clear();
    row("2a 0001 3f80000040000000 05 0001", "2a 0001 3f80000040000000 07 0001");
    addRow();
    assertThat(bucket.codec()).isEqualTo("net.opentsdb.core.SimpleHistogramDecoder");
    assertThat(Hex.of(bucket.bytes())).isEqualTo("0001" + "3f80000040000000" + "0c" + "0002");

    // Nothing of it is left in the next bucket with the same codec.
    bucket.clear();
    addRow();
    assertThat(Hex.of(bucket.bytes())).isEqualTo("0001" + "3f80000040000000" + "0c" + "0002");
  }

  @Test
  void ofBothTheCellsAlone() throws Exception {
    row("2b" + Hex.of(sketch(1, 2)));
    bucket.addPoints(POINTS, 0, 5);
    addRow();
    bucket.addPoints(POINTS, 0, 5);
    assertThat(bucket.isMixed()).isTrue();
    assertThat(bucket.bytes()).isEqualTo(sketch(1, 2));
    bucket.clear();
    assertThat(bucket.isMixed()).isFalse();
  }

  @Test
  void cellsThatAreRefused() throws Exception {
    byte[] good = sketch(1, 2);
    bucket.addCell(HistogramCodecs.SKETCH, good, 0, good.length);

    row("2d01");
    assertThat(refused())
        .hasMessage("histogram codec 45 must be in tsd.core.histograms.config")
        .returns(true, HistogramException::isUnknownCodec);
    row("ff01");
    assertThat(refused())
        .hasMessage("histogram codec 255 must be in tsd.core.histograms.config")
        .returns(true, HistogramException::isUnknownCodec);
    row("2a 0001 3f80000040000000 05 0001");
    assertThat(refused())
        .hasMessage(
            "the histograms of a bucket must have one codec, found"
                + " io.tsdbsuite.histogram.SketchCodec and"
                + " net.opentsdb.core.SimpleHistogramDecoder")
        .returns(false, HistogramException::isUnknownCodec);
    row("2b" + Hex.of(good).substring(0, 2 * good.length - 2));
    assertThat(refused())
        .hasMessageContaining("found 0")
        .returns(false, HistogramException::isUnknownCodec);
    assertThat(bucket.bytes()).as("they change nothing").isEqualTo(good);

    bucket.clear();
    row("2c01");
    for (int i = 0; i < 2; i++) {
      assertThat(refused())
          .hasMessage("histogram codec com.example.Codec must be one that can be merged here")
          .returns(true, HistogramException::isUnknownCodec);
    }
    assertThat(bucket.isEmpty()).isTrue();
  }

  @Test
  void tooWide() throws Exception {
    for (double value = 1e-300; value < 1e300; value *= 1.1) {
      bucket.addPoints(new double[] {value, -value}, 0, 2);
    }
    assertThat(bucket.bytes()).as("more bins than a sketch writes").isNull();
    assertThat(bucket.isEmpty()).isFalse();

    bucket.clear();
    int n = 32_767;
    ByteBuffer simple = ByteBuffer.allocate(2 + 17 * n + 2).putShort((short) n);
    for (int i = 0; i < n; i++) {
      simple.putFloat(i).putFloat(i + 1);
      simple.put(Hex.bytes("ffffffffffffffffff"));
    }
    bucket.addCell(HistogramCodecs.SIMPLE, simple.array(), 0, simple.capacity());
    assertThat(bucket.bytes()).as("more than 512 KiB").isNull();
  }
}
