package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a stored row.
 *
 * @param cells cells to add; they have no instant that is stored
 * @param rewrite replaces the stored cells; null if they stay
 */
public record RowChange(List<EncodedRow> cells, @Nullable RowRewrite rewrite) {
  static RowChange none() {
    return new RowChange(List.of(), null);
  }
}
