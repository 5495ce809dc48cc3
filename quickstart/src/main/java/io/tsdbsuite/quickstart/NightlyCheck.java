package io.tsdbsuite.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.quickstart.data.FleetData;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.ingest.Topics;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Compares the rollup job's messages with what the TSD computes from raw data. */
final class NightlyCheck {
  private static final Map<String, Integer> WIDTHS = Map.of("1h", 3600, "1d", 86400);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TsdClient tsd;
  private final RequestRate rate;
  private final FleetData fleet;
  private final Timeline window;
  private final Console console;

  /**
   * @param tsd has the raw data
   * @param rate points of all whole days
   * @param fleet points of the last of them
   * @param window the times of the run
   * @param console receives the tables
   */
  NightlyCheck(TsdClient tsd, RequestRate rate, FleetData fleet, Timeline window, Console console) {
    this.tsd = tsd;
    this.rate = rate;
    this.fleet = fleet;
    this.window = window;
    this.console = console;
  }

  /**
   * Compares every rollup, and prints a table for each interval.
   *
   * @return whether there are no differences
   * @throws IOException when a message cannot be read
   */
  boolean compare(KafkaServer kafka, List<String> intervals) throws IOException {
    console.step(
        "reading topic %s, and querying the same hours of raw data from the TSD", Topics.ROLLUPS);
    List<ConsumerRecord<byte[], byte[]>> messages = kafka.readAll(Topics.ROLLUPS);
    boolean equal = true;
    for (String interval : intervals) {
      RollupMessages found = new RollupMessages();
      for (ConsumerRecord<byte[], byte[]> message : messages) {
        JsonNode rollup = JSON.readTree(message.value());
        if (rollup.path("interval").asText().equals(interval)) {
          found.add(message.value());
        }
      }
      equal &= compare(interval, found.rollups());
    }
    return equal;
  }

  private boolean compare(String interval, SortedMap<RollupKey, RollupValues> found) {
    int width = Objects.requireNonNull(WIDTHS.get(interval), interval);
    TsdOracle oracle = new TsdOracle(tsd);
    SortedMap<RollupKey, RollupValues> expected = new TreeMap<>();
    for (String metric : FleetData.METRICS) {
      expected.putAll(oracle.rollups(metric, fleet.from(), fleet.to(), interval));
    }
    expected.putAll(
        oracle.rollups(RequestRate.METRIC, window.from(), window.streamFrom(), interval));
    RollupComparison comparison = new RollupComparison(interval, expected, found);
    console.lines(System.lineSeparator() + comparison.table() + System.lineSeparator());
    long wanted =
        FleetData.series() * (fleet.to() - fleet.from()) / width
            + rate.series() * (window.streamFrom() - window.from()) / width;
    if (expected.size() != wanted) {
      console.step(
          "the TSD answers %,d rollups of %s, but %,d were written: its answers cannot be the"
              + " reference",
          expected.size(), interval, wanted);
      return false;
    }
    return comparison.differences() == 0;
  }
}
