package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.SeriesSpan;
import net.opentsdb.core.TSDB;
import net.opentsdb.meta.Annotation;
import net.opentsdb.query.filter.TagVFilter;
import org.hbase.async.BinaryPrefixComparator;
import org.hbase.async.Bytes;
import org.hbase.async.ColumnPrefixFilter;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.FilterList;
import org.hbase.async.QualifierFilter;
import org.hbase.async.RegexStringComparator;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the series of one sub-query.
 *
 * <ol>
 *   <li>Each piece is scanned in its table, each salt bucket by a scanner of its own; a limited
 *       number of scanners at the same time.
 *   <li>Each scan clips its values to its piece.
 *   <li>The values of a series are chained in the order of the pieces.
 * </ol>
 *
 * <p>It fails as a whole if any scan fails: an answer never has a hole because of an error.
 */
final class SeriesReader {
  private static final byte[] ANNOTATION = {1};

  private final TSDB tsdb;
  private final StorageSchema schema;
  private final RowKey keys;
  private final RollupTables tables;
  private final RawQuery query;
  private final RollupFunction function;
  private final QueryContext context;
  private final Executor executor;
  private final List<TagVFilter> filters;
  private final @Nullable ScanFilter rowFilter;
  private final boolean counted;

  private final List<PieceScan> scans = new ArrayList<>();
  private final List<Map<ByteBuffer, ScannedSeries>> results = new ArrayList<>();
  private final Deferred<List<SeriesSpan>> result = new Deferred<>();
  private int started;
  private int finished;
  private boolean failed;

  SeriesReader(
      TSDB tsdb,
      StorageSchema schema,
      RollupTables tables,
      RawQuery query,
      RollupFunction function,
      QueryContext context,
      Executor executor) {
    this.tsdb = tsdb;
    this.schema = schema;
    this.keys = new RowKey(schema);
    this.tables = tables;
    this.query = query;
    this.function = function;
    this.context = context;
    this.executor = executor;
    this.filters = query.filtersOfNames();
    this.rowFilter = query.rowFilter();
    this.counted = function == RollupFunction.AVG;
  }

  /** Reads the pieces, which are in the order of time. */
  Deferred<List<SeriesSpan>> read(List<QueryPlan.Piece> pieces) {
    for (QueryPlan.Piece piece : pieces) {
      QueryPlan.Table table = piece.table();
      if (table == null) {
        scanRaw(piece);
      } else {
        scanRollups(piece, tables.interval(table.interval()));
      }
    }
    if (query.wantsAnnotations()) {
      TimeRanges rolledUp = rolledUp(pieces);
      for (int i = 0; i < rolledUp.size(); i++) {
        scanAnnotations(rolledUp.from(i), rolledUp.to(i));
      }
    }
    for (int i = 0; i < scans.size(); i++) {
      results.add(new HashMap<>());
    }
    int atOnce = Math.max(8, 2 * buckets());
    for (int i = 0; i < atOnce; i++) {
      startNext();
    }
    return result;
  }

  private static TimeRanges rolledUp(List<QueryPlan.Piece> pieces) {
    TimeRanges ranges = TimeRanges.none();
    for (QueryPlan.Piece piece : pieces) {
      if (piece.table() != null) {
        ranges = ranges.plus(TimeRanges.of(piece.from(), piece.to()));
      }
    }
    return ranges;
  }

  private int buckets() {
    return schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
  }

  private void scanRaw(QueryPlan.Piece piece) {
    for (int bucket = 0; bucket < buckets(); bucket++) {
      Scanner scanner = rawScanner(piece.from(), piece.to(), bucket);
      add(
          scanner,
          rowFilter,
          new RawRows(schema, function, piece.from(), piece.to(), query.wantsAnnotations()));
    }
  }

  /** Annotations of a series are in the rows of its points, whose other cells are left out. */
  private void scanAnnotations(long from, long to) {
    List<ScanFilter> all = new ArrayList<>();
    if (rowFilter != null) {
      all.add(rowFilter);
    }
    all.add(new ColumnPrefixFilter(ANNOTATION));
    all.add(
        new QualifierFilter(
            CompareOp.EQUAL, new RegexStringComparator("(?s)^\\x01(?:.{2}|.{4})$")));
    for (int bucket = 0; bucket < buckets(); bucket++) {
      add(rawScanner(from, to, bucket), new FilterList(all), new AnnotationRows(schema, from, to));
    }
  }

  private Scanner rawScanner(long from, long to, int bucket) {
    long first = Math.floorDiv(from, 1000L);
    long last = Math.floorDiv(to - 1, 1000L);
    Scanner scanner =
        scanner(
            tsdb.dataTable(),
            bucket,
            first - first % RowKey.ROW_SPAN_SECONDS,
            last - last % RowKey.ROW_SPAN_SECONDS);
    if (tsdb.getConfig().use_otsdb_timestamp()) {
      // As TsdbQuery: the cells carry the time of their points.
      long scanStart = query.scanStart() * 1000;
      if (tsdb.getConfig().get_date_tiered_compaction_start() <= scanStart) {
        scanner.setTimeRange(scanStart, query.scanEnd() * 1000);
      }
    }
    return scanner;
  }

  private void scanRollups(QueryPlan.Piece piece, RollupInterval interval) {
    List<ScanFilter> cells = new ArrayList<>();
    for (String aggregator : function.aggregators()) {
      byte[] id = {(byte) tables.id(aggregator)};
      cells.add(new QualifierFilter(CompareOp.EQUAL, new BinaryPrefixComparator(id)));
      cells.add(
          new QualifierFilter(
              CompareOp.EQUAL, new BinaryPrefixComparator(Bytes.ISO88591(aggregator))));
    }
    ScanFilter filter = new FilterList(cells, FilterList.Operator.MUST_PASS_ONE);
    if (rowFilter != null) {
      filter = new FilterList(Arrays.asList(rowFilter, filter));
    }
    for (int bucket = 0; bucket < buckets(); bucket++) {
      Scanner scanner =
          scanner(
              Bytes.UTF8(interval.table()),
              bucket,
              interval.baseTime(Math.floorDiv(piece.from(), 1000L)),
              interval.baseTime(Math.floorDiv(piece.to() - 1, 1000L)));
      add(
          scanner,
          filter,
          new RollupRows(schema, tables, interval, function, piece.from(), piece.to()));
    }
  }

  /**
   * @param first base time of the first row, seconds
   * @param last base time of the last row, seconds
   */
  private Scanner scanner(byte[] table, int bucket, long first, long last) {
    Scanner scanner = tsdb.getClient().newScanner(table);
    scanner.setFamily(TSDB.FAMILY());
    scanner.setStartKey(prefix(bucket, first));
    scanner.setStopKey(prefix(bucket, last + 1));
    scanner.setMaxNumRows(tsdb.getConfig().scanner_maxNumRows());
    // A row comes in one piece, however many cells it has.
    scanner.setMaxNumKeyValues(-1);
    return scanner;
  }

  private byte[] prefix(int bucket, long time) {
    byte[] salt = keys.bucket(bucket);
    byte[] metric = query.metric();
    byte[] prefix = new byte[salt.length + metric.length + RowKey.TIME_WIDTH];
    System.arraycopy(salt, 0, prefix, 0, salt.length);
    System.arraycopy(metric, 0, prefix, salt.length, metric.length);
    Bytes.setInt(prefix, (int) time, salt.length + metric.length);
    return prefix;
  }

  private void add(Scanner scanner, @Nullable ScanFilter filter, RowReader rows) {
    if (filter != null) {
      scanner.setFilter(filter);
    }
    scans.add(new PieceScan(scanner, rows, query, filters, keys, counted, context, executor));
  }

  private void startNext() {
    int scan;
    synchronized (this) {
      if (failed || started == scans.size()) {
        return;
      }
      scan = started++;
    }
    scans
        .get(scan)
        .start()
        .addCallback(
            found -> {
              finished(scan, found);
              return null;
            })
        // Also gets exceptions of the callback; otherwise the query would never end.
        .addErrback(
            (Exception failure) -> {
              failed(failure);
              return null;
            });
  }

  private void finished(int scan, Map<ByteBuffer, ScannedSeries> found) {
    boolean last;
    synchronized (this) {
      results.set(scan, found);
      finished++;
      last = finished == scans.size();
    }
    if (last) {
      result.callback(chain());
    } else {
      startNext();
    }
  }

  private void failed(Exception failure) {
    synchronized (this) {
      if (failed) {
        return;
      }
      failed = true;
    }
    for (PieceScan scan : scans) {
      scan.stop();
    }
    result.callback(failure);
  }

  /** The scans are in the order of time; of each series there is one bucket. */
  private List<SeriesSpan> chain() {
    Map<ByteBuffer, List<ScannedSeries>> parts = new HashMap<>();
    for (Map<ByteBuffer, ScannedSeries> found : results) {
      for (Map.Entry<ByteBuffer, ScannedSeries> each : found.entrySet()) {
        ScannedSeries part = each.getValue();
        if (part.isKept() && (part.size > 0 || !part.annotations().isEmpty())) {
          parts.computeIfAbsent(each.getKey(), tsuid -> new ArrayList<>()).add(part);
        }
      }
    }
    results.clear();
    List<SeriesSpan> series = new ArrayList<>(parts.size());
    for (List<ScannedSeries> each : parts.values()) {
      series.add(chain(each));
    }
    return series;
  }

  private SeriesSpan chain(List<ScannedSeries> parts) {
    int size = 0;
    for (ScannedSeries part : parts) {
      size += part.size;
    }
    long[] times = new long[size];
    double[] values = new double[size];
    long[] counts = new long[counted ? size : 0];
    List<Annotation> annotations = new ArrayList<>(0);
    int at = 0;
    for (ScannedSeries part : parts) {
      System.arraycopy(part.times, 0, times, at, part.size);
      System.arraycopy(part.values, 0, values, at, part.size);
      if (counted) {
        System.arraycopy(part.counts, 0, counts, at, part.size);
      }
      at += part.size;
      annotations.addAll(part.annotations());
    }
    return new SeriesSpan(tsdb, parts.get(0).key(), times, values, counts, annotations);
  }
}
