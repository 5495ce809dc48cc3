package io.tsdbsuite.bulk.write.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.write.AckListener;
import io.tsdbsuite.bulk.write.ListRows;
import io.tsdbsuite.bulk.write.ServerWatch;
import io.tsdbsuite.bulk.write.WithoutWal;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HBase ends in the middle of a load, which goes on after its last checkpoint. */
@Tag("slow")
class HBaseKilledIT {
  private static final int ROWS = 3000;

  @Test
  void goesOnFromTheLastCheckpoint() throws Exception {
    try (Stack stack = Stack.in(WorkDirs.fresh("bulk-killed")).hbase().start()) {
      HBaseServer hbase = stack.hbase();
      Installation in = Installation.start(stack, "killed", tables -> tables);
      in.uid("metric", "m");
      List<EncodedRow> rows = new ArrayList<>();
      byte[] key = in.key("m", "a", Installation.BASE);
      for (int i = 0; i < ROWS; i++) {
        Hour hour = new Hour(keyOf(in, key, i), Installation.BASE + i * Installation.HOUR);
        for (int second = 0; second < 3600; second += 10) {
          hour.second(second, second + 0.25);
        }
        rows.add(hour.encode());
      }
      hbase.flush(in.schema.uidTable());
      in.tsd.stop();
      AtomicReference<byte[]> last = new AtomicReference<>();
      AtomicInteger checkpoints = new AtomicInteger();
      // The local file system loses what is not flushed with its server; HDFS would not.
      AckListener progress =
          (lastKey, since) -> {
            if (checkpoints.incrementAndGet() <= 2) {
              flush(hbase, in.table());
              last.set(lastKey);
            }
            if (checkpoints.get() == 2) {
              hbase.kill();
            }
          };
      Loading loading = new Loading(in);
      loading.checkpointBytes = 2_000_000;
      loading.progress = progress;
      assertThatThrownBy(() -> loading.run(rows))
          .isInstanceOfSatisfying(
              JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.OUTSIDE))
          .hasMessageContaining(in.table());
      assertThat(checkpoints).hasValue(2);

      hbase.start();
      Loading resumed = new Loading(in).resumed();
      resumed.stamps = loading.stamps;
      resumed.run(new ListRows(rows).after(last.get()));
      assertThat(hbase.digest(in.table()).cells()).isEqualTo(ROWS);
      Hour more = new Hour(keyOf(in, key, ROWS), Installation.BASE + ROWS * Installation.HOUR);
      Loading copied = new Loading(in).hfiles(true);
      copied.run(more.second(1, 1));
      assertThat(copied.loaded.files()).isEqualTo(1);
      assertThat(hbase.digest(in.table()).cells()).isEqualTo(ROWS + 1);

      Loading again = new Loading(in);
      assertThat(again.run(rows).get(Count.POINTS_WRITTEN)).isZero();
    }
  }

  @Test
  void aLoadWithoutLogNeedsServersThatStay() throws Exception {
    try (Stack stack = Stack.in(WorkDirs.fresh("bulk-nolog")).hbase().start()) {
      HBaseServer hbase = stack.hbase();
      stack.create(OpenTsdbTables.defaults());
      TableName table = TableName.valueOf("tsdb");
      try (Connection connection =
          ConnectionFactory.createConnection(hbase.clientConfiguration())) {
        WithoutWal load = WithoutWal.begin(connection, table);
        load.end();
        ServerWatch servers = new ServerWatch(connection, Set.of(), joined -> {});
        AckListener unused = servers.watched((lastKey, since) -> {});
        assertThat(servers.ended()).isEmpty();
        hbase.stop();
        hbase.start();
        assertThatThrownBy(load::end)
            .isInstanceOf(JobException.class)
            .hasMessageContaining("ended during a load without write-ahead log");
        assertThat(servers.ended()).hasSize(1);
        WithoutWal.begin(connection, table).end();
      }
    }
  }

  private static byte[] keyOf(Installation in, byte[] like, int hour) {
    byte[] key = like.clone();
    long base = Installation.BASE + hour * Installation.HOUR;
    for (int i = 0; i < 4; i++) {
      key[in.keys.timeOffset() + i] = (byte) (base >>> (24 - 8 * i));
    }
    return key;
  }

  private static void flush(HBaseServer hbase, String table) {
    try {
      hbase.flush(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
