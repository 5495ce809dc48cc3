package io.tsdbsuite.bulk.write.it;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.stored.Reconciler;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.bulk.write.AckListener;
import io.tsdbsuite.bulk.write.BulkLoad;
import io.tsdbsuite.bulk.write.HFileWriter;
import io.tsdbsuite.bulk.write.ListRows;
import io.tsdbsuite.bulk.write.PutWriter;
import io.tsdbsuite.bulk.write.RangeLoader;
import io.tsdbsuite.bulk.write.RowWriter;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.hbase.load.HFileDir;
import io.tsdbsuite.hbase.load.HFileLoader;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** One load into an installation, put together as a command would. */
final class Loading {
  private static final AtomicInteger RUNS = new AtomicInteger();

  private final Installation in;
  OnConflict onConflict = OnConflict.FAIL;
  CellTimestamps stamps;
  boolean hfiles;
  boolean resumed;
  boolean check = true;
  long checkpointBytes = RangeLoader.DEFAULT_CHECKPOINT_BYTES;
  long maxFileBytes = Long.MAX_VALUE;
  WalMode wal = WalMode.ASYNC;
  AckListener progress = (key, since) -> {};
  HFileLoader.Loaded loaded;

  Loading(Installation in) {
    this.in = in;
    this.stamps = CellTimestamps.of(null, in.schema, Clock.systemUTC());
  }

  Loading onConflict(OnConflict policy) {
    onConflict = policy;
    return this;
  }

  Loading stamps(String option) {
    stamps = CellTimestamps.of(option, in.schema, Clock.systemUTC());
    return this;
  }

  Loading hfiles(boolean on) {
    hfiles = on;
    return this;
  }

  Loading resumed() {
    resumed = true;
    return this;
  }

  Tally run(Hour... hours) throws IOException {
    return run(Arrays.stream(hours).map(Hour::encode).toList());
  }

  Tally run(List<EncodedRow> rows) throws IOException {
    return run(new ListRows(rows).all());
  }

  Tally run(RowSource rows) throws IOException {
    Configuration conf = in.hbase().clientConfiguration();
    conf.setInt("hbase.client.retries.number", 4);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      TableFacts facts = TableFacts.read(connection, in.table());
      HFileDir dir =
          hfiles
              ? BulkLoad.directory(
                  conf, in.hbase().rootDir() + "/load", "run" + RUNS.incrementAndGet())
              : null;
      try (RowWriter writer =
              hfiles
                  ? new HFileWriter(dir, "r0", facts, maxFileBytes, Clock.systemUTC())
                  : new PutWriter(
                      connection,
                      facts.name(),
                      wal,
                      PutWriter.DEFAULT_BUFFER_BYTES,
                      pool,
                      null,
                      new RowName(in.keys));
          BatchReconciler existing =
              new BatchReconciler(
                  connection.getTable(facts.name()),
                  new RowName(in.keys),
                  new Reconciler(
                      in.schema, new RowName(in.keys), onConflict, stamps, !hfiles, resumed),
                  stamps.mayBeHidden(),
                  wal.durability())) {
        Tally sum = new Tally();
        new RangeLoader(
                writer,
                check ? existing : null,
                stamps,
                in.keys,
                hfiles ? RangeLoader.NO_CHECKPOINTS : checkpointBytes,
                () -> {})
            .load(
                rows,
                (key, since) -> {
                  sum.add(since);
                  progress.acknowledged(key, since);
                });
        if (hfiles) {
          loaded = new BulkLoad(conf, facts.name()).load(dir);
          dir.remove();
        }
        return sum;
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
