package io.tsdbsuite.job.hbase;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Tells values that were set from built-in defaults. */
public final class HadoopKeys {
  /** Source of built-in defaults, as Configuration names it. */
  private static final Set<String> DEFAULT_SOURCES =
      Set.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml");

  private HadoopKeys() {}

  /** Whether a file or code has set this key, so that its value is no built-in default. */
  public static boolean isSet(Configuration configuration, String key) {
    String[] sources = configuration.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !DEFAULT_SOURCES.contains(sources[sources.length - 1]);
  }
}
