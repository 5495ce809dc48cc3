package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.row.EncodedRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change that a row of the load makes to a stored row.
 *
 * @param cells cells to add; the stored row has no point at an instant of these cells
 * @param rewrite replaces the stored cells; null if the stored cells stay
 */
public record RowChange(List<EncodedRow> cells, @Nullable RowRewrite rewrite) {
  static RowChange none() {
    return new RowChange(List.of(), null);
  }
}
