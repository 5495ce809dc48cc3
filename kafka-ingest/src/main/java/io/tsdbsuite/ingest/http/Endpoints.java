package io.tsdbsuite.ingest.http;

import com.google.common.collect.ImmutableMap;
import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.GroupConfig;
import io.tsdbsuite.ingest.consume.GroupLag.PartitionLag;
import io.tsdbsuite.ingest.consume.GroupStats;
import io.tsdbsuite.ingest.consume.GroupStats.Count;
import io.tsdbsuite.ingest.consume.IngestGroup;
import io.tsdbsuite.ingest.store.RepairResult.Outcome;
import io.tsdbsuite.message.read.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The endpoints below {@code /plugin/kafka-ingest/}, specified in docs/kafka-ingest.md. */
public final class Endpoints {
  /** An HTTP status and a JSON object. */
  public static final class Response {
    /** The HTTP status. */
    public final int status;

    /** The fields of the object. */
    public final Map<String, Object> body;

    private Response(int status, Map<String, Object> body) {
      this.status = status;
      this.body = body;
    }

    /** A response with an error message. */
    public static Response error(int status, String message) {
      return new Response(status, ImmutableMap.of("error", message));
    }
  }

  private static final String ALL = "status, metrics, ready, lag, rate, version";

  private final List<IngestGroup> groups;
  private final String version;
  private final boolean ratesChange;

  /**
   * Creates the endpoints of these groups.
   *
   * @param groups the groups; none if the TSD only reads
   * @param ratesChange whether rates may be changed over HTTP
   */
  public Endpoints(List<IngestGroup> groups, String version, boolean ratesChange) {
    this.groups = groups;
    this.version = version;
    this.ratesChange = ratesChange;
  }

  /**
   * Handles a request.
   *
   * @param method HTTP method in upper case
   * @param endpoint path below the plugin's path
   * @param parameters parameters of the query string
   * @param headers function from the name of a header to its value; null for an absent header
   */
  public Response respond(
      String method,
      String endpoint,
      Map<String, List<String>> parameters,
      Function<String, @Nullable String> headers) {
    boolean changes = method.equals("POST") || method.equals("PUT");
    if (!method.equals("GET") && !(changes && endpoint.equals("rate"))) {
      return Response.error(405, method + " is not allowed for " + endpoint);
    }
    switch (endpoint) {
      case "status":
        return new Response(200, status());
      case "ready":
        return ready();
      case "lag":
        return new Response(200, lag());
      case "rate":
        Response refusal = changes ? refusal(headers) : null;
        return refusal == null ? rate(changes, parameters) : refusal;
      case "version":
        return new Response(200, ImmutableMap.of("version", version));
      default:
        return Response.error(404, "the endpoints are " + ALL + ", found '" + endpoint + "'");
    }
  }

  private Map<String, Object> status() {
    List<Object> all = new ArrayList<>();
    groups.forEach(group -> all.add(status(group)));
    return ImmutableMap.of("version", version, "groups", all);
  }

  private static Map<String, Object> status(IngestGroup group) {
    GroupStats stats = group.stats;
    Map<String, Object> messages = new LinkedHashMap<>();
    messages.put("consumed", stats.get(Count.CONSUMED));
    messages.put("stored", stats.get(Count.STORED));
    messages.put("deadLettered", stats.get(Count.DEAD));
    messages.put("requeued", stats.get(Count.REQUEUED));
    messages.put("replayed", stats.get(Count.REPLAYED));
    messages.put("inFlight", stats.messagesInFlight());
    messages.put("lost", stats.get(Count.LOST_MESSAGES));
    Map<String, Object> points =
        ImmutableMap.of(
            "stored", stats.get(Count.STORED_POINTS),
            "inFlight", group.pointsInFlight(),
            "inFlightLimit", group.inFlightLimit());
    Map<String, Object> deadLetters = new LinkedHashMap<>();
    for (Reason reason : Reason.values()) {
      if (stats.deadLetters(reason) > 0) {
        deadLetters.put(reason.code(), stats.deadLetters(reason));
      }
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("group", group.config.name);
    status.put("type", group.config.type);
    status.put("topics", group.config.topics);
    status.put("threads", group.config.threads);
    status.put("rate", group.rate.get());
    status.put("messages", messages);
    status.put("points", points);
    status.put("rollupsDeleted", stats.get(Count.DELETED_ROLLUPS));
    status.put("rollupHistograms", stats.get(Count.ROLLUP_HISTOGRAMS));
    status.put("deadLetters", deadLetters);
    if (group.config.type == ConsumerType.REPAIR) {
      status.put("repairs", repairs(stats));
      status.put("waitsFor", group.waitsFor());
    }
    status.put("storageFailures", stats.get(Count.STORAGE_FAILURES));
    status.put("lostAnswers", stats.get(Count.LOST_ANSWERS));
    status.put("pausedSeconds", stats.pausedSeconds());
    status.put("partitions", partitions(group));
    status.put("warnings", group.warnings());
    status.put("notReady", group.notReady());
    return status;
  }

  private static Map<String, Object> repairs(GroupStats stats) {
    Map<String, Object> repairs = new LinkedHashMap<>();
    for (Outcome outcome : Outcome.values()) {
      repairs.put(outcome.code(), stats.repairs(outcome));
    }
    repairs.put("rollups", stats.get(Count.REPAIRED_ROLLUPS));
    repairs.put("rows", stats.get(Count.REPAIR_ROWS));
    repairs.put("oddHistograms", stats.get(Count.ODD_HISTOGRAMS));
    return repairs;
  }

  private static List<Object> partitions(IngestGroup group) {
    List<Object> all = new ArrayList<>();
    for (PartitionLag partition : group.lag.partitions()) {
      all.add(
          ImmutableMap.of(
              "topic", partition.topic(),
              "partition", partition.partition(),
              "lag", partition.lag()));
    }
    return all;
  }

  private Response ready() {
    Map<String, Object> reasons = new LinkedHashMap<>();
    for (IngestGroup group : groups) {
      String reason = group.notReady();
      if (reason != null) {
        reasons.put(group.config.name, reason);
      }
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ready", reasons.isEmpty());
    body.put("notReady", reasons);
    if (groups.isEmpty()) {
      // The configuration has a group; other TSDs store what this one is queried for.
      body.put("readOnly", "tsd.mode is ro: this TSD consumes no topic");
    }
    return new Response(reasons.isEmpty() ? 200 : 503, body);
  }

  private Map<String, Object> lag() {
    Map<String, Object> body = new LinkedHashMap<>();
    for (IngestGroup group : groups) {
      body.put(group.config.name, partitions(group));
    }
    return body;
  }

  private @Nullable Response refusal(Function<String, @Nullable String> headers) {
    return ratesChange
        ? SameSiteCheck.refusal(headers)
        : Response.error(
            403, "KafkaRpcPlugin.changeRates is false: rates are set in opentsdb.conf");
  }

  private Response rate(boolean change, Map<String, List<String>> parameters) {
    String rate = first(parameters, "rate");
    String name = first(parameters, "group");
    double value = 0;
    if (change) {
      String given = rate == null ? "nothing" : rate;
      try {
        value = GroupConfig.parseRate(given);
      } catch (IllegalArgumentException e) {
        return Response.error(400, "rate " + GroupConfig.RATE_RULE + ", found " + given);
      }
    } else if (rate != null) {
      return Response.error(405, "a rate is changed with POST, found GET");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (IngestGroup group : groups) {
      names.add(group.config.name);
      if (name == null || group.config.name.equals(name)) {
        if (change) {
          group.rate.set(value);
        }
        body.put(group.config.name, group.rate.get());
      }
    }
    return body.isEmpty()
        ? Response.error(404, "group must be one of " + names + ", found " + name)
        : new Response(200, body);
  }

  private static @Nullable String first(Map<String, List<String>> parameters, String name) {
    List<String> values = parameters.get(name);
    return values == null || values.isEmpty() ? null : values.get(0);
  }
}
