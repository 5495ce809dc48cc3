package io.tsdbsuite.rollup.sink;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * The description of a topic by its brokers.
 *
 * @param name of the topic
 * @param id unique id, which differs from ids of earlier topics of the same name; null if brokers
 *     do not provide it (before Kafka 2.8)
 * @param partitions number of partitions
 * @param replicas number of replicas of the partition with the fewest
 * @param minInSync min.insync.replicas; null if unknown
 */
record Topic(
    String name, @Nullable String id, int partitions, int replicas, @Nullable String minInSync) {

  /** Creates a description from the answers of the brokers. */
  static Topic of(TopicDescription description, Map<String, String> settings) {
    Uuid id = description.topicId();
    return new Topic(
        description.name(),
        id == null || Uuid.ZERO_UUID.equals(id) ? null : id.toString(),
        description.partitions().size(),
        description.partitions().stream()
            .map(TopicPartitionInfo::replicas)
            .mapToInt(List::size)
            .min()
            .orElse(0),
        settings.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
  }

  /**
   * The identity of the topic for resumed runs. It includes the number of partitions: with another
   * number, the rest of a run would send series to other partitions than its beginning.
   */
  Map<String, String> identity() {
    Map<String, String> identity = new TreeMap<>();
    identity.put("partitions of the topic", Integer.toString(partitions));
    if (id != null) {
      identity.put("id of the topic", id);
    }
    return identity;
  }

  /** Warnings about dangerous settings. */
  List<String> warnings() {
    return replicas > 1 && "1".equals(minInSync)
        ? List.of(
            ("topic %s has %s replicas and min.insync.replicas=1: a message that one broker"
                    + " alone has acknowledged is lost if that broker is; set it to 2")
                .formatted(name, replicas))
        : List.of();
  }
}
