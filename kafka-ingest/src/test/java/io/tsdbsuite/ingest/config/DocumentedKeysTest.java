package io.tsdbsuite.ingest.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The keys in docs/kafka-ingest.md are those that the plugin reads. */
class DocumentedKeysTest {
  private static final Document PAGE = Document.read("kafka-ingest.md");

  @Test
  void keysOfAllGroupsAreDocumented() {
    Keys keys = new Keys("", new ArrayList<>());
    new IngestConfig(keys, IngestConfig.Reader.GROUPS, new ArrayList<>());
    Set<String> documented =
        new TreeSet<>(PAGE.section("All groups").firstColumn("Key, after `KafkaRpcPlugin.`"));
    assertThat(documented.remove("kafka.<setting>")).isTrue();
    documented.add("kafka.*");
    for (String section :
        List.of("Points received over HTTP or telnet", "Publishing points", "Late points")) {
      documented.addAll(PAGE.section(section).firstColumn("Key, after `KafkaRpcPlugin.`"));
    }
    assertThat(documented).isEqualTo(keys.known());
  }

  @Test
  void keysOfOneGroupAreDocumented() {
    Keys keys = new Keys("", new ArrayList<>());
    Keys ofAll = new Keys("", new ArrayList<>());
    IngestConfig all = new IngestConfig(ofAll, IngestConfig.Reader.GROUPS, new ArrayList<>());
    new GroupConfig("g", keys, all, new HashMap<>());
    assertThat(PAGE.section("One group").firstColumn("Key, after `KafkaRpcPlugin.<group>.`"))
        .containsExactlyInAnyOrderElementsOf(keys.known());
  }

  @Test
  void obsoleteKeysAreDocumented() {
    assertThat(PAGE.section("From the stock plugin").codeSpans())
        .containsAll(IngestConfig.obsolete().keySet());
  }
}
