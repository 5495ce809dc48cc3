package io.tsdbsuite.report.run;

import io.tsdbsuite.report.model.MetaRow;
import java.io.IOException;

/** Receives the series that match metric and tags, in key order. */
interface Collector {
  /** A series inside the time window. */
  void matching(MetaRow row) throws IOException;

  /** A series outside the time window. */
  default void other(MetaRow row) {}

  /** Writes the buffered series and enters all series in the books. */
  void finish(Books books) throws IOException;
}
