package io.tsdbsuite.metrics.plugin;

/** The versions that a TSD logs. */
public final class PluginVersion {
  /** The OpenTSDB that plugins are made for; a TSD requires its own major version. */
  private static final String OPENTSDB = "2.4.1";

  private PluginVersion() {}

  /**
   * The version of a plugin's jar.
   *
   * @param plugin a class of the jar
   */
  public static String of(Class<?> plugin) {
    String version = plugin.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  /** The same with OpenTSDB's version and a name. */
  public static String of(Class<?> plugin, String name) {
    return OPENTSDB + "-" + name + "-" + of(plugin);
  }
}
