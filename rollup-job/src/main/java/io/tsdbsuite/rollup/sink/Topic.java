package io.tsdbsuite.rollup.sink;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A topic as its brokers describe it.
 *
 * @param name of the topic
 * @param id that it alone has, also among topics that had its name before; null where brokers do
 *     not tell (before Kafka 2.8)
 * @param partitions how many it has
 * @param replicas of the partition that has the fewest
 * @param minInSync min.insync.replicas; null when it is not known
 */
record Topic(String name, String id, int partitions, int replicas, String minInSync) {

  /** Of the answers of the brokers. */
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
   * By what the topic is known again. With another number of partitions the rest of a run would
   * send series to other ones than its beginning did.
   */
  Map<String, String> identity() {
    Map<String, String> identity = new TreeMap<>();
    identity.put("partitions of the topic", Integer.toString(partitions));
    if (id != null) {
      identity.put("id of the topic", id);
    }
    return identity;
  }

  /** What is dangerous about it. */
  List<String> warnings() {
    return replicas > 1 && "1".equals(minInSync)
        ? List.of(
            "topic "
                + name
                + " has "
                + replicas
                + " replicas and min.insync.replicas=1: a message that one broker alone has"
                + " acknowledged is lost if that broker is; set it to 2")
        : List.of();
  }
}
