package io.tsdbsuite.histogram;

import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramDataPointCodec;

/**
 * Lets a TSD store, merge and query sketches: name it, with an id from 0 to 127, in {@code
 * tsd.core.histograms.config}. Source: docs/histogram-codec.md.
 */
public final class SketchCodec extends HistogramDataPointCodec {
  /** For the TSD. */
  public SketchCodec() {}

  /**
   * A sketch from its bytes.
   *
   * @param withId whether a codec id is before them
   * @throws IllegalArgumentException when the id is that of another codec, or the bytes are not
   *     canonical
   */
  @Override
  public Histogram decode(byte[] bytes, boolean withId) {
    SketchHistogram histogram = new SketchHistogram(getId());
    histogram.fromHistogram(bytes, withId);
    return histogram;
  }

  /**
   * The bytes of a sketch.
   *
   * @throws IllegalArgumentException when the histogram is of another codec
   * @throws IllegalStateException when it has more than 4,096 bins
   */
  @Override
  public byte[] encode(Histogram histogram, boolean withId) {
    return SketchHistogram.of(histogram).histogram(withId);
  }
}
