package io.tsdbsuite.ingest.config;

/** The plugin classes that read the configuration, each with the key that it requires. */
public enum ConfigReader {
  /** The consumer groups. */
  GROUPS("groups", "must name at least one group"),
  /** The storage exception handler. */
  STORAGE_EXCEPTION_HANDLER("seh.topic.default", "must name a topic"),
  /** The publisher. */
  PUBLISHER("publisher.topic", "must name a topic");

  private final String key;
  private final String rule;

  ConfigReader(String key, String rule) {
    this.key = key;
    this.rule = rule;
  }

  /** Reports the required key if it is not set. */
  void require(Keys keys) {
    if (!keys.isSet(key)) {
      keys.problem(key, rule);
    }
  }
}
