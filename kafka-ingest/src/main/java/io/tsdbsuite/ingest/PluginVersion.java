package io.tsdbsuite.ingest;

/** The version of the jar. */
final class PluginVersion {
  private PluginVersion() {}

  static String get() {
    String version = PluginVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
