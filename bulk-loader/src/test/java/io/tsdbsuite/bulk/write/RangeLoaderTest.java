package io.tsdbsuite.bulk.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeLoaderTest {
  private static final byte[] ROW = {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1};

  /** Masks must be there before the points. */
  @Test
  void eachRowIsAnnounced() throws IOException {
    StorageSchema schema = StorageSchema.defaults();
    List<String> calls = new ArrayList<>();
    RowWriter writer =
        new RowWriter() {
          @Override
          public void write(EncodedRow cell, long stamp) {
            calls.add("write");
          }

          @Override
          public void checkpoint() {
            calls.add("checkpoint");
          }

          @Override
          public void close() {}
        };
    EncodedRow row = new EncodedRow(ROW, new byte[] {0, 0}, new byte[] {1}, 1, 0);
    new RangeLoader(
            writer,
            null,
            CellTimestamps.of("now", schema, InstantSource.fixed(Instant.EPOCH)),
            new RowKey(schema),
            RangeLoader.NO_CHECKPOINTS,
            () -> calls.add("before"))
        .load(new ListRows(List.of(row, row)).all(), (lastKey, since) -> {});
    assertThat(calls).containsExactly("before", "before", "write", "before", "write", "checkpoint");
  }
}
