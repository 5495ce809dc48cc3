package io.tsdbsuite.rollup.uid;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** A Hadoop configuration that travels to executors: all its entries, as text. */
public final class HadoopSettings implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What Configuration names as the source of values that nobody set. */
  private static final Set<String> DEFAULT_SOURCES =
      Set.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml");

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

  /** Whether somebody set this key, in a file or in code, so that it is no built-in default. */
  public static boolean isSet(Configuration configuration, String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !DEFAULT_SOURCES.contains(sources[sources.length - 1]);
  }

  /** A copy in which the key has another value. */
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
