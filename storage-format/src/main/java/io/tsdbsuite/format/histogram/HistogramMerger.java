package io.tsdbsuite.format.histogram;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges histograms of one codec, as the codec's own class in a TSD merges them. Reusable; not
 * thread-safe.
 */
public interface HistogramMerger {
  /**
   * A merger of the histograms of a codec. Sketches and OpenTSDB's SimpleHistograms are merged on
   * their bytes, all others by the codec's class, from the thread's context class loader: as in a
   * TSD, or with {@code spark-submit --jars opentsdb.jar,codec.jar}.
   *
   * @param codec class name, as in {@code tsd.core.histograms.config}
   * @return null if the class cannot be loaded, or is no HistogramDataPointCodec
   */
  static @Nullable HistogramMerger of(String codec) {
    switch (codec) {
      case HistogramCodecs.SKETCH:
        return new Sketch();
      case HistogramCodecs.SIMPLE:
        return new SimpleHistogramMerger();
      default:
        return CodecMerger.of(codec);
    }
  }

  /**
   * The bytes of a SimpleHistogram of buckets, as /api/histogram takes them, without a codec id.
   *
   * @param buckets number of values by {@code lower,upper}; of equal bounds the last one counts
   * @return empty if the format has no bytes for so many buckets
   * @throws IllegalArgumentException when a key is not two numbers
   */
  static byte[] simple(Map<String, Long> buckets, long underflow, long overflow) {
    return SimpleHistogramMerger.encode(buckets, underflow, overflow);
  }

  /** Forgets what was added. */
  void clear();

  /**
   * Adds a histogram.
   *
   * @param bytes its cell's value without the codec id
   * @throws IllegalArgumentException when a TSD could not read or merge them (also for an {@code
   *     Error} of a plugged-in codec that these bytes cause), or, of a sketch, when they are not
   *     canonical or have another bound; nothing has been added
   * @throws ArithmeticException when a sketch would have more than 2^63 - 1 values; nothing has
   *     been added
   */
  void add(byte[] bytes, int off, int len);

  /** Whether the codec's format has no bytes for the sum. */
  boolean isTooWide();

  /** The memory that the sum takes, about; bytes. */
  long memory();

  /**
   * The bytes of the sum, without a codec id.
   *
   * @throws IllegalStateException when {@link #isTooWide}, or, of a plugged-in codec, when nothing
   *     was added
   */
  byte[] bytes();
}
