package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.TsdClient;

/** Asks a TSD about one metric, by HTTP as a dashboard does. */
public final class Asker {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final String metric;

  /**
   * @param tsd answers
   * @param metric about this metric
   */
  public Asker(TsdClient tsd, String metric) {
    this.tsd = tsd;
    this.metric = metric;
  }

  /**
   * Asks.
   *
   * @param downsample for example {@code 1h-avg}
   * @param aggregator for example {@code avg}; {@code none} keeps series apart
   * @param source raw data or rollups
   * @param from first second, since the epoch, a whole hour
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD refuses
   */
  public Answer ask(String downsample, String aggregator, Source source, long from, long to) {
    return Answer.of(answer(downsample, aggregator, source, from, to));
  }

  /** The same, the answer as it comes. */
  JsonNode answer(String downsample, String aggregator, Source source, long from, long to) {
    ObjectNode body = JSON.createObjectNode();
    body.put("start", from);
    // The TSD adds a second to every end and would read the next hour's rows with to - 1.
    body.put("end", to - 2);
    body.put("msResolution", true);
    body.put("showSummary", true);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", metric);
    query.put("aggregator", aggregator);
    query.put("downsample", downsample);
    query.put("rollupUsage", source.name());
    // As arrays a time that comes twice is there twice; as an object it would be there once.
    return tsd.post("api/query?arrays", body);
  }
}
