package io.tsdbsuite.query.http;

import java.util.List;
import net.opentsdb.core.DataPoints;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.FillPolicy;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;

/**
 * The text of answers with a fill policy: each group has a value for each interval of the query,
 * also where there is no point. So few points can make gigabytes of text.
 */
final class FilledText {
  /** Of the shortest value: {@code "1763510400":0.0,}. */
  private static final int BYTES_OF_VALUE = 16;

  private static final long MAX = 1L << 50;

  private FilledText() {}

  /**
   * The bytes of this text, at least.
   *
   * @param answers of the sub-queries, in their order
   */
  static long bytes(TSQuery query, List<DataPoints[]> answers) {
    double values = 0;
    for (int i = 0; i < answers.size(); i++) {
      TSSubQuery sub = query.getQueries().get(i);
      DownsamplingSpecification spec = sub.downsamplingSpecification();
      // The interval of 0all is 0.
      if (spec != null
          && spec.getFillPolicy() != FillPolicy.NONE
          && spec.getInterval() > 0
          && !sub.isHistogramQuery()) {
        double millis = query.endTime() - query.startTime();
        values += answers.get(i).length * Math.floor(millis / spec.getInterval());
      }
    }
    return (long) Math.min(BYTES_OF_VALUE * values, MAX);
  }
}
