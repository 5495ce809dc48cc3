package io.tsdbsuite.ingest.config;

import org.apache.kafka.clients.consumer.Consumer;

/**
 * Replaces names of Kafka's classes in settings, above all in JAAS settings. opentsdb.conf has the
 * original names; inside the plugin's jar the classes have another package.
 */
final class RelocatedNames {
  /** The original package, in two parts: the shading of the jar rewrites the whole name. */
  private static final String ORIGINAL = "org.apache." + "kafka.".trim();

  private static final String RELOCATED = relocatedPackage();

  private RelocatedNames() {}

  static String relocate(String value) {
    return value.replace(ORIGINAL, RELOCATED);
  }

  private static String relocatedPackage() {
    String name = Consumer.class.getName();
    return name.substring(0, name.length() - "clients.consumer.Consumer".length());
  }
}
