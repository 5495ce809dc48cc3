package io.tsdbsuite.rollup.uid;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** A serialisable Hadoop configuration for executors: all entries as text. */
public final class HadoopSettings implements Serializable {
  private static final long serialVersionUID = 1L;

  private final HashMap<String, String> entries = new HashMap<>();

  private HadoopSettings() {}

  /** Copies a configuration, defaults included. */
  public static HadoopSettings of(Configuration configuration) {
    HadoopSettings settings = new HadoopSettings();
    for (Map.Entry<String, String> entry : configuration) {
      settings.entries.put(entry.getKey(), entry.getValue());
    }
    return settings;
  }

  /** Returns a copy with another value for the key. */
  HadoopSettings with(String key, String value) {
    HadoopSettings settings = new HadoopSettings();
    settings.entries.putAll(entries);
    settings.entries.put(key, value);
    return settings;
  }

  /** A new configuration with exactly these entries; nothing is read from the class path. */
  public Configuration toConfiguration() {
    Configuration configuration = new Configuration(false);
    entries.forEach(configuration::set);
    return configuration;
  }
}
