package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.run.QueryContext;
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
import org.hbase.async.Bytes;
import org.hbase.async.KeyValue;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/** One scan of a table, of one salt bucket: looks for series in its rows, and decodes them. */
final class PieceScan implements BatchReader.Target {
  /** A scanner with its filters and its region, and this object. */
  private static final int BYTES_OF_SCAN = 4_000;

  /** Maps, arrays and their headers, in the scan and in the answer, beside keys. */
  private static final int BYTES_OF_SERIES = 600;

  /** A KeyValue and the headers of its arrays, beside what they hold. */
  private static final int BYTES_OF_CELL = 100;

  /**
   * Bytes of cells in a batch, to the end of a row. Without this limit a batch of uncompacted rows
   * with a point each second has 30 MB.
   */
  private static final int BYTES_PER_CALL = 4 << 20;

  private final Supplier<Scanner> scanners;
  private final Wait wait;
  private final BatchReader batches;
  private final RowReader rows;
  private final LongAdder counter;
  private final Reading reading;
  private volatile Map<ByteBuffer, ScannedSeries> found = new HashMap<>();
  private final Deferred<Map<ByteBuffer, ScannedSeries>> result = new Deferred<>();
  private final ScanStats stats;
  private long cells;

  /** What is waited for in place of an answer of HBase. */
  interface Wait {
    /** As long as it takes. */
    static <T> Deferred<T> always(Deferred<T> asked) {
      return asked;
    }

    <T> Deferred<T> of(Deferred<T> asked);
  }

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
   * @param scanners makes the scanner when it is asked for the first time
   * @param wait for each batch
   * @param counter of the cells of all queries that are read for the same reason
   */
  PieceScan(
      Supplier<Scanner> scanners, Wait wait, RowReader rows, LongAdder counter, Reading reading) {
    this.scanners = scanners;
    this.wait = wait;
    this.rows = rows;
    this.counter = counter;
    this.reading = reading;
    this.batches =
        new BatchReader(new Source(), this, reading.context, reading.executor, reading.batches);
    this.stats = new ScanStats(reading.query.scanStats() != null);
  }

  /** Starts; the series by their TSUID, without those that the filters drop. */
  Deferred<Map<ByteBuffer, ScannedSeries>> start() {
    batches.ask();
    return result;
  }

  /** Ends after the batch that is being decoded, and holds nothing. Its result will not come. */
  void stop() {
    batches.stop();
    // HBase's client may hold this object for ever.
    found = new HashMap<>();
  }

  /** What the scan has read, after its end. */
  ScanStats stats() {
    return stats;
  }

  /** Cells read. */
  long cells() {
    return cells;
  }

  /** The scanner, which is made when it is asked for the first time. */
  private final class Source implements BatchReader.Source {
    private @Nullable Scanner scanner;

    /** Whether HBase has not answered; guarded by this object, as the next one. */
    private boolean unanswered;

    /** Whether the answer is not waited for any more. */
    private boolean left;

    /** The key of the last row that has come. */
    private byte[] last = {};

    @Override
    public Deferred<? extends List<? extends List<KeyValue>>> next() {
      Scanner open = scanner;
      if (open == null) {
        reading.memory.add(0, BYTES_OF_SCAN + rows.bytes());
        open = scanners.get();
        open.setMaxNumBytes(BYTES_PER_CALL);
        scanner = open;
        stats.begin(open);
      }
      stats.ask();
      synchronized (this) {
        unanswered = true;
      }
      return wait.of(answer(open, open.nextRows())).addCallback(this::unread);
    }

    private <T> Deferred<T> answer(Scanner open, Deferred<T> asked) {
      return asked.addCallbacks(
          batch -> {
            answered(open);
            return batch;
          },
          (Exception failure) -> {
            answered(open);
            throw failure;
          });
    }

    /** HBase has answered, perhaps after the piece was given up. */
    private void answered(Scanner open) {
      boolean close;
      synchronized (this) {
        unanswered = false;
        close = left;
      }
      if (close) {
        open.close();
      }
    }

    /**
     * The rows that have not come before. When it has lost the region, asynchbase opens the scanner
     * again at the last row, or at the first one if only one batch has come.
     */
    private @Nullable List<? extends List<KeyValue>> unread(
        @Nullable List<? extends List<KeyValue>> batch) {
      if (batch == null) {
        return null;
      }
      int first = 0;
      while (first < batch.size() && Bytes.memcmp(key(batch, first), last) <= 0) {
        first++;
      }
      if (first < batch.size()) {
        last = key(batch, batch.size() - 1);
      }
      return batch.subList(first, batch.size());
    }

    private byte[] key(List<? extends List<KeyValue>> batch, int row) {
      return batch.get(row).get(0).key();
    }

    @Override
    public void close() {
      if (scanner != null) {
        synchronized (this) {
          left = unanswered;
        }
        if (!left) {
          scanner.close();
        }
        reading.memory.free(BYTES_OF_SCAN + rows.bytes());
      }
    }
  }

  @Override
  public void answered(@Nullable List<? extends List<KeyValue>> batch) {
    stats.answered();
    if (batch != null) {
      long read = cells(batch);
      cells += read;
      counter.add(read);
      reading.memory.add(read, bytes(batch));
    }
  }

  @Override
  public void ended() {
    stats.end();
    result.callback(found);
  }

  @Override
  public void failed(Exception failure) {
    result.callback(failure);
  }

  /** Looks for new series, and asks the filters for their names. */
  @Override
  public @Nullable Deferred<?> look(List<? extends List<KeyValue>> batch) {
    reading.proof.run();
    stats.found(batch);
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
    return lookups.isEmpty() ? null : Deferred.group(lookups);
  }

  /** Asks the filters whether a series passes: once for each series, not for each row. */
  private Deferred<Object> lookup(ScannedSeries series) {
    return reading
        .query
        .passes(series.key(), reading.filters, stats::resolved)
        .addCallback(
            passes -> {
              if (passes) {
                series.keep();
              }
              return null;
            });
  }

  @Override
  public void decode(List<? extends List<KeyValue>> batch) {
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
    reading.memory.free(bytes(batch));
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
}
