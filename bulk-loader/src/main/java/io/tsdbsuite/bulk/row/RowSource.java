package io.tsdbsuite.bulk.row;

import io.tsdbsuite.bulk.report.Tally;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Rows ascending by key; a key may come again only directly after itself, with later points. */
public interface RowSource extends Closeable {
  /** The next row, null at the end. */
  @Nullable EncodedRow next() throws IOException;

  /** Counters of points dropped or refused since the last call. */
  Tally drain();
}
