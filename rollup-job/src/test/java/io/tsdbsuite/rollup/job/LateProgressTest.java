package io.tsdbsuite.rollup.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.plan.LateRowsBuilder;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.BooksJson;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LateProgressTest {
  private static final int HOUR = 3600;
  private static final int START = 20_000 * 24 * HOUR;

  private static byte[] row(int metric, int time, int host) {
    return ByteBuffer.allocate(3 + 4 + 6)
        .put(2, (byte) metric)
        .putInt(3, START + time)
        .put(9, (byte) 1)
        .put(12, (byte) host)
        .array();
  }

  @Test
  void rowsThatGiveNothingHaveVanished() {
    byte[] good = row(1, 0, 1);
    byte[] gone = row(1, 5 * HOUR, 1);
    byte[] lost = row(1, 6 * HOUR, 2);
    byte[] excluded = row(2, 0, 1);
    LateRowsBuilder builder = new LateRowsBuilder(StorageSchema.defaults(), true);
    for (byte[] row : new byte[][] {good, gone, lost, excluded}) {
      builder.add(row);
    }
    LateProgress progress = new LateProgress(builder.build());
    progress.settle(good, 0, good.length);
    byte[] other = row(1, 3 * HOUR, 1);
    progress.settle(other, 0, other.length);
    progress.lose(row(1, 6 * HOUR, 0), row(1, 7 * HOUR, 0));
    Books books = new Books();
    progress.finish(key -> key[2] == 2, books);
    progress.finish(key -> key[2] == 2, books);
    assertThat(books.rowsVanished()).isEqualTo(1);
    assertThat(books.vanished())
        .containsExactly("row 000001" + hex(START + 5 * HOUR) + "000001000001");
    assertThat(books.close()).isTrue();
    Books again = BooksJson.read(BooksJson.counts(books));
    assertThat(again.rowsVanished()).isEqualTo(1);
    assertThat(again.vanished()).isEqualTo(books.vanished());
  }

  private static String hex(int time) {
    return String.format("%08X", time);
  }
}
