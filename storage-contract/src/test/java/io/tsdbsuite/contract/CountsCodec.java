package io.tsdbsuite.contract;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.opentsdb.core.Histogram;
import net.opentsdb.core.HistogramAggregation;
import net.opentsdb.core.HistogramDataPointCodec;

/** A codec that a user plugs in: counts of four bytes, and histograms of as many are merged. */
public final class CountsCodec extends HistogramDataPointCodec {
  /** Null for no byte, as a codec of others may have it. */
  @Override
  public Histogram decode(byte[] bytes, boolean includesId) {
    if (bytes.length == 0) {
      return null;
    }
    Counts counts = new Counts(id);
    counts.fromHistogram(bytes, includesId);
    return counts;
  }

  @Override
  public byte[] encode(Histogram histogram, boolean includeId) {
    return histogram.histogram(includeId);
  }

  private static final class Counts implements Histogram {
    private final int id;
    private final List<Integer> counts = new ArrayList<>();

    Counts(int id) {
      this.id = id;
    }

    @Override
    public byte[] histogram(boolean includeId) {
      ByteBuffer bytes = ByteBuffer.allocate((includeId ? 1 : 0) + 4 * counts.size());
      if (includeId) {
        bytes.put((byte) id);
      }
      counts.forEach(bytes::putInt);
      return bytes.array();
    }

    @Override
    public void fromHistogram(byte[] raw, boolean includesId) {
      ByteBuffer bytes = ByteBuffer.wrap(raw);
      if (includesId) {
        bytes.get();
      }
      if (bytes.remaining() % 4 != 0) {
        throw new IllegalStateException(bytes.remaining() + " bytes");
      }
      while (bytes.hasRemaining()) {
        counts.add(bytes.getInt());
      }
    }

    @Override
    public void aggregate(Histogram histogram, HistogramAggregation function) {
      List<Integer> others = ((Counts) histogram).counts;
      for (int i = 0; i < counts.size(); i++) {
        counts.set(i, counts.get(i) + others.get(i));
      }
      if (others.size() != counts.size()) {
        throw new IllegalStateException(counts.size() + " and " + others.size() + " counts");
      }
    }

    @Override
    public void aggregate(List<Histogram> histograms, HistogramAggregation function) {
      histograms.forEach(histogram -> aggregate(histogram, function));
    }

    @Override
    public Histogram clone() {
      Counts clone = new Counts(id);
      clone.counts.addAll(counts);
      return clone;
    }

    @Override
    public int getId() {
      return id;
    }

    @Override
    public double percentile(double percent) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Double> percentiles(List<Double> percents) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<?, ?> getHistogram() {
      throw new UnsupportedOperationException();
    }
  }
}
