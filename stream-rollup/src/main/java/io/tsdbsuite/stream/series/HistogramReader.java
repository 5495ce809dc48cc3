package io.tsdbsuite.stream.series;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramMerger;
import io.tsdbsuite.message.read.HistogramElement;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Makes of {@code Histogram} elements the cells that kafka-ingest stores, but for bytes that a
 * codec writes in another form than it reads, which merges do not see. Not thread-safe.
 */
public final class HistogramReader {
  private static final byte NO_ID = -1;

  private final HistogramCodecs codecs;
  private final MoreSelections selections;

  /** Creates a reader of the histograms that the rollups of a job have. */
  public HistogramReader(StreamIntervals intervals) {
    this.codecs = intervals.codecs();
    this.selections = new MoreSelections(intervals);
  }

  /**
   * The cell of an element: the id of its codec, then its bytes. The id alone if no rollup can have
   * it: its codec is not known here, or it is longer than the histogram of a rollup.
   *
   * @param names of the series, encoded by {@link SeriesNames}
   * @return null if {@code suite} selects no histograms of the series
   * @throws IllegalArgumentException when kafka-ingest refuses it: it is no Base64, or a bucket has
   *     no bounds
   */
  public byte @Nullable [] cell(byte[] names, HistogramElement element) {
    if (selections.of(names, 0).histograms() == 0) {
      return null;
    }
    Integer simple = codecs.id(HistogramCodecs.SIMPLE);
    String value = element.value();
    byte[] payload =
        value == null
            ? HistogramMerger.simple(element.buckets(), element.underflow(), element.overflow())
            : Base64.getDecoder().decode(value);
    byte id = value != null ? (byte) element.id() : simple == null ? NO_ID : simple.byteValue();
    boolean isKept = payload.length <= BucketHistogram.MAX_BYTES && codecs.codec(id & 0xff) != null;
    byte[] cell = new byte[isKept ? 1 + payload.length : 1];
    cell[0] = id;
    System.arraycopy(payload, 0, cell, 1, cell.length - 1);
    return cell;
  }
}
