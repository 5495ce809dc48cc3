package io.tsdbsuite.histogram;

import io.tsdbsuite.format.histogram.Sketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramAggregation;
import org.jspecify.annotations.Nullable;

/**
 * A sketch of a TSD's query: its bytes until something is added to it, because a query holds each
 * sketch that it reads, and bytes are many times shorter than counts. Not thread-safe.
 */
final class SketchHistogram implements Histogram {
  private static final byte[] EMPTY = new Sketch().bytes();

  private final int id;

  /** Without id; never changed, so that others share them. */
  private byte[] bytes = EMPTY;

  /** The sum of {@link #bytes} and what was added; null if nothing was. */
  private @Nullable Sketch sum;

  /** An empty sketch. */
  SketchHistogram(int id) {
    this.id = id;
  }

  static SketchHistogram of(Histogram histogram) {
    if (!(histogram instanceof SketchHistogram)) {
      throw new IllegalArgumentException(
          "a histogram of this metric must be a sketch, found "
              + (histogram == null ? "none" : histogram.getClass().getName()));
    }
    return (SketchHistogram) histogram;
  }

  private Sketch sketch() {
    return sum != null ? sum : Sketch.of(bytes, 0, bytes.length);
  }

  @Override
  public byte[] histogram(boolean withId) {
    byte[] plain = sum != null ? sum.bytes() : bytes;
    if (!withId) {
      return plain.clone();
    }
    byte[] all = new byte[1 + plain.length];
    all[0] = (byte) id;
    System.arraycopy(plain, 0, all, 1, plain.length);
    return all;
  }

  @Override
  public void fromHistogram(byte[] raw, boolean withId) {
    if (withId && (raw.length == 0 || raw[0] != (byte) id)) {
      throw new IllegalArgumentException(
          "the codec id must be " + id + ", found " + (raw.length == 0 ? "none" : raw[0]));
    }
    byte[] plain = Arrays.copyOfRange(raw, withId ? 1 : 0, raw.length);
    // Refuses what is not canonical.
    Sketch.check(plain, 0, plain.length);
    bytes = plain;
    sum = null;
  }

  @Override
  public double percentile(double p) {
    return sketch().percentile(p);
  }

  @Override
  public List<Double> percentiles(List<Double> ps) {
    Sketch sketch = sketch();
    List<Double> found = new ArrayList<>();
    for (Double p : ps) {
      found.add(sketch.percentile(p));
    }
    return found;
  }

  @Override
  public Map<?, ?> getHistogram() {
    // OpenTSDB 2.4.1 asks SimpleHistograms only.
    throw new UnsupportedOperationException("a sketch has no buckets for showHistogramBuckets");
  }

  @Override
  public Histogram clone() {
    SketchHistogram copy = new SketchHistogram(id);
    copy.bytes = bytes;
    if (sum != null) {
      // The copy has the bound of these bytes; a later release may write another one.
      Sketch copied = Sketch.of(bytes, 0, bytes.length);
      copied.clear();
      copied.add(sum);
      copy.sum = copied;
    }
    return copy;
  }

  @Override
  public int getId() {
    return id;
  }

  @Override
  public void aggregate(Histogram other, HistogramAggregation how) {
    if (how != HistogramAggregation.SUM) {
      throw new IllegalArgumentException("sketches can only be summed, found " + how);
    }
    SketchHistogram added = of(other);
    Sketch into = sketch();
    if (added.sum != null) {
      into.add(added.sum);
    } else {
      into.add(added.bytes, 0, added.bytes.length);
    }
    sum = into;
  }

  @Override
  public void aggregate(List<Histogram> others, HistogramAggregation how) {
    for (Histogram other : others) {
      aggregate(other, how);
    }
  }
}
