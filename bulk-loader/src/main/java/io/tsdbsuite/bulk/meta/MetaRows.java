package io.tsdbsuite.bulk.meta;

import io.tsdbsuite.bulk.error.LoadException;
import io.tsdbsuite.bulk.hbase.ParallelTable;
import io.tsdbsuite.format.meta.TsMetaRow;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.Closeable;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;

/**
 * Makes the rows of tsdb-meta that a TSD makes for series that it stores points of itself. What is
 * there already stays as it is, so it may run again. UIDMeta objects are not made: a TSD answers
 * without them, and {@code tsdb uid metasync} makes them.
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

  /**
   * Makes rows.
   *
   * @param series read in batches, each series once
   * @throws LoadException outside, naming the table and the row that failed
   */
  public MetaCounts write(Iterator<LoadedSeries> series) {
    MetaCounts counts = new MetaCounts(0, 0, 0);
    List<LoadedSeries> batch = new ArrayList<>(BATCH);
    while (series.hasNext()) {
      batch.add(series.next());
      if (batch.size() == BATCH || !series.hasNext()) {
        counts = counts.plus(write(batch));
        batch.clear();
      }
    }
    return counts;
  }

  /**
   * The JSON goes first: a TSD that counts makes it only for a series that it counts as the first
   * point, so a counter alone would leave the series without it for ever.
   */
  private MetaCounts write(List<LoadedSeries> batch) {
    long metaCreated = create(batch, META, this::json);
    long countersCreated = create(batch, COUNTER, this::counter);
    return new MetaCounts(batch.size(), metaCreated, countersCreated);
  }

  private Put json(LoadedSeries series) {
    long now = clock.instant().getEpochSecond();
    return new Put(series.tsuid()).addColumn(FAMILY, META, TsMetaRow.json(series.tsuid(), now));
  }

  /**
   * The time of a counter is to a TSD when the last point came, and where it looks for it. It is
   * never later than now: what a TSD puts afterwards would be hidden behind it.
   */
  private Put counter(LoadedSeries series) {
    long time = Math.min(series.newestMillis(), clock.millis());
    return new Put(series.tsuid())
        .addColumn(FAMILY, COUNTER, time, TsMetaRow.counter(series.points()));
  }

  private long create(List<LoadedSeries> batch, byte[] qualifier, Function<LoadedSeries, Put> put) {
    List<CheckAndMutate> puts = new ArrayList<>(batch.size());
    for (LoadedSeries series : batch) {
      puts.add(
          CheckAndMutate.newBuilder(series.tsuid())
              .ifNotExists(FAMILY, qualifier)
              .build(put.apply(series)));
    }
    long created = 0;
    for (boolean made : table.checkAndMutate(puts)) {
      created += made ? 1 : 0;
    }
    return created;
  }

  /** Ends its threads; the connection stays open. */
  @Override
  public void close() {
    table.close();
  }
}
