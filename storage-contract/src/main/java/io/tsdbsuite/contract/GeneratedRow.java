package io.tsdbsuite.contract;

import java.util.List;

/**
 * A row of the data table, as a writer or an accident may have left it.
 *
 * @param baseTime seconds since the epoch, UTC, a full hour
 * @param cells in the order in which HBase returns them: by qualifier, each qualifier once
 * @param flaw what is broken in it, null for a good row
 * @param description what was put in, for messages
 */
public record GeneratedRow(
    long baseTime, List<GeneratedCell> cells, Flaw flaw, String description) {
  /** Copies the list. */
  public GeneratedRow {
    cells = List.copyOf(cells);
  }

  /** The same cells in the row of another hour, seconds since the epoch, UTC. */
  public GeneratedRow at(long otherBaseTime) {
    return new GeneratedRow(otherBaseTime, cells, flaw, description);
  }

  /**
   * The same cells with timestamps inside the row's own hour, the order kept: in date-tiered mode a
   * TSD does not see others (docs/storage.md 11).
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
    return new GeneratedRow(baseTime, stamped, flaw, description);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(description).append(" at ").append(baseTime);
    cells.forEach(cell -> text.append("\n  ").append(cell));
    return text.toString();
  }
}
