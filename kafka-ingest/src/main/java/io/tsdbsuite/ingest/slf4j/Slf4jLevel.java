package io.tsdbsuite.ingest.slf4j;

/**
 * Stands in for {@code org.slf4j.event.Level}, which came with slf4j 1.7.15.
 *
 * <p>Kafka's client passes levels around among its own classes; with the TSD's slf4j 1.7.7 the
 * first of them that is closed would end with a NoClassDefFoundError. The jar's build puts this
 * name in place of the other one.
 */
public enum Slf4jLevel {
  /** As in slf4j. */
  ERROR,
  /** As in slf4j. */
  WARN,
  /** As in slf4j. */
  INFO,
  /** As in slf4j. */
  DEBUG,
  /** As in slf4j. */
  TRACE
}
