package io.tsdbsuite.ingest.config;

import org.apache.kafka.clients.consumer.Consumer;

/**
 * Kafka's classes have another package inside the plugin's jar; settings that name them, JAAS
 * settings above all, keep their usual names in opentsdb.conf.
 */
final class RelocatedNames {
  /** The usual package, in two parts, since the jar's build rewrites it where it is whole. */
  private static final String USUAL = "org.apache." + "kafka.".trim();

  private static final String HERE = packageHere();

  private RelocatedNames() {}

  static String relocate(String value) {
    return value.replace(USUAL, HERE);
  }

  private static String packageHere() {
    String name = Consumer.class.getName();
    return name.substring(0, name.length() - "clients.consumer.Consumer".length());
  }
}
