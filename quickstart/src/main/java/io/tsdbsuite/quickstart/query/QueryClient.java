package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.quickstart.ingest.RollupQuery;
import io.tsdbsuite.testkit.TsdClient;
import java.util.EnumMap;
import java.util.Map;

/** Queries a TSD by HTTP, like a dashboard. */
public final class QueryClient {
  /** OpenTSDB takes a fall for a wrap at 2^63, whose rate is above this, and so for a reset. */
  static final int RESET_VALUE = 1;

  private static final String HOST = "host";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final RollupQuery plugin;
  private final Map<QuerySource, String> metrics;

  /**
   * @param tsd client of the TSD
   * @param plugin its rollup-query
   * @param metrics the metric with the points of each source
   */
  public QueryClient(TsdClient tsd, RollupQuery plugin, Map<QuerySource, String> metrics) {
    this.tsd = tsd;
    this.plugin = plugin;
    this.metrics = new EnumMap<>(metrics);
  }

  /**
   * Runs a query.
   *
   * @param query the query
   * @param source the data to read
   * @param span the time and the series
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public Answer ask(Query query, QuerySource source, QuerySpan span) {
    TsdClient client = source == QuerySource.PLUGIN ? plugin.client() : tsd;
    // Arrays keep repeated times; an object would have each time once.
    return Answer.of(client.post("api/query?arrays", body(query, source, span)));
  }

  /**
   * Runs a query through the plugin once more, for what it reads; nothing else may ask the plugin
   * meanwhile.
   *
   * @param query the query
   * @param span the time and the series
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public PluginReading reading(Query query, QuerySpan span) {
    long before = plugin.cells();
    ObjectNode body = body(query, QuerySource.PLUGIN, span);
    body.put("showSummary", true);
    JsonNode answer = plugin.client().post("api/query", body);
    String note =
        answer.path(answer.size() - 1).path("statsSummary").path("rollupQuery").path(0).asText();
    return PluginReading.of(note, plugin.cells() - before);
  }

  private ObjectNode body(Query query, QuerySource source, QuerySpan span) {
    ObjectNode body = JSON.createObjectNode();
    body.put("start", span.from());
    // The TSD adds a second to the end, so to - 1 would read the next hour's rows.
    body.put("end", span.to() - 2);
    body.put("msResolution", true);
    // Over rollups there are none, so that raw data are compared without them.
    body.put("noAnnotations", true);
    if (!query.timezone().isEmpty()) {
      body.put("timezone", query.timezone()).put("useCalendar", true);
    }
    ObjectNode sub = body.putArray("queries").addObject();
    sub.put("metric", metrics.get(source));
    sub.put("aggregator", query.aggregator());
    sub.put("downsample", query.downsample());
    sub.put("rollupUsage", source.rollupUsage());
    if (query.counter()) {
      sub.put("rate", true);
      sub.putObject("rateOptions").put("counter", true).put("resetValue", RESET_VALUE);
    }
    if (!span.host().isEmpty()) {
      ObjectNode filter = sub.putArray("filters").addObject();
      filter.put("type", "literal_or").put("tagk", HOST).put("filter", span.host());
    }
    return body;
  }
}
