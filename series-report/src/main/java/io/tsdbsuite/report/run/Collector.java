package io.tsdbsuite.report.run;

import io.tsdbsuite.report.model.MetaRow;
import java.io.IOException;

/** Takes the series of the metric and tags that were asked for, in the order of their keys. */
interface Collector {
  /** A series that belongs into the report. */
  void matching(MetaRow row) throws IOException;

  /** A series that does not, for its last time. */
  void other(MetaRow row);

  /** Ends the series: writes those that are held, and accounts for all series in the books. */
  void finish(Books books) throws IOException;
}
