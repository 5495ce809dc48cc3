package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import java.util.List;

/**
 * Changes to a stored row.
 *
 * @param cells cells to add; they have no instant that is stored
 * @param rewrite what replaces the stored cells, null if they stay as they are
 */
public record RowChange(List<EncodedRow> cells, RowRewrite rewrite) {
  static RowChange none() {
    return new RowChange(List.of(), null);
  }
}
