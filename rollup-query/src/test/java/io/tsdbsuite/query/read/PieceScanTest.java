package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.run.AbortReason;
import io.tsdbsuite.query.run.QueryAbortedException;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSDB;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class PieceScanTest {
  /** It connects when it is first asked. */
  private static final HBaseClient CLIENT = new HBaseClient("127.0.0.1:1");

  private static final byte[] KEY = {0, 0, 1, 0, 1, 0x51, (byte) 0x80, 0, 0, 1, 0, 0, 1};
  private static final long BYTES_OF_CELL = 100 + 2 + 8;

  private final QueryContext context =
      new QueryContext(new QueryLimits(0, 3000 * BYTES_OF_CELL, 0), () -> 0);

  /** Decoders that are slower than HBase would let batches pile up. */
  @Test
  void batchesThatWaitForAThreadAreHeld() throws Exception {
    PieceScan scan = scan();
    List<List<KeyValue>> batch =
        List.of(Collections.nCopies(1000, new KeyValue(KEY, KEY, new byte[2], new byte[8])));
    scan.answered(batch);
    scan.answered(batch);
    assertThat(context.cells()).isEqualTo(2000);
    assertThat(context.bytes()).isEqualTo(2000 * BYTES_OF_CELL);
    scan.look(batch);
    scan.decode(batch);
    assertThat(context.bytes()).isBetween(1000 * BYTES_OF_CELL, 1010 * BYTES_OF_CELL);
    scan.answered(null);
    scan.answered(batch);
    assertThatThrownBy(() -> scan.answered(batch)).isInstanceOf(QueryAbortedException.class);
    assertThat(context.aborted().reason()).isEqualTo(AbortReason.MEMORY);
    assertThat(scan.cells()).isEqualTo(4000);
  }

  private PieceScan scan() throws Exception {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setTsuids(new ArrayList<>(List.of("000001000001000001")));
    TSQuery query = new TSQuery();
    query.setStart("1763510400");
    query.setEnd("1763514000");
    query.setQueries(new ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    PieceScan.Reading reading =
        new PieceScan.Reading(
            RawQuery.of(new TSDB(CLIENT, new Config(false)), query, 0).join(),
            new RowKey(StorageSchema.defaults()),
            false,
            context,
            new HeldMemory(context),
            () -> {},
            Runnable::run,
            new BatchQueue(64));
    return new PieceScan(
        () -> {
          throw new AssertionError("nothing is asked for");
        },
        PieceScan.Wait::always,
        (row, series) -> {},
        new LongAdder(),
        reading);
  }
}
