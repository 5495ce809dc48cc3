package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.testkit.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramAggregation;
import net.opentsdb.core.HistogramDataPointCodec;
import net.opentsdb.core.RealHistograms;
import net.opentsdb.core.RealHistograms.Bucket;
import net.opentsdb.core.SimpleHistogram;
import net.opentsdb.core.SimpleHistogramDataPointAdapter;
import org.junit.jupiter.api.Test;

/** OpenTSDB's own classes merge our histograms as we do, and SimpleHistograms as our merger. */
class HistogramContractTest {
  private static final String SIMPLE = "net.opentsdb.core.SimpleHistogramDecoder";
  private static final String SKETCH = "io.tsdbsuite.histogram.SketchCodec";
  private static final String COUNTS = CountsCodec.class.getName();
  private static final byte SIMPLE_ID = 42;
  private static final byte SKETCH_ID = 43;
  private static final byte COUNTS_ID = 44;
  private static final float[] PERCENTS = {0.1f, 1, 50, 95, 99.9f, 100};
  private static final int DAY_START = 1_763_510_400;

  private final Random random = new Random(Seed.VALUE);
  private final RealHistograms real =
      new RealHistograms(
          "{\"" + SIMPLE + "\": 42, \"" + SKETCH + "\": 43, \"" + COUNTS + "\": 44}");

  HistogramContractTest() throws Exception {}

  private static byte[] cell(byte id, byte[] payload) {
    return ByteBuffer.allocate(1 + payload.length).put(id).put(payload).array();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Of series over days, with a downsampler and without. */
  @Test
  void queriesOfSketches() {
    for (int i = 0; i < Seed.times(20, 200); i++) {
      int hours = 1 + random.nextInt(72);
      List<List<byte[]>> series = new ArrayList<>();
      List<Sketch> expectedDays = new ArrayList<>();
      List<Sketch> expectedHours = new ArrayList<>();
      for (int s = 1 + random.nextInt(3); s > 0; s--) {
        List<byte[]> cells = new ArrayList<>();
        for (int hour = 0; hour < hours; hour++) {
          double[] values = new double[random.nextInt(100)];
          double scale = Math.pow(10, random.nextInt(7) - 3);
          Arrays.setAll(values, n -> scale * random.nextGaussian() * random.nextInt(3));
          Sketch sketch = new Sketch();
          sketch.addAll(values, 0, values.length);
          cells.add(cell(SKETCH_ID, sketch.bytes()));
          at(expectedHours, hour).add(sketch);
          at(expectedDays, hour / 24).add(sketch);
        }
        series.add(cells);
      }
      expect(expectedDays, 86_400, real.query(series, DAY_START, "1d-sum", PERCENTS));
      expect(expectedHours, 3600, real.query(series, DAY_START, "1h-sum", PERCENTS));
    }
  }

  private static Sketch at(List<Sketch> sketches, int index) {
    while (sketches.size() <= index) {
      sketches.add(new Sketch());
    }
    return sketches.get(index);
  }

  private static void expect(List<Sketch> expected, int seconds, List<Bucket> found) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      Bucket bucket = found.get(i);
      Sketch sketch = expected.get(i);
      assertThat(bucket.timestamp()).isEqualTo((DAY_START + (long) i * seconds) * 1000);
      assertThat(hex(bucket.value())).isEqualTo(hex(cell(SKETCH_ID, sketch.bytes())));
      for (int p = 0; p < PERCENTS.length; p++) {
        assertThat(bucket.percentiles().get(p))
            .isEqualTo(Double.valueOf(sketch.percentile(PERCENTS[p])));
      }
    }
  }

  /** As kafka-ingest makes a cell of the buckets in a message. */
  @Test
  void bucketsOfMessages() {
    for (int i = 0; i < Seed.times(100, 1000); i++) {
      Map<String, Long> buckets = new LinkedHashMap<>();
      SimpleHistogram histogram = new SimpleHistogram(SIMPLE_ID);
      for (int n = random.nextInt(20); n >= 0; n--) {
        float lower = random.nextInt(5) - 2.5f * random.nextInt(2);
        float upper = lower + random.nextInt(3);
        String bounds =
            random.nextBoolean() ? lower + "," + upper : " " + lower + ", " + (double) upper;
        if (buckets.putIfAbsent(bounds, random.nextLong() >> random.nextInt(64)) == null) {
          histogram.addBucket(lower, upper, buckets.get(bounds));
        }
      }
      long underflow = random.nextInt(300);
      long overflow = random.nextLong();
      histogram.setUnderflow(underflow);
      histogram.setOverflow(overflow);
      assertThat(hex(HistogramMerger.simple(buckets, underflow, overflow)))
          .isEqualTo(hex(histogram.histogram(false)));
    }
  }

  @Test
  void sketchesOfTheCodec() {
    Sketch sketch = new Sketch();
    sketch.addAll(new double[] {0, -2.5, 1, 1, 42.17}, 0, 5);
    byte[] value = cell(SKETCH_ID, sketch.bytes());
    Histogram histogram = real.decode(value);
    assertThat(histogram.getId()).isEqualTo(SKETCH_ID);
    assertThat(histogram.histogram(true)).isEqualTo(value);
    assertThat(histogram.histogram(false)).isEqualTo(sketch.bytes());
    assertThat(histogram.percentiles(List.of(0.1, 50.0)))
        .containsExactly(sketch.percentile(0.1), sketch.percentile(50));

    // A clone is a value of its own, before and after a merge.
    Histogram clone = histogram.clone();
    clone.aggregate(List.of(histogram, clone), HistogramAggregation.SUM);
    Histogram merged = clone.clone();
    merged.aggregate(histogram, HistogramAggregation.SUM);
    sketch.add(sketch);
    sketch.add(sketch);
    assertThat(clone.histogram(false)).isEqualTo(sketch.bytes());
    assertThat(histogram.histogram(true)).isEqualTo(value);
    assertThat(merged.percentile(50)).isEqualTo(histogram.percentile(50));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> real.decode(Arrays.copyOf(value, value.length - 1)))
        .withMessageContaining("a count must have 1 bytes, found 0");
    Histogram simple = real.decode(cell(SIMPLE_ID, new byte[6]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> histogram.aggregate(simple, HistogramAggregation.SUM))
        .withMessageContaining("must be a sketch, found net.opentsdb.core.SimpleHistogram");
    assertThatThrownBy(
            () -> new SimpleHistogramDataPointAdapter(histogram, 0).getHistogramBucketsIfHas())
        .as("OpenTSDB 2.4.1 shows the buckets of SimpleHistograms only")
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** Also bounds and orders that OpenTSDB does not write itself. */
  @Test
  void mergesOfSimpleHistograms() {
    HistogramMerger merger = Objects.requireNonNull(HistogramMerger.of(SIMPLE));
    for (int i = 0; i < Seed.times(2000, 50_000); i++) {
      merger.clear();
      List<byte[]> values = new ArrayList<>();
      for (int n = 1 + random.nextInt(5); n > 0; n--) {
        byte[] payload = simple();
        values.add(cell(SIMPLE_ID, payload));
        merger.add(payload, 0, payload.length);
      }
      assertThat(hex(cell(SIMPLE_ID, merger.bytes())))
          .as(Seed.describe(i))
          .isEqualTo(hex(real.merge(values)));
    }
  }

  @Test
  void mergesOfAPluggedInCodec() {
    HistogramMerger merger = Objects.requireNonNull(HistogramMerger.of(COUNTS));
    for (int i = 0; i < 20; i++) {
      merger.clear();
      List<byte[]> values = new ArrayList<>();
      for (int n = 1 + random.nextInt(5); n > 0; n--) {
        byte[] payload = new byte[12];
        random.nextBytes(payload);
        values.add(cell(COUNTS_ID, payload));
        // Between other bytes, as in a row.
        byte[] row = Arrays.copyOf(values.get(values.size() - 1), 20);
        merger.add(row, 1, payload.length);
      }
      assertThat(hex(cell(COUNTS_ID, merger.bytes()))).isEqualTo(hex(real.merge(values)));
    }
    assertThat(merger.isTooWide()).isFalse();
  }

  @Test
  void whatAPluggedInCodecRefuses() {
    HistogramMerger merger = Objects.requireNonNull(HistogramMerger.of(COUNTS));
    byte[] one = {0, 0, 0, 1};
    merger.add(one, 0, 4);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> merger.add(one, 0, 3))
        .withMessage(
            "%s must read and merge it, found java.lang.IllegalStateException: 3 bytes", COUNTS)
        .withCauseInstanceOf(IllegalStateException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> merger.add(new byte[8], 0, 8))
        .withMessage(
            "%s must read and merge it, found java.lang.IllegalStateException: 1 and 2 counts",
            COUNTS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> merger.add(one, 0, 0))
        .withMessage("%s must read and merge it, found null", COUNTS);
    assertThat(merger.bytes()).as("what is refused changes nothing").isEqualTo(one);
    merger.clear();
    assertThatThrownBy(merger::bytes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no histogram was added");

    BucketHistogram bucket = new BucketHistogram(HistogramCodecs.NONE);
    assertThatThrownBy(() -> bucket.addCell(COUNTS, one, 0, 3))
        .isInstanceOf(HistogramException.class)
        .hasMessageEndingWith("found java.lang.IllegalStateException: 3 bytes");
  }

  /** A codec that fails as codecs do for bytes that are wrong, or without one of its classes. */
  public static final class FailingCodec extends HistogramDataPointCodec {
    static final List<Error> OF_BYTES =
        List.of(
            new StackOverflowError(),
            new NoSuchMethodError("m"),
            new OutOfMemoryError("Requested array size exceeds VM limit"),
            new OutOfMemoryError("Java heap space"));

    static final List<Error> OTHERS =
        List.of(new OutOfMemoryError("Metaspace"), new Error("a fault of the machine"));

    @Override
    public Histogram decode(byte[] bytes, boolean includesId) {
      throw (bytes.length == 1 ? OF_BYTES : OTHERS).get(bytes[0]);
    }

    @Override
    public byte[] encode(Histogram histogram, boolean includeId) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void errorsOfAPluggedInCodec() {
    HistogramMerger merger =
        Objects.requireNonNull(HistogramMerger.of(FailingCodec.class.getName()));
    for (int i = 0; i < FailingCodec.OF_BYTES.size(); i++) {
      byte[] bytes = {(byte) i};
      Error error = FailingCodec.OF_BYTES.get(i);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> merger.add(bytes, 0, 1))
          .withMessageEndingWith("$FailingCodec must read and merge it, found " + error)
          .withCause(error);
    }
    for (int i = 0; i < FailingCodec.OTHERS.size(); i++) {
      byte[] bytes = {(byte) i, 0};
      assertThatThrownBy(() -> merger.add(bytes, 0, 2)).isSameAs(FailingCodec.OTHERS.get(i));
    }
  }

  @Test
  void whatIsNoCodec() {
    assertThat(HistogramMerger.of("java.lang.String")).isNull();
    assertThat(HistogramMerger.of("net.opentsdb.core.HistogramDataPointCodec"))
        .as("abstract")
        .isNull();
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
      assertThat(HistogramMerger.of(COUNTS)).as("its jar is not there").isNull();
      thread.setContextClassLoader(null);
      assertThat(HistogramMerger.of(COUNTS)).isNotNull();
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  private byte[] simple() {
    int n = random.nextInt(20);
    boolean regular = random.nextBoolean();
    ByteBuffer bytes = ByteBuffer.allocate(2 + n * 17 + 30).putShort((short) n);
    for (int i = 0; i < n; i++) {
      bytes.putInt(regular ? Float.floatToIntBits(i) : bound());
      bytes.putInt(regular ? Float.floatToIntBits(i + 1) : bound());
      count(bytes);
    }
    count(bytes);
    count(bytes);
    // The least that OpenTSDB reads, and bytes that it ignores.
    bytes.put(new byte[1 + random.nextInt(2)]);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  private int bound() {
    float[] special = {0, -0.0f, 1, -1, Float.MIN_VALUE, Float.NaN, Float.POSITIVE_INFINITY};
    switch (random.nextInt(3)) {
      case 0:
        return random.nextInt();
      case 1:
        return random.nextBoolean() ? 0x7fc00001 : 0xffc00000;
      default:
        return Float.floatToIntBits(special[random.nextInt(special.length)]);
    }
  }

  /** A varint of up to 64 bits, sometimes longer than it must be. */
  private void count(ByteBuffer bytes) {
    long rest = random.nextLong() >>> random.nextInt(64);
    int least = 1 + random.nextInt(9);
    for (int i = 1; i < 9 && (rest >>> 7 != 0 || i < least); i++) {
      bytes.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    bytes.put((byte) rest);
  }
}
