package io.tsdbsuite.ingest.consume;

/**
 * Thrown when Kafka has not accepted a dead letter or a requeued message. The consumer retries, as
 * after an outage of HBase.
 */
final class OutputTopicException extends Exception {
  private static final long serialVersionUID = 1L;

  OutputTopicException(Throwable cause) {
    super("Kafka did not take a record for the dead-letter or requeue topic: " + cause, cause);
  }
}
