package net.opentsdb.core;

import io.tsdbsuite.contract.GeneratedCell;
import io.tsdbsuite.contract.GeneratedRow;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.meta.Annotation;
import net.opentsdb.uid.UniqueId;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;

/**
 * Reads a row with OpenTSDB's own classes, like a query, without a server: the client never
 * connects. This class is in OpenTSDB's package because the methods are package-private
 * (docs/storage.md 12).
 */
public final class RealRows {
  private static final byte[] FAMILY = {'t'};
  private static final byte[] METRIC = {0, 0, 1};
  private static final HBaseClient UNCONNECTED = new HBaseClient("localhost:1");

  private final TSDB tsdb;

  /** Uses these rules for duplicates. */
  public RealRows(boolean fixDuplicates, boolean useOtsdbTimestamp, boolean useMaxValue)
      throws Exception {
    Config config = new Config(false);
    // With compaction on, a read rewrites the row.
    config.overrideConfig("tsd.storage.enable_compaction", "false");
    config.overrideConfig("tsd.storage.fix_duplicates", String.valueOf(fixDuplicates));
    config.overrideConfig("tsd.storage.use_otsdb_timestamp", String.valueOf(useOtsdbTimestamp));
    config.overrideConfig("tsd.storage.use_max_value", String.valueOf(useMaxValue));
    tsdb = new TSDB(UNCONNECTED, config);
    // Error messages name the metric: without a cached mapping they would wait for HBase forever.
    Method cacheMapping =
        UniqueId.class.getDeclaredMethod("cacheMapping", String.class, byte[].class);
    cacheMapping.setAccessible(true);
    cacheMapping.invoke(tsdb.metrics, "metric", METRIC);
  }

  /** The merged cell and the answers to four queries over the row's hour. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared as a whole.
  public record Answer(
      byte[] qualifier, byte[] value, double sum, double min, double max, double count) {}

  /**
   * Reads the row; null if it has no points.
   *
   * @throws RuntimeException the TSD's exception when the query fails
   */
  public Answer read(GeneratedRow row) {
    KeyValue merged = merge(row);
    if (merged == null) {
      return null;
    }
    return new Answer(
        merged.qualifier(),
        merged.value(),
        query(row, merged, "1h-sum"),
        query(row, merged, "1h-min"),
        query(row, merged, "1h-max"),
        query(row, merged, "1h-count"));
  }

  /**
   * The answers to queries of the row's hour by other functions, such as {@code p99}; null if it
   * has no points.
   *
   * @throws RuntimeException the TSD's exception when a query fails
   */
  public double[] read(GeneratedRow row, List<String> functions) {
    KeyValue merged = merge(row);
    return merged == null
        ? null
        : functions.stream().mapToDouble(each -> query(row, merged, "1h-" + each)).toArray();
  }

  /**
   * Whether {@code Internal.extractDataPoints}, which fsck, scan and last-point queries use, fails
   * for a row that a query reads.
   */
  public static boolean isMisreadByExtraction(GeneratedRow row) {
    try {
      Internal.extractDataPoints(new ArrayList<>(cells(row)), row.cells().size());
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }

  private static List<KeyValue> cells(GeneratedRow row) {
    byte[] key = key(row);
    List<KeyValue> cells = new ArrayList<>();
    for (GeneratedCell cell : row.cells()) {
      cells.add(new KeyValue(key, FAMILY, cell.qualifier(), cell.timestamp(), cell.value()));
    }
    return cells;
  }

  private KeyValue merge(GeneratedRow row) {
    List<Annotation> annotations = new ArrayList<>();
    List<HistogramDataPoint> histograms = new ArrayList<>();
    return tsdb.compact(new ArrayList<>(cells(row)), annotations, histograms);
  }

  private static byte[] key(GeneratedRow row) {
    ByteBuffer key = ByteBuffer.allocate(13).put(METRIC);
    return key.putInt((int) row.baseTime()).put(new byte[] {0, 0, 1, 0, 0, 1}).array();
  }

  private double query(GeneratedRow row, KeyValue merged, String downsample) {
    Span span = new Span(tsdb);
    span.addRow(merged);
    // A TSD adds a second to the end of a query; here the end must be the last millisecond.
    long start = row.baseTime() * 1000;
    long end = start + 3_599_999;
    SpanGroup group =
        new SpanGroup(
            tsdb,
            start,
            end,
            List.of(span),
            false,
            new RateOptions(),
            Aggregators.NONE,
            new DownsamplingSpecification(downsample),
            start,
            end,
            0,
            null,
            null);
    SeekableView buckets = group.iterator();
    if (!buckets.hasNext()) {
      throw new IllegalStateException("no bucket");
    }
    DataPoint bucket = buckets.next();
    if (bucket.timestamp() != start) {
      throw new IllegalStateException("bucket of another hour: " + bucket.timestamp());
    }
    double answer = bucket.toDouble();
    if (buckets.hasNext()) {
      throw new IllegalStateException("more than one bucket");
    }
    return answer;
  }
}
