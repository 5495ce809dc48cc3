package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class TopicTest {
  private static final Uuid ID = Uuid.fromString("vXk9aQZ1Tq2bC3dE4fG5hA");

  private static Topic topic(Uuid id, int replicas, Map<String, String> settings) {
    List<Node> nodes =
        List.of(new Node(1, "a", 1), new Node(2, "b", 2), new Node(3, "c", 3)).subList(0, replicas);
    return Topic.of(
        new TopicDescription(
            "rollups",
            false,
            List.of(
                new TopicPartitionInfo(0, nodes.get(0), nodes, nodes),
                new TopicPartitionInfo(1, nodes.get(0), nodes, nodes)),
            Set.of(),
            id),
        settings);
  }

  @Test
  void isKnownByItsIdAndPartitions() {
    assertThat(topic(ID, 1, Map.of()).identity())
        .containsExactly(
            Map.entry("id of the topic", ID.toString()), Map.entry("partitions of the topic", "2"));
    assertThat(topic(Uuid.ZERO_UUID, 1, Map.of()).identity())
        .containsExactly(Map.entry("partitions of the topic", "2"));
  }

  @Test
  void oneBrokersWordIsNotEnoughWhereThereAreMore() {
    Map<String, String> one = Map.of("min.insync.replicas", "1");
    assertThat(topic(ID, 3, one).warnings())
        .singleElement()
        .asString()
        .contains("topic rollups has 3 replicas and min.insync.replicas=1");
    assertThat(topic(ID, 1, one).warnings()).isEmpty();
    assertThat(topic(ID, 3, Map.of("min.insync.replicas", "2")).warnings()).isEmpty();
    assertThat(topic(ID, 3, Map.of()).warnings()).isEmpty();
  }
}
