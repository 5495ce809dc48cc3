package io.tsdbsuite.ingest.it;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A TSD with the publisher, for integration tests. */
final class Publishing {
  private static final String PREFIX = "tsd.kafka-ingest.publisher.";

  private Publishing() {}

  /** The keys of the publisher, with the brokers of the stack. */
  static Map<String, String> conf(String topic) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.rtpublisher.enable", "true");
    conf.put("tsd.rtpublisher.plugin", "io.tsdbsuite.ingest.KafkaPublisher");
    conf.put("KafkaRpcPlugin.publisher.topic", topic);
    conf.put(
        "KafkaRpcPlugin.kafka.bootstrap.servers", IngestStack.get().kafka().bootstrapServers());
    return conf;
  }

  /** Starts a TSD with the jar and these keys only. */
  static TsdServer tsd(String name, Map<String, String> conf) {
    return IngestStack.get().startTsd(name, conf, List.of(IngestStack.jar()));
  }

  /** Starts a TSD with the jar, these keys only, and another plugin. */
  static TsdServer tsd(String name, Map<String, String> conf, Path plugin) {
    return IngestStack.get().startTsd(name, conf, List.of(IngestStack.jar(), plugin));
  }

  /** Points of a state: received, acknowledged or dropped. */
  static long points(TsdServer tsd, String state) {
    return statistic(tsd, "points plugin=publish state=" + state);
  }

  static long skipped(TsdServer tsd, String kind) {
    return statistic(tsd, "skipped kind=" + kind + " plugin=publish");
  }

  static long queued(TsdServer tsd) {
    return statistic(tsd, "queued plugin=publish");
  }

  private static long statistic(TsdServer tsd, String name) {
    Map<String, String> stats = tsd.client().stats();
    String value = stats.get(PREFIX + name);
    if (value == null) {
      throw new AssertionError("no " + PREFIX + name + " in " + stats.keySet());
    }
    return Long.parseLong(value);
  }

  /** Waits until a number of points was received and none is queued. */
  static void awaitDone(TsdServer tsd, long points) {
    Await.until(
        points + " points to be acknowledged or dropped",
        IngestStack.PATIENCE,
        () -> points(tsd, "received") == points && queued(tsd) == 0);
  }
}
