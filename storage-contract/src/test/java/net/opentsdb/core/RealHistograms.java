package net.opentsdb.core;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;

/**
 * Reads, merges and queries histograms with OpenTSDB's own classes, without a server. This class is
 * in OpenTSDB's package because some of them are package-private.
 */
public final class RealHistograms {
  private static final HBaseClient UNCONNECTED = new HBaseClient("localhost:1");
  private static final int HOUR = 3600;

  private final TSDB tsdb;
  private final HistogramCodecManager codecs;

  /** Codecs by {@code tsd.core.histograms.config}. */
  public RealHistograms(String config) throws Exception {
    Config conf = new Config(false);
    conf.overrideConfig("tsd.core.histograms.config", config);
    tsdb = new TSDB(UNCONNECTED, conf);
    codecs = new HistogramCodecManager(tsdb);
  }

  /** The value of a cell, decoded. */
  public Histogram decode(byte[] value) {
    return codecs.decode(value[0], value, true);
  }

  /** The sum of the values of cells, as the value of a cell; the first one's codec encodes it. */
  public byte[] merge(List<byte[]> values) {
    HistogramDataPoint sum = new SimpleHistogramDataPointAdapter(decode(values.get(0)), 0).clone();
    for (byte[] value : values.subList(1, values.size())) {
      HistogramDataPoint next = new SimpleHistogramDataPointAdapter(decode(value), 0);
      sum.aggregate(next, HistogramAggregation.SUM);
    }
    return sum.getRawData(true);
  }

  /** The bucket of one query: the value of a cell, and its percentiles. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  public record Bucket(long timestamp, byte[] value, List<Double> percentiles) {}

  /**
   * The sum over series and time, as a query's.
   *
   * @param series for each series the values of its cells, one an hour from {@code start} on
   * @param start seconds since the epoch
   * @param downsampler for example {@code 1d-sum}
   */
  public List<Bucket> query(
      List<List<byte[]>> series, int start, String downsampler, float... percentiles) {
    List<HistogramSpan> spans = new ArrayList<>();
    int hours = 0;
    for (int s = 0; s < series.size(); s++) {
      HistogramSpan span = new HistogramSpan(tsdb);
      hours = Math.max(hours, series.get(s).size());
      for (int hour = 0; hour < series.get(s).size(); hour++) {
        int base = start + hour * HOUR;
        byte[] key =
            ByteBuffer.allocate(13)
                .put(new byte[] {0, 0, 1})
                .putInt(base)
                .put(new byte[] {0, 0, 1, 0, 0, (byte) s})
                .array();
        Histogram histogram = decode(series.get(s).get(hour));
        span.addRow(key, List.of(new SimpleHistogramDataPointAdapter(histogram, base * 1000L)));
      }
      spans.add(span);
    }
    long from = start * 1000L;
    long to = (start + (long) hours * HOUR) * 1000;
    HistogramSpanGroup group =
        new HistogramSpanGroup(
            tsdb,
            from,
            to,
            spans,
            HistogramAggregation.SUM,
            new DownsamplingSpecification(downsampler),
            from,
            to,
            0,
            false,
            null);
    List<Bucket> buckets = new ArrayList<>();
    HistogramSeekableView view = group.iterator();
    while (view.hasNext()) {
      HistogramDataPoint point = view.next();
      buckets.add(new Bucket(point.timestamp(), point.getRawData(true), new ArrayList<>()));
    }
    for (float percentile : percentiles) {
      SeekableView points =
          new HistogramDataPointsToDataPointsAdaptor(group, percentile).iterator();
      for (Bucket bucket : buckets) {
        bucket.percentiles().add(points.next().doubleValue());
      }
    }
    return buckets;
  }
}
