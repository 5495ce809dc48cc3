package io.tsdbsuite.bulk.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.row.RowSource;
import io.tsdbsuite.bulk.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelRowSourceTest {
  private static final byte[] OPEN = new byte[0];

  private final ExecutorService pool = Executors.newFixedThreadPool(3);

  @AfterEach
  void stop() {
    pool.shutdownNow();
  }

  private static List<EncodedRow> rows(int n) {
    List<EncodedRow> rows = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      rows.add(new EncodedRow(Bytes.toBytes(i), new byte[] {0, 0}, new byte[1000], 1, 0));
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100})
  void keepsOrderAndCounts(int parts) throws IOException {
    List<EncodedRow> rows = rows(20_000);
    ListRows all = new ListRows(rows);
    List<EncodedRow> read = new ArrayList<>();
    Tally tally = new Tally();
    try (ParallelRowSource ahead =
        new ParallelRowSource(all, OPEN, all.cuts(parts), OPEN, pool, 3)) {
      for (EncodedRow row = ahead.next(); row != null; row = ahead.next()) {
        read.add(row);
      }
      assertThat(ahead.next()).isNull();
      tally.add(ahead.drain());
    }
    assertThat(read).isEqualTo(rows);
    assertThat(tally.get(Count.DUPLICATES_IDENTICAL)).isEqualTo(20_000);
  }

  @Test
  void passesFailuresOn() {
    Rows broken =
        new Rows() {
          @Override
          public RowSource open(byte[] from, byte[] to) throws IOException {
            throw new IOException("the disk is gone");
          }

          @Override
          public List<byte[]> cuts(int ranges) {
            return List.of();
          }
        };
    try (ParallelRowSource ahead = new ParallelRowSource(broken, OPEN, List.of(), OPEN, pool, 3)) {
      assertThatThrownBy(ahead::next).hasMessage("the disk is gone");
    }
  }

  @Test
  void closesWhileThreadsWait() throws Exception {
    ListRows all = new ListRows(rows(100_000));
    ParallelRowSource ahead = new ParallelRowSource(all, OPEN, all.cuts(2), OPEN, pool, 2);
    ahead.next();
    ahead.close();
    pool.shutdown();
    assertThat(pool.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
  }
}
