package io.tsdbsuite.rollup.compute;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.write.RollupPoint;
import io.tsdbsuite.rollup.plan.ChangedRowSetBuilder;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.Count;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChangedRowProgressTest {
  private static final int HOUR = 3600;
  private static final int START = 20_000 * 24 * HOUR;

  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4},
           "intervals": [
            {"table": "t", "preAggregationTable": "p", "interval": "1s", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "30m", "rowSpan": "1d"},
            {"table": "t2", "preAggregationTable": "p2", "interval": "1h", "rowSpan": "1d"},
            {"table": "t3", "preAggregationTable": "p3", "interval": "1d", "rowSpan": "1n"},
            {"table": "t4", "preAggregationTable": "p4", "interval": "6h", "rowSpan": "1n"}]}
          """);

  private final Log sink = new Log();

  private static byte[] row(int metric, int time, int host) {
    return ByteBuffer.allocate(3 + 4 + 6)
        .put(2, (byte) metric)
        .putInt(3, START + time)
        .put(9, (byte) 1)
        .put(12, (byte) host)
        .array();
  }

  @Test
  void rowsThatGiveNothingHaveVanished() throws Exception {
    byte[] good = row(1, 0, 1);
    byte[] gone = row(1, 5 * HOUR, 1);
    byte[] lost = row(1, 6 * HOUR, 2);
    byte[] excluded = row(2, 0, 1);
    ChangedRowSetBuilder builder = new ChangedRowSetBuilder(StorageSchema.defaults(), true);
    for (byte[] row : new byte[][] {good, gone, lost, excluded}) {
      builder.add(row);
    }
    ChangedRowProgress progress = new ChangedRowProgress(builder.build());
    progress.settle(good, 0, good.length);
    byte[] other = row(1, 3 * HOUR, 1);
    progress.settle(other, 0, other.length);
    progress.lose(row(1, 6 * HOUR, 0), row(1, 7 * HOUR, 0));
    Books books = new Books();
    while (progress.finish(key -> key[2] == 2, deletions(false, "30m", "1h", "1d"), sink, books)) {
      assertThat(books.count(Count.ROWS_VANISHED)).isPositive();
    }
    assertThat(sink.emitted).isEmpty();
    assertThat(books.count(Count.ROWS_VANISHED)).isEqualTo(1);
    assertThat(books.vanished())
        .containsExactly("row 000001" + hex(START + 5 * HOUR) + "000001000001");
    assertThat(books.close()).isTrue();
    Books again = BooksJson.read(BooksJson.counts(books));
    assertThat(again.count(Count.ROWS_VANISHED)).isEqualTo(1);
    assertThat(again.vanished()).isEqualTo(books.vanished());
  }

  @Test
  void rowsAndDaysThatAreEmptyAreTakenBack() throws Exception {
    byte[] hour = row(1, 5 * HOUR, 1);
    byte[] sameDay = row(1, 7 * HOUR, 1);
    byte[] emptyDay = row(1, 6 * HOUR, 2);
    byte[] unreadableDay = row(1, 8 * HOUR, 3);
    ChangedRowSetBuilder builder = new ChangedRowSetBuilder(StorageSchema.defaults(), true);
    for (byte[] row : new byte[][] {hour, sameDay, emptyDay, unreadableDay}) {
      builder.add(row);
    }
    ChangedRowProgress progress = new ChangedRowProgress(builder.build());
    assertThat(progress.hasChanged(hour, 0, hour.length)).isTrue();
    byte[] unchanged = row(1, 3 * HOUR, 1);
    assertThat(progress.hasChanged(unchanged, 0, unchanged.length)).isFalse();
    progress.settle(unchanged, 0, unchanged.length);
    progress.lose(row(1, 20 * HOUR, 3), row(1, 20 * HOUR, 4));
    Books books = new Books();
    int calls = 0;
    while (progress.finish(key -> false, deletions(true, "30m", "1h", "1d"), sink, books)) {
      calls++;
    }
    // A sink has the rows of one table one by one.
    assertThat(calls).isEqualTo(4);
    assertThat(books.count(Count.ROWS_TAKEN_BACK)).isEqualTo(4);
    assertThat(books.count(Count.ROWS_VANISHED)).isZero();
    assertThat(books.count(Count.ROLLUPS_TAKEN_BACK)).isEqualTo(4 * 3 + 1);
    assertThat(sink.emitted)
        .containsExactly(
            "1 30m 18000",
            "1 30m 19800",
            "1 1h 18000",
            "1 30m 25200",
            "1 30m 27000",
            "1 1h 25200",
            "2 1d 0",
            "2 30m 21600",
            "2 30m 23400",
            "2 1h 21600",
            "3 30m 28800",
            "3 30m 30600",
            "3 1h 28800");
    books.messages(13, 13);
    assertThat(books.close()).isTrue();
  }

  /**
   * Of host 1 the buckets at 6 and 12 are empty, of host 2 the whole day; of host 3 an hour of the
   * bucket could not be read.
   */
  @Test
  void emptyBucketsAreTakenBackOnce() throws Exception {
    byte[][] gone = {
      row(1, HOUR, 1),
      row(1, 7 * HOUR, 1),
      row(1, 8 * HOUR, 1),
      row(1, 17 * HOUR, 1),
      row(1, 0, 2),
      row(1, 23 * HOUR, 2),
      row(1, 6 * HOUR, 3)
    };
    ChangedRowSetBuilder builder = new ChangedRowSetBuilder(StorageSchema.defaults(), true);
    for (byte[] row : gone) {
      builder.add(row);
    }
    for (String intervals : new String[] {"6h", "6h,1d"}) {
      ChangedRowProgress progress = new ChangedRowProgress(builder.build());
      for (int hour : new int[] {0, 18}) {
        byte[] unchanged = row(1, hour * HOUR, 1);
        progress.settle(unchanged, 0, unchanged.length);
      }
      progress.lose(row(1, 11 * HOUR, 3), row(1, 11 * HOUR, 4));
      Log log = new Log();
      Books books = new Books();
      int calls = 0;
      RollupDeletions deletions = deletions(true, intervals.split(",", -1));
      while (progress.finish(key -> false, deletions, log, books)) {
        calls++;
      }
      assertThat(calls).isEqualTo(gone.length);
      assertThat(books.count(Count.ROWS_TAKEN_BACK)).isEqualTo(gone.length);
      List<String> expected =
          new ArrayList<>(List.of("1 6h 21600", "1 6h 43200", "2 6h 0", "2 6h 64800"));
      if (intervals.equals("6h,1d")) {
        expected.add(3, "2 1d 0");
      }
      assertThat(log.emitted).containsExactlyElementsOf(expected);
      assertThat(books.count(Count.ROLLUPS_TAKEN_BACK)).isEqualTo(expected.size());
    }
  }

  private static RollupDeletions deletions(boolean possible, String... names) {
    RollupIntervals intervals =
        new RollupIntervals(Stream.of(names).map(CONFIG::interval).toList());
    RowKey rowKey = new RowKey(StorageSchema.defaults());
    return new RollupDeletions(rowKey, intervals, null, possible);
  }

  private static final class Log extends EmitOnlySink {
    private final List<String> emitted = new ArrayList<>();

    @Override
    public void emit(RollupPoint point) {
      assertThat(point.rollup().isDeletion()).isTrue();
      int host = point.rowArray()[point.rowOffset() + point.rowLength() - 1];
      emitted.add(host + " " + point.interval() + " " + (point.timestamp() - START));
    }
  }

  private static String hex(int time) {
    return String.format("%08X", time);
  }
}
