package io.tsdbsuite.metrics.plugin;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** An invalid configuration; carries all problems at once. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> problems;

  /**
   * @param plugin its name
   * @param problems one sentence each: the key, the rule, the value found
   */
  public ConfigException(String plugin, List<String> problems) {
    super(plugin + ": opentsdb.conf: " + String.join("; ", problems));
    this.problems = new ArrayList<>(problems);
  }

  /** One sentence each: the key, the rule, the value found; unmodifiable. */
  public List<String> problems() {
    return Collections.unmodifiableList(problems);
  }
}
