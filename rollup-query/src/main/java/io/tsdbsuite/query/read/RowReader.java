package io.tsdbsuite.query.read;

import java.util.List;
import org.hbase.async.KeyValue;

/** Decodes the rows of one piece, in the order of the scan. Not thread-safe. */
interface RowReader {
  /**
   * Adds what a row holds inside the piece.
   *
   * @param row all cells of the row
   * @throws UnreadablePackedException if plain rows must be read
   * @throws NotExactException if OpenTSDB's own reader must answer
   * @throws net.opentsdb.core.IllegalDataException if the row is not legal
   */
  void read(List<KeyValue> row, ScannedSeries series);

  /** The heap that it holds beside what it adds, bytes, if that may be much. */
  default long bytes() {
    return 0;
  }
}
