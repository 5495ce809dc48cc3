package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.shadow.BucketReader;
import io.tsdbsuite.query.shadow.BucketValue;
import io.tsdbsuite.query.shadow.SeriesValues;
import io.tsdbsuite.query.shadow.ShadowBucket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.UniqueId.UniqueIdType;
import org.hbase.async.Bytes;
import org.hbase.async.FilterList;
import org.hbase.async.FirstKeyOnlyFilter;
import org.hbase.async.GetRequest;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/** Reads single buckets of single series, with the decoders of queries. Waits for HBase. */
public final class BucketRows implements BucketReader {
  private static final long MAX_WAIT_MILLIS = 30_000;
  private static final long HOUR = 3_600_000;

  private final TSDB tsdb;
  private final StorageSchema schema;
  private final RollupTables tables;
  private final HistogramCodecs codecs;
  private final RowKey keys;

  /**
   * @param schema of the TSD
   * @param tables its rollup tables
   * @param codecs of its histograms
   */
  public BucketRows(TSDB tsdb, StorageSchema schema, RollupTables tables, HistogramCodecs codecs) {
    this.codecs = codecs;
    this.tsdb = tsdb;
    this.schema = schema;
    this.tables = tables;
    this.keys = new RowKey(schema);
  }

  private static <T> T await(Deferred<T> answer) throws Exception {
    return answer.joinUninterruptibly(MAX_WAIT_MILLIS);
  }

  @Override
  public Optional<SeriesValues> read(ShadowBucket bucket, byte[] tsuid, long maxCells)
      throws Exception {
    RollupFunction function = bucket.function();
    if (function.isHistogram()) {
      return histograms(bucket, tsuid, maxCells);
    }
    RollupInterval interval = tables.interval(bucket.interval());
    TimeRanges times = TimeRanges.of(bucket.from(), bucket.to());
    ScannedSeries rollup = new ScannedSeries(tsuid, true);
    List<KeyValue> row =
        get(
            Bytes.UTF8(Objects.requireNonNull(tables.table(bucket.interval()))),
            key(tsuid, interval.baseTime(bucket.from() / 1000)));
    long cells = row.size();
    if (!row.isEmpty()) {
      boolean packed = Level.isPacked(bucket.interval());
      SeriesReader.rollupRows(schema, tables, interval, packed, function, times).read(row, rollup);
    }
    RawRows rows = new RawRows(schema, function, times, false);
    BucketValue raw = new BucketValue(function);
    long written = 0;
    long hour = Math.floorDiv(bucket.from(), HOUR) * HOUR;
    for (; hour < bucket.to() && Math.max(cells, raw.kept()) <= maxCells; hour += HOUR) {
      row = get(tsdb.dataTable(), key(tsuid, hour / 1000));
      if (row.isEmpty()) {
        continue;
      }
      ScannedSeries points = new ScannedSeries(tsuid, true);
      try {
        rows.read(row, points);
      } catch (NotExactException e) {
        return Optional.empty();
      }
      cells += row.size();
      addAll(points, raw);
      for (KeyValue cell : row) {
        written = Math.max(written, cell.timestamp());
      }
    }
    BucketValue stored = new BucketValue(function);
    addAll(rollup, stored);
    return Optional.of(new SeriesValues(tsuid, stored, raw, cells, written));
  }

  private Optional<SeriesValues> histograms(ShadowBucket bucket, byte[] tsuid, long maxCells)
      throws Exception {
    BucketHistogram stored = new BucketHistogram(codecs);
    BucketHistogram raw = new BucketHistogram(codecs);
    byte[] table = Bytes.UTF8(Objects.requireNonNull(tables.table(bucket.interval())));
    long hour = Math.floorDiv(bucket.from(), HOUR) * HOUR;
    List<KeyValue> row = get(table, key(tsuid, hour / 1000));
    long cells = row.size();
    long written = 0;
    try {
      add(row, hour, bucket, false, stored);
      for (; hour < bucket.to() && cells <= maxCells; hour += HOUR) {
        row = get(tsdb.dataTable(), key(tsuid, hour / 1000));
        cells += add(row, hour, bucket, true, raw);
        for (KeyValue cell : row) {
          written = Math.max(written, cell.timestamp());
        }
      }
    } catch (NotExactException e) {
      return Optional.empty();
    }
    byte[] bytes = stored.bytes();
    byte[] rawBytes = raw.bytes();
    if (bytes == null || rawBytes == null || raw.isMixed()) {
      return Optional.empty();
    }
    BucketValue rollup = new BucketValue(stored.isEmpty() ? null : stored.codec(), bytes);
    BucketValue points = new BucketValue(raw.isEmpty() ? null : raw.codec(), rawBytes);
    return Optional.of(new SeriesValues(tsuid, rollup, points, cells, written));
  }

  /** Adds what a row has in the times of a bucket; the larger of its cells and points. */
  private long add(
      List<KeyValue> row, long hour, ShadowBucket bucket, boolean points, BucketHistogram to) {
    RowMerger merger = new RowMerger(schema);
    RowHistograms histograms = new RowHistograms();
    merger.receive(histograms);
    try {
      for (KeyValue cell : row) {
        byte[] q = cell.qualifier();
        byte[] v = cell.value();
        merger.add(q, 0, q.length, v, 0, v.length, cell.timestamp());
      }
      histograms.sort();
      PointBuffer merged = merger.merge();
      if (merger.ambiguousDuplicates() > 0) {
        throw new NotExactException("duplicate points of the same cell timestamp");
      }
      double[] values = merged.doubles();
      for (int i = 0; points && i < merged.size(); i++) {
        if (has(bucket, hour + merged.offsetMillis(i))) {
          to.addPoints(values, i, i + 1);
        }
      }
      for (int i = 0; i < histograms.size(); i++) {
        long time = hour + histograms.offsetMillis(i);
        if (points ? has(bucket, time) : time == bucket.from()) {
          to.addCell(histograms, i);
        }
      }
      return Math.max(row.size(), merged.size());
    } catch (CorruptCellException
        | DuplicateConflictException
        | HistogramException
        | IllegalArgumentException e) {
      // A histogram that only the TSD can add, an infinite point, or what fails the row.
      throw new NotExactException(String.valueOf(e.getMessage()));
    }
  }

  private static boolean has(ShadowBucket bucket, long time) {
    return time >= bucket.from() && time < bucket.to();
  }

  private static void addAll(ScannedSeries series, BucketValue to) {
    for (int i = 0; i < series.size; i++) {
      to.add(series.values[i], series.counts[i]);
    }
  }

  private List<KeyValue> get(byte[] table, byte[] key) throws Exception {
    GetRequest get = new GetRequest(table, key, TSDB.FAMILY());
    // What a check reads is not what the next query reads.
    get.setServerBlockCache(false);
    ArrayList<KeyValue> row = await(tsdb.getClient().get(get));
    return row == null ? new ArrayList<>() : row;
  }

  /**
   * @param baseTime seconds
   */
  private byte[] key(byte[] tsuid, long baseTime) {
    int metric = keys.timeOffset() - keys.metricOffset();
    byte[] key = new byte[keys.metricOffset() + tsuid.length + RowKey.TIME_WIDTH];
    System.arraycopy(tsuid, 0, key, keys.metricOffset(), metric);
    Bytes.setInt(key, (int) baseTime, keys.timeOffset());
    System.arraycopy(tsuid, metric, key, keys.tagsOffset(), tsuid.length - metric);
    keys.writeSalt(key);
    return key;
  }

  @Override
  public List<byte[]> rawSeries(
      ShadowBucket bucket, long hour, byte @Nullable [] after, int salt, int limit)
      throws Exception {
    byte[] start;
    if (after == null) {
      int buckets = schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
      byte[] prefix = keys.bucket(salt % buckets);
      byte[] metric = bucket.metricUid();
      start = Arrays.copyOf(prefix, keys.tagsOffset());
      System.arraycopy(metric, 0, start, keys.metricOffset(), metric.length);
      Bytes.setInt(start, (int) hour, keys.timeOffset());
    } else {
      byte[] key = key(after, hour);
      start = Arrays.copyOf(key, key.length + 1);
    }
    byte[] stop = Arrays.copyOf(start, keys.tagsOffset());
    Bytes.setInt(stop, (int) (hour + 1), keys.timeOffset());
    Scanner scanner = tsdb.getClient().newScanner(tsdb.dataTable());
    scanner.setFamily(TSDB.FAMILY());
    scanner.setStartKey(start);
    scanner.setStopKey(stop);
    scanner.setMaxNumRows(limit);
    scanner.setFilter(new FilterList(Arrays.asList(new FirstKeyOnlyFilter(), new KeyOnlyFilter())));
    List<byte[]> found = new ArrayList<>();
    try {
      ArrayList<ArrayList<KeyValue>> rows = await(scanner.nextRows());
      if (rows != null) {
        for (List<KeyValue> row : rows) {
          byte[] key = row.get(0).key();
          if (keys.check(key, 0, key.length) == null) {
            found.add(keys.tsuid(key, 0, key.length));
          }
        }
      }
    } finally {
      await(scanner.close());
    }
    return found;
  }

  @Override
  public String name(ShadowBucket bucket, byte[] tsuid) throws Exception {
    int tagk = TSDB.tagk_width();
    int tagv = TSDB.tagv_width();
    Map<String, String> tags = new TreeMap<>();
    for (int at = TSDB.metrics_width(); at < tsuid.length; at += tagk + tagv) {
      String name = name(UniqueIdType.TAGK, Arrays.copyOfRange(tsuid, at, at + tagk));
      tags.put(
          name, name(UniqueIdType.TAGV, Arrays.copyOfRange(tsuid, at + tagk, at + tagk + tagv)));
    }
    StringBuilder text = new StringBuilder();
    tags.forEach(
        (name, value) ->
            text.append(text.length() == 0 ? "" : ",").append(name).append('=').append(value));
    return bucket.metric() + "{" + text + "}";
  }

  private String name(UniqueIdType type, byte[] uid) throws Exception {
    return await(tsdb.getUidName(type, uid));
  }
}
