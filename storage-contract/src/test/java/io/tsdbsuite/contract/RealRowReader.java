package io.tsdbsuite.contract;

import net.opentsdb.core.RealRows;

/** Reads rows with OpenTSDB's own classes. */
final class RealRowReader implements RowReader {
  private final RealRows rows;

  RealRowReader(RealRows rows) {
    this.rows = rows;
  }

  @Override
  public Reading read(GeneratedRow row) {
    try {
      RealRows.Answer answer = rows.read(row);
      if (answer == null) {
        return new Nothing();
      }
      return new Read(
          answer.qualifier(),
          answer.value(),
          answer.sum(),
          answer.min(),
          answer.max(),
          answer.count());
    } catch (RuntimeException e) {
      return new Refused(null, e.toString());
    }
  }
}
