package io.tsdbsuite.trigger.config;

import java.util.List;

/** Invalid environment variables; the message lists all problems. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * @param problems one sentence each, which names the variable, the rule and the value
   */
  public ConfigurationException(List<String> problems) {
    super(
        (problems.size() == 1 ? "1 configuration problem: " : problems.size() + " problems: ")
            + String.join("; ", problems));
  }
}
