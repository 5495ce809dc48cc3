package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TagsFromKafkaTest {
  @Test
  void behavesAsTheMapBelow() {
    Map<String, String> below = new HashMap<>(Map.of("host", "a", "dc", "b"));
    Map<String, String> tags = new TagsFromKafka(below);
    assertThat(tags).isEqualTo(below).hasSameHashCodeAs(below).hasSize(2);
    assertThat(tags.get("host")).isEqualTo("a");
    assertThat(tags.get("rack")).isNull();
    assertThat(tags.containsKey("dc")).isTrue();
    assertThat(tags.put("rack", "c")).isNull();
    assertThat(tags.remove("dc")).isEqualTo("b");
    assertThat(below).isEqualTo(Map.of("host", "a", "rack", "c")).isEqualTo(tags);
  }
}
