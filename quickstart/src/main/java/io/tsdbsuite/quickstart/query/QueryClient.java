package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.TsdServer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** Queries a TSD by HTTP, like a dashboard, also through its plugin rollup-query. */
public final class QueryClient {
  /** Class of the plugin, for {@code tsd.http.rpc.plugins}. */
  public static final String PLUGIN = "io.tsdbsuite.query.RollupQueryHttpPlugin";

  /** Before the paths of OpenTSDB's API. */
  public static final String PREFIX = "plugin/rollup-query/";

  /** The coverage table, by its default name. */
  public static final String COVERAGE = "tsdb-coverage";

  /** OpenTSDB takes a fall for a wrap at 2^63, whose rate is above this, and so for a reset. */
  static final int RESET_VALUE = 1;

  private static final String STATISTICS = "tsd.rollup_query.";
  private static final Duration ENDED = Duration.ofMinutes(5);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final TsdClient plugin;

  /**
   * @param tsd a TSD with the plugin
   */
  public QueryClient(TsdServer tsd) {
    this.tsd = tsd.client();
    this.plugin = new TsdClient(URI.create("http://127.0.0.1:" + tsd.port() + "/" + PREFIX));
  }

  /** A client whose requests the plugin answers. */
  public TsdClient plugin() {
    return plugin;
  }

  /**
   * Runs a query.
   *
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public Answer ask(Query query, QuerySource source, QuerySpan span) {
    TsdClient client = source == QuerySource.PLUGIN ? plugin : tsd;
    // Arrays keep repeated times; an object would have each time once.
    return Answer.of(client.post("api/query?arrays", body(query, source, span)));
  }

  /**
   * Runs a query through the plugin once more, for what it reads; nothing else may ask the plugin
   * meanwhile.
   *
   * @throws io.tsdbsuite.testkit.TsdException when the TSD rejects the query
   */
  public PluginReading reading(Query query, QuerySpan span) {
    long before = cells();
    ObjectNode body = body(query, QuerySource.PLUGIN, span);
    body.put("showSummary", true);
    JsonNode answer = plugin.post("api/query", body);
    String note =
        answer.path(answer.size() - 1).path("statsSummary").path("rollupQuery").path(0).asText();
    return PluginReading.of(note, cells() - before);
  }

  /** Cells that all queries of the plugin have read; waits for the end of those that run. */
  private long cells() {
    // An answer is sent before its query has ended.
    Await.until("queries to end", ENDED, () -> statistic("running") == 0);
    return statistic("cells");
  }

  private long statistic(String name) {
    Map<String, String> statistics = tsd.stats();
    String value = statistics.get(STATISTICS + name + " plugin=httprpc");
    if (value == null) {
      throw new IllegalStateException(
          "the TSD must have the statistic " + STATISTICS + name + ", has " + statistics.keySet());
    }
    return Long.parseLong(value);
  }

  private static ObjectNode body(Query query, QuerySource source, QuerySpan span) {
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
    sub.put("metric", query.metric().isEmpty() ? source.metric() : query.metric());
    sub.put("aggregator", query.aggregator());
    sub.put("downsample", query.downsample());
    sub.put("rollupUsage", source.rollupUsage());
    if (query.counter()) {
      sub.put("rate", true);
      sub.putObject("rateOptions").put("counter", true).put("resetValue", RESET_VALUE);
    }
    if (!span.host().isEmpty()) {
      ObjectNode filter = sub.putArray("filters").addObject();
      filter.put("type", "literal_or").put("tagk", "host").put("filter", span.host());
    }
    return body;
  }
}
