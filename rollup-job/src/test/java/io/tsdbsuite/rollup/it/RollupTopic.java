package io.tsdbsuite.rollup.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.rollup.RollupDiff;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import io.tsdbsuite.testkit.rollup.RollupValues;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A topic of a test.
 *
 * @param kafka its broker
 * @param name its name
 */
record RollupTopic(KafkaServer kafka, String name) {
  static final int PARTITIONS = 4;

  /** Makes a new topic on the shared broker. */
  static RollupTopic create(String name) {
    KafkaServer kafka = SharedStack.get().kafka();
    kafka.createTopic(name, PARTITIONS);
    return new RollupTopic(kafka, name);
  }

  /** The job's options for this topic. */
  String[] options() {
    return new String[] {"--kafka-bootstrap=" + kafka.bootstrapServers(), "--topic=" + name};
  }

  List<ConsumerRecord<byte[], byte[]>> records() {
    return kafka.readAll(name);
  }

  /** What a consumer has that overwrites. */
  RollupMessages messages() {
    RollupMessages messages = new RollupMessages();
    records().forEach(record -> messages.add(record.value()));
    return messages;
  }

  /** Every rollup is there, and what came more than once was the same, byte for byte. */
  void requireAll(SortedMap<RollupKey, RollupValues> expected) {
    assertThat(RollupDiff.of(expected, messages().rollups())).isEmpty();
    Set<String> distinct =
        records().stream()
            .map(r -> text(r.key()) + " in " + r.partition() + ": " + text(r.value()))
            .collect(Collectors.toSet());
    assertThat(distinct).hasSameSizeAs(expected.keySet());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
