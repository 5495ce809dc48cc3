package io.tsdbsuite.ingest.consume;

import com.google.common.base.Ticker;
import io.tsdbsuite.ingest.config.ConsumerType;
import io.tsdbsuite.ingest.config.IngestConfig;
import io.tsdbsuite.ingest.publish.MessageHeaders;
import io.tsdbsuite.ingest.store.ElementStore;
import io.tsdbsuite.ingest.store.OtherWidths;
import java.lang.reflect.Field;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/** Groups without servers, for tests of other packages. */
public final class TestGroups {
  private TestGroups() {}

  /** A group that has one partition and is not started. */
  public static IngestGroup withPartition(ConsumerType type) {
    IngestConfig config = config(type);
    ElementStore store = Stores.unconnected();
    IngestGroup group =
        new IngestGroup(
            config.groups.get(0),
            store,
            store,
            OtherWidths.none(),
            millis -> null,
            null,
            null,
            Clock.systemUTC(),
            Ticker.systemTicker());
    group.lag.assigned(new TopicPartition("t", 0));
    return group;
  }

  /** One group g, which reads topic t. */
  static IngestConfig config(ConsumerType type) {
    return IngestConfig.read(
        Map.of(
            "KafkaRpcPlugin.kafka.bootstrap.servers", "127.0.0.1:1",
            "KafkaRpcPlugin.groups", "g",
            "KafkaRpcPlugin.g.topics", "t",
            "KafkaRpcPlugin.g.consumerType", type.name(),
            "KafkaRpcPlugin.repairTtl", "forever",
            "KafkaRpcPlugin.deadLetterTopic", "dead"));
  }

  /** Names of the headers that the plugin writes. */
  public static Set<String> headers() {
    Set<String> headers = new TreeSet<>();
    for (Field field : MessageHeaders.class.getDeclaredFields()) {
      if (field.getType() == String.class) {
        try {
          headers.add((String) field.get(null));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return headers;
  }
}
