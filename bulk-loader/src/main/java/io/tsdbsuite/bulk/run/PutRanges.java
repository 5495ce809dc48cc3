package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.run.WritePhase.Acknowledged;
import io.tsdbsuite.bulk.run.WritePhase.RangeWriter;
import io.tsdbsuite.bulk.stored.BatchReconciler;
import io.tsdbsuite.bulk.write.AckListener;
import io.tsdbsuite.bulk.write.PutWriter;
import io.tsdbsuite.bulk.write.RangeLoader;
import io.tsdbsuite.bulk.write.RowRate;
import io.tsdbsuite.bulk.write.ServerWatch;
import io.tsdbsuite.bulk.write.WalMode;
import io.tsdbsuite.bulk.write.WithoutWal;
import io.tsdbsuite.format.row.RowKey;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/** Writes ranges by puts. */
final class PutRanges implements RangeWriter {
  private static final byte[] NONE = new byte[0];

  private final TargetTable target;
  private final PutWriter writer;
  private final BatchReconciler existing;
  private final RangeLoader loader;
  private final @Nullable ServerWatch watch;

  /**
   * @param pool for requests, shared
   * @param rate shared; null for none
   * @param watch shared; null unless acknowledged rows may be lost with a server
   * @param before called before rows are written
   */
  PutRanges(
      TargetTable target,
      ExecutorService pool,
      @Nullable RowRate rate,
      @Nullable ServerWatch watch,
      Runnable before)
      throws IOException {
    this.target = target;
    this.watch = watch;
    Connection connection = target.hbase().connection();
    RowKey rowKey = target.rowKey();
    WalMode wal = target.settings().wal();
    this.writer =
        new PutWriter(
            connection,
            target.table().name(),
            wal,
            PutWriter.DEFAULT_BUFFER_BYTES,
            pool,
            rate,
            target.names());
    this.existing = target.reconciler(true, wal.ofSingleRows());
    this.loader =
        new RangeLoader(
            writer,
            existing,
            target.stamps(),
            rowKey,
            RangeLoader.DEFAULT_CHECKPOINT_BYTES,
            before);
  }

  @Override
  public void write(int range, RowSource rows, Acknowledged acknowledged) throws IOException {
    if (target.settings().wal() == WalMode.SKIP) {
      unlogged(rows, acknowledged);
    } else {
      AckListener progress = (lastKey, since) -> acknowledged.upTo(lastKey, since, false);
      loader.load(rows, watch == null ? progress : watch.watched(progress));
      acknowledged.upTo(NONE, new Tally(), true);
    }
  }

  /** Without a WAL rows are safe after the flush, so none is journalled before. */
  private void unlogged(RowSource source, Acknowledged acknowledged) throws IOException {
    WithoutWal flush = WithoutWal.begin(target.hbase().connection(), target.table().name());
    Tally since = new Tally();
    byte[][] last = {NONE};
    loader.load(
        source,
        (lastKey, more) -> {
          flush.look();
          since.add(more);
          last[0] = lastKey;
        });
    flush.end();
    acknowledged.upTo(last[0], since, true);
  }

  @Override
  public void close() throws IOException {
    try (existing) {
      writer.close();
    }
  }
}
