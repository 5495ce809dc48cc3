package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.rollup.RollupMessages;
import java.util.List;
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
}
