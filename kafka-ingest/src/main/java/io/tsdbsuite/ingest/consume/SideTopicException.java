package io.tsdbsuite.ingest.consume;

/** A dead-letter or requeue topic did not take a record: to be tried again, like an outage. */
final class SideTopicException extends Exception {
  private static final long serialVersionUID = 1L;

  SideTopicException(Throwable cause) {
    super("Kafka did not take a record for a side topic: " + cause, cause);
  }
}
