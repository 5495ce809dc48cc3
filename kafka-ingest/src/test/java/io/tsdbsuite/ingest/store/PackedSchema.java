package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import java.util.Objects;

/** Rollups of 10m and 1h, of which 1h has a packed table; {@code more.*} have p99 of 1h. */
final class PackedSchema {
  private static final RollupSchema SCHEMA = read();

  private PackedSchema() {}

  private static RollupSchema read() {
    String json =
        "{'aggregationIds':{'sum':0,'count':2,'min':3,'max':4,'p50':10,'p99':11},"
            + "'suite':{'packed':{'1h':'k-1h'},'values':[{'metrics':'more.*','intervals':'1h',"
            + "'aggregators':'p99'}]},'intervals':["
            + "{'table':'tsdb','preAggregationTable':'p-1m','interval':'1m','rowSpan':'1h',"
            + "'defaultInterval':true},"
            + "{'table':'t-10m','preAggregationTable':'p-10m','interval':'10m','rowSpan':'1d'},"
            + "{'table':'t-1h','preAggregationTable':'p-1h','interval':'1h','rowSpan':'1d'}]}";
    return new RollupSchema(
        RollupConfig.parse(json.replace('\'', '"')), true, HistogramCodecs.NONE);
  }

  static RollupSchema schema() {
    return SCHEMA;
  }

  /** That of 1h. */
  static PackedTable table() {
    return Objects.requireNonNull(Objects.requireNonNull(SCHEMA.find("1h")).packed);
  }
}
