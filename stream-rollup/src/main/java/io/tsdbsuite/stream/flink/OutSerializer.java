package io.tsdbsuite.stream.flink;

import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes Kafka's records. Their time is that of the write: a repair counts its delay from it.
 * Kafka's partitioner takes the key, so that all messages of a series have one partition.
 */
final class OutSerializer implements KafkaRecordSerializationSchema<Tuple3<Byte, byte[], byte[]>> {
  private static final long serialVersionUID = 1L;

  private final String[] topics;

  /**
   * @param topics by the numbers of {@link OutMessages}
   */
  OutSerializer(String... topics) {
    this.topics = topics.clone();
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Tuple3<Byte, byte[], byte[]> message, KafkaSinkContext context, @Nullable Long timestamp) {
    return new ProducerRecord<>(topics[message.f0], message.f1, message.f2);
  }
}
