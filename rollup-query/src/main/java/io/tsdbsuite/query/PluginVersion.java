package io.tsdbsuite.query;

/** The versions that the TSD logs. */
final class PluginVersion {
  /** The OpenTSDB that it is made for; a TSD requires its own major version. */
  private static final String OPENTSDB = "2.4.1";

  private PluginVersion() {}

  static String get() {
    String version = PluginVersion.class.getPackage().getImplementationVersion();
    return OPENTSDB + "-rollup-query-" + (version == null ? "unknown" : version);
  }
}
