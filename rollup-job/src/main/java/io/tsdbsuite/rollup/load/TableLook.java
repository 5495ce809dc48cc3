package io.tsdbsuite.rollup.load;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.compute.MetricSelector;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Looks at what queries see of a run in its tables, at several parts of a table at the same time.
 */
final class TableLook {
  /** Parts at the same time: enough for some servers, and few for one. */
  private static final int THREADS = 8;

  /**
   * Rows of raw points that are read for the rollups of a table: about a minute. More rollups that
   * others have stored are not proven.
   */
  private static final int MAX_RAW_ROWS = 200_000;

  private final Connection connection;
  private final StoredRun run;
  private final StorageSchema schema;
  private final UidNames names;
  private final long oldest;

  /**
   * @param oldest raw points of before this time may have expired, seconds since the epoch
   */
  TableLook(
      Connection connection, StoredRun run, StorageSchema schema, UidNames names, long oldest) {
    this.connection = connection;
    this.run = run;
    this.schema = schema;
    this.names = names;
    this.oldest = oldest;
  }

  /**
   * Looks at a table, and then at the raw points of the rollups that others have stored since.
   *
   * @throws IOException when HBase fails
   */
  SeenRollups look(Manifest.Table of, RollupInterval interval) throws IOException {
    Manifest manifest = run.manifest();
    long from = Instant.parse(manifest.options().get("--from")).getEpochSecond();
    long to = Instant.parse(manifest.options().get("--to")).getEpochSecond();
    AtomicInteger compared =
        new AtomicInteger(MAX_RAW_ROWS / RawRollups.rows(schema, interval.seconds()));
    List<Callable<SeenRollups>> parts = new ArrayList<>();
    List<KeyRange> all = parts(of.name());
    boolean late = manifest.options().containsKey("--changed-since");
    for (boolean before : new boolean[] {false, true}) {
      if (before ? !late : from >= to) {
        continue;
      }
      for (KeyRange part : before ? run.before(of, all) : all) {
        MetricSelector selector = new MetricSelector(ProvenWindows.patterns(manifest), names);
        SeenRollups seen =
            new SeenRollups(
                new RowKey(schema),
                interval,
                of.aggregatorIds(),
                manifest.stamp(),
                from,
                to,
                selector::excludes,
                compared);
        parts.add(() -> look(seen, of.name(), part, before));
      }
    }
    SeenRollups whole =
        new SeenRollups(
            new RowKey(schema),
            interval,
            of.aggregatorIds(),
            manifest.stamp(),
            from,
            to,
            uid -> false,
            compared);
    together(parts).forEach(whole::add);
    return whole;
  }

  private SeenRollups look(SeenRollups seen, String name, KeyRange part, boolean before)
      throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name));
        Table data = connection.getTable(TableName.valueOf(schema.dataTable()))) {
      if (before) {
        seen.beforeWindow(table, part);
      } else {
        seen.ofWindow(table, part);
      }
      seen.prove(new RawRollups(data, schema, oldest));
    }
    return seen;
  }

  /** The regions of a table, divided by salt buckets. */
  private List<KeyRange> parts(String name) throws IOException {
    TreeSet<byte[]> starts = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    starts.add(new byte[0]);
    try (RegionLocator regions = connection.getRegionLocator(TableName.valueOf(name))) {
      starts.addAll(Arrays.asList(regions.getStartKeys()));
    }
    if (schema.saltWidth() > 0) {
      RowKey rowKey = new RowKey(schema);
      for (int bucket = 0; bucket < schema.saltBuckets(); bucket++) {
        starts.add(rowKey.bucket(bucket));
      }
    }
    List<KeyRange> parts = new ArrayList<>();
    for (byte[] start : starts) {
      byte[] stop = starts.higher(start);
      parts.add(new KeyRange(start, stop == null ? new byte[0] : stop, false));
    }
    return parts;
  }

  /**
   * Works on parts, some of them at the same time.
   *
   * @return the results, in the order of the parts
   * @throws IOException when a part fails
   */
  static <T> List<T> together(List<Callable<T>> parts) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<T>> futures = new ArrayList<>();
      parts.forEach(part -> futures.add(threads.submit(part)));
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("a part of the work has failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while tables were read").initCause(e);
    } finally {
      end(threads);
    }
  }

  /** Waits for them, because they use what the caller closes. */
  private static void end(ExecutorService threads) {
    threads.shutdownNow();
    try {
      boolean unused = threads.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
