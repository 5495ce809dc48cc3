package io.tsdbsuite.ingest.consume;

/** Kafka did not accept a dead letter or a requeued message: retried like an outage. */
final class OutputTopicException extends Exception {
  private static final long serialVersionUID = 1L;

  OutputTopicException(Throwable cause) {
    super("Kafka did not take a record for the dead-letter or requeue topic: " + cause, cause);
  }
}
