package io.tsdbsuite.ingest.slf4j;

/**
 * Replaces {@code org.slf4j.event.Level}, which exists since slf4j 1.7.15.
 *
 * <p>The classes of Kafka's client pass levels to each other. With the TSD's slf4j 1.7.7 closing a
 * client would fail with a NoClassDefFoundError. The shading of the jar replaces the name.
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
