package net.opentsdb.core;

import java.util.ArrayList;
import java.util.List;
import net.opentsdb.meta.Annotation;
import org.hbase.async.KeyValue;

/** A series of raw rows, decoded by OpenTSDB's own code: as exact as its own answer. */
public final class RawSpan extends KeyedSpan {
  /** A row sequence with its arrays' headers. */
  private static final int BYTES_OF_ROW = 150;

  /** An annotation with its maps, beside its texts. */
  private static final int BYTES_OF_ANNOTATION = 600;

  /**
   * @param key row key of any row of the series
   */
  public RawSpan(TSDB tsdb, byte[] key) {
    super(tsdb, key);
  }

  /**
   * Adds a row, after the rows before it.
   *
   * @param row all its cells
   * @return the heap that it holds from now on, about
   * @throws IllegalDataException as OpenTSDB does, for example for conflicting duplicates
   */
  public long add(List<KeyValue> row) {
    List<Annotation> notes = new ArrayList<>(0);
    // Histograms are not of this answer.
    KeyValue compacted = tsdb.compact(new ArrayList<>(row), notes, new ArrayList<>(0));
    long bytes = 0;
    if (!notes.isEmpty()) {
      annotations.addAll(notes);
      for (KeyValue cell : row) {
        bytes += cell.qualifier().length % 2 == 0 ? 0 : bytesOfAnnotation(cell);
      }
    }
    if (compacted == null) {
      return bytes;
    }
    addRow(compacted);
    return bytes + BYTES_OF_ROW + compacted.qualifier().length + compacted.value().length;
  }

  /** The heap of the annotation in a cell, about. */
  public static long bytesOfAnnotation(KeyValue cell) {
    return BYTES_OF_ANNOTATION + 2L * cell.value().length;
  }

  /** Whether it has points or annotations. */
  public boolean isWanted() {
    return !rows.isEmpty() || !annotations.isEmpty();
  }
}
