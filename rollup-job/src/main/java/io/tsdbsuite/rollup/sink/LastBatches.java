package io.tsdbsuite.rollup.sink;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * The batches that are not full when a task ends. They would wait for linger.ms, which is longer
 * than a small task.
 */
final class LastBatches {
  private LastBatches() {}

  /**
   * Lets a producer send them now. Does not wait: {@link Producer#flush} returns when all messages
   * are acknowledged or have failed, and never if the brokers fail before the producer has its id.
   * Then the thread ends when the producer is closed.
   */
  static void flush(Producer<?, ?> producer) {
    Thread thread =
        new Thread(
            () -> {
              try {
                producer.flush();
              } catch (KafkaException | IllegalStateException e) {
                // The callbacks of the messages have the failure, or the producer is closed.
              }
            },
            "rollup-flush");
    thread.setDaemon(true);
    thread.start();
  }
}
