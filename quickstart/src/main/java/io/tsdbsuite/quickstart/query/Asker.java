package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.testkit.TsdClient;
import java.util.EnumMap;
import java.util.Map;

/** Asks a TSD by HTTP, as a dashboard does. */
public final class Asker {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final Map<Source, String> metrics;

  /**
   * @param tsd answers
   * @param metrics which metric has the points of each source
   */
  public Asker(TsdClient tsd, Map<Source, String> metrics) {
    this.tsd = tsd;
    this.metrics = new EnumMap<>(metrics);
  }

  /**
   * Asks.
   *
   * @param downsample for example {@code 1h-avg}
   * @param aggregator for example {@code avg}; {@code none} keeps series apart
   * @param source what to read
   * @param from first second, since the epoch, a whole hour
   * @param to last second, exclusive
   * @throws io.tsdbsuite.testkit.TsdException when the TSD refuses
   */
  public Answer ask(String downsample, String aggregator, Source source, long from, long to) {
    ObjectNode body = JSON.createObjectNode();
    body.put("start", from);
    // The TSD adds a second to every end and would read the next hour's rows with to - 1.
    body.put("end", to - 2);
    body.put("msResolution", true);
    ObjectNode query = body.putArray("queries").addObject();
    query.put("metric", metrics.get(source));
    query.put("aggregator", aggregator);
    query.put("downsample", downsample);
    query.put("rollupUsage", source.rollupUsage());
    // As arrays a time that comes twice is there twice; as an object it would be there once.
    return Answer.of(tsd.post("api/query?arrays", body));
  }
}
