package io.tsdbsuite.quickstart.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.Point;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.SlaMeasurement;
import io.tsdbsuite.quickstart.query.SlaTable;
import io.tsdbsuite.quickstart.query.SplitQueryResult;
import io.tsdbsuite.quickstart.query.SplitQueryResult.Bucket;
import io.tsdbsuite.quickstart.query.Timings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Converts the results to the JSON that the page's script reads; times are seconds since the epoch.
 */
final class ReportData {
  private static final int HOUR = 3600;
  private static final int HOURS_A_DAY = 24;
  private static final long MILLIS = 1000;

  private ReportData() {}

  /** The page's data; parameters as in {@link ReportPage#ReportPage}. */
  static ObjectNode of(BenchmarkResults results, RequestRate rate, long day, Instant made) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("made", made.getEpochSecond());
    data.put("metric", RequestRate.METRIC);
    data.put("series", rate.series());
    data.put("step", RequestRate.STEP_SECONDS);
    data.put("from", results.from());
    data.put("to", results.to());
    data.put("differences", results.differences());
    data.put("toBeat", BenchmarkResults.RATIO_TO_BEAT);
    data.put("ratioCells", results.smallestRatio(QuerySource.RAW_CELLS));
    data.put("ratioCompacted", results.smallestRatio(QuerySource.RAW_COMPACTED));
    day(rate, day, data.putObject("day"));
    ArrayNode queries = data.putArray("queries");
    for (int i = 0; i < results.measurements().size(); i++) {
      query(results.measurements().get(i), results.costs().get(i), queries.addObject());
    }
    ArrayNode split = data.putArray("split");
    results.split().forEach(each -> split(each, split.addObject()));
    ArrayNode sla = data.putArray("sla");
    results.sla().forEach(each -> sla(each, sla.addObject()));
    return data;
  }

  private static void day(RequestRate rate, long day, ObjectNode into) {
    into.put("from", day);
    into.put("tags", rate.tags(0).toString());
    ArrayNode values = into.putArray("values");
    for (int hour = 0; hour < HOURS_A_DAY; hour++) {
      for (Number value : rate.hour(0, day + (long) hour * HOUR)) {
        values.add(value.doubleValue());
      }
    }
  }

  private static void query(
      QueryMeasurement measurement, Map<QuerySource, ScanCost> costs, ObjectNode into) {
    into.put("name", measurement.query().text());
    into.put("exact", measurement.query().exact());
    into.put("compared", measurement.compared());
    into.put("differences", measurement.differences());
    into.put("maxRelativeDifference", measurement.maxRelativeDifference());
    into.put("ratioCells", measurement.ratio(QuerySource.RAW_CELLS));
    into.put("ratioCompacted", measurement.ratio(QuerySource.RAW_COMPACTED));
    points(measurement.answer(QuerySource.RAW_COMPACTED).points(), into.putArray("raw"));
    points(measurement.answer(QuerySource.ROLLUPS).points(), into.putArray("rollup"));
    ArrayNode sources = into.putArray("sources");
    for (QuerySource source : QuerySource.values()) {
      ObjectNode node = sources.addObject();
      Timings timings = measurement.timings(source);
      node.put("name", source.text());
      node.put("median", timings.median());
      node.put("min", timings.min());
      node.put("max", timings.max());
      node.put("runs", timings.millis().size());
      ScanCost cost = Objects.requireNonNull(costs.get(source), source.text());
      node.put("rows", cost.rows());
      node.put("cells", cost.cells());
      node.put("points", cost.points());
      node.put("bytes", cost.bytes());
    }
  }

  private static void points(List<Point> points, ArrayNode into) {
    for (Point point : points) {
      into.addArray().add(point.time() / MILLIS).add(point.value());
    }
  }

  private static void sla(SlaMeasurement sla, ObjectNode into) {
    into.put("range", sla.range().text());
    into.put("delaySla", SlaTable.text(sla.delaySlaHours()));
    into.put("median", sla.timings().median());
    into.put("min", sla.timings().min());
    into.put("max", sla.timings().max());
    into.put("rollupCells", sla.rollups().cells());
    into.put("rawCells", sla.raw().cells());
    into.put("cellsPerSeries", sla.cellsPerSeries());
    into.put("cellsInTheory", sla.cellsInTheory());
    into.put("compared", sla.compared());
    into.put("differences", sla.differences());
    into.put("maxRelativeDifference", sla.maxRelativeDifference());
  }

  private static void split(SplitQueryResult split, ObjectNode into) {
    into.put("at", split.splitAt());
    into.put("none", split.none());
    ArrayNode buckets = into.putArray("buckets");
    for (Bucket bucket : split.buckets()) {
      ObjectNode node = buckets.addObject();
      node.put("time", bucket.time());
      node.put("raw", bucket.raw());
      node.put("state", bucket.state().text());
      ArrayNode values = node.putArray("split");
      bucket.split().forEach(values::add);
    }
  }
}
