package net.opentsdb.core;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import net.opentsdb.meta.Annotation;
import net.opentsdb.rollup.RollupQuery;

/**
 * The points of one series in arrays, for OpenTSDB's own Downsampler: values of rollups and of raw
 * data in one chain. It is downsampled always; without a downsampler OpenTSDB would ask for an
 * iterator of a final class.
 */
public final class SeriesSpan extends KeyedSpan {
  private final long[] times;
  private final double[] values;
  private final long[] counts;

  /**
   * A series with points in ascending order.
   *
   * @param key row key of any row of the series
   * @param times milliseconds since the epoch
   * @param counts how many points each value stands for; empty: one
   * @param annotations of the series, in any order
   */
  public SeriesSpan(
      TSDB tsdb,
      byte[] key,
      long[] times,
      double[] values,
      long[] counts,
      List<Annotation> annotations) {
    super(tsdb, key);
    this.times = times;
    this.values = values;
    this.counts = counts;
    this.annotations.addAll(annotations);
  }

  @Override
  public int size() {
    return times.length;
  }

  @Override
  public long timestamp(int i) {
    return times[i];
  }

  @Override
  public boolean isInteger(int i) {
    return false;
  }

  @Override
  public long longValue(int i) {
    throw new ClassCastException("value " + i + " is a double");
  }

  @Override
  public double doubleValue(int i) {
    return values[i];
  }

  @Override
  public SeekableView iterator() {
    return new View();
  }

  @Override
  Downsampler downsampler(
      long start,
      long end,
      DownsamplingSpecification specification,
      long queryStart,
      long queryEnd,
      RollupQuery rollup) {
    if (specification.getFillPolicy() == FillPolicy.NONE) {
      return new Downsampler(new View(), specification, queryStart, queryEnd, rollup);
    }
    return new FillingDownsampler(
        new View(), start, end, specification, queryStart, queryEnd, rollup);
  }

  @Override
  public String toString() {
    return "SeriesSpan(" + times.length + " points)";
  }

  /** The points one after the other; a point is valid until the next is asked for. */
  private final class View implements SeekableView, DataPoint {
    private int next;

    @Override
    public boolean hasNext() {
      return next < times.length;
    }

    @Override
    public DataPoint next() {
      if (next == times.length) {
        throw new NoSuchElementException("no more points");
      }
      next++;
      return this;
    }

    @Override
    public void seek(long timestamp) {
      int found = Arrays.binarySearch(times, timestamp);
      next = found >= 0 ? found : -found - 1;
    }

    @Override
    public void remove() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long timestamp() {
      return times[next - 1];
    }

    @Override
    public boolean isInteger() {
      return false;
    }

    @Override
    public long longValue() {
      throw new ClassCastException("the value is a double");
    }

    @Override
    public double doubleValue() {
      return values[next - 1];
    }

    @Override
    public double toDouble() {
      return values[next - 1];
    }

    @Override
    public long valueCount() {
      return counts.length == 0 ? 1 : counts[next - 1];
    }
  }
}
