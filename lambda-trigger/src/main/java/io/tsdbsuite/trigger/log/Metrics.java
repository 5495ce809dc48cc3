package io.tsdbsuite.trigger.log;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The metrics of one invocation, in CloudWatch's embedded metric format: one log line, from which
 * CloudWatch extracts metrics without dimensions.
 */
public final class Metrics {
  /** CloudWatch's names of units. */
  private enum Unit {
    COUNT("Count"),
    BYTES("Bytes"),
    SECONDS("Seconds");

    private final String text;

    Unit(String text) {
      this.text = text;
    }
  }

  private record Metric(Unit unit, double value) {}

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private final String namespace;
  private final Map<String, Metric> metrics = new LinkedHashMap<>();

  /**
   * @param namespace CloudWatch's namespace
   */
  public Metrics(String namespace) {
    this.namespace = namespace;
  }

  /** Adds to a count; a count of 0 is also written. */
  public void count(String name, long more) {
    add(name, Unit.COUNT, (double) more);
  }

  /** Adds bytes. */
  public void bytes(String name, long more) {
    add(name, Unit.BYTES, (double) more);
  }

  /** Adds seconds. */
  public void seconds(String name, double more) {
    add(name, Unit.SECONDS, more);
  }

  private void add(String name, Unit unit, double more) {
    metrics.merge(name, new Metric(unit, more), (a, b) -> new Metric(unit, a.value + b.value));
  }

  /**
   * Writes the metrics as one line.
   *
   * @param clock the time of the metrics
   * @param properties alternating names and texts, searchable properties of the line
   */
  public void write(PrintStream out, Clock clock, String... properties) {
    ObjectNode line = MAPPER.createObjectNode();
    ObjectNode aws = line.putObject("_aws");
    aws.put("Timestamp", clock.millis());
    ObjectNode directive = aws.putArray("CloudWatchMetrics").addObject();
    directive.put("Namespace", namespace);
    directive.putArray("Dimensions").addArray();
    ArrayNode definitions = directive.putArray("Metrics");
    metrics.forEach(
        (name, metric) -> {
          definitions.addObject().put("Name", name).put("Unit", metric.unit.text);
          if (metric.value == Math.rint(metric.value)) {
            line.put(name, (long) metric.value);
          } else {
            line.put(name, metric.value);
          }
        });
    for (int i = 0; i < properties.length; i += 2) {
      line.put(properties[i], properties[i + 1]);
    }
    out.println(line);
  }
}
