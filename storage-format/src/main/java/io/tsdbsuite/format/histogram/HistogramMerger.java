package io.tsdbsuite.format.histogram;

import org.jspecify.annotations.Nullable;

/**
 * Merges histograms of one codec on their bytes, as the codec's own class in a TSD merges them.
 * Reusable; not thread-safe.
 */
public interface HistogramMerger {
  /**
   * A merger of the histograms of a codec, or null if the codec is another than these.
   *
   * @param codec class name, as in {@code tsd.core.histograms.config}
   */
  static @Nullable HistogramMerger of(String codec) {
    switch (codec) {
      case HistogramCodecs.SKETCH:
        return new Sketch();
      case HistogramCodecs.SIMPLE:
        return new SimpleHistogramMerger();
      default:
        return null;
    }
  }

  /** Forgets what was added. */
  void clear();

  /**
   * Adds a histogram.
   *
   * @param bytes its cell's value without the codec id
   * @throws IllegalArgumentException when a TSD could not read them, or, of a sketch, when they are
   *     not canonical or have another bound; nothing has been added
   * @throws ArithmeticException when a sketch would have more than 2^63 - 1 values; nothing has
   *     been added
   */
  void add(byte[] bytes, int off, int len);

  /** Whether the codec's format has no bytes for the sum. */
  boolean isTooWide();

  /**
   * The bytes of the sum, without a codec id.
   *
   * @throws IllegalStateException when {@link #isTooWide}
   */
  byte[] bytes();
}
