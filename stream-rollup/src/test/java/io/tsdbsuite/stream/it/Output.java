package io.tsdbsuite.stream.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a job wrote. */
final class Output {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaServer kafka = StreamStack.get().kafka();
  private final JobRun run;

  Output(JobRun run) {
    this.run = run;
  }

  private List<JsonNode> read(String topic) {
    List<JsonNode> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : kafka.readAll(topic)) {
      try {
        all.add(JSON.readTree(record.value()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return all;
  }

  /** The rollups of a metric, by interval; of repeated ones, the last, which must be equal. */
  Map<String, SortedMap<RollupKey, RollupValues>> rollups(String metric) {
    Map<String, SortedMap<RollupKey, RollupValues>> all = new TreeMap<>();
    for (JsonNode each : messages(metric)) {
      JsonNode values = each.get("values");
      RollupValues found =
          new RollupValues(
              values.get("sum").asDouble(),
              values.get("min").asDouble(),
              values.get("max").asDouble(),
              values.get("count").asLong());
      RollupValues before =
          all.computeIfAbsent(each.get("interval").asText(), interval -> new TreeMap<>())
              .put(new RollupKey(metric, tags(each), each.get("timestamp").asLong()), found);
      if (before != null && !before.equals(found)) {
        throw new AssertionError("two values: " + before + " and " + found + " of " + each);
      }
    }
    return all;
  }

  private static SortedMap<String, String> tags(JsonNode message) {
    SortedMap<String, String> tags = new TreeMap<>();
    message
        .get("tags")
        .properties()
        .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
    return tags;
  }

  /** The messages of rollups of a metric. */
  List<JsonNode> messages(String metric) {
    return read(run.rollups()).stream()
        .filter(each -> each.get("metric").asText().equals(metric))
        .toList();
  }

  /** The requests of a metric. */
  List<JsonNode> requests(String metric) {
    return read(run.requests()).stream()
        .filter(each -> each.get("metric").asText().equals(metric))
        .toList();
  }

  /** Up to when an interval is complete, seconds since the epoch; 0 before the first message. */
  long completeTo(String interval) {
    return read(run.watermarks()).stream()
        // Or a RollupStart.
        .filter(each -> each.path("interval").asText().equals(interval))
        .mapToLong(each -> each.get("completeTo").asLong())
        .max()
        .orElse(0);
  }
}
