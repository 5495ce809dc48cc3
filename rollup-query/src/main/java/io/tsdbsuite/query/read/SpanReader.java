package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import java.util.List;
import net.opentsdb.core.KeyedSpan;

/** Reads the series of a sub-query once. */
interface SpanReader {
  /** Reads. Fails as a whole if anything fails. */
  Deferred<? extends List<? extends KeyedSpan>> read();

  /** Ends the reading with this failure; nothing happens if it has ended. */
  void stop(Exception failure);

  /** What the reading has shown of the series. Only after it has ended well. */
  SeriesEstimate corrected(SeriesEstimate before);
}
