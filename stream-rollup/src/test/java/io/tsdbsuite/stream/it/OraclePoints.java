package io.tsdbsuite.stream.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Points of one metric that go to Kafka and to a TSD, whose answers judge the rollups of a day. */
final class OraclePoints {
  private final List<DataPoint> put = new ArrayList<>();
  private final Points points;
  private final String metric;
  private int count;

  /**
   * Creates an empty list.
   *
   * @param points receives the messages
   */
  OraclePoints(Points points, String metric) {
    this.points = points;
    this.metric = metric;
  }

  /**
   * Adds a point; a later one of the same series and instant replaces it.
   *
   * @param recordMillis time of the message
   * @param timestamp of the point, seconds or milliseconds
   */
  void add(int partition, long recordMillis, String host, long timestamp, Number value) {
    points.add(partition, recordMillis, metric, host, timestamp, value.toString());
    put.removeIf(each -> each.timestamp() == timestamp && each.tags().get("host").equals(host));
    put.add(new DataPoint(metric, timestamp, value, Map.of("host", host)));
    count++;
  }

  /** Number of points added. */
  int count() {
    return count;
  }

  /**
   * Requires that every rollup of a day is that of the TSD, or requested; and that more than half
   * of them are not requested.
   *
   * @param day its start, seconds since the epoch
   */
  void compare(JobRun run, long day, String... intervals) {
    TsdClient tsd = StreamStack.get().tsd().client();
    tsd.put(put);
    Map<String, SortedMap<RollupKey, RollupValues>> found = new Output(run).rollups(metric);
    List<JsonNode> requests = new Output(run).requests(metric);
    for (String interval : intervals) {
      SortedMap<RollupKey, RollupValues> expected =
          new TsdOracle(tsd).rollups(metric, day, day + 86400, interval);
      Set<String> requested = requested(requests, interval);
      SortedMap<RollupKey, RollupValues> provable = new TreeMap<>(expected);
      provable
          .keySet()
          .removeIf(key -> requested.contains(key.tags() + " " + hour(key.timestamp())));
      SortedMap<RollupKey, RollupValues> written =
          new TreeMap<>(found.getOrDefault(interval, new TreeMap<>()));
      // A repair writes them, whether they were written before or not.
      written
          .keySet()
          .removeIf(key -> requested.contains(key.tags() + " " + hour(key.timestamp())));
      assertThat(RollupDiff.of(provable, written)).as(interval).isEmpty();
      assertThat(provable)
          .as("%s, with the requests %s", interval, requests)
          .hasSizeGreaterThan(expected.size() / 2);
    }
  }

  private static long hour(long time) {
    return time - time % 3600;
  }

  /** Start of the bucket that contains an hour; the hour for narrower ones. */
  private static long start(String interval, long hour) {
    return switch (interval) {
      case "1d" -> hour - hour % 86400;
      case "6h" -> hour - hour % 21600;
      default -> hour;
    };
  }

  private static Set<String> requested(List<JsonNode> requests, String interval) {
    Set<String> found = new HashSet<>();
    for (JsonNode request : requests) {
      for (JsonNode each : request.get("intervals")) {
        if (each.asText().equals(interval)) {
          long hour = request.get("timestamp").asLong();
          found.add(
              "{host=" + request.get("tags").get("host").asText() + "} " + start(interval, hour));
        }
      }
    }
    return found;
  }
}
