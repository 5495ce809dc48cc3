package io.tsdbsuite.bulk.meta;

import io.tsdbsuite.bulk.hbase.ParallelTable;
import io.tsdbsuite.bulk.spill.SeriesTotal;
import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import java.io.Closeable;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of tsdb-meta that a TSD writes for series it receives. Existing cells are not
 * changed, so it may run again. UIDMeta objects are not made: a TSD answers without them, and
 * {@code tsdb uid metasync} makes them.
 */
public final class MetaRows implements Closeable {
  private static final byte[] FAMILY = TsMetaRow.family();
  private static final byte[] META = TsMetaRow.metaQualifier();
  private static final byte[] COUNTER = TsMetaRow.counterQualifier();
  private static final int BATCH = 4000;

  private final ParallelTable table;
  private final InstantSource clock;

  /**
   * The rows of one installation.
   *
   * @param connection stays open when this is closed
   * @param clock when series are first seen
   */
  public MetaRows(Connection connection, StorageSchema schema, InstantSource clock) {
    this.table = new ParallelTable(connection, TableName.valueOf(schema.metaTable()));
    this.clock = clock;
  }

  /** Series one after the other, each once. */
  @FunctionalInterface
  public interface Source {
    /** The next one, null at the end. */
    @Nullable SeriesTotal next() throws IOException;
  }

  /**
   * Makes rows.
   *
   * @throws IOException when the source fails
   * @throws JobException outside, naming the table and the row that failed
   */
  public Counts write(Source source) throws IOException {
    Counts counts = new Counts(0, 0, 0);
    List<SeriesTotal> batch = new ArrayList<>(BATCH);
    for (SeriesTotal next = source.next(); next != null; next = source.next()) {
      batch.add(next);
      if (batch.size() == BATCH) {
        counts = counts.plus(write(batch));
        batch.clear();
      }
    }
    return batch.isEmpty() ? counts : counts.plus(write(batch));
  }

  /**
   * A series without a row gets both columns in one put: a counting TSD writes the JSON only with
   * the first point of a series, so a counter alone would leave the series without JSON for ever.
   * Counts that a TSD writes between the check and the put have a newer cell timestamp and stay.
   */
  private Counts write(List<SeriesTotal> batch) {
    List<SeriesTotal> withoutRow = new ArrayList<>();
    List<SeriesTotal> withoutMeta = new ArrayList<>();
    List<SeriesTotal> withoutCounter = new ArrayList<>();
    List<Result> rows = table.get(batch.stream().map(MetaRows::get).toList());
    for (int i = 0; i < rows.size(); i++) {
      boolean meta = rows.get(i).containsNonEmptyColumn(FAMILY, META);
      boolean counter = rows.get(i).containsNonEmptyColumn(FAMILY, COUNTER);
      if (!meta) {
        (counter ? withoutMeta : withoutRow).add(batch.get(i));
      } else if (!counter) {
        withoutCounter.add(batch.get(i));
      }
    }
    boolean[] rowsMade = create(withoutRow, META, series -> counter(json(series), series));
    for (int i = 0; i < rowsMade.length; i++) {
      if (!rowsMade[i]) {
        withoutCounter.add(withoutRow.get(i));
      }
    }
    boolean[] metaMade = create(withoutMeta, META, this::json);
    boolean[] countersMade =
        create(withoutCounter, COUNTER, series -> counter(new Put(series.tsuid()), series));
    long rowCount = count(rowsMade);
    return new Counts(batch.size(), rowCount + count(metaMade), rowCount + count(countersMade));
  }

  private static Get get(SeriesTotal series) {
    return new Get(series.tsuid()).addColumn(FAMILY, META).addColumn(FAMILY, COUNTER);
  }

  private Put json(SeriesTotal series) {
    long now = clock.instant().getEpochSecond();
    return new Put(series.tsuid()).addColumn(FAMILY, META, TsMetaRow.json(series.tsuid(), now));
  }

  /**
   * A TSD reads the timestamp of a counter as the time of the last point. It is never in the
   * future: a future timestamp would hide later puts of a TSD.
   */
  private Put counter(Put put, SeriesTotal series) {
    long time = Math.min(series.newestMillis(), clock.millis());
    return put.addColumn(FAMILY, COUNTER, time, TsMetaRow.counter(series.points()));
  }

  private boolean[] create(
      List<SeriesTotal> batch, byte[] qualifier, Function<SeriesTotal, Put> put) {
    List<CheckAndMutate> puts = new ArrayList<>(batch.size());
    for (SeriesTotal series : batch) {
      puts.add(
          CheckAndMutate.newBuilder(series.tsuid())
              .ifNotExists(FAMILY, qualifier)
              .build(put.apply(series)));
    }
    return table.checkAndMutate(puts);
  }

  private static long count(boolean[] made) {
    long count = 0;
    for (boolean one : made) {
      count += one ? 1 : 0;
    }
    return count;
  }

  /** Ends its threads; the connection stays open. */
  @Override
  public void close() {
    table.close();
  }

  /**
   * Counters of written metadata.
   *
   * @param series series in all
   * @param metaCreated {@code ts_meta} made, the others existed
   * @param countersCreated {@code ts_ctr} made, the others existed and are unchanged
   */
  public record Counts(long series, long metaCreated, long countersCreated) {
    Counts plus(Counts other) {
      return new Counts(
          series + other.series,
          metaCreated + other.metaCreated,
          countersCreated + other.countersCreated);
    }
  }
}
