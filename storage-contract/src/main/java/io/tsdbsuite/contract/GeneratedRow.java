package io.tsdbsuite.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the data table, as a writer or a failure can leave it.
 *
 * @param baseTime seconds since the epoch, UTC, a full hour
 * @param cells the cells in HBase's order: by qualifier, each qualifier once
 * @param corruption the corruption, null for a valid row
 * @param description the generated cells, for messages
 */
public record GeneratedRow(
    long baseTime, List<GeneratedCell> cells, @Nullable Corruption corruption, String description) {
  /** Copies the list. */
  public GeneratedRow {
    cells = List.copyOf(cells);
  }

  /** The same cells in the row of another hour, seconds since the epoch, UTC. */
  public GeneratedRow at(long otherBaseTime) {
    return new GeneratedRow(otherBaseTime, cells, corruption, description);
  }

  /**
   * The same cells with timestamps inside the row's own hour, in the same order. In date-tiered
   * mode a TSD ignores cells with other timestamps (docs/storage.md 11).
   */
  public GeneratedRow stampedInHour() {
    long oldest = cells.stream().mapToLong(GeneratedCell::timestamp).min().orElse(0);
    List<GeneratedCell> stamped =
        cells.stream()
            .map(
                cell ->
                    new GeneratedCell(
                        cell.qualifier(),
                        cell.value(),
                        baseTime * 1000 + cell.timestamp() - oldest))
            .toList();
    return new GeneratedRow(baseTime, stamped, corruption, description);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(description).append(" at ").append(baseTime);
    cells.forEach(cell -> text.append("\n  ").append(cell));
    return text.toString();
  }
}
