package io.tsdbsuite.format.histogram;

import io.tsdbsuite.format.row.RowHistograms;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The histogram of one bucket of one series: the sum of the histogram cells in it, or, if there are
 * none, the sketch of its points. Reusable; not thread-safe.
 */
public final class BucketHistogram {
  /** The most bytes of a histogram: in Base64 they fit into a message of 1 MB. */
  public static final int MAX_BYTES = 1 << 19;

  private final HistogramCodecs codecs;
  private final Sketch points = new Sketch();

  /** By codec, those of this bucket and of earlier ones; null: it has none. */
  private final Map<String, @Nullable HistogramMerger> mergers = new HashMap<>();

  /** The codec of the cells; null if there are none. */
  private @Nullable String cellCodec;

  private @Nullable HistogramMerger cells;

  /**
   * Creates an empty bucket.
   *
   * @param codecs of the cells
   */
  public BucketHistogram(HistogramCodecs codecs) {
    this.codecs = codecs;
  }

  /** Forgets what was added. */
  public void clear() {
    points.clear();
    if (cells != null) {
      cells.clear();
    }
    cellCodec = null;
    cells = null;
  }

  /**
   * Adds points {@code from} to {@code to - 1}; NaN is skipped.
   *
   * @throws IllegalArgumentException when a value is infinite
   */
  public void addPoints(double[] values, int from, int to) {
    points.addAll(values, from, to);
  }

  /**
   * Adds a histogram cell of a row.
   *
   * @throws HistogramException when its codec has no id or no merger here, or is another than that
   *     of earlier cells, or refuses the bytes; nothing has been added
   */
  public void addCell(RowHistograms row, int i) throws HistogramException {
    String codec = codecs.codec(row.codecId(i));
    if (codec == null) {
      throw new HistogramException(
          true, "histogram codec " + row.codecId(i) + " must be in tsd.core.histograms.config");
    }
    addCell(codec, row.bytes(), row.start(i), row.length(i));
  }

  /** Whether all histogram cells of a row can be added up; forgets what was added. */
  public boolean isSum(RowHistograms row) {
    clear();
    try {
      for (int i = 0; i < row.size(); i++) {
        addCell(row, i);
      }
      return true;
    } catch (HistogramException e) {
      return false;
    }
  }

  /**
   * Adds a histogram cell.
   *
   * @param codec its class
   * @param bytes its value without the codec id
   * @throws HistogramException as {@link #addCell(RowHistograms, int)}
   */
  public void addCell(String codec, byte[] bytes, int off, int len) throws HistogramException {
    if (cellCodec != null && !cellCodec.equals(codec)) {
      throw new HistogramException(
          false,
          "the histograms of a bucket must have one codec, found " + cellCodec + " and " + codec);
    }
    if (!mergers.containsKey(codec)) {
      mergers.put(codec, HistogramMerger.of(codec));
    }
    HistogramMerger merger = mergers.get(codec);
    if (merger == null) {
      throw new HistogramException(
          true, "histogram codec " + codec + " must be one that can be merged here");
    }
    try {
      merger.add(bytes, off, len);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new HistogramException(false, String.valueOf(e.getMessage()));
    }
    cellCodec = codec;
    cells = merger;
  }

  /** The memory of what was added, about; bytes. */
  public long memory() {
    return points.memory() + (cells == null ? 0 : cells.memory());
  }

  /** Whether it has neither points nor cells. */
  public boolean isEmpty() {
    return cells == null && points.count() == 0;
  }

  /** Whether it has cells, of which {@link #bytes} is the sum. */
  public boolean hasCells() {
    return cells != null;
  }

  /** Whether it has points and cells; {@link #bytes} has the cells alone. */
  public boolean isMixed() {
    return cells != null && points.count() > 0;
  }

  /** The class of the codec of {@link #bytes}. */
  public String codec() {
    return cellCodec == null ? HistogramCodecs.SKETCH : cellCodec;
  }

  /**
   * The bytes of the histogram without codec id; null if it is too wide: its codec's format has no
   * bytes for it, or they are more than {@link #MAX_BYTES}.
   */
  public byte @Nullable [] bytes() {
    HistogramMerger merger = cells == null ? points : cells;
    if (merger.isTooWide()) {
      return null;
    }
    byte[] bytes = merger.bytes();
    return bytes.length > MAX_BYTES ? null : bytes;
  }
}
