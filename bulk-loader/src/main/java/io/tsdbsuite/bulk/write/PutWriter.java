package io.tsdbsuite.bulk.write;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.bulk.table.TableFacts;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows by HBase's buffered puts, one put for each row. HBase's client retries when regions
 * move or split; when it gives up, a {@link JobException} is thrown.
 *
 * <p>With {@link WalMode#ASYNC} the last row for a region before a checkpoint is put with a sync,
 * after all others were acknowledged: a region has one log, so it has all of them then.
 */
public final class PutWriter implements RowWriter {
  /** Default size of the buffered puts, bytes. */
  public static final long DEFAULT_BUFFER_BYTES = 4L << 20;

  private final TableName table;
  private final Durability durability;
  private final @Nullable RowRate rate;
  private final RowName names;
  private final BufferedMutator mutator;
  private final @Nullable RegionLocator regions;
  private byte[] regionEnd = new byte[0];
  private @Nullable Put next;
  private boolean failed;

  /**
   * @param bufferBytes size of the puts that wait to be sent
   * @param pool runs the requests to the servers; it can be shared
   * @param rate null for none
   * @param names for messages
   * @throws JobException when HBase cannot be reached
   */
  public PutWriter(
      Connection connection,
      TableName table,
      WalMode wal,
      long bufferBytes,
      ExecutorService pool,
      @Nullable RowRate rate,
      RowName names) {
    this.table = table;
    this.durability = wal.durability();
    this.rate = rate;
    this.names = names;
    try {
      this.mutator =
          connection.getBufferedMutator(
              new BufferedMutatorParams(table).writeBufferSize(bufferBytes).pool(pool));
      this.regions = wal == WalMode.ASYNC ? connection.getRegionLocator(table) : null;
    } catch (IOException e) {
      throw JobException.outside(
          "table " + table + ": HBase does not take puts: " + HBaseFailures.reason(e), e);
    }
  }

  @Override
  public void write(EncodedRow cell, long stamp) {
    Put put = next;
    if (put == null || !Arrays.equals(put.getRow(), cell.key())) {
      if (regions != null) {
        enter(regions, cell.key());
      }
      send();
      put = new Put(cell.key(), true).setDurability(durability);
      next = put;
    }
    put.addColumn(TableFacts.FAMILY, cell.qualifier(), stamp, cell.value());
  }

  /** Syncs the log of a region before the next one. */
  private void enter(RegionLocator locator, byte[] key) {
    if (next != null && (regionEnd.length == 0 || Bytes.compareTo(key, regionEnd) < 0)) {
      return;
    }
    sync();
    try {
      regionEnd = locator.getRegionLocation(key).getRegion().getEndKey();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void sync() {
    Put last = next;
    if (last == null) {
      return;
    }
    try {
      mutator.flush();
      last.setDurability(Durability.SYNC_WAL);
      send();
      mutator.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private void send() {
    Put put = next;
    if (put == null) {
      return;
    }
    if (rate != null) {
      rate.acquire();
    }
    try {
      mutator.mutate(put);
    } catch (IOException e) {
      throw failure(e);
    }
    next = null;
  }

  @Override
  public void checkpoint() {
    if (regions != null) {
      sync();
    }
    send();
    try {
      mutator.flush();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private JobException failure(IOException e) {
    failed = true;
    String thing = "table " + table + ": ";
    if (e instanceof RetriesExhaustedWithDetailsException details
        && details.getNumExceptions() > 0) {
      Throwable cause = details.getCause(0);
      return JobException.outside(
          thing
              + names.row(details.getRow(0).getRow())
              + " was not stored by "
              + details.getHostnamePort(0)
              + (details.getNumExceptions() > 1
                  ? " (and " + (details.getNumExceptions() - 1) + " more)"
                  : "")
              + ": "
              + HBaseFailures.reason(cause),
          e);
    }
    return JobException.outside(thing + "puts failed: " + HBaseFailures.reason(e), e);
  }

  /** No flush after a failure: it would wait for the same servers again. */
  @Override
  public void close() throws IOException {
    try {
      if (!failed) {
        failed = true;
        mutator.close();
      }
    } finally {
      if (regions != null) {
        regions.close();
      }
    }
  }
}
