package net.opentsdb.core;

import io.tsdbsuite.format.histogram.Sketch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.opentsdb.meta.Annotation;

/**
 * The histograms of one series, of rollups and of raw data, for OpenTSDB's own downsampler and
 * groups.
 */
public final class HistogramPieces extends HistogramSpan {
  /** A data point, its histogram, and the headers of their arrays, beside the bytes. */
  private static final int BYTES_OF_HISTOGRAM = 150;

  /** OpenTSDB's own histogram holds a map entry with three objects for nine bytes and a count. */
  private static final int HEAP_OF_DECODED_BYTE = 12;

  private final byte[] key;
  private final List<HistogramDataPoint> points = new ArrayList<>();
  private final Set<Integer> codecs = new HashSet<>();
  private long values;
  private int bound;

  /**
   * @param key row key of any row of the series
   */
  public HistogramPieces(TSDB tsdb, byte[] key) {
    super(tsdb);
    this.key = key;
  }

  byte[] key() {
    return key;
  }

  /**
   * Adds a histogram, in any order.
   *
   * @param time milliseconds since the epoch
   * @param codec the id of its codec
   * @param bytes without the id
   * @param ofValues how many points or cells it was made of
   * @param isSketch whether it is a sketch of the suite, whose codec keeps the bytes
   * @return the heap that it holds from now on, about
   * @throws IllegalDataException if no codec has the id, or the codec refuses the bytes
   */
  public long add(long time, int codec, byte[] bytes, int ofValues, boolean isSketch) {
    Histogram histogram;
    try {
      histogram = tsdb.histogramManager().decode(codec, bytes, false);
    } catch (RuntimeException e) {
      // Codecs throw what they like.
      throw new IllegalDataException(
          "a histogram of codec id " + codec + " at " + time + " ms cannot be read: " + e, e);
    }
    points.add(new SimpleHistogramDataPointAdapter(histogram, time));
    codecs.add(codec);
    values += ofValues;
    if (isSketch) {
      bound = Math.max(bound, bytes[Sketch.BOUND_AT]);
      return (long) BYTES_OF_HISTOGRAM + bytes.length;
    }
    return BYTES_OF_HISTOGRAM + (long) HEAP_OF_DECODED_BYTE * bytes.length;
  }

  /** Points and cells of which the histograms are made. */
  public long values() {
    return values;
  }

  /** The widest bound of the sketches, thousandths; 0 if there are none. */
  public int bound() {
    return bound;
  }

  /** The ids of the codecs of the histograms. */
  public Set<Integer> codecs() {
    return codecs;
  }

  /** Adds the histograms of the same series at other times. */
  public void addAll(HistogramPieces other) {
    points.addAll(other.points);
    codecs.addAll(other.codecs);
    values += other.values;
    bound = Math.max(bound, other.bound);
  }

  /**
   * Ends the adding.
   *
   * @param notes annotations of the series
   * @return whether there is a histogram; else the series is no part of an answer
   */
  public boolean finish(List<Annotation> notes) {
    if (points.isEmpty()) {
      return false;
    }
    points.sort(Comparator.comparingLong(HistogramDataPoint::timestamp));
    addRow(key, points);
    getAnnotations().addAll(notes);
    return true;
  }
}
