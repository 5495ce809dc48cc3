package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.run.QueryContext;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import net.opentsdb.core.RawQuery;
import net.opentsdb.query.filter.TagVFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * One scan of a table, of one salt bucket. The threads of HBase's client hand each batch of rows to
 * the executor, which decodes it and asks for the next one.
 */
final class PieceScan {
  /** Time and value, in an array that grows and in that of the chain. */
  private static final int BYTES_OF_VALUE = 2 * 16;

  private static final int BYTES_OF_COUNTED = 2 * 24;

  private final Scanner scanner;
  private final RowReader rows;
  private final RawQuery query;
  private final List<TagVFilter> filters;
  private final RowKey keys;
  private final boolean counted;
  private final QueryContext context;
  private final Executor executor;
  private final Map<ByteBuffer, ScannedSeries> found = new HashMap<>();
  private final Deferred<Map<ByteBuffer, ScannedSeries>> result = new Deferred<>();
  private volatile boolean stopped;

  PieceScan(
      Scanner scanner,
      RowReader rows,
      RawQuery query,
      List<TagVFilter> filters,
      RowKey keys,
      boolean counted,
      QueryContext context,
      Executor executor) {
    this.scanner = scanner;
    this.rows = rows;
    this.query = query;
    this.filters = filters;
    this.keys = keys;
    this.counted = counted;
    this.context = context;
    this.executor = executor;
  }

  /** Starts; the series by their TSUID, without those that the filters drop. */
  Deferred<Map<ByteBuffer, ScannedSeries>> start() {
    execute(this::next);
    return result;
  }

  /** Ends after the batch that is being read. Its result will not come. */
  void stop() {
    stopped = true;
  }

  private void next() {
    scanner
        .nextRows()
        .addCallbacks(
            batch -> {
              execute(() -> take(batch));
              return null;
            },
            (Exception failure) -> {
              fail(failure);
              return null;
            });
  }

  private void take(@Nullable List<? extends List<KeyValue>> batch) {
    if (batch == null || stopped) {
      scanner.close();
      if (!stopped) {
        result.callback(found);
      }
      return;
    }
    context.used(cells(batch), 0);
    List<Deferred<Object>> lookups = new ArrayList<>();
    for (List<KeyValue> row : batch) {
      byte[] key = row.get(0).key();
      ByteBuffer tsuid = ByteBuffer.wrap(keys.tsuid(key, 0, key.length));
      if (!found.containsKey(tsuid)) {
        ScannedSeries series = new ScannedSeries(key, counted);
        found.put(tsuid, series);
        if (filters.isEmpty()) {
          series.keep();
        } else {
          lookups.add(lookup(series));
        }
      }
    }
    if (lookups.isEmpty()) {
      decode(batch);
      return;
    }
    Deferred.group(lookups)
        .addCallbacks(
            done -> {
              execute(() -> decode(batch));
              return null;
            },
            (Exception failure) -> {
              fail(failure);
              return null;
            });
  }

  /** Asks the filters whether a series passes: once for each series, not for each row. */
  private Deferred<Object> lookup(ScannedSeries series) {
    return query
        .tags(series.key())
        .addCallbackDeferring(
            tags -> {
              List<Deferred<Boolean>> matches = new ArrayList<>();
              for (TagVFilter filter : filters) {
                matches.add(filter.match(tags));
              }
              return Deferred.group(matches);
            })
        .addCallback(
            matches -> {
              if (!matches.contains(false)) {
                series.keep();
              }
              return null;
            });
  }

  private void decode(List<? extends List<KeyValue>> batch) {
    long added = 0;
    for (List<KeyValue> row : batch) {
      byte[] key = row.get(0).key();
      ScannedSeries series = found.get(ByteBuffer.wrap(keys.tsuid(key, 0, key.length)));
      if (series != null && series.isKept()) {
        int before = series.size;
        rows.read(row, series);
        added += series.size - before;
      }
    }
    context.used(0, added * (counted ? BYTES_OF_COUNTED : BYTES_OF_VALUE));
    next();
  }

  private static long cells(List<? extends List<KeyValue>> batch) {
    long cells = 0;
    for (List<KeyValue> row : batch) {
      cells += row.size();
    }
    return cells;
  }

  private void execute(Runnable work) {
    try {
      executor.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException | Error e) {
              fail(e instanceof Exception ? (Exception) e : new IllegalStateException(e));
            }
          });
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void fail(Exception failure) {
    scanner.close();
    if (!stopped) {
      stopped = true;
      result.callback(failure);
    }
  }
}
