package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSDB;
import net.opentsdb.query.filter.TagVFilter;
import org.hbase.async.Bytes;
import org.hbase.async.FilterList;
import org.hbase.async.FirstKeyOnlyFilter;
import org.hbase.async.KeyOnlyFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Counts the series of a query in the rows of one hour, without values: a scanner of first cells
 * for each salt bucket, up to a limit. Filters of names are asked which of them pass. For their
 * density it reads one batch of some whole rows of each, of this hour and of another: TSDs may have
 * compacted the rows of one alone. The smaller number of cells counts, because a query is refused
 * by it, and what it reads is counted, too.
 */
final class KeyScan {
  /** Of all salt buckets; of more series an estimate says that there are at least so many. */
  private static final int MAX_ROWS = 50_000;

  private static final int ROWS_PER_CALL = 1_000;
  private static final int WHOLE_ROWS = 10;

  private final TSDB tsdb;
  private final RawQuery query;
  private final List<TagVFilter> filters;
  private final QueryContext context;
  private final Executor executor;
  private final RowKey keys;
  private final int buckets;
  private final long hour;
  private final long other;
  private final Density ofHour = new Density();
  private final Density ofOther = new Density();
  private long rows;
  private long kept;

  /** What whole rows of one hour have. */
  private static final class Density {
    private long rows;
    private long cells;
    private long points;
  }

  /**
   * @param executor asks the filters
   * @param hour base time of the rows, seconds
   * @param other that of rows whose density is looked at, too; may be the same
   */
  KeyScan(
      TSDB tsdb,
      StorageSchema schema,
      RawQuery query,
      QueryContext context,
      Executor executor,
      long hour,
      long other) {
    this.context = context;
    this.executor = executor;
    this.tsdb = tsdb;
    this.query = query;
    this.filters = query.filtersOfNames();
    this.keys = new RowKey(schema);
    this.buckets = PlanReader.buckets(schema);
    this.hour = hour;
    this.other = other;
  }

  /** Reads; null if there are no rows. */
  Deferred<@Nullable SeriesEstimate> read() {
    List<Deferred<Object>> all = new ArrayList<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      all.add(rows(scanner(bucket, hour, ROWS_PER_CALL, new FirstKeyOnlyFilter()), 0));
      all.add(wholeRows(scanner(bucket, hour, WHOLE_ROWS, null), ofHour));
      if (other != hour) {
        all.add(wholeRows(scanner(bucket, other, WHOLE_ROWS, null), ofOther));
      }
    }
    return Deferred.group(all).addCallback(done -> estimate());
  }

  private Deferred<Object> wholeRows(Scanner scanner, Density density) {
    return scanner
        .nextRows()
        .addCallbackDeferring(
            QueryTasks.guarded(
                context,
                batch -> {
                  add(batch, density);
                  return batch == null ? Deferred.fromResult(null) : scanner.close();
                }));
  }

  private Deferred<Object> rows(Scanner scanner, int before) {
    return scanner
        .nextRows()
        .addCallbackDeferring(
            QueryTasks.guarded(
                context,
                batch -> {
                  if (batch == null) {
                    return Deferred.fromResult(null);
                  }
                  int read = before + batch.size();
                  return passing(batch)
                      .addCallbackDeferring(
                          QueryTasks.guarded(
                              context,
                              passed -> {
                                synchronized (this) {
                                  rows += batch.size();
                                  kept += passed;
                                }
                                return read >= MAX_ROWS / buckets
                                    ? scanner.close()
                                    : rows(scanner, read);
                              }));
                }));
  }

  /** How many of the rows are of series that pass. */
  private Deferred<Integer> passing(List<? extends List<KeyValue>> batch) {
    if (filters.isEmpty()) {
      return Deferred.fromResult(batch.size());
    }
    return QueryTasks.call(
        executor,
        context,
        () -> {
          List<Deferred<Boolean>> all = new ArrayList<>();
          for (List<KeyValue> row : batch) {
            all.add(
                query
                    .passes(row.get(0).key(), filters, tags -> {})
                    // Whoever reads the series fails in OpenTSDB's words.
                    .addErrback((Exception failure) -> true));
          }
          return Deferred.group(all).addCallback(passed -> Collections.frequency(passed, true));
        });
  }

  private synchronized void add(@Nullable List<? extends List<KeyValue>> batch, Density density) {
    if (batch == null) {
      return;
    }
    for (List<KeyValue> row : batch) {
      density.rows++;
      for (KeyValue cell : row) {
        byte[] q = cell.qualifier();
        density.cells++;
        density.points += ScanStats.points(q);
      }
    }
  }

  private synchronized @Nullable SeriesEstimate estimate() {
    if (rows == 0 || ofHour.rows == 0) {
      return null;
    }
    double cells = (double) ofHour.cells / ofHour.rows;
    if (ofOther.rows > 0) {
      cells = Math.min(cells, (double) ofOther.cells / ofOther.rows);
    }
    double points = (double) (ofHour.points + ofOther.points) / (ofHour.rows + ofOther.rows);
    return new SeriesEstimate(rows, kept, cells, points);
  }

  private Scanner scanner(int bucket, long time, int rowsPerCall, @Nullable ScanFilter more) {
    Scanner scanner = tsdb.getClient().newScanner(tsdb.dataTable());
    scanner.setFamily(TSDB.FAMILY());
    scanner.setStartKey(prefix(bucket, time));
    scanner.setStopKey(prefix(bucket, time + 1));
    scanner.setMaxNumRows(rowsPerCall);
    scanner.setMaxNumKeyValues(-1);
    List<ScanFilter> filters = new ArrayList<>();
    ScanFilter rowFilter = query.rowFilter();
    if (rowFilter != null) {
      filters.add(rowFilter);
    }
    if (more != null) {
      filters.add(more);
    }
    filters.add(new KeyOnlyFilter());
    scanner.setFilter(new FilterList(filters));
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
}
