package io.tsdbsuite.bulk.row;

import io.tsdbsuite.bulk.report.Tally;
import java.io.Closeable;
import java.io.IOException;

/** Rows ascending by key; a key may come again only directly after itself, with later points. */
public interface RowSource extends Closeable {
  /** The next row, null at the end. */
  EncodedRow next() throws IOException;

  /** Counters of points dropped or refused since the last call. */
  Tally drain();
}
