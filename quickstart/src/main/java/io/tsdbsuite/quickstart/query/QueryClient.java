package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.TsdClient;
import java.util.EnumMap;
import java.util.Map;

/** Queries a TSD by HTTP, like a dashboard. */
public final class QueryClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final Map<QuerySource, String> metrics;

  /**
   * @param tsd client of the TSD
   * @param metrics the metric with the points of each source
   */
  public QueryClient(TsdClient tsd, Map<QuerySource, String> metrics) {
    this.tsd = tsd;
    this.metrics = new EnumMap<>(metrics);
  }

  /**
   * Runs a query.
   *
   * @param downsample for example {@code 1h-avg}
   * @param aggregator for example {@code avg}; {@code none} returns each series separately
   * @param source the data to read
   * @param from first second, since the epoch, a whole hour
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public Answer ask(String downsample, String aggregator, QuerySource source, long from, long to) {
    return ask(body(downsample, aggregator, source, from, to));
  }

  /**
   * Runs a query of each series by its tag {@code host}: split queries fail with aggregator {@code
   * none}.
   *
   * @param downsample for example {@code 1h-avg}
   * @param source the data to read
   * @param from first second, since the epoch, a whole hour
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public Answer askByHost(String downsample, QuerySource source, long from, long to) {
    ObjectNode body = body(downsample, "sum", source, from, to);
    ObjectNode filter = ((ObjectNode) body.path("queries").path(0)).putArray("filters").addObject();
    filter.put("type", "wildcard").put("tagk", "host").put("filter", "*").put("groupBy", true);
    return ask(body);
  }

  private Answer ask(ObjectNode body) {
    // Arrays keep repeated times; an object would have each time once.
    return Answer.of(tsd.post("api/query?arrays", body));
  }

  private ObjectNode body(
      String downsample, String aggregator, QuerySource source, long from, long to) {
    ObjectNode body = JSON.createObjectNode();
    body.put("start", from);
    // The TSD adds a second to the end, so to - 1 would read the next hour's rows.
    body.put("end", to - 2);
    body.put("msResolution", true);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", metrics.get(source));
    query.put("aggregator", aggregator);
    query.put("downsample", downsample);
    query.put("rollupUsage", source.rollupUsage());
    return body;
  }
}
