package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.MessageReader;
import java.nio.charset.StandardCharsets;

/**
 * Cells of messages, under a rollup configuration of 1m (default), 10m and 1h, sum, count, p99,
 * first.
 */
public final class TestCells {
  private static final RollupSchema SCHEMA =
      new RollupSchema(
          RollupConfig.parse(
              "{'aggregationIds':{'sum':0,'count':2,'p99':11,'first':12},'intervals':["
                      .replace('\'', '"')
                  + interval("tsdb", "1m", "1h", ",'defaultInterval':true")
                  + ","
                  + interval("t10m", "10m", "1d", "")
                  + ","
                  + interval("t1h", "1h", "1d", "")
                  + "]}"),
          true,
          HistogramCodecs.NONE);

  private static String interval(String table, String interval, String span, String more) {
    return ("{'table':'"
            + table
            + "','preAggregationTable':'"
            + table
            + "-agg','interval':'"
            + interval
            + "','rowSpan':'"
            + span
            + "'"
            + more
            + "}")
        .replace('\'', '"');
  }

  private TestCells() {}

  /** The cells of a message; its quotes may be single ones. */
  public static CellIds of(String message) throws BadMessageException {
    byte[] utf8 = message.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new CellIdentity(SCHEMA, "_aggregate").of(new MessageReader().read(utf8));
  }
}
