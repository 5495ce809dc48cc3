package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
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
  /** A scanner with its filters and its region, and this object. */
  private static final int BYTES_OF_SCAN = 4_000;

  /** Maps, arrays and their headers, in the scan and in the answer, beside keys. */
  private static final int BYTES_OF_SERIES = 600;

  /** A KeyValue and the headers of its arrays, beside what they hold. */
  private static final int BYTES_OF_CELL = 100;

  private final Supplier<Scanner> scanners;
  private final RowReader rows;
  private final LongAdder counter;
  private final Reading reading;
  private final Map<ByteBuffer, ScannedSeries> found = new HashMap<>();
  private final Deferred<Map<ByteBuffer, ScannedSeries>> result = new Deferred<>();
  private final ScanStats stats;
  private @Nullable Scanner scanner;
  private long cells;
  private volatile boolean stopped;

  /** What all scans of a sub-query share. */
  static final class Reading {
    private final RawQuery query;
    private final List<TagVFilter> filters;
    private final RowKey keys;
    private final boolean counted;
    private final QueryContext context;
    private final HeldMemory memory;
    private final Runnable proof;
    private final Executor executor;
    private final BatchQueue batches;

    /**
     * @param counted whether each value has a count
     * @param proof called for each batch; throws if what was read must not be answered
     */
    Reading(
        RawQuery query,
        RowKey keys,
        boolean counted,
        QueryContext context,
        HeldMemory memory,
        Runnable proof,
        Executor executor,
        BatchQueue batches) {
      this.query = query;
      this.filters = query.filtersOfNames();
      this.keys = keys;
      this.counted = counted;
      this.context = context;
      this.memory = memory;
      this.proof = proof;
      this.executor = executor;
      this.batches = batches;
    }
  }

  /**
   * @param scanners makes the scanner when the scan begins
   * @param counter of the cells of all queries that are read for the same reason
   */
  PieceScan(Supplier<Scanner> scanners, RowReader rows, LongAdder counter, Reading reading) {
    this.scanners = scanners;
    this.rows = rows;
    this.counter = counter;
    this.reading = reading;
    this.stats = new ScanStats(reading.query.scanStats() != null);
  }

  /** Starts; the series by their TSUID, without those that the filters drop. */
  Deferred<Map<ByteBuffer, ScannedSeries>> start() {
    execute(
        () -> {
          reading.memory.add(0, BYTES_OF_SCAN);
          Scanner made = scanners.get();
          scanner = made;
          stats.begin(made.toString());
          ask();
        });
    return result;
  }

  /** Ends after the batch that is being read. Its result will not come. */
  void stop() {
    stopped = true;
  }

  /** What the scan has read, after its end. */
  ScanStats stats() {
    return stats;
  }

  /** Cells read. */
  long cells() {
    return cells;
  }

  private void ask() {
    reading.batches.ask(
        reading.context, () -> QueryTasks.guard(reading.context, this::requestNext));
  }

  private void requestNext() {
    Scanner open = scanner;
    if (stopped || open == null) {
      close();
      return;
    }
    stats.ask();
    try {
      open.nextRows()
          .addCallbacks(
              batch -> {
                QueryTasks.guard(reading.context, () -> arrived(batch));
                return null;
              },
              (Exception failure) -> {
                QueryTasks.guard(reading.context, () -> fail(failure));
                return null;
              });
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void arrived(@Nullable List<? extends List<KeyValue>> batch) {
    stats.answered();
    reading.batches.arrived();
    boolean taken = execute(() -> take(batch));
    if (!taken) {
      reading.batches.done();
    }
  }

  /** The batch counts as waiting until {@link #decode}, or the end. */
  private void take(@Nullable List<? extends List<KeyValue>> batch) {
    if (batch == null || stopped) {
      reading.batches.done();
      close();
      if (!stopped) {
        stats.end();
        result.callback(found);
      }
      return;
    }
    boolean later = false;
    try {
      later = look(batch);
    } finally {
      if (!later) {
        reading.batches.done();
      }
    }
    if (!later) {
      ask();
    }
  }

  /**
   * Looks for new series, and decodes the batch unless names must be looked up first.
   *
   * @return whether the batch will be decoded later
   */
  private boolean look(List<? extends List<KeyValue>> batch) {
    reading.proof.run();
    long read = cells(batch);
    long bytes = bytes(batch);
    cells += read;
    counter.add(read);
    stats.found(batch);
    reading.memory.add(read, bytes);
    List<Deferred<Object>> lookups = new ArrayList<>();
    long ofSeries = 0;
    for (List<KeyValue> row : batch) {
      byte[] key = row.get(0).key();
      ByteBuffer tsuid = ByteBuffer.wrap(reading.keys.tsuid(key, 0, key.length));
      if (!found.containsKey(tsuid)) {
        ScannedSeries series = new ScannedSeries(key, reading.counted);
        found.put(tsuid, series);
        ofSeries += BYTES_OF_SERIES + 4L * key.length;
        if (reading.filters.isEmpty()) {
          series.keep();
        } else {
          lookups.add(lookup(series));
        }
      }
    }
    reading.memory.add(0, ofSeries);
    if (lookups.isEmpty()) {
      decode(batch, bytes);
      return false;
    }
    Deferred.group(lookups)
        .addCallbacks(
            done -> {
              QueryTasks.guard(reading.context, () -> lookedUp(batch, bytes));
              return null;
            },
            (Exception failure) -> {
              reading.batches.done();
              QueryTasks.guard(reading.context, () -> fail(failure));
              return null;
            });
    return true;
  }

  private void lookedUp(List<? extends List<KeyValue>> batch, long bytes) {
    boolean taken =
        execute(
            () -> {
              try {
                decode(batch, bytes);
              } finally {
                reading.batches.done();
              }
              ask();
            });
    if (!taken) {
      reading.batches.done();
    }
  }

  /** Asks the filters whether a series passes: once for each series, not for each row. */
  private Deferred<Object> lookup(ScannedSeries series) {
    return reading
        .query
        .tags(series.key())
        .addCallbackDeferring(
            tags -> {
              stats.resolved(tags.size());
              List<Deferred<Boolean>> matches = new ArrayList<>();
              for (TagVFilter filter : reading.filters) {
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

  private void decode(List<? extends List<KeyValue>> batch, long bytes) {
    long added = 0;
    long begin = System.nanoTime();
    for (List<KeyValue> row : batch) {
      byte[] key = row.get(0).key();
      ScannedSeries series = found.get(ByteBuffer.wrap(reading.keys.tsuid(key, 0, key.length)));
      if (series != null && series.isKept()) {
        long before = series.bytes();
        stats.kept(row);
        rows.read(row, series);
        added += series.bytes() - before;
      }
    }
    stats.decoded(System.nanoTime() - begin);
    reading.memory.add(0, added);
    reading.memory.free(bytes);
  }

  private static long cells(List<? extends List<KeyValue>> batch) {
    long cells = 0;
    for (List<KeyValue> row : batch) {
      cells += row.size();
    }
    return cells;
  }

  /** The heap of a batch; its cells share the key of their row. */
  private static long bytes(List<? extends List<KeyValue>> batch) {
    long bytes = 0;
    for (List<KeyValue> row : batch) {
      for (KeyValue cell : row) {
        bytes += BYTES_OF_CELL + cell.qualifier().length + cell.value().length;
      }
    }
    return bytes;
  }

  /** Whether the executor has taken the work. */
  private boolean execute(Runnable work) {
    try {
      reading.executor.execute(
          () ->
              QueryTasks.guard(
                  reading.context,
                  () -> {
                    try {
                      work.run();
                    } catch (RuntimeException e) {
                      fail(e);
                    }
                  }));
      return true;
    } catch (RuntimeException e) {
      fail(e);
      return false;
    }
  }

  private void close() {
    Scanner open = scanner;
    if (open != null) {
      scanner = null;
      open.close();
      reading.memory.free(BYTES_OF_SCAN);
    }
  }

  private void fail(Exception failure) {
    close();
    if (!stopped) {
      stopped = true;
      result.callback(failure);
    }
  }
}
